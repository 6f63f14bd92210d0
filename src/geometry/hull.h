#pragma once

#include "sinew/math.h"
#include "sinew/shapes.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

/// A convex polyhedron with whole faces: no two neighbours lie in one plane.
struct Hull {
    struct Face {
        std::uint32_t first = 0, count = 0; ///< in `corners`, counter-clockwise from outside
        Vec3 normal = {0, 0, 0};            ///< unit length, outwards
        double offset = 0;                  ///< n·x = offset on the face
    };
    struct Edge {
        std::uint32_t a = 0, b = 0;        ///< vertices, as its left face runs
        std::uint32_t left = 0, right = 0; ///< faces
    };

    std::vector<Vec3> vertices;
    std::vector<std::uint32_t> corners; ///< of all faces
    std::vector<Face> faces;
    std::vector<Edge> edges;

    std::span<const std::uint32_t> corners_of(const Face& face) const
    {
        return {corners.data() + face.first, face.count};
    }
};

/// The convex hull of points, by quickhull; points within rounding of a face belong to it. Problems
/// when the points are fewer than four, not finite, or flat.
Result<Hull> make_hull(std::span<const Vec3> points);

/// The same surface in triangles.
TriangleMesh triangles_of(const Hull& hull);

} // namespace sinew
