#pragma once

// Frames as blocks, one after the other: exact, or rounded to a grid and predicted from the frames
// before.

#include "record/block.h"
#include "sinew/record.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sinew::record {

/// A recorded number is a multiple of its quantum, a power of two [m, or none]; 0: exact.
struct Quanta {
    double place = 0;   ///< of origins, points and nodes [m]
    double linear = 0;  ///< of the transformations of objects
    double segment = 0; ///< of the quaternions of segments

    bool is_exact() const { return place == 0; }
};

/// The largest power of two whose half is no more than `error` [m]; transformations as accurate at
/// one metre, segments sixteen times coarser. Requires 0 ≤ error, finite.
Quanta make_quanta(double error);

/// Packs and unpacks the frames of one recording: exactly as block.h, or rounded. Every kGroup-th
/// frame stands for itself; the others need those of their group before them, which the coder
/// remembers: blocks depend on the frames alone, not on where a run began.
class FrameCoder {
public:
    static constexpr std::int64_t kGroup = FramePacker::kGroup;
    static constexpr std::size_t kChannels = 22;

    FrameCoder() = default;
    FrameCoder(const FrameLayout& layout, const Quanta& quanta) : layout_(layout), quanta_(quanta)
    {
    }

    /// The first frame to unpack before frame `index` can be packed or unpacked; `index` itself
    /// where the coder is ready for it.
    std::int64_t first_needed(std::int64_t index) const;

    /// Requires first_needed(index) == index and a frame that fits the layout.
    Bytes pack(std::int64_t index, const Frame& frame, int threads = 1);

    /// Nothing when the block is damaged, or holds another frame or one of another layout; then the
    /// coder remembers nothing. Requires first_needed(index) == index.
    std::optional<Frame> unpack(std::int64_t index, std::span<const std::byte> block);

    /// The frame as it is read back.
    Frame round(const Frame& frame) const;

private:
    using Grid = std::vector<std::int32_t>; ///< channel after channel
    struct Channel {
        std::size_t first = 0, count = 0; ///< in the grid
        double quantum = 0;
    };
    /// Numbers of one channel, in the grid.
    struct Block {
        std::size_t channel = 0, begin = 0, end = 0;
    };

    std::array<Channel, kChannels> channels() const;
    std::size_t grid_size() const { return layout_.number_count() - exact_count(); }
    std::size_t exact_count() const
    {
        return 2 + 9 * layout_.load_count + 3 * layout_.section_count;
    }
    std::size_t rounded_size() const;
    std::vector<Block> blocks() const;
    bool round(const Frame& frame, int threads, Grid& grid) const;
    void expand(const Grid& grid, std::span<double> numbers) const;
    void encode(std::span<const double> exact, const Grid& grid, int threads, Bytes& bytes) const;
    Bytes encode_exactly(std::span<const double> numbers) const;
    bool read(std::span<const std::byte> bytes, std::vector<double>& numbers, Grid& grid) const;
    bool decode(std::span<const std::byte> bytes, std::span<double> numbers, Grid& grid) const;
    void remember(std::int64_t index, Grid grid);

    FrameLayout layout_;
    Quanta quanta_;
    std::array<Grid, 3> before_; ///< the newest first
    int known_ = 0;              ///< how many of them
    std::int64_t last_ = -1;     ///< the frame packed or unpacked last; −1: none
    Grid spare_;                 ///< room
    Bytes bytes_;                ///< room
};

} // namespace sinew::record
