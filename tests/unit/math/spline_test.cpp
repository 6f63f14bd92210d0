#include "math/jet.h"
#include "math/spline.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <vector>

using namespace sinew;

namespace {

const std::vector<Vec3> kSeven = {{0, 0, 0}, {1, 2, 0}, {2, 2, 1}, {3, -1, 1},
                                  {5, 0, 2}, {6, 1, 0}, {7, 3, 3}};

std::vector<Vec3> first_of_seven(std::size_t n)
{
    return {kSeven.begin(), kSeven.begin() + std::ptrdiff_t(n)};
}

template <class Points>
auto evaluate_through(const Points& points, double u)
{
    Points moments(points.size());
    update_moments(points, moments);
    return sinew::evaluate_through(points, moments, u);
}

/// The derivatives that a curve states, against central differences of its points.
template <class Curve>
void check_derivatives(Curve curve, double u)
{
    const double h = 1e-4; // truncation ~h² c⁗ = 0 for cubics; rounding ~1e-15/h² = 1e-7
    const CurvePoint before = curve(u - h), here = curve(u), after = curve(u + h);

    CHECK(length((after.point - before.point) / (2 * h) - here.first) < 1e-4);
    CHECK(length((after.first - before.first) / (2 * h) - here.second) < 1e-4);
}

/// The largest jump of point, first and second derivative across u.
template <class Curve>
std::array<double, 3> jumps(Curve curve, double u)
{
    const double e = 1e-9;
    const CurvePoint a = curve(u - e), b = curve(u + e);
    return {length(a.point - b.point), length(a.first - b.first), length(a.second - b.second)};
}

} // namespace

TEST_CASE("the spline of four points is their Bezier curve")
{
    const std::vector<Vec3> p = first_of_seven(4);
    for (const double u : {0.0, 0.1, 0.5, 0.77, 1.0}) {
        const double r = 1 - u;
        const Vec3 bezier = p[0] * (r * r * r) + p[1] * (3 * r * r * u) + p[2] * (3 * r * u * u) +
                            p[3] * (u * u * u);
        const Vec3 first =
            ((p[1] - p[0]) * (r * r) + (p[2] - p[1]) * (2 * r * u) + (p[3] - p[2]) * (u * u)) * 3.0;
        const Vec3 second = ((p[2] - p[1] * 2 + p[0]) * r + (p[3] - p[2] * 2 + p[1]) * u) * 6.0;

        const CurvePoint c = evaluate_bspline(p, u);

        CHECK(length(c.point - bezier) < 1e-14);
        CHECK(length(c.first - first) < 1e-13);
        CHECK(length(c.second - second) < 1e-13);
    }
}

TEST_CASE("the spline of three points is their parabola, of two their line")
{
    const std::vector<Vec3> p = first_of_seven(3), q = first_of_seven(2);
    const double u = 0.3, r = 0.7;

    const CurvePoint parabola = evaluate_bspline(p, u), line = evaluate_bspline(q, u);

    CHECK(length(parabola.point - p[0] * (r * r) - p[1] * (2 * r * u) - p[2] * (u * u)) < 1e-15);
    CHECK(length(parabola.second - (p[0] - p[1] * 2 + p[2]) * 2) < 1e-14);
    CHECK(length(line.point - q[0] * r - q[1] * u) < 1e-15);
    CHECK(length(line.first - (q[1] - q[0])) < 1e-15);
    CHECK(length(line.second) == 0);
}

TEST_CASE("inner pieces of a long spline have the textbook uniform weights 1/6, 4/6, 1/6")
{
    const CurveWeights w = bspline_basis(9, 0.5); // six pieces, u = 0.5 is the middle knot

    CHECK(w.first == 3);
    CHECK(w.weight[0] == doctest::Approx(1 / 6.));
    CHECK(w.weight[1] == doctest::Approx(4 / 6.));
    CHECK(w.weight[2] == doctest::Approx(1 / 6.));
    CHECK(std::abs(w.weight[3]) < 1e-15);
    CHECK(w.second_derivative[1] == doctest::Approx(-2 * 36));
}

