#include "render/geometry.h"

#include "render/tone.h"

#include <algorithm>

namespace sinew::picture {

namespace {

constexpr double kWire = 0.13; // radius of a coil's wire, of the coil's

class Collector {
public:
    Collector(const Ruler& ruler, const Display& display, const DisplayFrame& frame,
              double thickness)
        : ruler_(ruler), display_(display), frame_(frame), thickness_(thickness)
    {
    }

    void add_element(const Element& element);
    void add_arrow(const Arrow& arrow);
    void add_trail(const Trail& trail);
    Geometry take() { return std::move(geometry_); }

private:
    void add_sphere(const Vec3& centre, double radius);
    void add_line(std::span<const Vec3> points, double radius, bool is_closed);
    void add_coil(const Vec3& a, const Vec3& b, double radius, int turns);
    void add_strand(const Element& element, std::span<const Vec3> points);
    void add_smooth(std::span<const RoundPoint> points);
    void add_triangles(const Triangles& triangles, const Affine& pose);
    void add_plane(const Affine& pose);
    void add_standing(const Element& element, const Affine& pose);

    void begin_look(const Vec3& colour, ObjectId object);
    RoundPoint round_point(const Vec3& x, double radius) const;
    std::uint32_t look() const { return std::uint32_t(geometry_.looks.size() - 1); }

