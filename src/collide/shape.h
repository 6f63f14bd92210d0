#pragma once

#include "collide/mesh/mesh.h"
#include "geometry/hull.h"
#include "sinew/math.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sinew {

enum class CollisionKind : std::uint8_t {
    sphere,
    capsule, ///< about a piece of the y axis
    box,
    hull,
    plane,    ///< everything below y = 0 of its frame
    cylinder, ///< about the y axis, centred
    cone,     ///< about the y axis: foot at −half.y, tip at +half.y
    mesh,     ///< triangles seen from their front; moves by itself or not at all
    ellipsoid ///< half: its radii
};

/// A shape in its own frame; never changes. All but meshes are convex.
struct CollisionShape {
    CollisionKind kind = CollisionKind::sphere;
    double radius = 0; ///< of a sphere, capsule, cylinder; of a cone's foot
    Vec3 half = {
        0, 0,
        0}; ///< of a box or ellipsoid; of a cylinder or cone: y; of a capsule: y, the straight part
    Hull hull = {};             ///< of a box too, so that one clipping serves both
    double bounding_radius = 0; ///< about the origin; infinite for a plane
    Vec3 middle = {0, 0, 0};    ///< a place inside
    std::shared_ptr<const CollisionMesh> mesh = {};
};

CollisionShape make_sphere(double radius);
CollisionShape make_capsule(double radius, double length);
CollisionShape make_box(const Vec3& size);
CollisionShape make_convex(Hull hull);
CollisionShape make_plane();
CollisionShape make_cylinder(double radius, double length);
CollisionShape make_cone(double radius, double length);
CollisionShape make_ellipsoid(const Vec3& radii);

/// A surface that bodies touch from its front. It may be open.
CollisionShape make_mesh(const TriangleMesh& mesh);

/// The same with everything below it solid: what sinks in deep still comes out on top. Heights go
/// row by row, x fastest, `step` apart, the middle of the grid at the origin, y up. Requires at
/// least two rows and columns.
CollisionShape make_height_field(std::span<const double> heights, std::size_t columns, double step);
CollisionShape make_height_field(const TriangleMesh& mesh);

/// A solid with hollows that moves: convex pieces in the frame of the surface, which must be
/// closed. They stand out of it by no more than `tolerance` [m]; 0: exactly. Mass comes from the
/// surface.
Result<std::vector<CollisionShape>> make_moving_mesh(const TriangleMesh& mesh, double tolerance);

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
