#pragma once

#include "render/ray_scene.h"
#include "render/shade/light.h"
#include "render/shade/sampler.h"
#include "render/shade/texture.h"

#include <cstdint>

namespace sinew::picture {

/// What a ray sees: light, with its opacity, by which colour is not multiplied; and what the
/// smoothing of pictures goes by.
struct Shade {
    Vec colour;
    float opacity = 1;
    Vec albedo = {1, 1, 1};
    Vec normal = {0, 0, 0};
    Vec position = {0, 0, 0};
    bool is_fine = false; ///< hair, glass and the like: it is not smoothed
};

/// The numbers of a sample that light needs.
struct LightSample {
    Sample sun, sky, mirror, choice;
};

/// Follows rays; one for each thread, because it counts them.
class Shader {
public:
    Shader(const RayScene& rays, const Light& light, bool is_transparent)
        : rays_(rays), light_(light), is_transparent_(is_transparent)
    {
    }

    /// What a ray from the camera sees.
    Shade see(Ray ray, const LightSample& sample);

    std::uint64_t ray_count() const { return ray_count_; }

private:
    Shade see_floor(const Hit& hit, const Ray& ray, const LightSample& sample);
    Shade see_thing(const Hit& hit, const Ray& ray, const LightSample& sample);
    Shade see_fibre(const Hit& hit, const Ray& ray, const LightSample& sample);
    bool pass_glass(const Hit& hit, Ray& ray, Vec& through, const LightSample& sample) const;

    Vec sunlight(const Hit& hit, const Surface& surface, const Ray& ray, const Sample& sample);
    Vec skylight(const Hit& hit, const Surface& surface, const Ray& ray, const Sample& sample);
    Vec mirrored(const Hit& hit, const Surface& surface, const Ray& ray, const Sample& sample);
    Vec sun_through(const Ray& ray);
    Vec sun_through_hair(const Ray& ray);
    Vec quick_look(const Hit& hit) const;
    Vec floor_seen(const Hit& hit, const Vec& direction) const;

    const RayScene& rays_;
    const Light& light_;
    bool is_transparent_;
    std::uint64_t ray_count_ = 0;
};

} // namespace sinew::picture
