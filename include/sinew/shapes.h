#pragma once

// Surfaces as plain data.

#include "sinew/error.h"
#include "sinew/math.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

/// Triangles, counter-clockwise seen from outside.
struct TriangleMesh {
    std::vector<Vec3> vertices = {};
    std::vector<std::array<std::uint32_t, 3>> triangles = {};

    bool operator==(const TriangleMesh&) const = default;
};

/// Reads a mesh from the bytes of an OBJ, PLY (text or binary) or STL (text or binary) file, told
/// apart by the end of its name. Faces with more corners are cut into triangles; normals, colours,
/// texture coordinates and lines are passed over. Problems have the line, or the byte.
Result<TriangleMesh> read_mesh(const std::string& name, std::string_view bytes);

} // namespace sinew
