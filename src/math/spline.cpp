#include "math/spline.h"

namespace sinew {

namespace {

/// Turns the weights (a, b, c, d) of (pᵢ, pᵢ₊₁, mᵢ, mᵢ₊₁) into weights of all points.
///
/// T m = 6 D p with T tridiagonal and D the second difference, both symmetric on the inner points;
/// hence (c, d)·m = 6 (D T⁻¹ (c, d))·p.
void spread(const std::array<double, 4>& local, int first, std::span<double> weight)
{
    const std::size_t n = weight.size(), i = std::size_t(first);
    for (double& w : weight)
        w = 0;
    weight[i] = local[2];
    weight[i + 1] = local[3];
    detail::solve_natural(weight, int(n));

    double before = 0;
    for (std::size_t j = 0; j < n; ++j) {
        const double here = weight[j], after = j + 1 < n ? weight[j + 1] : 0;
        weight[j] = 6 * (before - 2 * here + after);
        before = here;
    }
    weight[i] += local[0];
    weight[i + 1] += local[1];
}

/// The same for the periodic spline, whose last point is its first.
void spread_closed(const std::array<double, 4>& local, int first, std::span<double> weight)
{
    const std::size_t n = weight.size() - 1, i = std::size_t(first);
    for (double& w : weight)
        w = 0;
    weight[i] = local[2];
    weight[(i + 1) % n] += local[3];
    detail::solve_periodic(weight, int(n));

    const double last = weight[n - 1], start = weight[0];
    double before = last;
    for (std::size_t j = 0; j < n; ++j) {
        const double here = weight[j], after = j + 1 < n ? weight[j + 1] : start;
        weight[j] = 6 * (before - 2 * here + after);
        before = here;
    }
    weight[i] += local[0];
    weight[i + 1] += local[1];
}

} // namespace

void update_closed_weights(double u, std::span<double> weight, std::span<double> first_derivative,
                           std::span<double> second_derivative)
{
    const std::size_t n = weight.size();
    SINEW_EXPECTS(n >= 4 && first_derivative.size() == n && second_derivative.size() == n);
    const CurveWeights local = detail::through_basis(int(n), detail::wrapped(u));
    spread_closed(local.weight, local.first, weight);
    spread_closed(local.first_derivative, local.first, first_derivative);
    spread_closed(local.second_derivative, local.first, second_derivative);
}

void update_through_weights(double u, std::span<double> weight, std::span<double> first_derivative,
                            std::span<double> second_derivative)
{
    const std::size_t n = weight.size();
    SINEW_EXPECTS(n >= 2 && first_derivative.size() == n && second_derivative.size() == n);
    const CurveWeights local = detail::through_basis(int(n), u);
    spread(local.weight, local.first, weight);
    spread(local.first_derivative, local.first, first_derivative);
    spread(local.second_derivative, local.first, second_derivative);
}

} // namespace sinew
