#include "collide/broad_phase.h"

#include "math/functions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

constexpr std::int32_t kTooLarge = std::numeric_limits<std::int32_t>::max();
constexpr double kFarthest = 1e9; // cells from the origin

double largest_side(const Box& box)
{
    const Vec3 size = box.high - box.low;
    return max(size.x, max(size.y, size.z));
}

double cell_size(std::int32_t level) { return std::ldexp(1.0, level); }

/// The finest grid whose cells are as large as the box; none when it is too large or too far off.
std::int32_t level_for(const Box& box)
{
    constexpr int kFinest = -60, kCoarsest = 60;
    const double side = largest_side(box);
    if (!std::isfinite(side) || !is_finite(box.low))
        return kTooLarge;
    int level = kFinest;
    if (side > 0)
        level = std::clamp(static_cast<int>(std::ilogb(side)) + 1, kFinest, kCoarsest);
    const double reach = max(length(box.low), length(box.high));
    return side > cell_size(level) || reach / cell_size(level) > kFarthest ? kTooLarge : level;
}

} // namespace

/// Cells above each other are neighbours in the table too: memory is met in order.
std::uint64_t BroadPhase::hash_of(const Cell& cell)
{
    std::uint64_t hash = static_cast<std::uint32_t>(cell.level);
    for (const std::int32_t number : {cell.x, cell.y}) {
        hash = (hash ^ static_cast<std::uint32_t>(number)) * 0x9e3779b97f4a7c15ull;
        hash ^= hash >> 29;
    }
    return hash + static_cast<std::uint32_t>(cell.z);
}

/// Each box by the cell its middle is in.
void BroadPhase::sort_in(std::span<const Box> boxes)
{
    entries_.clear();
    large_.clear();
    levels_.clear();
    level_of_.resize(boxes.size());
    for (std::uint32_t i = 0; i < boxes.size(); ++i) {
        const std::int32_t level = level_of_[i] = level_for(boxes[i]);
        if (level == kTooLarge) {
            large_.push_back(i);
            continue;
        }
        const Vec3 middle = (boxes[i].low + boxes[i].high) * (0.5 / cell_size(level));
        const Cell cell{level, static_cast<std::int32_t>(floor(middle.x)),
                        static_cast<std::int32_t>(floor(middle.y)),
                        static_cast<std::int32_t>(floor(middle.z))};
        entries_.push_back({cell, i});
        if (std::ranges::find(levels_, level) == levels_.end())
            levels_.push_back(level);
    }
    std::ranges::sort(levels_);
    std::ranges::sort(entries_, [](const Entry& a, const Entry& b) {
        return a.cell != b.cell ? a.cell < b.cell : a.box < b.box;
    });
}

void BroadPhase::build_table()
{
    table_.assign(std::bit_ceil(4 * entries_.size() + 1), {});
    for (std::uint32_t first = 0; first < entries_.size();) {
        std::uint32_t last = first;
        while (last < entries_.size() && entries_[last].cell == entries_[first].cell)
            ++last;
        std::size_t at = hash_of(entries_[first].cell) & (table_.size() - 1);
        while (table_[at].count > 0)
            at = (at + 1) & (table_.size() - 1);
        table_[at] = {entries_[first].cell, first, last - first};
        first = last;
    }
}

const BroadPhase::Slot* BroadPhase::find(const Cell& cell) const
{
    for (std::size_t at = hash_of(cell) & (table_.size() - 1); table_[at].count > 0;
         at = (at + 1) & (table_.size() - 1))
        if (table_[at].cell == cell)
            return &table_[at];
    return nullptr;
}

/// Pairs with boxes of the same grid or a coarser one: each pair is met once, or twice within one
/// grid, where the smaller number counts.
void BroadPhase::find_near(std::span<const Box> boxes, std::span<const char> is_fixed,
                           std::uint32_t box, std::int32_t own_level,
                           std::vector<Pair>& pairs) const
{
    const auto begin = std::ranges::lower_bound(levels_, own_level);
    for (auto level = begin; level != levels_.end(); ++level) {
        const double size = cell_size(*level);
        std::array<std::int32_t, 3> low, high; // a middle is at most half a cell beside its box
        for (int k = 0; k < 3; ++k) {
            low[static_cast<std::size_t>(k)] =
                static_cast<std::int32_t>(floor(boxes[box].low[k] / size - 0.5));
            high[static_cast<std::size_t>(k)] =
                static_cast<std::int32_t>(floor(boxes[box].high[k] / size + 0.5));
        }
        for (std::int32_t x = low[0]; x <= high[0]; ++x)
            for (std::int32_t y = low[1]; y <= high[1]; ++y)
                for (std::int32_t z = low[2]; z <= high[2]; ++z) {
                    const Cell cell{*level, x, y, z};
                    const Slot* slot = find(cell);
                    for (std::uint32_t e = 0; slot && e < slot->count; ++e) {
                        const Entry& entry = entries_[slot->first + e];
                        const bool is_met_before = *level == own_level && entry.box <= box;
                        if (!is_met_before && !(is_fixed[box] && is_fixed[entry.box]) &&
                            do_overlap(boxes[box], boxes[entry.box]))
                            pairs.push_back({std::min(box, entry.box), std::max(box, entry.box)});
                    }
                }
    }
}

void BroadPhase::find_pairs(std::span<const Box> boxes, std::span<const char> is_fixed,
                            std::vector<Pair>& pairs)
{
    pairs.clear();
    sort_in(boxes);
    build_table();
    for (const Entry& entry : entries_)
        find_near(boxes, is_fixed, entry.box, entry.cell.level, pairs);
    for (const std::uint32_t large : large_)
        for (std::uint32_t i = 0; i < boxes.size(); ++i) {
            const bool is_met_before = level_of_[i] == kTooLarge && i <= large;
            if (!is_met_before && !(is_fixed[i] && is_fixed[large]) &&
                do_overlap(boxes[i], boxes[large]))
                pairs.push_back({std::min(i, large), std::max(i, large)});
        }
    std::ranges::sort(pairs);
}

} // namespace sinew
