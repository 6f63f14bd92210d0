#include "render/shapes.h"

#include "math/functions.h"

#include <algorithm>

namespace sinew::picture {

namespace {

constexpr int kSegments = 64; // around
constexpr int kRings = 12;    // from a pole to the equator
constexpr double kPi = 3.14159265358979323846;

void add_quad(Triangles& out, const std::array<Vec3, 4>& corners)
{
    const auto first = std::uint32_t(out.vertices.size());
    const Vec3 normal = cross(corners[1] - corners[0], corners[3] - corners[0]);
    for (const Vec3& x : corners) {
        out.vertices.push_back(x);
        out.normals.push_back(normal);
    }
    out.corners.push_back({first, first + 1, first + 2});
    out.corners.push_back({first, first + 2, first + 3});
}

/// Twice the area of an outline, along its normal.
Vec3 area_vector(std::span<const Vec3> outline)
{
    Vec3 sum = {0, 0, 0};
    for (std::size_t i = 0; i < outline.size(); ++i)
        sum += cross(outline[i] - outline[0], outline[(i + 1) % outline.size()] - outline[0]);
    return sum;
}

} // namespace

void add_revolution(Triangles& out, std::span<const Ring> rings)
{
    const auto first = std::uint32_t(out.vertices.size());
    for (const Ring& ring : rings)
        for (int i = 0; i < kSegments; ++i) {
            const double angle = 2 * kPi * i / kSegments, c = cos(angle), s = sin(angle);
            out.vertices.push_back({ring.radius * c, ring.y, ring.radius * s});
            out.normals.push_back({ring.slope_radius * c, ring.slope_y, ring.slope_radius * s});
        }
    for (std::uint32_t r = 0; r + 1 < rings.size(); ++r)
        for (std::uint32_t i = 0; i < kSegments; ++i) {
            const std::uint32_t j = (i + 1) % kSegments;
            const std::uint32_t a = first + r * kSegments, b = a + kSegments;
            out.corners.push_back({a + i, b + i, a + j});
            out.corners.push_back({a + j, b + i, b + j});
        }
}

Triangles make_box(const Vec3& size)
{
    Triangles box;
    for (int axis = 0; axis < 3; ++axis)
        for (const double sign : {-0.5, 0.5}) {
            Vec3 middle, u, v;
            middle[axis] = sign * size[axis];
            u[(axis + 1) % 3] = size[(axis + 1) % 3] / 2;
            v[(axis + 2) % 3] = size[(axis + 2) % 3] / 2 * (sign > 0 ? 1 : -1);
            add_quad(box, {middle - u - v, middle + u - v, middle + u + v, middle - u + v});
        }
    return box;
}

Triangles make_cylinder(double radius, double height)
{
    Triangles cylinder;
    const double h = height / 2;
    add_revolution(cylinder, std::array<Ring, 2>{{{0, -h, 0, -1}, {radius, -h, 0, -1}}});
    add_revolution(cylinder, std::array<Ring, 2>{{{radius, -h, 1, 0}, {radius, h, 1, 0}}});
    add_revolution(cylinder, std::array<Ring, 2>{{{radius, h, 0, 1}, {0, h, 0, 1}}});
    return cylinder;
}

Triangles make_cone(double radius, double height)
{
    Triangles cone;
    const double h = height / 2;
    add_revolution(cone, std::array<Ring, 2>{{{0, -h, 0, -1}, {radius, -h, 0, -1}}});
    add_revolution(cone,
                   std::array<Ring, 2>{{{radius, -h, height, radius}, {0, h, height, radius}}});
    return cone;
}

Triangles make_capsule(double radius, double straight)
{
    std::vector<Ring> rings;
    for (int i = -kRings; i <= kRings; ++i) {
        const double angle = kPi / 2 * i / kRings, c = cos(angle), s = sin(angle);
        if (i == 0)
            rings.push_back({radius, -straight / 2, 1, 0});
        rings.push_back({radius * c, radius * s + (i < 0 ? -straight / 2 : straight / 2), c, s});
    }
    Triangles capsule;
    add_revolution(capsule, rings);
    return capsule;
}

/// Hulls and surfaces are shown with their facets.
Triangles make_mesh(const DisplayMesh& mesh)
{
    Triangles out;
    for (const auto& triangle : mesh.triangles) {
        const auto first = std::uint32_t(out.vertices.size());
        const Vec3 a = mesh.vertices[triangle[0]], b = mesh.vertices[triangle[1]],
                   c = mesh.vertices[triangle[2]];
        for (const Vec3& x : {a, b, c}) {
            out.vertices.push_back(x);
            out.normals.push_back(cross(b - a, c - a));
        }
        out.corners.push_back({first, first + 1, first + 2});
    }
    return out;
}

Triangles make_plate(std::span<const Vec3> outline, double thickness)
{
    Triangles plate;
    const Vec3 area = outline.size() < 3 ? Vec3{0, 0, 0} : area_vector(outline);
    if (!is_finite(area) || !(length(area) > 0))
        return plate;
    const Vec3 normal = normalised(area), half = normal * (thickness / 2);
    const auto n = std::uint32_t(outline.size());
    for (const double side : {1.0, -1.0})
        for (const Vec3& x : outline) {
            plate.vertices.push_back(x + half * side);
            plate.normals.push_back(normal * side);
        }
    for (const auto& [a, b, c] : cut_ears(outline, normal)) {
        plate.corners.push_back({a, b, c});
        plate.corners.push_back({n + a, n + c, n + b});
    }
    for (std::uint32_t i = 0; i < n; ++i) {
        const Vec3 a = outline[i], b = outline[(i + 1) % n];
        add_quad(plate, {a - half, b - half, b + half, a + half});
    }
    return plate;
}

std::vector<Vec3> make_coil(const Vec3& a, const Vec3& b, double radius, int turns)
{
    constexpr int kPerTurn = 12;
    constexpr double kLead = 0.06; // of the length, straight, at either end
    const Vec3 along = b - a;
    if (!(length(along) > 0))
        return {};
    // Around z first: in a flat mechanism the coil then never twists about itself.
    const Vec3 d = normalised(along), z{0, 0, 1}, x{1, 0, 0};
    const Vec3 u = normalised(cross(d, abs(d.z) < 0.9 ? z : x)), v = cross(d, u);
    std::vector<Vec3> points{a, a + along * (kLead / 2)};
    const int count = turns * kPerTurn;
    for (int i = 0; i <= count; ++i) {
        const double s = double(i) / count, angle = 2 * kPi * i / kPerTurn;
        const double opening =
            std::min({1.0, i / (0.5 * kPerTurn), (count - i) / (0.5 * kPerTurn)});
        points.push_back(a + along * (kLead + (1 - 2 * kLead) * s) +
                         (u * cos(angle) + v * sin(angle)) * (radius * opening));
    }
    points.push_back(b - along * (kLead / 2));
    points.push_back(b);
    return points;
}

} // namespace sinew::picture
