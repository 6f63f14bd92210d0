#include "math/finite.h"

#include "base/clones.h"

#include <array>
#include <cmath>
#include <cstddef>

namespace sinew {

namespace {

/// Nothing times a number is nothing; times what is no number it is no number, and stays so in a
/// sum.
SINEW_CLONES double sum_of_nothing(const double* numbers, std::size_t count)
{
    constexpr std::size_t kLanes = 8;
    std::array<double, kLanes> sums = {};
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes)
        for (std::size_t k = 0; k < kLanes; ++k)
            sums[k] += numbers[i + k] * 0.0;
    double rest = 0;
    for (const double sum : sums)
        rest += sum;
    for (; i < count; ++i)
        rest += numbers[i] * 0.0;
    return rest;
}

} // namespace

bool are_finite(std::span<const double> numbers)
{
    return std::isfinite(sum_of_nothing(numbers.data(), numbers.size()));
}

} // namespace sinew
