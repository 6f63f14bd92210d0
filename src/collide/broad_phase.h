#pragma once

#include "base/overload.h"
#include "sinew/math.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

/// A box along the axes that something stays within for a while.
struct Box {
    Vec3 low = {0, 0, 0}, high = {0, 0, 0};
};

inline bool do_overlap(const Box& a, const Box& b)
{
    return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y &&
           b.low.y <= a.high.y && a.low.z <= b.high.z && b.low.z <= a.high.z;
}

/// Two numbers of a list, the smaller first.
struct Pair {
    std::uint32_t a = 0, b = 0;

    constexpr auto operator<=>(const Pair&) const = default;
};

constexpr Overload kMostPairs{"pairs of shapes near each other", 2'000'000}; ///< some 2 GB

/// Finds which boxes of a list overlap: a grid of cells for each power of two of sizes, so that the
/// work is proportional to the number of boxes and pairs, whatever their sizes. Keeps only memory
/// from call to call.
class BroadPhase {
public:
    /// All overlapping pairs, sorted, of which not both are fixed. Boxes may be infinite. On at
    /// most `threads` threads: the same pairs for any number.
    void find_pairs(std::span<const Box> boxes, std::span<const char> is_fixed,
                    std::vector<Pair>& pairs, int threads = 1);

private:
    struct Cell {
        std::int32_t level = 0, x = 0, y = 0, z = 0;
        auto operator<=>(const Cell&) const = default;
    };
    struct Slot {
        Cell cell = {};
        std::uint32_t first = 0, count = 0, filled = 0;
    };
    struct Question {
        std::span<const Box> boxes;
        std::span<const char> is_fixed;
    };

    void find_cells(std::span<const Box> boxes, int threads);
    void sort_in();
    void find_near(const Question& of, std::uint32_t box, std::vector<Pair>& pairs) const;
    void find_large(const Question& of, std::uint32_t large, std::vector<Pair>& pairs) const;
    std::size_t find_found(const Question& of, int threads);
    void sort_found(std::size_t boxes, std::size_t count, std::vector<Pair>& pairs, int threads);
    std::size_t place_of(const Cell& cell) const;
    static std::uint64_t hash_of(const Cell& cell);

    std::vector<Cell> cell_of_;            ///< of each box
    std::vector<std::uint32_t> slot_of_;   ///< of each box: where its cell is in the table
    std::vector<std::uint32_t> entries_;   ///< boxes by cell
    std::vector<std::uint32_t> large_;     ///< boxes that no grid takes
    std::vector<Slot> table_;              ///< cell → its entries
    std::vector<std::int32_t> levels_;     ///< that have boxes, ascending
    std::vector<std::vector<Pair>> found_; ///< by portions of the boxes
    std::vector<std::uint32_t> first_;     ///< of each box: where its pairs begin
};

} // namespace sinew
