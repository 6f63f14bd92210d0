#include "solve/ode/dormand_prince.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <limits>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

using namespace sinew;

namespace {

using Vector = std::vector<double>;

/// A right-hand side given by a function; counts its calls and remembers where they were.
class RecordedOde : public Ode {
public:
    using Function = std::function<bool(double t, std::span<const double> y, std::span<double> dy)>;

    explicit RecordedOde(Function function) : function_(std::move(function)) {}

    bool derivative(double t, std::span<const double> y, std::span<double> dy) noexcept override
    {
        times.push_back(t);
        arguments.emplace_back(y.begin(), y.end());
        return function_(t, y, dy);
    }

    Vector times;
    std::vector<Vector> arguments;

private:
    Function function_;
};

/// y' = λ y for each component.
RecordedOde make_linear(double lambda)
{
    return RecordedOde([lambda](double, std::span<const double> y, std::span<double> dy) {
        for (std::size_t i = 0; i < y.size(); ++i)
            dy[i] = lambda * y[i];
        return true;
    });
}

/// The derivative is tᵏ, whatever y is.
RecordedOde make_power(int k)
{
    return RecordedOde([k](double t, std::span<const double>, std::span<double> dy) {
        dy[0] = std::pow(t, k);
        return true;
    });
}

/// Two bodies with masses that sum to 1: x'' = −x/|x|³.
RecordedOde make_kepler()
{
    return RecordedOde([](double, std::span<const double> y, std::span<double> dy) {
        const double r = std::hypot(y[0], y[1]), r3 = r * r * r;
        dy[0] = y[2];
        dy[1] = y[3];
        dy[2] = -y[0] / r3;
        dy[3] = -y[1] / r3;
        return r > 0;
    });
}

struct Attempt {
    StepOutcome outcome;
    Vector y_new;
};

Attempt try_step(RecordedOde& problem, double t, double h, const Vector& y, double tolerance)
{
    DormandPrince method(y.size());
    Vector dy(y.size()), y_new(y.size());
    const Vector scale(y.size(), tolerance);
    REQUIRE(problem.derivative(t, y, dy));
    const StepOutcome outcome = method.step(problem, t, h, y, dy, scale, y_new);
    return {outcome, y_new};
}

double distance(const Vector& a, const Vector& b)
{
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

/// Error after one revolution of an ellipse of eccentricity 0.3 in equal steps: it should close.
double revolve(int step_count)
{
    const Vector start = {0.7, 0, 0, std::sqrt(1.3 / 0.7)};
    RecordedOde kepler = make_kepler();
    Vector y = start;
    for (int i = 0; i < step_count; ++i)
        y = try_step(kepler, 0, 2 * std::numbers::pi / step_count, y, 1.0).y_new;
    return distance(y, start);
}

struct Run {
    Vector y;
    int accepted = 0;
    int rejected = 0;
    double stiffest = 0;
};

/// The loop that belongs to the caller, in its simplest form.
Run integrate(RecordedOde& problem, double end, Vector y, double tolerance, double h)
{
    DormandPrince method(y.size());
    Vector dy(y.size()), y_new(y.size()), scale(y.size());
    Run run;
    double t = 0;
    problem.derivative(t, y, dy);
    while (t < end && run.accepted + run.rejected < 100000) {
        const bool is_last = t + h >= end;
        const double step = is_last ? end - t : h;
        for (std::size_t i = 0; i < y.size(); ++i)
            scale[i] = tolerance * (1 + std::abs(y[i]));

        const StepOutcome outcome = method.step(problem, t, step, y, dy, scale, y_new);

        const bool is_accepted = outcome.is_evaluable && outcome.error <= 1;
        h = step * (outcome.is_evaluable
                        ? next_step_factor(outcome.error, DormandPrince::kErrorOrder)
                        : 0.25);
        ++(is_accepted ? run.accepted : run.rejected);
        if (!is_accepted)
            continue;
        t = is_last ? end : t + step;
        y = y_new;
        dy.assign(method.dy_new().begin(), method.dy_new().end());
        run.stiffest = std::max(run.stiffest, outcome.stiffness);
    }
    run.y = y;
    return run;
}

} // namespace

TEST_CASE("each row of the tableau sums to its node, the last is 1 [HairerNorsettWanner93, §II.1]")
{
    // With y' = 1 and y = t a stage's argument is its row's sum and its time is the node.
    RecordedOde clock = make_power(0);

    const Attempt attempt = try_step(clock, 0, 1, {0}, 1);

    REQUIRE(clock.times.size() == 13); // f(t, y), 11 stages, f(t + h, y_new)
    for (std::size_t i = 0; i < clock.times.size(); ++i)
        CHECK(std::abs(clock.arguments[i][0] - clock.times[i]) < 1e-14); // entries up to 43
    CHECK(clock.times[5] == 1.0 / 3);
    CHECK(clock.times[11] == 1);
    CHECK(clock.times[12] == 1);
    CHECK(attempt.y_new[0] == doctest::Approx(1).epsilon(1e-15));
}

TEST_CASE("the last stages are evaluated at t + h exactly")
{
    for (const double t : {0.1, 1e6 / 3, -7.7})
        for (const double h : {0.3, -0.7, 1e-9}) {
            RecordedOde clock = make_power(0);

            try_step(clock, t, h, {0}, 1e9);

            CHECK(clock.times[11] == t + h);
            CHECK(clock.times[12] == t + h);
        }
}

TEST_CASE("quadrature is exact for t⁷ and not for t⁸: order 8 [HairerNorsettWanner93, §II.5]")
{
    for (int k = 0; k <= 8; ++k) {
        RecordedOde power = make_power(k);

        const Attempt attempt = try_step(power, 0, 1, {0}, 1);

        const double error = std::abs(attempt.y_new[0] - 1.0 / (k + 1));
        CHECK((error < 1e-14) == (k < 8));
    }
}

TEST_CASE("an orbit of Kepler closes with order 8 [HairerNorsettWanner93, §II.5]")
{
    const double order = std::log2(revolve(60) / revolve(120)); // errors 2e-10 and 1e-12

    CHECK(order == doctest::Approx(8).epsilon(0.06)); // halving h divides the error by nearly 256
}

TEST_CASE("y' = 1 + y² follows the tangent with order 8 [HairerNorsettWanner93, §II.5]")
{
    const auto error_at = [](int step_count) {
        RecordedOde riccati([](double, std::span<const double> y, std::span<double> dy) {
            dy[0] = 1 + y[0] * y[0];
            return true;
        });
        Vector y = {std::tan(-1.5)};
        for (int i = 0; i < step_count; ++i)
            y = try_step(riccati, 0, 3.0 / step_count, y, 1).y_new;
        return std::abs(y[0] / std::tan(1.5) - 1);
    };

    const double order = std::log2(error_at(256) / error_at(512)); // errors 3e-11 and 1e-13

    CHECK(order == doctest::Approx(8).epsilon(0.03));
}

TEST_CASE("a step and its way back meet where it began")
{
    RecordedOde kepler = make_kepler();
    const Vector start = {0.7, 0, 0, std::sqrt(1.3 / 0.7)};

    const Vector there = try_step(kepler, 0, 0.05, start, 1).y_new;
    const Vector back = try_step(kepler, 0.05, -0.05, there, 1).y_new;

    CHECK(distance(back, start) < 1e-13); // local errors ~h⁹ ~ 1e-12 nearly cancel
}

TEST_CASE("the error estimate falls with h⁸ [HairerNorsettWanner93, §II.10]")
{
    RecordedOde kepler = make_kepler();
    const Vector start = {0.7, 0, 0, std::sqrt(1.3 / 0.7)};

    const double coarse = try_step(kepler, 0, 0.08, start, 1e-9).outcome.error;
    const double fine = try_step(kepler, 0, 0.04, start, 1e-9).outcome.error;

    CHECK(std::log2(coarse / fine) > 7.5);
    CHECK(std::log2(coarse / fine) < 8.5);
}

TEST_CASE("E₃ is blind to t² and E₅ to t⁴: orders 3 and 5 [HairerNorsettWanner93, §II.10]")
{
    // The error is E₅ E₅/√(E₅² + 0.01 E₃²). Beside t⁵ a huge tᵏ shows only where it is not blind.
    const auto error_beside = [](double amplitude, int k) {
        RecordedOde powers([=](double t, std::span<const double>, std::span<double> dy) {
            dy[0] = std::pow(t, 5);
            dy[1] = amplitude * std::pow(t, k);
            return true;
        });
        return try_step(powers, 0, 1, {0, 0}, 1).outcome.error;
    };
    const double alone = error_beside(0, 0);

    for (int k = 0; k <= 2; ++k)
        CHECK(error_beside(1e8, k) / alone == doctest::Approx(1).epsilon(1e-5));
    for (int k = 3; k <= 4; ++k)
        CHECK(error_beside(1e6, k) < 1e-3 * alone);
    CHECK(error_beside(1e6, 5) > 1e3 * alone);
}

TEST_CASE("the error estimate is above the true error and not by much")
{
    const double tolerance = 1e-9;
    for (const double lambda : {-1.0, 1.0, 2.0})
        for (const double h : {0.1, 0.2, 0.4}) {
            RecordedOde linear = make_linear(lambda);

            const Attempt attempt = try_step(linear, 0, h, {1}, tolerance);

            const double error = std::abs(attempt.y_new[0] - std::exp(lambda * h)) / tolerance;
            CHECK(attempt.outcome.error > error);
            CHECK(attempt.outcome.error < 1e-14 / tolerance + 1e4 * error); // h⁸ against h⁹
        }
}

TEST_CASE("the error is in units of the tolerance")
{
    RecordedOde linear = make_linear(1);

    const double wide = try_step(linear, 0, 1, {1}, 1e-6).outcome.error;
    const double tight = try_step(linear, 0, 1, {1}, 1e-9).outcome.error;

    CHECK(tight == doctest::Approx(1000 * wide));
}

TEST_CASE("a thousand components at rest do not hide the one that errs")
{
    RecordedOde linear = make_linear(1);
    Vector y(1000, 0.0);
    y[617] = 1;

    const double alone = try_step(linear, 0, 1, {1}, 1e-9).outcome.error;
    const double among_many = try_step(linear, 0, 1, y, 1e-9).outcome.error;

    CHECK(among_many == alone);
}

TEST_CASE("a system at rest has no error and no stiffness")
{
    RecordedOde rest = make_linear(0);

    const StepOutcome outcome = try_step(rest, 0, 1, {1, 2, 3}, 1e-9).outcome;

    CHECK(outcome.is_evaluable);
    CHECK(outcome.error == 0);
    CHECK(outcome.stiffness == 0);
}

TEST_CASE("the stiffness of y' = λ y is h |λ| [HairerWanner96, §IV.2]")
{
    for (const double lambda : {-0.5, -5.0, -60.0, 3.0}) {
        RecordedOde linear = make_linear(lambda);

        const StepOutcome outcome = try_step(linear, 0, 0.1, {1, 2}, 1e9).outcome;

        CHECK(outcome.stiffness == doctest::Approx(0.1 * std::abs(lambda)));
    }
}

TEST_CASE("a stiff problem is known by a stiffness at the limit of stability")
{
    // y' = −1000 (y − cos t): smooth, so that stability alone limits the step.
    const auto fall_to_cosine = [](double t, std::span<const double> y, std::span<double> dy) {
        dy[0] = -1000 * (y[0] - std::cos(t));
        return true;
    };
    RecordedOde stiff(fall_to_cosine);
    RecordedOde easy = make_kepler();

    const Run limited = integrate(stiff, 1, {1}, 1e-6, 1e-3);
    const Run free = integrate(easy, 6, {0.7, 0, 0, std::sqrt(1.3 / 0.7)}, 1e-6, 1e-2);

    CHECK(limited.stiffest > DormandPrince::kStabilityLimit);
    CHECK(limited.stiffest < 3 * DormandPrince::kStabilityLimit);
    CHECK(limited.accepted > 100); // 1000 / 6.1 = 164 steps
    CHECK(free.stiffest < DormandPrince::kStabilityLimit);
}

TEST_CASE("the orbit of Arenstorf closes under step size control [HairerNorsettWanner93, §II.0]")
{
    // Restricted three bodies; passes the moon so closely that the step shrinks by a factor of
    // 1000.
    constexpr double moon = 0.012277471, earth = 1 - moon;
    RecordedOde arenstorf([](double, std::span<const double> y, std::span<double> dy) {
        const double a = std::hypot(y[0] + moon, y[1]), b = std::hypot(y[0] - earth, y[1]);
        const double a3 = a * a * a, b3 = b * b * b;
        dy[0] = y[2];
        dy[1] = y[3];
        dy[2] = y[0] + 2 * y[3] - earth * (y[0] + moon) / a3 - moon * (y[0] - earth) / b3;
        dy[3] = y[1] - 2 * y[2] - earth * y[1] / a3 - moon * y[1] / b3;
        return true;
    });
    const Vector start = {0.994, 0, 0, -2.00158510637908252240537862224};

    const Run run = integrate(arenstorf, 17.0652165601579625588917206249, start, 1e-13, 1e-4);

    CHECK(distance({run.y[0], run.y[1]}, {start[0], start[1]}) < 1e-7); // amplified by some 1e5
    CHECK(run.accepted + run.rejected < 600);                           // 456 when this was written
}

TEST_CASE("a derivative that does not exist is reported, whichever stage misses it")
{
    for (std::size_t missing = 2; missing <= 13; ++missing) { // the first call is ours
        std::size_t calls = 0;
        RecordedOde gap([&](double, std::span<const double> y, std::span<double> dy) {
            dy[0] = y[0];
            return ++calls != missing;
        });

        const StepOutcome outcome = try_step(gap, 0, 0.1, {1}, 1).outcome;

        CHECK_FALSE(outcome.is_evaluable);
        CHECK(calls == missing); // given up at once
    }
}

TEST_CASE("a value that is not finite is reported even if the derivative keeps silent")
{
    for (const double value :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        for (std::size_t broken = 2; broken <= 13; ++broken) {
            std::size_t calls = 0;
            RecordedOde silent([&](double, std::span<const double> y, std::span<double> dy) {
                const bool is_broken = ++calls == broken;
                dy[0] = y[0];
                dy[1] = is_broken ? value : y[1];
                dy[2] = y[2];
                return true;
            });

            CHECK_FALSE(try_step(silent, 0, 0.1, {1, 1, 1}, 1).outcome.is_evaluable);
        }
}

TEST_CASE("f(t + h, y_new) is evaluated only for a step worth keeping")
{
    RecordedOde linear = make_linear(1);
    DormandPrince method(1);
    const Vector y = {1}, dy = {1}, wide = {1}, tight = {1e-30};
    Vector y_new(1);

    const StepOutcome kept = method.step(linear, 0, 1, y, dy, wide, y_new);
    const std::size_t calls_when_kept = linear.times.size();
    const double dy_new = method.dy_new()[0];
    const StepOutcome refused = method.step(linear, 0, 1, y, dy, tight, y_new);

    CHECK(kept.error <= 1);
    CHECK(calls_when_kept == 12);
    CHECK(dy_new == y_new[0]);
    CHECK(refused.error > 1);
    CHECK(refused.is_evaluable);
    CHECK(linear.times.size() == 12 + 11);
}

TEST_CASE("an attempt depends on its arguments alone")
{
    RecordedOde kepler = make_kepler();
    const Vector start = {0.7, 0, 0, std::sqrt(1.3 / 0.7)}, other = {0, 2, -0.7, 0.1};
    Vector dy(4), scale(4, 1e-9), first(4), between(4), again(4);
    kepler.derivative(0, start, dy);
    DormandPrince method(4);

    const StepOutcome a = method.step(kepler, 0, 0.1, start, dy, scale, first);
    method.step(kepler, 3, 0.2, other, dy, scale, between);
    const StepOutcome b = method.step(kepler, 0, 0.1, start, dy, scale, again);

    CHECK(first == again);
    CHECK(a.error == b.error);
    CHECK(a.stiffness == b.stiffness);
}

TEST_CASE("the next step aims below the tolerance, within bounds [HairerNorsettWanner93, §II.4]")
{
    const double infinity = std::numeric_limits<double>::infinity();

    CHECK(next_step_factor(0.4, 8) == 1);
    CHECK(next_step_factor(0.4 * 256, 8) == doctest::Approx(0.5)); // half the step: 2⁸ less error
    CHECK(next_step_factor(0.1 / 16, 4, 0.1) == doctest::Approx(2));
    CHECK(next_step_factor(1, 8) == doctest::Approx(0.9).epsilon(0.02));
    CHECK(next_step_factor(0, 8) == 6);
    CHECK(next_step_factor(1e-300, 4) == 6);
    CHECK(next_step_factor(1e300, 8) == 0.2);
    CHECK(next_step_factor(infinity, 8) == 0.2);
    CHECK(next_step_factor(std::numeric_limits<double>::quiet_NaN(), 8) == 0.2);
}
