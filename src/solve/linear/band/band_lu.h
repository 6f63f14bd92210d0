#pragma once

/// The paper's solver: reverse Cuthill-McKee, then LU of a band with row exchanges [Theetten08,
/// §5]. Slower than fronts and kept to check them by.

#include "solve/linear/sparse/block_pattern.h"

namespace sinew {

class BandLu {
public:
    explicit BandLu(const BlockPattern& pattern);

    std::size_t half_width() const { return half_; }

    /// False where the matrix is singular; then a pivot is taken as small as rounding.
    bool factor(const BlockPattern& pattern, std::span<const double> values);

    /// True where rows say what others said.
    bool has_dependent_rows() const { return has_dependent_rows_; }

    /// x ← A⁻¹ x.
    void solve(std::span<double> x);

private:
    void fill(const BlockPattern& pattern, std::span<const double> values);
    bool eliminate();

    double& at(std::size_t row, std::size_t column)
    {
        return band_[column * height_ + 2 * half_ + row - column];
    }

    std::size_t size_ = 0, half_ = 0, height_ = 1;
    std::vector<std::uint32_t> place_; ///< of each number
    std::vector<double> band_, sorted_;
    std::vector<std::size_t> exchange_;
    bool has_vanished_ = false, has_dependent_rows_ = false;
};

} // namespace sinew
