// The nearest place on a mesh: on the inside of a triangle, on an edge, or at a corner.

#include "geometry/grow.h"

#include "math/functions.h"

#include <limits>

namespace sinew {

namespace {

/// A ball about a triangle: what is further away need not be looked at.
struct Bound {
    Vec3 centre;
    double radius = 0;
};

struct Found {
    MeshPlace place = {};
    double squared_distance = std::numeric_limits<double>::infinity();
};

/// The nearest point of a triangle by the regions of its plane ([Ericson05], 5.1.5), as shares of
/// its two sides.
std::array<double, 2> nearest_in_triangle(const Vec3& x, const Vec3& a, const Vec3& ab,
                                          const Vec3& ac)
{
    const Vec3 p = x - a;
    const double d1 = dot(ab, p), d2 = dot(ac, p), aa = dot(ab, ab), cc = dot(ac, ac),
                 ac_ab = dot(ab, ac), d3 = d1 - aa, d4 = d2 - ac_ab, d5 = d1 - ac_ab, d6 = d2 - cc;
    if (d1 <= 0 && d2 <= 0)
        return {0, 0};
    if (d3 >= 0 && d4 <= d3)
        return {1, 0};
    if (d6 >= 0 && d5 <= d6)
        return {0, 1};
    const double on_ab = d1 * d4 - d3 * d2, on_ac = d5 * d2 - d1 * d6, on_bc = d3 * d6 - d5 * d4;
    if (on_ab <= 0 && d1 >= 0 && d3 <= 0)
        return {d1 / (d1 - d3), 0};
    if (on_ac <= 0 && d2 >= 0 && d6 <= 0)
        return {0, d2 / (d2 - d6)};
    if (on_bc <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        const double w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return {1 - w, w};
    }
    const double all = on_ab + on_ac + on_bc;
    return {on_ac / all, on_ab / all};
}

} // namespace

std::vector<MeshPlace> nearest_places(const TriangleMesh& mesh, std::span<const Vec3> points)
{
    std::vector<Bound> bounds;
    for (const auto& t : mesh.triangles) {
        const Vec3 centre = (mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]) / 3.0;
        double radius = 0;
        for (const std::uint32_t corner : t)
            radius = max(radius, length(mesh.vertices[corner] - centre));
        bounds.push_back({centre, radius});
    }
    std::vector<MeshPlace> places;
    for (const Vec3& x : points) {
        Found best;
        double reach = best.squared_distance;
        for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
            if (length(x - bounds[i].centre) - bounds[i].radius > reach)
                continue;
            const auto& t = mesh.triangles[i];
            const Vec3 &a = mesh.vertices[t[0]], ab = mesh.vertices[t[1]] - a,
                       ac = mesh.vertices[t[2]] - a;
            const auto [u, v] = nearest_in_triangle(x, a, ab, ac);
            const double squared = squared_length(a + ab * u + ac * v - x);
            if (squared < best.squared_distance) {
                best = {{i, u, v}, squared};
                reach = length(a + ab * u + ac * v - x);
            }
        }
        places.push_back(best.place);
    }
    return places;
}

} // namespace sinew
