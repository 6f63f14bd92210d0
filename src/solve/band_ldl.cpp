#include "solve/band_ldl.h"

#include "base/clones.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

constexpr double kLeastPivot = 1e-14; // of the diagonal: below, rounding is all there is
constexpr std::size_t kUsual = 15;    // half-width of rods: loops of a known length are faster

/// The columns behind a pivot, less what it explains of them. False where one is not positive.
template <std::size_t Known>
SINEW_IN_CLONES bool eliminate(double* pivot, std::size_t reach, std::size_t width)
{
    const std::size_t end = Known > 0 ? Known : reach;
    const double inverse = 1 / pivot[0];
    double l[kUsual + 1];
    bool is_positive = true;
    for (std::size_t j = 1; j <= end; ++j) {
        const double factor = pivot[j] * inverse;
        double* behind = pivot + j * width;
        for (std::size_t m = j; m <= end; ++m)
            behind[m - j] -= factor * pivot[m];
        is_positive &= behind[0] > kLeastPivot * factor * pivot[j];
        if (Known > 0)
            l[j] = factor;
    }
    for (std::size_t j = 1; j <= end; ++j)
        pivot[j] = Known > 0 ? l[j] : pivot[j] * inverse;
    return is_positive;
}

} // namespace

/// Right-looking: each pivot column updates the columns behind it, which are contiguous.
SINEW_CLONES bool factor_band(double* entries, std::size_t size, std::size_t width)
{
    const std::size_t b = width - 1;
    bool is_positive = true;
    for (std::size_t k = 0; k < size; ++k) {
        double* pivot = entries + k * width;
        if (!(pivot[0] > 0)) {
            is_positive = false;
            pivot[0] = std::max(std::abs(pivot[0]), 1e-300);
        }
        const std::size_t reach = std::min(b, size - 1 - k);
        is_positive &= reach == kUsual ? eliminate<kUsual>(pivot, reach, width)
                                       : eliminate<0>(pivot, reach, width);
    }
    return is_positive;
}

/// Sums in four parts, so that they need not wait for each other.
SINEW_CLONES void solve_band(const double* entries, std::size_t size, std::size_t width, double* x)
{
    const std::size_t b = width - 1;
    for (std::size_t k = 0; k < size; ++k) {
        const double* l = entries + k * width;
        const std::size_t reach = std::min(b, size - 1 - k);
        const double own = x[k];
        if (reach == kUsual)
            for (std::size_t j = 1; j <= kUsual; ++j)
                x[k + j] -= l[j] * own;
        else
            for (std::size_t j = 1; j <= reach; ++j)
                x[k + j] -= l[j] * own;
    }
    for (std::size_t k = size; k-- > 0;) {
        const double* l = entries + k * width;
        const std::size_t reach = std::min(b, size - 1 - k);
        double part[4] = {0, 0, 0, 0};
        std::size_t j = 1;
        for (; j + 3 <= reach; j += 4)
            for (std::size_t i = 0; i < 4; ++i)
                part[i] += l[j + i] * x[k + j + i];
        for (std::size_t i = 0; j + i <= reach; ++i)
            part[i] += l[j + i] * x[k + j + i];
        x[k] = x[k] / l[0] - ((part[0] + part[2]) + (part[1] + part[3]));
    }
}

SINEW_CLONES void half_solve_band(const double* entries, std::size_t size, std::size_t width,
                                  double* Z, std::size_t count, const std::size_t* active)
{
    const std::size_t b = width - 1;
    for (std::size_t k = 0; k < size; ++k) {
        const std::size_t own = active[k]; // of the right sides, those that have begun
        if (own == 0)
            continue;
        const double* l = entries + k * width;
        double* row = Z + k * count;
        const std::size_t reach = std::min(b, size - 1 - k);
        for (std::size_t j = 1; j <= reach; ++j) {
            double* below = row + j * count;
            const double factor = l[j];
            for (std::size_t i = 0; i < own; ++i)
                below[i] -= factor * row[i];
        }
        const double scale = 1 / std::sqrt(l[0]);
        for (std::size_t i = 0; i < own; ++i)
            row[i] *= scale;
    }
}

SINEW_CLONES void add_squares(const double* Z, std::size_t size, std::size_t count,
                              const std::size_t* active, double* C)
{
    std::size_t k = 0;
    for (; k + 3 < size; k += 4) { // four rows at once: C is read and written less often
        const double *z = Z + k * count, *y = z + count, *x = y + count, *w = x + count;
        const std::size_t own = active[k + 3];
        for (std::size_t i = 0; i < own; ++i) {
            double* row = C + i * count;
            const double a = z[i], b = y[i], c = x[i], d = w[i];
            for (std::size_t j = 0; j <= i; ++j)
                row[j] += (a * z[j] + b * y[j]) + (c * x[j] + d * w[j]);
        }
    }
    for (; k < size; ++k) {
        const double* z = Z + k * count;
        for (std::size_t i = 0; i < active[k]; ++i)
            for (std::size_t j = 0; j <= i; ++j)
                C[i * count + j] += z[i] * z[j];
    }
}

void BandLdl::clear() { std::ranges::fill(entries_, 0.0); }

bool BandLdl::factor() { return factor_band(entries_.data(), size_, width_); }

void BandLdl::solve(std::span<double> x) const
{
    solve_band(entries_.data(), size_, width_, x.data());
}

void BandLdl::half_solve(std::span<double> Z, std::size_t count,
                         std::span<const std::size_t> active) const
{
    half_solve_band(entries_.data(), size_, width_, Z.data(), count, active.data());
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
