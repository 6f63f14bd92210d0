// Right-looking, four pivots at a time, so that what is behind them is read and written less often.
// Nothing is exchanged: matrices are positive, and scaled by those who make them.

#include "solve/linear/dense/dense_ldl.h"

#include "solve/linear/dense/dense_kernels.h"

#include <algorithm>
#include <limits>

namespace sinew {

namespace {

constexpr std::size_t kPanel = 4;

/// The pivots first … last − 1 from each other; false where one is not above `least`.
SINEW_IN_CLONES bool factor_panel(double* a, std::size_t n, std::size_t first, std::size_t last,
                                  double* inverse, double least, double& smallest)
{
    for (std::size_t k = first; k < last; ++k) {
        const double* pivot = a + k * n;
        smallest = std::min(smallest, pivot[k]);
        if (!(pivot[k] > least))
            return false;
        inverse[k] = 1 / pivot[k];
        for (std::size_t j = k + 1; j < last; ++j)
            take_off(a + j * n + j, pivot + j, pivot[j] * inverse[k], n - j);
    }
    return true;
}

} // namespace

SINEW_CLONES double factor_dense(double* a, std::size_t n, double* inverse, double least)
{
    double smallest = std::numeric_limits<double>::infinity();
    std::size_t k = 0;
    for (; k + kPanel <= n; k += kPanel) {
        if (!factor_panel(a, n, k, k + kPanel, inverse, least, smallest))
            return smallest;
        const double *p = a + k * n, *q = p + n, *r = q + n, *s = r + n;
        for (std::size_t j = k + kPanel; j < n; ++j) {
            const double f = p[j] * inverse[k], g = q[j] * inverse[k + 1],
                         h = r[j] * inverse[k + 2], l = s[j] * inverse[k + 3];
            double* to = a + j * n;
            for (std::size_t i = j; i < n; ++i)
                to[i] -= (f * p[i] + g * q[i]) + (h * r[i] + l * s[i]);
        }
    }
    factor_panel(a, n, k, n, inverse, least, smallest);
    return smallest;
}

SINEW_CLONES void solve_dense(const double* a, std::size_t n, const double* inverse, double* x)
{
    for (std::size_t k = 0; k < n; ++k) {
        x[k] *= inverse[k];
        take_off(x + k + 1, a + k * n + k + 1, x[k], n - k - 1);
    }
    for (std::size_t k = n; k-- > 0;)
        x[k] -= inverse[k] * dot_product(a + k * n + k + 1, x + k + 1, n - k - 1);
}

void DenseLdl::begin(std::size_t n)
{
    size_ = n;
    entries_.resize(n * n);
    inverse_.resize(n);
}

double DenseLdl::factor(double least)
{
    return factor_dense(entries_.data(), size_, inverse_.data(), least);
}

void DenseLdl::solve(std::span<double> x) const
{
    solve_dense(entries_.data(), size_, inverse_.data(), x.data());
}

} // namespace sinew
