#include "math/jet.h"
#include "math/spatial.h"

#include <doctest/doctest.h>

#include <Eigen/Dense>

#include <random>

using namespace sinew;

namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

/// Arbitrary but repeatable spatial quantities.
struct Arbitrary {
    std::mt19937 engine{11};

    double number() { return double(engine()) / double(engine.max()) * 2 - 1; }
    Vec3 vector() { return {number(), number(), number()}; }
    Twist twist() { return {vector(), vector()}; }
    Wrench wrench() { return {vector(), vector()}; }
    Pose pose() { return {normalised(Quat{number(), number(), number(), number()}), vector() * 3}; }
    Sym3 positive()
    {
        return square(vector()) + square(vector()) + square(vector()) + Sym3::diagonal({1, 1, 1});
    }
    RigidInertia body() { return {2 + number(), vector(), positive()}; }
    /// Two bodies with a joint's freedom taken away between them: positive definite, not rigid.
    ArticulatedInertia articulated()
    {
        const ArticulatedInertia I = make_articulated(body());
        const Twist axis = twist();
        const Wrench U = apply(I, axis);
        return make_articulated(body()) + rank_one_updated(I, U, -1 / dot(axis, U));
    }
};

Eigen::Vector3d dense(const Vec3& v) { return {v.x, v.y, v.z}; }

Eigen::Matrix3d dense(const Mat3& A)
{
    Eigen::Matrix3d D;
    D << dense(A.x), dense(A.y), dense(A.z);
    return D;
}

Vector6 dense(const Twist& t)
{
    Vector6 v;
    v << dense(t.angular), dense(t.linear);
    return v;
}

Vector6 dense(const Wrench& w)
{
    Vector6 v;
    v << dense(w.torque), dense(w.force);
    return v;
}

Matrix6 dense(const ArticulatedInertia& I)
{
    Matrix6 D;
    D << dense(full_matrix(I.rotational)), dense(I.coupling), dense(I.coupling).transpose(),
        dense(full_matrix(I.mass));
    return D;
}

/// The 6×6 matrix that takes twists from B to W, written out as in the textbook.
Matrix6 dense_twist_transform(const Pose& X)
{
    const Eigen::Matrix3d R =
        Eigen::Quaterniond(X.rotation.w, X.rotation.x, X.rotation.y, X.rotation.z)
            .toRotationMatrix();
    const Eigen::Vector3d p = dense(X.translation);
    Eigen::Matrix3d px;
    px << 0, -p.z(), p.y(), p.z(), 0, -p.x(), -p.y(), p.x(), 0;
    Matrix6 D;
    D << R, Eigen::Matrix3d::Zero(), px * R, R;
    return D;
}

double difference(const Twist& a, const Twist& b) { return (dense(a) - dense(b)).norm(); }

double difference(const Wrench& a, const Wrench& b) { return (dense(a) - dense(b)).norm(); }

} // namespace

TEST_CASE("power does not depend on the frame")
{
    Arbitrary arbitrary;
    for (int i = 0; i < 20; ++i) {
        const Pose X = arbitrary.pose();
        const Twist v = arbitrary.twist();
        const Wrench f = arbitrary.wrench();

        CHECK(dot(transform(X, v), transform(X, f)) == doctest::Approx(dot(v, f)).epsilon(1e-12));
    }
}

TEST_CASE("twists and wrenches change frame by the textbook's dense matrices")
{
    Arbitrary arbitrary;
    const Pose X = arbitrary.pose();
    const Matrix6 D = dense_twist_transform(X);
    const Twist v = arbitrary.twist();
    const Wrench f = arbitrary.wrench();

    CHECK((dense(transform(X, v)) - D * dense(v)).norm() < 1e-14);
    CHECK((dense(transform(X, f)) - D.inverse().transpose() * dense(f)).norm() < 1e-13);
}

TEST_CASE("changing the frame there and back changes nothing")
{
    Arbitrary arbitrary;
    const Pose X = arbitrary.pose();
    const Twist v = arbitrary.twist();
    const Wrench f = arbitrary.wrench();

    CHECK(difference(transform_back(X, transform(X, v)), v) < 1e-14);
    CHECK(difference(transform_back(X, transform(X, f)), f) < 1e-14);
    CHECK(difference(transform(inverse(X), v), transform_back(X, v)) < 1e-14);
    CHECK(difference(transform(inverse(X), f), transform_back(X, f)) < 1e-14);
}

TEST_CASE("the velocity of a material point does not depend on the frame")
{
    Arbitrary arbitrary;
    const Pose X = arbitrary.pose();
    const Twist v = arbitrary.twist();
    const Vec3 point = arbitrary.vector();

    const Vec3 in_b = apply_to_direction(X, velocity_at(v, point));
    const Vec3 in_w = velocity_at(transform(X, v), apply_to_point(X, point));

    CHECK(length(in_b - in_w) < 1e-14);
}

TEST_CASE("motion cross products obey the Jacobi identity")
{
    Arbitrary arbitrary;
    const Twist a = arbitrary.twist(), b = arbitrary.twist(), c = arbitrary.twist();

    const Twist sum = cross(a, cross(b, c)) + cross(b, cross(c, a)) + cross(c, cross(a, b));

    CHECK(difference(sum, Twist{}) < 1e-14);
    CHECK(difference(cross(a, a), Twist{}) == 0);
}

