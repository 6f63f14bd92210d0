// The step of a pile. Every line reads what the lines above wrote.

#include "models/rigid/pile.h"

#include "base/parallel.h"
#include "models/rigid/contacts/contacts.h"
#include "models/rigid/islands/free_islands.h"
#include "models/rigid/islands/island_solver.h"
#include "models/rigid/islands/islands.h"
#include "models/rigid/islands/joint_projection.h"
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
    std::vector<Quat> turned;       ///< orientations half a step ahead: impulses act there
    std::vector<std::unique_ptr<IslandSolver>> solvers; ///< one for each thread
    std::vector<char> sleeps;                           ///< of the islands
    std::vector<char> is_solved;                        ///< of the islands, by the paper's method
    std::vector<SolverBody> before;                     ///< without contacts, for the same
    std::vector<char> is_hit;                           ///< of the bodies: they bounced
    std::vector<double> residuals;                      ///< of the islands
    std::vector<WorstPair> worst;                       ///< of those that are not solved
    std::vector<double> potential;                      ///< of the islands, before overlap goes [J]
    std::vector<FreeIsland> free;
    std::vector<char> marks; ///< room
};

std::shared_ptr<PileWork> make_pile_work() { return std::make_shared<PileWork>(); }

namespace {

/// Velocities without contacts: v⁻ + h M⁻¹ f. What turns does so freely for half the step first,
/// so that impulses act in its middle, with the inertia it has there.                   [eq. 1]
void set_free_velocities(const Pile& pile, const PileState& state, double h,
                         std::vector<SolverBody>& bodies, std::vector<Quat>& turned)
{
    bodies.resize(pile.bodies.size());
    turned.resize(pile.bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const BodyState& now = state.bodies[i];
        const Turned half = is_turning(pile.bodies[i], now.w, h)
                                ? turn_ahead(pile.bodies[i], now, 0.5 * h)
                                : Turned{now.q, now.w};
        bodies[i].v = now.v;
        bodies[i].w = half.w;
        turned[i] = half.q;
        set_response(pile.bodies[i], half.q, bodies[i]);
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
    slow_down_links(pile, state, h, work.turned, work.bodies);
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

constexpr double kUnsolvedGap = 0.1; // of |g| h²: a joint that is off by more is not solved
constexpr double kUnsolvedSpeed = 1; // of |g| h: limits and motors that are off by more

bool is_jointed_pile(const BodyIslands::Island& island)
{
    return island.joints.count > 0 && island.contacts.count > 0;
}

/// Bodies on joints that touch something all move by mean velocities, or none does: else contacts
/// between them would open or close by half of what a step changes.
void agree_on_means(const Pile& pile, const StepLengths& lengths, const PileState& state,
                    PileWork& work)
{
    find_smooth(pile, state, work.joints, work.marks);
    for (const BodyIslands::Island& island : work.islands.list) {
        if (!is_jointed_pile(island))
            continue;
        const auto members = work.islands.bodies_of(island);
        const bool means = std::ranges::all_of(members, [&](std::uint32_t i) {
            return moves_by_mean(work.marks[i], work.moving[i].v - state.bodies[i].v, lengths);
        });
        for (const std::uint32_t i : members)
            work.marks[i] = means ? kSwings : char(0);
    }
}

double potential_of(const Pile& pile, const PileState& state, const BodyIslands& islands,
                    const BodyIslands::Island& island)
{
    double sum = 0;
    for (const std::uint32_t i : islands.bodies_of(island))
        sum -= pile.bodies[i].mass * dot(pile.gravity, state.bodies[i].x);
    return sum;
}

void note_potential(const Pile& pile, const PileState& state, PileWork& work)
{
    work.potential.clear();
    for (const BodyIslands::Island& island : work.islands.list)
        work.potential.push_back(
            is_jointed_pile(island) ? potential_of(pile, state, work.islands, island) : 0);
}

/// Where overlap was pushed out of bodies on joints, against gravity, their motion pays for it: a
/// heavy load on light links would be lifted step by step.
void pay_for_lifting(const Pile& pile, PileState& state, PileWork& work)
{
    for (std::size_t k = 0; k < work.potential.size(); ++k) {
        const BodyIslands::Island& island = work.islands.list[k];
        if (!is_jointed_pile(island) || work.sleeps[k])
            continue;
        const double lifted = potential_of(pile, state, work.islands, island) - work.potential[k];
        double kinetic = 0;
        for (const std::uint32_t i : work.islands.bodies_of(island))
            kinetic += kinetic_energy(pile.bodies[i], state.bodies[i]);
        if (!(lifted > 0) || !(kinetic > 0))
            continue;
        const double share = sqrt(max(0.0, 1 - lifted / kinetic));
        for (const std::uint32_t i : work.islands.bodies_of(island)) {
            state.bodies[i].v *= share;
            state.bodies[i].w *= share;
        }
    }
}

/// Joints closed, coordinates counted on.
void finish_joints(const Pile& pile, const StepLengths& lengths, PileState& state, PileWork& work,
                   PileReport& report)
{
    if (pile.joints.empty())
        return;
    const JointErrors errors = close_joints(pile, state, lengths, work.joint_work);
    report.joint_error = errors.before;
    report.joint_gap = errors.after;
    if (errors.after > kUnsolvedGap * lengths.unit && !report.worst) {
        const JointModel& joint = pile.joints[errors.worst];
        report.worst = WorstPair{joint.a, joint.b, errors.after / lengths.h};
    }
    for (std::size_t j = 0; j < pile.joints.size(); ++j) {
        const JointModel& joint = pile.joints[j];
        state.joints[j].coordinate = joint_coordinate(
            joint, state.bodies[joint.a], state.bodies[joint.b], state.joints[j].coordinate);
    }
}

/// True where a body of the patch turns: then it answers impulses as in the middle of the step.
bool take_turning(const Pile& pile, const PileState& state, double h,
                  const std::vector<SolverBody>& bodies, Patch& patch)
{
    const auto turns = [&](std::uint32_t i) {
        return is_turning(pile.bodies[i], state.bodies[i].w, h);
    };
    if (!turns(patch.a) && !turns(patch.b))
        return false;
    set_responses(bodies[patch.a], bodies[patch.b], patch);
    return true;
}

void update_patches(const Pile& pile, int threads, const StepLengths& lengths,
                    const PileState& state, PileWork& work)
{
    work.patches.resize(state.contacts.size());
    for_each_index(state.contacts.size(), threads, [&](std::size_t c) {
        const ContactState& contact = state.contacts[c];
        if (contact.manifold.count == 0)
            return;
        if (!std::exchange(work.contacts.has_patch[c], 1)) {
            make_patch(pile, contact, work.patches[c]);
            // A patch of what turns is of this step alone: inertia is that of half a step ahead.
            work.contacts.has_patch[c] =
                !take_turning(pile, state, lengths.h, work.bodies, work.patches[c]);
        }
        update_patch(contact, lengths, work.patches[c]);
    });
}

IslandSolver::Settings make_settings(const Pile& pile, const PileOptions& options,
                                     const StepLengths& lengths)
{
    constexpr double kUsualSpeed = 0.0981; // |g| h of a step of 10 ms on earth
    IslandSolver::Settings settings;
    settings.tolerance = options.tolerance * lengths.speed / kUsualSpeed;
    settings.step = lengths.h;
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

constexpr double kLeastBounce = 5; // times |g| h: slower approaches come to rest

/// Which pair it is, where an island is not solved.
void note_worst(const IslandSolver& solver, std::size_t island,
                const IslandSolver::Settings& settings, PileWork& work)
{
    if (!(work.residuals[island] > kUnsolvedSpeed * settings.speed))
        return;
    const WorstPair worst = solver.worst();
    if (worst.error > max(kUnsolvedSpeed * settings.speed, work.worst[island].error))
        work.worst[island] = worst;
}

void bounce(IslandSolver& solver, double least, PileWork& work)
{
    solver.reflect(least);
    for (std::size_t m = 0; m < solver.members.size(); ++m)
        work.is_hit[solver.members[m]] = solver.was_hit(m);
}

/// Joints for the velocities just solved for. True where that changes what they ask for.
bool follow_joints(const Pile& pile, const PileState& state, const IslandSolver::Settings& settings,
                   const PileWork& work, const IslandSolver& solver)
{
    constexpr double kSmall = 1e-3; // of |g| h
    double most = 0;
    for (JointRows* rows : solver.joints)
        most = max(most, update_biases(pile, state, settings.step, work.bodies,
                                       solver.patches.empty(), *rows));
    return most > kSmall * settings.speed;
}

/// Solves the islands that are awake, each by the solver of its share, and notes what is left of
/// each. Islands share nothing but fixed bodies: the same bits for any number of threads.
void solve_islands(const Pile& pile, const PileOptions& options, const StepLengths& lengths,
                   PileState& state, PileWork& work)
{
    constexpr int kMostPasses = 4;
    const std::size_t shares = std::size_t(std::max(1, options.threads));
    while (work.solvers.size() < shares)
        work.solvers.push_back(std::make_unique<IslandSolver>());
    const IslandSolver::Settings settings = make_settings(pile, options, lengths);
    const auto& list = work.islands.list;
    work.residuals.assign(list.size(), 0);
    work.worst.assign(list.size(), {});
    work.moving.resize(work.bodies.size());
    for_each_index(shares, options.threads, [&](std::size_t share) {
        IslandSolver& solver = *work.solvers[share];
        solver.set_bodies(pile, state.bodies, work.turned, work.bodies);
        solver.sweep_count = solver.factor_count = solver.solve_count = 0;
        for (std::size_t k = share; k < list.size(); k += shares) {
            if (work.sleeps[k])
                continue;
            set_island(work.islands, list[k], work, solver);
            SolverMood& mood = state.moods[solver.members[0]];
            work.residuals[k] = solver.solve(settings, mood);
            for (int pass = 0;
                 pass < kMostPasses && follow_joints(pile, state, settings, work, solver); ++pass)
                work.residuals[k] = solver.solve_again(settings, mood);
            for (const std::uint32_t i : solver.members)
                work.moving[i] = work.bodies[i];
            note_worst(solver, k, settings, work);
            if (!solver.has_impact(kLeastBounce * lengths.speed))
                continue;
            bounce(solver, kLeastBounce * lengths.speed, work);
            SolverMood after = mood;
            work.residuals[k] = max(work.residuals[k], solver.solve(settings, after));
            note_worst(solver, k, settings, work);
        }
    });
}

/// The same by the paper's method, all islands at once; impacts as above, and what they left solved
/// once more.
void solve_as_paper(const Pile& pile, const PileOptions& options, const StepLengths& lengths,
                    const PileState& state, PileWork& work, PileReport& report)
{
    const auto& list = work.islands.list;
    const IslandSolver::Settings settings = make_settings(pile, options, lengths);
    const double least = kLeastBounce * lengths.speed;
    if (work.solvers.empty())
        work.solvers.push_back(std::make_unique<IslandSolver>());
    IslandSolver& solver = *work.solvers[0];
    solver.set_bodies(pile, state.bodies, work.turned, work.bodies);
    const auto begin = [&](std::size_t k) {
        set_island(work.islands, list[k], work, solver);
        solver.begin(settings);
    };
    const auto solve = [&] {
        solve_erleben(pile, state, options, lengths, work.islands, work.is_solved, work.patches,
                      work.joints, work.bodies, report);
    };
    for (std::size_t k = 0; k < list.size(); ++k)
        begin(k);
    work.before = work.bodies;
    work.is_solved.assign(list.size(), 1);
    solve();
    work.residuals.assign(list.size(), report.residual);
    work.moving = work.bodies;
    for (std::size_t k = 0; k < list.size(); ++k) {
        set_island(work.islands, list[k], work, solver);
        work.is_solved[k] = !work.sleeps[k] && solver.has_impact(least);
        if (!work.is_solved[k])
            continue;
        for (const std::uint32_t i : solver.members)
            work.bodies[i] = work.before[i];
        begin(k);
        bounce(solver, least, work);
    }
    if (std::ranges::any_of(work.is_solved, [](char is) { return is != 0; }))
        solve();
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
    for (const WorstPair& worst : work.worst)
        if (worst.error > (report.worst ? report.worst->error : 0))
            report.worst = worst;
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
    set_free_velocities(pile, state, h, work.bodies, work.turned);
    update_patches(pile, options.threads, lengths, state, work);
    find_islands(pile, state, work.islands);
    update_sleep(pile, options, work.islands, state, work.marks, work.sleeps);
    take_out(options, state, work);
    brake_sunk(pile, lengths, state, work.bodies);
    add_forces(options.forces, h, work.bodies);
    hold_sleepers(state, work, report);
    update_joints(pile, state, h, work);
    find_free_islands(pile, state, work.islands, work.sleeps, options.forces, h,
                      {work.bodies, work.turned}, work.marks, work.free);
    work.moving = work.bodies;
    work.is_hit.assign(work.bodies.size(), 0);
    if (options.method == BodyMethod::erleben) {
        solve_as_paper(pile, options, lengths, state, work, report);
    } else {
        solve_islands(pile, options, lengths, state, work);
        report_solvers(work, report);
    }
    keep_impulses(work.islands, work.patches, state, report);
    keep_joints(pile, h, state, work, report);
    agree_on_means(pile, lengths, state, work);
    move_bodies(pile, state, lengths, {work.moving, work.bodies, work.turned, work.is_hit},
                work.marks);
    refresh_gaps(pile, options.threads, h, state, work.contacts);
    note_potential(pile, state, work);
    project(pile, state, lengths, work.contacts, report);
    finish_joints(pile, lengths, state, work, report);
    if (report.overlap > lengths.band)
        pay_for_lifting(pile, state, work);
    keep_free_motion(pile, work.islands, work.free, state);
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
