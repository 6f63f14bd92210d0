// Directions that no mass resists at the start, and in postures that it may come to.

#include "scene/reading/singularities.h"
#include "scene/reading/start.h"
#include "scene/validate/problems.h"

#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace sinew {

namespace {

/// A torque or spring on a coordinate that moves nothing.
Problems check_idle_coordinates(const Scene& scene, const Kinematics& kinematics)
{
    Problems problems;
    for (const std::uint32_t i : coordinates_in_no_transformation(scene, kinematics)) {
        const auto is_it = [&](const auto& thing) { return thing.coordinate.index == i; };
        const bool is_driven =
            std::any_of(scene.torques.begin(), scene.torques.end(), is_it) ||
            std::any_of(scene.coordinate_springs.begin(), scene.coordinate_springs.end(), is_it);
        if (is_driven && problems.size() < 20)
            problems.push_back(
                make_problem(scene, Severity::warning, "moves-nothing", scene.coordinates[i].origin,
                             "coordinates[" + std::to_string(i) + "]",
                             "dynamic '" + scene.coordinates[i].name + "' moves nothing",
                             "use it in a transformation, or remove it"));
    }
    return problems;
}

/// Coordinates that slide something freely: no constraint, stop, spring or motor is on them.
std::vector<bool> find_free_slides(const Scene& scene, const std::vector<Equation>& equations)
{
    std::vector<bool> slides(scene.coordinates.size());
    for (const Transformation& t : scene.transformations)
        if (t.kind <= TransformationKind::translate_z && !t.amount.is_constant())
            if (const Formula& amount = scene.formulas[t.amount.formula];
                amount.operation == Operation::coordinate)
                slides[amount.index] = true;
    for (const Equation& equation : equations)
        for (const Partial<double>& partial : equation.gradient)
            if (partial.column < slides.size())
                slides[partial.column] = false;
    for (const CoordinateLimit& limit : scene.coordinate_limits)
        slides[limit.coordinate.index] = false;
    for (const CoordinateSpring& spring : scene.coordinate_springs)
        slides[spring.coordinate.index] = false;
    return slides;
}

/// Masses of linkages pass through obstacles, which surprises: said once, of the first that can
/// fall through a plane and that no force of the script keeps from it.
std::optional<Problem> find_fall_through(const Scene& scene, const Kinematics& kinematics,
                                         const std::vector<Equation>& equations)
{
    const auto plane = std::ranges::find_if(
        scene.shapes, [](const Shape& shape) { return shape.kind == ShapeKind::plane; });
    if (plane == scene.shapes.end() || (scene.masses.empty() && scene.box_masses.empty()))
        return std::nullopt;
    const Affine& frame = kinematics.frame(plane->frame);
    const Vec3 n = frame.linear * plane->size;
    const std::vector<bool> slides = find_free_slides(scene, equations);
    const auto falls = [&](ObjectId object) {
        const auto is_on_it = [&](const Force& force) { return force.object == object; };
        const PointMotion x = kinematics.point(object);
        return dot(n, x.position - frame.origin) > plane->offset &&
               std::ranges::none_of(scene.forces, is_on_it) &&
               std::ranges::any_of(x.partials, [&](const Partial<Vec3>& partial) {
                   return partial.column < slides.size() && slides[partial.column] &&
                          std::abs(dot(partial.value, n)) > 0.5;
               });
    };
    const auto describe = [&](ObjectId object) {
        const std::vector<std::string> names = object_names(scene);
        return make_problem(scene, Severity::note, "passes-through",
                            scene.objects[object.index].origin, "objects",
                            "'" + names[object.index] +
                                "' has the mass of a linkage: it does not "
                                "collide with '" +
                                names[plane->body.index] + "'",
                            "make it a body, or give its coordinate stops: limits(y, 0, 10)");
    };
    for (const Mass& mass : scene.masses)
        if (falls(mass.object))
            return describe(mass.object);
    for (const BoxMass& box : scene.box_masses)
        if (falls(box.object))
            return describe(box.object);
    return std::nullopt;
}

} // namespace

Problems check_masses(const Scene& scene, const Kinematics& kinematics,
                      const std::vector<Equation>& equations)
{
    constexpr double kSingular = 1e-11; // of a unit diagonal
    constexpr int kMostNamed = 20;
    Problems problems = check_idle_coordinates(scene, kinematics);
    if (auto note = find_fall_through(scene, kinematics, equations))
        problems.push_back(std::move(*note));
    const auto free = find_free_directions(scene, kinematics, equations, kSingular, kMostNamed);
    for (const std::vector<double>& direction : free) {
        std::size_t largest = 0;
        for (std::size_t i = 0; i < direction.size(); ++i)
            if (std::abs(direction[i]) > std::abs(direction[largest]))
                largest = i;
        const Coordinate& coordinate = scene.coordinates[largest];
        Problem problem = describe_free_direction(scene, kinematics, direction,
                                                  "at " + coordinate.name + " = " +
                                                      number_text(coordinate.initial));
        const auto is_same = [&](const Problem& other) { return other.what == problem.what; };
        if (std::ranges::none_of(problems, is_same)) // a ball may have several such axes
            problems.push_back(std::move(problem));
    }
    if (free.empty())
        for (Problem& problem : find_singular_postures(scene))
            problems.push_back(std::move(problem));
    return problems;
}

} // namespace sinew
