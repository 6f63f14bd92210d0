// Shapes with edges as things have them: rounded a little; and meshes without facets.

#include "math/functions.h"
#include "render/shapes.h"

#include <algorithm>
#include <map>

namespace sinew::picture {

namespace {

constexpr double kRounding = 0.045; // of the shortest side
constexpr double kCrease = 0.77;    // cosine of the angle from which an edge is sharp: 40 degrees
constexpr double kHalfPi = 1.57079632679489661923;

/// Places across a face of half width `half`: the rim, then straight over to the other.
std::array<double, 6> lines_across(double half, double rounding)
{
    const double flat = half - rounding, middle = rounding * tan(kHalfPi / 4);
    return {-half, -flat - middle, -flat, flat, flat + middle, half};
}

Vec3 clamped(const Vec3& x, const Vec3& limit)
{
    return {std::clamp(x.x, -limit.x, limit.x), std::clamp(x.y, -limit.y, limit.y),
            std::clamp(x.z, -limit.z, limit.z)};
}

} // namespace

/// Each point of a grid on the sharp box goes to the nearest place of the rounded one.
Triangles make_rounded_box(const Vec3& size)
{
    const Vec3 half = size * 0.5;
    const double rounding = 2 * kRounding * std::min({half.x, half.y, half.z});
    const Vec3 inner = half - Vec3{rounding, rounding, rounding};
    Triangles box;
    for (int axis = 0; axis < 3; ++axis)
        for (const double sign : {-1.0, 1.0}) {
            const int i = (axis + 1) % 3, j = (axis + 2) % 3;
            const auto across_i = lines_across(half[i], rounding);
            const auto across_j = lines_across(half[j], rounding);
            const auto first = std::uint32_t(box.vertices.size());
            for (const double u : across_i)
                for (const double v : across_j) {
                    Vec3 x;
                    x[axis] = sign * half[axis];
                    x[i] = u;
                    x[j] = v;
                    const Vec3 core = clamped(x, inner), normal = normalised(x - core);
                    box.vertices.push_back(core + normal * rounding);
                    box.normals.push_back(normal);
                }
            for (std::uint32_t r = 0; r < 5; ++r)
                for (std::uint32_t c = 0; c < 5; ++c) {
                    const std::uint32_t a = first + 6 * r + c, b = a + 6;
                    box.corners.push_back({a, b, a + 1});
                    box.corners.push_back({a + 1, b, b + 1});
                }
        }
    return box;
}

Triangles make_rounded_cylinder(double radius, double height)
{
    constexpr int kSteps = 4;
    const double h = height / 2, rounding = kRounding * std::min(2 * radius, height);
    std::vector<Ring> rings{{0, -h, 0, -1}};
    for (const double side : {-1.0, 1.0})
        for (int i = 0; i <= kSteps; ++i) {
            const double angle =
                side < 0 ? kHalfPi * (double(i) / kSteps - 1) : kHalfPi * i / kSteps;
            rings.push_back({radius - rounding + rounding * cos(angle),
                             side * (h - rounding) + rounding * sin(angle), cos(angle),
                             sin(angle)});
        }
    rings.push_back({0, h, 0, 1});
    Triangles cylinder;
    add_revolution(cylinder, rings);
    return cylinder;
}

Triangles make_smooth_mesh(const DisplayMesh& mesh)
{
    // Corners in one place are one corner, however often the mesh has them.
    const auto before = [](const Vec3& a, const Vec3& b) {
        return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
    };
    std::map<Vec3, std::uint32_t, decltype(before)> places(before);
    std::vector<std::uint32_t> place_of;
    for (const Vec3& x : mesh.vertices)
        place_of.push_back(places.try_emplace(x, std::uint32_t(places.size())).first->second);
    std::vector<Vec3> areas;
    std::vector<std::vector<std::uint32_t>> around(places.size());
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3& origin = mesh.vertices[a];
        for (const std::uint32_t corner : {a, b, c})
            around[place_of[corner]].push_back(std::uint32_t(areas.size()));
        areas.push_back(cross(mesh.vertices[b] - origin, mesh.vertices[c] - origin));
    }
    Triangles out;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const auto first = std::uint32_t(out.vertices.size());
        const double size = length(areas[i]);
        for (const std::uint32_t corner : mesh.triangles[i]) {
            Vec3 normal = {0, 0, 0};
            for (const std::uint32_t other : around[place_of[corner]])
                if (dot(areas[i], areas[other]) >= kCrease * size * length(areas[other]))
                    normal += areas[other];
            out.vertices.push_back(mesh.vertices[corner]);
            out.normals.push_back(length(normal) > 0 ? normal : areas[i]);
        }
        out.corners.push_back({first, first + 1, first + 2});
    }
    return out;
}

} // namespace sinew::picture
