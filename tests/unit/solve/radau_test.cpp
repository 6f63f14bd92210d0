#include "solve/ode/radau.h"

#include <doctest/doctest.h>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <limits>
#include <span>
#include <utility>
#include <vector>

using namespace sinew;

namespace {

using Vector = std::vector<double>;
using Complex = std::complex<double>;

/// A right-hand side and its Jacobian, both given by functions, with dense solves.
class DenseOde : public StiffOde {
public:
    using Function = std::function<void(double t, const double* y, double* dy)>;
    using Jacobian = std::function<void(double t, const double* y, Eigen::MatrixXd& J)>;

    DenseOde(Function function, Jacobian jacobian)
        : function_(std::move(function)), jacobian_(std::move(jacobian))
    {
    }

    bool derivative(double t, std::span<const double> y, std::span<double> dy) noexcept override
    {
        times.push_back(t);
        function_(t, y.data(), dy.data());
        return int(times.size()) != missing_derivative;
    }
    bool linearise(double t, std::span<const double> y) noexcept override
    {
        J_ = Eigen::MatrixXd::Zero(Eigen::Index(y.size()), Eigen::Index(y.size()));
        jacobian_(t, y.data(), J_);
        return is_linearisable;
    }
    bool factor(double real_shift, Complex complex_shift) noexcept override
    {
        const auto identity = Eigen::MatrixXd::Identity(J_.rows(), J_.cols());
        real_.compute(real_shift * identity - J_);
        complex_.compute(complex_shift * identity - J_.cast<Complex>());
        return is_factorable;
    }
    void solve_real(std::span<double> x) noexcept override
    {
        Eigen::Map<Eigen::VectorXd> v(x.data(), Eigen::Index(x.size()));
        v = real_.solve(v).eval();
    }
    void solve_complex(std::span<Complex> x) noexcept override
    {
        Eigen::Map<Eigen::VectorXcd> v(x.data(), Eigen::Index(x.size()));
        v = complex_.solve(v).eval();
    }

    Vector times;                ///< of all calls of f
    int missing_derivative = -1; ///< the call that finds none, counted from 1
    bool is_linearisable = true;
    bool is_factorable = true;

private:
    Function function_;
    Jacobian jacobian_;
    Eigen::MatrixXd J_;
    Eigen::PartialPivLU<Eigen::MatrixXd> real_;
    Eigen::PartialPivLU<Eigen::MatrixXcd> complex_;
};

/// y' = λ y for complex λ, y = (Re, Im).
DenseOde make_linear(Complex lambda)
{
    const double a = lambda.real(), b = lambda.imag();
    return DenseOde(
        [=](double, const double* y, double* dy) {
            dy[0] = a * y[0] - b * y[1];
            dy[1] = b * y[0] + a * y[1];
        },
        [=](double, const double*, Eigen::MatrixXd& J) { J << a, -b, b, a; });
}

/// The derivative is tᵏ, whatever y is.
DenseOde make_power(int k)
{
    return DenseOde([k](double t, const double*, double* dy) { dy[0] = std::pow(t, k); },
                    [](double, const double*, Eigen::MatrixXd&) {});
}

/// y' = −λ (y − cos t) − sin t, solved by cos t [HairerWanner96, §IV.15].
DenseOde make_prothero_robinson(double lambda)
{
    return DenseOde([=](double t, const double* y,
                        double* dy) { dy[0] = -lambda * (y[0] - std::cos(t)) - std::sin(t); },
                    [=](double, const double*, Eigen::MatrixXd& J) { J << -lambda; });
}

/// x'' = −ω² (x − cos t) − 2 ζ ω (x' + sin t) − cos t, solved by cos t: a spring on a moving end.
DenseOde make_spring(double w, double z)
{
    return DenseOde(
        [=](double t, const double* y, double* dy) {
            dy[0] = y[1];
            dy[1] = -w * w * (y[0] - std::cos(t)) - 2 * z * w * (y[1] + std::sin(t)) - std::cos(t);
        },
        [=](double, const double*, Eigen::MatrixXd& J) { J << 0, 1, -w * w, -2 * z * w; });
}

/// y' = −2 t y², solved by 1/(1 + t²); not stiff.
DenseOde make_bell()
{
    return DenseOde([](double t, const double* y, double* dy) { dy[0] = -2 * t * y[0] * y[0]; },
                    [](double t, const double* y, Eigen::MatrixXd& J) { J << -4 * t * y[0]; });
}

struct Attempt {
    StepOutcome outcome;
    Vector y_new;
    int iterations = 0;
};

Attempt try_step(DenseOde& ode, double t, double h, const Vector& y, double tolerance)
{
    Radau method(y.size());
    Vector dy(y.size()), y_new(y.size());
    const Vector scale(y.size(), tolerance);
    ode.derivative(t, y, dy);
    const StepOutcome outcome = method.step(ode, t, h, y, dy, scale, y_new);
    return {outcome, y_new, method.iterations()};
}

struct Run {
    Vector y;
    int accepted = 0;
    int rejected = 0;
    int iterations = 0;
};

/// The loop that belongs to the caller, in its simplest form.
Run integrate(DenseOde& ode, double end, Vector y, double relative, double absolute, double h)
{
    Radau method(y.size());
    Vector dy(y.size()), y_new(y.size()), scale(y.size());
    Run run;
    double t = 0;
    while (t < end && run.accepted + run.rejected < 100000) {
        const bool is_last = t + h >= end;
        const double step = is_last ? end - t : h;
        for (std::size_t i = 0; i < y.size(); ++i)
            scale[i] = absolute + relative * std::abs(y[i]);
        ode.derivative(t, y, dy);

        const StepOutcome outcome = method.step(ode, t, step, y, dy, scale, y_new);

        const bool is_accepted = outcome.is_evaluable && outcome.error <= 1;
        h = step * next_step_factor(outcome.error, Radau::kErrorOrder, Radau::kErrorAim);
        run.iterations += method.iterations();
        ++(is_accepted ? run.accepted : run.rejected);
        if (!is_accepted)
            continue;
        t = is_last ? end : t + step;
        y = y_new;
    }
    run.y = y;
    return run;
}

} // namespace

