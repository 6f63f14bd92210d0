// A complete orthogonal decomposition: reflections from the right make
// the rows of A a lower trapezoid B of as many columns as A has rank, reflections from the left
// make that a triangle. A reflection is 1 − v vᵀ, |v|² = 2.

#include "solve/linear/dense/least_squares.h"

#include "solve/linear/dense/dense_kernels.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew {

namespace {

SINEW_IN_CLONES void reflect(const double* v, std::size_t count, double* x)
{
    take_off(x, v, dot_product(v, x, count), count);
}

/// v in place of x; what becomes of its first number.
SINEW_IN_CLONES double make_reflection(double* x, std::size_t count)
{
    const double size = std::sqrt(dot_product(x, x, count));
    if (size == 0)
        return 0;
    const double first = x[0] > 0 ? -size : size;
    x[0] -= first;
    const double scale = 1 / std::sqrt(size * std::abs(x[0])); // |x − first|² = 2 size |x₀ − first|
    for (std::size_t i = 0; i < count; ++i)
        x[i] *= scale;
    return first;
}

/// The largest that is left of the columns from k on comes to place k; its size.
SINEW_IN_CLONES double exchange_columns(double* a, std::size_t height, std::size_t width,
                                        std::size_t k, std::uint32_t* order)
{
    std::size_t best = k;
    double largest = -1;
    for (std::size_t j = k; j < width; ++j) {
        const double* column = a + j * height + k;
        if (const double square = dot_product(column, column, height - k); square > largest) {
            largest = square;
            best = j;
        }
    }
    if (best != k) {
        std::swap_ranges(a + k * height, a + (k + 1) * height, a + best * height);
        std::swap(order[k], order[best]);
    }
    return std::sqrt(largest);
}

} // namespace

/// Columns by reflections, exchanged where there is an order; their rank.
SINEW_CLONES std::size_t reflect_columns(double* a, std::size_t height, std::size_t width,
                                         double rank, double* diagonal, std::uint32_t* order)
{
    double largest = 0;
    for (std::size_t k = 0; k < width; ++k) {
        if (order) {
            const double size = exchange_columns(a, height, width, k, order);
            largest = std::max(largest, size);
            if (!(size > rank * largest))
                return k;
        }
        double* v = a + k * height + k;
        diagonal[k] = make_reflection(v, height - k);
        for (std::size_t j = k + 1; j < width; ++j)
            reflect(v, height - k, a + j * height + k);
    }
    return width;
}

/// Of a column: by the first reflection first, or the last.
SINEW_CLONES void reflect_column(const double* v, std::size_t height, std::size_t width,
                                 bool is_backward, double* x)
{
    for (std::size_t i = 0; i < width; ++i) {
        const std::size_t k = is_backward ? width - 1 - i : i;
        reflect(v + k * height + k, height - k, x + k);
    }
}

void LeastSquares::solve(std::span<const double> A, double rank, std::span<double> x)
{
    const std::size_t n = x.size();
    rows_.assign(A.begin(), A.end());
    order_.resize(n);
    std::iota(order_.begin(), order_.end(), 0u);
    diagonal_.resize(n);
    left_diagonal_.resize(n);
    const std::size_t r =
        reflect_columns(rows_.data(), n, n, rank, diagonal_.data(), order_.data());
    left_.assign(n * r, 0.0);
    for (std::size_t k = 0; k < r; ++k) {
        left_[k * n + k] = diagonal_[k];
        for (std::size_t i = k + 1; i < n; ++i)
            left_[k * n + i] = rows_[i * n + k];
    }
    reflect_columns(left_.data(), n, r, 0, left_diagonal_.data(), nullptr);
    side_.resize(n);
    for (std::size_t i = 0; i < n; ++i)
        side_[i] = x[order_[i]];
    reflect_column(left_.data(), n, r, false, side_.data());
    std::ranges::fill(x, 0.0);
    for (std::size_t k = r; k-- > 0;) {
        double sum = side_[k];
        for (std::size_t j = k + 1; j < r; ++j)
            sum -= left_[j * n + k] * x[j];
        x[k] = sum / left_diagonal_[k];
    }
    reflect_column(rows_.data(), n, r, true, x.data());
}

} // namespace sinew
