#pragma once

#include "collide/broad_phase.h"
#include "sinew/shapes.h"

#include <array>
#include <cstdint>
#include <vector>

namespace sinew {

/// Triangles prepared for contacts: with boxes around boxes of them, and knowing their neighbours.
struct CollisionMesh {
    /// How the surface goes on across an edge.
    enum class Bend : std::uint8_t {
        open,  ///< it does not
        inner, ///< flat, or a valley: nothing can touch the edge alone
        ridge
    };
    struct Triangle {
        std::array<Vec3, 3> corner = {};
        Vec3 normal = {0, 0, 0};              ///< unit length
        std::array<Bend, 3> bend = {};        ///< of the edge from corner i to the next
        std::array<Vec3, 3> beyond = {};      ///< the normal of the triangle across it
        std::uint32_t region = 0;             ///< triangles joined in one plane have one number
        std::array<std::uint32_t, 3> id = {}; ///< of the corners, in the mesh it came from
    };
    struct Node {
        Box box = {};
        std::uint32_t first = 0, count = 0; ///< of triangles; count 0: `first` is the right child,
                                            ///< the left one follows
    };

    std::vector<Triangle> triangles; ///< those of a leaf follow each other
    std::vector<Node> nodes;         ///< the first is the root
    Vec3 half = {0, 0, 0};           ///< of the box around all, the origin its middle
    bool is_solid_below = false;
};

/// Triangles without area are left out.
CollisionMesh make_collision_mesh(const TriangleMesh& mesh, bool is_solid_below);

/// The triangles whose leaves' boxes overlap a box, ascending.
void find_triangles(const CollisionMesh& mesh, const Box& box, std::vector<std::uint32_t>& found);

} // namespace sinew
