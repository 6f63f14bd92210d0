#pragma once

#include "collide/manifold.h"

namespace sinew {

/// A sphere against a cylinder or cone, exactly: in the plane through the axis and the centre.
void collide_sphere_revolved(const Placed& sphere, const Placed& revolved, bool sphere_is_a,
                             const CollideLengths& lengths, Manifold& manifold);

/// Convex shapes of any kind but planes.
void collide_convex(const Placed& a, const Placed& b, const CollideLengths& lengths,
                    Manifold& manifold);

} // namespace sinew
