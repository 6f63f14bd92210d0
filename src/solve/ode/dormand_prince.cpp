// One step of the explicit Runge-Kutta method 8(5,3) of Dormand and Prince.
//
//   in:  f, t, h, y, f(t, y), the error that counts as 1 for each component
//   out: y_new, its error in units of the tolerance, h |λ|
//
//   kᵢ = f(t + cᵢ h, y + h Σⱼ<ᵢ aᵢⱼ kⱼ),  y_new = y + h Σᵢ bᵢ kᵢ      [HairerNorsettWanner93,
//   §II.1]
//
//   symbol     | code        | unit       | meaning
//   -----------|-------------|------------|---------------------------------------------------
//   cᵢ aᵢⱼ bᵢ  | kC kA kB    | -          | the method, [HairerNorsettWanner93, §II.5 and DOP853]
//   e⁵ᵢ e³ᵢ    | kE5 kE3     | -          | bᵢ minus the weights of methods of order 5 and 3
//   kᵢ         | slope(i)    | y per time | derivative at stage i
//   E₅, E₃     | fifth third | tolerance  | norms of h Σ eᵢ kᵢ
//   |λ|        | -           | 1/time     | size of the eigenvalue of ∂f/∂y that stages excite most

#include "solve/ode/dormand_prince.h"

#include "base/contract.h"
#include "math/functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

constexpr std::size_t kStageCount = 12;

using Weights = std::array<double, kStageCount>;

constexpr Weights kC = {0.0,
                        0.05260015195876773,
                        0.0789002279381516,
                        0.1183503419072274,
                        0.2816496580927726,
                        1.0 / 3,
                        0.25,
                        4.0 / 13,
                        127.0 / 195,
                        0.6,
                        6.0 / 7,
                        1.0};

constexpr std::array<Weights, kStageCount> kA = {{
    {},
    {0.05260015195876773},
    {0.0197250569845379, 0.0591751709536137},
    {0.02958758547680685, 0.0, 0.08876275643042054},
    {0.2413651341592667, 0.0, -0.8845494793282861, 0.924834003261792},
    {0.037037037037037035, 0.0, 0.0, 0.17082860872947386, 0.12546768756682242},
    {0.037109375, 0.0, 0.0, 0.17025221101954405, 0.06021653898045596, -0.017578125},
    {0.03709200011850479, 0.0, 0.0, 0.17038392571223998, 0.10726203044637328, -0.015319437748624402,
     0.008273789163814023},
    {0.6241109587160757, 0.0, 0.0, -3.3608926294469414, -0.868219346841726, 27.59209969944671,
     20.154067550477894, -43.48988418106996},
    {0.47766253643826434, 0.0, 0.0, -2.4881146199716677, -0.590290826836843, 21.230051448181193,
     15.279233632882423, -33.28821096898486, -0.020331201708508627},
    {-0.9371424300859873, 0.0, 0.0, 5.186372428844064, 1.0914373489967295, -8.149787010746927,
     -18.52006565999696, 22.739487099350505, 2.4936055526796523, -3.0467644718982196},
    {2.273310147516538, 0.0, 0.0, -10.53449546673725, -2.0008720582248625, -17.9589318631188,
     27.94888452941996, -2.8589982771350235, -8.87285693353063, 12.360567175794303,
     0.6433927460157636},
}};

constexpr Weights kB = {0.054293734116568765,
                        0.0,
                        0.0,
                        0.0,
                        0.0,
                        4.450312892752409,
                        1.8915178993145003,
                        -5.801203960010585,
                        0.3111643669578199,
                        -0.1521609496625161,
                        0.20136540080403034,
                        0.04471061572777259};

constexpr Weights kE5 = {0.01312004499419488,
                         0.0,
                         0.0,
                         0.0,
                         0.0,
                         -1.2251564463762044,
                         -0.4957589496572502,
                         1.6643771824549864,
                         -0.35032884874997366,
                         0.3341791187130175,
                         0.08192320648511571,
                         -0.022355307863886294};

/// The method of order 3 uses stages 1, 9 and 12 only.
constexpr Weights make_third_order_error()
{
    Weights e = kB;
    e[0] -= 0.2440944881889764;
    e[8] -= 0.7338466882816119;
    e[11] -= 0.022058823529411766;
    return e;
}
constexpr Weights kE3 = make_third_order_error();

// The controller of [HairerNorsettWanner93, §II.4]; its bounds.
constexpr double kSmallestFactor = 0.2;
constexpr double kLargestFactor = 6.0;

} // namespace

void DormandPrince::resize(std::size_t size)
{
    size_ = size;
    slopes_.assign((kStageCount + 1) * size, 0.0);
    stage_.assign(size, 0.0);
    error_.assign(size, 0.0);
}

