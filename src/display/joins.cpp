// Springs as coils, constraints as rods and dots, paths that nobody drew.

#include "display/maker.h"

#include "scene/placement.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace sinew {

namespace {

constexpr double kCoilRadius = 1.6;        // in small units
constexpr double kTurnLength = 1.0;        // of an unloaded coil, in coil radii
constexpr double kRodRadius = 0.3;         // of a distance that nobody drew, in small units
constexpr double kConstraintRadius = 0.85; // thicker than a drawn line, in small units
constexpr double kHiddenPathRadius = 0.1;  // of a path that nobody drew, in path units
constexpr std::uint32_t kNothing = 0xffffffff;

} // namespace

void DisplayMaker::add_coil(std::uint32_t from, ObjectId object, Value rest_length)
{
    Element& coil = display_.elements.back();
    const double start =
        is_told_by_frame(scene_, rest_length)
            ? value_in_frame(scene_, rest_length, first_)
            : length(first_.objects[object.index].origin - first_.objects[from].origin);
    coil.radius = kCoilRadius * sizes_.small;
    coil.turns = int(std::clamp(std::abs(start) / (kTurnLength * coil.radius), 4.0, 40.0));
    coil.colour = colours_.written(object).value_or(colours::kSpring);
}

void DisplayMaker::add_point_springs()
{
    std::set<std::pair<ObjectId, ObjectId>> pairs; // two coils in one place are one to the eye
    for (const PointSpring& spring : scene_.point_springs) {
        if (!pairs.insert(std::minmax(spring.a, spring.b)).second)
            continue;
        add_points(ElementKind::spring, ElementRole::thing, spring.b, 2);
        add_coil(spring.a.index, spring.b, spring.rest_length);
        add_source(DisplaySource::Kind::origin, spring.a.index);
        add_source(DisplaySource::Kind::origin, spring.b.index);
    }
}

/// The coordinate that is the amount of a translation; else kNothing.
std::uint32_t DisplayMaker::driving_coordinate(const Object& object, std::uint32_t k) const
{
    const Transformation& t = scene_.transformations[object.first_transformation + k];
    if (t.kind > TransformationKind::translate_z || t.amount.is_constant())
        return kNothing;
    const Formula& formula = scene_.formulas[t.amount.formula];
    return formula.operation == Operation::coordinate ? formula.index : kNothing;
}

/// Whether a frame tells where a transformation of an object starts from.
bool DisplayMaker::is_beginning_told(const Object& object, std::uint32_t k) const
{
    bool is_moved = false, is_told = true;
    for (std::uint32_t j = k + 1; j < object.transformation_count; ++j) {
        const Transformation& outer = scene_.transformations[object.first_transformation + j];
        is_moved = is_moved || outer.kind <= TransformationKind::translate_z;
        is_told = is_told && (!is_moved || is_told_by_frame(scene_, outer.amount));
    }
    return is_told;
}

void DisplayMaker::add_coordinate_springs()
{
    std::vector<const CoordinateSpring*> waiting(scene_.coordinates.size());
    for (const CoordinateSpring& spring : scene_.coordinate_springs)
        waiting[spring.coordinate.index] = &spring;
    for (std::uint32_t i = 1; i < scene_.objects.size(); ++i) {
        const Object& object = scene_.objects[i];
        for (std::uint32_t k = 0; k < object.transformation_count; ++k) {
            const std::uint32_t coordinate = driving_coordinate(object, k);
            if (coordinate == kNothing || !waiting[coordinate] || !is_beginning_told(object, k))
                continue;
            const CoordinateSpring& spring = *std::exchange(waiting[coordinate], nullptr);
            add_points(ElementKind::spring, ElementRole::thing, ObjectId{i}, 2);
            add_coil(i, ObjectId{i}, spring.rest_length);
            add_source(DisplaySource::Kind::beginning, i, k);
            add_source(DisplaySource::Kind::origin, i);
        }
    }
}

