// The step of a pile.

#include "models/rigid/pile.h"

#include "base/parallel.h"
#include "models/rigid/contacts/events.h"
#include "models/rigid/contacts/tips.h"
#include "models/rigid/islands/energy_limit.h"
#include "models/rigid/islands/free_islands.h"
#include "models/rigid/islands/island_solver.h"
#include "models/rigid/islands/islands.h"
#include "models/rigid/joints/joint_projection.h"
#include "models/rigid/joints/swings.h"
#include "models/rigid/motion.h"
#include "models/rigid/paper/erleben.h"
#include "models/rigid/riders.h"
#include "models/rigid/sleep.h"

#include <algorithm>
#include <atomic>

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
    std::vector<double> haste;      ///< of the bodies: see slow_down_links()
    std::vector<std::unique_ptr<IslandSolver>> solvers; ///< one for each thread
    std::vector<std::unique_ptr<SwingSolver>> swings;   ///< likewise
    std::vector<BodyState> swung;                       ///< where these lead to
    std::vector<char> is_swung;                         ///< of the bodies
    IslandPlans plans;
    std::vector<char> sleeps;       ///< of the islands
    std::vector<char> is_solved;    ///< of the islands, by the paper's method
    std::vector<SolverBody> before; ///< without contacts, for the same
    std::vector<char> is_hit;       ///< of the bodies: they bounced
    std::vector<double> residuals;  ///< of the islands
    std::vector<WorstPair> worst;   ///< of those that are not solved
    Projection projection;
    EnergyLimit energy;
    std::vector<FreeIsland> free;
    std::vector<char> marks;           ///< room
    std::vector<double> loads, struck; ///< of the contacts: before the step; of impacts in it
    std::vector<char> is_deep;         ///< of the contacts
    std::vector<char> carries;         ///< of the bodies: something stands on them
    std::vector<BodyForce> forces;     ///< with those that wake what carries
};

std::shared_ptr<PileWork> make_pile_work() { return std::make_shared<PileWork>(); }

namespace {

constexpr std::size_t kPortion = 128;     // bodies or contacts that one thread takes at once
constexpr std::size_t kIslandPortion = 8; // islands, likewise

/// Velocities without contacts: v⁻ + h M⁻¹ f. What turns does so freely for half the step first,
/// so that impulses act in its middle, with the inertia it has there.                   [eq. 1]
void set_free_velocities(const Pile& pile, const PileState& state, double h, int threads,
                         std::vector<SolverBody>& bodies, std::vector<Quat>& turned)
{
    bodies.resize(pile.bodies.size());
    turned.resize(pile.bodies.size());
    for_each_portion(bodies.size(), kPortion, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
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
    });
}

/// Whether a point of the contact is deeper than contacts ever rest.
bool is_deep(const ContactState& contact, const StepLengths& lengths)
{
    const auto& points = contact.manifold.point;
    return std::any_of(points.begin(), points.begin() + contact.manifold.count,
                       [&](const ContactPoint& p) { return p.gap < -lengths.margin; });
}

/// What has sunk in deep and turns too fast to be followed would never come out again: of its
/// corners those that go up need no push in this step, and in the next they are elsewhere. Its spin
/// is braked.
void brake_sunk(const Pile& pile, const StepLengths& lengths, const PileState& state,
                std::span<const char> is_deep, std::vector<SolverBody>& bodies)
{
    constexpr double kFollowed = 0.5; // rad in a step
    for (std::size_t c = 0; c < is_deep.size(); ++c)
        if (is_deep[c])
            for (const std::uint32_t shape :
                 {state.contacts[c].shapes.a, state.contacts[c].shapes.b}) {
                const std::uint32_t i = pile.shapes[shape].body;
                const double turn = length(bodies[i].w) * lengths.h;
                if (pile.bodies[i].is_free() && turn > kFollowed)
                    bodies[i].w *= kFollowed / turn;
            }
}

