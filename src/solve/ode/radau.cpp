// One step of Radau IIA with three stages.
//
//   in:  f with solves for (μ I − J), t, h, y, f(t, y), the error that counts as 1
//   out: y_new, its error in units of the tolerance
//
// Stages. With zᵢ the distance of stage i from y, Z = (z₁, z₂, z₃) solves
//
//   (h A)⁻¹ Z = F(Z),  Fᵢ = f(t + cᵢ h, y + zᵢ),  y_new = y + z₃       [HairerWanner96, §IV.8]
//
// because the last row of A is b and c₃ = 1. Working with zᵢ instead of the stages loses no digits
// to cancellation.
//
// Transformation. A⁻¹ has one real eigenvalue γ and a pair α ± iβ [HairerWanner96, §IV.8]. T has
// the columns u, Re v, −Im v, where A⁻¹ u = γ u with |u| = 1 and A⁻¹ v = (α + iβ) v with v₃ = 1, so
// that T⁻¹ A⁻¹ T acts on (w₁, w₂ + i w₃) as multiplication by γ and by α + iβ. With Z = T W the
// simplified Newton step, J ≈ ∂f/∂y at (t, y) for all stages, falls apart into
//
//   (γ/h − J) Δw₁ = (T⁻¹F)₁ − γ/h w₁
//   ((α + iβ)/h − J) (Δw₂ + i Δw₃) = (T⁻¹F)₂ + i (T⁻¹F)₃ − (α + iβ)/h (w₂ + i w₃)
//
// Error. ŷ = y + h (f(t, y)/γ + Σ b̂ᵢ Fᵢ) of order 3 costs no other matrix. Its difference from
// y_new is h/γ (f(t, y) + Σ eᵢ zᵢ/h); exactness for 1, t, t² asks Σ eᵢ cᵢ = −1, Σ eᵢ cᵢ² = Σ eᵢ cᵢ³
// = 0, which is e = (−13 − 7√6, −13 + 7√6, −1)/3. It grows with h λ, so it is filtered:
//
//   err = (γ/h − J)⁻¹ (f(t, y) + Σ eᵢ zᵢ/h)                            [HairerWanner96, §IV.8]
//
// which tends to the distance of y from the slow solution as h λ → −∞.
//
// Differs from the paper: no second filter with f(t, y + err) in the place of f(t, y). It makes err
// vanish as h λ → −∞, but for x'' = −ω² (x − g(t)), h ω ≫ 1, err is the error of the velocity and
// the second filter cancels it too (measured: an error of 1e-2 reported as 3e-9). Its price: a
// transient that could be leapt over is followed, with some twenty small steps.
//
//   symbol  | code                  | unit   | meaning
//   --------|-----------------------|--------|---------------------------------------------
//   cᵢ      | kC                    | -      | nodes, those of Radau's quadrature
//   γ α + iβ| kGamma, kAlphaBeta    | -      | eigenvalues of A⁻¹
//   T T⁻¹ e | kT, kInverseT, kE     | -      | above
//   zᵢ      | z_                    | y      | stage minus y
//   wᵢ      | w1_, w23_             | y      | T⁻¹ Z
//   θ       | rate                  | -      | size of a Newton update over the one before
//   κ       | kNewtonTolerance      | -      | error of the iteration, in units of the tolerance

#include "solve/ode/radau.h"

#include "base/contract.h"
#include "math/functions.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

using Complex = std::complex<double>;
using Row = std::array<double, 3>;

constexpr double kRoot6 = 2.449489742783178;

constexpr Row kC = {(4 - kRoot6) / 10, (4 + kRoot6) / 10, 1.0};
constexpr double kGamma = 3.6378342527444957;
constexpr Complex kAlphaBeta = {2.681082873627752, 3.0504301992474106};

constexpr std::array<Row, 3> kT = {{
    {0.09123239487089295, -0.1412552950209542, -0.030029194105147424},
    {0.241717932707107, 0.20412935229379994, 0.38294211275726192},
    {0.966048182615093, 1.0, 0.0},
}};

constexpr std::array<Row, 3> kInverseT = {{
    {4.3255798900631553, 0.33919925181580984, 0.54177053993587487},
    {-4.1787185915519047, -0.32768282076106237, 0.47662355450055044},
    {-0.50287263494578682, 2.5719269498556054, -0.59603920482822492},
}};

constexpr Row kE = {-(13 + 7 * kRoot6) / 3, (-13 + 7 * kRoot6) / 3, -1.0 / 3};

constexpr double kNewtonTolerance = 1e-3;
constexpr int kMostIterations = 12;
/// Slower convergence, and convergence not yet measured, counts as this.
constexpr double kSlowestRate = 0.99;
/// Of a sum, relative to its terms.
constexpr double kRounding = 1e-15;

double dot(const Row& a, const Row& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// The larger of `largest` ≥ 0 and |x|; infinite from the first that is not finite on.
double largest_of(double largest, double x)
{
    return std::isfinite(x) ? max(largest, abs(x)) : std::numeric_limits<double>::infinity();
}

} // namespace

void Radau::resize(std::size_t size)
{
    for (std::size_t s = 0; s < 3; ++s) {
        z_[s].assign(size, 0.0);
        slope_[s].assign(size, 0.0);
    }
    for (Reals* reals : {&w1_, &rhs_, &stage_})
        reals->assign(size, 0.0);
    for (Complexes* complexes : {&w23_, &complex_rhs_})
        complexes->assign(size, Complex());
}

