#pragma once

/// A symmetric positive band matrix and its factors.
///
///   A = L D Lᵀ,     Aᵢⱼ = 0 for |i − j| > b
///
/// Column by column, the diagonal first: entry (k + m, k) stands at k (b + 1) + m. No pivoting: a
/// positive matrix needs none.

#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

class BandLdl {
public:
    BandLdl() = default;
    BandLdl(std::size_t size, std::size_t half_width)
        : size_(size), width_(half_width + 1), entries_(size * (half_width + 1))
    {
    }

    std::size_t size() const { return size_; }

    /// The entries (k, k), (k + 1, k), ... of column k, to be filled before factor(). Those beyond
    /// the last row stay zero.
    double* column(std::size_t k) { return entries_.data() + k * width_; }
    const double* column(std::size_t k) const { return entries_.data() + k * width_; }

    /// Overwrites the matrix with L and D. False where it is not positive to rounding; then a pivot
    /// is taken as large as it is, so that what follows stays finite.
    bool factor();

    /// x ← A⁻¹ x.
    void solve(std::span<double> x) const;

private:
    std::size_t size_ = 0, width_ = 1;
    std::vector<double> entries_;
};

} // namespace sinew
