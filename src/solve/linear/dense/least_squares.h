#pragma once

/// The x of least |A x − b| for a square matrix that may be singular; of those the smallest. In
/// memory that stays.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

class LeastSquares {
public:
    /// x comes as b. A by rows; of these, what is below `rank` of the largest when others are taken
    /// off counts as nothing.
    void solve(std::span<const double> A, double rank, std::span<double> x);

private:
    std::vector<double> rows_, left_; ///< A Q, and what of it counts; both with their Q
    std::vector<double> diagonal_, left_diagonal_, side_;
    std::vector<std::uint32_t> order_;
};

} // namespace sinew