TEST_CASE("weights sum to one and their derivatives to zero, inside and outside")
{
    for (int n = 2; n < 9; ++n)
        for (int degree = 1; degree <= 3; ++degree)
            for (double u = -0.5; u < 1.6; u += 0.01) {
                const CurveWeights w = bspline_basis(n, u, degree);

                CHECK(std::abs(w.weight[0] + w.weight[1] + w.weight[2] + w.weight[3] - 1) < 1e-14);
                double first = 0, second = 0;
                for (std::size_t i = 0; i < 4; ++i) {
                    first += w.first_derivative[i];
                    second += w.second_derivative[i];
                }
                CHECK(std::abs(first) < 1e-12);
                CHECK(std::abs(second) < 1e-11);
                CHECK((w.first >= 0 && w.first + w.count <= n));
            }
}

TEST_CASE("every curve starts at its first point and ends at its last")
{
    for (std::size_t n = 2; n <= 7; ++n) {
        const std::vector<Vec3> p = first_of_seven(n);

        CHECK(length(evaluate_bspline(p, 0.0).point - p.front()) < 1e-15);
        CHECK(length(evaluate_bspline(p, 1.0).point - p.back()) < 1e-15);
        CHECK(length(evaluate_polyline(p, 0.0).point - p.front()) < 1e-15);
        CHECK(length(evaluate_polyline(p, 1.0).point - p.back()) < 1e-15);
    }
}

TEST_CASE("the stated derivatives are those of the curve")
{
    for (std::size_t n = 2; n <= 7; ++n) {
        const std::vector<Vec3> p = first_of_seven(n);
        for (const double u : {-0.3, 0.07, 0.31, 0.53, 0.88, 1.2}) {
            check_derivatives([&](double v) { return evaluate_bspline(p, v); }, u);
            check_derivatives([&](double v) { return evaluate_through(p, v); }, u);
            check_derivatives([&](double v) { return evaluate_polyline(p, v); }, u);
        }
    }
}

TEST_CASE("splines have continuous curvature at their knots")
{
    const auto bspline = [](double u) { return evaluate_bspline(kSeven, u); };
    const auto through = [](double u) { return evaluate_through(kSeven, u); };
    for (int i = 1; i < 4; ++i)
        CHECK(jumps(bspline, i / 4.)[2] < 1e-5);
    for (int i = 0; i <= 6; ++i) // at the ends too: natural ends run straight on
        CHECK(jumps(through, i / 6.)[2] < 1e-5);
}

TEST_CASE("outside its range a curve goes on along its end tangent")
{
    for (const double end : {0.0, 1.0}) {
        const CurvePoint c = evaluate_bspline(kSeven, end);
        const CurvePoint beyond = evaluate_bspline(kSeven, 3 * end - 1); // −1 and 2

        CHECK(jumps([](double u) { return evaluate_bspline(kSeven, u); }, end)[1] < 1e-5);
        CHECK(length(beyond.point - (c.point + c.first * (2 * end - 1))) < 1e-12);
        CHECK(length(beyond.first - c.first) < 1e-12);
        CHECK(length(beyond.second) == 0);
    }
}

TEST_CASE("the interpolating spline and the polyline pass through their points in even steps")
{
    for (std::size_t n = 2; n <= 7; ++n) {
        const std::vector<Vec3> p = first_of_seven(n);
        for (std::size_t i = 0; i < n; ++i) {
            const double u = double(i) / double(n - 1);

            CHECK(length(evaluate_through(p, u).point - p[i]) < 1e-14);
            CHECK(length(evaluate_polyline(p, u).point - p[i]) < 1e-14);
        }
    }
}

TEST_CASE("a polyline is straight between its corners")
{
    const CurvePoint c = evaluate_polyline(kSeven, 2.25 / 6);

    CHECK(length(c.point - (kSeven[2] * 0.75 + kSeven[3] * 0.25)) < 1e-15);
    CHECK(length(c.first - (kSeven[3] - kSeven[2]) * 6) < 1e-13);
    CHECK(length(c.second) == 0);
}

