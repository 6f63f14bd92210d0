// Right-looking, four pivots at a time, so that what is behind them is read and written less often.

#include "solve/linear/dense/dense_lu.h"

#include "solve/linear/dense/dense_kernels.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew {

namespace {

constexpr std::size_t kPanel = 4;

/// The largest of column p from row p on becomes the pivot.
SINEW_IN_CLONES void exchange_rows(double* a, std::size_t n, std::size_t p, std::uint32_t* order)
{
    std::size_t best = p;
    for (std::size_t i = p + 1; i < n; ++i)
        if (std::abs(a[i * n + p]) > std::abs(a[best * n + p]))
            best = i;
    if (best == p)
        return;
    std::swap_ranges(a + p * n, a + (p + 1) * n, a + best * n);
    std::swap(order[p], order[best]);
}

/// The columns first … last − 1 of all rows behind, then the rows of these pivots as a whole.
SINEW_IN_CLONES void factor_panel(double* a, std::size_t n, std::size_t first, std::size_t last,
                                  std::uint32_t* order)
{
    for (std::size_t p = first; p < last; ++p) {
        exchange_rows(a, n, p, order);
        const double* pivot = a + p * n;
        const double inverse = pivot[p] != 0 ? 1 / pivot[p] : 0;
        for (std::size_t i = p + 1; i < n; ++i) {
            double* to = a + i * n;
            to[p] *= inverse;
            take_off(to + p + 1, pivot + p + 1, to[p], last - p - 1);
        }
    }
    for (std::size_t p = first + 1; p < last; ++p)
        for (std::size_t q = first; q < p; ++q)
            take_off(a + p * n + last, a + q * n + last, a[p * n + q], n - last);
}

} // namespace

SINEW_CLONES void factor_lu(double* a, std::size_t n, std::uint32_t* order)
{
    std::size_t k = 0;
    for (; k + kPanel <= n; k += kPanel) {
        const std::size_t last = k + kPanel;
        factor_panel(a, n, k, last, order);
        const double* __restrict p = a + k * n;
        const double* __restrict q = p + n;
        const double* __restrict r = q + n;
        const double* __restrict s = r + n;
        for (std::size_t i = last; i < n; ++i) {
            double* __restrict to = a + i * n;
            const double f = to[k], g = to[k + 1], h = to[k + 2], l = to[k + 3];
            for (std::size_t j = last; j < n; ++j)
                to[j] -= (f * p[j] + g * q[j]) + (h * r[j] + l * s[j]);
        }
    }
    factor_panel(a, n, k, n, order);
}

SINEW_CLONES void solve_lu(const double* a, std::size_t n, double* x)
{
    for (std::size_t i = 1; i < n; ++i)
        x[i] -= dot_product(a + i * n, x, i);
    for (std::size_t i = n; i-- > 0;)
        x[i] = (x[i] - dot_product(a + i * n + i + 1, x + i + 1, n - i - 1)) / a[i * n + i];
}

void DenseLu::begin(std::size_t n)
{
    size_ = n;
    entries_.resize(n * n);
    side_.resize(n);
    order_.resize(n);
    std::iota(order_.begin(), order_.end(), 0u);
}

double DenseLu::factor()
{
    factor_lu(entries_.data(), size_, order_.data());
    double least = 1, most = 0;
    for (std::size_t i = 0; i < size_; ++i) {
        const double size = std::abs(row(i)[i]);
        least = i == 0 ? size : std::min(least, size);
        most = std::max(most, size);
    }
    return most > 0 && std::isfinite(most) ? least / most : 0;
}

void DenseLu::solve(std::span<double> x)
{
    for (std::size_t i = 0; i < size_; ++i)
        side_[i] = x[order_[i]];
    solve_lu(entries_.data(), size_, side_.data());
    std::ranges::copy(side_, x.begin());
}

} // namespace sinew
