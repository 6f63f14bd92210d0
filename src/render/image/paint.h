#pragma once

// How a thing looks, as shading takes it.

#include "render/shade/fibre.h"
#include "render/vector.h"
#include "sinew/look.h"
#include "sinew/render.h"

#include <cstdint>

namespace sinew::picture {

/// Coordinates of the picture to those of a thing: its patterns go with it.
struct LocalFrame {
    Vec origin = {0, 0, 0};
    Vec x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}; ///< unit length

    Vec local(const Vec& p) const
    {
        const Vec d = p - origin;
        return {dot(d, x), dot(d, y), dot(d, z)};
    }
    Vec world(const Vec& d) const { return x * d.x + y * d.y + z * d.z; }
};

struct Paint {
    Vec colour = {0, 0, 0}; ///< linear
    std::uint32_t object = Image::kNothing;
    float roughness = 0.35f, metal = 0, transparency = 0, translucency = 0, sheen = 0, glow = 0,
          relief = 0;
    LookPattern pattern = LookPattern::none;
    LocalFrame frame = {};
    float grain = 1; ///< the size of its pattern's features
    int axis = 1;    ///< along which wood grows
    Fibre fibre = {};

    bool is_fibre() const { return pattern == LookPattern::hair; }
};

} // namespace sinew::picture
