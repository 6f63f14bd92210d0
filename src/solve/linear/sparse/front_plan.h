#pragma once

/// How a block pattern is factored by fronts: order, tree, where every number goes. Made once.
///
/// A front is a dense symmetric matrix over a few vertices that are eliminated together (its own)
/// and those they are joined to by then (its border). What is left of the border goes to the front
/// of the border's first vertex [DuffReid83].

#include "solve/linear/sparse/block_pattern.h"

namespace sinew {

struct Front {
    std::uint32_t first_index = 0;  ///< of its numbers in FrontPlan::index
    std::uint32_t own = 0, all = 0; ///< numbers: its own, and with the border
    std::uint32_t first_factor = 0; ///< of its columns: all × own
    std::uint32_t first_input = 0, inputs = 0;
    std::uint32_t first_child = 0, children = 0;
    std::uint32_t first_run = 0, runs = 0; ///< of its border in its parent's front
    bool has_rows = false;                 ///< among its own or its border
};

/// A block of the pattern in a front.
struct FrontInput {
    std::uint32_t value = 0, rows = 0, columns = 0;
    std::uint32_t row = 0, column = 0; ///< where, in the front
    bool is_diagonal = false, is_turned = false;
};

/// Numbers of a border that stand together in the parent's front as well.
struct FrontRun {
    std::uint32_t from = 0, to = 0, count = 0;
};

struct FrontPlan {
    explicit FrontPlan(const BlockPattern& pattern);
    /// With vertices in an order given.
    FrontPlan(const BlockPattern& pattern, std::vector<std::uint32_t> order);
    FrontPlan() = default;

    std::size_t size = 0;
    std::vector<Front> fronts;        ///< children before parents
    std::vector<std::uint32_t> index; ///< in vectors, of all numbers of all fronts
    std::vector<char> is_row;         ///< of a number of a vector
    std::vector<FrontInput> inputs;
    std::vector<std::uint32_t> child;
    std::vector<FrontRun> runs;
    std::size_t factor_count = 0, largest = 0, largest_rest = 0, stack_count = 0;
    double cost = 0; ///< multiplications of a factorisation
};

/// The order in which vertices are eliminated: approximate minimum degree or nested dissection,
/// whichever costs less, but rows behind all that they touch of one owner, so that their pivots are
/// not zero; and every vertex behind those listed for it in `after`, if that is given.
std::vector<std::uint32_t> find_block_order(const BlockPattern& pattern,
                                            std::span<const std::vector<std::uint32_t>> after = {});

} // namespace sinew
