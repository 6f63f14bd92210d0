#include "solve/band_ldl.h"

#include "base/clones.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew {

namespace {

constexpr double kLeastPivot = 1e-14; // of the diagonal: below, rounding is all there is
constexpr std::size_t kUsual = 15;    // half-width of rods: loops of a known length are faster

/// The columns behind a pivot, less what it explains of them. False where one is not positive.
SINEW_IN_CLONES bool eliminate(double* pivot, std::size_t reach, std::size_t width)
{
    const double inverse = 1 / pivot[0];
    bool is_positive = true;
    for (std::size_t j = 1; j <= reach; ++j) {
        const double factor = pivot[j] * inverse;
        double* behind = pivot + j * width;
        for (std::size_t m = j; m <= reach; ++m)
            behind[m - j] -= factor * pivot[m];
        is_positive &= behind[0] > kLeastPivot * factor * pivot[j];
    }
    for (std::size_t j = 1; j <= reach; ++j)
        pivot[j] *= inverse;
    return is_positive;
}

} // namespace

namespace {

/// How many columns from the first on can be taken four at a time: all reach as far as they can.
SINEW_IN_CLONES std::size_t count_in_fours(std::size_t size, std::size_t width)
{
    return width != kUsual + 1 || size < kUsual + 4 ? 0 : (size - kUsual) / 4 * 4;
}

/// The pivot itself made positive, the columns behind it within its four less what it explains.
template <std::size_t Behind>
SINEW_IN_CLONES bool eliminate_within(double* pivot, double& inverse)
{
    bool is_positive = true;
    if (!(pivot[0] > 0)) {
        is_positive = false;
        pivot[0] = std::max(std::abs(pivot[0]), 1e-300);
    }
    inverse = 1 / pivot[0];
    for (std::size_t j = 1; j <= Behind; ++j) {
        const double factor = pivot[j] * inverse;
        double* behind = pivot + j * (kUsual + 1);
        for (std::size_t m = j; m <= kUsual; ++m)
            behind[m - j] -= factor * pivot[m];
        is_positive &= behind[0] > kLeastPivot * factor * pivot[j];
    }
    return is_positive;
}

/// Column J behind four pivots, which reach row 15 + i of it, i their number.
template <std::size_t J>
SINEW_IN_CLONES bool eliminate_behind(const double* a, const double* inverse)
{
    constexpr std::size_t kWidth = kUsual + 1;
    const double *b = a + kWidth, *c = b + kWidth, *d = c + kWidth;
    double* to = const_cast<double*>(a) + J * kWidth;
    double taken = 0;
    const auto take = [&](const double* column, std::size_t own, double by) {
        if (J > kUsual + own)
            return;
        const double factor = column[J - own] * by;
        taken += factor * column[J - own];
        for (std::size_t m = 0; m + J <= kUsual + own; ++m)
            to[m] -= factor * column[J - own + m];
    };
    take(a, 0, inverse[0]);
    take(b, 1, inverse[1]);
    take(c, 2, inverse[2]);
    take(d, 3, inverse[3]);
    return to[0] > kLeastPivot * taken;
}

template <std::size_t... J>
SINEW_IN_CLONES bool eliminate_all(const double* a, const double* inverse,
                                   std::index_sequence<J...>)
{
    return (int(eliminate_behind<J + 4>(a, inverse)) & ...);
}

/// Four pivots at a time: what is behind them is read and written once.
SINEW_IN_CLONES bool factor_four(double* a)
{
    constexpr std::size_t kWidth = kUsual + 1;
    double inverse[4];
    bool is_positive = eliminate_within<3>(a, inverse[0]);
    is_positive &= eliminate_within<2>(a + kWidth, inverse[1]);
    is_positive &= eliminate_within<1>(a + 2 * kWidth, inverse[2]);
    is_positive &= eliminate_within<0>(a + 3 * kWidth, inverse[3]);
    is_positive &= eliminate_all(a, inverse, std::make_index_sequence<15>());
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t m = 1; m <= kUsual; ++m)
            a[i * kWidth + m] *= inverse[i];
    return is_positive;
}

} // namespace

/// Right-looking: each pivot column updates the columns behind it, which are contiguous.
SINEW_CLONES bool factor_band(double* entries, std::size_t size, std::size_t width)
{
    const std::size_t b = width - 1, in_fours = count_in_fours(size, width);
    bool is_positive = true;
    for (std::size_t k = 0; k < in_fours; k += 4)
        is_positive &= factor_four(entries + k * width);
    for (std::size_t k = in_fours; k < size; ++k) {
        double* pivot = entries + k * width;
        if (!(pivot[0] > 0)) {
            is_positive = false;
            pivot[0] = std::max(std::abs(pivot[0]), 1e-300);
        }
        const std::size_t reach = std::min(b, size - 1 - k);
        is_positive &= eliminate(pivot, reach, width);
    }
    return is_positive;
}

