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

constexpr float kKnee = 0.65f;

inline float compress(float x)
{
    return x < kKnee ? max(0.0f, x) : kKnee + (1 - kKnee) * (1 - exp((kKnee - x) / (1 - kKnee)));
}

/// The light that compress made this of; no more than 2, where the curve is flat.
inline float expand(float y)
{
    const float bent = min(0.98f, (y - kKnee) / (1 - kKnee));
    return y < kKnee ? max(0.0f, y) : kKnee - (1 - kKnee) * log(1 - bent);
}

inline std::uint8_t to_byte(float x)
{
    return std::uint8_t(min(255.0f, max(0.0f, x * 255 + 0.5f)));
}

} // namespace sinew::picture
