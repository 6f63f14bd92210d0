#pragma once

#include "sinew/shapes.h"

namespace sinew {

/// What was done to a surface.
struct Mending {
    std::size_t triangles = 0; ///< without area, taken out
    std::size_t holes = 0;     ///< closed
};

/// Small faults of a surface that is to bound a solid, mended: triangles without area go, the one
/// beside the longest edge of each is cut at the corner that lies on it, and holes whose surface is
/// at most a twentieth of the mesh's are closed from their middle. Other faults stay: see
/// check_solid().
Mending mend(TriangleMesh& mesh);

} // namespace sinew
