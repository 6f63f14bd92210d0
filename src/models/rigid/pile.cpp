// The step of a pile. Every line reads what the lines above wrote.

#include "models/rigid/pile.h"

#include "base/parallel.h"
#include "models/rigid/contacts/contacts.h"
#include "models/rigid/islands/free_islands.h"
#include "models/rigid/islands/island_solver.h"
#include "models/rigid/islands/islands.h"
#include "models/rigid/motion.h"
#include "models/rigid/paper/erleben.h"
#include "models/rigid/sleep.h"

#include <algorithm>

namespace sinew {

struct PileWork {
    ContactWork contacts;
    BodyIslands islands;
    std::vector<Patch> patches;    ///< as PileState::contacts
    std::vector<JointRows> joints; ///< as Pile::joints
    JointWork joint_work;
    std::vector<SolverBody> bodies; ///< with the velocities being solved for
    std::vector<SolverBody> moving; ///< the same before impacts bounce: these move the bodies
    std::vector<std::unique_ptr<IslandSolver>> solvers; ///< one for each thread
    std::vector<char> sleeps;                           ///< of the islands
    std::vector<double> residuals;                      ///< of the islands
    std::vector<FreeIsland> free;
    std::vector<char> marks; ///< room
};

std::shared_ptr<PileWork> make_pile_work() { return std::make_shared<PileWork>(); }

namespace {

/// Velocities without contacts: v⁻ + h M⁻¹ f.                                           [eq. 1]
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

/// What has sunk in deep and turns too fast to be followed would never come out again: of its
/// corners those that go up need no push in this step, and in the next they are elsewhere. Its spin
/// is braked.
void brake_sunk(const Pile& pile, const StepLengths& lengths, const PileState& state,
                std::vector<SolverBody>& bodies)
{
    constexpr double kFollowed = 0.5; // rad in a step
    const auto is_deep = [&](const ContactState& contact) {
        const auto& points = contact.manifold.point;
        return std::any_of(points.begin(), points.begin() + contact.manifold.count,
                           [&](const ContactPoint& p) { return p.gap < -lengths.margin; });
    };
    for (const ContactState& contact : state.contacts)
        if (is_deep(contact))
            for (const std::uint32_t shape : {contact.shapes.a, contact.shapes.b}) {
                const std::uint32_t i = pile.shapes[shape].body;
                const double turn = length(bodies[i].w) * lengths.h;
                if (pile.bodies[i].is_free() && turn > kFollowed)
                    bodies[i].w *= kFollowed / turn;
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
        if (!state.rest[pile.joints[j].a].is_taken && !state.rest[pile.joints[j].b].is_taken)
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

void update_patches(const Pile& pile, int threads, const StepLengths& lengths,
                    const PileState& state, PileWork& work)
{
    work.patches.resize(state.contacts.size());
    for_each_index(state.contacts.size(), threads, [&](std::size_t c) {
        const ContactState& contact = state.contacts[c];
        if (contact.manifold.count == 0)
            return;
        if (!std::exchange(work.contacts.has_patch[c], 1))
            make_patch(pile, contact, work.patches[c]);
        update_patch(contact, lengths, work.patches[c]);
    });
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
    settings.threads = options.threads;
    return settings;
}

void set_island(const BodyIslands& islands, const BodyIslands::Island& island, PileWork& work,
                IslandSolver& solver)
{
    solver.members = islands.bodies_of(island);
    solver.near = islands.near_of(island);
    solver.patches.clear();
    for (const std::uint32_t c : islands.contacts_of(island))
        solver.patches.push_back(&work.patches[c]);
    solver.joints.clear();
    for (const std::uint32_t j : islands.joints_of(island))
        solver.joints.push_back(&work.joints[j]);
}

void keep_impulses(const BodyIslands& islands, const std::vector<Patch>& patches, PileState& state,
                   PileReport& report)
{
    for (const std::uint32_t c : islands.contacts) {
        const Patch& patch = patches[c];
        ContactState& contact = state.contacts[c];
        contact.impulse = patch.lambda;
        contact.friction = patch.t1 * patch.f[0] + patch.t2 * patch.f[1];
        contact.twist = patch.f[2];
        contact.roll = patch.t1 * patch.roll[0] + patch.t2 * patch.roll[1];
        contact.stiffness = patch.stiffness;
        report.contacts += patch.count;
    }
}

/// Solves the islands that are awake, each by the solver of its share, and notes what is left of
/// each. Islands share nothing but fixed bodies: the same bits for any number of threads.
void solve_islands(const Pile& pile, const PileOptions& options, const StepLengths& lengths,
                   PileState& state, PileWork& work)
{
    constexpr double kLeastBounce = 5; // times |g| h: slower approaches come to rest
    const std::size_t shares = std::size_t(std::max(1, options.threads));
    while (work.solvers.size() < shares)
        work.solvers.push_back(std::make_unique<IslandSolver>());
    const IslandSolver::Settings settings = make_settings(pile, options, lengths);
    const auto& list = work.islands.list;
    work.residuals.assign(list.size(), 0);
    work.moving.resize(work.bodies.size());
    for_each_index(shares, options.threads, [&](std::size_t share) {
        IslandSolver& solver = *work.solvers[share];
        solver.set_bodies(pile, state.bodies, work.bodies);
        solver.sweep_count = solver.factor_count = solver.solve_count = 0;
        for (std::size_t k = share; k < list.size(); k += shares) {
            if (work.sleeps[k])
                continue;
            set_island(work.islands, list[k], work, solver);
            work.residuals[k] = solver.solve(settings, state.moods[solver.members[0]]);
            for (const std::uint32_t i : solver.members)
                work.moving[i] = work.bodies[i];
            solver.bounce(kLeastBounce * lengths.speed);
        }
    });
}

void report_solvers(const PileWork& work, PileReport& report)
{
    for (const auto& solver : work.solvers) {
        report.sweeps += solver->sweep_count;
        report.factors += solver->factor_count;
        report.solves += solver->solve_count;
    }
    for (const double residual : work.residuals)
        report.residual = max(report.residual, residual);
}

/// Those that sleep neither fall nor move.
void hold_sleepers(PileState& state, PileWork& work, PileReport& report)
{
    for (std::size_t i = 0; i < work.bodies.size(); ++i)
        if (is_asleep(state, i)) {
            work.bodies[i].v = work.bodies[i].w = {0, 0, 0};
            report.asleep += state.rest[i].is_asleep;
        }
}

/// Islands that something else moves in this step are left alone like those that sleep.
void take_out(const PileOptions& options, PileState& state, PileWork& work)
{
    for (std::size_t i = 0; i < options.taken.size(); ++i)
        state.rest[i].is_taken = options.taken[i] != 0;
    const auto& list = work.islands.list;
    for (std::size_t k = 0; k < list.size(); ++k)
        if (state.rest[work.islands.bodies_of(list[k])[0]].is_taken)
            work.sleeps[k] = 1;
}

void give_back(PileState& state)
{
    for (RestState& rest : state.rest)
        if (rest.is_taken)
            rest = {};
}

std::optional<std::uint32_t> find_fault(const PileOptions& options, const PileState& state)
{
    for (std::uint32_t i = 0; i < state.bodies.size(); ++i) {
        const BodyState& body = state.bodies[i];
        if (!is_finite(body.x) || !is_finite(body.q) || !is_finite(body.v) || !is_finite(body.w))
            return i;
    }
    for (const BodyForce& push : options.forces)
        if (!is_finite(push.force) || !is_finite(push.torque))
            return push.body;
    return std::nullopt;
}

} // namespace

void find_contacts(const Pile& pile, double h, PileState& state, PileWork& work)
{
    update_contacts(pile, 1, StepLengths(pile, h), state, work.contacts);
}

void find_joined(const Pile& pile, const PileState& state, std::span<const std::uint32_t> seeds,
                 PileWork& work, std::vector<char>& is_joined)
{
    find_joined(pile, state, seeds, work.islands, is_joined);
}

PileReport step_pile(const Pile& pile, const PileOptions& options, double h, PileState& state,
                     PileWork& work)
{
    PileReport report;
    if ((report.fault_body = find_fault(options, state)))
        return report;
    update_contacts(pile, options.threads, StepLengths(pile, h), state, work.contacts);
    return move_pile(pile, options, h, state, work);
}

PileReport move_pile(const Pile& pile, const PileOptions& options, double h, PileState& state,
                     PileWork& work)
{
    PileReport report;
    if ((report.fault_body = find_fault(options, state)))
        return report;
    const StepLengths lengths(pile, h);
    update_patches(pile, options.threads, lengths, state, work);
    find_islands(pile, state, work.islands);
    update_sleep(pile, options, work.islands, state, work.marks, work.sleeps);
    take_out(options, state, work);
    set_free_velocities(pile, state, h, work.bodies);
    brake_sunk(pile, lengths, state, work.bodies);
    add_forces(options.forces, h, work.bodies);
    hold_sleepers(state, work, report);
    update_joints(pile, state, h, work);
    find_free_islands(pile, state, work.islands, work.sleeps, options.forces, h, work.bodies,
                      work.marks, work.free);
    work.moving = work.bodies;
    if (options.method == BodyMethod::erleben) {
        solve_erleben(pile, state, options, lengths, work.islands, work.patches, work.joints,
                      work.bodies, report);
        work.residuals.assign(work.islands.list.size(), report.residual);
        work.moving = work.bodies;
    } else {
        solve_islands(pile, options, lengths, state, work);
        report_solvers(work, report);
    }
    keep_impulses(work.islands, work.patches, state, report);
    keep_joints(pile, h, state, work, report);
    move_bodies(pile, state, lengths, work.moving, work.bodies, work.marks);
    refresh_gaps(pile, options.threads, h, state, work.contacts);
    project(pile, state, lengths, work.contacts, report);
    keep_free_motion(pile, work.islands, work.free, state);
    finish_joints(pile, lengths, state, work, report);
    if (options.may_sleep)
        note_rest(pile, lengths, work.islands, work.residuals,
                  make_settings(pile, options, lengths).tolerance, state);
    give_back(state);
    report.islands = static_cast<int>(work.islands.list.size());
    ++state.steps;
    state.step = h;
    return report;
}

} // namespace sinew
