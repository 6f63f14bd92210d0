#include "energy_watch.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace sinew::app {

namespace {

bool is_zero(const Value& value) { return value.is_constant() && value.number == 0; }
bool is_one(const Value& value) { return value.is_constant() && value.number == 1; }

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
                    scene.mesh_motions, scene.joints, scene.skins, scene.strand_poses,
                    scene.rod_cuts) ||
           std::ranges::any_of(scene.formulas, [](const Formula& formula) {
               return formula.operation == Operation::time || has_kinks(formula.operation);
           });
}

bool springs_back(const CoordinateSpring& spring)
{
    return !spring.follows && is_zero(spring.damping) && spring.stiffness.is_constant() &&
           spring.rest_length.is_constant();
}

bool pulls_back(const PointSpring& spring)
{
    return is_zero(spring.damping) && spring.stiffness.is_constant() &&
           spring.rest_length.is_constant() && spring.release.always_holds();
}

bool is_elastic(const StrandTree& tree)
{
    return is_one(tree.time_scale) && is_zero(tree.local_dynamics) && is_one(tree.blend) &&
           is_zero(tree.freeze);
}

bool is_elastic(const StrandProperty& property)
{
    switch (property.kind) {
    case StrandPropertyKind::damping:
    case StrandPropertyKind::air_drag: return is_zero(property.a) && is_zero(property.b);
    case StrandPropertyKind::least_radius: return false; // a joint that meets its stop
    default: return true;
    }
}

bool holds(const StrandConstraint& c)
{
    const bool is_kind =
        c.kind != StrandConstraintKind::above && c.kind != StrandConstraintKind::joint;
    return is_kind && !c.low && !c.high && is_one(c.active) && is_zero(c.damping) &&
           c.stiffness.is_constant();
}

bool is_elastic(const Rod& rod)
{
    return rod.damping == 0 && rod.stretch_damping.value_or(0) == 0 &&
           rod.bend_damping.value_or(0) == 0 && rod.twist_damping.value_or(0) == 0 &&
           rod.drag_along == 0 && rod.drag_across == 0;
}

/// Not what slides on a rod: at its end it stops.
bool holds(const RodConstraint& c)
{
    switch (c.kind) {
    case RodConstraintKind::keyhole:
    case RodConstraintKind::pearl:
    case RodConstraintKind::pulley:
    case RodConstraintKind::winch:
    case RodConstraintKind::trajectory: return false;
    default:
        return !c.is_at_most && !c.is_at_least && is_zero(c.damping) && c.stiffness.is_constant() &&
               c.distance.is_constant() && c.release.always_holds();
    }
}

bool passes_through_bodies(const Scene& scene, const StrandTree& tree)
{
    bool is_said = false, is_ever = false;
    for (const StrandProperty& property : scene.strand_properties)
        if (property.kind == StrandPropertyKind::contact && property.tree == tree.object) {
            is_said |= property.curve == StrandCurve::kNone;
            is_ever |= !is_zero(property.a);
        }
    return is_said && !is_ever;
}

/// Contacts of curves are not recorded between frames, so energy is watched only in scenes where
/// curves have nothing to touch.
bool may_curves_touch(const Scene& scene)
{
    const bool has_others = !scene.bodies.empty();
    const auto passes = [&](const StrandTree& tree) { return passes_through_bodies(scene, tree); };
    const bool may_strands =
        !scene.trees.empty() && (scene.settings.strands.touch_each_other ||
                                 (has_others && !std::ranges::all_of(scene.trees, passes)));
    const RodContact felt = scene.settings.rods.contact;
    const bool may_rods = !scene.rods.empty() &&
                          (felt == RodContact::all || (felt == RodContact::bodies && has_others));
    return may_strands || may_rods;
}

} // namespace

bool keeps_energy(const Scene& scene)
{
    const auto always_holds = [](const auto& constraint) {
        return constraint.release.always_holds();
    };
    const auto all = [](const auto& list, const auto& is_so) {
        return std::ranges::all_of(list, is_so);
    };
    const RodSettings& rods = scene.settings.rods;
    return !has_drives(scene) && !may_curves_touch(scene) && !rods.is_quasi_static &&
           rods.iterations == 0 && all(scene.coordinate_springs, springs_back) &&
           all(scene.point_springs, pulls_back) && all(scene.distance_constraints, always_holds) &&
           all(scene.path_constraints, always_holds) &&
           all(scene.trees, [](const StrandTree& tree) { return is_elastic(tree); }) &&
           all(scene.strand_properties,
               [](const StrandProperty& property) { return is_elastic(property); }) &&
           all(scene.strand_constraints, [](const StrandConstraint& c) { return holds(c); }) &&
           all(scene.rods, [](const Rod& rod) { return is_elastic(rod); }) &&
           all(scene.rod_constraints, [](const RodConstraint& c) { return holds(c); });
}

void EnergyWatch::note_touch() { is_on_ = false; }

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
                   .hint = "make the step smaller, or give it the damping that it has"};
}

} // namespace sinew::app
