#pragma once

#include "math/functions.h"
#include "sinew/display.h"

namespace sinew {

/// How thick things are drawn.
struct Sizes {
    double unit = 1;  ///< [m]: a hundredth of the whole
    double small = 1; ///< [m]: the same, but less where masses lie close together

    /// [m]: between the two: a path is as long as the whole, and carries what is small.
    double path() const { return sqrt(unit * small); }
};

Sizes make_sizes(const Scene& scene, const Frame& first);

/// Radius of a mass's sphere, by the cube root of its part of the largest mass.
double mass_radius(const Sizes& sizes, double part);

} // namespace sinew
