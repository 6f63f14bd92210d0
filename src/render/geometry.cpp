#include "render/geometry.h"

#include "render/image/tone.h"

#include <algorithm>

namespace sinew::picture {

namespace {

constexpr double kWire = 0.13; // radius of a coil's wire, of the coil's

class Collector {
public:
    Collector(const Ruler& ruler, const Display& display, const DisplayFrame& frame,
              const RenderOptions& options)
        : ruler_(ruler), display_(display), frame_(frame), point_colours_(options.point_colours),
          thickness_(options.thickness)
    {
    }

    void add_element(const Element& element);
    void add_arrow(const Arrow& arrow);
    void add_trail(const Trail& trail);
    void add_hairs();
    Geometry take() { return std::move(geometry_); }

private:
    void add_sphere(const Vec3& centre, double radius);
    void add_line(std::span<const Vec3> points, double radius, bool is_closed);
    void add_coil(const Vec3& a, const Vec3& b, double radius, int turns);
    void add_strand(const Element& element, std::span<const Vec3> points);
    void add_smooth(std::span<const RoundPoint> points, std::span<const Vec3> sides = {});
    void colour_pieces(const Element& element, std::size_t first);
    void add_triangles(const Triangles& triangles, const Affine& pose);
    void add_plane(const Affine& pose);
    void add_standing(const Element& element, const Affine& pose);

    Paint& begin_paint(const Vec3& colour, ObjectId object, const Look& look = {});
    void place_pattern(const Element& element, const Affine& pose);
    std::span<const Vec3> stripe_of(const Element& element) const;
    const Triangles& smooth_mesh(std::uint32_t mesh);
    RoundPoint round_point(const Vec3& x, double radius) const;
    std::uint32_t paint() const { return std::uint32_t(geometry_.paints.size() - 1); }

