// Bodies and obstacles: one element for each shape, standing on the frame the shape is written in.

#include "display/maker.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

constexpr double kRopeRadius = 0.3; // of a joint's distance, in small units

ElementKind kind_of(ShapeKind kind)
{
    switch (kind) {
    case ShapeKind::sphere: return ElementKind::sphere;
    case ShapeKind::box: return ElementKind::box;
    case ShapeKind::capsule: return ElementKind::capsule;
    case ShapeKind::cylinder: return ElementKind::cylinder;
    case ShapeKind::cone: return ElementKind::cone;
    case ShapeKind::plane: return ElementKind::plane;
    case ShapeKind::ellipsoid:
    case ShapeKind::hull:
    case ShapeKind::mesh:
    case ShapeKind::height_field: return ElementKind::mesh;
    }
    return ElementKind::mesh;
}

/// An ellipsoid as triangles; their corners are on it.
DisplayMesh ellipsoid_mesh(const Vec3& radii)
{
    constexpr std::uint32_t kRings = 24, kSides = 48;
    constexpr double kPi = 3.14159265358979323846;
    DisplayMesh mesh;
    for (std::uint32_t ring = 0; ring <= kRings; ++ring)
        for (std::uint32_t side = 0; side < kSides; ++side) {
            const double up = kPi * ring / kRings, round = 2 * kPi * side / kSides;
            mesh.vertices.push_back({radii.x * sin(up) * cos(round), -radii.y * cos(up),
                                     -radii.z * sin(up) * sin(round)});
        }
    for (std::uint32_t ring = 0; ring < kRings; ++ring)
        for (std::uint32_t side = 0; side < kSides; ++side) {
            const std::uint32_t a = ring * kSides + side, b = ring * kSides + (side + 1) % kSides;
            if (ring > 0)
                mesh.triangles.push_back({a, b, b + kSides});
            if (ring + 1 < kRings)
                mesh.triangles.push_back({a, b + kSides, a + kSides});
        }
    return mesh;
}

/// The box around a mesh, centred at its origin: full lengths.
Vec3 box_around(const TriangleMesh& mesh)
{
    Vec3 size = {0, 0, 0};
    for (const Vec3& x : mesh.vertices)
        for (int k = 0; k < 3; ++k)
            size[k] = std::max(size[k], 2 * std::abs(x[k]));
    return size;
}

} // namespace

void DisplayMaker::add_shapes()
{
    std::vector<Vec3> boxes;
    for (const TriangleMesh& mesh : scene_.meshes) {
        display_.meshes.push_back({mesh.vertices, mesh.triangles});
        boxes.push_back(box_around(mesh));
    }
    std::vector<std::uint32_t> body_of(scene_.objects.size());
    for (std::uint32_t i = 0; i < scene_.bodies.size(); ++i)
        body_of[scene_.bodies[i].object.index] = i;
    for (std::uint32_t i = 0; i < scene_.shapes.size(); ++i) {
        const Shape& shape = scene_.shapes[i];
        const auto motion = std::ranges::find(scene_.mesh_motions, shape.mesh, &MeshMotion::mesh);
        const bool moves = shape.kind == ShapeKind::mesh && motion != scene_.mesh_motions.end() &&
                           scene_.bodies[body_of[shape.body.index]].is_obstacle();
        const ElementKind kind = moves ? ElementKind::surface : kind_of(shape.kind);
        const auto corners = moves ? std::uint32_t(motion->corners.size()) : 1;
        Element& element = add_points(kind, ElementRole::thing, shape.frame, corners);
        element.body = body_of[shape.body.index];
        element.radius = shape.radius;
        element.size = shape.kind == ShapeKind::box ? shape.size : Vec3{0, shape.length, 0};
        if (kind == ElementKind::mesh) {
            const bool is_ellipsoid = shape.kind == ShapeKind::ellipsoid;
            element.mesh = is_ellipsoid ? std::uint32_t(display_.meshes.size()) : shape.mesh;
            element.size = is_ellipsoid ? shape.size * 2 : boxes[shape.mesh];
            if (is_ellipsoid)
                display_.meshes.push_back(ellipsoid_mesh(shape.size));
        }
        const Vec3 calm = kind == ElementKind::plane ? colours::kGround : colours::kObstacle;
        element.colour = scene_.bodies[element.body].is_obstacle()
                             ? colours_.written(shape.frame).value_or(calm)
                             : colours_.of_mass(shape.frame).value_or(palette_colour(0));
        element.is_obstacle = scene_.bodies[element.body].is_obstacle();
        if (element.is_obstacle && kind != ElementKind::plane)
            element.look = looks::kMatt;
        if (moves) {
            element.mesh = shape.mesh;
            element.size = {0, 0, 0};
            add_source(DisplaySource::Kind::corners, i,
                       std::uint32_t(motion - scene_.mesh_motions.begin()), corners);
            continue;
        }
        if (kind == ElementKind::sphere) {
            add_source(DisplaySource::Kind::origin, shape.frame.index);
            continue;
        }
        element.first = std::uint32_t(display_.pose_count);
        if (kind == ElementKind::plane)
            add_source(DisplaySource::Kind::plane, i);
        else
            add_source(DisplaySource::Kind::pose, shape.frame.index);
    }
}

/// Joints that keep a distance are seen as ropes.
void DisplayMaker::add_joints()
{
    for (std::uint32_t i = 0; i < scene_.joints.size(); ++i) {
        const Joint& joint = scene_.joints[i];
        if (joint.kind != JointKind::distance)
            continue;
        Element& rope = add_points(ElementKind::curve, ElementRole::thing, joint.a, 2);
        rope.radius = kRopeRadius * sizes_.small;
        rope.colour = colours::kLine;
        add_source(DisplaySource::Kind::joint, i, 0);
        add_source(DisplaySource::Kind::joint, i, 1);
    }
}

} // namespace sinew