TEST_CASE(
    "Radau's stages lie at the nodes (4 ∓ √6)/10 and at t + h exactly [HairerWanner96, §IV.5]")
{
    for (const double t : {0.0, 0.1, 1e6 / 3})
        for (const double h : {1.0, 0.3, -0.7}) {
            DenseOde clock = make_power(0);

            try_step(clock, t, h, {0}, 1);

            REQUIRE(clock.times.size() >= 4); // f(t, y), then three stages
            CHECK(clock.times[1] == doctest::Approx(t + h * (4 - std::sqrt(6)) / 10));
            CHECK(clock.times[2] == doctest::Approx(t + h * (4 + std::sqrt(6)) / 10));
            CHECK(clock.times[3] == t + h);
        }
}

TEST_CASE("Radau's quadrature is exact for t⁴ and not for t⁵: order 5 [HairerWanner96, §IV.5]")
{
    for (int k = 0; k <= 5; ++k) {
        DenseOde power = make_power(k);

        const Attempt attempt = try_step(power, 0, 1, {0}, 1e-6);

        const double error = std::abs(attempt.y_new[0] - 1.0 / (k + 1));
        CHECK((error < 1e-14) == (k < 5));
    }
}

TEST_CASE("y' = λ y is multiplied by the Padé approximation of exp(h λ) [HairerWanner96, §IV.5]")
{
    for (const Complex z :
         {Complex(-0.1, 0), Complex(-3, 0), Complex(1, 0), Complex(0, 2), Complex(-1, 5),
          Complex(0, 300), Complex(-1e8, 0), Complex(-1e5, 1e5)}) {
        const double h = 0.25;
        const Complex R = (1. + z * 2. / 5. + z * z / 20.) /
                          (1. - z * 3. / 5. + z * z * 3. / 20. - z * z * z / 60.);
        DenseOde linear = make_linear(z / h);

        const Attempt attempt = try_step(linear, 0, h, {1, 0}, 1e-6);

        CHECK(attempt.y_new[0] == doctest::Approx(R.real()).epsilon(1e-13));
        CHECK(std::abs(attempt.y_new[1] - R.imag()) < 1e-13);
        CHECK(attempt.iterations <= 2); // the first is exact, the second says so
    }
}

