#pragma once

// Channels of frames: one component of many things, rounded to whole numbers and predicted from the
// same channel of the frames before. Loops without branches, compiled for several instruction sets.

#include <cstddef>
#include <cstdint>

namespace sinew::record {

/// The order that predicts a channel best; with kNeighbour where the error of the neighbour before
/// is taken off as well.
using Prediction = std::uint8_t;
constexpr Prediction kNeighbour = 4;

/// Grids of the frames before, newest first. Whole numbers wrap: unpacking undoes it.
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

/// Tries predictions of up to `known` frames before on a sample of a channel.
Prediction choose_prediction(int known, const Past& past, const std::int32_t* now,
                             std::size_t first, std::size_t count);

/// The nearest whole multiples of 1/scale, ties to the even one, of every `stride`-th number. False
/// where one is too large or no number.
bool round_column(const double* from, std::size_t stride, std::size_t count, double scale,
                  std::int32_t* to);

/// Errors of numbers `begin` to `end` of a channel that begins at `first`, small of either sign
/// made small, as planes of their bytes, `stride` bytes apart.
void encode_block(Prediction prediction, const Past& past, const std::int32_t* now,
                  std::size_t first, std::size_t begin, std::size_t end, std::byte* planes,
                  std::size_t stride);

} // namespace sinew::record
