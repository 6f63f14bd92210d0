#include "energy_watch.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace sinew::app {

namespace {

bool is_zero(const Value& value) { return value.is_constant() && value.number == 0; }

/// Where these switch, an impulse may take energy away.
bool has_kinks(Operation operation)
{
    switch (operation) {
    case Operation::absolute:
    case Operation::minimum:
    case Operation::maximum:
    case Operation::remainder:
    case Operation::round_down:
    case Operation::round_up:
    case Operation::less: return true;
    default: return false;
    }
}

/// What pushes or brakes, or may let go.
bool has_drives(const Scene& scene)
{
    const auto is_given = [](const auto&... lists) { return (!lists.empty() || ...); };
    return is_given(scene.tracks, scene.imports, scene.turn_torques, scene.coordinate_limits,
                    scene.coordinate_frictions, scene.events, scene.forces, scene.torques,
                    scene.drags, scene.fields, scene.airs, scene.body_torques, scene.belts,
                    scene.mesh_motions, scene.joints, scene.trees, scene.rods) ||
           std::ranges::any_of(scene.formulas, [](const Formula& formula) {
               return formula.operation == Operation::time || has_kinks(formula.operation);
           });
}

} // namespace

bool keeps_energy(const Scene& scene)
{
    const auto springs_back = [](const CoordinateSpring& spring) {
        return !spring.follows && is_zero(spring.damping) && spring.stiffness.is_constant() &&
               spring.rest_length.is_constant();
    };
    const auto pulls_back = [](const PointSpring& spring) {
        return is_zero(spring.damping) && spring.stiffness.is_constant() &&
               spring.rest_length.is_constant() && spring.release.always_holds();
    };
    const auto always_holds = [](const auto& constraint) {
        return constraint.release.always_holds();
    };
    return scene.bodies.size() <= 1 && !has_drives(scene) &&
           std::ranges::all_of(scene.coordinate_springs, springs_back) &&
           std::ranges::all_of(scene.point_springs, pulls_back) &&
           std::ranges::all_of(scene.distance_constraints, always_holds) &&
           std::ranges::all_of(scene.path_constraints, always_holds);
}

std::optional<Problem> EnergyWatch::look(double time, const Energy& energy)
{
    constexpr double kShare = 1e-6;     // of the largest kinetic energy
    constexpr double kRounding = 1e-12; // of all that is counted
    if (!is_on_)
        return std::nullopt;
    const double now = energy.kinetic + energy.potential;
    if (!start_)
        start_ = now;
    kinetic_ = std::max(kinetic_, energy.kinetic);
    largest_ = std::max(largest_, energy.kinetic + std::abs(energy.potential));
    const double change = now - *start_;
    if (!(std::abs(change) > kShare * kinetic_ + kRounding * largest_))
        return std::nullopt;
    is_on_ = false;
    return Problem{.severity = Severity::warning,
                   .code = "energy-drifts",
                   .what = fmt::format("energy has {} by {:.2g} J, {:.2g} of the largest kinetic, "
                                       "after {:g} s, and nothing drives or damps",
                                       change > 0 ? "risen" : "fallen", std::abs(change),
                                       std::abs(change) / kinetic_, time),
                   .hint = "make the step smaller"};
}

} // namespace sinew::app