TEST_CASE("oscillations do not grow at any step size: A-stability [HairerWanner96, §IV.5]")
{
    for (double z = 0.01; z < 1e9; z *= 3) {
        DenseOde oscillator = make_linear({0, z});

        const Attempt attempt = try_step(oscillator, 0, 1, {1, 0}, 1e-6);

        CHECK(std::hypot(attempt.y_new[0], attempt.y_new[1]) < 1 + 1e-12);
    }
}

TEST_CASE("y' = −2 t y² follows the bell 1/(1 + t²) with order 5 [HairerWanner96, §IV.8]")
{
    const auto error_at = [](int step_count) {
        DenseOde bell = make_bell();
        Vector y = {1 / 26.};
        const double h = 6.0 / step_count;
        for (int i = 0; i < step_count; ++i)
            y = try_step(bell, -5 + i * h, h, y, 1e-16).y_new; // Newton to the last digit
        return std::abs(y[0] - 0.5);
    };

    const double order = std::log2(error_at(64) / error_at(128)); // errors 8e-9 and 3e-10

    CHECK(order == doctest::Approx(5).epsilon(0.03)); // halving h divides the error by 32
}

TEST_CASE("Radau's error estimate falls with h⁴ where nothing is stiff [HairerWanner96, §IV.8]")
{
    DenseOde bell = make_bell();

    const double coarse = try_step(bell, 0.3, 0.02, {1 / 1.09}, 1e-4).outcome.error;
    const double fine = try_step(bell, 0.3, 0.01, {1 / 1.09}, 1e-4).outcome.error;

    CHECK(coarse < 1); // one filter for both
    CHECK(std::log2(coarse / fine) == doctest::Approx(4).epsilon(0.05));
}

TEST_CASE("Radau's error estimate is above the true error, where nothing is stiff or little")
{
    for (const double tolerance : {1e-3, 1e-9})
        for (const double z : {-0.1, -1.0, -10.0, 0.5}) {
            DenseOde linear = make_linear(z);

            const Attempt attempt = try_step(linear, 0, 1, {1, 0}, tolerance);

            CHECK(attempt.outcome.error > std::abs(attempt.y_new[0] - std::exp(z)) / tolerance);
        }
}

TEST_CASE("as h λ → −∞ the error estimate is what was lost, not λ of it [HairerWanner96, §IV.8]")
{
    for (const double lambda : {-1e6, -1e9, -1e12}) {
        DenseOde stiff = make_linear(lambda);

        const Attempt attempt = try_step(stiff, 0, 1, {0.5, 0}, 1e-6);

        CHECK(attempt.outcome.error * 1e-6 == doctest::Approx(0.5).epsilon(1e-4));
        CHECK(std::abs(attempt.y_new[0]) < 1e-5); // R(z) ~ −3/z
    }
}

TEST_CASE("the error estimate sees the velocity of a stiff spring")
{
    const double tolerance = 1e-6;
    for (const double frequency : {1e4, 1e6})
        for (const double h : {0.1, 0.3, 1.0}) {
            DenseOde spring = make_spring(frequency, 0.01);

            const Attempt attempt = try_step(spring, 0, h, {1, 0}, tolerance);

            // A third of it: both are ~h³, the order of the stages.
            const double error = std::abs(attempt.y_new[1] + std::sin(h)) / tolerance;
            CHECK(attempt.outcome.error / error == doctest::Approx(1. / 3).epsilon(0.1));
        }
}

TEST_CASE("big steps over a stiff slope stay on its solution: L-stability [HairerWanner96, §IV.15]")
{
    const double lambda = 1e6, h = 0.5;
    DenseOde prothero_robinson = make_prothero_robinson(lambda);
    Vector y = {3}; // far away

    for (int i = 0; i < 20; ++i)
        y = try_step(prothero_robinson, i * h, h, y, 1e-3).y_new;

    CHECK(std::abs(y[0] - std::cos(10)) < 1e-7); // error ~ h³/λ, no reduction by more
}

