#include "models/rigid/joints/swings.h"

#include "models/rigid/motion.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr int kMostParts = 16; // of a step

double dot(std::span<const double> a, std::span<const double> b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

void add_scaled(std::span<const double> a, double share, std::span<double> to)
{
    for (std::size_t i = 0; i < a.size(); ++i)
        to[i] += a[i] * share;
}

void add_turning(const Mat3& inertia, JointedFactor::Matrix& M)
{
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            M[3 + i][3 + k] += inertia(i, k);
}

double row_velocity(const JointRow& row, const BodyState& a, const BodyState& b)
{
    return dot(row.l, b.v - a.v) + dot(row.turn_b, b.w) - dot(row.turn_a, a.w);
}

} // namespace

/// Whether no motor, spring or friction acts, no limit and no contact pushes.
bool SwingSolver::is_undriven(const Pile& pile, const Island& island)
{
    const auto is_plain = [&](const JointRows* rows) {
        const JointModel& joint = island.model(pile, *rows);
        const auto pushes = [](const JointRow& row) { return row.impulse != 0; };
        return !joint.has_motor && !joint.has_servo && !joint.has_spring() &&
               !(joint.friction > 0) &&
               std::none_of(rows->row.begin() + std::ptrdiff_t(rows->first_drive),
                            rows->row.begin() + std::ptrdiff_t(rows->count), pushes);
    };
    const auto is_idle = [](const Patch* p) {
        return std::all_of(p->lambda.begin(), p->lambda.begin() + p->count,
                           [](double l) { return l == 0; });
    };
    return !island.joints.empty() && std::ranges::all_of(island.joints, is_plain) &&
           std::ranges::all_of(island.patches, is_idle);
}

/// How many parts the step needs, so that bodies turn little in each, and light links under a
/// strong pull swing slowly; 0: too many.
int SwingSolver::parts_of(double h, std::span<const BodyState> bodies, const Island& island)
{
    constexpr double kMostSpin = 0.3, kMostHeavyParts = 4;
    double spin = 0, turn = 0, heavy = 1;
    for (const std::uint32_t i : island.members) {
        spin = max(spin, length(bodies[i].w) * h);
        if (!island.haste.empty())
            heavy = max(heavy, island.haste[i]);
    }
    for (const JointRows* rows : island.joints)
        turn = max(turn, rows->turn);
    heavy = ceil(sqrt(heavy));
    const double parts = max(heavy, min(double(kMostParts), ceil(spin / kMostSpin)));
    const bool is_followed = turn <= kMostTurn * parts && heavy <= kMostHeavyParts;
    return is_followed ? static_cast<int>(max(parts, 1.0)) : 0;
}

void SwingSolver::begin(const Pile& pile, const PileState& state, const Island& island, int parts)
{
    if (node_.size() != pile.bodies.size())
        node_.assign(pile.bodies.size(), JointedFactor::kFixed);
    now_.resize(pile.bodies.size());
    then_.resize(pile.bodies.size());
    members_.resize(island.members.size());
    const double share = 0.5 / parts;
    for (std::uint32_t n = 0; n < island.members.size(); ++n) {
        const std::uint32_t i = island.members[n];
        const BodyState& now = now_[i] = state.bodies[i];
        const Body& body = pile.bodies[i];
        node_[i] = n;
        members_[n].push = (island.free[i].v - now.v) * (share * body.mass);
        members_[n].torque = (momentum_of(body, island.turned[i], island.free[i].w) -
                              momentum_of(body, now.q, now.w)) *
                             share;
    }
    shape_.clear();
    driven_.clear();
    impulse_.clear();
    const auto node = [&](std::uint32_t i) {
        if (pile.bodies[i].is_free())
            return node_[i];
        now_[i] = state.bodies[i];
        driven_.push_back(i);
        return JointedFactor::kFixed;
    };
    for (const JointRows* rows : island.joints) {
        shape_.push_back({node(rows->a), node(rows->b), std::uint32_t(rows->equal_count)});
        for (std::size_t k = 0; k < rows->equal_count; ++k)
            impulse_.push_back(share * rows->row[k].impulse);
    }
    sum_.assign(impulse_.size(), 0.0);
}

