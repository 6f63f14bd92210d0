// Points and poses of a frame. Display::sources says where each comes from, in their order.

#include "base/contract.h"
#include "geometry/mesh_motion.h"
#include "scene/kinematics.h"
#include "scene/placement.h"
#include "sinew/display.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

using Kind = DisplaySource::Kind;

/// Where the outer transformations of an object put the origin: it stays at rest through turns as
/// long as nothing has moved it, so those need not be known.
Vec3 beginning_of(const Scene& scene, const DisplaySource& source, const Frame& frame)
{
    const Object& object = scene.objects[source.index];
    Vec3 x = {0, 0, 0};
    bool is_moved = false;
    for (std::uint32_t k = source.part + 1; k < object.transformation_count; ++k) {
        const Transformation& t = scene.transformations[object.first_transformation + k];
        if (!is_moved && t.kind > TransformationKind::translate_z)
            continue;
        is_moved = true;
        x = apply(make_transformation(t.kind, value_in_frame(scene, t.amount, frame)), x);
    }
    const ObjectId parent = frame_parent(object);
    return parent.is_valid() ? apply(frame.objects[parent.index], x) : x;
}

Vec3 axis_tip(const Display& display, const Affine& frame, int axis)
{
    constexpr double kLengthInUnits = 6;
    const Vec3 direction = frame.linear[axis];
    const double size = length(direction);
    return frame.origin +
           (size > 0 ? direction * (kLengthInUnits * display.unit / size) : Vec3{0, 0, 0});
}

/// Turned so that y is the normal, moved to the plane's nearest point.
Affine pose_of_plane(const Shape& shape, const Affine& frame)
{
    const Vec3 n = shape.size;
    const Vec3 other = std::abs(n.x) < 0.9 ? Vec3{1, 0, 0} : Vec3{0, 0, 1};
    const Vec3 z = normalised(cross(other, n));
    return frame * Affine{Mat3{cross(n, z), n, z}, n * shape.offset};
}

/// Strand i has one segment less than nodes, so the numbers of its segments lag behind by i.
void place_stripe(const Display& display, const DisplaySource& source, const Frame& frame,
                  DisplayFrame& out)
{
    const std::uint32_t first = source.index, segments = source.count - 1;
    for (std::uint32_t k = 0; k <= segments; ++k) {
        const std::uint32_t before = k > 0 ? k - 1 : 0, behind = k < segments ? k : segments - 1;
        const Vec3 x = rotate(frame.segments[first - source.part + before], Vec3{1, 0, 0}) +
                       rotate(frame.segments[first - source.part + behind], Vec3{1, 0, 0});
        const double size = length(x);
        out.points.push_back(frame.nodes[first + k] +
                             (size > 0 ? x * (display.radii[first + k] / size) : Vec3{0, 0, 0}));
    }
}

Vec3 place_segment(const Display& display, const DisplaySource& source, const Frame& frame)
{
    constexpr double kLengthInUnits = 2.5;
    const std::uint32_t strand = source.part / 4, axis = source.part % 4;
    const Vec3 a = frame.nodes[source.index], b = frame.nodes[source.index + 1];
    const Vec3 middle = (a + b) * 0.5;
    if (axis == 3)
        return middle;
    const double size =
        std::min(kLengthInUnits * display.unit, 1.5 * length(b - a)) + display.radii[source.index];
    Vec3 direction = {0, 0, 0};
    direction[int(axis)] = size;
    return middle + rotate(frame.segments[source.index - strand], direction);
}

void place_corners(const Scene& scene, const DisplaySource& source, const Frame& frame,
                   DisplayFrame& out)
{
    MeshPoser poser(scene.mesh_motions[source.part]);
    poser.set_time(frame.time);
    const Affine& X = frame.objects[scene.shapes[source.index].frame.index];
    for (std::uint32_t i = 0; i < source.count; ++i)
        out.points.push_back(apply(X, poser.corner(i)));
}

void place_beside(const Scene& scene, const Display& display, const DisplaySource& source,
                  const Frame& frame, DisplayFrame& out)
{
    const std::size_t first = out.points.size();
    add_path_in_frame(scene, scene.paths[source.index], frame, out.points);
    const Vec3 middle = out.points[first];
    out.points.resize(first);
    for (std::uint32_t k = 0; k < source.count; ++k)
        out.points.push_back(middle + display.offsets[source.part + k]);
}

