#include "render/shade/light.h"

#include "render/image/tone.h"
#include "render/shade/texture.h"
#include "sinew/render.h"

namespace sinew::picture {

namespace {

constexpr float kPi = 3.14159265f;
constexpr float kDaylight = 1.3f; // what falls on level ground by day

/// Even over the unit disc.
struct Disc {
    float x, y;
};
Disc sample_disc(float u, float v)
{
    const float r = sqrt(u), angle = 2 * kPi * v;
    return {r * cos(angle), r * sin(angle)};
}

/// Colours and sun of a sky: towards the sun, its light, the sky's, what is seen.
struct SkyColours {
    float azimuth, elevation; ///< degrees
    Vec sun, horizon, zenith, below, back_low, back_high, floor;
};

const SkyColours& colours_of(Sky sky)
{
    static constexpr SkyColours kDay = {-36,
                                        50,
                                        {1.30f, 1.16f, 0.98f},
                                        {0.40f, 0.39f, 0.38f},
                                        {0.48f, 0.51f, 0.56f},
                                        {0.36f, 0.32f, 0.28f},
                                        {0.80f, 0.72f, 0.62f},
                                        {0.42f, 0.47f, 0.53f},
                                        {0.76f, 0.69f, 0.60f}};
    static constexpr SkyColours kClear = {-40,
                                          40,
                                          {1.55f, 1.34f, 1.04f},
                                          {0.36f, 0.44f, 0.52f},
                                          {0.26f, 0.40f, 0.64f},
                                          {0.26f, 0.24f, 0.21f},
                                          {0.62f, 0.74f, 0.84f},
                                          {0.08f, 0.20f, 0.44f},
                                          {0.60f, 0.58f, 0.54f}};
    static constexpr SkyColours kEvening = {-62,
                                            17,
                                            {2.10f, 1.18f, 0.56f},
                                            {0.46f, 0.34f, 0.32f},
                                            {0.20f, 0.24f, 0.40f},
                                            {0.20f, 0.16f, 0.15f},
                                            {0.92f, 0.52f, 0.30f},
                                            {0.11f, 0.13f, 0.28f},
                                            {0.52f, 0.46f, 0.44f}};
    static constexpr SkyColours kNight = {38,
                                          44,
                                          {0.26f, 0.31f, 0.42f},
                                          {0.050f, 0.058f, 0.085f},
                                          {0.028f, 0.036f, 0.065f},
                                          {0.030f, 0.030f, 0.035f},
                                          {0.040f, 0.052f, 0.090f},
                                          {0.006f, 0.009f, 0.022f},
                                          {0.17f, 0.18f, 0.21f}};
    static constexpr SkyColours kWhite = {-36,
                                          56,
                                          {0.85f, 0.83f, 0.80f},
                                          {0.62f, 0.63f, 0.64f},
                                          {0.70f, 0.71f, 0.72f},
                                          {0.55f, 0.55f, 0.55f},
                                          {0.93f, 0.93f, 0.93f},
                                          {0.93f, 0.93f, 0.93f},
                                          {0.93f, 0.93f, 0.93f}};
    static constexpr SkyColours kDark = {-42,
                                         48,
                                         {1.45f, 1.30f, 1.10f},
                                         {0.16f, 0.18f, 0.21f},
                                         {0.20f, 0.23f, 0.28f},
                                         {0.08f, 0.08f, 0.09f},
                                         {0.060f, 0.066f, 0.078f},
                                         {0.012f, 0.014f, 0.018f},
                                         {0.090f, 0.092f, 0.098f}};
    switch (sky) {
    case Sky::clear: return kClear;
    case Sky::evening: return kEvening;
    case Sky::night: return kNight;
    case Sky::white: return kWhite;
    case Sky::dark: return kDark;
    default: return kDay;
    }
}

/// Light and dark of a floor's pattern; of a plain one, the sky's own.
struct FloorColours {
    Vec light, dark;
};

FloorColours colours_of(Floor floor, const Vec& plain)
{
    switch (floor) {
    case Floor::grass: return {{0.22f, 0.29f, 0.09f}, {0.09f, 0.14f, 0.04f}};
    case Floor::wood: return {{0.50f, 0.32f, 0.17f}, {0.27f, 0.15f, 0.07f}};
    case Floor::stone: return {{0.50f, 0.46f, 0.41f}, {0.36f, 0.33f, 0.29f}};
    case Floor::tiles: return {{0.72f, 0.71f, 0.68f}, {0.46f, 0.45f, 0.43f}};
    default: return {plain, plain};
    }
}

Vec direction_of(float azimuth, float elevation)
{
    return {cos(elevation) * sin(azimuth), sin(elevation), cos(elevation) * cos(azimuth)};
}

} // namespace

Light::Light(const Studio& studio)
{
    constexpr float kDegree = kPi / 180;
    const SkyColours& from = colours_of(studio.sky);
    const float factor = float(studio.light);
    sun_direction =
        direction_of(studio.azimuth ? float(*studio.azimuth) : from.azimuth * kDegree,
                     studio.elevation ? float(*studio.elevation) : from.elevation * kDegree);
    sun = from.sun * factor;
    sun_radius = 0.012f + 0.14f * float(studio.softness);
    horizon = from.horizon * factor;
    zenith = from.zenith * factor;
    below = from.below * factor;
    ambient = (horizon + zenith * 2.0f) / 3.0f;
    back_low = from.back_low;
    back_high = from.back_high;
    if (studio.backdrop)
        back_low = back_high = to_linear(*studio.backdrop);
    lamp = from.sun * (4.2f * factor);
    fill = from.zenith * (1.4f * factor);
    const FloorColours two = colours_of(studio.floor, studio.backdrop ? back_low : from.floor);
    // A plain floor is as bright as its sky; others are seen in its light, halfway: eyes adapt.
    Vec seen = {1, 1, 1};
    if (studio.floor != Floor::plain) {
        const Vec full = (sun * sun_direction.y + ambient) / kDaylight;
        seen = {sqrt(full.x), sqrt(full.y), sqrt(full.z)};
    }
    floor = multiply(two.light, seen);
    floor_dark = multiply(two.dark, seen);
    pattern = studio.floor;
    fade = pattern == Floor::plain ? 4.5f : 14.0f;
}

Vec Light::sky(const Vec& direction) const
{
    return direction.y > 0 ? mix(horizon, zenith, sqrt(direction.y))
                           : mix(horizon, below, min(1.0f, -4 * direction.y));
}

Vec Light::sky_in_mirror(const Vec& direction) const
{
    // A large soft lamp where the sun stands, and a faint long one on the other side.
    const float key = smooth_step(0.86f, 0.95f, dot(direction, sun_direction));
    const Vec side = normalised(Vec{-sun_direction.x, 0.35f, -0.4f * sun_direction.z});
    const float rim = smooth_step(0.80f, 0.97f, dot(direction, side));
    return sky(direction) + lamp * key + fill * rim;
}

Vec Light::background(const Vec& direction) const
{
    return mix(back_low, back_high, smooth_step(-0.25f, 0.5f, direction.y));
}

Vec Light::sample_sun(float u, float v) const
{
    const Tangents t = make_tangents(sun_direction);
    const Disc disc = sample_disc(u, v);
    return normalised(sun_direction + (t.u * disc.x + t.v * disc.y) * sun_radius);
}

Vec Light::floor_colour(const Vec& place, const Vec& direction) const
{
    const Vec across{place.x, 0, place.z};
    const float far = smooth_step(0.6f, fade, length(across));
    const Vec behind = background({direction.x, max(direction.y, -0.08f), direction.z});
    if (far >= 1)
        return behind;
    const Vec near =
        pattern == Floor::plain ? floor : mix(floor_dark, floor, floor_pattern(pattern, place));
    return mix(near, behind, far);
}

Vec sample_around(const Vec& normal, float u, float v)
{
    const Tangents t = make_tangents(normal);
    const Disc disc = sample_disc(u, v);
    return t.u * disc.x + t.v * disc.y + normal * sqrt(max(0.0f, 1 - u));
}

Vec sample_facet(const Vec& normal, float alpha, float u, float v)
{
    const Tangents t = make_tangents(normal);
    const float tangent2 = alpha * alpha * u / max(1e-6f, 1 - u), cosine = 1 / sqrt(1 + tangent2);
    const float sine = sqrt(max(0.0f, 1 - cosine * cosine)), angle = 2 * kPi * v;
    return t.u * (sine * cos(angle)) + t.v * (sine * sin(angle)) + normal * cosine;
}

} // namespace sinew::picture

namespace sinew {

StudioHues hues_of(const Studio& studio)
{
    const auto exact = [](const picture::Vec& v) { return Vec3{v.x, v.y, v.z}; };
    const picture::Light light(studio);
    return {exact(light.back_low), exact(light.back_high),
            exact(picture::mix(light.floor_dark, light.floor, 0.6f)), exact(light.sun_direction)};
}

} // namespace sinew
