#pragma once

/// Which rows say what others say.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

/// A row of a matrix: columns with their numbers, in any order, a column once.
struct SparseNumber {
    std::uint32_t column = 0;
    double number = 0;
};
using SparseRow = std::vector<SparseNumber>;

/// Ascending: the rows that those before them add up to.
std::vector<std::size_t> find_redundant(std::span<const SparseRow> rows);

} // namespace sinew
