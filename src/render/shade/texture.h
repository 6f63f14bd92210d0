#pragma once

// Patterns of surfaces, made of noise: nothing is read from files.

#include "render/ray_scene.h"

namespace sinew::picture {

/// Smooth noise, −1 to 1, with features of about 1.
float noise(const Vec& p);

/// A surface with its pattern: what a hit has where it is shaded.
struct Surface {
    Vec colour, normal;
    float roughness = 0;
};

Surface surface_at(const Hit& hit);

/// 0 dark to 1 light: the floor's pattern at a place.
float floor_pattern(Floor floor, const Vec& place);

} // namespace sinew::picture
