// Which elements a scene has: masses, drawings, labels, axes. Springs and constraints are in
// joins.cpp.
//
// A sphere around a mass gives way to what the script draws there: it is a small pin where its def
// has a polygon around it, and the ball itself where lines are drawn around it at one distance.

#include "display/maker.h"

#include "scene/placement.h"

#include <algorithm>
#include <span>
#include <utility>

namespace sinew {

namespace {

constexpr double kLineRadius = 0.65;    // in small units
constexpr double kPathRadius = 0.22;    // in path units
constexpr double kPinRadius = 1.0;      // in small units
constexpr double kLabelRadius = 0.95;   // in small units: just seen around a line
constexpr double kPolygonRadius = 0.35; // half its thickness, in small units
constexpr double kAxisRadius = 0.25;    // in units
constexpr std::size_t kMostAxes = 500;  // objects

/// Whether a polygon has a point in its middle rather than at its rim.
bool is_around(std::span<const Vec3> polygon, const Vec3& x, double small)
{
    Vec3 middle = {0, 0, 0};
    double farthest = 0;
    for (const Vec3& corner : polygon)
        middle += corner / double(polygon.size());
    for (const Vec3& corner : polygon)
        farthest = std::max(farthest, length(corner - middle));
    return length(x - middle) < 0.75 * farthest && farthest > kPinRadius * small;
}

/// Of what has no `look`.
Look usual_look(ElementKind kind)
{
    switch (kind) {
    case ElementKind::spring: return looks::kSteel;
    case ElementKind::curve: return looks::kGraphite;
    case ElementKind::polygon: return looks::kMatt;
    case ElementKind::plane: return looks::kGround;
    default: return looks::kPlastic;
    }
}

} // namespace

DisplayMaker::DisplayMaker(const Scene& scene, const Frame& first)
    : scene_(scene), first_(first), sizes_(make_sizes(scene, first)), colours_(scene),
      has_mass_(scene.objects.size()), outlines_(scene.objects.size())
{
    for (const Mass& mass : scene.masses)
        has_mass_[mass.object.index] = true;
}

Display DisplayMaker::make()
{
    display_.unit = sizes_.unit;
    find_outlines();
    add_masses();
    add_boxes();
    add_shapes();
    add_strands();
    add_drawings();
    add_point_springs();
    add_coordinate_springs();
    add_distance_constraints();
    add_rod_distances();
    add_path_constraints();
    add_joints();
    add_labels();
    add_axes();
    add_strand_axes();
    add_mounts();
    apply_looks();
    add_children();
    return std::move(display_);
}

/// What the script says wins over what things usually look like; what is only drawn to explain
/// keeps its own look.
void DisplayMaker::apply_looks()
{
    for (std::size_t i = 0; i < display_.elements.size(); ++i)
        if (display_.elements[i].role == ElementRole::thing)
            if (const std::optional<Look> look = colours_.look(drawn_for_[i]))
                display_.elements[i].look = *look;
}

ObjectId DisplayMaker::massive_around(ObjectId object) const
{
    while (object.is_valid() && !has_mass_[object.index])
        object = scene_.objects[object.index].parent;
    return object;
}

ObjectId DisplayMaker::named_around(ObjectId object) const
{
    while (object.index != 0 && scene_.objects[object.index].is_anonymous)
        object = scene_.objects[object.index].parent;
    return object;
}

void DisplayMaker::find_outlines()
{
    std::uint32_t first_point = 0;
    for (const Drawing& drawing : scene_.drawings) {
        const auto count = std::uint32_t(drawing_point_count(scene_, drawing));
        note_drawing(drawing, first_point, count);
        first_point += count;
    }
    std::sort(rods_.begin(), rods_.end(),
              [](const Rod& r, const Rod& s) { return r.a.x + r.b.x < s.a.x + s.b.x; });
}

void DisplayMaker::note_drawing(const Drawing& drawing, std::uint32_t first_point,
                                std::uint32_t count)
{
    if (drawing.kind == DrawingKind::line && count == 2)
        rods_.push_back({first_.points[first_point], first_.points[first_point + 1]});
    const ObjectId owner = massive_around(drawing.object);
    if (!owner.is_valid())
        return;
    Outline& outline = outlines_[owner.index];
    if (drawing.kind == DrawingKind::polygon)
        outline.is_in_polygon =
            outline.is_in_polygon || is_around({&first_.points[first_point], count},
                                               first_.objects[owner.index].origin, sizes_.small);
    if (drawing.kind != DrawingKind::line)
        return;
    for (std::uint32_t i = 0; i < count; ++i) {
        const double away =
            length(first_.points[first_point + i] - first_.objects[owner.index].origin);
        outline.nearest =
            outline.line_count == 0 && i == 0 ? away : std::min(outline.nearest, away);
        outline.farthest = std::max(outline.farthest, away);
    }
    ++outline.line_count;
}

Element& DisplayMaker::add_points(ElementKind kind, ElementRole role, ObjectId object,
                                  std::uint32_t count)
{
    Element element;
    element.kind = kind;
    element.role = role;
    element.object = named_around(object);
    element.look = usual_look(kind);
    element.first = std::uint32_t(display_.point_count);
    element.count = count;
    drawn_for_.push_back(object);
    return display_.elements.emplace_back(element);
}

void DisplayMaker::add_source(DisplaySource::Kind kind, std::uint32_t index, std::uint32_t part,
                              std::uint32_t count)
{
    display_.sources.push_back({kind, index, part, count});
    if (kind == DisplaySource::Kind::pose || kind == DisplaySource::Kind::plane)
        ++display_.pose_count;
    else
        display_.point_count += count;
}

void DisplayMaker::add_masses()
{
    double largest = 0;
    for (const Mass& mass : scene_.masses)
        largest = std::max(largest, mass.mass);
    for (const Mass& mass : scene_.masses) {
        const Outline& outline = outlines_[mass.object.index];
        Element& sphere = add_points(ElementKind::sphere, ElementRole::thing, mass.object, 1);
        sphere.colour = colours_.of_mass(mass.object).value_or(palette_colour(0));
        sphere.radius = outline.is_ball()       ? outline.farthest
                        : outline.is_in_polygon ? kPinRadius * sizes_.small
                                                : mass_radius(sizes_, mass.mass / largest);
        add_source(DisplaySource::Kind::origin, mass.object.index);
    }
}

void DisplayMaker::add_boxes()
{
    for (const BoxMass& mass : scene_.box_masses) {
        Element& box = add_points(ElementKind::box, ElementRole::thing, mass.object, 1);
        box.first = std::uint32_t(display_.pose_count);
        box.size = mass.size;
        box.colour = colours_.of_mass(mass.object).value_or(palette_colour(0));
        add_source(DisplaySource::Kind::pose, mass.object.index);
    }
}

void DisplayMaker::add_drawings()
{
    std::uint32_t first_point = 0;
    for (const Drawing& drawing : scene_.drawings) {
        const auto count = std::uint32_t(drawing_point_count(scene_, drawing));
        const std::uint32_t first = std::exchange(first_point, first_point + count);
        const ObjectId owner = massive_around(drawing.object);
        const bool is_polygon = drawing.kind == DrawingKind::polygon;
        const bool is_in_ball = drawing.kind == DrawingKind::line && owner.is_valid() &&
                                outlines_[owner.index].is_ball();
        if (count == 0 || is_in_ball || drawing.kind == DrawingKind::probe)
            continue;
        Element& element = add_points(is_polygon ? ElementKind::polygon : ElementKind::curve,
                                      ElementRole::thing, drawing.object, count);
        const auto written = colours_.written(drawing.object);
        if (is_polygon) {
            element.colour = colours_.of_mass(drawing.object).value_or(colours::kPolygon);
            element.radius = kPolygonRadius * sizes_.small;
        } else if (drawing.kind == DrawingKind::path) {
            element.colour = written.value_or(colours::kPath);
            element.radius = kPathRadius * sizes_.path();
        } else {
            element.colour = written.value_or(colours::kLine);
            element.radius = kLineRadius * sizes_.small;
        }
        add_source(DisplaySource::Kind::drawing, first, 0, count);
    }
}

void DisplayMaker::add_labels()
{
    for (const Label& label : scene_.labels) {
        Element& dot = add_points(ElementKind::sphere, ElementRole::label, label.object, 1);
        dot.colour = colours_.written(label.object).value_or(colours::kLabel);
        dot.radius = kLabelRadius * sizes_.small;
        add_source(DisplaySource::Kind::origin, label.object.index);
    }
}

void DisplayMaker::add_axes()
{
    const auto count = std::count_if(scene_.objects.begin(), scene_.objects.end(),
                                     [](const Object& object) { return !object.is_anonymous; });
    if (std::size_t(count) > kMostAxes)
        return;
    for (std::uint32_t i = 1; i < scene_.objects.size(); ++i)
        for (std::uint32_t axis = 0; axis < 3 && !scene_.objects[i].is_anonymous; ++axis) {
            Element& line = add_points(ElementKind::curve, ElementRole::frame, ObjectId{i}, 2);
            line.colour = colours::kAxes[axis];
            line.radius = kAxisRadius * sizes_.unit;
            add_source(DisplaySource::Kind::origin, i);
            add_source(DisplaySource::Kind::axis, i, axis);
        }
}

Display make_display(const Scene& scene, const Frame& first)
{
    return DisplayMaker(scene, first).make();
}

} // namespace sinew
