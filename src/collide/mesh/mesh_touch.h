#pragma once

#include "collide/mesh/triangle_touch.h"

namespace sinew {

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
