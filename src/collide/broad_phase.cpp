#include "collide/broad_phase.h"

#include "base/parallel.h"
#include "math/functions.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace sinew {

namespace {

constexpr std::int32_t kTooLarge = std::numeric_limits<std::int32_t>::max();
constexpr double kFarthest = 1e9;     // cells from the origin
constexpr std::size_t kPortion = 256; // boxes

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

/// The cell that the middle of each box is in.
void BroadPhase::find_cells(std::span<const Box> boxes, int threads)
{
    cell_of_.resize(boxes.size());
    for_each_portion(boxes.size(), kPortion, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::int32_t level = level_for(boxes[i]);
            cell_of_[i] = {.level = level};
            if (level == kTooLarge)
                continue;
            const Vec3 middle = (boxes[i].low + boxes[i].high) * (0.5 / cell_size(level));
            cell_of_[i] = {level, static_cast<std::int32_t>(floor(middle.x)),
                           static_cast<std::int32_t>(floor(middle.y)),
                           static_cast<std::int32_t>(floor(middle.z))};
        }
    });
}

/// Finds the slot of a cell in the table: its own, or the free one where it would go.
std::size_t BroadPhase::place_of(const Cell& cell) const
{
    std::size_t at = hash_of(cell) & (table_.size() - 1);
    while (table_[at].count > 0 && table_[at].cell != cell)
        at = (at + 1) & (table_.size() - 1);
    return at;
}

/// The boxes of each cell side by side, ascending: counted first, then filled in.
void BroadPhase::sort_in()
{
    large_.clear();
    levels_.clear();
    slot_of_.resize(cell_of_.size());
    table_.assign(std::bit_ceil(4 * cell_of_.size() + 1), {});
    for (std::uint32_t i = 0; i < cell_of_.size(); ++i) {
        const Cell& cell = cell_of_[i];
        if (cell.level == kTooLarge) {
            large_.push_back(i);
            continue;
        }
        const std::size_t at = place_of(cell);
        slot_of_[i] = static_cast<std::uint32_t>(at);
        table_[at].cell = cell;
        if (table_[at].count++ == 0 && std::ranges::find(levels_, cell.level) == levels_.end())
            levels_.push_back(cell.level);
    }
    std::ranges::sort(levels_);
    entries_.resize(cell_of_.size() - large_.size());
    std::uint32_t end = 0;
    for (std::uint32_t i = 0; i < cell_of_.size(); ++i) {
        if (cell_of_[i].level == kTooLarge)
            continue;
        Slot& slot = table_[slot_of_[i]];
        if (slot.filled == 0)
            slot.first = std::exchange(end, end + slot.count);
        entries_[slot.first + slot.filled++] = i;
    }
}

/// Pairs with boxes of the same grid or a coarser one: each pair is met once, or twice within one
/// grid, where the smaller number counts.
void BroadPhase::find_near(const Question& of, std::uint32_t box, std::vector<Pair>& pairs) const
{
    const std::int32_t own_level = cell_of_[box].level;
    const Box& own = of.boxes[box];
    const auto begin = std::ranges::lower_bound(levels_, own_level);
    for (auto level = begin; level != levels_.end(); ++level) {
        const double size = cell_size(*level);
        std::array<std::int32_t, 3> low, high; // a middle is at most half a cell beside its box
        for (int k = 0; k < 3; ++k) {
            low[static_cast<std::size_t>(k)] =
                static_cast<std::int32_t>(floor(own.low[k] / size - 0.5));
            high[static_cast<std::size_t>(k)] =
                static_cast<std::int32_t>(floor(own.high[k] / size + 0.5));
        }
        for (std::int32_t x = low[0]; x <= high[0]; ++x)
            for (std::int32_t y = low[1]; y <= high[1]; ++y)
                for (std::int32_t z = low[2]; z <= high[2]; ++z) {
                    const Slot& slot = table_[place_of({*level, x, y, z})];
                    for (std::uint32_t e = 0; e < slot.count; ++e) {
                        const std::uint32_t other = entries_[slot.first + e];
                        const bool is_met_before = *level == own_level && other <= box;
                        if (!is_met_before && !(of.is_fixed[box] && of.is_fixed[other]) &&
                            do_overlap(own, of.boxes[other]))
                            pairs.push_back({std::min(box, other), std::max(box, other)});
                    }
                }
    }
}

/// Pairs with a box that no grid takes.
void BroadPhase::find_large(const Question& of, std::uint32_t large, std::vector<Pair>& pairs) const
{
    for (std::uint32_t i = 0; i < of.boxes.size(); ++i) {
        const bool is_met_before = cell_of_[i].level == kTooLarge && i <= large;
        if (!is_met_before && !(of.is_fixed[i] && of.is_fixed[large]) &&
            do_overlap(of.boxes[i], of.boxes[large]))
            pairs.push_back({std::min(i, large), std::max(i, large)});
    }
}

/// All pairs, each portion's by itself, and how many they are. Ends early where they are too many.
std::size_t BroadPhase::find_found(const Question& of, int threads)
{
    std::atomic<std::size_t> count = 0;
    found_.resize((of.boxes.size() + kPortion - 1) / kPortion);
    for_each_index(found_.size(), threads, [&](std::size_t portion) {
        std::vector<Pair>& pairs = found_[portion];
        pairs.clear();
        const std::size_t end = std::min(of.boxes.size(), (portion + 1) * kPortion);
        for (std::size_t i = portion * kPortion; i < end; ++i) {
            const std::size_t before = pairs.size();
            const std::uint32_t box = static_cast<std::uint32_t>(i);
            if (cell_of_[i].level == kTooLarge)
                find_large(of, box, pairs);
            else
                find_near(of, box, pairs);
            const std::size_t own = pairs.size() - before;
            if (count.fetch_add(own, std::memory_order_relaxed) + own > kMostPairs.most)
                return;
        }
    });
    return count;
}

/// Sorts what was found: into the smaller numbers' places first, then each place by itself.
void BroadPhase::sort_found(std::size_t boxes, std::size_t count, std::vector<Pair>& pairs,
                            int threads)
{
    first_.assign(boxes + 1, 0);
    for (const std::vector<Pair>& portion : found_)
        for (const Pair& pair : portion)
            ++first_[pair.a];
    std::uint32_t end = 0;
    for (std::uint32_t& first : first_)
        first = std::exchange(end, end + first);
    pairs.resize(count);
    for (const std::vector<Pair>& portion : found_)
        for (const Pair& pair : portion)
            pairs[first_[pair.a]++] = pair; // now it is where the next one's begin
    for_each_portion(boxes, kPortion, threads, [&](std::size_t begin, std::size_t last) {
        for (std::size_t i = begin; i < last; ++i)
            std::sort(pairs.begin() + (i == 0 ? 0 : first_[i - 1]), pairs.begin() + first_[i]);
    });
}

void BroadPhase::find_pairs(std::span<const Box> boxes, std::span<const char> is_fixed,
                            std::vector<Pair>& pairs, int threads)
{
    find_cells(boxes, threads);
    sort_in();
    const std::size_t count = find_found({boxes, is_fixed}, threads);
    if (is_too_many(count, kMostPairs))
        return pairs.clear();
    sort_found(boxes.size(), count, pairs, threads);
}

} // namespace sinew
