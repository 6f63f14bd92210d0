// A mesh whose corners move: neighbours and the tree of boxes are found once, at rest; corners,
// normals, bends and boxes follow in every step.

#include "collide/mesh/mesh_parts.h"
#include "geometry/mesh.h"
#include "math/functions.h"

#include <algorithm>

namespace sinew {

namespace {

using Triangle = CollisionMesh::Triangle;

/// The normal; of a triangle without area one across its longest side.
Vec3 normal_of(const Triangle& t)
{
    const Vec3 p = t.corner[1] - t.corner[0], q = t.corner[2] - t.corner[0];
    constexpr double kNoArea = 1e-12; // of its longest side squared: the normal would be rounding
    const Vec3 across = cross(p, q);
    const double area = length(across), size = max(squared_length(p), squared_length(q));
    if (area > kNoArea * size)
        return across / area;
    const Vec3 side = squared_length(p) > squared_length(q) ? p : q;
    const Vec3 away = abs(side.x) <= abs(side.y) ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 n = cross(side, away);
    return squared_length(n) > 0 ? normalised(n) : Vec3{0, 1, 0};
}

/// Children stand behind their parents.
void refit(CollisionMesh& mesh)
{
    const std::span<const Triangle> all = mesh.triangles;
    for (std::size_t n = mesh.nodes.size(); n-- > 0;) {
        CollisionMesh::Node& node = mesh.nodes[n];
        if (node.count > 0) {
            node.box = box_of(all.subspan(node.first, node.count));
            continue;
        }
        const Box &left = mesh.nodes[n + 1].box, &right = mesh.nodes[node.first].box;
        for (int i = 0; i < 3; ++i) {
            node.box.low[i] = min(left.low[i], right.low[i]);
            node.box.high[i] = max(left.high[i], right.high[i]);
        }
    }
}

/// Shares of the corners in the place of a triangle nearest to x.
std::array<double, 3> nearest_shares(const Triangle& t, const Vec3& x)
{
    const Vec3 &a = t.corner[0], &b = t.corner[1], &c = t.corner[2];
    const Vec3 n = cross(b - a, c - a);
    const double square = squared_length(n);
    if (square > 0) {
        const double u = dot(n, cross(c - b, x - b)) / square;
        const double v = dot(n, cross(a - c, x - c)) / square;
        if (u >= 0 && v >= 0 && u + v <= 1)
            return {u, v, 1 - u - v};
    }
    std::array<double, 3> best{1, 0, 0};
    double least = squared_length(x - a);
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 p = t.corner[i], side = t.corner[(i + 1) % 3] - p;
        const double along = squared_length(side);
        const double s = along > 0 ? std::clamp(dot(x - p, side) / along, 0.0, 1.0) : 0;
        if (const double far = squared_length(x - p - side * s); far < least) {
            least = far;
            best = {};
            best[i] = 1 - s;
            best[(i + 1) % 3] = s;
        }
    }
    return best;
}

} // namespace

MovingMeshShape::MovingMeshShape(const TriangleMesh& mesh)
    : mesh_(std::make_shared<CollisionMesh>(make_collision_mesh(mesh, false)))
{
    TriangleMesh welded = mesh;
    corner_of_ = weld(welded);
    edges_ = find_edges(mesh_->triangles);
    mesh_->velocities.resize(mesh_->triangles.size());
}

void MovingMeshShape::move(std::span<const Vec3> corners, std::span<const Vec3> velocities)
{
    mesh_->speed = 0;
    for (std::size_t t = 0; t < mesh_->triangles.size(); ++t) {
        Triangle& triangle = mesh_->triangles[t];
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t number = corner_of_[triangle.id[i]];
            triangle.corner[i] = corners[number];
            mesh_->velocities[t][i] = velocities[number];
            mesh_->speed = max(mesh_->speed, length(velocities[number]));
        }
        triangle.normal = normal_of(triangle);
    }
    bend_edges(edges_, mesh_->triangles);
    refit(*mesh_);
    mesh_->half = half_of(mesh_->triangles);
}

Vec3 velocity_on(const CollisionMesh& mesh, const Vec3& place)
{
    if (!mesh.is_moving() || mesh.nodes.empty())
        return {0, 0, 0};
    std::vector<std::uint32_t> found;
    const Vec3 size = mesh.nodes[0].box.high - mesh.nodes[0].box.low;
    constexpr double kFirstLook = 1e-3, kLeastLook = 1e-9; // of the whole mesh; [m]
    double far = max(kFirstLook * (size.x + size.y + size.z), kLeastLook);
    for (int tries = 0; found.empty() && tries < 64; ++tries, far *= 2) {
        const Vec3 r{far, far, far};
        find_triangles(mesh, {place - r, place + r}, found);
    }
    Vec3 velocity{0, 0, 0};
    double least = 1e300;
    for (const std::uint32_t t : found) {
        const std::array<double, 3> share = nearest_shares(mesh.triangles[t], place);
        Vec3 there{0, 0, 0}, speed{0, 0, 0};
        for (std::size_t i = 0; i < 3; ++i) {
            there += mesh.triangles[t].corner[i] * share[i];
            speed += mesh.velocities[t][i] * share[i];
        }
        if (const double distance = squared_length(place - there); distance < least) {
            least = distance;
            velocity = speed;
        }
    }
    return velocity;
}

} // namespace sinew
