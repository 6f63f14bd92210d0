#include "models/strand/rows/dynamics_scratch.h"

#include <algorithm>
#include <cstddef>

namespace sinew::strand {

namespace {

bool is_any_elastic(std::span<const SegmentData> segments)
{
    return std::ranges::any_of(segments, [](const SegmentData& s) { return s.stretch > 0; });
}

} // namespace

StrandDynamics::StrandDynamics(std::vector<Tree> trees, const BaseSource& bases) : bases_(bases)
{
    for (Tree& tree : trees) {
        const auto n = static_cast<std::uint32_t>(tree.segments.size());
        double reach = 0;
        for (const SegmentData& s : tree.segments)
            reach += s.length;
        const bool is_elastic = is_any_elastic(tree.segments);
        const bool is_free = tree.has_free_base;
        const BlockShape last = shapes_.empty() ? BlockShape{} : shapes_.back();
        shapes_.push_back({.x_first = last.x_first + last.x_count,
                           .x_count = (is_elastic ? 5 : 4) * n + (is_free ? kBaseNumbers : 0),
                           .v_first = last.v_first + last.v_count,
                           .v_count = (is_elastic ? 4 : 3) * n + (is_free ? kBaseRates : 0),
                           .memory_first = last.memory_first + last.memory_count,
                           .memory_count = 6 * n + 1,
                           .response = ResponseKind::port,
                           .length = reach});
        TreeShape shape(tree.segments);
        plans_.push_back({.number = tree.number,
                          .segments = std::move(tree.segments),
                          .shape = std::move(shape),
                          .loads = std::vector<double>(n * std::size_t{Load::count}, 0.0),
                          .has_free_base = is_free});
        set_numbers(plans_.back());
    }
}

void StrandDynamics::set_numbers(Plan& plan)
{
    plan.params = make_params(plan.segments, Units{});
    plan.has_drag = std::ranges::any_of(
        plan.segments, [](const SegmentData& s) { return s.drag_along > 0 || s.drag_across > 0; });
    plan.is_elastic = is_any_elastic(plan.segments);
}

void StrandDynamics::set_segments(std::uint32_t block, std::span<const SegmentData> segments)
{
    plans_[block].segments.assign(segments.begin(), segments.end());
    set_numbers(plans_[block]);
}

ModelState StrandDynamics::initial_state(double time) const
{
    ModelState state;
    for (std::uint32_t b = 0; b < plans_.size(); ++b) {
        const Quat base = bases_.base_at(plans_[b].number, time).pose.rotation;
        for (const SegmentData& s : plans_[b].segments) {
            const Quat q = (s.parent < 0 ? base : turn_at(state.x, b, s.parent)) * s.rest;
            state.x.insert(state.x.end(), {q.x, q.y, q.z, q.w});
        }
        if (plans_[b].is_elastic)
            for (const SegmentData& s : plans_[b].segments)
                state.x.push_back(s.length);
        if (plans_[b].has_free_base) {
            const Pose pose = bases_.base_at(plans_[b].number, time).pose;
            state.x.resize(state.x.size() + kBaseNumbers);
            write(state.x, base_index(b), pose.rotation);
            write(state.x, base_index(b) + 4, pose.translation);
        }
        state.v.resize(state.v.size() + shapes_[b].v_count, 0.0);
        state.memory.resize(state.memory.size() + shapes_[b].memory_count, 0.0);
    }
    return state;
}

Quat StrandDynamics::turn_at(std::span<const double> x, std::uint32_t block, int segment) const
{
    return read_quat(x, shapes_[block].x_first + 4 * static_cast<std::size_t>(segment));
}

Vec3 StrandDynamics::rate_at(std::span<const double> v, std::uint32_t block, int segment) const
{
    return read_vector(v, shapes_[block].v_first + 3 * static_cast<std::size_t>(segment));
}

std::size_t StrandDynamics::length_index(std::uint32_t block, std::size_t segment) const
{
    return shapes_[block].x_first + 4 * plans_[block].segments.size() + segment;
}

std::size_t StrandDynamics::speed_index(std::uint32_t block, std::size_t segment) const
{
    return shapes_[block].v_first + 3 * plans_[block].segments.size() + segment;
}

double StrandDynamics::length_at(std::span<const double> x, std::uint32_t block,
                                 std::size_t segment) const
{
    const Plan& plan = plans_[block];
    return plan.is_elastic ? x[length_index(block, segment)] : plan.segments[segment].length;
}

double StrandDynamics::speed_at(std::span<const double> v, std::uint32_t block,
                                std::size_t segment) const
{
    return plans_[block].is_elastic ? v[speed_index(block, segment)] : 0;
}

std::unique_ptr<Scratch> StrandDynamics::make_scratch() const
{
    auto scratch = std::make_unique<StrandScratch>();
    scratch->blocks.resize(plans_.size());
    return scratch;
}

/// Made when a block is first asked for: most trees are never touched.
StrandDynamics::BlockScratch& StrandDynamics::scratch_of(const Plan& plan, const Trial& trial,
                                                         std::uint32_t block)
{
    auto& own = static_cast<StrandScratch&>(*trial.scratch).blocks[block];
    if (!own)
        own = std::make_unique<BlockScratch>(plan.shape, plan.is_elastic);
    return *own;
}

// ---------------------------------------------------------------- sites

void StrandDynamics::locate(const Trial& trial, double time, std::span<const Site> sites,
                            std::span<SiteMotion> motions) const noexcept
{
    PoseMotion base;
    for (std::size_t i = 0; i < sites.size(); ++i) {
        if (i == 0 || sites[i].block != sites[i - 1].block)
            base = base_of(sites[i].block.index, trial, time);
        motions[i] = locate_one(trial, base, sites[i]);
        const std::uint32_t tree = plans_[sites[i].block.index].number;
        if (bases_.is_directed(tree))
            motions[i] = seen(motions[i], base, tree, time);
    }
}

/// From the tree's own world into the true one: the same place and motion against the base.
SiteMotion StrandDynamics::seen(const SiteMotion& motion, const PoseMotion& base,
                                std::uint32_t tree, double time) const
{
    const Quat back = conjugate(bases_.drift_at(tree, time));
    const PoseMotion truth = bases_.true_base_at(tree, time);
    const Vec3 arm = motion.pose.translation - base.pose.translation, there = rotate(back, arm);
    const Vec3 slip = motion.twist.linear - base.velocity - cross(base.angular_velocity, arm);
    SiteMotion out;
    out.pose = {back * motion.pose.rotation, truth.pose.translation + there};
    out.twist.angular =
        truth.angular_velocity + rotate(back, motion.twist.angular - base.angular_velocity);
    out.twist.linear = truth.velocity + cross(truth.angular_velocity, there) + rotate(back, slip);
    out.tangent = rotate(back, motion.tangent);
    return out;
}

/// From the site back to the base, segment by segment.
SiteMotion StrandDynamics::locate_one(const Trial& trial, const PoseMotion& base,
                                      const Site& site) const
{
    const std::uint32_t b = site.block.index;
    const std::vector<SegmentData>& segments = plans_[b].segments;
    if (site.element == kBase)
        return {.pose = base.pose, .twist = {base.angular_velocity, base.velocity}};
    SiteMotion motion;
    double part = site.u;
    for (int i = static_cast<int>(site.element), last = i; i >= 0;
         last = i, i = segments[i].parent) {
        if (i != last)
            part = segments[last].attach;
        const Quat q = turn_at(trial.state.x, b, i);
        const Vec3 along = rotate(q, Vec3{0, length_at(trial.state.x, b, std::size_t(i)), 0});
        const Vec3 w = rotate(q, rate_at(trial.state.v, b, i));
        motion.pose.translation += along * part;
        motion.twist.linear += cross(w, along * part);
        if (plans_[b].is_elastic)
            motion.twist.linear +=
                rotate(q, Vec3{0, part * speed_at(trial.state.v, b, std::size_t(i)), 0});
        if (i == static_cast<int>(site.element)) {
            motion.pose.rotation = q;
            motion.twist.angular = w;
            motion.tangent = along;
        }
        if (segments[i].parent < 0) {
            const Vec3 arm = rotate(base.pose.rotation, segments[i].offset);
            motion.pose.translation += base.pose.translation + arm;
            motion.twist.linear += base.velocity + cross(base.angular_velocity, arm);
        }
    }
    return motion;
}

// ---------------------------------------------------------------- a stage

void StrandDynamics::begin_stage(const Cohort& cohort, const Stage& stage,
                                 Trial& trial) const noexcept
{
    const double rest = stage.index == 0 ? 0 : stage.step - stage.theta;
    for (const Member& member : cohort.members) {
        const BlockShape& shape = shapes_[member.block];
        for (std::size_t i = 0; i < plans_[member.block].segments.size(); ++i) {
            const std::size_t ix = shape.x_first + 4 * i, iv = shape.v_first + 3 * i;
            const Quat start = read_quat(trial.x_start, ix);
            const Vec3 now = read_vector(trial.state.v, iv), from = read_vector(trial.v_start, iv);
            const Quat base = rest > 0 ? turned(start, now * rest) : start;
            const Vec3 rate = rest > 0 ? from + (now - from) * (rest / stage.theta) : from;
            write(trial.x_base, ix, base);
            write(trial.v_base, iv, rate);
            write(trial.state.v, iv, rate);
            write(trial.state.x, ix, turned(base, rate * stage.theta));
        }
        if (plans_[member.block].is_elastic)
            begin_lengths(member.block, stage, trial);
        if (plans_[member.block].has_free_base)
            begin_base(member.block, stage, trial);
        // What rows push is not to be extrapolated.
        const auto memory = trial.state.memory.begin() + shape.memory_first;
        std::fill(memory, memory + shape.memory_count, 0.0);
    }
}

StageOf<double> StrandDynamics::stage_of(std::uint32_t block, const Stage& stage,
                                         const Trial& trial) const
{
    const Plan& plan = plans_[block];
    PoseMotion base = plan.has_free_base ? PoseMotion{} : bases_.base_at(plan.number, stage.time);
    if (plan.has_free_base) { // where its rates lead, as the segments are
        const std::size_t ix = base_index(block), iv = base_rate_index(block);
        const Vec3 rate = read_vector(trial.state.v, iv), v = read_vector(trial.state.v, iv + 3);
        base.pose.rotation = turned(read_quat(trial.x_base, ix), rate * stage.theta);
        base.angular_velocity = rotate(base.pose.rotation, rate);
        base.velocity = v;
        base.angular_acceleration =
            rotate(base.pose.rotation, (rate - read_vector(trial.v_base, iv)) / stage.theta);
        base.acceleration = (v - read_vector(trial.v_base, iv + 3)) / stage.theta;
    }
    return {.theta = stage.theta,
            .inverse_theta = 1 / stage.theta,
            .turn = base.pose.rotation,
            .rate = base.angular_velocity,
            .spinning = base.angular_acceleration,
            .velocity = base.velocity,
            .acceleration = base.acceleration - bases_.pull_at(plan.number, stage.time),
            .place = {},
            .part = 1};
}

/// Residual of every joint with the impulses as they are given, as forces over θ. The trail is
/// that of x_base and v, so that x = x_base ⊞ θ v.
void StrandDynamics::find_residual(const Plan& plan, const Cohort& cohort, const Member& member,
                                   const RowSet& rows, std::span<const double> impulses,
                                   const Stage& stage, const Trial& trial,
                                   BlockScratch& scratch) const
{
    const BlockShape& shape = shapes_[member.block];
    const int n = static_cast<int>(plan.segments.size());
    const Topology tree = plan.shape.view();
    scratch.param = plan.params;
    scratch.load = plan.loads;
    scratch.drift = bases_.drift_at(plan.number, stage.time);
    if (plan.is_pulled())
        soften(plan, stage, scratch);
    const Rows<double> trail = scratch.trails(), param = rows_of(scratch.param, Param::count),
                       load = rows_of(scratch.load, Load::count), residual = scratch.residuals();
    for (int i = 0; i < n; ++i) {
        const std::size_t ix = shape.x_first + 4 * static_cast<std::size_t>(i),
                          iv = shape.v_first + 3 * static_cast<std::size_t>(i);
        trail.put(i, Trail::base_turn, read_quat(trial.x_base, ix));
        trail.put(i, Trail::base_rate, read_vector(trial.v_base, iv));
        trail.put(i, Trail::rate, read_vector(trial.state.v, iv));
    }
    std::ranges::fill(scratch.push, Vec3{0, 0, 0});
    scratch.base_push = {};
    const StageOf<double> at = stage_of(member.block, stage, trial);
    scratch.base_turn = at.turn;
    const auto add_force = [&](int i, double part, const Vec3& force) {
        double rest = 1;
        int root = -1;
        while (i >= 0) { // what falls on a joint falls on what it hangs on
            load.put(i, Load::force, load.vector(i, Load::force) + force * (rest * part));
            rest -= rest * part;
            part = plan.segments[i].attach;
            root = i;
            i = plan.segments[i].parent;
        }
        const Wrench left{{0, 0, 0}, force * rest};
        scratch.base_push += root < 0 ? left : scratch.at_base(plan.segments[root], left);
    };
    for (const Touch& touch : cohort.touches_of(member)) {
        const Site& site = rows.site[touch.side];
        const double force = impulses[touch.row] / stage.theta;
        const Wrench unit = scratch.unit_of(rows, touch);
        add_force(static_cast<int>(site.element), site.u, unit.force * force);
        (site.element == kBase ? scratch.base_push.torque : scratch.push[site.element]) +=
            unit.torque * force;
    }
    if (plan.is_elastic) {
        set_lengths(member.block, trial.state, scratch);
        set_gains(member.block, stage, trial, scratch);
        place_segments<true, true>(tree, trail, param, at);
    } else
        place_segments(tree, trail, param, at);
    if (plan.is_pulled())
        add_pull(plan, stage, scratch);
    Load6<double>* base = plan.has_free_base ? &scratch.base_residual : nullptr;
    if (plan.is_elastic)
        find_residuals<true, double, true>(tree, trail, param, load, at, scratch.sums, residual,
                                           base);
    else if (plan.uses_drag())
        find_residuals<true, double>(tree, trail, param, load, at, scratch.sums, residual, base);
    else
        find_residuals<false, double>(tree, trail, param, load, at, scratch.sums, residual, base);
    for (int i = n - 1; i >= 0; --i) {
        residual.put(i, 0, residual.vector(i, 0) - scratch.push[i]);
        const int parent = plan.segments[i].parent;
        (parent >= 0 ? scratch.push[parent] : scratch.base_push.torque) += scratch.push[i];
    }
    scratch.base_residual.N -= scratch.base_push.torque;
    scratch.base_residual.F -= scratch.base_push.force;
}

} // namespace sinew::strand