/// Rows of the joints for bodies somewhere, in the measure of those of the island. Returns the
/// largest error [m].
double SwingSolver::lay_rows(const Pile& pile, const Island& island,
                             std::span<const BodyState> bodies, std::vector<JointRows>& rows) const
{
    double worst = 0;
    rows.resize(island.joints.size());
    for (std::size_t j = 0; j < rows.size(); ++j) {
        const JointRows& given = *island.joints[j];
        rows[j].a = given.a;
        rows[j].b = given.b;
        rows[j].last = given.last;
        make_equal_rows(island.model(pile, given), bodies[given.a], bodies[given.b], rows[j]);
        for (std::size_t k = 0; k < rows[j].count; ++k) {
            JointRow& row = rows[j].row[k];
            row.turn_a *= given.arm[k];
            row.turn_b *= given.arm[k];
            row.error *= given.arm[k];
            worst = max(worst, abs(row.error));
        }
    }
    return worst;
}

/// Masses and rows of joints; in a part of length h a body that spins answers a change of its
/// momentum L, but for a skew part, as I + ¼ h² [L]ᵀ I⁻¹ [L] does.
bool SwingSolver::factor_at(const Pile& pile, double h, const Island& island,
                            std::span<const BodyState> bodies, const std::vector<JointRows>& rows,
                            JointedFactor& factor)
{
    ++factor_count;
    factor.plan(std::uint32_t(members_.size()), {}, shape_);
    factor.clear();
    for (std::uint32_t n = 0; n < members_.size(); ++n) {
        const std::uint32_t i = island.members[n];
        const Body& body = pile.bodies[i];
        JointedFactor::Matrix M = {};
        for (int k = 0; k < 3; ++k)
            M[k][k] = body.mass;
        add_turning(inertia_at(bodies[i].q, body.inertia), M);
        if (h > 0) {
            const Vec3 light = {1 / body.inertia.x, 1 / body.inertia.y, 1 / body.inertia.z};
            const Mat3 L = cross_matrix(members_[n].L);
            add_turning(transpose(L) * (inertia_at(bodies[i].q, light) * L) * (0.25 * h * h), M);
        }
        factor.add_body(n, M);
    }
    for (std::size_t j = 0; j < rows.size(); ++j)
        for (std::size_t k = 0; k < rows[j].count; ++k)
            factor.set_row(j, k, rows[j].row[k]);
    return factor.factor();
}

/// The present impulses, on bodies at the beginning.
void SwingSolver::push_off(const Pile& pile)
{
    for (Member& member : members_) {
        member.v_half = member.v;
        member.L_half = member.L;
    }
    std::size_t at = 0;
    for (const JointRows& rows : first_)
        for (std::size_t k = 0; k < rows.count; ++k, ++at) {
            const JointRow& row = rows.row[k];
            if (pile.bodies[rows.b].is_free()) {
                Member& b = members_[node_[rows.b]];
                b.v_half += row.l * (impulse_[at] / pile.bodies[rows.b].mass);
                b.L_half += row.turn_b * impulse_[at];
            }
            if (pile.bodies[rows.a].is_free()) {
                Member& a = members_[node_[rows.a]];
                a.v_half -= row.l * (impulse_[at] / pile.bodies[rows.a].mass);
                a.L_half -= row.turn_a * impulse_[at];
            }
        }
}

/// Where the present impulses lead to. Returns the largest error there [m].
double SwingSolver::fly_on(const Pile& pile, double h, const Island& island)
{
    push_off(pile);
    for (std::size_t n = 0; n < members_.size(); ++n) {
        const std::uint32_t i = island.members[n];
        then_[i].x = now_[i].x + members_[n].v_half * h;
        then_[i].q = turn_with(pile.bodies[i], now_[i].q, members_[n].L_half, h);
    }
    const double worst = lay_rows(pile, island, then_, last_);
    error_.clear();
    for (const JointRows& rows : last_)
        for (std::size_t k = 0; k < rows.count; ++k)
            error_.push_back(rows.row[k].error);
    return worst;
}

/// Step n of Broyden's method, whose steps themselves are its memory.     [Kelley95, section 7.3]
void SwingSolver::correct(JointedFactor& factor, double h, std::size_t n)
{
    if (steps_.size() <= n)
        steps_.resize(n + 1);
    std::vector<double>& step = steps_[n];
    step.resize(error_.size());
    for (std::size_t i = 0; i < error_.size(); ++i)
        step[i] = -error_[i] / h;
    right_.assign(members_.size(), Row6{});
    factor.solve(right_, step);
    ++solve_count;
    for (std::size_t j = 0; j + 1 < n; ++j)
        add_scaled(steps_[j + 1], dot(steps_[j], step) / dot(steps_[j], steps_[j]), step);
    if (n > 0) {
        const std::vector<double>& last = steps_[n - 1];
        const double left = 1 - dot(last, step) / dot(last, last);
        for (double& by : step)
            by /= left;
    }
    add_scaled(step, 1, impulse_);
}

