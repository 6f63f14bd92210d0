#pragma once

#include "sinew/shapes.h"

namespace sinew {

/// Everything wrong with a surface that is to bound a solid: triangles without area, edges that are
/// not shared by exactly two triangles running opposite ways, numbers that are not finite. Each
/// kind is said once, with how often it was met and a first example.
Problems check_solid(const TriangleMesh& mesh, const std::string& name);

/// Turns every triangle round.
void turn_inside_out(TriangleMesh& mesh);

/// Corners with the very same coordinates become one; triangles that lose their area by it go. Of
/// each corner that is left the number it had.
std::vector<std::uint32_t> weld(TriangleMesh& mesh);

} // namespace sinew
