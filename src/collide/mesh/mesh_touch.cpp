// A convex body against the triangles of a mesh that are near it.

#include "collide/mesh/mesh_touch.h"

#include "math/functions.h"

#include <algorithm>

namespace sinew {

namespace {

using Triangle = CollisionMesh::Triangle;

/// Whether the way from one place to another enters through the front of a triangle.
bool enters(const Triangle& t, const Vec3& from, const Vec3& to)
{
    const double before = dot(t.normal, from - t.corner[0]),
                 after = dot(t.normal, to - t.corner[0]);
    if (!(before > 0 && after < 0))
        return false;
    const Vec3 at = from + (to - from) * (before / (before - after));
    for (std::size_t i = 0; i < 3; ++i)
        if (dot(cross(t.corner[(i + 1) % 3] - t.corner[i], t.normal), at - t.corner[i]) > 0)
            return false;
    return true;
}

/// What lies deep below a triangle may be outside again, behind a thin part of the mesh: then
/// another triangle is between. Unless nothing else is touched.
void drop_beyond_thin_parts(const CollisionMesh& mesh, const CollideLengths& lengths,
                            CollideScratch& scratch)
{
    for (TriangleTouch& touch : scratch.touches) {
        const auto lowest = std::ranges::min_element(
            touch.corner.begin(), touch.corner.begin() + touch.count, {}, &PatchCorner::gap);
        if (lowest->gap > -4 * lengths.clip)
            continue;
        const Vec3 foot = lowest->place - touch.normal * lowest->gap;
        touch.is_dropped = std::ranges::any_of(scratch.triangles, [&](std::uint32_t other) {
            return other != touch.triangle && enters(mesh.triangles[other], lowest->place, foot);
        });
    }
    if (!std::ranges::all_of(scratch.touches, &TriangleTouch::is_dropped))
        std::erase_if(scratch.touches, [](const TriangleTouch& t) { return t.is_dropped; });
}

/// A corner of the mesh is touched only where no face or edge that ends there is touched as deep.
void drop_covered_corners(const CollisionMesh& mesh, const CollideLengths& lengths,
                          CollideScratch& scratch)
{
    scratch.covered.clear();
    for (const TriangleTouch& touch : scratch.touches)
        for (std::size_t i = 0; i < 3; ++i) {
            const bool covers =
                touch.features == 0 || touch.features & (edge_bit(i) | edge_bit((i + 2) % 3));
            if (covers)
                scratch.covered.push_back(
                    {mesh.triangles[touch.triangle].id[i], lowest_gap(touch)});
        }
    std::ranges::sort(scratch.covered);
    for (TriangleTouch& touch : scratch.touches) {
        touch.is_dropped = false;
        for (std::size_t i = 0; i < 3; ++i) {
            if (touch.features != corner_bit(i))
                continue;
            const std::uint32_t id = mesh.triangles[touch.triangle].id[i];
            const auto found = std::ranges::lower_bound(scratch.covered, id, {},
                                                        &CoveredCorner::corner); // the deepest
            touch.is_dropped = found != scratch.covered.end() && found->corner == id &&
                               found->gap <= lowest_gap(touch) + lengths.clip;
        }
    }
    std::erase_if(scratch.touches, [](const TriangleTouch& t) { return t.is_dropped; });
}

Box box_around(const Convex& body, double reach)
{
    const Placed placed{body.shape, body.x, body.R};
    const Vec3 extent = extent_of(placed) + Vec3{reach, reach, reach};
    return {body.x - extent, body.x + extent};
}

bool is_near(const Triangle& t, const Box& box)
{
    for (int i = 0; i < 3; ++i) {
        const double p = t.corner[0][i], q = t.corner[1][i], r = t.corner[2][i];
        if (max(p, max(q, r)) < box.low[i] || min(p, min(q, r)) > box.high[i])
            return false;
    }
    return true;
}

} // namespace

void find_mesh_touches(const CollisionMesh& mesh, const Convex& body, const CollideLengths& lengths,
                       CollideScratch& scratch)
{
    scratch.touches.clear();
    const Box box = box_around(body, lengths.reach);
    find_triangles(mesh, box, scratch.triangles);
    // How far behind a triangle the middle of a body may be for it to be in front still.
    const double behind = mesh.is_solid_below ? body.shape->bounding_radius : 4 * lengths.clip;
    const Vec3 centre = body.centre();
    TriangleTouch spare; // overlap that every triangle leaves to others: the least deep of planes
    for (const std::uint32_t number : scratch.triangles) {
        const Triangle& t = mesh.triangles[number];
        if (dot(t.normal, centre - t.corner[0]) < -behind || !is_near(t, box))
            continue;
        TriangleTouch touch;
        touch.triangle = number;
        const Verdict verdict = touch_triangle(t, body, lengths, touch);
        if (verdict == Verdict::touched)
            scratch.touches.push_back(touch);
        if (verdict != Verdict::left_to_others)
            continue;
        const TriangleTouch below = touch_plane_of(t, number, body);
        if (spare.count == 0 || below.corner[0].gap > spare.corner[0].gap)
            spare = below;
    }
    if (scratch.touches.empty() && spare.count > 0)
        scratch.touches.push_back(spare);
    drop_beyond_thin_parts(mesh, lengths, scratch);
    drop_covered_corners(mesh, lengths, scratch);
    // Sorts in place: the same gaps in the order of triangles.
    std::ranges::sort(scratch.touches, [](const TriangleTouch& a, const TriangleTouch& b) {
        const double gap_a = lowest_gap(a), gap_b = lowest_gap(b);
        return gap_a < gap_b || (gap_a == gap_b && a.triangle < b.triangle);
    });
}

} // namespace sinew