/// Impulses at the beginning that close the joints at the end.
bool SwingSolver::close(const Pile& pile, const Part& part, const Island& island,
                        JointedFactor& factor)
{
    constexpr std::size_t kMostSteps = 24;
    constexpr double kExact = 1e-12, kEnough = 1e-7; // of |g| h²
    constexpr double kRounding = 2e-16, kAway = 1e3, kStalled = 0.5;
    double extent = 0;
    for (const std::uint32_t i : island.members)
        extent = max(extent, length(now_[i].x));
    const double exact = max(kExact * part.unit, kRounding * extent);
    const double enough = max(kEnough * part.unit, exact);
    const double first = fly_on(pile, part.h, island);
    double worst = first;
    for (std::size_t n = 0; n < kMostSteps && worst > exact; ++n) {
        const double last = worst;
        correct(factor, part.h, n);
        worst = fly_on(pile, part.h, island);
        if (!(worst < kAway * max(first, part.unit)))
            return false;
        if (worst <= enough && worst > kStalled * last)
            break; // rounding
    }
    return worst <= enough;
}

/// −w of the rows at the end; returns the largest.
double SwingSolver::find_speeds()
{
    double worst = 0;
    error_.clear();
    for (const JointRows& rows : last_)
        for (std::size_t k = 0; k < rows.count; ++k) {
            error_.push_back(-row_velocity(rows.row[k], then_[rows.a], then_[rows.b]));
            worst = max(worst, abs(error_.back()));
        }
    return worst;
}

/// Velocities at the end, and the impulses there that make them those of closed joints.
bool SwingSolver::finish(const Pile& pile, const Part& part, const Island& island,
                         JointedFactor& factor)
{
    constexpr int kMostPasses = 3;
    constexpr double kExact = 1e-10; // of |g| h
    for (std::size_t n = 0; n < members_.size(); ++n) {
        const std::uint32_t i = island.members[n];
        const Member& member = members_[n];
        then_[i].v = member.v_half + member.push / pile.bodies[i].mass;
        then_[i].w = spin_of(pile.bodies[i], then_[i].q, member.L_half + member.torque);
    }
    if (!factor_at(pile, 0, island, then_, last_, factor))
        return false;
    change_.assign(impulse_.size(), 0.0);
    double worst = 0;
    for (int pass = 0; pass < kMostPasses; ++pass) { // rows that say the same twice give a little
        worst = find_speeds();
        if (!(worst > kExact * part.unit / part.h))
            break;
        right_.assign(members_.size(), Row6{});
        factor.solve(right_, error_);
        ++solve_count;
        add_scaled(error_, 1, change_);
        for (std::size_t n = 0; n < members_.size(); ++n) {
            BodyState& body = then_[island.members[n]];
            body.v += Vec3{right_[n][0], right_[n][1], right_[n][2]};
            body.w += Vec3{right_[n][3], right_[n][4], right_[n][5]};
        }
    }
    return is_finite(worst);
}

/// From now_ on by a part.
bool SwingSolver::step_part(const Pile& pile, const Part& part, const Island& island,
                            JointedFactor& factor)
{
    lay_rows(pile, island, now_, first_);
    for (const std::uint32_t i : driven_) {
        then_[i] = now_[i];
        then_[i].x += now_[i].v * part.h;
        then_[i].q = turn_by(now_[i].q, now_[i].w * part.h);
    }
    for (std::size_t n = 0; n < members_.size(); ++n) {
        const std::uint32_t i = island.members[n];
        Member& member = members_[n];
        member.v = now_[i].v + member.push / pile.bodies[i].mass;
        member.L = momentum_of(pile.bodies[i], now_[i].q, now_[i].w) + member.torque;
        then_[i].x = now_[i].x + member.v * (0.5 * part.h);
        then_[i].q = turn_with(pile.bodies[i], now_[i].q, member.L, 0.5 * part.h);
    }
    lay_rows(pile, island, then_, last_); // halfway: what the factor is of
    if (!factor_at(pile, part.h, island, then_, last_, factor) ||
        !close(pile, part, island, factor) || !finish(pile, part, island, factor))
        return false;
    for (const std::uint32_t i : island.members)
        now_[i] = then_[i];
    for (const std::uint32_t i : driven_)
        now_[i] = then_[i];
    for (std::size_t i = 0; i < sum_.size(); ++i)
        sum_[i] += impulse_[i] + change_[i];
    return true;
}

