#pragma once

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

/// Finds which boxes of a list overlap: a grid of cells for each power of two of sizes, so that the
/// work is proportional to the number of boxes and pairs, whatever their sizes. Keeps only memory
/// from call to call.
class BroadPhase {
public:
    /// All overlapping pairs, sorted, of which not both are fixed. Boxes may be infinite.
    void find_pairs(std::span<const Box> boxes, std::span<const char> is_fixed,
                    std::vector<Pair>& pairs);

private:
    struct Cell {
        std::int32_t level = 0, x = 0, y = 0, z = 0;
        auto operator<=>(const Cell&) const = default;
    };
    struct Entry {
        Cell cell = {};
        std::uint32_t box = 0;
    };
    struct Slot {
        Cell cell = {};
        std::uint32_t first = 0, count = 0;
    };

    void sort_in(std::span<const Box> boxes);
    void build_table();
    void find_near(std::span<const Box> boxes, std::span<const char> is_fixed, std::uint32_t box,
                   std::int32_t own_level, std::vector<Pair>& pairs) const;
    const Slot* find(const Cell& cell) const;
    static std::uint64_t hash_of(const Cell& cell);

    std::vector<Entry> entries_;         ///< by cell
    std::vector<std::int32_t> level_of_; ///< of each box
    std::vector<std::uint32_t> large_;   ///< boxes that no grid takes
    std::vector<Slot> table_;            ///< cell → its entries
    std::vector<std::int32_t> levels_;   ///< that have boxes, ascending
};

} // namespace sinew
