#pragma once

/// L U of a small dense matrix with exchange of rows, in memory that stays.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

class DenseLu {
public:
    /// Makes room for n × n numbers, which the caller writes, by rows.
    void begin(std::size_t n);
    std::size_t size() const { return size_; }
    double* row(std::size_t i) { return entries_.data() + i * size_; }

    /// The least pivot, of the largest: 0 where the matrix is singular.
    double factor();

    /// x ← A⁻¹ x. Requires that factor() was not 0.
    void solve(std::span<double> x);

private:
    std::size_t size_ = 0;
    std::vector<double> entries_, side_; ///< L below, U; room
    std::vector<std::uint32_t> order_;   ///< of the rows
};

} // namespace sinew