/// Whether no contact and no limit would have had to push.
bool SwingSolver::is_free(const Pile& pile, const PileState& state, double h,
                          const Island& island) const
{
    const auto moved = [&](std::uint32_t i) {
        SolverBody body = island.free[i];
        if (body.inverse_mass > 0) {
            body.v = (now_[i].x - state.bodies[i].x) / h;
            body.w = (state.bodies[i].w + now_[i].w) * 0.5;
        }
        return body;
    };
    const auto keeps_limits = [&](const JointRows* rows) {
        const JointModel& joint = island.model(pile, *rows);
        return rows->count == rows->first_drive ||
               is_within_limits(joint, now_[rows->a], now_[rows->b],
                                state.joints[rows->joint].coordinate);
    };
    if (!std::ranges::all_of(island.joints, keeps_limits))
        return false;
    return std::ranges::all_of(island.patches, [&](const Patch* p) {
        const Wrench6 U = relative_twist(*p, moved(p->a), moved(p->b));
        for (int i = 0; i < p->count; ++i)
            if (point_velocity(*p, i, U) + p->bias[std::size_t(i)] < 0)
                return false;
        return true;
    });
}

/// Whether more energy came in than forces did work, by more than a little of what moves.
bool SwingSolver::gains(const Pile& pile, const PileState& state, const StepLengths& lengths,
                        const Island& island) const
{
    constexpr double kMostGain = 1e-4, kRounding = 1e-9; // of what moves; of m |g|² h²
    const auto drives = [&](std::uint32_t i) {
        return state.bodies[i].v != Vec3{0, 0, 0} || state.bodies[i].w != Vec3{0, 0, 0};
    };
    if (std::ranges::any_of(driven_, drives))
        return false;
    double gain = 0, kinetic = 0, mass = 0;
    for (const std::uint32_t i : island.members) {
        const Body& body = pile.bodies[i];
        const BodyState &before = state.bodies[i], &after = now_[i];
        const Vec3 push = (island.free[i].v - before.v) * body.mass;
        const Vec3 torque = momentum_of(body, island.turned[i], island.free[i].w) -
                            momentum_of(body, before.q, before.w);
        const double own = kinetic_energy(body, after);
        kinetic += own;
        mass += body.mass;
        gain += own - kinetic_energy(body, before) - dot(push, after.x - before.x) / lengths.h -
                dot(torque, before.w + after.w) * 0.5;
    }
    return gain > kMostGain * kinetic + kRounding * mass * lengths.speed * lengths.speed;
}

bool SwingSolver::step(const Pile& pile, const PileState& state, const StepLengths& lengths,
                       const Island& island, JointedFactor& factor, std::vector<BodyState>& end)
{
    constexpr double kLoose = 0.01; // of |g| h²: a joint that is off by more is closed first
    if (!is_undriven(pile, island))
        return false;
    int parts = parts_of(lengths.h, state.bodies, island);
    if (parts == 0 || !(lay_rows(pile, island, state.bodies, first_) <= kLoose * lengths.unit))
        return false;
    const auto take_parts = [&] {
        begin(pile, state, island, parts);
        const Part part{lengths.h / parts, lengths.unit / parts};
        for (int k = 0; k < parts; ++k)
            if (!step_part(pile, part, island, factor))
                return false;
        return !gains(pile, state, lengths, island);
    };
    for (; !take_parts(); parts *= 2)
        if (2 * parts > kMostParts)
            return false;
    if (!is_free(pile, state, lengths.h, island))
        return false;
    for (const std::uint32_t i : island.members)
        end[i] = now_[i];
    std::size_t at = 0;
    for (JointRows* rows : island.joints)
        for (std::size_t k = 0; k < rows->equal_count; ++k, ++at)
            rows->row[k].impulse = sum_[at];
    return true;
}

} // namespace sinew
