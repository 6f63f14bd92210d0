// Directions that no mass resists at the start, and in postures that it may come to.

#include "scene/reading/singularities.h"
#include "scene/reading/start.h"
#include "scene/validate/problems.h"

#include "base/text.h"

#include <algorithm>
#include <cmath>

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

} // namespace

Problems check_masses(const Scene& scene, const Kinematics& kinematics,
                      const std::vector<Equation>& equations)
{
    constexpr double kSingular = 1e-11; // of a unit diagonal
    constexpr int kMostNamed = 20;
    Problems problems = check_idle_coordinates(scene, kinematics);
    const auto free = find_free_directions(scene, kinematics, equations, kSingular, kMostNamed);
    for (const std::vector<double>& direction : free) {
        std::size_t largest = 0;
        for (std::size_t i = 0; i < direction.size(); ++i)
            if (std::abs(direction[i]) > std::abs(direction[largest]))
                largest = i;
        const Coordinate& coordinate = scene.coordinates[largest];
        problems.push_back(describe_free_direction(scene, kinematics, direction,
                                                   "at " + coordinate.name + " = " +
                                                       number_text(coordinate.initial)));
    }
    if (free.empty())
        for (Problem& problem : find_singular_postures(scene))
            problems.push_back(std::move(problem));
    return problems;
}

} // namespace sinew
