#include "solve/linear/band/band_ldl.h"

#include <algorithm>
#include <cmath>

namespace sinew {

/// Right-looking: each pivot column updates the columns behind it, which are contiguous.
bool BandLdl::factor()
{
    bool is_positive = true;
    for (std::size_t k = 0; k < size_; ++k) {
        double* pivot = column(k);
        if (!(pivot[0] > 0)) {
            is_positive = false;
            pivot[0] = std::max(std::abs(pivot[0]), 1e-300);
        }
        const std::size_t reach = std::min(width_ - 1, size_ - 1 - k);
        for (std::size_t j = 1; j <= reach; ++j) {
            const double factor = pivot[j] / pivot[0];
            for (std::size_t m = j; m <= reach; ++m)
                pivot[j * width_ + m - j] -= factor * pivot[m];
        }
        for (std::size_t j = 1; j <= reach; ++j)
            pivot[j] /= pivot[0];
    }
    return is_positive;
}

void BandLdl::solve(std::span<double> x) const
{
    for (std::size_t k = 0; k < size_; ++k)
        for (std::size_t j = 1; j <= std::min(width_ - 1, size_ - 1 - k); ++j)
            x[k + j] -= column(k)[j] * x[k];
    for (std::size_t k = size_; k-- > 0;) {
        x[k] /= column(k)[0];
        for (std::size_t j = 1; j <= std::min(width_ - 1, size_ - 1 - k); ++j)
            x[k] -= column(k)[j] * x[k + j];
    }
}

} // namespace sinew