TEST_CASE(
    "a stiff spring follows the slow motion of its end in large steps [HairerWanner96, §IV.8]")
{
    for (const double frequency : {1e3, 1e5, 1e7}) {
        DenseOde spring = make_spring(frequency, 0.01);

        const Run run = integrate(spring, 10, {1, 0}, 1e-6, 1e-6, 1e-3);

        CHECK(std::abs(run.y[0] - std::cos(10)) < 1e-8);
        CHECK(std::abs(run.y[1] + std::sin(10)) < 3e-6); // see above: 3 times the tolerance at most
        CHECK(run.accepted < 500); // an explicit method needs 10 ω / 6, up to 1.6e7
        CHECK(run.rejected <= 5);  // why Radau::kErrorAim is low
    }
}

TEST_CASE("the reaction of Robertson ends where it should [HairerWanner96, §IV.10]")
{
    DenseOde robertson(
        [](double, const double* y, double* dy) {
            dy[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
            dy[2] = 3e7 * y[1] * y[1];
            dy[1] = -dy[0] - dy[2];
        },
        [](double, const double* y, Eigen::MatrixXd& J) {
            J << -0.04, 1e4 * y[2], 1e4 * y[1], 0.04, -1e4 * y[2] - 6e7 * y[1], -1e4 * y[1], 0,
                6e7 * y[1], 0;
        });

    const Run early = integrate(robertson, 40, {1, 0, 0}, 1e-8, 1e-14, 1e-6);
    const Run late = integrate(robertson, 1e11, {1, 0, 0}, 1e-8, 1e-22, 1e-6);

    // By another implementation with a relative tolerance of 1e-13.
    CHECK(std::abs(early.y[0] / 0.71582706871941 - 1) < 1e-8);
    CHECK(std::abs(early.y[1] / 9.1855347645578e-6 - 1) < 1e-8);
    CHECK(std::abs(early.y[2] / 0.28416374574583 - 1) < 1e-8);
    CHECK(std::abs(late.y[0] / 2.083340149701e-8 - 1) < 1e-7);
    CHECK(std::abs(late.y[1] / 8.33336077033e-14 - 1) < 1e-7);
    CHECK(std::abs(late.y[2] / 0.999999979166505 - 1) < 1e-12);
    CHECK(late.accepted < 3000);
}

TEST_CASE("van der Pol's oscillator with ε = 1e-6 turns when it should [HairerWanner96, §IV.10]")
{
    const double epsilon = 1e-6;
    DenseOde van_der_pol(
        [=](double, const double* y, double* dy) {
            dy[0] = y[1];
            dy[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) / epsilon;
        },
        [=](double, const double* y, Eigen::MatrixXd& J) {
            J << 0, 1, (-2 * y[0] * y[1] - 1) / epsilon, (1 - y[0] * y[0]) / epsilon;
        });

    const Run run = integrate(van_der_pol, 2, {2, 0}, 1e-8, 1e-8, 1e-6);

    CHECK(run.y[0] == doctest::Approx(1.70616773217048).epsilon(1e-7));
    CHECK(run.y[1] == doctest::Approx(-0.89280970102479).epsilon(1e-7));
    CHECK(run.accepted < 6000);
}

TEST_CASE("Radau and Dormand-Prince agree where nothing is stiff")
{
    DenseOde pendulum(
        [](double, const double* y, double* dy) {
            dy[0] = y[1];
            dy[1] = -std::sin(y[0]);
        },
        [](double, const double* y, Eigen::MatrixXd& J) { J << 0, 1, -std::cos(y[0]), 0; });
    DormandPrince reference(2);
    Vector explicit_y = {3, 0}, dy(2), y_new(2);
    const Vector scale = {1, 1};
    for (int i = 0; i < 100; ++i) {
        pendulum.derivative(0, explicit_y, dy);
        reference.step(pendulum, 0, 0.1, explicit_y, dy, scale, y_new);
        explicit_y = y_new;
    }

    const Run run = integrate(pendulum, 10, {3, 0}, 1e-10, 1e-10, 1e-3);

    CHECK(std::abs(run.y[0] - explicit_y[0]) < 1e-8);
    CHECK(std::abs(run.y[1] - explicit_y[1]) < 1e-8);
}

TEST_CASE("an approximate Jacobian costs iterations, not accuracy [HairerWanner96, §IV.8]")
{
    const auto step_with_error = [](double error) {
        DenseOde ode([](double, const double* y, double* dy) { dy[0] = -100 * y[0]; },
                     [=](double, const double*, Eigen::MatrixXd& J) { J << -100 * (1 + error); });
        return try_step(ode, 0, 0.1, {1}, 1e-9);
    };

    const Attempt exact = step_with_error(0), rough = step_with_error(0.1);

    CHECK(rough.iterations > exact.iterations);
    CHECK(std::abs(rough.y_new[0] - exact.y_new[0]) <
          2e-3 * 1e-9); // κ of the tolerance, in w₁ and w₂
}

TEST_CASE("a Jacobian that misleads is noticed, the step is refused and not lost")
{
    for (const double wrong : {0.0, +1e6}) {
        DenseOde ode([](double, const double* y, double* dy) { dy[0] = -1e4 * y[0]; },
                     [=](double, const double*, Eigen::MatrixXd& J) { J << wrong; });

        const Attempt attempt = try_step(ode, 0, 0.1, {1}, 1e-6);

        CHECK(attempt.outcome.is_evaluable);
        CHECK(attempt.outcome.error == Radau::kNoConvergence);
        CHECK(attempt.iterations <= 12);
    }
}

TEST_CASE("tolerances below rounding and systems at rest still converge")
{
    DenseOde rest = make_linear(0), slow = make_linear(-1e-16), usual = make_linear(-1);

    CHECK(try_step(rest, 0, 1, {1, 2}, 1e-9).outcome.error == 0);
    CHECK(try_step(rest, 0, 1, {1, 2}, 1e-9).iterations == 1);
    CHECK(try_step(slow, 0, 1, {1, 2}, 1e-20).outcome.error < Radau::kNoConvergence);
    CHECK(try_step(usual, 0, 1e-3, {1, 2}, 1e-16).outcome.error != Radau::kNoConvergence);
}

TEST_CASE("a derivative or Jacobian that does not exist is reported by Radau")
{
    for (int missing = 2; missing <= 7; ++missing) { // two iterations; the first call is ours
        DenseOde ode = make_linear(-1);
        ode.missing_derivative = missing;

        CHECK_FALSE(try_step(ode, 0, 0.1, {1, 0}, 1).outcome.is_evaluable);
        CHECK(int(ode.times.size()) == missing); // given up at once
    }

    DenseOde without_jacobian = make_linear(-1);
    without_jacobian.is_linearisable = false;
    CHECK_FALSE(try_step(without_jacobian, 0, 0.1, {1, 0}, 1).outcome.is_evaluable);
}

TEST_CASE("a matrix that cannot be factored asks for a smaller step")
{
    DenseOde ode = make_linear(-1);
    ode.is_factorable = false;

    const StepOutcome outcome = try_step(ode, 0, 0.1, {1, 0}, 1).outcome;

    CHECK(outcome.is_evaluable);
    CHECK(outcome.error == Radau::kNoConvergence);
}

TEST_CASE("values that are not finite never look like a good step")
{
    for (const double value :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        for (int broken = 2; broken <= 7; ++broken) {
            int calls = 0;
            DenseOde ode(
                [&](double, const double* y, double* dy) {
                    const bool is_broken = ++calls == broken;
                    dy[0] = -y[0];
                    dy[1] = is_broken ? value : -y[1];
                    dy[2] = -y[2];
                },
                [](double, const double*, Eigen::MatrixXd& J) { J.diagonal().setConstant(-1); });

            const StepOutcome outcome = try_step(ode, 0, 0.1, {1, 1, 1}, 1).outcome;

            CHECK((!outcome.is_evaluable || outcome.error > 1));
        }
}

TEST_CASE("an attempt of Radau depends on its arguments alone")
{
    DenseOde bell = make_bell();
    Radau method(1);
    const Vector y = {1}, other = {0.3}, dy = {0}, scale = {1e-6};
    Vector first(1), between(1), again(1);

    const StepOutcome a = method.step(bell, 0, 0.1, y, dy, scale, first);
    method.step(bell, 3, 0.2, other, dy, scale, between);
    const StepOutcome b = method.step(bell, 0, 0.1, y, dy, scale, again);

    CHECK(first == again);
    CHECK(a.error == b.error);
}