void add_forces(std::span<const BodyForce> forces, std::span<const char> carries, double h,
                std::vector<SolverBody>& bodies)
{
    for (const BodyForce& push : forces) {
        if (carries[push.body])
            continue; // they are in already
        bodies[push.body].v += push.force * (h * bodies[push.body].inverse_mass);
        bodies[push.body].w += bodies[push.body].inverse_inertia * push.torque * h;
    }
}

/// Bodies with what stands on them: how they would end without contacts, how they answer impulses.
void carry_riders(const Pile& pile, const PileOptions& options, const PileState& state, double h,
                  PileWork& work)
{
    work.carries.assign(pile.bodies.size(), 0);
    work.forces.assign(options.forces.begin(), options.forces.end());
    for (BodyRiders& riders : options.riders) {
        work.carries[riders.body] = 1;
        SolverBody& body = work.bodies[riders.body];
        for (const BodyForce& push : options.forces)
            if (push.body == riders.body) {
                body.v += push.force * (h * body.inverse_mass);
                body.w += body.inverse_inertia * push.torque * h;
            }
        // Impulses act in the middle: what is left of the step turns it on without them.
        const Body& model = pile.bodies[riders.body];
        const BodyState& now = state.bodies[riders.body];
        if (is_turning(model, now.w, h))
            riders.w -= turn_ahead(model, now, h).w - turn_ahead(model, now, 0.5 * h).w;
        take_riders(model, work.turned[riders.body], riders, body);
        const double wakes = riders.wakes ? 1 : 0; // of no force itself: it is in already
        work.forces.push_back({riders.body, {wakes, 0, 0}, {0, 0, 0}});
    }
}

/// In loops rows may say the same twice. Impulses of such rows against each other move nothing, so
/// nothing would take away what rounding adds to them from step to step.
void forget_loop(std::span<const std::uint32_t> joints, std::vector<JointRows>& rows)
{
    for (const std::uint32_t j : joints)
        for (std::size_t k = 0; k < rows[j].equal_count; ++k)
            rows[j].row[k].impulse = 0;
}