/// Whether a line is drawn between two points in the first frame.
bool DisplayMaker::is_joined(const Vec3& a, const Vec3& b) const
{
    const double near = 1e-3 * sizes_.small;
    const double middle = a.x + b.x;
    const auto close = [&](const Vec3& p, const Vec3& q) { return length(p - q) < near; };
    for (auto rod = std::lower_bound(rods_.begin(), rods_.end(), middle - 4 * near,
                                     [](const Rod& r, double x) { return r.a.x + r.b.x < x; });
         rod != rods_.end() && rod->a.x + rod->b.x <= middle + 4 * near; ++rod)
        if ((close(rod->a, a) && close(rod->b, b)) || (close(rod->a, b) && close(rod->b, a)))
            return true;
    return false;
}

/// Thin rods where points of rods are kept apart, in the colour of what they hold.
void DisplayMaker::add_rod_distances()
{
    constexpr double kThin = 0.5; // of the thinnest rod
    double radius = 0;
    for (const sinew::Rod& rod : scene_.rods)
        radius = radius == 0 ? rod.radius : std::min(radius, rod.radius);
    for (const RodConstraint& constraint : scene_.rod_constraints) {
        if (constraint.kind != RodConstraintKind::distance || !constraint.b.is_valid())
            continue;
        Element& line = add_points(ElementKind::curve, ElementRole::thing, constraint.b, 2);
        line.radius = std::max(kThin * radius, 0.1 * sizes_.unit);
        line.colour = rod_colour(constraint.b).value_or(colours::kLine);
        add_source(DisplaySource::Kind::origin, constraint.a.index);
        add_source(DisplaySource::Kind::origin, constraint.b.index);
    }
}

void DisplayMaker::add_distance_constraints()
{
    for (std::uint32_t i = 0; i < scene_.distance_constraints.size(); ++i) {
        const DistanceConstraint& constraint = scene_.distance_constraints[i];
        const Vec3 a = first_.objects[constraint.a.index].origin;
        const Vec3 b = first_.objects[constraint.b.index].origin;
        const bool is_rod = length(b - a) > 1e-3 * sizes_.small;
        for (const ElementRole role : {ElementRole::thing, ElementRole::constraint}) {
            if (role == ElementRole::thing && (!is_rod || is_joined(a, b)))
                continue;
            Element& rod = add_points(ElementKind::curve, role, constraint.b, 2);
            const bool is_thing = role == ElementRole::thing;
            rod.radius = (is_thing ? kRodRadius : kConstraintRadius) * sizes_.small;
            rod.colour = is_thing ? colours::kLine : colours::kConstraint;
            rod.constraint = i;
            add_source(DisplaySource::Kind::origin, constraint.a.index);
            add_source(DisplaySource::Kind::origin, constraint.b.index);
        }
    }
}

void DisplayMaker::add_path_constraints()
{
    std::set<std::uint32_t> shown;
    for (const Drawing& drawing : scene_.drawings)
        if (drawing.kind == DrawingKind::path)
            shown.insert(drawing.path.index);
    for (std::uint32_t i = 0; i < scene_.path_constraints.size(); ++i) {
        const PathConstraint& constraint = scene_.path_constraints[i];
        Element& dot =
            add_points(ElementKind::sphere, ElementRole::constraint, constraint.point, 1);
        dot.radius = mass_radius(sizes_, 1) * 1.1;
        dot.colour = colours::kConstraint;
        dot.constraint = std::uint32_t(scene_.distance_constraints.size()) + i;
        add_source(DisplaySource::Kind::origin, constraint.point.index);

        const Path& path = scene_.paths[constraint.path.index];
        bool is_told = true;
        for (std::uint32_t k = 0; k < path.points.count; ++k)
            is_told = is_told && is_told_by_frame(scene_, scene_.values[path.points.first + k]);
        const auto count = std::uint32_t(path_point_count(path));
        if (!is_told || count < 2 || !shown.insert(constraint.path.index).second)
            continue;
        Element& curve = add_points(ElementKind::curve, ElementRole::thing, path.frame, count);
        curve.radius = kHiddenPathRadius * sizes_.path();
        curve.colour = colours_.written(path.frame).value_or(colours::kPath);
        add_source(DisplaySource::Kind::path, constraint.path.index, 0, count);
    }
}

} // namespace sinew
