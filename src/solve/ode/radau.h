#pragma once

#include "solve/ode/dormand_prince.h"

#include <array>
#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

/// A right-hand side that can also solve linear systems with its own Jacobian.
class StiffOde : public Ode {
public:
    /// Prepares solves with (μ I − ∂f/∂y) at (t, y), approximately: the convergence of Newton's
    /// iteration, not the accuracy, depends on it. False: there is no Jacobian here.
    virtual bool linearise(double t, std::span<const double> y) noexcept = 0;

    /// Factors (μ I − ∂f/∂y) of the last `linearise` for μ = real_shift and μ = complex_shift
    /// [1/time]. False: one of them is singular.
    virtual bool factor(double real_shift, std::complex<double> complex_shift) noexcept = 0;

    /// Overwrites the right-hand side by the solution for the real shift.
    virtual void solve_real(std::span<double> rhs_to_solution) noexcept = 0;

    /// Overwrites the right-hand side by the solution for the complex shift.
    virtual void solve_complex(std::span<std::complex<double>> rhs_to_solution) noexcept = 0;
};

/// The implicit Runge-Kutta method Radau IIA of order 5, L-stable and stiffly accurate, as in
/// "RADAU5" [HairerWanner96, §IV.8]. For stiff problems.
///
/// It remembers nothing between steps: an attempt depends on its arguments alone.
class Radau {
public:
    static constexpr int kOrder = 5;      ///< the error of a smooth solution falls with hᵖ, p = 5
    static constexpr int kErrorOrder = 4; ///< StepOutcome::error, that of a method of order 3
    /// For next_step_factor. So low because the error estimate of a stiff spring includes what the
    /// last step left in its velocity, three times that step's own estimate: with 0.6 such a step
    /// is refused at any size (measured: 283 steps and 448 refused; with 0.1, 399 and none).
    static constexpr double kErrorAim = 0.1;
    /// The error reported when Newton's iteration does not converge or a matrix is singular: try a
    /// much smaller step.
    static constexpr double kNoConvergence = 1e3;

    explicit Radau(std::size_t size) { resize(size); }

    /// Makes room for systems of `size` components; the only call that allocates.
    void resize(std::size_t size);

    /// One step from (t, y) with f(t, y) = dy to (t + h, y_new); h may be negative. scale[i] is the
    /// error that counts as 1 for component i. y_new is meaningful when the step is
    /// evaluable and its error ≤ 1. No estimate of stiffness is made.
    ///
    /// Calls `linearise` and `factor` once, then f at three stages in every iteration.
    ///
    /// Requires spans of `size`, y_new apart from the others, scale[i] > 0, h ≠ 0.
    StepOutcome step(StiffOde& ode, double t, double h, std::span<const double> y,
                     std::span<const double> dy, std::span<const double> scale,
                     std::span<double> y_new) noexcept;

    /// Newton iterations of the last step.
    int iterations() const noexcept { return iterations_; }

private:
    enum class Newton { converged, diverged, not_evaluable };
    using Reals = std::vector<double>;
    using Complexes = std::vector<std::complex<double>>;

    std::size_t size() const noexcept { return stage_.size(); }
    Newton iterate(StiffOde& ode, double t, double h, std::span<const double> y,
                   std::span<const double> scale) noexcept;
    bool update_slopes(Ode& ode, double t, double h, std::span<const double> y) noexcept;
    double correct(StiffOde& ode, double h, std::span<const double> y,
                   std::span<const double> scale) noexcept;
    double estimate_error(StiffOde& ode, double h, std::span<const double> dy,
                          std::span<const double> scale) noexcept;

    int iterations_ = 0;
    std::array<Reals, 3> z_;     ///< stages minus y
    std::array<Reals, 3> slope_; ///< f at the stages
    Reals w1_, rhs_, stage_;
    Complexes w23_, complex_rhs_;
};

} // namespace sinew