void place_source(const Scene& scene, const Display& display, const DisplaySource& source,
                  const Frame& frame, DisplayFrame& out)
{
    switch (source.kind) {
    case Kind::origin: out.points.push_back(frame.objects[source.index].origin); return;
    case Kind::drawing:
        out.points.insert(out.points.end(), frame.points.begin() + source.index,
                          frame.points.begin() + source.index + source.count);
        return;
    case Kind::path: add_path_in_frame(scene, scene.paths[source.index], frame, out.points); return;
    case Kind::beginning: out.points.push_back(beginning_of(scene, source, frame)); return;
    case Kind::axis:
        out.points.push_back(axis_tip(display, frame.objects[source.index], int(source.part)));
        return;
    case Kind::pose: out.poses.push_back(frame.objects[source.index]); return;
    case Kind::plane: {
        const Shape& shape = scene.shapes[source.index];
        out.poses.push_back(pose_of_plane(shape, frame.objects[shape.frame.index]));
        return;
    }
    case Kind::joint: {
        const Joint& joint = scene.joints[source.index];
        out.points.push_back(source.part == 0 ? apply(frame.objects[joint.a.index], joint.point)
                                              : apply(frame.objects[joint.b.index], joint.other));
        return;
    }
    case Kind::nodes:
        out.points.insert(out.points.end(), frame.nodes.begin() + source.index,
                          frame.nodes.begin() + source.index + source.count);
        return;
    case Kind::stripe: place_stripe(display, source, frame, out); return;
    case Kind::segment: out.points.push_back(place_segment(display, source, frame)); return;
    case Kind::corners: place_corners(scene, source, frame, out); return;
    case Kind::attached:
        for (std::uint32_t k = 0; k < source.count; ++k)
            out.points.push_back(
                apply(frame.objects[source.index], display.offsets[source.part + k]));
        return;
    case Kind::beside: place_beside(scene, display, source, frame, out); return;
    }
}

void include(Bounds& bounds, const Vec3& x, const Vec3& around)
{
    if (!is_finite(x))
        return;
    if (bounds.is_empty())
        bounds = {x - around, x + around};
    for (int k = 0; k < 3; ++k) {
        bounds.low[k] = std::min(bounds.low[k], x[k] - around[k]);
        bounds.high[k] = std::max(bounds.high[k], x[k] + around[k]);
    }
}

/// Half the box around an element that stands on a pose, along the axes of the world.
Vec3 half_extent(const Display& display, const Element& element, const Mat3& A)
{
    Vec3 half = element.size * 0.5;
    const bool is_measured = length(half) > 0;
    if (element.kind == ElementKind::mesh && !is_measured) {
        half = {0, 0, 0};
        for (const Vec3& x : display.meshes[element.mesh].vertices)
            for (int k = 0; k < 3; ++k)
                half[k] = std::max(half[k], std::abs(x[k]));
    } else if (element.kind != ElementKind::box && element.kind != ElementKind::mesh) {
        const double cap = element.kind == ElementKind::capsule ? element.radius : 0;
        half = {element.radius, half.y + cap, element.radius};
    }
    Vec3 extent;
    for (int k = 0; k < 3; ++k)
        extent[k] =
            std::abs(A.x[k]) * half.x + std::abs(A.y[k]) * half.y + std::abs(A.z[k]) * half.z;
    return extent;
}

} // namespace

void place_display(const Scene& scene, const Display& display, const Frame& frame,
                   DisplayFrame& out)
{
    SINEW_EXPECTS(frame.objects.size() == scene.objects.size());
    out.time = frame.time;
    out.points.clear();
    out.poses.clear();
    out.points.reserve(display.point_count);
    out.poses.reserve(display.pose_count);
    for (const DisplaySource& source : display.sources)
        place_source(scene, display, source, frame, out);
    SINEW_EXPECTS(out.points.size() == display.point_count);
    SINEW_EXPECTS(out.poses.size() == display.pose_count);
}

Bounds bounds_of(const Display& display, const DisplayFrame& frame)
{
    Bounds bounds;
    for (const Element& element : display.elements) {
        const bool is_seen =
            element.role == ElementRole::thing || element.role == ElementRole::label;
        if (!is_seen || element.kind == ElementKind::plane)
            continue;
        if (element.kind >= ElementKind::box) {
            const Affine& pose = frame.poses[element.first];
            include(bounds, pose.origin, half_extent(display, element, pose.linear));
            continue;
        }
        const Vec3 around{element.radius, element.radius, element.radius};
        for (std::uint32_t i = 0; i < element.count; ++i)
            include(bounds, frame.points[element.first + i], around);
    }
    return bounds;
}

} // namespace sinew
