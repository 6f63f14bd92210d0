#include "solve/ode/gauss.h"

#include "base/contract.h"
#include "math/functions.h"

#include <algorithm>
#include <array>

namespace sinew {

namespace {

using Legendre = std::array<double, GaussNodes::kMost + 2>;

/// P_0 .. P_n at x in [−1, 1].
Legendre legendre_at(int n, double x)
{
    Legendre P{};
    P[0] = 1;
    P[1] = x;
    for (int k = 1; k < n; ++k)
        P[std::size_t(k) + 1] =
            ((2 * k + 1) * x * P[std::size_t(k)] - k * P[std::size_t(k) - 1]) / (k + 1);
    return P;
}

} // namespace

GaussNodes::GaussNodes(int count)
{
    SINEW_EXPECTS(count >= 1 && count <= kMost);
    constexpr double kPi = 3.14159265358979323846;
    const auto n = static_cast<std::size_t>(count);
    for (int i = 0; i < count; ++i) {
        double x = -cos(kPi * (i + 0.75) / (count + 0.5)), slope = 1;
        for (int iteration = 0; iteration < 20; ++iteration) { // Newton's; it doubles the digits
            const Legendre P = legendre_at(count, x);
            slope = count * (x * P[n] - P[n - 1]) / (x * x - 1);
            x -= P[n] / slope;
        }
        place_.push_back((1 + x) / 2);
        weight_.push_back(1 / ((1 - x * x) * slope * slope));
        const Legendre P = legendre_at(count, x);
        polynomials_.insert(polynomials_.end(), P.begin(), P.begin() + count);
    }
}

void GaussNodes::weigh(double place, std::span<double> weights) const
{
    const std::size_t n = place_.size();
    const Legendre P = legendre_at(static_cast<int>(n), 2 * place - 1);
    for (std::size_t j = 0; j < n; ++j) {
        double sum = place;
        for (std::size_t k = 1; k < n; ++k)
            sum += polynomials_[j * n + k] * (P[k + 1] - P[k - 1]) / 2;
        weights[j] = weight_[j] * sum;
    }
}

void GaussNodes::interpolate(double place, std::span<double> weights) const
{
    const std::size_t n = place_.size();
    const Legendre P = legendre_at(static_cast<int>(n), 2 * place - 1);
    for (std::size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < n; ++k)
            sum += double(2 * k + 1) * polynomials_[j * n + k] * P[k];
        weights[j] = weight_[j] * sum;
    }
}

double GaussNodes::distance_to(double place) const
{
    double nearest = 1;
    for (const double node : place_)
        nearest = std::min(nearest, abs(node - place));
    return nearest;
}

} // namespace sinew