StepOutcome DormandPrince::step(Ode& ode, double t, double h, std::span<const double> y,
                                std::span<const double> dy, std::span<const double> scale,
                                std::span<double> y_new) noexcept
{
    SINEW_EXPECTS(y.size() == size_ && dy.size() == size_);
    SINEW_EXPECTS(scale.size() == size_ && y_new.size() == size_);

    std::copy(dy.begin(), dy.end(), slope(0).begin());
    for (std::size_t s = 1; s < kStageCount; ++s) {
        combine(std::span(kA[s]).first(s), h, y, stage_);
        if (!ode.derivative(t + kC[s] * h, stage_, slope(s)))
            return {.is_evaluable = false};
    }
    combine(kB, h, y, y_new);

    StepOutcome outcome;
    outcome.error = estimate_error(ode, h, scale);
    if (!std::isfinite(outcome.error))
        return {.is_evaluable = false};
    if (outcome.error > 1)
        return outcome;
    if (!ode.derivative(t + h, y_new, slope(kStageCount)))
        return {.is_evaluable = false};
    outcome.stiffness = estimate_stiffness(h, y_new, scale);
    outcome.is_evaluable = std::isfinite(outcome.stiffness);
    return outcome;
}

std::span<const double> DormandPrince::dy_new() const noexcept
{
    return std::span(slopes_).subspan(kStageCount * size_, size_);
}

std::span<double> DormandPrince::slope(std::size_t stage) noexcept
{
    return std::span(slopes_).subspan(stage * size_, size_);
}

/// out = y + h Σⱼ wⱼ kⱼ
void DormandPrince::combine(std::span<const double> weights, double h, std::span<const double> y,
                            std::span<double> out) noexcept
{
    std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t j = 0; j < weights.size(); ++j) {
        if (weights[j] == 0)
            continue;
        const std::span<const double> k = slope(j);
        for (std::size_t i = 0; i < size_; ++i)
            out[i] += weights[j] * k[i];
    }
    for (std::size_t i = 0; i < size_; ++i)
        out[i] = y[i] + h * out[i];
}

/// E₅ · E₅ / √(E₅² + 0.01 E₃²)                                       [HairerNorsettWanner93,
/// §II.10]
///
/// E₅ ~ h⁶ and E₃ ~ h⁴ while h is small, hence the whole ~ h⁸; where the solution is rough E₃ is no
/// larger than E₅ and E₅ is left. Infinite when a component is not finite.
///
/// Differs from the paper: E₅ and E₃ are maximum norms, not root mean squares, so that a thousand
/// components at rest do not hide the one that errs.
double DormandPrince::estimate_error(Ode& ode, double h, std::span<const double> scale) noexcept
{
    const double fifth = largest_error(ode, kE5, h, scale);
    const double third = largest_error(ode, kE3, h, scale);
    return fifth > 0 ? fifth * (fifth / hypot(fifth, 0.1 * third)) : 0.0;
}

double DormandPrince::largest_error(Ode& ode, std::span<const double> weights, double h,
                                    std::span<const double> scale) noexcept
{
    std::fill(error_.begin(), error_.end(), 0.0);
    for (std::size_t j = 0; j < weights.size(); ++j)
        if (weights[j] != 0)
            for (std::size_t i = 0; i < size_; ++i)
                error_[i] += h * weights[j] * slopes_[j * size_ + i];
    ode.filter_error(error_);
    double largest = 0;
    for (std::size_t i = 0; i < size_; ++i)
        if (!(abs(error_[i]) <= largest * scale[i])) // also true for what is not a number
            largest = std::isfinite(error_[i]) ? abs(error_[i]) / scale[i]
                                               : std::numeric_limits<double>::infinity();
    return largest;
}

/// h |f(t + h, y_new) − k₁₂| / |y_new − y₁₂|: both at t + h, so that only y changes between them,
/// and apart mainly along the fastest eigenvector                          [HairerWanner96, §IV.2]
///
/// Differs from the paper: components are measured in units of their scale, because a state mixes
/// lengths, angles and speeds.
double DormandPrince::estimate_stiffness(double h, std::span<const double> y_new,
                                         std::span<const double> scale) noexcept
{
    const std::span<const double> last = slope(kStageCount - 1), next = slope(kStageCount);
    double change_of_slope = 0, change = 0;
    for (std::size_t i = 0; i < size_; ++i) {
        const double df = (next[i] - last[i]) / scale[i], dy = (y_new[i] - stage_[i]) / scale[i];
        change_of_slope += df * df;
        change += dy * dy;
    }
    return change > 0 ? abs(h) * sqrt(change_of_slope / change) : 0.0;
}

double next_step_factor(double error, int error_order, double aim) noexcept
{
    SINEW_EXPECTS(error_order >= 1 && aim > 0);
    if (std::isnan(error))
        return kSmallestFactor;
    if (error <= 0)
        return kLargestFactor;
    return std::clamp(pow(aim / error, 1.0 / error_order), kSmallestFactor, kLargestFactor);
}

} // namespace sinew