namespace {

/// Four columns of L on x, so that what they reach is read and written once.
SINEW_IN_CLONES void solve_four(const double* l, double* x)
{
    constexpr std::size_t kWidth = kUsual + 1;
    const double *a = l, *b = a + kWidth, *c = b + kWidth, *d = c + kWidth;
    const double p = x[0];
    const double q = x[1] -= a[1] * p;
    const double r = x[2] = (x[2] - a[2] * p) - b[1] * q;
    const double s = x[3] = ((x[3] - a[3] * p) - b[2] * q) - c[1] * r;
    for (std::size_t i = 0; i < 12; ++i)
        x[4 + i] = (((x[4 + i] - a[4 + i] * p) - b[3 + i] * q) - c[2 + i] * r) - d[1 + i] * s;
    x[16] = ((x[16] - b[15] * q) - c[14] * r) - d[13] * s;
    x[17] = (x[17] - c[15] * r) - d[14] * s;
    x[18] -= d[15] * s;
}

/// What twelve numbers behind four columns say to each of these: l · x in four parts.
SINEW_IN_CLONES double sum_of_twelve(const double* l, const double* x)
{
    double part[4];
    for (std::size_t i = 0; i < 4; ++i)
        part[i] = (l[i] * x[i] + l[4 + i] * x[4 + i]) + l[8 + i] * x[8 + i];
    return (part[0] + part[2]) + (part[1] + part[3]);
}

/// Four columns of Lᵀ, D before them.
SINEW_IN_CLONES void solve_four_back(const double* l, double* x)
{
    constexpr std::size_t kWidth = kUsual + 1;
    const double *a = l, *b = a + kWidth, *c = b + kWidth, *d = c + kWidth;
    const double p = x[0] / a[0] - sum_of_twelve(a + 4, x + 4);
    const double q = x[1] / b[0] - (sum_of_twelve(b + 3, x + 4) + b[15] * x[16]);
    const double r = x[2] / c[0] - (sum_of_twelve(c + 2, x + 4) + (c[14] * x[16] + c[15] * x[17]));
    x[3] = x[3] / d[0] -
           (sum_of_twelve(d + 1, x + 4) + ((d[13] * x[16] + d[14] * x[17]) + d[15] * x[18]));
    x[2] = r - c[1] * x[3];
    x[1] = (q - b[2] * x[3]) - b[1] * x[2];
    x[0] = ((p - a[3] * x[3]) - a[2] * x[2]) - a[1] * x[1];
}

} // namespace

SINEW_CLONES void solve_band(const double* entries, std::size_t size, std::size_t width, double* x)
{
    const std::size_t b = width - 1, in_fours = count_in_fours(size, width);
    for (std::size_t k = 0; k < in_fours; k += 4)
        solve_four(entries + k * width, x + k);
    for (std::size_t k = in_fours; k < size; ++k) {
        const double* l = entries + k * width;
        const std::size_t reach = std::min(b, size - 1 - k);
        for (std::size_t j = 1; j <= reach; ++j)
            x[k + j] -= l[j] * x[k];
    }
    for (std::size_t k = size; k-- > in_fours;) {
        const double* l = entries + k * width;
        const std::size_t reach = std::min(b, size - 1 - k);
        double sum = 0;
        for (std::size_t j = 1; j <= reach; ++j)
            sum += l[j] * x[k + j];
        x[k] = x[k] / l[0] - sum;
    }
    for (std::size_t k = in_fours; k > 0; k -= 4)
        solve_four_back(entries + (k - 4) * width, x + k - 4);
}

namespace {

/// A row of right sides on those below it, then divided by √D.
SINEW_IN_CLONES void half_solve_one(const double* l, std::size_t reach, double* row,
                                    std::size_t count, std::size_t own)
{
    for (std::size_t j = 1; j <= reach; ++j)
        for (std::size_t i = 0; i < own; ++i)
            row[j * count + i] -= l[j] * row[i];
    const double scale = 1 / std::sqrt(l[0]);
    for (std::size_t i = 0; i < own; ++i)
        row[i] *= scale;
}

/// Four rows, as in solve_four().
SINEW_IN_CLONES void half_solve_four(const double* l, double* row, std::size_t count,
                                     std::size_t own)
{
    constexpr std::size_t kWidth = kUsual + 1;
    const double *a = l, *b = a + kWidth, *c = b + kWidth, *d = c + kWidth;
    double *p = row, *q = p + count, *r = q + count, *s = r + count;
    for (std::size_t i = 0; i < own; ++i) {
        q[i] -= a[1] * p[i];
        r[i] = (r[i] - a[2] * p[i]) - b[1] * q[i];
        s[i] = ((s[i] - a[3] * p[i]) - b[2] * q[i]) - c[1] * r[i];
    }
    for (std::size_t j = 0; j < 12; ++j) {
        double* to = s + (1 + j) * count;
        const double e = a[4 + j], f = b[3 + j], g = c[2 + j], h = d[1 + j];
        for (std::size_t i = 0; i < own; ++i)
            to[i] = (((to[i] - e * p[i]) - f * q[i]) - g * r[i]) - h * s[i];
    }
    double *x = s + 13 * count, *y = x + count, *z = y + count;
    const double scale[4] = {1 / std::sqrt(a[0]), 1 / std::sqrt(b[0]), 1 / std::sqrt(c[0]),
                             1 / std::sqrt(d[0])};
    for (std::size_t i = 0; i < own; ++i) {
        x[i] = ((x[i] - b[15] * q[i]) - c[14] * r[i]) - d[13] * s[i];
        y[i] = (y[i] - c[15] * r[i]) - d[14] * s[i];
        z[i] -= d[15] * s[i];
        p[i] *= scale[0];
        q[i] *= scale[1];
        r[i] *= scale[2];
        s[i] *= scale[3];
    }
}

} // namespace

SINEW_CLONES void half_solve_band(const double* entries, std::size_t size, std::size_t width,
                                  double* Z, std::size_t count, const std::size_t* active)
{
    // Of the right sides, those that have begun: the others are zero here.
    const std::size_t in_fours = count_in_fours(size, width);
    for (std::size_t k = 0; k < in_fours; k += 4)
        if (active[k + 3] > 0)
            half_solve_four(entries + k * width, Z + k * count, count, active[k + 3]);
    for (std::size_t k = in_fours; k < size; ++k)
        if (active[k] > 0)
            half_solve_one(entries + k * width, std::min(width - 1, size - 1 - k), Z + k * count,
                           count, active[k]);
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
