#include "sinew/math.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <random>

using namespace sinew;

namespace {

constexpr double kPi = std::numbers::pi;

/// Arbitrary but repeatable numbers in [-1, 1].
struct Arbitrary {
    std::mt19937 engine{7};

    double number() { return double(engine()) / double(engine.max()) * 2 - 1; }
    Vec3 vector() { return {number(), number(), number()}; }
    Quat rotation() { return normalised(Quat{number(), number(), number(), number()}); }
    Pose pose() { return {rotation(), vector()}; }
};

double difference(const Vec3& a, const Vec3& b) { return length(a - b); }

double difference(const Mat3& A, const Mat3& B)
{
    return length(A.x - B.x) + length(A.y - B.y) + length(A.z - B.z);
}

/// 0 for q and −q alike: they are one rotation.
double difference(const Quat& a, const Quat& b) { return length((conjugate(a) * b).vector()); }

} // namespace

TEST_CASE("axes are right-handed: x cross y is z")
{
    static_assert(cross(Vec3{1, 0, 0}, Vec3{0, 1, 0}) == Vec3{0, 0, 1});
    CHECK(rotate(rotation_about(Vec3{0, 0, 1}, kPi / 2), Vec3{1, 0, 0}).y == doctest::Approx(1));
}

TEST_CASE("a matrix is stored by columns and multiplies column vectors")
{
    constexpr Mat3 A = {{1, 2, 3}, {4, 5, 6}, {7, 8, 10}};

    static_assert(A * Vec3{0, 1, 0} == A.y);
    static_assert(A(2, 0) == 3 && A(0, 2) == 7);
    static_assert(transpose(A)(0, 2) == A(2, 0));
    static_assert(determinant(A) == -3);
    static_assert(trace(A) == 16);
}

TEST_CASE("a matrix times its inverse is the identity")
{
    Arbitrary arbitrary;
    for (int i = 0; i < 20; ++i) {
        const Mat3 A = {arbitrary.vector(), arbitrary.vector(), arbitrary.vector()};

        CHECK(difference(A * inverse(A), Mat3::identity()) < 1e-12);
        CHECK(difference(inverse(A) * A, Mat3::identity()) < 1e-12);
    }
}

TEST_CASE("the cross matrix multiplies as the cross product, the outer product as a projection")
{
    Arbitrary arbitrary;
    const Vec3 a = arbitrary.vector(), b = arbitrary.vector(), c = arbitrary.vector();

    CHECK(difference(cross_matrix(a) * b, cross(a, b)) < 1e-15);
    CHECK(difference(outer(a, b) * c, a * dot(b, c)) < 1e-15);
}

TEST_CASE("quaternion and matrix describe the same rotation")
{
    Arbitrary arbitrary;
    for (int i = 0; i < 100; ++i) {
        const Quat q = arbitrary.rotation(), p = arbitrary.rotation();
        const Vec3 v = arbitrary.vector();

        CHECK(difference(rotation_matrix(q) * v, rotate(q, v)) < 1e-14);
        CHECK(difference(rotation_matrix(q * p), rotation_matrix(q) * rotation_matrix(p)) < 1e-14);
        CHECK(difference(rotation_quat(rotation_matrix(q)), q) < 1e-14);
    }
}

TEST_CASE("half turns about every axis come back from their matrices")
{
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        const Quat q = rotation_about(axis, kPi);

        CHECK(difference(rotation_quat(rotation_matrix(q)), q) < 1e-15);
    }
}

TEST_CASE("the logarithm inverts the exponential from tiny angles to almost half a turn")
{
    const Vec3 axis = normalised(Vec3{1, -2, 3});
    for (const double angle : {0.0, 1e-300, 1e-160, 1e-12, 1e-6, 1e-3, 0.06, 0.0633, 0.5, 0.6324,
                               0.633, 1.0, 2.0, 3.0, kPi - 1e-6, kPi - 1e-12}) {
        const Vec3 r = axis * angle;

        CHECK(difference(log_quat(exp_quat(r)), r) <= 1e-14 * angle);
        CHECK(difference(log_quat(-exp_quat(r)), r) <= 1e-14 * angle);
        CHECK(difference(exp_quat(r), rotation_about(axis, angle)) <= 1e-15);
    }
}

TEST_CASE("the exponential has unit length on both sides of its series")
{
    for (double angle = 0; angle < 7; angle += 0.01) {
        const Quat q = exp_quat(Vec3{angle, 0, 0});

        CHECK(std::abs(dot(q, q) - 1) < 5e-16);
    }
}

TEST_CASE("the logarithm of the identity is zero whichever sign the quaternion has")
{
    CHECK(log_quat(Quat{0, 0, 0, 1}) == Vec3{});
    CHECK(log_quat(Quat{0, 0, 0, -1}) == Vec3{});
}

TEST_CASE("slerp takes the short way at constant angular velocity")
{
    const Vec3 axis = normalised(Vec3{1, 1, 0});
    const Quat a = rotation_about(axis, 0.3), b = -rotation_about(axis, 1.3);

    CHECK(difference(slerp(a, b, 0.0), a) < 1e-15);
    CHECK(difference(slerp(a, b, 1.0), b) < 1e-15);
    CHECK(difference(slerp(a, b, 0.25), rotation_about(axis, 0.55)) < 1e-15);
}

TEST_CASE("poses compose as the motions they stand for, and their inverse undoes them")
{
    Arbitrary arbitrary;
    const Pose X = arbitrary.pose(), Y = arbitrary.pose();
    const Vec3 p = arbitrary.vector();

    CHECK(difference(apply_to_point(X * Y, p), apply_to_point(X, apply_to_point(Y, p))) < 1e-15);
    CHECK(difference(apply_to_point(inverse(X), apply_to_point(X, p)), p) < 1e-15);
    CHECK(difference(apply_to_direction(X, p), apply_to_point(X, p) - X.translation) < 1e-15);
}

TEST_CASE("a defaulted quaternion and pose are the identity")
{
    CHECK(rotate(Quat{}, Vec3{1, 2, 3}) == Vec3{1, 2, 3});
    CHECK(apply_to_point(Pose{}, Vec3{1, 2, 3}) == Vec3{1, 2, 3});
}

TEST_CASE("one bad number makes a vector, matrix, rotation or pose not finite")
{
    CHECK(is_finite(Vec3{1, 2, 3}));
    CHECK_FALSE(is_finite(Vec3{1, NAN, 3}));
    CHECK_FALSE(is_finite(Mat3{{}, {}, {0, 0, INFINITY}}));
    CHECK_FALSE(is_finite(Quat{0, 0, 0, NAN}));
    CHECK_FALSE(is_finite(Pose{{}, {NAN, 0, 0}}));
}

TEST_CASE("the algebra works in single precision")
{
    const Vec3T<float> r = {0.1f, 0.2f, -0.3f};

    CHECK(length(log_quat(exp_quat(r)) - r) < 1e-6f);
    CHECK(length(2 * r / 2 - r) == 0);
}
