#pragma once

#include <bit>
#include <cstdint>

namespace sinew {

/// The nearest half-precision number's bits (IEEE 754 binary16), ties to even. Requires |x| < 65504
/// and finite.
inline std::uint16_t to_half(float x)
{
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
    if (size <
        0x38800000) { // below 2⁻¹⁴: a multiple of 2⁻²⁴, by adding a number whose last bit is that
        const float shifted = std::bit_cast<float>(size) + 0.5f;
        return std::uint16_t(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000));
    }
    const std::uint32_t odd = size >> 13 & 1;
    return std::uint16_t(sign | ((size - 0x38000000 + 0xfff + odd) >> 13));
}

inline float from_half(std::uint16_t half)
{
    const std::uint32_t sign = (half & 0x8000u) << 16, size = half & 0x7fffu;
    if (size < 0x400) {
        const float value = float(size) * 0x1p-24f;
        return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) | sign);
    }
    return std::bit_cast<float>(sign | ((size << 13) + 0x38000000));
}

} // namespace sinew
