// Rounding and predicting frames.
//
// The numbers of a frame, in the order of block.h, form channels: one component of the
// transformations of all objects, x of all nodes, ... Rounded to whole multiples of a quantum, a
// channel is predicted from the same channel of up to three frames before (by the polynomial
// through them), and, where that is better, from the error of the neighbour before in the channel.
// Which prediction is best is tried on a sample and written in front. What is left over is small:
// its bytes are put into planes, lowest first, and zstd does the rest. Numbers that do not fit the
// grid (not finite, or a thousand kilometres away) make the frame an exact one.

#include "record/frame_coder.h"

#include "base/contract.h"
#include "base/parallel.h"
#include "record/channels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

namespace sinew::record {

namespace {

enum class Kind : std::uint8_t { exact = 0, rounded = 1 };

constexpr std::size_t kBlock = 8192; // numbers of a channel that one thread takes at a time

/// Undoes what encode_block() did to the sign.
std::uint32_t unfold(std::uint32_t folded) { return (folded >> 1) ^ (0U - (folded & 1)); }

/// One component of things that lie side by side, each of `stride` numbers.
struct Column {
    const double* first = nullptr;
    std::size_t stride = 0;
};

template <std::size_t numbers, class Thing>
Column column_of(const std::vector<Thing>& things, std::size_t component)
{
    static_assert(std::is_standard_layout_v<Thing> && sizeof(Thing) == numbers * sizeof(double));
    if (things.empty())
        return {.stride = numbers};
    return {reinterpret_cast<const double*>(things.data()) + component, numbers};
}

std::uint32_t get_planes(const std::byte* at, std::size_t stride)
{
    std::uint32_t folded = 0;
    for (std::size_t k = 0; k < sizeof folded; ++k)
        folded |= static_cast<std::uint32_t>(at[k * stride]) << (8 * k);
    return folded;
}

} // namespace

Quanta make_quanta(double error)
{
    SINEW_EXPECTS(error >= 0 && std::isfinite(error));
    if (error == 0)
        return {};
    const double quantum = std::ldexp(1.0, std::ilogb(2 * error));
    return {.place = quantum, .linear = quantum, .segment = 16 * quantum};
}

std::int64_t FrameCoder::first_needed(std::int64_t index) const
{
    if (quanta_.is_exact() || index % kGroup == 0 || last_ == index - 1)
        return index;
    const std::int64_t begin = index - index % kGroup;
    return last_ >= begin && last_ < index ? last_ + 1 : begin;
}

std::array<FrameCoder::Channel, FrameCoder::kChannels> FrameCoder::channels() const
{
    std::array<Channel, kChannels> all;
    std::size_t next = 0, first = 0;
    const auto add = [&](std::size_t channels, std::size_t count, double quantum) {
        for (std::size_t i = 0; i < channels; ++i, first += count)
            all[next++] = {first, count, quantum};
    };
    add(9, layout_.object_count, quanta_.linear);
    add(3, layout_.object_count, quanta_.place);
    add(3, layout_.point_count, quanta_.place);
    add(3, layout_.node_count, quanta_.place);
    add(4, layout_.segment_count, quanta_.segment);
    return all;
}

std::size_t FrameCoder::rounded_size() const
{
    return 1 + kChannels + exact_count() * sizeof(double) + grid_size() * sizeof(std::int32_t);
}

namespace {

/// The numbers of each channel.
std::array<Column, FrameCoder::kChannels> columns_of(const Frame& frame)
{
    std::array<Column, FrameCoder::kChannels> all;
    std::size_t next = 0;
    for (std::size_t i = 0; i < 12; ++i)
        all[next++] = column_of<12>(frame.objects, i);
    for (std::size_t i = 0; i < 3; ++i)
        all[next++] = column_of<3>(frame.points, i);
    for (std::size_t i = 0; i < 3; ++i)
        all[next++] = column_of<3>(frame.nodes, i);
    for (std::size_t i = 0; i < 4; ++i)
        all[next++] = column_of<4>(frame.segments, i);
    return all;
}

} // namespace

/// Portions of the channels that threads take: the same for any number of them.
std::vector<FrameCoder::Block> FrameCoder::blocks() const
{
    std::vector<Block> all;
    const auto channels = this->channels();
    for (std::size_t c = 0; c < kChannels; ++c)
        for (std::size_t i = 0; i < channels[c].count; i += kBlock)
            all.push_back({c, channels[c].first + i,
                           channels[c].first + std::min(channels[c].count, i + kBlock)});
    return all;
}

/// False where a number does not fit the grid.
bool FrameCoder::round(const Frame& frame, int threads, Grid& grid) const
{
    grid.resize(grid_size());
    const auto columns = columns_of(frame);
    const auto channels = this->channels();
    const std::vector<Block> blocks = this->blocks();
    std::vector<char> fits(blocks.size());
    for_each_index(blocks.size(), threads, [&](std::size_t b) {
        const auto [c, begin, end] = blocks[b];
        const std::size_t at = begin - channels[c].first;
        fits[b] = round_column(columns[c].first + at * columns[c].stride, columns[c].stride,
                               end - begin, 1 / channels[c].quantum, &grid[begin]);
    });
    return std::ranges::all_of(fits, [](char is_good) { return is_good != 0; });
}

void FrameCoder::expand(const Grid& grid, std::span<double> numbers) const
{
    for (const Channel& channel : channels())
        for (std::size_t i = channel.first; i < channel.first + channel.count; ++i)
            numbers[2 + i] = grid[i] * channel.quantum;
}

namespace {

/// What is not rounded: the number of the frame, its time, loads and sections.
std::vector<double> exact_numbers(std::int64_t index, const Frame& frame)
{
    Frame apart;
    apart.time = frame.time;
    apart.loads = frame.loads;
    apart.sections = frame.sections;
    return gather({.load_count = apart.loads.size(), .section_count = apart.sections.size()}, index,
                  apart);
}

} // namespace

/// Into `bytes`, which may hold another frame of the same size.
void FrameCoder::encode(std::span<const double> exact, const Grid& grid, int threads,
                        Bytes& bytes) const
{
    bytes.resize(rounded_size());
    bytes[0] = static_cast<std::byte>(Kind::rounded);
    std::byte* const choices = bytes.data() + 1;
    std::byte* const planes = choices + kChannels + exact_count() * sizeof(double);
    shuffle(exact, choices + kChannels, exact_count());
    const Past past{before_[0].data(), before_[1].data(), before_[2].data()};
    const auto all = channels();
    for_each_index(kChannels, threads, [&](std::size_t c) {
        choices[c] = static_cast<std::byte>(
            choose_prediction(known_, past, grid.data(), all[c].first, all[c].count));
    });
    const std::vector<Block> blocks = this->blocks();
    for_each_index(blocks.size(), threads, [&](std::size_t b) {
        const auto [c, begin, end] = blocks[b];
        encode_block(static_cast<Prediction>(choices[c]), past, grid.data(), all[c].first, begin,
                     end, planes, grid.size());
    });
}

bool FrameCoder::decode(std::span<const std::byte> bytes, std::span<double> numbers,
                        Grid& grid) const
{
    const std::byte* const choices = bytes.data() + 1;
    const std::byte* const exact = choices + kChannels;
    const std::size_t front = 2, behind = exact_count() - front;
    unshuffle(exact, exact_count(), numbers.first(front));
    unshuffle(exact + front, exact_count(), numbers.last(behind));
    const std::byte* const planes = exact + exact_count() * sizeof(double);
    const Past past{before_[0].data(), before_[1].data(), before_[2].data()};
    const auto all = channels();
    for (std::size_t c = 0; c < kChannels; ++c) {
        const auto choice = static_cast<std::uint8_t>(choices[c]);
        if ((choice & 3) > known_ || choice >= 2 * kNeighbour)
            return false;
        std::uint32_t neighbour = 0;
        for (std::size_t i = all[c].first; i < all[c].first + all[c].count; ++i) {
            const std::uint32_t error = unfold(get_planes(planes + i, grid.size())) + neighbour;
            grid[i] = static_cast<std::int32_t>(error + past.predict(choice & 3, i));
            neighbour = choice & kNeighbour ? error : 0;
        }
    }
    return true;
}

void FrameCoder::remember(std::int64_t index, Grid grid)
{
    last_ = index;
    if (grid.empty()) {
        known_ = 0;
        return;
    }
    spare_ = std::move(before_[2]);
    before_[2] = std::move(before_[1]);
    before_[1] = std::move(before_[0]);
    before_[0] = std::move(grid);
    known_ = std::min(known_ + 1, int(before_.size()));
}

/// With every bit, though others of the recording are rounded.
Bytes FrameCoder::encode_exactly(std::span<const double> numbers) const
{
    Bytes bytes(1 + numbers.size() * sizeof(double));
    bytes[0] = static_cast<std::byte>(Kind::exact);
    shuffle(numbers, bytes.data() + 1, numbers.size());
    return bytes;
}

Bytes FrameCoder::pack(std::int64_t index, const Frame& frame, int threads)
{
    SINEW_EXPECTS(first_needed(index) == index);
    if (quanta_.is_exact())
        return pack_frame(layout_, index, frame);
    if (index % kGroup == 0)
        known_ = 0;
    Grid grid = std::move(spare_);
    const bool is_rounded = round(frame, threads, grid);
    if (is_rounded)
        encode(exact_numbers(index, frame), grid, threads, bytes_);
    else
        bytes_ = encode_exactly(gather(layout_, index, frame));
    remember(index, is_rounded ? std::move(grid) : Grid{});
    return pack_bytes(bytes_, threads);
}

/// The numbers of a rounded recording's frame and their grid, empty where the frame is exact.
bool FrameCoder::read(std::span<const std::byte> bytes, std::vector<double>& numbers,
                      Grid& grid) const
{
    if (bytes.empty())
        return false;
    const auto kind = static_cast<Kind>(bytes[0]);
    if (kind == Kind::exact && bytes.size() == 1 + numbers.size() * sizeof(double)) {
        unshuffle(bytes.data() + 1, numbers.size(), numbers);
        return true;
    }
    if (kind != Kind::rounded || bytes.size() != rounded_size())
        return false;
    grid.resize(grid_size());
    const bool is_good = decode(bytes, numbers, grid);
    expand(grid, numbers);
    return is_good;
}

std::optional<Frame> FrameCoder::unpack(std::int64_t index, std::span<const std::byte> block)
{
    SINEW_EXPECTS(first_needed(index) == index);
    if (quanta_.is_exact())
        return unpack_frame(layout_, index, block);
    if (index % kGroup == 0)
        known_ = 0;
    last_ = -1; // until all is well
    const std::size_t most = 1 + kChannels + layout_.number_count() * sizeof(double);
    const std::optional<Bytes> bytes = unpack_bytes(block, most);
    std::vector<double> numbers(bytes ? layout_.number_count() : 0);
    Grid grid;
    if (!bytes || !read(*bytes, numbers, grid) || numbers[0] != static_cast<double>(index)) {
        known_ = 0;
        return std::nullopt;
    }
    remember(index, std::move(grid));
    return scatter(layout_, numbers);
}

Frame FrameCoder::round(const Frame& frame) const
{
    Grid grid;
    if (quanta_.is_exact() || !round(frame, 1, grid))
        return frame;
    std::vector<double> numbers = gather(layout_, 0, frame);
    expand(grid, numbers);
    return scatter(layout_, numbers);
}

} // namespace sinew::record
