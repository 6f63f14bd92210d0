// Round lines as triangles: a ring around every point, two where the line turns sharply, discs at
// open ends.

#include "formats/export_scene.h"

#include "math/functions.h"

namespace sinew::formats {

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kSharp = 0.8; // cosine of the turn above which a corner has two rings

struct Ring {
    Vec3 middle, along;
    double radius = 0;
};

std::vector<Ring> find_rings(const std::vector<Vec3>& points, const std::vector<double>& radii,
                             bool is_closed)
{
    const auto n = std::uint32_t(points.size());
    std::vector<Ring> rings;
    for (std::uint32_t i = 0; i < n; ++i) {
        const double radius = radii.size() > 1 ? radii[i] : radii[0];
        const Vec3 here = points[(i + n - 1) % n], there = points[(i + 1) % n];
        const bool has_both = is_closed || (i > 0 && i + 1 < n);
        const double a = length(points[i] - here), b = length(there - points[i]);
        const bool is_sharp =
            has_both && a > 0 && b > 0 && dot(points[i] - here, there - points[i]) < kSharp * a * b;
        if (is_sharp) {
            rings.push_back({points[i], (points[i] - here) / a, radius});
            rings.push_back({points[i], (there - points[i]) / b, radius});
        } else {
            rings.push_back({points[i], tangent_at(points.data(), n, i, is_closed), radius});
        }
    }
    if (is_closed)
        rings.push_back(rings.front());
    return rings;
}

void add_disc(Triangles& out, const Ring& ring, const Vec3& normal, std::uint32_t rim, int sides,
              bool is_end)
{
    const auto first = std::uint32_t(out.vertices.size());
    out.vertices.push_back(ring.middle);
    out.normals.push_back(normal);
    for (int i = 0; i < sides; ++i) {
        const Vec3 corner = out.vertices[rim + std::uint32_t(i)];
        out.vertices.push_back(corner);
        out.normals.push_back(normal);
    }
    for (std::uint32_t i = 0; i < std::uint32_t(sides); ++i) {
        const std::uint32_t a = first + 1 + i, b = first + 1 + (i + 1) % std::uint32_t(sides);
        if (is_end)
            out.corners.push_back({first, b, a});
        else
            out.corners.push_back({first, a, b});
    }
}

} // namespace

Triangles make_tube(const std::vector<Vec3>& points, const std::vector<double>& radii,
                    bool is_closed, int sides)
{
    Triangles out;
    if (points.size() < 2)
        return out;
    const std::vector<Ring> rings = find_rings(points, radii, is_closed);
    Vec3 normal = any_across(rings[0].along);
    for (const Ring& ring : rings) {
        const Vec3 across = normal - ring.along * dot(normal, ring.along);
        normal = length(across) > 1e-6 ? normalised(across) : any_across(ring.along);
        const Vec3 side = cross(normal, ring.along);
        for (int i = 0; i < sides; ++i) {
            const double angle = 2 * kPi * i / sides;
            const Vec3 n = normal * cos(angle) + side * sin(angle);
            out.vertices.push_back(ring.middle + n * ring.radius);
            out.normals.push_back(n);
        }
    }
    const auto count = std::uint32_t(sides), ring_count = std::uint32_t(rings.size());
    for (std::uint32_t r = 0; r + 1 < ring_count; ++r)
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t a = r * count + i, b = r * count + (i + 1) % count;
            out.corners.push_back({a, a + count, b});
            out.corners.push_back({b, a + count, b + count});
        }
    if (is_closed)
        return out;
    add_disc(out, rings.front(), -rings.front().along, 0, sides, false);
    add_disc(out, rings.back(), rings.back().along, (ring_count - 1) * count, sides, true);
    return out;
}

} // namespace sinew::formats
