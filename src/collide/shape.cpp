#include "collide/shape.h"

#include "geometry/convex_pieces.h"
#include "math/functions.h"

#include <limits>

namespace sinew {

namespace {

/// Corners as the bits of their numbers say, faces in the order +x −x +y −y +z −z.
Hull box_hull(const Vec3& half)
{
    Hull hull;
    for (int i = 0; i < 8; ++i)
        hull.vertices.push_back(
            {i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
    hull.corners = {1, 3, 7, 5, 0, 4, 6, 2, 2, 6, 7, 3, 0, 1, 5, 4, 4, 5, 7, 6, 0, 2, 3, 1};
    for (std::uint32_t f = 0; f < 6; ++f) {
        Vec3 normal{0, 0, 0};
        normal[static_cast<int>(f / 2)] = f % 2 == 0 ? 1 : -1;
        hull.faces.push_back({4 * f, 4, normal, half[static_cast<int>(f / 2)]});
    }
    for (std::uint32_t f = 0; f < 6; ++f)
        for (std::uint32_t k = 0; k < 4; ++k) {
            const std::uint32_t a = hull.corners[4 * f + k], b = hull.corners[4 * f + (k + 1) % 4];
            for (std::uint32_t g = 0; g < 6 && a < b; ++g)
                for (std::uint32_t m = 0; m < 4; ++m)
                    if (hull.corners[4 * g + m] == b && hull.corners[4 * g + (m + 1) % 4] == a)
                        hull.edges.push_back({a, b, f, g});
        }
    return hull;
}

double reach_of(const Hull& hull)
{
    double reach = 0;
    for (const Vec3& vertex : hull.vertices)
        reach = max(reach, length(vertex));
    return reach;
}

} // namespace

CollisionShape make_sphere(double radius)
{
    return {.kind = CollisionKind::sphere, .radius = radius, .bounding_radius = radius};
}

CollisionShape make_capsule(double radius, double length)
{
    return {.kind = CollisionKind::capsule,
            .radius = radius,
            .half = {0, 0.5 * length, 0},
            .bounding_radius = radius + 0.5 * length};
}

CollisionShape make_box(const Vec3& size)
{
    const Vec3 half = size * 0.5;
    return {.kind = CollisionKind::box,
            .half = half,
            .hull = box_hull(half),
            .bounding_radius = length(half)};
}

CollisionShape make_convex(Hull hull)
{
    const double reach = reach_of(hull);
    Vec3 middle{0, 0, 0};
    for (const Vec3& vertex : hull.vertices)
        middle += vertex / static_cast<double>(hull.vertices.size());
    return {.kind = CollisionKind::hull,
            .hull = std::move(hull),
            .bounding_radius = reach,
            .middle = middle};
}

CollisionShape make_plane()
{
    return {.kind = CollisionKind::plane,
            .bounding_radius = std::numeric_limits<double>::infinity()};
}

CollisionShape make_cylinder(double radius, double length)
{
    return {.kind = CollisionKind::cylinder,
            .radius = radius,
            .half = {0, 0.5 * length, 0},
            .bounding_radius = sqrt(radius * radius + 0.25 * length * length)};
}

CollisionShape make_cone(double radius, double length)
{
    CollisionShape cone = make_cylinder(radius, length);
    cone.kind = CollisionKind::cone;
    return cone;
}

CollisionShape make_ellipsoid(const Vec3& radii)
{
    return {.kind = CollisionKind::ellipsoid,
            .half = radii,
            .bounding_radius = max(radii.x, max(radii.y, radii.z))};
}

namespace {

CollisionShape shape_of_mesh(const TriangleMesh& mesh, bool is_solid_below)
{
    double reach = 0;
    for (const Vec3& vertex : mesh.vertices)
        reach = max(reach, length(vertex));
    return {.kind = CollisionKind::mesh,
            .bounding_radius = reach,
            .mesh = std::make_shared<CollisionMesh>(make_collision_mesh(mesh, is_solid_below))};
}

} // namespace

CollisionShape make_mesh(const TriangleMesh& mesh) { return shape_of_mesh(mesh, false); }

CollisionShape make_height_field(const TriangleMesh& mesh) { return shape_of_mesh(mesh, true); }

CollisionShape make_height_field(std::span<const double> heights, std::size_t columns, double step)
{
    const std::size_t rows = heights.size() / columns;
    TriangleMesh mesh;
    for (std::size_t j = 0; j < rows; ++j)
        for (std::size_t i = 0; i < columns; ++i)
            mesh.vertices.push_back(
                {(static_cast<double>(i) - 0.5 * static_cast<double>(columns - 1)) * step,
                 heights[j * columns + i],
                 (static_cast<double>(j) - 0.5 * static_cast<double>(rows - 1)) * step});
    for (std::size_t j = 0; j + 1 < rows; ++j)
        for (std::size_t i = 0; i + 1 < columns; ++i) {
            const auto a = static_cast<std::uint32_t>(j * columns + i), b = a + 1;
            const std::uint32_t c = a + static_cast<std::uint32_t>(columns), d = c + 1;
            mesh.triangles.push_back({a, c, b});
            mesh.triangles.push_back({b, c, d});
        }
    return make_height_field(mesh);
}

Result<std::vector<CollisionShape>> make_moving_mesh(const TriangleMesh& mesh, double tolerance)
{
    Result<std::vector<Hull>> pieces = make_convex_pieces(mesh, {.tolerance = tolerance});
    if (!pieces)
        return pieces.problems();
    std::vector<CollisionShape> shapes;
    for (Hull& piece : *pieces)
        shapes.push_back(make_convex(std::move(piece)));
    return shapes;
}

Vec3 extent_of(const Placed& placed)
{
    const CollisionShape& shape = *placed.shape;
    const Mat3& R = placed.R;
    Vec3 extent{0, 0, 0};
    for (int i = 0; i < 3; ++i)
        switch (shape.kind) {
        case CollisionKind::sphere:
        case CollisionKind::capsule: extent[i] = shape.radius + abs(R(i, 1)) * shape.half.y; break;
        case CollisionKind::box:
            extent[i] = abs(R(i, 0)) * shape.half.x + abs(R(i, 1)) * shape.half.y +
                        abs(R(i, 2)) * shape.half.z;
            break;
        case CollisionKind::hull:
            for (const Vec3& vertex : shape.hull.vertices)
                extent[i] = max(extent[i],
                                abs(R(i, 0) * vertex.x + R(i, 1) * vertex.y + R(i, 2) * vertex.z));
            break;
        case CollisionKind::cylinder:
        case CollisionKind::cone:
            extent[i] =
                shape.radius * sqrt(max(0.0, 1 - R(i, 1) * R(i, 1))) + abs(R(i, 1)) * shape.half.y;
            break;
        case CollisionKind::ellipsoid:
            extent[i] = length(
                Vec3{R(i, 0) * shape.half.x, R(i, 1) * shape.half.y, R(i, 2) * shape.half.z});
            break;
        case CollisionKind::mesh:
            extent[i] = abs(R(i, 0)) * shape.mesh->half.x + abs(R(i, 1)) * shape.mesh->half.y +
                        abs(R(i, 2)) * shape.mesh->half.z;
            break;
        case CollisionKind::plane: extent[i] = std::numeric_limits<double>::infinity();
        }
    return extent;
}

} // namespace sinew
