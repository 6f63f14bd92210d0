#pragma once

#include "collide/pairs/convex.h"

namespace sinew {

/// The nearest places of two cores, and the direction between them.
struct NearestPlaces {
    Vec3 on_a = {0, 0, 0}, on_b = {0, 0, 0};
    Vec3 normal = {0, 0, 0}; ///< from a to b, unit length
    bool are_known = false;
};

/// Nearest places of a's core and b's, the latter moved by `shift` (its place is given as if it
/// were not), by Gilbert, Johnson and Keerthi's descent over simplices of the difference
/// [GinoBergen03, §4.3]. `guess`: about the direction from a to b. Requires that the moved cores
/// are apart.
NearestPlaces find_nearest(const Convex& a, const Convex& b, const Vec3& shift, const Vec3& guess);

} // namespace sinew
