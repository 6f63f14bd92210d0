#pragma once

#include "collide/manifold.h"

#include <optional>

namespace sinew {

/// Spheres and capsules against each other: about their cores, points or pieces of lines.
void collide_round(const Placed& a, const Placed& b, const CollideLengths& lengths,
                   Manifold& manifold);

/// The gap between a round stick from p to q and a sphere, capsule or plane, negative where they
/// overlap; none for other shapes.
std::optional<double> find_gap_of_stick(const Vec3& p, const Vec3& q, double radius,
                                        const Placed& other);

/// A sphere or capsule against a box or hull.
void collide_round_hull(const Placed& round, const Placed& hull, bool hull_is_a,
                        const CollideLengths& lengths, Manifold& manifold);

/// Anything against a plane.
void collide_plane(const Placed& plane, const Placed& other, bool plane_is_a,
                   const CollideLengths& lengths, Manifold& manifold);

} // namespace sinew
