// The step of a pile. Every line reads what the lines above wrote.

#include "models/rigid/pile.h"

#include "models/rigid/contacts.h"
#include "models/rigid/island_solver.h"
#include "models/rigid/islands.h"
#include "models/rigid/motion.h"

namespace sinew {

struct PileWork {
    ContactWork contacts;
    Islands islands;
    std::vector<Patch> patches;    ///< as PileState::contacts
    std::vector<JointRows> joints; ///< as Pile::joints
    JointWork joint_work;
    std::vector<SolverBody> bodies; ///< with the velocities being solved for
    std::vector<SolverBody> moving; ///< the same before impacts bounce: these move the bodies
    IslandSolver solver;
};

std::shared_ptr<PileWork> make_pile_work() { return std::make_shared<PileWork>(); }

namespace {

/// Velocities without contacts.
void set_free_velocities(const Pile& pile, const PileState& state, double h,
                         std::vector<SolverBody>& bodies)
{
    bodies.resize(pile.bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        bodies[i].v = state.bodies[i].v;
        bodies[i].w = state.bodies[i].w;
        set_response(pile.bodies[i], state.bodies[i].q, bodies[i]);
        if (pile.bodies[i].is_free())
            bodies[i].v += pile.gravity * h;
    }
}

void add_forces(std::span<const BodyForce> forces, double h, std::vector<SolverBody>& bodies)
{
    for (const BodyForce& push : forces) {
        bodies[push.body].v += push.force * (h * bodies[push.body].inverse_mass);
        bodies[push.body].w += bodies[push.body].inverse_inertia * push.torque * h;
    }
}

void update_joints(const Pile& pile, const PileState& state, double h, PileWork& work)
{
    if (pile.joints.empty())
        return;
    slow_down_links(pile, state, h, work.bodies);
    work.joints.resize(pile.joints.size());
    for (const std::uint32_t j : work.islands.joints)
        make_joint_rows(pile, state, j, h, work.bodies, work.joints[j]);
}

void keep_joints(const Pile& pile, double h, PileState& state, PileWork& work, PileReport& report)
{
    for (const std::uint32_t j : work.islands.joints)
        report.broken += keep_joint(pile.joints[j], work.joints[j], h, state.joints[j]);
    if (report.broken > 0)
        work.contacts.are_pairs_known = false; // what was held together may collide now
}

/// Joints closed, coordinates counted on.
void finish_joints(const Pile& pile, const StepLengths& lengths, PileState& state, PileWork& work,
                   PileReport& report)
{
    if (pile.joints.empty())
        return;
    report.joint_error = close_joints(pile, state, lengths, work.joint_work);
    for (std::size_t j = 0; j < pile.joints.size(); ++j) {
        const JointModel& joint = pile.joints[j];
        state.joints[j].coordinate = joint_coordinate(
            joint, state.bodies[joint.a], state.bodies[joint.b], state.joints[j].coordinate);
    }
}

void update_patches(const Pile& pile, const StepLengths& lengths, const PileState& state,
                    PileWork& work)
{
    work.patches.resize(state.contacts.size());
    for (std::size_t c = 0; c < state.contacts.size(); ++c) {
        const ContactState& contact = state.contacts[c];
        if (contact.manifold.count == 0)
            continue;
        if (!std::exchange(work.contacts.has_patch[c], 1))
            make_patch(pile, contact, work.patches[c]);
        update_patch(contact, lengths, work.patches[c]);
    }
}

IslandSolver::Settings make_settings(const Pile& pile, const PileOptions& options,
                                     const StepLengths& lengths)
{
    constexpr double kUsualSpeed = 0.0981; // |g| h of a step of 10 ms on earth
    IslandSolver::Settings settings;
    settings.tolerance = options.tolerance * lengths.speed / kUsualSpeed;
    settings.speed = lengths.speed;
    settings.gravity_change = pile.gravity * lengths.h;
    settings.sweeps = options.sweeps;
    settings.rounds = options.rounds;
    settings.newton = options.newton;
    settings.penalty = options.penalty;
    return settings;
}

void set_island(const Islands& islands, const Islands::Island& island, PileWork& work)
{
    work.solver.members = islands.bodies_of(island);
    work.solver.near = islands.near_of(island);
    work.solver.patches.clear();
    for (const std::uint32_t c : islands.contacts_of(island))
        work.solver.patches.push_back(&work.patches[c]);
    work.solver.joints.clear();
    for (const std::uint32_t j : islands.joints_of(island))
        work.solver.joints.push_back(&work.joints[j]);
}

void keep_impulses(const Islands& islands, const std::vector<Patch>& patches, PileState& state,
                   PileReport& report)
{
    for (const std::uint32_t c : islands.contacts) {
        const Patch& patch = patches[c];
        ContactState& contact = state.contacts[c];
        contact.impulse = patch.lambda;
        contact.friction = patch.t1 * patch.f[0] + patch.t2 * patch.f[1];
        contact.twist = patch.f[2];
        contact.stiffness = patch.stiffness;
        report.contacts += patch.count;
    }
}

} // namespace

PileReport step_pile(const Pile& pile, const PileOptions& options, double h, PileState& state,
                     PileWork& work)
{
    constexpr double kLeastBounce = 5; // times |g| h: slower approaches come to rest
    PileReport report;
    const StepLengths lengths(pile, h);
    IslandSolver& solver = work.solver;
    update_contacts(pile, lengths, state, work.contacts);
    update_patches(pile, lengths, state, work);
    find_islands(pile, state, work.islands);
    set_free_velocities(pile, state, h, work.bodies);
    add_forces(options.forces, h, work.bodies);
    update_joints(pile, state, h, work);
    solver.set_bodies(pile, state.bodies, work.bodies);
    solver.sweep_count = solver.factor_count = solver.solve_count = 0;
    for (const Islands::Island& island : work.islands.list) {
        set_island(work.islands, island, work);
        report.residual = max(report.residual, solver.solve(make_settings(pile, options, lengths),
                                                            state.moods[solver.members[0]]));
    }
    work.moving = work.bodies;
    for (const Islands::Island& island : work.islands.list) {
        set_island(work.islands, island, work);
        solver.bounce(kLeastBounce * lengths.speed);
    }
    keep_impulses(work.islands, work.patches, state, report);
    keep_joints(pile, h, state, work, report);
    move_bodies(pile, state, lengths, work.moving, work.bodies);
    refresh_gaps(pile, state, work.contacts);
    project(pile, state, lengths, work.contacts, report);
    finish_joints(pile, lengths, state, work, report);
    report.islands = static_cast<int>(work.islands.list.size());
    report.sweeps = solver.sweep_count;
    report.factors = solver.factor_count;
    report.solves = solver.solve_count;
    ++state.steps;
    return report;
}

} // namespace sinew