    const Ruler& ruler_;
    const Display& display_;
    const DisplayFrame& frame_;
    double thickness_; // of strands
    Geometry geometry_;
};

bool are_finite(std::span<const Vec3> points)
{
    return std::all_of(points.begin(), points.end(), [](const Vec3& x) { return is_finite(x); });
}

RoundPoint Collector::round_point(const Vec3& x, double radius) const
{
    const Vec p = ruler_.point(x);
    return {p.x, p.y, p.z, ruler_.length(radius)};
}

void Collector::begin_look(const Vec3& colour, ObjectId object)
{
    geometry_.looks.push_back(
        {to_linear(colour), object.is_valid() ? object.index : Image::kNothing});
}

void Collector::add_sphere(const Vec3& centre, double radius)
{
    geometry_.spheres.points.push_back(round_point(centre, radius));
    geometry_.spheres.looks.push_back(look());
}

void Collector::add_line(std::span<const Vec3> points, double radius, bool is_closed)
{
    RoundPieces& lines = geometry_.lines;
    const std::size_t count = points.size();
    if (count == 1)
        add_sphere(points[0], radius);
    for (std::size_t i = 0; i + 1 < count + (is_closed ? 1 : 0); ++i) {
        const RoundPoint a = round_point(points[i], radius);
        const RoundPoint b = round_point(points[(i + 1) % count], radius);
        if (a.x == b.x && a.y == b.y && a.z == b.z) { // a piece without direction is a dot
            add_sphere(points[i], radius);
            continue;
        }
        lines.starts.push_back(std::uint32_t(lines.points.size()));
        lines.looks.push_back(look());
        lines.points.insert(lines.points.end(), {a, b});
    }
}

void Collector::add_coil(const Vec3& a, const Vec3& b, double radius, int turns)
{
    std::vector<RoundPoint> points;
    for (const Vec3& x : make_coil(a, b, radius, std::max(1, turns)))
        points.push_back(round_point(x, radius * kWire));
    add_smooth(points);
}

/// Through its nodes, as thick as it is at each; round at both ends.
void Collector::add_strand(const Element& element, std::span<const Vec3> points)
{
    const bool is_tapered = element.radii != 0xffffffff;
    std::vector<RoundPoint> round;
    for (std::size_t i = 0; i < points.size(); ++i)
        round.push_back(round_point(
            points[i],
            thickness_ * (is_tapered ? display_.radii[element.radii + i] : element.radius)));
    add_smooth(round);
    for (const std::size_t end : {std::size_t{0}, points.size() - 1}) {
        geometry_.spheres.points.push_back(round[end]);
        geometry_.spheres.looks.push_back(look());
    }
}

/// A smooth curve through points.
void Collector::add_smooth(std::span<const RoundPoint> points)
{
    if (points.empty())
        return;
    RoundPieces& curves = geometry_.curves;
    const auto first = std::uint32_t(curves.points.size());
    // A piece takes a point before and one behind: the ends stand in for theirs.
    curves.points.push_back(points.front());
    curves.points.insert(curves.points.end(), points.begin(), points.end());
    curves.points.push_back(points.back());
    for (std::uint32_t i = 0; i + 1 < points.size(); ++i) {
        curves.starts.push_back(first + i);
        curves.looks.push_back(look());
    }
}

void Collector::add_triangles(const Triangles& triangles, const Affine& pose)
{
    Faces& faces = geometry_.faces;
    const auto first = std::uint32_t(faces.vertices.size());
    // Normals go by the inverse transpose; the cofactors are that up to length, and never singular.
    const Mat3 cofactors{cross(pose.linear.y, pose.linear.z), cross(pose.linear.z, pose.linear.x),
                         cross(pose.linear.x, pose.linear.y)};
    for (std::size_t i = 0; i < triangles.vertices.size(); ++i) {
        const Vec3 normal = cofactors * triangles.normals[i];
        const double size = length(normal);
        faces.vertices.push_back(ruler_.point(apply(pose, triangles.vertices[i])));
        faces.normals.push_back(to_float(size > 0 ? normal / size : Vec3{0, 1, 0}));
    }
    for (const auto& [a, b, c] : triangles.corners) {
        faces.corners.push_back({first + a, first + b, first + c});
        faces.looks.push_back(look());
    }
}

void Collector::add_plane(const Affine& pose)
{
    const Vec3 normal = cross(pose.linear.z, pose.linear.x);
    if (!(length(normal) > 0))
        return;
    const Vec n = to_float(normalised(normal));
    geometry_.planes.push_back({n, dot(n, ruler_.point(pose.origin)), look()});
}

void Collector::add_standing(const Element& element, const Affine& pose)
{
    switch (element.kind) {
    case ElementKind::box: add_triangles(make_box(element.size), pose); return;
    case ElementKind::capsule:
        add_triangles(make_capsule(element.radius, element.size.y), pose);
        return;
    case ElementKind::cylinder:
        add_triangles(make_cylinder(element.radius, element.size.y), pose);
        return;
    case ElementKind::cone: add_triangles(make_cone(element.radius, element.size.y), pose); return;
    case ElementKind::mesh: add_triangles(make_mesh(display_.meshes[element.mesh]), pose); return;
    default: add_plane(pose);
    }
}

void Collector::add_element(const Element& element)
{
    begin_look(element.colour, element.object);
    if (element.kind >= ElementKind::box) {
        const Affine& pose = frame_.poses[element.first];
        if (is_finite(pose.origin) && is_finite(pose.linear))
            add_standing(element, pose);
        return;
    }
    const std::span points(frame_.points.data() + element.first, element.count);
    if (!are_finite(points))
        return;
    switch (element.kind) {
    case ElementKind::sphere: add_sphere(points[0], element.radius); return;
    case ElementKind::curve:
        if (element.radii != 0xffffffff || element.role == ElementRole::twist)
            add_strand(element, points);
        else
            add_line(points, element.radius, element.is_closed);
        return;
    case ElementKind::surface:
        add_triangles(
            make_mesh({{points.begin(), points.end()}, display_.meshes[element.mesh].triangles}),
            Affine{});
        return;
    case ElementKind::spring: add_coil(points[0], points[1], element.radius, element.turns); return;
    default: add_triangles(make_plate(points, 2 * element.radius), Affine{});
    }
}

void Collector::add_arrow(const Arrow& arrow)
{
    const Vec3 along = arrow.to - arrow.from;
    const double size = length(along), radius = 0.35 * display_.unit;
    if (!(size > radius) || !is_finite(along))
        return;
    begin_look(arrow.colour, arrow.object);
    const double head = std::min(3 * display_.unit, 0.6 * size);
    const Vec3 y = along / size, foot = arrow.to - y * head;
    const Vec3 x = normalised(cross(y, abs(y.z) < 0.9 ? Vec3{0, 0, 1} : Vec3{1, 0, 0}));
    add_line(std::array<Vec3, 2>{arrow.from, foot}, radius, false);
    add_triangles(make_cone(0.33 * head, head), {Mat3{x, y, cross(x, y)}, foot + y * (head / 2)});
}

void Collector::add_trail(const Trail& trail)
{
    if (trail.points.size() < 2 || !are_finite(trail.points))
        return;
    begin_look(trail.colour, {});
    std::vector<RoundPoint> points;
    for (std::size_t i = 0; i < trail.points.size(); ++i)
        points.push_back(round_point(trail.points[i],
                                     trail.radius * double(i) / double(trail.points.size() - 1)));
    add_smooth(points);
}

bool is_shown(const Element& element, const RenderOptions& options)
{
    switch (element.role) {
    case ElementRole::constraint: return options.shows_constraints;
    case ElementRole::frame: return options.shows_axes;
    case ElementRole::twist: return options.shows_twist;
    default: return true;
    }
}

} // namespace

Geometry make_geometry(const Ruler& ruler, const Display& display, const DisplayFrame& frame,
                       const RenderOptions& options)
{
    Collector collector(ruler, display, frame, options.thickness);
    for (const Element& element : display.elements)
        if (is_shown(element, options))
            collector.add_element(element);
    for (const Arrow& arrow : options.arrows)
        collector.add_arrow(arrow);
    for (const Trail& trail : options.trails)
        collector.add_trail(trail);
    return collector.take();
}

} // namespace sinew::picture
