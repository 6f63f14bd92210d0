// What a ray sees: the sun with soft shadows, the sky with one bounce, a polish or metal.
//
// The floor has the colour of the background, times the part of the light that reaches it: where
// nothing is near it has no edge and no noise, and a picture without background keeps its shadows.

#include "render/shade/shade.h"

namespace sinew::picture {

namespace {

constexpr float kBounce = 0.55f; // of a colour, what its neighbours get of it
constexpr float kFade = 6;       // of the floor's mirror, with the height above it
constexpr float kDepth = 0.75f;  // where it has faded
constexpr float kFloorRoughness = 0.08f;
constexpr float kMatt = 0.7f; // roughness from which nothing is mirrored
constexpr int kMostSurfaces = 8;

float fresnel(float straight_on, float cosine)
{
    const float t = 1 - min(1.0f, max(0.0f, cosine)), t2 = t * t;
    return straight_on + (1 - straight_on) * t2 * t2 * t;
}

Vec mirrored_way(const Vec& direction, const Vec& normal)
{
    return direction - normal * (2 * dot(direction, normal));
}

} // namespace

Shade Shader::see(Ray ray, const LightSample& sample)
{
    Vec through = {1, 1, 1};
    bool is_fine = false;
    for (int i = 0; i < kMostSurfaces; ++i) {
        ++ray_count_;
        const std::optional<Hit> hit = rays_.find_hit(ray);
        if (hit && !hit->is_floor && hit->paint->transparency > sample.choice.u &&
            i + 1 < kMostSurfaces) {
            is_fine = true;
            if (pass_glass(*hit, ray, through, sample))
                continue;
            return {multiply(through, light_.sky_in_mirror(ray.direction)),
                    1,
                    {1, 1, 1},
                    hit->normal,
                    {},
                    true};
        }
        Shade shade;
        if (!hit)
            shade = {light_.background(ray.direction),
                     is_transparent_ && !is_fine ? 0.0f : 1.0f,
                     {1, 1, 1},
                     {0, 0, 0},
                     {0, 0, 0},
                     is_fine};
        else if (hit->is_floor)
            shade = see_floor(*hit, ray, sample);
        else if (hit->paint->is_fibre() && length(hit->tangent) > 0)
            shade = see_fibre(*hit, ray, sample);
        else
            shade = see_thing(*hit, ray, sample);
        if (hit && hit->is_plane && !hit->is_floor) {
            const Vec across{hit->position.x, 0, hit->position.z};
            const float far = smooth_step(2.5f, 16.0f, length(across));
            shade.colour = mix(shade.colour, light_.background(ray.direction), far);
        }
        shade.colour = multiply(through, shade.colour);
        shade.is_fine = shade.is_fine || is_fine;
        return shade;
    }
    return {};
}

/// Without shadows: for what is seen in a mirror or lends its colour.
Vec Shader::quick_look(const Hit& hit) const
{
    const float sun = max(0.0f, dot(hit.normal, light_.sun_direction));
    return multiply(hit.paint->colour,
                    light_.ambient + light_.sun * (0.7f * sun) + Vec{1, 1, 1} * hit.paint->glow);
}

/// The floor as other things see it.
Vec Shader::floor_seen(const Hit& hit, const Vec& direction) const
{
    return light_.floor_colour(hit.position, direction);
}

/// The sun's light at a place: through glass, not through other things.
Vec Shader::sun_through(const Ray& ray)
{
    ++ray_count_;
    if (!rays_.has_glass())
        return rays_.is_blocked(ray) ? Vec{0, 0, 0} : light_.sun;
    Vec light = light_.sun;
    Ray on = ray;
    for (int i = 0; i < kMostSurfaces; ++i) {
        const std::optional<Hit> hit = rays_.find_thing(on);
        if (!hit)
            return light;
        const float clear = hit->paint->transparency;
        if (clear == 0)
            return {0, 0, 0};
        const float passed = clear * (1 - fresnel(0.04f, -dot(on.direction, hit->normal)));
        light = multiply(light, mix(Vec{1, 1, 1}, hit->paint->colour, 0.5f)) * passed;
        on.origin = hit->position - hit->normal * 2e-4f;
    }
    return {0, 0, 0};
}

Shade Shader::see_floor(const Hit& hit, const Ray& ray, const LightSample& sample)
{
    ray_count_ += 2; // to the sky, in the mirror
    const Vec full = light_.sun * light_.sun_direction.y + light_.ambient;
    Vec light =
        sun_through({hit.position, light_.sample_sun(sample.sun.u, sample.sun.v), ray.time}) *
        light_.sun_direction.y;
    const Vec up = sample_around(hit.normal, sample.sky.u, sample.sky.v);
    if (const std::optional<Hit> above = rays_.find_thing({hit.position, up, ray.time}))
        light += quick_look(*above) * (0.5f * kBounce);
    else
        light += light_.ambient;
    const Vec part{light.x / full.x, light.y / full.y, light.z / full.z};
    if (is_transparent_)
        return {{0, 0, 0}, 1 - min(1.0f, luminance(part)), {1, 1, 1}, hit.normal, hit.position};
    const Vec own = light_.floor_colour(hit.position, ray.direction);
    Vec colour = multiply(own, part);
    const Vec around = sample_around(hit.normal, sample.mirror.u, sample.mirror.v);
    const Vec down = normalised(mirrored_way(ray.direction, hit.normal) + around * kFloorRoughness);
    const bool is_polished = light_.pattern != Floor::grass && light_.pattern != Floor::stone;
    if (const std::optional<Hit> below =
            is_polished ? rays_.find_thing({hit.position, down, ray.time}, kDepth) : std::nullopt)
        colour = mix(colour, quick_look(*below),
                     min(0.35f, fresnel(0.05f, -dot(ray.direction, hit.normal))) *
                         exp(-kFade * below->distance));
    return {colour, 1, own, hit.normal, hit.position};
}

/// On through a clear body, or off its surface; the sample decides.
bool Shader::pass_glass(const Hit& hit, Ray& ray, Vec& through, const LightSample& sample) const
{
    constexpr float kIndex = 1.5f;
    const float ratio = hit.is_inside ? kIndex : 1 / kIndex;
    const float cosine = -dot(ray.direction, hit.normal);
    const float inner = 1 - ratio * ratio * (1 - cosine * cosine);
    const float part = inner <= 0 ? 1 : fresnel(0.04f, hit.is_inside ? sqrt(inner) : cosine);
    if (hit.is_inside)
        through = multiply(through, hit.paint->colour);
    if (sample.choice.v < part) {
        ray.direction = normalised(mirrored_way(ray.direction, hit.normal));
        ray.origin = hit.position;
        // Off the outside the sky is enough, unless something stands there.
        return hit.is_inside || rays_.find_hit(ray).has_value();
    }
    ray.direction = normalised(ray.direction * ratio + hit.normal * (ratio * cosine - sqrt(inner)));
    ray.origin = hit.position - hit.normal * 2e-4f;
    return true;
}

/// What the sun gives to a dull surface; some of it through thin things from behind.
Vec Shader::sunlight(const Hit& hit, const Surface& surface, const Ray& ray, const Sample& sample)
{
    const Vec to_sun = light_.sample_sun(sample.u, sample.v);
    const float cosine = dot(surface.normal, to_sun), thin = hit.paint->translucency;
    const bool is_behind = dot(hit.normal, to_sun) <= 0;
    const float received = is_behind ? thin * 0.6f * max(0.0f, -cosine)
                                     : max(0.0f, (cosine + 0.3f * thin) / (1 + 0.3f * thin));
    if (received <= 0)
        return {0, 0, 0};
    const Vec start = is_behind ? hit.position - hit.normal * 2e-4f : hit.position;
    // Light that came through is warmer: its colour acts twice.
    const Vec tint = is_behind ? mix(Vec{1, 1, 1}, surface.colour, 0.5f) : Vec{1, 1, 1};
    return multiply(sun_through({start, to_sun, ray.time}), tint) * received;
}

Vec Shader::skylight(const Hit& hit, const Surface& surface, const Ray& ray, const Sample& sample)
{
    ++ray_count_;
    const Vec around = sample_around(surface.normal, sample.u, sample.v);
    const std::optional<Hit> other = rays_.find_hit({hit.position, around, ray.time});
    if (!other)
        return light_.sky(around);
    if (other->is_floor)
        return floor_seen(*other, around) * 0.55f;
    return quick_look(*other) * kBounce;
}

Vec Shader::mirrored(const Hit& hit, const Surface& surface, const Ray& ray, const Sample& sample)
{
    ++ray_count_;
    const float alpha = max(0.02f, surface.roughness * surface.roughness);
    const Vec facet = sample_facet(surface.normal, alpha, sample.u, sample.v);
    Vec way = mirrored_way(ray.direction, facet);
    if (dot(way, hit.normal) <= 0.01f)
        way = way + hit.normal * (0.02f - dot(way, hit.normal));
    const Ray out{hit.position, normalised(way), ray.time};
    const std::optional<Hit> seen = rays_.find_hit(out);
    if (!seen)
        return light_.sky_in_mirror(out.direction);
    return seen->is_floor ? floor_seen(*seen, out.direction) * 0.7f : quick_look(*seen);
}

Shade Shader::see_thing(const Hit& hit, const Ray& ray, const LightSample& sample)
{
    const Paint& paint = *hit.paint;
    const Surface surface = surface_at(hit);
    const float cosine = max(0.0f, -dot(ray.direction, surface.normal));
    Vec colour = surface.colour * paint.glow;
    if (paint.metal < 1) {
        Vec light =
            sunlight(hit, surface, ray, sample.sun) + skylight(hit, surface, ray, sample.sky);
        const float rim = paint.sheen * pow(1 - cosine, 3.0f);
        colour += multiply(mix(surface.colour, Vec{1, 1, 1}, 0.4f * rim), light) *
                  ((1 - paint.metal) * (1 + 0.5f * rim));
    }
    const float rough = surface.roughness, dull = (1 - 0.7f * rough);
    const float coat = dull * fresnel(0.04f, cosine) * (1 - paint.metal);
    if (paint.metal > 0 || rough < kMatt) {
        const Vec seen = mirrored(hit, surface, ray, sample.mirror);
        const float edge = fresnel(0, cosine) * dull;
        const Vec of_metal = mix(surface.colour, Vec{1, 1, 1}, edge);
        colour = colour * (1 - coat) + seen * coat + multiply(seen, of_metal) * paint.metal;
    } else
        colour += light_.ambient * (0.5f * coat);
    const Vec albedo = mix(surface.colour, Vec{1, 1, 1}, 0.5f * coat) + Vec{1, 1, 1} * 0.02f;
    return {colour, 1, albedo, surface.normal, hit.position, paint.metal > 0.5f && rough < 0.2f};
}

/// The sun through other hairs: each takes some of it and passes the rest on.
Vec Shader::sun_through_hair(const Ray& ray)
{
    Vec light = light_.sun;
    Ray on = ray;
    for (int i = 0; i < 5; ++i) {
        ++ray_count_;
        const std::optional<Hit> hit = rays_.find_thing(on);
        if (!hit)
            return light;
        if (!hit->paint->is_fibre())
            return {0, 0, 0};
        const Vec& c = hit->paint->colour;
        light = multiply(light, Vec{sqrt(c.x), sqrt(c.y), sqrt(c.z)}) * 0.75f;
        on.origin = hit->position + on.direction * 2e-4f;
    }
    return light * 0.4f;
}

Shade Shader::see_fibre(const Hit& hit, const Ray& ray, const LightSample& sample)
{
    constexpr float kMirror = 2.6f; // the sun is a small lamp here: what it lights is seen once
    const Paint& paint = *hit.paint;
    const Vec to_sun = light_.sample_sun(sample.sun.u, sample.sun.v);
    const Vec out = unit_or(hit.normal - hit.tangent * dot(hit.normal, hit.tangent),
                            make_tangents(hit.tangent).u);
    const Vec sun = sun_through_hair({hit.position + out * 1e-4f, to_sun, ray.time});
    Vec colour = {0, 0, 0};
    if (luminance(sun) > 0) {
        const Vec once = paint.fibre.scatter(hit.tangent, -ray.direction, to_sun, hit.across);
        const float along = dot(to_sun, hit.tangent);
        // What many hairs have passed on has lost its direction and gained their colour.
        const Vec many = paint.colour * (0.3f * sqrt(max(0.0f, 1 - along * along)));
        colour = multiply(once * kMirror + many, sun);
    }
    ++ray_count_;
    const Vec around = sample_around(out, sample.sky.u, sample.sky.v);
    const std::optional<Hit> other = rays_.find_hit({hit.position, around, ray.time});
    const Vec light = !other            ? light_.sky(around)
                      : other->is_floor ? floor_seen(*other, around) * 0.55f
                                        : multiply(quick_look(*other), {0.6f, 0.6f, 0.6f});
    colour += multiply(paint.colour, light);
    return {colour, 1, paint.colour + Vec{0.02f, 0.02f, 0.02f}, out, hit.position, true};
}

} // namespace sinew::picture
