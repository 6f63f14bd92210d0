#pragma once

// Blocks: numbers and bytes as they lie in the file, compressed without loss.

#include "sinew/frame.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinew::record {

using Bytes = std::vector<std::byte>;

/// The largest frame or snapshot before compression: what SQLite holds in one cell, with a margin.
constexpr std::size_t kLargestBlock = std::size_t{1} << 29;

/// How many of what a frame holds: the size of its block follows.
struct FrameLayout {
    std::size_t object_count = 0;
    std::size_t point_count = 0;
    std::size_t node_count = 0, segment_count = 0; ///< of strands
    std::size_t load_count = 0;                    ///< of constraints

    /// The frame's own number, the time, twelve numbers an object, three a point and a node, four
    /// a segment, nine a load.
    std::size_t number_count() const
    {
        return 2 + 12 * object_count + 3 * (point_count + node_count) + 4 * segment_count +
               9 * load_count;
    }
    bool is_possible() const
    {
        constexpr std::size_t kMost = kLargestBlock / sizeof(double) / 16;
        return object_count <= kMost && point_count <= kMost && node_count <= kMost &&
               segment_count <= kMost && load_count <= kMost &&
               number_count() <= kLargestBlock / sizeof(double);
    }
    bool fits(const Frame& frame) const
    {
        return frame.objects.size() == object_count && frame.points.size() == point_count &&
               frame.nodes.size() == node_count && frame.segments.size() == segment_count &&
               frame.loads.size() == load_count;
    }
    bool operator==(const FrameLayout&) const = default;
};

/// The block of frame `index`. Requires layout.fits(frame).
Bytes pack_frame(const FrameLayout& layout, std::int64_t index, const Frame& frame);

/// Nothing when the block is damaged, or holds another frame or one of another layout.
std::optional<Frame> unpack_frame(const FrameLayout& layout, std::int64_t index,
                                  std::span<const std::byte> block);

Bytes pack_bytes(std::span<const std::byte> bytes);
std::optional<Bytes> unpack_bytes(std::span<const std::byte> block);

} // namespace sinew::record
