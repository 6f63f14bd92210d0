// Poses, points and normals of a frame, in the axes and units of the file; frames before the first
// and behind the last.

#include "formats/export_scene.h"

#include "math/functions.h"

#include <algorithm>
#include <limits>

namespace sinew::formats {

namespace {

Vec3 unit_or(const Vec3& x, const Vec3& otherwise)
{
    const double size = length(x);
    return size > 0 && is_finite(size) ? x / size : otherwise;
}

/// Columns made perpendicular and of unit length, the first kept in its direction.
Mat3 turn_of(const Mat3& A)
{
    const Vec3 x = unit_or(A.x, {1, 0, 0});
    const Vec3 y = unit_or(A.y - x * dot(x, A.y), any_across(x));
    return {x, y, cross(x, y)};
}

Affine pose_of_spring(const Vec3& a, const Vec3& b)
{
    const Vec3 along = b - a, y = unit_or(along, {0, 1, 0});
    const Vec3 x = any_across(y);
    return {Mat3{x, along, cross(x, y)}, a};
}

/// Looks along −z, y upwards.
Affine pose_of_camera(const Scene& scene, const Frame& frame)
{
    const Camera camera = camera_at(*scene.settings.camera, frame.time);
    const Affine on = camera.frame.is_valid() ? frame.objects[camera.frame.index] : Affine{};
    const Vec3 place = apply(on, camera.position);
    const Vec3 z = unit_or(place - apply(on, camera.target), {0, 0, 1});
    const Vec3 x = unit_or(cross(Vec3{0, 1, 0}, z), {1, 0, 0});
    return {Mat3{x, cross(z, x), z}, place};
}

Affine pose_of(const ExportBody& body, const Scene& scene, const Frame& frame,
               const DisplayFrame& display)
{
    switch (body.pose) {
    case ExportBody::Pose::object: return frame.objects[body.source];
    case ExportBody::Pose::turned:
        return {turn_of(frame.objects[body.source].linear), frame.objects[body.source].origin};
    case ExportBody::Pose::plane: return display.poses[body.source];
    case ExportBody::Pose::spring:
        return pose_of_spring(display.points[body.source], display.points[body.source + 1]);
    case ExportBody::Pose::camera: return pose_of_camera(scene, frame);
    }
    return {};
}

/// Along a strand: where its section's x points. The same for every node of one segment.
void add_section_normals(const ExportCurve& curve, const Frame& frame, ExportFrame& out)
{
    for (std::uint32_t k = 0; k < curve.count; ++k) {
        const std::uint32_t before = k > 0 ? k - 1 : 0, behind = std::min(k, curve.count - 2);
        const Vec3 a = rotate(frame.segments[curve.segment + before], Vec3{1, 0, 0});
        const Vec3 b = rotate(frame.segments[curve.segment + behind], Vec3{1, 0, 0});
        out.normals[curve.first + k] = unit_or(a + b, a);
    }
}

/// Carried along the curve without twist, from a first one that stays near the frame before.
void add_carried_normals(const ExportCurve& curve, ExportFrame& out)
{
    const Vec3* points = &out.points[curve.first];
    Vec3 normal = out.normals[curve.first];
    for (std::uint32_t k = 0; k < curve.count; ++k) {
        const Vec3 t = tangent_at(points, curve.count, k, curve.is_closed);
        const Vec3 across = normal - t * dot(normal, t);
        normal = length(across) > 1e-6 ? normalised(across) : any_across(t);
        out.normals[curve.first + k] = normal;
    }
}

void add_plate_normal(const ExportCurve& outline, ExportFrame& out)
{
    const Vec3* x = &out.points[outline.first];
    Vec3 area = {0, 0, 0};
    for (std::uint32_t i = 1; i + 1 < outline.count; ++i)
        area += cross(x[i] - x[0], x[i + 1] - x[0]);
    const Vec3 normal = unit_or(area, unit_or(out.normals[outline.first], {0, 1, 0}));
    std::fill_n(out.normals.begin() + outline.first, outline.count, normal);
}

} // namespace

Vec3 turn_up(const Vec3& x, UpAxis up) { return up == UpAxis::z ? Vec3{x.x, -x.z, x.y} : x; }

Vec3 any_across(const Vec3& direction)
{
    const Vec3 other = abs(direction.z) < 0.9 ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
    return unit_or(cross(direction, other), {1, 0, 0});
}

Vec3 tangent_at(const Vec3* points, std::uint32_t count, std::uint32_t i, bool is_closed)
{
    const std::uint32_t before = i > 0 ? i - 1 : is_closed ? count - 1 : 0;
    const std::uint32_t behind = i + 1 < count ? i + 1 : is_closed ? 0 : count - 1;
    const Vec3 there = unit_or(points[behind] - points[i], {0, 0, 0});
    const Vec3 here = unit_or(points[i] - points[before], {0, 0, 0});
    return unit_or(here + there, unit_or(there, {0, 1, 0}));
}

float to_float(double value)
{
    constexpr double kMost = std::numeric_limits<float>::max();
    return is_finite(value) ? static_cast<float>(std::clamp(value, -kMost, kMost)) : 0.0f;
}

void place_exported(const ExportScene& exported, const Scene& scene, const Frame& frame,
                    DisplayFrame& scratch, ExportFrame& out)
{
    const UpAxis up = exported.options.up;
    const double scale = exported.options.scale;
    place_display(scene, exported.display, frame, scratch);
    out.poses.clear();
    for (const ExportBody& body : exported.bodies) {
        const Affine pose = pose_of(body, scene, frame, scratch);
        const Mat3& A = pose.linear;
        out.poses.push_back({Mat3{turn_up(A.x, up), turn_up(A.y, up), turn_up(A.z, up)},
                             turn_up(pose.origin, up) * scale});
    }
    out.points.resize(exported.point_count);
    out.normals.resize(exported.point_count);
    const bool has_hairs = std::ranges::any_of(
        exported.curves, [](const ExportCurve& curve) { return curve.hair != kNone; });
    if (has_hairs)
        place_hairs(exported.display, scratch, out.hairs);
    const auto place = [&](const ExportCurve& curve) {
        const std::vector<Vec3>& from = curve.hair == kNone ? scratch.points : out.hairs.points;
        for (std::uint32_t k = 0; k < curve.count; ++k)
            out.points[curve.first + k] = turn_up(from[curve.display_first + k], up) * scale;
    };
    for (const ExportCurve& curve : exported.curves) {
        place(curve);
        if (curve.segment == kNone) {
            add_carried_normals(curve, out);
            continue;
        }
        add_section_normals(curve, frame, out);
        for (std::uint32_t k = 0; k < curve.count; ++k)
            out.normals[curve.first + k] = turn_up(out.normals[curve.first + k], up);
    }
    for (const ExportPlate& plate : exported.plates) {
        place(plate.outline);
        add_plate_normal(plate.outline, out);
    }
}

ExportFrame extrapolate(const ExportFrame& near, const ExportFrame& far)
{
    ExportFrame out = near;
    out.index = 2 * near.index - far.index;
    for (std::size_t i = 0; i < near.points.size(); ++i)
        out.points[i] = near.points[i] * 2 - far.points[i];
    for (std::size_t i = 0; i < near.poses.size(); ++i) {
        const Mat3 on = near.poses[i].linear * inverse(far.poses[i].linear) * near.poses[i].linear;
        out.poses[i].origin = near.poses[i].origin * 2 - far.poses[i].origin;
        if (is_finite(on))
            out.poses[i].linear = on;
    }
    return out;
}

void add_corners(const ExportScene& exported, const ExportFrame& frame, std::vector<Vec3>& out)
{
    for (std::size_t i = 0; i < exported.bodies.size(); ++i)
        if (exported.bodies[i].shape != kNone)
            for (const Vec3& x : exported.shapes[exported.bodies[i].shape].triangles.vertices)
                out.push_back(apply(frame.poses[i], x));
    for (const ExportCurve& curve : exported.curves)
        out.insert(out.end(), frame.points.begin() + curve.first,
                   frame.points.begin() + curve.first + curve.count);
    for (const ExportPlate& plate : exported.plates) {
        const std::vector<Vec3> corners = plate_corners(plate, frame);
        out.insert(out.end(), corners.begin(), corners.end());
    }
}

std::vector<Vec3> plate_corners(const ExportPlate& plate, const ExportFrame& frame)
{
    std::vector<Vec3> corners;
    for (const double side : {1.0, -1.0})
        for (std::uint32_t i = 0; i < plate.outline.count; ++i)
            corners.push_back(frame.points[plate.outline.first + i] +
                              frame.normals[plate.outline.first + i] *
                                  (side * plate.half_thickness));
    return corners;
}

} // namespace sinew::formats
