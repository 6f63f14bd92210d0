#include "solve/band_ldl.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

constexpr double kLeastPivot = 1e-14; // of the diagonal: below, rounding is all there is

} // namespace

void BandLdl::clear() { std::ranges::fill(entries_, 0.0); }

/// Right-looking: each pivot column updates the columns behind it, which are contiguous.
bool BandLdl::factor()
{
    const std::size_t b = width_ - 1;
    bool is_positive = true;
    for (std::size_t k = 0; k < size_; ++k) {
        double* pivot = column(k);
        const std::size_t reach = std::min(b, size_ - 1 - k);
        if (!(pivot[0] > 0)) {
            is_positive = false;
            pivot[0] = std::max(std::abs(pivot[0]), 1e-300);
        }
        const double inverse = 1 / pivot[0];
        for (std::size_t j = 1; j <= reach; ++j) {
            const double l = pivot[j] * inverse;
            if (l == 0)
                continue;
            double* behind = column(k + j);
            for (std::size_t m = j; m <= reach; ++m)
                behind[m - j] -= l * pivot[m];
            is_positive = is_positive && behind[0] > kLeastPivot * l * pivot[j];
        }
        for (std::size_t j = 1; j <= reach; ++j)
            pivot[j] *= inverse;
    }
    return is_positive;
}

void BandLdl::solve(std::span<double> x) const
{
    const std::size_t b = width_ - 1;
    for (std::size_t k = 0; k < size_; ++k) {
        const double* l = column(k);
        const std::size_t reach = std::min(b, size_ - 1 - k);
        for (std::size_t j = 1; j <= reach; ++j)
            x[k + j] -= l[j] * x[k];
    }
    for (std::size_t k = size_; k-- > 0;) {
        const double* l = column(k);
        const std::size_t reach = std::min(b, size_ - 1 - k);
        double sum = x[k] / l[0];
        for (std::size_t j = 1; j <= reach; ++j)
            sum -= l[j] * x[k + j];
        x[k] = sum;
    }
}

void BandLdl::half_solve(std::span<double> Z, std::size_t count) const
{
    const std::size_t b = width_ - 1;
    for (std::size_t k = 0; k < size_; ++k) {
        const double* l = column(k);
        double* row = Z.data() + k * count;
        if (std::all_of(row, row + count, [](double z) { return z == 0; }))
            continue; // above the first entry of all right sides
        const std::size_t reach = std::min(b, size_ - 1 - k);
        for (std::size_t j = 1; j <= reach; ++j) {
            double* below = Z.data() + (k + j) * count;
            const double factor = l[j];
            for (std::size_t i = 0; i < count; ++i)
                below[i] -= factor * row[i];
        }
        const double scale = 1 / std::sqrt(l[0]);
        for (std::size_t i = 0; i < count; ++i)
            row[i] *= scale;
    }
}

void BandLdl::add_product(std::span<const double> x, std::span<double> y) const
{
    const std::size_t b = width_ - 1;
    for (std::size_t k = 0; k < size_; ++k) {
        const double* a = column(k);
        const std::size_t reach = std::min(b, size_ - 1 - k);
        y[k] += a[0] * x[k];
        for (std::size_t j = 1; j <= reach; ++j) {
            y[k + j] += a[j] * x[k];
            y[k] += a[j] * x[k + j];
        }
    }
}

} // namespace sinew
