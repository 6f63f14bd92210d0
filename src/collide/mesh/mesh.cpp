// Triangles prepared for contacts: a tree of boxes by halves of the longest side, the bend of every
// edge, and regions of triangles that lie in one plane.

#include "collide/mesh/mesh.h"

#include "collide/mesh/mesh_parts.h"
#include "geometry/mesh.h"
#include "math/functions.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace sinew {

namespace {

using Triangle = CollisionMesh::Triangle;

constexpr std::uint32_t kLeaf = 4;
constexpr double kFlat = 1e-5; // sine of a bend that is none

} // namespace

Box box_of(std::span<const Triangle> triangles)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    Box box = {{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
    for (const Triangle& triangle : triangles)
        for (const Vec3& corner : triangle.corner)
            for (int i = 0; i < 3; ++i) {
                box.low[i] = min(box.low[i], corner[i]);
                box.high[i] = max(box.high[i], corner[i]);
            }
    return box;
}

Vec3 half_of(std::span<const Triangle> triangles)
{
    Vec3 half{0, 0, 0};
    for (const Triangle& triangle : triangles)
        for (const Vec3& corner : triangle.corner)
            for (int i = 0; i < 3; ++i)
                half[i] = max(half[i], abs(corner[i]));
    return half;
}

namespace {

/// Triangles with an area, and where each came from.
std::vector<Triangle> take_triangles(const TriangleMesh& mesh)
{
    constexpr double kNoArea = 1e-12; // of its longest side squared: the normal would be rounding
    std::vector<Triangle> triangles;
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3 p = mesh.vertices[a], q = mesh.vertices[b], r = mesh.vertices[c];
        const Vec3 across = cross(q - p, r - p);
        const double area = length(across);
        const double size = max(squared_length(q - p), squared_length(r - p));
        if (!(area > kNoArea * size) || !is_finite(across))
            continue;
        triangles.push_back({.corner = {p, q, r}, .normal = across / area, .id = {a, b, c}});
    }
    return triangles;
}

std::uint32_t find_root(std::vector<std::uint32_t>& root, std::uint32_t i)
{
    while (root[i] != i)
        i = root[i] = root[root[i]];
    return i;
}

} // namespace

/// An edge with more than two triangles counts as open.
std::vector<MeshEdge> find_edges(std::span<const Triangle> triangles)
{
    using Edge = std::array<std::uint32_t, 2>;
    struct Side {
        std::uint32_t triangle, edge;
    };
    std::map<Edge, std::vector<Side>> sides;
    for (std::uint32_t t = 0; t < triangles.size(); ++t)
        for (std::uint32_t i = 0; i < 3; ++i) {
            const std::uint32_t a = triangles[t].id[i], b = triangles[t].id[(i + 1) % 3];
            sides[{std::min(a, b), std::max(a, b)}].push_back({t, i});
        }
    std::vector<MeshEdge> edges;
    for (const auto& [edge, both] : sides) {
        if (both.size() != 2)
            continue;
        const Side &a = both[0], &b = both[1];
        if (triangles[a.triangle].id[a.edge] == triangles[b.triangle].id[b.edge])
            continue; // they run the same way: two surfaces back to back
        edges.push_back({a.triangle, b.triangle, a.edge, b.edge});
    }
    return edges;
}

void bend_edges(std::span<const MeshEdge> edges, std::vector<Triangle>& triangles)
{
    std::vector<std::uint32_t> root(triangles.size());
    std::iota(root.begin(), root.end(), 0u);
    for (const MeshEdge& edge : edges) {
        Triangle &s = triangles[edge.s], &t = triangles[edge.t];
        const Vec3 along = normalised(s.corner[(edge.i + 1) % 3] - s.corner[edge.i]);
        const double bend = dot(cross(s.normal, t.normal), along); // > 0: a ridge
        const bool is_sharp = dot(s.normal, t.normal) < 0 && abs(bend) < kFlat;
        const auto kind =
            bend > kFlat || is_sharp ? CollisionMesh::Bend::ridge : CollisionMesh::Bend::inner;
        s.bend[edge.i] = t.bend[edge.j] = kind;
        s.beyond[edge.i] = t.normal;
        t.beyond[edge.j] = s.normal;
        if (abs(bend) <= kFlat && !is_sharp) {
            const std::uint32_t a = find_root(root, edge.s), b = find_root(root, edge.t);
            root[std::max(a, b)] = std::min(a, b);
        }
    }
    for (std::uint32_t t = 0; t < triangles.size(); ++t)
        triangles[t].region = find_root(root, t);
}

namespace {

void build(std::span<Triangle> all, std::uint32_t first, std::uint32_t count,
           std::vector<CollisionMesh::Node>& nodes)
{
    const std::span<Triangle> part = all.subspan(first, count);
    const std::size_t here = nodes.size();
    nodes.push_back({box_of(part), first, count});
    if (count <= kLeaf)
        return;
    const Vec3 size = nodes[here].box.high - nodes[here].box.low;
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const auto middle = [axis](const Triangle& t) {
        return t.corner[0][axis] + t.corner[1][axis] + t.corner[2][axis];
    };
    std::ranges::stable_sort(part, {}, middle);
    build(all, first, count / 2, nodes);
    nodes[here].first = static_cast<std::uint32_t>(nodes.size());
    nodes[here].count = 0;
    build(all, first + count / 2, count - count / 2, nodes);
}

} // namespace

CollisionMesh make_collision_mesh(const TriangleMesh& mesh, bool is_solid_below)
{
    CollisionMesh made;
    made.is_solid_below = is_solid_below;
    TriangleMesh welded = mesh; // neighbours know each other by their corners
    weld(welded);
    made.triangles = take_triangles(welded);
    bend_edges(find_edges(made.triangles), made.triangles);
    if (!made.triangles.empty())
        build(made.triangles, 0, static_cast<std::uint32_t>(made.triangles.size()), made.nodes);
    made.half = half_of(made.triangles);
    return made;
}

void find_triangles(const CollisionMesh& mesh, const Box& box, std::vector<std::uint32_t>& found)
{
    found.clear();
    std::array<std::uint32_t, 64> stack; // halving 2^32 triangles needs 32
    std::size_t depth = 0;
    if (!mesh.nodes.empty())
        stack[depth++] = 0;
    while (depth > 0) {
        const std::uint32_t at = stack[--depth];
        const CollisionMesh::Node& node = mesh.nodes[at];
        if (!do_overlap(node.box, box))
            continue;
        if (node.count == 0) {
            stack[depth++] = node.first;
            stack[depth++] = at + 1;
            continue;
        }
        for (std::uint32_t t = node.first; t < node.first + node.count; ++t)
            found.push_back(t);
    }
}

} // namespace sinew
