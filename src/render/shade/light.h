#pragma once

// What is around the things: a sky, a soft sun, a floor that melts into the background. Linear
// colours throughout; see tone.h for the way to the screen.

#include "render/vector.h"
#include "sinew/look.h"

namespace sinew::picture {

/// A studio as rays ask for it.
struct Light {
    Vec sun_direction; ///< towards it
    Vec sun;
    float sun_radius;           ///< tangent of half its angle
    Vec ambient;                ///< the mean of the sky
    Vec horizon, zenith, below; ///< of the sky that lights things
    Vec back_low, back_high;    ///< of the sky that is seen
    Vec lamp, fill;             ///< what mirrors see where the sun stands, and opposite
    Vec floor;                  ///< its colour near the middle
    Vec floor_dark;             ///< of its pattern
    Floor pattern = Floor::plain;
    float fade = 4.5f; ///< how far away the floor is lost in the background

    explicit Light(const Studio& studio);

    /// What comes from a direction where nothing is.
    Vec sky(const Vec& direction) const;

    /// The same with the lamps that only mirrors show.
    Vec sky_in_mirror(const Vec& direction) const;

    /// What a picture has behind everything.
    Vec background(const Vec& direction) const;

    /// A direction of the sun's disc; u, v in 0 to 1.
    Vec sample_sun(float u, float v) const;

    /// The floor's colour at a place, seen along a direction.
    Vec floor_colour(const Vec& place, const Vec& direction) const;
};

/// A direction around a normal, more often near it: by the cosine.
Vec sample_around(const Vec& normal, float u, float v);

/// A facet of a rough surface, towards which light is mirrored: by Trowbridge and Reitz's
/// distribution of width alpha [Walter07].
Vec sample_facet(const Vec& normal, float alpha, float u, float v);

} // namespace sinew::picture
