#include "math/jet.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

using namespace sinew;

namespace {

/// Compares a jet with central differences of the plain function at t.
template <class F>
void check_by_differences(F f, double t)
{
    const Jet2 jet = f(Jet2::variable(t));
    const double h = 1e-4; // truncation ~h² f⁗, rounding ~1e-16/h² in the second difference
    const double before = f(t - h), here = f(t), after = f(t + h);

    CHECK(jet.value == here);
    CHECK(jet.first == doctest::Approx((after - before) / (2 * h)).epsilon(1e-6));
    CHECK(jet.second == doctest::Approx((after - 2 * here + before) / (h * h)).epsilon(1e-5));
}

void check_jet(const Jet2& jet, double value, double first, double second)
{
    CHECK(jet.value == doctest::Approx(value).epsilon(1e-14));
    CHECK(jet.first == doctest::Approx(first).epsilon(1e-14));
    CHECK(jet.second == doctest::Approx(second).epsilon(1e-14));
}

} // namespace

TEST_CASE("jets of polynomials and quotients have the derivatives of the calculus")
{
    const Jet2 t = Jet2::variable(3);

    check_jet(t * t * t - 2 * t + 1, 22, 25, 18);
    check_jet(1 / t, 1 / 3., -1 / 9., 2 / 27.);
    check_jet(t / (1 + t), 3 / 4., 1 / 16., -1 / 32.);
    check_jet(-t + 4, 1, -1, 0);
}

TEST_CASE("jets of elementary functions have the derivatives of the calculus")
{
    const double t = 0.4;
    const Jet2 x = Jet2::variable(t);

    check_jet(sin(x), std::sin(t), std::cos(t), -std::sin(t));
    check_jet(cos(x), std::cos(t), -std::sin(t), -std::cos(t));
    check_jet(exp(x), std::exp(t), std::exp(t), std::exp(t));
    check_jet(log(x), std::log(t), 1 / t, -1 / (t * t));
    check_jet(sqrt(x), std::sqrt(t), 0.5 / std::sqrt(t), -0.25 / (t * std::sqrt(t)));
    check_jet(pow(x, 2.5), std::pow(t, 2.5), 2.5 * std::pow(t, 1.5), 3.75 * std::sqrt(t));
}

TEST_CASE("the chain rule holds: derivatives through nested functions match differences")
{
    // Each inner function has its own first and second derivative, so no term can hide.
    const auto inner = [](auto t) { return t * t * 0.3 + t * 0.2 + 0.1; };
    for (const double t : {-0.3, 0.2, 0.7}) {
        check_by_differences([&](auto s) { return sin(inner(s)); }, t);
        check_by_differences([&](auto s) { return cos(inner(s)); }, t);
        check_by_differences([&](auto s) { return tan(inner(s)); }, t);
        check_by_differences([&](auto s) { return asin(inner(s)); }, t);
        check_by_differences([&](auto s) { return acos(inner(s)); }, t);
        check_by_differences([&](auto s) { return atan(inner(s)); }, t);
        check_by_differences([&](auto s) { return sqrt(inner(s)); }, t);
        check_by_differences([&](auto s) { return exp(inner(s)); }, t);
        check_by_differences([&](auto s) { return log(inner(s)); }, t);
        check_by_differences([&](auto s) { return pow(inner(s), inner(2 * s)); }, t);
        check_by_differences([&](auto s) { return pow(inner(s), 1.7); }, t);
        check_by_differences([&](auto s) { return sin(s) / inner(s); }, t);
        check_by_differences([&](auto s) { return abs(inner(s) * s); }, t);
    }
}

TEST_CASE("atan2 is differentiated in all four quadrants")
{
    for (const double t : {0.5, 2.0, 4.0, 5.5}) {
        check_by_differences([](auto s) { return atan2(2 * sin(s), cos(s) + 0.1 * s); }, t);
    }
}

TEST_CASE("a constant exponent takes powers of zero and of negative numbers")
{
    check_jet(pow(Jet2::variable(0), 2), 0, 0, 2);
    check_jet(pow(Jet2::variable(0), 1), 0, 1, 0);
    check_jet(pow(Jet2::variable(0), 0), 1, 0, 0);
    check_jet(pow(Jet2::variable(-2), 3), -8, 12, -12);
}

TEST_CASE("min, max, abs and floor follow the branch that the value takes")
{
    const Jet2 a = {1, 10, 100}, b = {2, 20, 200};

    CHECK(min(a, b).first == 10);
    CHECK(max(a, b).second == 200);
    CHECK(abs(-a).first == 10);
    CHECK(floor(Jet2{2.5, 1, 1}).value == 2);
    CHECK(floor(Jet2{2.5, 1, 1}).first == 0);
}

TEST_CASE("jets are compared by value alone")
{
    CHECK(Jet2{1, 5, 5} < Jet2{2, 0, 0});
    CHECK(Jet2{1, 5, 5} == Jet2{1, 0, 0});
    CHECK(Jet2{1} >= 1.0);
    CHECK(is_finite(Jet2{1, 2, 3}));
    CHECK_FALSE(is_finite(Jet2{1, NAN, 3}));
}

TEST_CASE("jets of jets give fourth derivatives")
{
    using Nested = Jet2T<Jet2>;
    const Nested t = {Jet2::variable(0.7), Jet2(1), Jet2(0)};

    CHECK(sin(t).second.second == doctest::Approx(std::sin(0.7)));
    CHECK((t * t * t * t).second.second == doctest::Approx(24));
}

TEST_CASE("rotations are differentiated through the identity, where angles have no derivative")
{
    // r(t) = a t: at t = 0 the quaternion's derivative is (a/2, 0), its second (0, −|a|²/4).
    const Vec3T<Jet2> a = {1, 2, 2};
    const QuatT<Jet2> q = exp_quat(a * Jet2::variable(0));
    const Vec3T<Jet2> r = log_quat(q);

    CHECK(q.x.first == doctest::Approx(0.5));
    CHECK(q.w.second == doctest::Approx(-2.25));
    CHECK(r.y.first == doctest::Approx(2));
    CHECK(std::abs(r.y.second) < 1e-14);
}

TEST_CASE("derivatives of exponential and logarithm stay accurate on both sides of the series")
{
    const Vec3T<Jet2> axis = {2. / 3, -1. / 3, 2. / 3};
    for (const double angle : {1e-8, 1e-3, 0.0632, 0.0633, 0.632, 0.633, 1.0, 3.1}) {
        const Jet2 t = Jet2::variable(angle);
        const QuatT<Jet2> q = exp_quat(axis * t);
        const Vec3T<Jet2> r = log_quat(q);

        CHECK(std::abs(q.w.second + 0.25 * std::cos(angle / 2)) < 1e-14);
        CHECK(std::abs(r.x.first - 2. / 3) < 1e-12);
        CHECK(std::abs(r.x.second) < 1e-10);
    }
}
