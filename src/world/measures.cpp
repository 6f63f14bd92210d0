// What probes and conditions ask for besides places: forces, energies, rates of values, and what is
// known of constraints with a name.

#include "world/measures.h"

#include "math/functions.h"
#include "models/rigid/joints/joints.h"
#include "world/parts.h"

#include <algorithm>
#include <array>

namespace sinew {

/// Only what the values ask for.
void World::Parts::measure(std::span<const Value> values, Measured& out) const
{
    constexpr double kMoment = 1e-6; // s: rounding and curvature leave errors of the same size
    bool contacts = false, constraints = false, energy = false, moves = false, sections = false;
    std::array<bool, kConstraintLists> lists = {};
    for (const Value value : values)
        for_each_measured(scene, value, [&](const Formula& leaf) {
            contacts = contacts || measures(leaf, Measure::contact);
            constraints = constraints || measures(leaf, Measure::constraint);
            energy =
                energy || measures(leaf, Measure::kinetic) || measures(leaf, Measure::potential);
            sections = sections ||
                       (leaf.operation == Operation::contact && is_of_section(measure_of(leaf)) &&
                        sinew::constraint_of(leaf).list == ConstraintList::none);
            moves = moves || is_rate_of_value(leaf);
            if (leaf.operation == Operation::contact)
                lists[static_cast<std::size_t>(sinew::constraint_of(leaf).list)] = true;
        });
    moves = moves || lists[static_cast<std::size_t>(ConstraintList::spring)];
    if (contacts)
        for (const Contact& contact : contacts_now())
            out.touches.push_back({contact.a, contact.b, contact.force});
    if (constraints) {
        out.held.resize(scene.objects.size(), {0, 0, 0});
        for (const ActingForce& force : forces_now())
            if (force.kind == ActingForce::Kind::constraint && force.object.is_valid())
                out.held[force.object.index] += force.force;
    }
    if (sections)
        out.sections = sections_by_object();
    if (energy) {
        const Energy now = energy_now();
        out.all.kinetic = now.kinetic;
        out.all.potential = now.potential;
    }
    if (moves) {
        out.before = extrapolated(-kMoment);
        out.after = extrapolated(kMoment);
        out.coordinates_before = out.coordinates_after = coordinates;
        for (std::size_t i = 0; i < coordinates.size(); ++i) {
            out.coordinates_before[i] -= kMoment * rates[i];
            out.coordinates_after[i] += kMoment * rates[i];
        }
        out.all.moment = kMoment;
    }
    out.all.touches = out.touches;
    out.all.held = out.held;
    out.all.sections = out.sections;
    out.all.coordinates_before = out.coordinates_before;
    out.all.coordinates_after = out.coordinates_after;
    out.all.before = out.before.objects;
    out.all.after = out.after.objects;
    read_constraints(lists, out);
    out.all.constraints = out.constraints;
}

namespace {

/// Signed along the way from the first end to the second; of laws without such a way, the size.
double tension_along(const Vec3& force, const std::optional<Vec3>& way)
{
    const double far = way ? length(*way) : 0;
    return far > 0 ? dot(force, *way) / far : length(force);
}

} // namespace

/// Only the lists that are asked for.
void World::Parts::read_constraints(std::span<const bool> wanted, Measured& out) const
{
    const auto wants = [&](ConstraintList list) { return wanted[static_cast<std::size_t>(list)]; };
    const auto list_of = [&](ConstraintList list) -> std::vector<ConstraintReading>& {
        return out.constraints[static_cast<std::size_t>(list)];
    };
    Instant at;
    const bool is_any = std::ranges::any_of(wanted.subspan(1), [](bool is) { return is; });
    if (!is_any)
        return;
    const Posture now = update_instant(state.time, at);
    if (wants(ConstraintList::distance) || wants(ConstraintList::path))
        read_ties(at.objects, list_of(ConstraintList::distance), list_of(ConstraintList::path));
    if (wants(ConstraintList::spring))
        read_springs(now, at.objects, out, list_of(ConstraintList::spring));
    if (wants(ConstraintList::joint))
        read_joints(list_of(ConstraintList::joint));
    if (wants(ConstraintList::strand))
        read_held_strands(now, at.objects, list_of(ConstraintList::strand));
    if (wants(ConstraintList::rod))
        read_held_rods(now, at.objects, list_of(ConstraintList::rod));
}

void World::Parts::read_ties(std::span<const Affine> objects,
                             std::vector<ConstraintReading>& distances,
                             std::vector<ConstraintReading>& paths) const
{
    const std::size_t count = scene.distance_constraints.size();
    std::vector<Vec3> forces(count + scene.path_constraints.size(), {0, 0, 0});
    std::vector<double> errors(forces.size());
    Trial trial = linkages_now();
    linkages->read_tie_forces(trial, state.time, forces_on_linkages(trial), forces);
    linkages->read_residuals(trial, state.time, errors);
    for (std::size_t i = 0; i < count; ++i) {
        const DistanceConstraint& c = scene.distance_constraints[i];
        std::optional<Vec3> reach;
        if (!c.distance.is_constant() || c.distance.number != 0) // a pin has no direction
            reach = objects[c.b.index].origin - objects[c.a.index].origin;
        distances.push_back({forces[i], tension_along(forces[i], reach), errors[i]});
    }
    for (std::size_t i = count; i < forces.size(); ++i)
        paths.push_back({forces[i], length(forces[i]), errors[i]});
}

/// k (|b − a| − L0) + c d|b − a|/dt, by the places a moment before and after.
void World::Parts::read_springs(const Posture& now, std::span<const Affine> objects,
                                const Measured& measured,
                                std::vector<ConstraintReading>& springs) const
{
    const auto number = [&](Value value) { return value_at(scene, value, now, objects); };
    const auto reach = [](const PointSpring& c, std::span<const Affine> places) {
        return places[c.b.index].origin - places[c.a.index].origin;
    };
    for (const PointSpring& c : scene.point_springs) {
        const Vec3 d = reach(c, objects);
        const double far = length(d);
        const double rate =
            (length(reach(c, measured.all.after)) - length(reach(c, measured.all.before))) /
            (2 * measured.all.moment);
        const double pull =
            number(c.stiffness) * (far - number(c.rest_length)) + number(c.damping) * rate;
        springs.push_back({far > 0 ? d * (pull / far) : Vec3{0, 0, 0}, pull, 0});
    }
}

void World::Parts::read_joints(std::vector<ConstraintReading>& joints) const
{
    for (std::size_t j = 0; j < scene.joints.size(); ++j) {
        ConstraintReading reading;
        if (j < state.pile.joints.size() && !state.pile.joints[j].is_broken &&
            is_in_force(pile(), state.pile, j))
            reading.force = -state.pile.joints[j].force;
        reading.tension = length(reading.force);
        if (scene.joints[j].kind == JointKind::distance && reading.tension > 0)
            reading.tension = tension_along(reading.force, way_of_joint(j));
        joints.push_back(reading);
    }
}

/// From the point that a joint holds on its first body to that on its second.
Vec3 World::Parts::way_of_joint(std::size_t j) const
{
    const JointModel& joint = pile().joints[j];
    const auto place = [&](std::uint32_t body, const Pose& in_body) {
        const BodyState& at = state.pile.bodies[body];
        return at.x + rotate(at.q, in_body.translation);
    };
    return place(joint.b, joint.in_b) - place(joint.a, joint.in_a);
}

namespace {

/// How far apart two are, against what they should be; `low` and `high` for limits.
double error_of(double far, std::optional<double> wanted, std::optional<double> low,
                std::optional<double> high)
{
    if (wanted)
        return abs(far - *wanted);
    return max(0.0, max(low ? *low - far : 0.0, high ? far - *high : 0.0));
}

} // namespace

/// From the first end to the second, or to the point that stands for it.
Vec3 World::Parts::way_between(ObjectId a, ObjectId b, PathId path, const Posture& now,
                               std::span<const Affine> objects) const
{
    Vec3 end = objects[b.is_valid() ? b.index : 0].origin;
    if (!b.is_valid() && path.is_valid()) {
        const Path& point = scene.paths[path.index];
        Vec3 local;
        for (std::uint32_t k = 0; k < 3; ++k)
            local[static_cast<int>(k)] =
                value_at(scene, scene.values[point.points.first + k], now, objects);
        end = apply(objects[point.frame.index], local);
    }
    return end - objects[a.index].origin;
}

void World::Parts::read_held_strands(const Posture& now, const std::vector<Affine>& objects,
                                     std::vector<ConstraintReading>& held) const
{
    using Kind = StrandConstraintKind;
    std::vector<ConstraintLoad> loads(scene.strand_constraints.size());
    add_strand_loads(objects, loads);
    for (std::size_t i = 0; i < loads.size(); ++i) {
        const StrandConstraint& c = scene.strand_constraints[i];
        const bool has_way = c.kind == Kind::distance || c.kind == Kind::spring;
        const bool is_point = c.kind == Kind::position || c.kind == Kind::fusion;
        const Vec3 reach =
            has_way || is_point ? way_between(c.a, c.b, c.path, now, objects) : Vec3{0, 0, 0};
        std::optional<double> wanted;
        if (is_point)
            wanted = 0;
        else if (c.kind == Kind::distance && c.distance)
            wanted = value_at(scene, *c.distance, now, objects);
        held.push_back(
            {loads[i].force,
             tension_along(loads[i].force, has_way ? std::optional(reach) : std::nullopt),
             error_of(length(reach), wanted, c.low, c.high)});
    }
}

void World::Parts::read_held_rods(const Posture& now, const std::vector<Affine>& objects,
                                  std::vector<ConstraintReading>& held) const
{
    using Kind = RodConstraintKind;
    std::vector<ConstraintLoad> loads(scene.rod_constraints.size());
    add_rod_loads(objects, loads);
    for (std::size_t i = 0; i < loads.size(); ++i) {
        const RodConstraint& c = scene.rod_constraints[i];
        const bool has_way = c.kind == Kind::distance || c.kind == Kind::spring;
        const bool is_point = c.kind == Kind::position || c.kind == Kind::fusion;
        const Vec3 reach =
            has_way || is_point ? way_between(c.a, c.b, c.path, now, objects) : Vec3{0, 0, 0};
        const double wanted =
            c.kind == Kind::distance ? value_at(scene, c.distance, now, objects) : 0;
        const auto limit = [&](bool is) { return is ? std::optional(wanted) : std::nullopt; };
        const bool has_limit = c.is_at_least || c.is_at_most;
        held.push_back(
            {loads[i].force,
             tension_along(loads[i].force, has_way ? std::optional(reach) : std::nullopt),
             error_of(length(reach), limit(!has_limit && (is_point || has_way)),
                      limit(c.is_at_least), limit(c.is_at_most))});
    }
}

} // namespace sinew
