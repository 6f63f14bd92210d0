#pragma once

// The studio: a pale sky, brighter above; a large soft sun from the upper left; a floor that melts
// into the background. Linear colours throughout; see tone.h for the way to the screen.

#include "render/vector.h"

namespace sinew::picture {

struct Light {
    Vec sun_direction = normalised(Vec{-0.45f, 1.0f, 0.62f}); ///< towards it
    Vec sun = {1.08f, 1.01f, 0.92f};
    float sun_radius = 0.075f;           ///< tangent of half its angle
    Vec ambient = {0.40f, 0.43f, 0.48f}; ///< the mean of the sky
};

/// What comes from a direction where nothing is.
Vec sky(const Vec& direction);

/// The same with the lamps that only mirrors show.
Vec sky_in_mirror(const Light& light, const Vec& direction);

/// What a picture has behind everything.
Vec background(const Vec& direction);

/// A direction of the sun's disc; u, v in 0 to 1.
Vec sample_sun(const Light& light, float u, float v);

/// A direction around a normal, more often near it: by the cosine.
Vec sample_around(const Vec& normal, float u, float v);

} // namespace sinew::picture
