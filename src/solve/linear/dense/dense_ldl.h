#pragma once

/// L D Lᵀ of a small dense symmetric positive matrix, in memory that stays.

#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

class DenseLdl {
public:
    /// Makes room for n × n numbers, which the caller writes: the lower triangle, by columns.
    void begin(std::size_t n);
    std::size_t size() const { return size_; }
    double* column(std::size_t k) { return entries_.data() + k * size_; }

    /// The least pivot. Stops at the first that is not above `least`, and returns it.
    double factor(double least);

    /// x ← A⁻¹ x. Requires factor().
    void solve(std::span<double> x) const;

private:
    std::size_t size_ = 0;
    std::vector<double> entries_, inverse_; ///< L D, 1/D
};

} // namespace sinew
