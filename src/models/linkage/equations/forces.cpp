#include "models/linkage/equations/forces.h"

#include "math/functions.h"
#include "math/turn.h"

namespace sinew {

namespace {

/// Pᵀf of a force f [N] at a point.
void add_point_force(const Motion& motion, std::uint32_t point, const Vec3& force,
                     std::span<double> out)
{
    const LinkagePlan& plan = motion.plan();
    const Range range = plan.points[point].partials;
    const std::span<const Vec3> partials = motion.partials(point);
    for (std::uint32_t c = 0; c < range.count; ++c)
        out[plan.partial_columns[range.first + c]] += dot(partials[c], force);
}

/// Components along the axes of a frame; a scale changes no force.
Vec3 along_axes(const Motion& motion, std::uint32_t frame, const Vec3& components)
{
    Vec3 sum{0, 0, 0};
    for (int i = 0; i < 3; ++i) {
        const Vec3 axis = value_of(motion.frame(frame).linear[i]);
        const double size = length(axis);
        if (size > 0)
            sum += axis * (components[i] / size);
    }
    return sum;
}

Vec3 gravity_of(const Motion& motion)
{
    const std::uint32_t* const g = motion.plan().gravity;
    return {motion.number(g[0]), motion.number(g[1]), motion.number(g[2])};
}

Vec3 field_of(const Motion& motion, std::uint32_t i)
{
    const PlannedField& field = motion.plan().fields[i];
    return along_axes(motion, field.frame,
                      {motion.number(field.x), motion.number(field.y), motion.number(field.z)});
}

void add_masses(const Motion& motion, std::span<double> out)
{
    const Vec3 gravity = gravity_of(motion);
    for (const PlannedMass& mass : motion.plan().masses) {
        Vec3 acceleration = gravity - second_of(motion.point(mass.point));
        for (const std::uint32_t field : mass.fields)
            acceleration += field_of(motion, field);
        add_point_force(motion, mass.point, acceleration * mass.mass, out);
    }
}

/// The force of a spring on its point a; b feels the opposite.
Vec3 pull_of(const Motion& motion, const PlannedPointSpring& spring)
{
    const Vec3T<Jet2> d = motion.point(spring.b) - motion.point(spring.a);
    const double distance = length(value_of(d));
    if (!(distance > 0))
        return {0, 0, 0}; // no direction, no force
    const Vec3 n = value_of(d) / distance;
    const double pull =
        motion.number(spring.stiffness) * (distance - motion.number(spring.rest_length)) +
        motion.number(spring.damping) * dot(n, first_of(d));
    return n * pull;
}

Vec3 force_of(const Motion& motion, const PlannedForce& force)
{
    return along_axes(motion, force.frame,
                      {motion.number(force.x), motion.number(force.y), motion.number(force.z)});
}

Vec3 force_of(const Motion& motion, const PlannedDrag& drag)
{
    return first_of(motion.point(drag.point)) * -motion.number(drag.coefficient);
}

void add_springs(const Motion& motion, std::span<double> out)
{
    const LinkagePlan& plan = motion.plan();
    for (const PlannedPointSpring& spring : plan.point_springs) {
        const Vec3 pull = pull_of(motion, spring);
        add_point_force(motion, spring.a, pull, out);
        add_point_force(motion, spring.b, -pull, out);
    }
    for (const PlannedCoordinateSpring& spring : plan.coordinate_springs) {
        const std::uint32_t c = spring.column;
        const Jet2 rest = spring.is_motor() ? motion.value(spring.rest_length)
                                            : Jet2(motion.number(spring.rest_length));
        double pull = motion.number(spring.stiffness) * (motion.instant().state[c] - rest.value) +
                      motion.number(spring.damping) * (motion.instant().rates[c] - rest.first);
        if (spring.is_motor()) // [notes: linkages, eq. 11]
            if (const double most = motion.number(spring.most); most > 0)
                pull = min(max(pull, -most), most);
        out[c] -= pull;
    }
    for (const PlannedFriction& friction : plan.frictions)
        if (!motion.instant().memory.empty())
            out[friction.column] -=
                motion.number(friction.most) * motion.instant().memory[friction.sign];
}

TurnParts<double> parts_of(const PlannedTurn& turn, std::span<const double> state)
{
    return {state[turn.columns[0]], state[turn.columns[1]], state[turn.columns[2]],
            state[turn.columns[3]]};
}

/// Keeps the length of q: q·q̈ = −q̇·q̇ [notes: linkages, eq. 9].
void add_turns(const Motion& motion, std::span<double> out)
{
    for (const PlannedTurn& turn : motion.plan().turns) {
        double squares = 0;
        for (const std::uint32_t c : turn.columns)
            squares += motion.instant().rates[c] * motion.instant().rates[c];
        for (const std::uint32_t c : turn.columns)
            out[c] -= motion.plan().turn_mass() * squares * motion.instant().state[c];
    }
}

/// Q_i = τ·a_i with the axis a_i of each part [notes: linkages, eq. 10].
void add_turn_torques(const Motion& motion, std::span<double> out)
{
    for (const PlannedTurnTorque& torque : motion.plan().turn_torques) {
        const PlannedTurn& turn = motion.plan().turns[torque.turn];
        const TurnParts<double> q = parts_of(turn, motion.instant().state);
        const std::array<Vec3, 4> axes = axes_of(q);
        Vec3 omega{0, 0, 0};
        for (std::size_t i = 0; i < 4; ++i)
            omega += axes[i] * motion.instant().rates[turn.columns[i]];
        const Vec3 given{motion.number(torque.x), motion.number(torque.y), motion.number(torque.z)};
        const Vec3 tau = given -
                         log_quat(normalised(quat_of(q))) * motion.number(torque.stiffness) -
                         omega * motion.number(torque.damping);
        for (std::size_t i = 0; i < 4; ++i)
            out[turn.columns[i]] += dot(axes[i], tau);
    }
}

} // namespace

void add_forces(const Motion& motion, std::span<double> out)
{
    const LinkagePlan& plan = motion.plan();
    add_masses(motion, out);
    add_springs(motion, out);
    add_turns(motion, out);
    add_turn_torques(motion, out);
    for (const PlannedForce& force : plan.forces)
        add_point_force(motion, force.point, force_of(motion, force), out);
    for (const PlannedTorque& torque : plan.torques)
        out[torque.column] += motion.number(torque.value);
    for (const PlannedDrag& drag : plan.drags)
        add_point_force(motion, drag.point, force_of(motion, drag), out);
}

void add_point_forces(const Motion& motion, std::span<const PointForce> forces,
                      std::span<double> out)
{
    for (const PointForce& force : forces)
        add_point_force(motion, force.point, force.force, out);
}

void list_forces(const Motion& motion, std::vector<ActingForce>& out)
{
    using Kind = ActingForce::Kind;
    const LinkagePlan& plan = motion.plan();
    const auto add = [&](Kind kind, std::uint32_t point, const Vec3& force) {
        out.push_back({kind, object_of(plan, point), force});
    };
    const Vec3 gravity = gravity_of(motion);
    for (const PlannedMass& mass : plan.masses) {
        Vec3 acceleration = gravity;
        for (const std::uint32_t field : mass.fields)
            acceleration += field_of(motion, field);
        add(Kind::weight, mass.point, acceleration * mass.mass);
    }
    for (const PlannedPointSpring& spring : plan.point_springs) {
        const Vec3 pull = pull_of(motion, spring);
        add(Kind::spring, spring.a, pull);
        add(Kind::spring, spring.b, -pull);
    }
    for (const PlannedForce& force : plan.forces)
        add(Kind::applied, force.point, force_of(motion, force));
    for (const PlannedDrag& drag : plan.drags)
        add(Kind::drag, drag.point, force_of(motion, drag));
}

void add_momentum_difference(const Motion& motion, std::span<const Vec3> targets,
                             std::span<double> out)
{
    const LinkagePlan& plan = motion.plan();
    for (std::size_t i = 0; i < plan.masses.size(); ++i) {
        const PlannedMass& mass = plan.masses[i];
        add_point_force(motion, mass.point,
                        (targets[i] - first_of(motion.point(mass.point))) * mass.mass, out);
    }
}

Energy energy_of(const Motion& motion)
{
    const LinkagePlan& plan = motion.plan();
    const Vec3 gravity = gravity_of(motion);
    Energy energy;
    for (const PlannedMass& mass : plan.masses) {
        const Vec3T<Jet2>& x = motion.point(mass.point);
        energy.kinetic += 0.5 * mass.mass * squared_length(first_of(x));
        energy.potential -= mass.mass * dot(gravity, value_of(x));
    }
    const auto add_spring = [&](double stretch, std::uint32_t stiffness) {
        energy.potential += 0.5 * motion.number(stiffness) * stretch * stretch;
    };
    for (const PlannedPointSpring& spring : plan.point_springs)
        add_spring(length(value_of(motion.point(spring.b) - motion.point(spring.a))) -
                       motion.number(spring.rest_length),
                   spring.stiffness);
    for (const PlannedCoordinateSpring& spring : plan.coordinate_springs)
        if (!spring.is_motor()) // which has no energy of its own
            add_spring(motion.instant().state[spring.column] - motion.number(spring.rest_length),
                       spring.stiffness);
    for (const PlannedTurnTorque& torque : plan.turn_torques)
        add_spring(length(log_quat(normalised(
                       quat_of(parts_of(plan.turns[torque.turn], motion.instant().state))))),
                   torque.stiffness);
    return energy;
}

Momentum momentum_of(const Motion& motion)
{
    Momentum sum;
    for (const PlannedMass& mass : motion.plan().masses) {
        const Vec3T<Jet2>& x = motion.point(mass.point);
        const Vec3 p = first_of(x) * mass.mass;
        sum += {p, cross(value_of(x), p)};
    }
    return sum;
}

} // namespace sinew
