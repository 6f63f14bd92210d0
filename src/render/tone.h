#pragma once

// From light to the screen and back. The curve is straight up to kKnee, so that a script's colours
// come out as written where light falls on them fully, and bends smoothly towards white above.

#include "render/vector.h"

#include <cstdint>

namespace sinew::picture {

inline float to_linear(float s)
{
    return s <= 0.04045f ? s / 12.92f : pow((s + 0.055f) / 1.055f, 2.4f);
}

inline Vec to_linear(const Vec3& c)
{
    return {to_linear(float(c.x)), to_linear(float(c.y)), to_linear(float(c.z))};
}

inline float to_screen(float x)
{
    return x <= 0.0031308f ? 12.92f * x : 1.055f * pow(x, 1 / 2.4f) - 0.055f;
}

inline float compress(float x)
{
    constexpr float kKnee = 0.65f;
    return x < kKnee ? max(0.0f, x) : kKnee + (1 - kKnee) * (1 - exp((kKnee - x) / (1 - kKnee)));
}

inline std::uint8_t to_byte(float x)
{
    return std::uint8_t(min(255.0f, max(0.0f, x * 255 + 0.5f)));
}

} // namespace sinew::picture
