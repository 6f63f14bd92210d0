#include "record/channels.h"

#include "base/clones.h"

#include <algorithm>
#include <array>
#include <bit>

namespace sinew::record {

namespace {

constexpr double kLargest = 1 << 30;  // of a grid: sums of three such still fit 32 bits by wrapping
constexpr std::size_t kSampling = 13; // every so many numbers decide how a channel is predicted,
constexpr std::size_t kMostSampled = 1500; // but no more than so many

/// Small of either sign becomes small: 0, −1, 1, −2, ... are 0, 1, 2, 3, ...
std::uint32_t fold(std::uint32_t difference)
{
    return (difference << 1) ^ (0U - (difference >> 31));
}

/// Bits that a sample takes, predicted by the frames before alone and by the neighbour as well.
struct Costs {
    std::size_t alone = 0, beside = 0;
};

template <int order>
Costs find_costs(const Past& past, const std::int32_t* now, std::size_t first, std::size_t count)
{
    const auto error = [&](std::size_t i) {
        return static_cast<std::uint32_t>(now[i]) - past.predict(order, i);
    };
    const auto bits_of = [](std::uint32_t difference) {
        return static_cast<std::size_t>(std::bit_width(fold(difference)));
    };
    Costs costs;
    const std::size_t stride = std::max(kSampling, count / kMostSampled | 1);
    for (std::size_t i = first + 1; i < first + count; i += stride) {
        const std::uint32_t own = error(i);
        costs.alone += bits_of(own);
        costs.beside += bits_of(own - error(i - 1));
    }
    return costs;
}

} // namespace

Prediction choose_prediction(int known, const Past& past, const std::int32_t* now,
                             std::size_t first, std::size_t count)
{
    constexpr auto kCosts = std::array{find_costs<0>, find_costs<1>, find_costs<2>, find_costs<3>};
    Prediction best = 0;
    std::size_t least = SIZE_MAX;
    const auto take_if_less = [&](Prediction prediction, std::size_t cost) {
        if (cost < least)
            least = cost, best = prediction;
    };
    for (Prediction order = 0; order <= known; ++order) {
        const Costs costs = kCosts[order](past, now, first, count);
        take_if_less(order, costs.alone);
        take_if_less(order | kNeighbour, costs.beside);
    }
    return best;
}

/// In the sum with 1.5 · 2⁵² the lowest bits count the multiples.
SINEW_CLONES bool round_column(const double* from, std::size_t stride, std::size_t count,
                               double scale, std::int32_t* to)
{
    constexpr double kCounting = 6755399441055744.0;
    const std::uint64_t largest = std::bit_cast<std::uint64_t>(kLargest);
    std::uint64_t below = ~std::uint64_t{0}; // in the highest bit
    for (std::size_t i = 0; i < count; ++i) {
        const double multiple = from[i * stride] * scale;
        below &= (std::bit_cast<std::uint64_t>(multiple) & ~(std::uint64_t{1} << 63)) - largest;
        const auto counted = std::bit_cast<std::uint64_t>(multiple + kCounting);
        to[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(counted));
    }
    return count == 0 || below >> 63 != 0;
}

namespace {

/// Differences of `count` numbers from what `order` frames before say.
SINEW_IN_CLONES void find_errors(int order, const std::uint32_t* now, const std::uint32_t* one,
                                 const std::uint32_t* two, const std::uint32_t* three,
                                 std::size_t count, std::uint32_t* errors)
{
    if (order == 0)
        for (std::size_t i = 0; i < count; ++i)
            errors[i] = now[i];
    else if (order == 1)
        for (std::size_t i = 0; i < count; ++i)
            errors[i] = now[i] - one[i];
    else if (order == 2)
        for (std::size_t i = 0; i < count; ++i)
            errors[i] = now[i] - (2 * one[i] - two[i]);
    else
        for (std::size_t i = 0; i < count; ++i)
            errors[i] = now[i] - (3 * (one[i] - two[i]) + three[i]);
}

SINEW_IN_CLONES const std::uint32_t* bits_at(const std::int32_t* grid, std::size_t i)
{
    return grid ? reinterpret_cast<const std::uint32_t*>(grid) + i : nullptr;
}

} // namespace

SINEW_CLONES void encode_block(Prediction prediction, const Past& past, const std::int32_t* now,
                               std::size_t first, std::size_t begin, std::size_t end,
                               std::byte* planes, std::size_t stride)
{
    constexpr std::size_t kAtOnce = 512;
    const int order = prediction & 3;
    const bool has_neighbour = (prediction & kNeighbour) != 0;
    std::array<std::uint32_t, kAtOnce + 1> errors; // that of the neighbour before in front
    std::array<std::uint32_t, kAtOnce> folded;
    for (std::size_t from = begin; from < end; from += kAtOnce) {
        const std::size_t count = std::min(kAtOnce, end - from);
        const bool is_first = from == first;
        const std::size_t back = is_first ? 0 : 1;
        errors[0] = 0;
        find_errors(order, bits_at(now, from - back), bits_at(past.one, from - back),
                    bits_at(past.two, from - back), bits_at(past.three, from - back), count + back,
                    &errors[1 - back]);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t error = errors[i + 1] - (has_neighbour ? errors[i] : 0);
            folded[i] = (error << 1) ^ (0U - (error >> 31));
        }
        for (std::size_t k = 0; k < sizeof(std::uint32_t); ++k) {
            std::byte* const to = planes + k * stride + from;
            for (std::size_t i = 0; i < count; ++i)
                to[i] = static_cast<std::byte>(folded[i] >> (8 * k));
        }
    }
}

} // namespace sinew::record