void update_joints(const Pile& pile, const PileState& state, double h, PileWork& work)
{
    if (pile.joints.empty())
        return;
    slow_down_links(pile, state, h, work.turned, work.bodies, work.haste);
    work.joints.resize(pile.joints.size());
    for (const std::uint32_t j : work.islands.joints)
        make_joint_rows(pile, state, j, h, work.bodies, work.joints[j]);
    for (const BodyIslands::Island& island : work.islands.list)
        if (island.joints.count > island.bodies.count)
            forget_loop(work.islands.joints_of(island), work.joints);
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
constexpr double kUnsolvedContact =
    3; // the same of contacts: what throws light bodies through walls

/// Bodies on joints that touch something all move by mean velocities, or none does: else contacts
/// between them would open or close by half of what a step changes.
void agree_on_means(const Pile& pile, const StepLengths& lengths, int threads,
                    const PileState& state, PileWork& work)
{
    find_smooth(pile, state, work.joints, threads, work.marks);
    if (pile.joints.empty())
        return;
    for (const BodyIslands::Island& island : work.islands.list) {
        if (island.joints.count == 0 || island.contacts.count == 0)
            continue;
        const auto members = work.islands.bodies_of(island);
        const bool means = std::ranges::all_of(members, [&](std::uint32_t i) {
            return moves_by_mean(work.marks[i], work.moving[i].v - state.bodies[i].v, lengths);
        });
        for (const std::uint32_t i : members)
            work.marks[i] = means ? kSwings : char(0);
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
                  const std::vector<SolverBody>& bodies, std::span<const char> carries,
                  Patch& patch)
{
    const auto turns = [&](std::uint32_t i) {
        return carries[i] || is_turning(pile.bodies[i], state.bodies[i].w, h);
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
    work.is_deep.resize(state.contacts.size());
    for_each_index(state.contacts.size(), threads, [&](std::size_t c) {
        const ContactState& contact = state.contacts[c];
        work.is_deep[c] = is_deep(contact, lengths);
        if (contact.manifold.count == 0)
            return;
        if (!std::exchange(work.contacts.has_patch[c], 1)) {
            make_patch(pile, contact, work.patches[c]);
            // A patch of what turns is of this step alone: inertia is that of half a step ahead.
            work.contacts.has_patch[c] =
                !take_turning(pile, state, lengths.h, work.bodies, work.carries, work.patches[c]);
        }
        update_patch(contact, lengths, work.patches[c]);
        update_rubbing(pile, state, lengths, contact, work.patches[c]);
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

/// A contact that is not there yet only slows bodies down so that they meet when the step ends:
/// what is left of their approach takes this impulse more [N s].
double still_to_come(const Patch& p)
{
    double sum = 0;
    for (std::size_t i = 0; i < std::size_t(p.count); ++i) {
        if (!(p.lambda[i] > 0))
            continue;
        if (p.count == 1)
            sum += p.bias[i] / p.K[i][i];
        for (std::size_t j = 0; p.count > 1 && j < std::size_t(p.count); ++j)
            sum += p.K_inverse[i][j] * (p.lambda[j] > 0 ? p.bias[j] : 0);
    }
    return max(sum, 0.0);
}

void keep_impulses(const Pile& pile, const StepLengths& lengths, int threads, PileWork& work,
                   PileState& state, PileReport& report)
{
    const std::vector<std::uint32_t>& contacts = work.islands.contacts;
    note_loads(state, work.loads, threads);
    work.struck.assign(work.loads.size(), 0);
    std::atomic<int> points = 0;
    for_each_portion(contacts.size(), kPortion, threads, [&](std::size_t begin, std::size_t end) {
        int own = 0;
        for (const std::uint32_t c : std::span(contacts).subspan(begin, end - begin)) {
            const Patch& patch = work.patches[c];
            ContactState& contact = state.contacts[c];
            work.struck[c] = patch.struck > 0 ? patch.struck : still_to_come(patch);
            contact.impulse = patch.lambda;
            contact.friction = patch.t1 * patch.f[0] + patch.t2 * patch.f[1];
            contact.twist = patch.f[2];
            contact.roll = patch.t1 * patch.roll[0] + patch.t2 * patch.roll[1];
            contact.stiffness = patch.stiffness;
            own += patch.count;
        }
        points += own;
    });
    report.contacts += points;
    add_meetings(pile, state, state, lengths, work.loads, work.struck, report.events);
}

constexpr double kLeastBounce = 5; // steps of what presses: slower approaches come to rest

/// Which pair it is, where an island is not solved.
void note_worst(const IslandSolver& solver, std::size_t island,
                const IslandSolver::Settings& settings, PileWork& work)
{
    if (!(work.residuals[island] > kUnsolvedSpeed * settings.speed))
        return;
    const WorstPair worst =
        solver.worst(kUnsolvedSpeed * settings.speed, kUnsolvedContact * settings.speed);
    if (worst.error > work.worst[island].error)
        work.worst[island] = worst;
}

void bounce(IslandSolver& solver, PileWork& work)
{
    solver.reflect(kLeastBounce);
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

void take_swung(std::span<const std::uint32_t> members, PileWork& work)
{
    for (const std::uint32_t i : members) {
        work.is_swung[i] = 1;
        work.bodies[i].v = work.swung[i].v;
        work.bodies[i].w = work.swung[i].w;
        work.moving[i] = work.bodies[i];
    }
}

/// A body that turns on one of its corners, which sticks, swings as on a joint. False where it does
/// not.
bool swing_on_tip(const Pile& pile, const StepLengths& lengths, const PileState& state,
                  const BodyIslands::Island& island, PileWork& work, SwingSolver& swings)
{
    const auto members = work.islands.bodies_of(island);
    const auto contacts = work.islands.contacts_of(island);
    if (members.size() != 1 || contacts.size() != 1)
        return false;
    const ContactState& contact = state.contacts[contacts[0]];
    Patch& patch = work.patches[contacts[0]];
    Tip tip;
    if (!make_tip(pile, state, contact, patch, lengths, tip))
        return false;
    std::array<JointRows*, 1> rows = {&tip.rows};
    const SwingSolver::Island swinging = {members,     rows, {},        work.bodies,
                                          work.turned, {},   &tip.joint};
    if (!swings.step(pile, state, lengths, swinging, work.plans[members[0]].masses, work.swung) ||
        !take_tip(pile, contact, work.swung[members[0]], tip, patch))
        return false;
    take_swung(members, work);
    return true;
}

/// An island that only joints hold, or a corner, swings by a rule of its own. False where it does
/// not.
bool swing(const Pile& pile, const StepLengths& lengths, const PileState& state,
           const BodyIslands::Island& island, PileWork& work, const IslandSolver& solver,
           SwingSolver& swings)
{
    if (std::ranges::any_of(solver.members, [&](std::uint32_t i) { return work.carries[i] != 0; }))
        return false;
    if (solver.joints.empty())
        return swing_on_tip(pile, lengths, state, island, work, swings);
    if (!swings.step(
            pile, state, lengths,
            {solver.members, solver.joints, solver.patches, work.bodies, work.turned, work.haste},
            work.plans[solver.members[0]].masses, work.swung))
        return false;
    take_swung(solver.members, work);
    return true;
}

/// Joints ask for other velocities when these change: a few times.
double solve_followed(const Pile& pile, const IslandSolver::Settings& settings,
                      const PileState& state, PileWork& work, IslandSolver& solver,
                      SolverMood& mood)
{
    constexpr int kMostPasses = 4;
    double left = solver.solve(settings, mood);
    for (int pass = 0; pass < kMostPasses && follow_joints(pile, state, settings, work, solver);
         ++pass)
        left = solver.solve_again(settings, mood);
    return left;
}

/// Solves one island and notes what is left of it.
void solve_island(const Pile& pile, const IslandSolver::Settings& settings, std::size_t k,
                  PileState& state, PileWork& work, std::size_t share)
{
    IslandSolver& solver = *work.solvers[share];
    set_island(work.islands, work.islands.list[k], work, solver);
    if (swing(pile, StepLengths(pile, settings.step), state, work.islands.list[k], work, solver,
              *work.swings[share]))
        return;
    SolverMood& mood = state.moods[solver.members[0]];
    work.residuals[k] = solve_followed(pile, settings, state, work, solver, mood);
    for (const std::uint32_t i : solver.members)
        work.moving[i] = work.bodies[i];
    note_worst(solver, k, settings, work);
    if (!solver.has_impact(kLeastBounce))
        return;
    bounce(solver, work);
    SolverMood after = mood;
    work.residuals[k] =
        max(work.residuals[k], solve_followed(pile, settings, state, work, solver, after));
    note_worst(solver, k, settings, work);
}

/// Solves the islands that are awake; each thread has a solver and takes one portion of them after
/// the other. Islands share nothing but fixed bodies: the same bits for any number of threads.
void solve_islands(const Pile& pile, const PileOptions& options, const StepLengths& lengths,
                   PileState& state, PileWork& work)
{
    const std::size_t count = work.islands.list.size();
    const std::size_t portions = (count + kIslandPortion - 1) / kIslandPortion;
    const std::size_t shares = std::min(portions, std::size_t(std::max(1, options.threads)));
    while (work.solvers.size() < shares)
        work.solvers.push_back(std::make_unique<IslandSolver>());
    while (work.swings.size() < shares)
        work.swings.push_back(std::make_unique<SwingSolver>());
    work.is_swung.assign(pile.bodies.size(), 0);
    work.swung.resize(work.is_swung.size());
    const IslandSolver::Settings settings = make_settings(pile, options, lengths);
    work.residuals.assign(count, 0);
    work.worst.assign(count, {});
    work.plans.of_first.resize(pile.bodies.size());
    for (const auto& solver : work.solvers)
        solver->sweep_count = solver->factor_count = solver->solve_count = 0;
    for (const auto& swings : work.swings)
        swings->factor_count = swings->solve_count = 0;
    std::atomic<std::size_t> next = 0;
    for_each_index(shares, options.threads, [&](std::size_t share) {
        IslandSolver& solver = *work.solvers[share];
        solver.set_bodies(pile, state.bodies, work.turned, work.plans, work.bodies);
        for (std::size_t k = 0; (k = next.fetch_add(kIslandPortion)) < count;)
            for (const std::size_t end = std::min(count, k + kIslandPortion); k < end; ++k)
                if (!work.sleeps[k])
                    solve_island(pile, settings, k, state, work, share);
    });
}

/// The same by the paper's method, all islands at once; impacts as above, and what they left solved
/// once more.
void solve_as_paper(const Pile& pile, const PileOptions& options, const StepLengths& lengths,
                    const PileState& state, PileWork& work, PileReport& report)
{
    const auto& list = work.islands.list;
    const IslandSolver::Settings settings = make_settings(pile, options, lengths);
    if (work.solvers.empty())
        work.solvers.push_back(std::make_unique<IslandSolver>());
    IslandSolver& solver = *work.solvers[0];
    work.plans.of_first.resize(pile.bodies.size());
    solver.set_bodies(pile, state.bodies, work.turned, work.plans, work.bodies);
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
        work.is_solved[k] = !work.sleeps[k] && solver.has_impact(kLeastBounce);
        if (!work.is_solved[k])
            continue;
        for (const std::uint32_t i : solver.members)
            work.bodies[i] = work.before[i];
        begin(k);
        bounce(solver, work);
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
    for (const auto& swings : work.swings) {
        report.factors += swings->factor_count;
        report.solves += swings->solve_count;
    }
    for (const double residual : work.residuals)
        report.residual = max(report.residual, residual);
    for (const WorstPair& worst : work.worst)
        if (worst.error > (report.worst ? report.worst->error : 0))
            report.worst = worst;
}

/// Those that sleep neither fall nor move.
void hold_sleepers(const PileState& state, int threads, PileWork& work, PileReport& report)
{
    std::atomic<int> asleep = 0;
    for_each_portion(work.bodies.size(), kPortion, threads,
                     [&](std::size_t begin, std::size_t end) {
                         int own = 0;
                         for (std::size_t i = begin; i < end; ++i)
                             if (is_asleep(state, i)) {
                                 work.bodies[i].v = work.bodies[i].w = {0, 0, 0};
                                 own += state.rest[i].is_asleep;
                             }
                         asleep += own;
                     });
    report.asleep = asleep;
}

/// What moves bodies that are in no island.
void move_on(int threads, PileWork& work)
{
    work.moving.resize(work.bodies.size());
    work.is_hit.assign(work.bodies.size(), 0);
    for_each_portion(work.bodies.size(), kPortion, threads,
                     [&](std::size_t begin, std::size_t end) {
                         std::copy(work.bodies.begin() + std::ptrdiff_t(begin),
                                   work.bodies.begin() + std::ptrdiff_t(end),
                                   work.moving.begin() + std::ptrdiff_t(begin));
                     });
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

bool has_numbers(const BodyState& body)
{
    return is_finite(body.x) && is_finite(body.q) && is_finite(body.v) && is_finite(body.w);
}

std::optional<std::uint32_t> find_fault(const PileOptions& options, const PileState& state)
{
    std::atomic<bool> is_whole = true;
    const std::span<const BodyState> bodies = state.bodies;
    for_each_portion(bodies.size(), kPortion, options.threads,
                     [&](std::size_t begin, std::size_t end) {
                         if (!std::ranges::all_of(bodies.subspan(begin, end - begin), has_numbers))
                             is_whole = false;
                     });
    if (!is_whole)
        return static_cast<std::uint32_t>(std::ranges::find_if_not(bodies, has_numbers) -
                                          bodies.begin());
    for (const BodyForce& push : options.forces)
        if (!is_finite(push.force) || !is_finite(push.torque))
            return push.body;
    return std::nullopt;
}

/// A step from its contacts on. Every line reads what the lines above wrote.
PileReport solve_and_move(const Pile& pile, const PileOptions& options, double h, PileState& state,
                          PileWork& work)
{
    PileReport report;
    const StepLengths lengths(pile, h);
    const int threads = options.threads;
    set_free_velocities(pile, state, h, threads, work.bodies, work.turned);
    carry_riders(pile, options, state, h, work);
    update_patches(pile, threads, lengths, state, work);
    find_islands(pile, state, threads, work.islands);
    update_sleep(pile, options, work.forces, work.islands, state, work.marks, work.sleeps);
    take_out(options, state, work);
    brake_sunk(pile, lengths, state, work.is_deep, work.bodies);
    add_forces(options.forces, work.carries, h, work.bodies);
    hold_sleepers(state, threads, work, report);
    update_joints(pile, state, h, work);
    find_free_islands(pile, state, work.islands, work.sleeps, work.forces, h,
                      {work.bodies, work.turned}, work.marks, work.free);
    note_energy(pile, state,
                {work.islands, work.patches, work.bodies, work.free, work.forces, work.carries}, h,
                work.energy);
    move_on(threads, work);
    work.is_swung.clear();
    if (options.method == BodyMethod::erleben) {
        solve_as_paper(pile, options, lengths, state, work, report);
    } else {
        solve_islands(pile, options, lengths, state, work);
        report_solvers(work, report);
    }
    note_motion(work.islands, work.is_swung, work.is_hit, work.energy);
    note_given(options.riders, work.bodies);
    keep_impulses(pile, lengths, threads, work, state, report);
    keep_joints(pile, h, state, work, report);
    agree_on_means(pile, lengths, threads, state, work);
    move_bodies(pile, state, lengths, threads,
                {work.moving, work.bodies, work.turned, work.is_hit, work.swung, work.is_swung},
                work.marks);
    refresh_gaps(pile, threads, h, state, work.contacts);
    note_places(state, work.energy);
    project(pile, state, lengths, threads, work.contacts, work.islands, work.projection, report);
    limit_pushes(pile, state, work.islands, work.sleeps, work.energy);
    finish_joints(pile, lengths, state, work, report);
    limit_energy(pile, state, work.islands, work.sleeps, work.energy);
    keep_free_motion(pile, work.islands, work.free, state);
    if (options.may_sleep)
        note_rest(pile, lengths, threads, work.islands, work.residuals,
                  {work.patches, work.bodies, work.marks},
                  make_settings(pile, options, lengths).tolerance, state);
    if (!pile.meetings.empty()) {
        place_shapes(pile, state.bodies, threads, work.contacts.placed);
        sense_pairs(pile, lengths, work.contacts, state, report.events);
    }
    if (!options.taken.empty())
        give_back(state);
    report.islands = static_cast<int>(work.islands.list.size());
    ++state.steps;
    state.step = h;
    return report;
}

} // namespace

void forget_pairs(PileWork& work) { work.contacts.are_pairs_known = false; }

void find_contacts(const Pile& pile, int threads, double h, PileState& state, PileWork& work)
{
    update_contacts(pile, threads, StepLengths(pile, h), state, work.contacts);
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
    return solve_and_move(pile, options, h, state, work);
}

PileReport move_pile(const Pile& pile, const PileOptions& options, double h, PileState& state,
                     PileWork& work)
{
    PileReport report;
    if ((report.fault_body = find_fault(options, state)))
        return report;
    return solve_and_move(pile, options, h, state, work);
}

} // namespace sinew
