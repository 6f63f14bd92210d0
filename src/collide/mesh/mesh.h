#pragma once

#include "collide/broad_phase.h"
#include "sinew/shapes.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
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
    std::vector<std::array<Vec3, 3>> velocities; ///< of the corners; empty: nothing moves them
    double speed = 0;                            ///< the largest of these [m/s]

    bool is_moving() const { return !velocities.empty(); }
};

/// Triangles without area are left out.
CollisionMesh make_collision_mesh(const TriangleMesh& mesh, bool is_solid_below);

/// Two triangles that go on in each other: edge i of s is edge j of t, run the other way.
struct MeshEdge {
    std::uint32_t s = 0, t = 0, i = 0, j = 0;
};

/// A mesh whose corners move from step to step. Requires that neighbours stay neighbours: corners
/// that coincide in `mesh` do so for ever.
class MovingMeshShape {
public:
    explicit MovingMeshShape(const TriangleMesh& mesh);

    /// Puts the corners of `mesh` somewhere, with velocities there.
    void move(std::span<const Vec3> corners, std::span<const Vec3> velocities);

    const std::shared_ptr<CollisionMesh>& mesh() const { return mesh_; }

private:
    std::shared_ptr<CollisionMesh> mesh_;
    std::vector<std::uint32_t> corner_of_; ///< of each id of its triangles: the number in `mesh`
    std::vector<MeshEdge> edges_;
};

/// How fast the surface moves at a place on it, in the mesh's frame.
Vec3 velocity_on(const CollisionMesh& mesh, const Vec3& place);

/// The triangles whose leaves' boxes overlap a box, ascending.
void find_triangles(const CollisionMesh& mesh, const Box& box, std::vector<std::uint32_t>& found);

} // namespace sinew