TEST_CASE("the two cross products are adjoint: carrying both along keeps the power")
{
    Arbitrary arbitrary;
    const Twist by = arbitrary.twist(), v = arbitrary.twist();
    const Wrench f = arbitrary.wrench();

    CHECK(dot(cross(by, v), f) + dot(v, cross(by, f)) == doctest::Approx(0).epsilon(1e-14));
}

TEST_CASE("the cross products are the rate of change in a moving frame")
{
    Arbitrary arbitrary;
    const Twist by = arbitrary.twist(), v = arbitrary.twist();
    const Wrench f = arbitrary.wrench();
    const double h = 1e-6;
    const auto pose = [&](double t) { // moves with the twist `by` to first order around t = 0
        return Pose{exp_quat(by.angular * t), by.linear * t};
    };

    const Twist dv = (transform(pose(h), v) - transform(pose(-h), v)) * (0.5 / h);
    const Wrench df = (transform(pose(h), f) - transform(pose(-h), f)) * (0.5 / h);

    CHECK(difference(dv, cross(by, v)) < 1e-9);
    CHECK(difference(df, cross(by, f)) < 1e-9);
}

TEST_CASE("a rigid inertia and its 6x6 form give the same momentum")
{
    Arbitrary arbitrary;
    const RigidInertia body = arbitrary.body();
    const Twist v = arbitrary.twist();

    CHECK(difference(apply(body, v), apply(make_articulated(body), v)) < 1e-14);
}

TEST_CASE("kinetic energy does not depend on the frame")
{
    Arbitrary arbitrary;
    const Pose X = arbitrary.pose();
    const RigidInertia body = arbitrary.body();
    const Twist v = arbitrary.twist();

    CHECK(kinetic_energy(transform(X, body), transform(X, v)) ==
          doctest::Approx(kinetic_energy(body, v)).epsilon(1e-13));
}

TEST_CASE("inertias change frame by congruence with the dense transformation")
{
    Arbitrary arbitrary;
    for (int i = 0; i < 20; ++i) {
        const Pose X = arbitrary.pose();
        const ArticulatedInertia I = arbitrary.articulated();
        const RigidInertia body = arbitrary.body();
        const Matrix6 back = dense_twist_transform(X).inverse();

        CHECK((dense(transform(X, I)) - back.transpose() * dense(I) * back).norm() < 1e-12);
        CHECK((dense(make_articulated(transform(X, body))) -
               back.transpose() * dense(make_articulated(body)) * back)
                  .norm() < 1e-12);
    }
}

TEST_CASE("shifting follows the parallel axis theorem")
{
    const RigidInertia body = {3, {0, 0, 0}, Sym3::diagonal({1, 2, 3})};

    const RigidInertia moved = shifted(body, Vec3{0, 2, 0});

    CHECK(inertia_about_origin(moved) == Sym3::diagonal({1 + 3 * 4, 2, 3 + 3 * 4}));
}

TEST_CASE("bodies fixed together carry the sum of their momenta")
{
    Arbitrary arbitrary;
    const RigidInertia a = arbitrary.body(), b = arbitrary.body();
    const Twist v = arbitrary.twist();

    CHECK(difference(apply(a + b, v), apply(a, v) + apply(b, v)) < 1e-14);
    CHECK(difference(apply(make_articulated(a) + make_articulated(b), v), apply(a + b, v)) < 1e-14);
    CHECK((RigidInertia{} + RigidInertia{}).centre == Vec3{});
}

TEST_CASE("solving finds the motion whose momentum was given")
{
    Arbitrary arbitrary;
    for (int i = 0; i < 20; ++i) {
        const ArticulatedInertia I = arbitrary.articulated();
        const Wrench f = arbitrary.wrench();

        CHECK(difference(apply(I, solve(I, f)), f) < 1e-12);
    }
}

TEST_CASE("taking a joint's freedom leaves no inertia along it")
{
    Arbitrary arbitrary;
    const ArticulatedInertia I = make_articulated(arbitrary.body());
    const Twist axis = arbitrary.twist();
    const Wrench U = apply(I, axis);

    const ArticulatedInertia rest = rank_one_updated(I, U, -1 / dot(axis, U));

    CHECK(difference(apply(rest, axis), Wrench{}) < 1e-13);
    CHECK((dense(rest) - (dense(I) - dense(U) * dense(U).transpose() / dot(axis, U))).norm() <
          1e-13);
}

TEST_CASE("a force at a point works on the velocity of that point")
{
    Arbitrary arbitrary;
    const Twist v = arbitrary.twist();
    const Vec3 force = arbitrary.vector(), point = arbitrary.vector();

    CHECK(dot(v, force_at(force, point)) == doctest::Approx(dot(velocity_at(v, point), force)));
}

TEST_CASE("the spatial algebra carries jets")
{
    // The energy of a body spinning with ω = t about z is ½ I t²: second derivative I.
    const RigidInertiaT<Jet2> body = {2, {}, Sym3T<Jet2>::diagonal({1, 2, 5})};
    const TwistT<Jet2> motion = {{0, 0, Jet2::variable(0.3)}, {}};

    CHECK(kinetic_energy(body, motion).second == doctest::Approx(5));
}