StepOutcome Radau::step(StiffOde& ode, double t, double h, std::span<const double> y,
                        std::span<const double> dy, std::span<const double> scale,
                        std::span<double> y_new) noexcept
{
    SINEW_EXPECTS(y.size() == size() && dy.size() == size());
    SINEW_EXPECTS(scale.size() == size() && y_new.size() == size());
    SINEW_EXPECTS(h != 0);

    iterations_ = 0;
    if (!ode.linearise(t, y))
        return {.is_evaluable = false};
    if (!ode.factor(kGamma / h, kAlphaBeta / h))
        return {.error = kNoConvergence};
    switch (iterate(ode, t, h, y, scale)) {
    case Newton::not_evaluable: return {.is_evaluable = false};
    case Newton::diverged: return {.error = kNoConvergence};
    case Newton::converged: break;
    }
    for (std::size_t i = 0; i < size(); ++i)
        y_new[i] = y[i] + z_[2][i];

    const double error = estimate_error(ode, h, dy, scale);
    return {.is_evaluable = std::isfinite(error), .error = error};
}

/// Newton's iteration from Z = 0: a better start would have to remember the last step.
///
/// After an update of size d at rate θ the error is at most θ/(1 − θ) d; it stops when that is
/// below κ, and gives up when the iterations left cannot bring it there  [HairerWanner96, §IV.8]
Radau::Newton Radau::iterate(StiffOde& ode, double t, double h, std::span<const double> y,
                             std::span<const double> scale) noexcept
{
    for (Reals& z : z_)
        std::fill(z.begin(), z.end(), 0.0);
    std::fill(w1_.begin(), w1_.end(), 0.0);
    std::fill(w23_.begin(), w23_.end(), Complex());

    double last_update = 0, last_ratio = 0;
    while (iterations_ < kMostIterations) {
        if (!update_slopes(ode, t, h, y))
            return Newton::not_evaluable;
        const double update = correct(ode, h, y, scale);
        ++iterations_;
        if (!std::isfinite(update))
            return Newton::diverged;

        double rate = kSlowestRate;
        if (iterations_ > 1) { // of the last two ratios: one alone may be luck
            const double ratio = update / last_update;
            rate = iterations_ <= 3 ? ratio : sqrt(ratio * last_ratio);
            last_ratio = ratio;
        }
        // The first update is the motion itself, from stages that stand still: the second may well
        // be larger where a stiff spring turns with it. Only from the third on a ratio is a rate.
        const bool is_rate = iterations_ > 2;
        const double trusted = min(rate, kSlowestRate);
        const double rest = trusted / (1 - trusted) * update;
        if (rest <= kNewtonTolerance)
            return Newton::converged;
        if (is_rate && rate >= kSlowestRate) // standing still at rounding is no failure
            return update <= kNewtonTolerance ? Newton::converged : Newton::diverged;
        const int left = kMostIterations - iterations_;
        if (is_rate && rest * pow(rate, double(left)) > kNewtonTolerance)
            return Newton::diverged;
        last_update = update;
    }
    return Newton::diverged;
}

/// Fᵢ = f(t + cᵢ h, y + zᵢ); false when one does not exist.
bool Radau::update_slopes(Ode& ode, double t, double h, std::span<const double> y) noexcept
{
    for (std::size_t s = 0; s < 3; ++s) {
        for (std::size_t i = 0; i < size(); ++i)
            stage_[i] = y[i] + z_[s][i];
        if (!ode.derivative(t + kC[s] * h, stage_, slope_[s]))
            return false;
    }
    return true;
}

/// One Newton step in the transformed variables; returns the size of ΔW in units of the tolerance.
///
/// Differs from the paper: an update within rounding of y counts as κ at most, or tolerances near
/// the last digit would never be met.
double Radau::correct(StiffOde& ode, double h, std::span<const double> y,
                      std::span<const double> scale) noexcept
{
    const double gamma = kGamma / h;
    const Complex alpha_beta = kAlphaBeta / h;
    for (std::size_t i = 0; i < size(); ++i) {
        const Row f = {slope_[0][i], slope_[1][i], slope_[2][i]};
        rhs_[i] = dot(kInverseT[0], f) - gamma * w1_[i];
        complex_rhs_[i] =
            Complex(dot(kInverseT[1], f), dot(kInverseT[2], f)) - alpha_beta * w23_[i];
    }
    ode.solve_real(rhs_);
    ode.solve_complex(complex_rhs_);

    double largest = 0;
    for (std::size_t i = 0; i < size(); ++i) {
        w1_[i] += rhs_[i];
        w23_[i] += complex_rhs_[i];
        const Row w = {w1_[i], w23_[i].real(), w23_[i].imag()};
        for (std::size_t s = 0; s < 3; ++s)
            z_[s][i] = dot(kT[s], w);

        const double unit =
            max(scale[i], kRounding / kNewtonTolerance * (abs(y[i]) + abs(z_[2][i])));
        const Row update = {rhs_[i], complex_rhs_[i].real(), complex_rhs_[i].imag()};
        for (const double part : update)
            largest = largest_of(largest, part / unit);
    }
    return largest;
}

/// The size of err = (γ/h − J)⁻¹ (f(t, y) + Σ eᵢ zᵢ/h).
double Radau::estimate_error(StiffOde& ode, double h, std::span<const double> dy,
                             std::span<const double> scale) noexcept
{
    for (std::size_t i = 0; i < size(); ++i)
        rhs_[i] = dy[i] + dot(kE, {z_[0][i], z_[1][i], z_[2][i]}) / h;
    ode.solve_real(rhs_);
    double largest = 0;
    for (std::size_t i = 0; i < size(); ++i)
        largest = largest_of(largest, rhs_[i] / scale[i]);
    return largest;
}

} // namespace sinew
