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

/// A corner of the mesh at which a face or edge is touched.
struct CoveredCorner {
    std::uint32_t corner = 0;
    double gap = 0;

    auto operator<=>(const CoveredCorner&) const = default;
};

/// Memory kept from call to call, and nothing else.
struct CollideScratch {
    std::vector<std::uint32_t> triangles;
    std::vector<TriangleTouch> touches;
    std::vector<CoveredCorner> covered;
};

/// All touches of near triangles, those of inner edges left out: a floor of many triangles feels
/// like one.
void find_mesh_touches(const CollisionMesh& mesh, const Convex& body, const CollideLengths& lengths,
                       CollideScratch& scratch);

} // namespace sinew
