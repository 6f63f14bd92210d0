#pragma once

#include "render/light.h"
#include "render/sampler.h"
#include "render/stage.h"

#include <cstdint>

namespace sinew::picture {

/// Light with its opacity: colour is not multiplied by it.
struct Shade {
    Vec colour;
    float opacity = 1;
};

/// The three numbers of a sample that light needs.
struct LightSample {
    Sample sun, sky, mirror;
};

/// Follows rays; one for each thread, because it counts them.
class Shader {
public:
    Shader(const Stage& stage, bool is_transparent) : stage_(stage), is_transparent_(is_transparent)
    {
    }

    /// What a ray from the camera sees.
    Shade see(const Vec& origin, const Vec& direction, const LightSample& sample);

    std::uint64_t ray_count() const { return ray_count_; }

private:
    Shade see_floor(const Hit& hit, const Vec& direction, const LightSample& sample);
    Vec see_thing(const Hit& hit, const Vec& direction, const LightSample& sample);
    Vec see_mirrored(const Hit& hit, const Vec& direction, float roughness, const Sample& sample);
    Vec quick_look(const Hit& hit) const;
    Vec floor_colour(const Hit& hit, const Vec& direction) const;

    const Stage& stage_;
    bool is_transparent_;
    Light light_ = {};
    std::uint64_t ray_count_ = 0;
};

} // namespace sinew::picture
