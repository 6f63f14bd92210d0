#pragma once

#include "collide/touch.h"

namespace sinew {

/// Where a convex shape touches triangles of a mesh: one touch of one triangle.
struct TriangleTouch {
    Vec3 normal = {0, 0, 0}; ///< the mesh's frame, from the mesh outwards
    std::uint32_t triangle = 0;
    std::array<PatchCorner, 4> corner = {}; ///< places on the shape
    int count = 0;
    std::uint32_t features = 0; ///< bits 0 to 2: touches edge i; 3 to 5: corner i; none: the face
    bool is_dropped = false;
};

constexpr std::uint32_t edge_bit(std::size_t i) { return 1u << i; }
constexpr std::uint32_t corner_bit(std::size_t i) { return 8u << i; }

/// What became of a triangle: touched, out of reach, or touched where others should be: at an edge
/// or corner in a direction that is not this triangle's to give.
enum class Verdict : std::uint8_t { touched, far, left_to_others };

Verdict touch_triangle(const CollisionMesh::Triangle& t, const Convex& body,
                       const CollideLengths& lengths, TriangleTouch& touch);

/// The body's deepest place below a triangle's plane.
TriangleTouch touch_plane_of(const CollisionMesh::Triangle& t, std::uint32_t number,
                             const Convex& body);

double lowest_gap(const TriangleTouch& touch);

} // namespace sinew
