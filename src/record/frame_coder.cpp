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

#include <algorithm>
#include <bit>
#include <cmath>

namespace sinew::record {

namespace {

enum class Kind : std::uint8_t { exact = 0, rounded = 1 };

constexpr double kLargest = 1 << 30;  // of a grid: sums of three such still fit 32 bits by wrapping
constexpr std::size_t kSampling = 13; // every so many numbers decide how a channel is predicted
constexpr std::uint8_t kNeighbour = 4; // added to the order: predicted from the neighbour as well

/// What is predicted from the frames before, newest first. Whole numbers wrap: unpacking undoes it.
struct Past {
    const std::int32_t *one = nullptr, *two = nullptr, *three = nullptr;

    std::uint32_t predict(int order, std::size_t i) const
    {
        const auto at = [i](const std::int32_t* grid) {
            return static_cast<std::uint32_t>(grid[i]);
        };
        switch (order) {
        case 1: return at(one);
        case 2: return 2 * at(one) - at(two);
        case 3: return 3 * (at(one) - at(two)) + at(three);
        default: return 0;
        }
    }
};

/// Small of either sign becomes small: 0, −1, 1, −2, ... are 0, 1, 2, 3, ...
std::uint32_t fold(std::uint32_t difference)
{
    return (difference << 1) ^ (0U - (difference >> 31));
}
std::uint32_t unfold(std::uint32_t folded) { return (folded >> 1) ^ (0U - (folded & 1)); }

std::size_t cost_of(std::uint8_t choice, const Past& past, const std::int32_t* now,
                    std::size_t first, std::size_t count)
{
    const int order = choice & 3;
    const auto error = [&](std::size_t i) {
        return static_cast<std::uint32_t>(now[i]) - past.predict(order, i);
    };
    std::size_t bits = 0;
    for (std::size_t i = first + 1; i < first + count; i += kSampling)
        bits += static_cast<std::size_t>(
            std::bit_width(fold(choice & kNeighbour ? error(i) - error(i - 1) : error(i))));
    return bits;
}

std::uint8_t choose(int known, const Past& past, const std::int32_t* now, std::size_t first,
                    std::size_t count)
{
    std::uint8_t best = 0;
    std::size_t least = SIZE_MAX;
    for (int order = 0; order <= known; ++order)
        for (const std::uint8_t neighbour : {std::uint8_t{0}, kNeighbour}) {
            const auto choice = static_cast<std::uint8_t>(order | neighbour);
            const std::size_t cost = cost_of(choice, past, now, first, count);
            if (cost < least) {
                least = cost;
                best = choice;
            }
        }
    return best;
}

void put_planes(std::uint32_t folded, std::byte* at, std::size_t stride)
{
    for (std::size_t k = 0; k < sizeof folded; ++k)
        at[k * stride] = static_cast<std::byte>(folded >> (8 * k));
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

/// False where a number does not fit the grid.
bool FrameCoder::round(std::span<const double> numbers, Grid& grid) const
{
    grid.resize(grid_size());
    for (const Channel& channel : channels()) {
        const double scale = channel.count == 0 ? 0 : 1 / channel.quantum;
        for (std::size_t i = channel.first; i < channel.first + channel.count; ++i) {
            const double multiple = numbers[2 + i] * scale;
            if (!(std::abs(multiple) < kLargest))
                return false;
            grid[i] = static_cast<std::int32_t>(std::lrint(multiple));
        }
    }
    return true;
}

void FrameCoder::expand(const Grid& grid, std::span<double> numbers) const
{
    for (const Channel& channel : channels())
        for (std::size_t i = channel.first; i < channel.first + channel.count; ++i)
            numbers[2 + i] = grid[i] * channel.quantum;
}

Bytes FrameCoder::encode(std::span<const double> numbers, const Grid& grid, int threads) const
{
    Bytes bytes(rounded_size());
    bytes[0] = static_cast<std::byte>(Kind::rounded);
    std::byte* const choices = bytes.data() + 1;
    std::byte* const exact = choices + kChannels;
    const std::size_t front = 2, behind = exact_count() - front;
    shuffle(numbers.first(front), exact, exact_count());
    shuffle(numbers.last(behind), exact + front, exact_count());
    std::byte* const planes = exact + exact_count() * sizeof(double);
    const Past past{before_[0].data(), before_[1].data(), before_[2].data()};
    const auto all = channels();
    for_each_index(kChannels, threads, [&](std::size_t c) {
        const auto [first, count, quantum] = all[c];
        const std::uint8_t choice = choose(known_, past, grid.data(), first, count);
        choices[c] = static_cast<std::byte>(choice);
        std::uint32_t neighbour = 0;
        for (std::size_t i = first; i < first + count; ++i) {
            const std::uint32_t error =
                static_cast<std::uint32_t>(grid[i]) - past.predict(choice & 3, i);
            put_planes(fold(error - neighbour), planes + i, grid.size());
            neighbour = choice & kNeighbour ? error : 0;
        }
    });
    return bytes;
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
    std::swap(before_[2], before_[1]);
    std::swap(before_[1], before_[0]);
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
    const std::vector<double> numbers = gather(layout_, index, frame);
    Grid grid;
    const bool is_rounded = round(numbers, grid);
    const Bytes bytes = is_rounded ? encode(numbers, grid, threads) : encode_exactly(numbers);
    remember(index, is_rounded ? std::move(grid) : Grid{});
    return pack_bytes(bytes, threads);
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
    std::vector<double> numbers = gather(layout_, 0, frame);
    Grid grid;
    if (quanta_.is_exact() || !round(numbers, grid))
        return frame;
    expand(grid, numbers);
    return scatter(layout_, numbers);
}

} // namespace sinew::record
