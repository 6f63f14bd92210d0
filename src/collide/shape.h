#pragma once

#include "geometry/hull.h"
#include "sinew/math.h"

#include <cstdint>
#include <memory>

namespace sinew {

enum class CollisionKind : std::uint8_t {
    sphere,
    capsule, ///< about a piece of the y axis
    box,
    hull,
    plane ///< everything below y = 0 of its frame
};

/// A convex shape in its own frame; never changes.
struct CollisionShape {
    CollisionKind kind = CollisionKind::sphere;
    double radius = 0;          ///< of a sphere or capsule
    Vec3 half = {0, 0, 0};      ///< of a box; of a capsule: y, the straight part
    Hull hull = {};             ///< of a box too, so that one clipping serves both
    double bounding_radius = 0; ///< about the origin; infinite for a plane
};

CollisionShape make_sphere(double radius);
CollisionShape make_capsule(double radius, double length);
CollisionShape make_box(const Vec3& size);
CollisionShape make_convex(Hull hull);
CollisionShape make_plane();

/// A shape somewhere.
struct Placed {
    const CollisionShape* shape = nullptr;
    Vec3 x = {0, 0, 0}; ///< of its frame
    Mat3 R = Mat3::identity();

    Vec3 to_world(const Vec3& local) const { return x + R * local; }
    Vec3 to_local(const Vec3& world) const { return transpose(R) * (world - x); }
};

/// Half the size of the box around a placed shape. Requires that it is no plane.
Vec3 extent_of(const Placed& placed);

} // namespace sinew
