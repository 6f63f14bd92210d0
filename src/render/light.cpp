#include "render/light.h"

namespace sinew::picture {

namespace {

constexpr float kPi = 3.14159265f;
constexpr Vec kHorizon = {0.36f, 0.39f, 0.43f};
constexpr Vec kZenith = {0.55f, 0.59f, 0.65f};
constexpr Vec kBelow = {0.36f, 0.35f, 0.34f};

/// Even over the unit disc.
struct Disc {
    float x, y;
};
Disc sample_disc(float u, float v)
{
    const float r = sqrt(u), angle = 2 * kPi * v;
    return {r * cos(angle), r * sin(angle)};
}

} // namespace

Vec sky(const Vec& direction)
{
    return direction.y > 0 ? mix(kHorizon, kZenith, sqrt(direction.y))
                           : mix(kHorizon, kBelow, min(1.0f, -4 * direction.y));
}

Vec sky_in_mirror(const Light& light, const Vec& direction)
{
    // A large lamp where the sun stands, and a faint long one on the other side.
    const float key = smooth_step(0.86f, 0.93f, dot(direction, light.sun_direction));
    const Vec side = normalised(Vec{0.85f, 0.35f, 0.25f});
    const float fill = smooth_step(0.90f, 0.97f, dot(direction, side));
    return sky(direction) + Vec{5.0f, 4.8f, 4.5f} * key + Vec{0.8f, 0.9f, 1.0f} * fill;
}

Vec background(const Vec& direction)
{
    constexpr Vec kLow = {0.66f, 0.72f, 0.78f};
    constexpr Vec kHigh = {0.24f, 0.33f, 0.45f};
    return mix(kLow, kHigh, smooth_step(-0.3f, 0.45f, direction.y));
}

Vec sample_sun(const Light& light, float u, float v)
{
    const Tangents t = make_tangents(light.sun_direction);
    const Disc disc = sample_disc(u, v);
    return normalised(light.sun_direction + (t.u * disc.x + t.v * disc.y) * light.sun_radius);
}

Vec sample_around(const Vec& normal, float u, float v)
{
    const Tangents t = make_tangents(normal);
    const Disc disc = sample_disc(u, v);
    return t.u * disc.x + t.v * disc.y + normal * sqrt(max(0.0f, 1 - u));
}

} // namespace sinew::picture
