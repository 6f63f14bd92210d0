// Strands and rows: one step of Newton, what unit impulses do, what impulses give.

#include "base/contract.h"
#include "models/strand/rows/dynamics_scratch.h"

#include <algorithm>
#include <cmath>

namespace sinew::strand {

namespace {

constexpr double kAnyWork = 1e30; // [J]: no gain of energy is too much

} // namespace

void StrandDynamics::predict(const Cohort& cohort, const RowSet& rows, const Stage& stage,
                             Trial& trial) const noexcept
{
    for (const Member& member : cohort.members) {
        const Plan& plan = plans_[member.block];
        BlockScratch& own = scratch_of(plan, trial, member.block);
        find_residual(plan, cohort, member, rows, rows.held, stage, trial, own);
        const Topology tree = plan.shape.view();
        const StageOf<double> at = stage_of(member.block, stage, trial);
        own.base_demand = SymmetricDemand<double>::zero();
        SymmetricDemand<double>* base = plan.has_free_base ? &own.base_demand : nullptr;
        const Rows<double> trail = own.trails(), param = rows_of(own.param, Param::count),
                           load = rows_of(own.load, Load::count),
                           factor = rows_of(own.factor, Factor::count), residual = own.residuals(),
                           pivot = rows_of(own.pivot, 6);
        if (plan.is_elastic)
            eliminate_symmetric<true, true, true, double, Untouched, true>(
                tree, trail, param, load, at, own.slots, factor, residual, pivot, false, {},
                own.axials(), base);
        else if (plan.uses_drag())
            eliminate_symmetric<true, true, true, double>(tree, trail, param, load, at, own.slots,
                                                          factor, residual, pivot, false, {}, {},
                                                          base);
        else
            eliminate_symmetric<false, true, true, double>(tree, trail, param, load, at, own.slots,
                                                           factor, residual, pivot, false, {}, {},
                                                           base);
        own.room = own.factor; // the sweep outward overwrites
        BaseStep<double> moved = {};
        if (base)
            moved = predict_base(member.block, own, stage, trial);
        const BaseStep<double>* from = base ? &moved : nullptr;
        for (int i = 0; i < tree.count; ++i) {
            const std::size_t iv = shapes_[member.block].v_first + 3 * static_cast<std::size_t>(i);
            const Rows<double> room = rows_of(own.room, Factor::count);
            const Vec3 step = plan.is_elastic
                                  ? substitute_symmetric<true>(i, tree, trail, param, at, room,
                                                               own.axials(), from)
                                  : substitute_symmetric(i, tree, trail, param, at, room, {}, from);
            write(trial.state.v, iv, read_vector(trial.state.v, iv) + step);
            if (plan.is_elastic)
                give_speed(member.block, std::size_t(i), trail(i, Axial::change), stage, trial);
            own.arm[i] = rotate(trail.quat(i, Trail::turn), Vec3{0, param(i, Param::length), 0});
        }
    }
}

/// C = Σ yᵀ V y over what two ways to the root have in common.                        [eq. 11]
void StrandDynamics::respond(const Cohort& cohort, const RowSet& rows, const Trial& trial,
                             Responses& responses) const noexcept
{
    for (const Member& member : cohort.members) {
        const Plan& plan = plans_[member.block];
        BlockScratch& own = scratch_of(plan, trial, member.block);
        const std::span<const Touch> touches = cohort.touches_of(member);
        find_ways(plan, rows, touches, own);
        const std::span<double> C = responses.port_of(member);
        const std::size_t count = touches.size();
        for (std::size_t a = 0; a < count; ++a)
            for (std::size_t b = a; b < count; ++b)
                C[a * count + b] = C[b * count + a] = common_part(plan, own, rows, touches, a, b);
    }
}

/// The moment of each touch's unit impulse about every joint between its segment and the root.
void StrandDynamics::find_ways(const Plan& plan, const RowSet& rows, std::span<const Touch> touches,
                               BlockScratch& own) const
{
    own.way.clear();
    own.answer.clear();
    own.way_along.clear();
    own.answer_along.clear();
    own.way_first.clear();
    own.base_ways.clear();
    own.base_answers.clear();
    for (const Touch& touch : touches) {
        const Site& site = rows.site[touch.side];
        Wrench now = site.element == kBase ? own.unit_of(rows, touch) : own.at_joint(rows, touch);
        own.way_first.push_back(own.way.size());
        double part = site.u;
        for (int i = static_cast<int>(site.element); i >= 0; i = plan.segments[i].parent) {
            if (plan.is_elastic) {
                const double along = part * own.along_of(i, now.force);
                own.way_along.push_back(along);
                own.answer_along.push_back(along * own.axials()(i, AxialFactor::q));
                own.let_go(i, along, now);
                part = plan.segments[i].attach;
            }
            own.way.push_back(now.torque);
            own.answer.push_back(own.times_pivot(i, now.torque));
            if (plan.segments[i].parent >= 0)
                now = own.hung(plan.segments[i], own.passed_on(i, now.torque, now.force));
            else if (plan.has_free_base)
                now = own.at_base(plan.segments[i], own.passed_on(i, now.torque, now.force));
        }
        if (plan.has_free_base) {
            own.base_ways.push_back(now);
            own.base_answers.push_back(own.base_factor.solve(now.torque, now.force));
        }
    }
}

double StrandDynamics::common_part(const Plan& plan, const BlockScratch& own, const RowSet& rows,
                                   std::span<const Touch> touches, std::size_t a, std::size_t b)
{
    const auto segment_of = [&](std::size_t touch) {
        return static_cast<int>(rows.site[touches[touch].side].element);
    };
    std::size_t at_a = own.way_first[a], at_b = own.way_first[b];
    double sum = 0;
    if (plan.has_free_base)
        sum = dot(own.base_ways[a].torque, own.base_answers[b].x) +
              dot(own.base_ways[a].force, own.base_answers[b].a);
    for (int i = segment_of(a), j = segment_of(b); i >= 0 && j >= 0;)
        if (i > j)
            i = plan.segments[i].parent, ++at_a;
        else if (j > i)
            j = plan.segments[j].parent, ++at_b;
        else {
            if (plan.is_elastic)
                sum += own.way_along[at_a] * own.answer_along[at_b];
            sum += dot(own.way[at_a++], own.answer[at_b++]);
            i = j = plan.segments[i].parent;
        }
    return sum;
}

void StrandDynamics::correct(const Cohort& cohort, const RowSet& rows, const Stage& stage,
                             Part part, Trial& trial) const noexcept
{
    for (const Member& member : cohort.members) {
        const Plan& plan = plans_[member.block];
        BlockScratch& own = scratch_of(plan, trial, member.block);
        std::ranges::fill(own.y, Vec3{0, 0, 0});
        std::ranges::fill(own.f, Vec3{0, 0, 0});
        std::ranges::fill(own.along, 0.0);
        own.base_push = {};
        for (const Touch& touch : cohort.touches_of(member)) {
            const Site& site = rows.site[touch.side];
            const double impulse = rows.impulse[touch.row] - rows.held[touch.row];
            if (site.element == kBase) {
                own.base_push += own.unit_of(rows, touch) * impulse;
                continue;
            }
            const Wrench unit = own.at_joint(rows, touch);
            own.y[site.element] += unit.torque * impulse;
            own.f[site.element] += unit.force * impulse;
            if (plan.is_elastic)
                own.along[site.element] +=
                    site.u * impulse * own.along_of(static_cast<int>(site.element), unit.force);
        }
        solve(plan, own);
        if (plan.has_free_base)
            give_base(member.block, own.base_step, stage, part, trial);
        for (std::size_t i = 0; i < plan.segments.size(); ++i) {
            give(member.block, i, own.y[i], stage, part, trial);
            if (plan.is_elastic)
                give_length(member.block, i, own.along[i], stage, part, trial);
        }
        const BlockShape& shape = shapes_[member.block];
        if (part == Part::impulse)
            std::fill_n(trial.state.memory.begin() + shape.memory_first, shape.memory_count, 0.0);
    }
}

void StrandDynamics::solve_inward(const Plan& plan, BlockScratch& own)
{
    for (int i = static_cast<int>(plan.segments.size()) - 1; i >= 0; --i) {
        if (plan.is_elastic) {
            Wrench at{own.y[i], own.f[i]};
            own.let_go(i, own.along[i], at);
            own.y[i] = at.torque, own.f[i] = at.force;
        }
        if (const int parent = plan.segments[i].parent; parent >= 0) {
            const Wrench up = own.hung(plan.segments[i], own.passed_on(i, own.y[i], own.f[i]));
            own.y[parent] += up.torque;
            own.f[parent] += up.force;
            if (plan.is_elastic)
                own.along[parent] += plan.segments[i].attach * own.along_of(parent, up.force);
        } else if (plan.has_free_base)
            own.base_push += own.at_base(plan.segments[i], own.passed_on(i, own.y[i], own.f[i]));
    }
}

/// From moments and forces of impulses, at the joints and at a free base, to changes of the
/// segments' rates, in y, and of the base, in base_step.
void StrandDynamics::solve(const Plan& plan, BlockScratch& own)
{
    solve_inward(plan, own);
    own.base_step = {};
    if (plan.has_free_base)
        own.base_step = own.base_factor.solve(own.base_push.torque, own.base_push.force);
    for (std::size_t i = 0; i < plan.segments.size(); ++i) { // f becomes the joint's velocity
        const SegmentData& s = plan.segments[i];
        const int k = static_cast<int>(i);
        Vec3 x = own.times_pivot(k, own.y[i]), v{0, 0, 0};
        if (s.parent >= 0) {
            v = own.f[s.parent] + cross(own.y[s.parent], own.arm[s.parent] * s.attach);
            if (plan.is_elastic)
                v += own.axis_of(s.parent) * (own.along[s.parent] * s.attach);
            x += own.G(k) * own.y[s.parent] - own.H(k) * v;
        } else if (plan.has_free_base) {
            v = own.base_step.a + cross(own.base_step.x, rotate(own.base_turn, s.offset));
            x += own.G(k) * own.base_step.x - own.H(k) * v;
        }
        if (plan.is_elastic)
            own.along[i] = own.grown(k, own.along[i], x, v + cross(x, own.arm[i]));
        own.y[i] = x;
        own.f[i] = v;
    }
}

/// A change of a segment's rate, world axes.
void StrandDynamics::give(std::uint32_t block, std::size_t i, const Vec3& change,
                          const Stage& stage, Part part, Trial& trial) const
{
    const std::size_t ix = shapes_[block].x_first + 4 * i, iv = shapes_[block].v_first + 3 * i;
    const Quat q = read_quat(trial.state.x, ix);
    const Vec3 own = rotate(conjugate(q), change);
    if (part == Part::position) {
        write(trial.state.x, ix, turned(q, own));
        return;
    }
    std::vector<double>& v = part == Part::impulse ? trial.v_start : trial.state.v;
    const Vec3 rate = read_vector(v, iv) + own;
    write(v, iv, rate);
    if (part == Part::velocity)
        write(trial.state.x, ix, turned(read_quat(trial.x_base, ix), rate * stage.theta));
}

void StrandDynamics::measure(const Cohort& cohort, const RowSet& rows, const Stage& stage,
                             const Trial& trial, std::span<BlockReport> reports) const noexcept
{
    for (std::size_t m = 0; m < cohort.members.size(); ++m) {
        const Member& member = cohort.members[m];
        const Plan& plan = plans_[member.block];
        BlockScratch& own = scratch_of(plan, trial, member.block);
        BlockReport& report = reports[m] = {};
        if (stage.theta > 0) {
            find_residual(plan, cohort, member, rows, rows.impulse, stage, trial, own);
            for (const double r : own.residual) // [N m], and [N] along segments
                report.residual = std::max(report.residual, std::abs(r) * stage.theta);
            for (int a = 0; plan.has_free_base && a < 3; ++a)
                report.residual =
                    std::max({report.residual, std::abs(own.base_residual.N[a]) * stage.theta,
                              std::abs(own.base_residual.F[a]) * stage.theta});
        }
        const Energies energy = energy_of(member.block, stage.time, trial, own);
        report.kinetic = energy.kinetic;
        report.potential = energy.potential;
        report.finite = is_finite(energy.kinetic + energy.potential + report.residual);
        if (is_driven(plan, stage.time))
            report.work = kAnyWork;
    }
}

/// Whether its base, the air or forces put energy in, how much is not known.
bool StrandDynamics::is_driven(const Plan& plan, double time) const
{
    const PoseMotion base = plan.has_free_base ? PoseMotion{} : bases_.base_at(plan.number, time);
    return base.velocity != Vec3{0, 0, 0} || base.angular_velocity != Vec3{0, 0, 0} ||
           plan.is_pulled() ||
           std::ranges::any_of(plan.loads, [](double load) { return load != 0; });
}

Energies StrandDynamics::energy_of(std::uint32_t block, double time, const Trial& trial,
                                   BlockScratch& own) const
{
    const Plan& plan = plans_[block];
    const Topology tree = plan.shape.view();
    own.param = plan.params;
    const Rows<double> trail = own.trails(), room = rows_of(own.room, 12),
                       param = rows_of(own.param, Param::count);
    if (plan.is_elastic)
        set_lengths(block, trial.state, own);
    for (int i = 0; i < tree.count; ++i) {
        trail.put(i, Trail::turn, turn_at(trial.state.x, block, i));
        trail.put(i, Trail::rate, rate_at(trial.state.v, block, i));
    }
    const LaneEnergy<double> energy{tree,
                                    param,
                                    room,
                                    0,
                                    base_of(block, trial, time),
                                    bases_.pull_at(plan.number, time),
                                    plan.is_elastic};
    Energies sum = energy.of(trail, Trail::turn, Trail::rate);
    if (plan.is_elastic)
        for (std::size_t i = 0; i < plan.segments.size(); ++i)
            sum.potential += stretched(plan.segments[i], length_at(trial.state.x, block, i)).energy;
    return sum;
}

// ---------------------------------------------------------------- alone

void StrandDynamics::advance_alone(const Cohort& cohort, double t0, double t1, Trial& trial,
                                   std::span<BlockReport> reports) const noexcept
{
    const std::size_t width = static_cast<std::size_t>(best_kernel(false).width());
    for (std::size_t first = 0, count = 0; first < cohort.members.size(); first += count) {
        if (!plans_[cohort.members[first].block].can_ride_lanes()) {
            count = 1;
            advance_in_halves(cohort.members[first], t0, t1, trial, reports[first]);
            continue;
        }
        const TreeShape& shape = plans_[cohort.members[first].block].shape;
        const bool has_drag = plans_[cohort.members[first].block].has_drag;
        count = 1;
        while (count < width && first + count < cohort.members.size()) {
            const Plan& next = plans_[cohort.members[first + count].block];
            if (!(next.shape == shape) || next.has_drag != has_drag || !next.can_ride_lanes())
                break;
            ++count;
        }
        advance_batch(cohort.members.subspan(first, count), t0, t1, trial,
                      reports.subspan(first, count));
    }
}

void StrandDynamics::advance_batch(std::span<const Member> members, double t0, double t1,
                                   Trial& trial, std::span<BlockReport> reports) const
{
    const Kernel& kernel =
        members.size() == 1 ? *find_kernel(InstructionSet::scalar, false) : best_kernel(false);
    const Plan& first = plans_[members[0].block];
    std::vector<Rider> riders;
    std::vector<StepOutcome> outcomes(members.size());
    Storage params, room;
    for (std::size_t k = 0; k < members.size(); ++k) {
        const Plan& plan = plans_[members[k].block];
        const BlockShape& shape = shapes_[members[k].block];
        const Units units = units_of(plan.segments, t1 - t0);
        kernel.set_params(params, static_cast<int>(k), first.shape.view().count,
                          make_params(plan.segments, units));
        double* memory = &trial.state.memory[shape.memory_first];
        riders.push_back({plan.number, units, &trial.state.x[shape.x_first],
                          &trial.state.v[shape.v_first], memory, &outcomes[k],
                          memory + 6 * plan.segments.size()});
    }
    kernel.step(first.shape.view(), params, nullptr, {}, first.has_drag, riders, bases_, t0, t1,
                Effort{}, room);
    for (std::size_t k = 0; k < members.size(); ++k) {
        reports[k] = {};
        reports[k].finite = outcomes[k].is_finite;
        reports[k].reached = outcomes[k].is_finite ? t1 : t0;
        reports[k].steps = reports[k].implicit_steps = outcomes[k].stages / 2;
        reports[k].rejected = outcomes[k].halvings;
    }
}

} // namespace sinew::strand
