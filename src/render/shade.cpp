// What a ray sees: the sun with soft shadows, the sky with one bounce, a thin polish.
//
// The floor has the colour of the background, times the part of the light that reaches it: where
// nothing is near it has no edge and no noise, and a picture without background keeps its shadows.

#include "render/shade.h"

namespace sinew::picture {

namespace {

constexpr float kBounce = 0.55f; // of a colour, what its neighbours get of it
constexpr float kFade = 6;       // of the floor's mirror, with the height above it
constexpr float kDepth = 0.75f;  // where it has faded
constexpr float kThingRoughness = 0.06f, kFloorRoughness = 0.08f;

float fresnel(float straight_on, float cosine)
{
    const float t = 1 - min(1.0f, max(0.0f, cosine)), t2 = t * t;
    return straight_on + (1 - straight_on) * t2 * t2 * t;
}

} // namespace

Shade Shader::see(const Vec& origin, const Vec& direction, const LightSample& sample)
{
    ++ray_count_;
    const std::optional<Hit> hit = stage_.find_hit(origin, direction);
    if (!hit)
        return {background(direction), is_transparent_ ? 0.0f : 1.0f};
    if (hit->is_floor)
        return see_floor(*hit, direction, sample);
    return {see_thing(*hit, direction, sample), 1};
}

/// Without shadows: for what is seen in a mirror or lends its colour.
Vec Shader::quick_look(const Hit& hit) const
{
    const float sun = max(0.0f, dot(hit.normal, light_.sun_direction));
    return multiply(hit.colour, light_.ambient + light_.sun * (0.8f * sun));
}

Vec Shader::floor_colour(const Hit& hit, const Vec& direction) const
{
    constexpr Vec kNear = {0.80f, 0.81f, 0.81f};
    const Vec across{hit.position.x, 0, hit.position.z};
    const float far = smooth_step(0.6f, 4.5f, length(across));
    return mix(kNear, background(direction), far);
}

Shade Shader::see_floor(const Hit& hit, const Vec& direction, const LightSample& sample)
{
    ray_count_ += 3; // to the sun, to the sky, in the mirror
    const Vec all = light_.sun * light_.sun_direction.y + light_.ambient;
    Vec light = {0, 0, 0};
    if (!stage_.is_blocked(hit.position, sample_sun(light_, sample.sun.u, sample.sun.v)))
        light = light_.sun * light_.sun_direction.y;
    const Vec up = sample_around(hit.normal, sample.sky.u, sample.sky.v);
    if (const std::optional<Hit> above = stage_.find_thing(hit.position, up))
        light += quick_look(*above) * (0.5f * kBounce);
    else
        light += light_.ambient;
    const Vec part{light.x / all.x, light.y / all.y, light.z / all.z};
    if (is_transparent_)
        return {{0, 0, 0}, 1 - min(1.0f, luminance(part))};
    Vec colour = multiply(floor_colour(hit, direction), part);
    const Vec down = direction - hit.normal * (2 * dot(direction, hit.normal));
    const Vec around = sample_around(hit.normal, sample.mirror.u, sample.mirror.v);
    if (const std::optional<Hit> mirrored =
            stage_.find_thing(hit.position, normalised(down + around * kFloorRoughness), kDepth))
        colour = mix(colour, quick_look(*mirrored),
                     min(0.35f, fresnel(0.05f, -dot(direction, hit.normal))) *
                         exp(-kFade * mirrored->distance));
    return {colour, 1};
}

Vec Shader::see_mirrored(const Hit& hit, const Vec& direction, float roughness,
                         const Sample& sample)
{
    const Vec out = direction - hit.normal * (2 * dot(direction, hit.normal));
    const Vec around = sample_around(hit.normal, sample.u, sample.v);
    const Vec way = normalised(out + around * roughness);
    const std::optional<Hit> mirrored = stage_.find_hit(hit.position, way);
    if (!mirrored)
        return sky_in_mirror(light_, way);
    return mirrored->is_floor ? floor_colour(*mirrored, way) * 0.7f : quick_look(*mirrored);
}

Vec Shader::see_thing(const Hit& hit, const Vec& direction, const LightSample& sample)
{
    ray_count_ += 3;
    Vec light = {0, 0, 0};
    const Vec to_sun = sample_sun(light_, sample.sun.u, sample.sun.v);
    const float cosine = dot(hit.normal, to_sun);
    if (cosine > 0 && !stage_.is_blocked(hit.position, to_sun))
        light = light_.sun * cosine;
    const Vec around = sample_around(hit.normal, sample.sky.u, sample.sky.v);
    const std::optional<Hit> other = stage_.find_hit(hit.position, around);
    if (!other)
        light += sky(around);
    else if (other->is_floor)
        light += floor_colour(*other, around) * 0.55f;
    else
        light += quick_look(*other) * kBounce;
    const float polish = fresnel(0.04f, -dot(direction, hit.normal));
    const Vec mirrored = see_mirrored(hit, direction, kThingRoughness, sample.mirror);
    return multiply(hit.colour, light) * (1 - polish) + mirrored * polish;
}

} // namespace sinew::picture
