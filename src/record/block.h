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
    std::size_t section_count = 0;                 ///< of rods: nodes with what they carry

    /// The frame's own number, the time, twelve numbers an object, three a point and a node, four
    /// a segment, nine a load, three a section.
    std::size_t number_count() const
    {
        return 2 + 12 * object_count + 3 * (point_count + node_count) + 4 * segment_count +
               9 * load_count + 3 * section_count;
    }
    bool is_possible() const
    {
        constexpr std::size_t kMost = kLargestBlock / sizeof(double) / 16;
        return object_count <= kMost && point_count <= kMost && node_count <= kMost &&
               segment_count <= kMost && load_count <= kMost && section_count <= kMost &&
               number_count() <= kLargestBlock / sizeof(double);
    }
    bool fits(const Frame& frame) const
    {
        return frame.objects.size() == object_count && frame.points.size() == point_count &&
               frame.nodes.size() == node_count && frame.segments.size() == segment_count &&
               frame.loads.size() == load_count && frame.sections.size() == section_count;
    }
    bool operator==(const FrameLayout&) const = default;
};

/// The block of frame `index` with every bit. Requires layout.fits(frame).
Bytes pack_frame(const FrameLayout& layout, std::int64_t index, const Frame& frame);

/// Nothing when the block is damaged, or holds another frame or one of another layout.
std::optional<Frame> unpack_frame(const FrameLayout& layout, std::int64_t index,
                                  std::span<const std::byte> block);

/// All numbers of a frame, like beside like; its own number first, then its time.
std::vector<double> gather(const FrameLayout& layout, std::int64_t index, const Frame& frame);
/// The frame of such numbers. Requires as many as the layout says.
Frame scatter(const FrameLayout& layout, std::span<const double> numbers);

/// Byte k of number i goes to, or comes from, place k * stride + i.
void shuffle(std::span<const double> numbers, std::byte* to, std::size_t stride);
void unshuffle(const std::byte* from, std::size_t stride, std::span<double> numbers);

/// Compresses portions of fixed size apart, each with its checksum, on several threads.
Bytes pack_bytes(std::span<const std::byte> bytes, int threads = 1);
/// Nothing when they are damaged or claim to be more than `most`.
std::optional<Bytes> unpack_bytes(std::span<const std::byte> block,
                                  std::size_t most = kLargestBlock);

/// A snapshot: words of eight bytes whose bytes are turned as those of frames, then packed. Behind
/// a mark, so that snapshots packed as plain bytes are read too.
Bytes pack_snapshot(std::span<const std::byte> bytes, int threads = 1);
std::optional<Bytes> unpack_snapshot(std::span<const std::byte> block);

} // namespace sinew::record