    const Ruler& ruler_;
    const Display& display_;
    const DisplayFrame& frame_;
    std::span<const Vec3> point_colours_;
    double thickness_; // of strands
    Geometry geometry_;
    std::vector<Triangles> meshes_; // smoothed when first seen
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

/// A number from 0 to 1 for each seed.
float chance(std::uint32_t seed)
{
    seed = (seed ^ (seed >> 16)) * 0x7feb352du;
    seed = (seed ^ (seed >> 15)) * 0x846ca68bu;
    return float((seed ^ (seed >> 16)) >> 8) * 0x1p-24f;
}

/// Instances differ a little in lightness, less in how warm they are.
Vec vary(const Vec& colour, float variation, std::uint32_t seed)
{
    const float lighter = 1 + 0.55f * variation * (2 * chance(seed) - 1);
    const float warmer = 1 + 0.12f * variation * (2 * chance(seed + 77777u) - 1);
    return {min(1.0f, colour.x * lighter * warmer), min(1.0f, colour.y * lighter),
            min(1.0f, colour.z * lighter / warmer)};
}

Paint& Collector::begin_paint(const Vec3& colour, ObjectId object, const Look& look)
{
    Paint paint;
    paint.object = object.is_valid() ? object.index : Image::kNothing;
    paint.colour = vary(to_linear(colour), float(look.variation), paint.object * 2654435761u);
    paint.roughness = float(look.roughness);
    paint.metal = float(look.metal);
    paint.transparency = float(look.transparency);
    paint.translucency = float(look.translucency);
    paint.sheen = float(look.sheen);
    paint.glow = float(look.glow);
    paint.relief = float(look.relief);
    paint.pattern = look.pattern;
    if (paint.is_fibre())
        paint.fibre = Fibre(paint.colour, paint.roughness);
    return geometry_.paints.emplace_back(paint);
}

/// Patterns are as large as their thing wants them, and lie along its longest side.
void Collector::place_pattern(const Element& element, const Affine& pose)
{
    Paint& paint = geometry_.paints.back();
    const auto axis = [](const Vec3& v) {
        const double size = length(v);
        return to_float(size > 0 ? v / size : Vec3{1, 0, 0});
    };
    paint.frame = {ruler_.point(pose.origin), axis(pose.linear.x), axis(pose.linear.y),
                   axis(pose.linear.z)};
    Vec3 size = element.size;
    if (element.kind != ElementKind::box && element.kind != ElementKind::mesh)
        size = {2 * element.radius, element.size.y + 2 * element.radius, 2 * element.radius};
    paint.axis = size.x > size.y && size.x > size.z ? 0 : size.z > size.y ? 2 : 1;
    double least = 0;
    for (int k = 0; k < 3; ++k)
        if (size[k] > 0)
            least = least == 0 ? size[k] : std::min(least, size[k]);
    if (least > 0)
        paint.grain = ruler_.length(least * std::max(length(pose.linear.x), 1e-9));
}

void Collector::add_sphere(const Vec3& centre, double radius)
{
    geometry_.spheres.points.push_back(round_point(centre, radius));
    geometry_.spheres.paints.push_back(paint());
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
        lines.paints.push_back(paint());
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
    geometry_.paints.back().grain = round.empty() ? 1 : round.front().radius;
    const std::size_t first = geometry_.curves.paints.size();
    add_smooth(round, stripe_of(element));
    if (element.first + points.size() <= point_colours_.size() &&
        point_colours_[element.first].x >= 0)
        colour_pieces(element, first);
    const std::vector<std::uint32_t>& paints = geometry_.curves.paints;
    for (const std::size_t end : {std::size_t{0}, points.size() - 1}) {
        geometry_.spheres.points.push_back(round[end]);
        geometry_.spheres.paints.push_back(paints.size() == first ? paint()
                                           : end == 0             ? paints[first]
                                                                  : paints.back());
    }
}

/// Each piece of a curve, from the first on, in the mean of the colours at its ends.
void Collector::colour_pieces(const Element& element, std::size_t first)
{
    const std::span colours = point_colours_.subspan(element.first, element.count);
    for (std::size_t k = 0; k + 1 < colours.size(); ++k) {
        begin_paint((colours[k] + colours[k + 1]) * 0.5, element.object, {.roughness = 0.62});
        geometry_.curves.paints[first + k] = paint();
    }
}

/// Where the section's x points along a strand: the element behind it tells.
std::span<const Vec3> Collector::stripe_of(const Element& element) const
{
    const Element* next = &element + 1;
    const bool is_last = next == display_.elements.data() + display_.elements.size();
    if (is_last || next->role != ElementRole::twist || next->count != element.count)
        return {};
    return {frame_.points.data() + next->first, next->count};
}

/// Whether a curve ends where it begins, as far as can be seen.
bool is_ring(std::span<const RoundPoint> points)
{
    constexpr float kApart = 0.01f; // of its radius
    return points.size() > 3 && length(middle_of(points.back()) - middle_of(points.front())) <
                                    kApart * points.front().radius;
}

/// A smooth curve through points; `sides`: points beside them.
void Collector::add_smooth(std::span<const RoundPoint> points, std::span<const Vec3> sides)
{
    if (points.empty())
        return;
    RoundPieces& curves = geometry_.curves;
    const auto first = std::uint32_t(curves.points.size());
    // A piece takes a point before and one behind: the ends stand in for theirs, but those of a
    // ring have neighbours across its seam.
    const bool is_closed = is_ring(points);
    curves.points.push_back(is_closed ? points[points.size() - 2] : points.front());
    curves.points.insert(curves.points.end(), points.begin(), points.end());
    curves.points.push_back(is_closed ? points[1] : points.back());
    for (std::uint32_t i = 0; i + 1 < points.size(); ++i) {
        curves.starts.push_back(first + i);
        curves.paints.push_back(paint());
    }
    float along = 0;
    Vec side = {0, 0, 0};
    for (std::size_t i = 0; i < points.size() + 2; ++i) {
        const std::size_t k = std::min(i > 0 ? i - 1 : 0, points.size() - 1);
        const std::size_t before = k > 0 ? k - 1 : 0, behind = std::min(k + 1, points.size() - 1);
        const Vec step = middle_of(points[behind]) - middle_of(points[before]);
        const float size = length(step);
        if (i > 1 && i <= points.size())
            along += length(middle_of(points[k]) - middle_of(points[k - 1]));
        // Carried along without turning, unless the section says how it turns.
        Vec across = sides.empty() ? side : ruler_.point(sides[k]) - middle_of(points[k]);
        if (size > 0)
            across -= step * (dot(across, step) / (size * size));
        side = length(across) > 1e-12f ? normalised(across)
                                       : make_tangents(size > 0 ? step / size : Vec{0, 1, 0}).u;
        curves.alongs.push_back(along);
        curves.sides.push_back(side);
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
        faces.paints.push_back(paint());
    }
}

const Triangles& Collector::smooth_mesh(std::uint32_t mesh)
{
    meshes_.resize(display_.meshes.size());
    if (meshes_[mesh].corners.empty())
        meshes_[mesh] = make_smooth_mesh(display_.meshes[mesh]);
    return meshes_[mesh];
}

void Collector::add_plane(const Affine& pose)
{
    const Vec3 normal = cross(pose.linear.z, pose.linear.x);
    if (!(length(normal) > 0))
        return;
    const Vec n = to_float(normalised(normal));
    geometry_.planes.push_back({n, dot(n, ruler_.point(pose.origin)), paint()});
}

void Collector::add_standing(const Element& element, const Affine& pose)
{
    switch (element.kind) {
    case ElementKind::box: add_triangles(make_rounded_box(element.size), pose); return;
    case ElementKind::capsule:
        add_triangles(make_capsule(element.radius, element.size.y), pose);
        return;
    case ElementKind::cylinder:
        add_triangles(make_rounded_cylinder(element.radius, element.size.y), pose);
        return;
    case ElementKind::cone: add_triangles(make_cone(element.radius, element.size.y), pose); return;
    case ElementKind::mesh: add_triangles(smooth_mesh(element.mesh), pose); return;
    default: add_plane(pose);
    }
}

void Collector::add_element(const Element& element)
{
    begin_paint(element.colour, element.object, element.look);
    if (element.kind >= ElementKind::box) {
        const Affine& pose = frame_.poses[element.first];
        if (is_finite(pose.origin) && is_finite(pose.linear)) {
            place_pattern(element, pose);
            add_standing(element, pose);
        }
        return;
    }
    const std::span points(frame_.points.data() + element.first, element.count);
    if (!are_finite(points))
        return;
    switch (element.kind) {
    case ElementKind::sphere:
        place_pattern(element, {Mat3::identity(), points[0]});
        add_sphere(points[0], element.radius);
        return;
    case ElementKind::curve:
        if (element.radii != 0xffffffff || element.role == ElementRole::twist)
            add_strand(element, points);
        else
            add_line(points, element.radius, element.is_closed);
        return;
    case ElementKind::surface:
        add_triangles(make_smooth_mesh({{points.begin(), points.end()},
                                        display_.meshes[element.mesh].triangles}),
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
    begin_paint(arrow.colour, arrow.object);
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
    begin_paint(trail.colour, {});
    std::vector<RoundPoint> points;
    for (std::size_t i = 0; i < trail.points.size(); ++i)
        points.push_back(round_point(trail.points[i],
                                     trail.radius * double(i) / double(trail.points.size() - 1)));
    add_smooth(points);
}

/// Hairs of one group share some paints, lighter and darker ones.
void Collector::add_hairs()
{
    constexpr std::uint32_t kTints = 16;
    if (display_.hair_groups.empty())
        return;
    HairCurves hairs;
    place_hairs(display_, frame_, hairs);
    const auto first = std::uint32_t(geometry_.paints.size());
    for (const HairGroup& group : display_.hair_groups)
        for (std::uint32_t k = 0; k < kTints; ++k) {
            Paint& tint = begin_paint(group.colour, group.object, group.look);
            tint.colour =
                vary(to_linear(group.colour), float(group.look.variation), k * 7919u + 13u);
            tint.fibre = Fibre(tint.colour, tint.roughness);
        }
    std::vector<RoundPoint> points;
    RoundPieces& out = geometry_.hairs;
    for (std::uint32_t i = 0; i < hairs.groups.size(); ++i) {
        if (!are_finite(std::span(hairs.points)
                            .subspan(hairs.starts[i], hairs.starts[i + 1] - hairs.starts[i])))
            continue;
        points.clear();
        for (std::uint32_t k = hairs.starts[i]; k < hairs.starts[i + 1]; ++k)
            points.push_back(round_point(hairs.points[k], thickness_ * hairs.radii[k]));
        const auto begin = std::uint32_t(out.points.size());
        out.points.push_back(points.front());
        out.points.insert(out.points.end(), points.begin(), points.end());
        out.points.push_back(points.back());
        for (std::uint32_t k = 0; k + 1 < points.size(); ++k) {
            out.starts.push_back(begin + k);
            out.paints.push_back(first + hairs.groups[i] * kTints + i * 2654435761u % kTints);
        }
    }
}

bool is_shown(const Element& element, const RenderOptions& options)
{
    if (element.is_guide)
        return false;
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
    Collector collector(ruler, display, frame, options);
    for (const Element& element : display.elements)
        if (is_shown(element, options))
            collector.add_element(element);
    for (const Arrow& arrow : options.arrows)
        collector.add_arrow(arrow);
    for (const Trail& trail : options.trails)
        collector.add_trail(trail);
    collector.add_hairs();
    return collector.take();
}

bool have_same_pieces(const Geometry& a, const Geometry& b)
{
    const auto are_alike = [](const RoundPieces& p, const RoundPieces& q) {
        return p.points.size() == q.points.size() && p.starts == q.starts && p.paints == q.paints;
    };
    return are_alike(a.spheres, b.spheres) && are_alike(a.lines, b.lines) &&
           are_alike(a.curves, b.curves) && are_alike(a.hairs, b.hairs) &&
           a.faces.vertices.size() == b.faces.vertices.size() && a.faces.corners == b.faces.corners;
}

} // namespace sinew::picture