TEST_CASE("points on a line are interpolated by the line")
{
    const std::vector<Vec3> p = {{0, 0, 0}, {1, 2, 3}, {2, 4, 6}, {3, 6, 9}};

    const CurvePoint c = evaluate_through(p, 0.4);

    CHECK(length(c.point - Vec3{1.2, 2.4, 3.6}) < 1e-14);
    CHECK(length(c.second) < 1e-13);
}

TEST_CASE("the interpolating spline converges with fourth order away from its ends")
{
    const auto error = [](int n) {
        std::vector<Vec3> p;
        for (int i = 0; i < n; ++i) {
            const double u = double(i) / (n - 1);
            p.push_back({std::cos(4 * u), std::sin(4 * u), u});
        }
        double largest = 0;
        for (double u = 0.4; u <= 0.6; u += 0.001)
            largest = std::max(largest, length(evaluate_through(p, u).point -
                                               Vec3{std::cos(4 * u), std::sin(4 * u), u}));
        return largest;
    };

    // 4th order: halving the spacing divides the error by 16.
    CHECK(error(41) / error(81) == doctest::Approx(16).epsilon(0.05));
    CHECK(error(81) / error(161) == doctest::Approx(16).epsilon(0.05));
}

TEST_CASE("the weights of the interpolating spline give the curve that its moments give")
{
    for (std::size_t n = 2; n <= 7; ++n) {
        const std::vector<Vec3> p = first_of_seven(n);
        std::vector<double> w(n), dw(n), ddw(n);
        for (const double u : {-0.2, 0.0, 0.1, 0.45, 0.99, 1.0, 1.5}) {
            update_through_weights(u, w, dw, ddw);
            CurvePoint sum;
            for (std::size_t i = 0; i < n; ++i) {
                sum.point += p[i] * w[i];
                sum.first += p[i] * dw[i];
                sum.second += p[i] * ddw[i];
            }

            const CurvePoint c = evaluate_through(p, u);

            CHECK(length(sum.point - c.point) < 1e-13);
            CHECK(length(sum.first - c.first) < 1e-12);
            CHECK(length(sum.second - c.second) < 1e-11);
        }
    }
}

TEST_CASE("moving points carry their velocity and acceleration into every curve")
{
    // Linear in the points: the jet of the curve is the curve of the jets.
    std::vector<Vec3T<Jet2>> moving(5), moments(5);
    std::vector<Vec3> velocity;
    for (std::size_t i = 0; i < 5; ++i) {
        velocity.push_back(kSeven[i + 2]);
        moving[i] = {{kSeven[i].x, velocity[i].x, 0}, {kSeven[i].y, velocity[i].y, 0}, 0};
    }
    update_moments(moving, moments);

    CHECK(evaluate_bspline(moving, 0.3).point.x.first ==
          doctest::Approx(evaluate_bspline(velocity, 0.3).point.x));
    CHECK(sinew::evaluate_through(moving, moments, 0.3).point.y.first ==
          doctest::Approx(evaluate_through(velocity, 0.3).point.y));
}

TEST_CASE("a parameter that moves is differentiated along the curve")
{
    const std::vector<Vec3T<Jet2>> fixed = {{0, 0, 0}, {1, 2, 0}, {2, 2, 1}, {3, -1, 1}, {5, 0, 2}};
    const CurvePoint c = evaluate_bspline(first_of_seven(5), 0.3);

    const Vec3T<Jet2> p = evaluate_bspline(fixed, Jet2::variable(0.3)).point;

    CHECK(p.y.first == doctest::Approx(c.first.y));
    CHECK(p.y.second == doctest::Approx(c.second.y));
    CHECK(evaluate_bspline(fixed, Jet2::variable(1.5)).point.y.first ==
          doctest::Approx(evaluate_bspline(first_of_seven(5), 1.0).first.y));
}
