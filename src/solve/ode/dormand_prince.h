#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

/// Right-hand side of y' = f(t, y).
class Ode {
public:
    virtual ~Ode() = default;

    /// Writes f(t, y). False: there is no derivative here (a singular configuration, a value that
    /// is not finite); the step is given up.
    virtual bool derivative(double t, std::span<const double> y, std::span<double> dy) noexcept = 0;

    /// Takes out of an error estimate what does not count: components that the caller removes from
    /// the result anyway, by a projection.
    virtual void filter_error(std::span<double>) noexcept {}
};

/// What one attempt at a step found. It decides nothing: the caller accepts or tries again.
struct StepOutcome {
    bool is_evaluable = true; ///< false: some stage had no derivative, or the result is not finite
    double error = 0;         ///< in units of the tolerance: accept when ≤ 1
    double stiffness = 0;     ///< estimate of h |λ|; 0 where the method makes none
};

/// The explicit Runge-Kutta method of order 8 of Dormand and Prince with the error estimate of
/// orders 5 and 3, "DOP853" [HairerNorsettWanner93, §II.5, §II.10]. For problems that are not
/// stiff.
///
/// It remembers nothing between steps: an attempt depends on its arguments alone.
class DormandPrince {
public:
    static constexpr int kOrder = 8;      ///< the error of a smooth solution falls with hᵖ, p = 8
    static constexpr int kErrorOrder = 8; ///< StepOutcome::error falls with this power of h
    static constexpr double kErrorAim = 0.4; ///< for next_step_factor: a step at 0.9 of the largest
    /// h |λ| on the border of stability, on the negative real axis. A stiffness above it for some
    /// 15 steps in a row says that stability, not accuracy, limits the step.
    static constexpr double kStabilityLimit = 6.1;

    explicit DormandPrince(std::size_t size) { resize(size); }

    /// Makes room for systems of `size` components; the only call that allocates.
    void resize(std::size_t size);

    /// One step from (t, y) with f(t, y) = dy to (t + h, y_new); h may be negative. scale[i] is the
    /// error that counts as 1 for component i. y_new is meaningful when the step is evaluable.
    ///
    /// Calls f at 11 stages and, when the error is ≤ 1, at (t + h, y_new): stiffness and dy_new()
    /// come from there, and the step ends where there is a derivative.
    ///
    /// Requires spans of `size`, y_new apart from the others, scale[i] > 0.
    StepOutcome step(Ode& ode, double t, double h, std::span<const double> y,
                     std::span<const double> dy, std::span<const double> scale,
                     std::span<double> y_new) noexcept;

    /// f(t + h, y_new) of the last step if its error was ≤ 1: the next step's dy, unless the caller
    /// moves y_new (a projection, an event).
    std::span<const double> dy_new() const noexcept;

private:
    std::span<double> slope(std::size_t stage) noexcept;
    void combine(std::span<const double> weights, double h, std::span<const double> y,
                 std::span<double> out) noexcept;
    double estimate_error(Ode& ode, double h, std::span<const double> scale) noexcept;
    double largest_error(Ode& ode, std::span<const double> weights, double h,
                         std::span<const double> scale) noexcept;
    double estimate_stiffness(double h, std::span<const double> y_new,
                              std::span<const double> scale) noexcept;

    std::size_t size_ = 0;
    std::vector<double> slopes_; ///< k₁ … k₁₂ and f(t + h, y_new), one after the other
    std::vector<double> stage_;  ///< argument of the stage being evaluated
    std::vector<double> error_;
};

/// The factor from this step's size to the next one's (or the next attempt's, if error > 1), for an
/// error that grows with h to the power `error_order`, so that the next error is about `aim`;
/// bounded. Requires error_order ≥ 1, aim > 0; an error that is not a number counts as infinite.
double next_step_factor(double error, int error_order,
                        double aim = DormandPrince::kErrorAim) noexcept;

} // namespace sinew
