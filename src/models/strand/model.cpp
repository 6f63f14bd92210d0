// Strands in a step, in a frame, in numbers.

#include "models/strand/model.h"

#include "base/parallel.h"
#include "math/functions.h"
#include "sinew/stop.h"

#include <algorithm>

namespace sinew {

using strand::SegmentData;

StrandReport StrandModel::step(const StrandSurroundings& around, int threads,
                               std::span<const char> taken, Touches& touches, ModelState& state,
                               Work& work)
{
    const bool is_ida = around.scene.settings.strands.method == StrandMethod::ida;
    begin(is_ida, threads, state, work);
    work.idle.assign(taken.begin(), taken.end());
    work.idle.resize(trees_.size(), 0);
    std::vector<std::uint32_t> frozen;
    for (std::uint32_t i = 0; can_freeze_ && i < trees_.size(); ++i)
        if (!work.idle[i] && is_frozen(around.scene, i, around.begin))
            frozen.push_back(i), work.idle[i] = 1;
    std::ranges::fill(work.outcomes, strand::StepOutcome{});
    for (std::size_t i = 0; i < riding_count_; ++i)
        work.ridden[i].numbers =
            &work.next.memory[6 * segment_count_ + i * strand::Ridden::kNumbers];
    bases_.prepare(around.scene, around.begin, around.end, around.now, around.then, work.ridden);
    if (has_loads_)
        for (strand::AirFlow& flow : flows_)
            flow.prepare(around.scene, around.posture, around.now, around.then,
                         around.end - around.begin);
    if (has_continuum_)
        find_neighbours(around, state, threads, work.neighbours);
    if (is_ida)
        for_each_index(trees_.size(), threads, [&](std::size_t i) {
            if (!work.idle[i])
                step_with_ida(around, work.next, static_cast<std::uint32_t>(i), work);
        });
    else
        for_each_batch(threads, work, [&](std::size_t i, Room& room) {
            step_batch(around, bases_, state, i, work.idle, touches, work, room);
        });
    turn_back(bases_, around.end, work.idle, false, work.next);
    for (const std::uint32_t tree : frozen)
        carry_frozen(around, tree, state, work.next);
    for (std::size_t i = 0; i < taken.size(); ++i)
        if (taken[i])
            copy_tree(trees_[i], state, work.next);
    const StrandReport report = report_of(work.outcomes, is_ida);
    if (!report.fault_tree)
        std::swap(state, work.next);
    return report;
}

bool StrandModel::can_touch_alone(const Scene& scene) const
{
    return scene.settings.strands.method != StrandMethod::ida &&
           scene.settings.strands.friction == StrandFriction::disc;
}

bool StrandModel::can_run(const Scene& scene, double begin, double end) const
{
    return scene.settings.strands.method != StrandMethod::ida && !needs_objects() && !can_freeze_ &&
           bases_.is_smooth(scene, begin, end);
}

StrandReport StrandModel::run(const Scene& scene, std::span<const double> times, int threads,
                              ModelState& state, Work& work)
{
    begin(false, threads, state, work);
    work.sums.assign(trees_.size(), {});
    work.steps.resize(std::max(work.steps.size(), times.size() - 1));
    for (std::size_t i = 0; i + 1 < times.size(); ++i) {
        work.steps[i].bases = &bases_;
        bases_.prepare(scene, times[i], times[i + 1], work.steps[i].step);
    }
    if (has_loads_)
        for (strand::AirFlow& flow : flows_)
            flow.prepare(scene, {times.front(), {}, {}}, {}, {}, times[1] - times[0]);
    for_each_batch(threads, work, [&](std::size_t i, Room& room) {
        run_batch(scene, times, state, i, work, room);
    });
    const StrandReport report = report_of(work.sums, false);
    if (!report.fault_tree)
        std::swap(state, work.next);
    return report;
}

/// Room, and what is to become of the state. Kernels write all numbers of the segments anew; IDA
/// goes on from them.
void StrandModel::begin(bool is_ida, int threads, const ModelState& state, Work& work) const
{
    work.rooms.resize(std::min(batches_.size(), static_cast<std::size_t>(std::max(threads, 1))));
    work.outcomes.resize(trees_.size());
    work.riders.resize(trees_.size());
    work.ridden.resize(riding_count_);
    ModelState& next = work.next;
    if (is_ida || next.x.size() != state.x.size()) {
        next = state;
        return;
    }
    const auto copy_from = [](const std::vector<double>& from, std::size_t first,
                              std::vector<double>& to) {
        const auto begin = static_cast<std::ptrdiff_t>(first);
        std::copy(from.begin() + begin, from.end(), to.begin() + begin);
    };
    copy_from(state.x, 4 * segment_count_, next.x);
    copy_from(state.v, 3 * segment_count_, next.v);
    copy_from(state.memory, 6 * segment_count_, next.memory);
}

/// Every thread has its share, and its room.
template <class Use>
void StrandModel::for_each_batch(int threads, Work& work, Use&& use)
{
    const std::size_t shares = work.rooms.size();
    for_each_index(shares, threads, [&](std::size_t s) {
        const std::size_t end = batches_.size() * (s + 1) / shares;
        for (std::size_t i = batches_.size() * s / shares; i < end; ++i)
            use(i, work.rooms[s]);
    });
}

namespace {

/// Bases that stand where they are at the start.
struct StillBases final : strand::BaseSource {
    std::vector<PoseMotion> bases = {};
    Vec3 gravity = {0, 0, 0};

    PoseMotion base_at(std::uint32_t tree, double) const noexcept override { return bases[tree]; }
    Vec3 gravity_at(double) const noexcept override { return gravity; }
};

} // namespace

StrandReport StrandModel::relax(const StrandSurroundings& around, int threads,
                                std::span<const char> is_left, Touches& touches, ModelState& state,
                                Work& work)
{
    StillBases still;
    still.gravity = strand::Gravity(around.scene, around.scene.settings.start).value;
    base_motions(around.scene, state, around.now, around.scene.settings.start, still.bases);
    for (PoseMotion& base : still.bases)
        base = {.pose = base.pose};
    begin(false, threads, state, work);
    std::ranges::fill(work.outcomes, strand::StepOutcome{});
    for_each_batch(threads, work, [&](std::size_t i, Room& room) {
        step_batch(around, still, state, i, is_left, touches, work, room);
    });
    for (std::size_t i = 0; i < trees_.size(); ++i)
        if (is_left[i])
            copy_tree(trees_[i], state, work.next);
    const StrandReport report = report_of(work.outcomes, false);
    if (!report.fault_tree)
        std::swap(state, work.next);
    for (std::size_t i = 0; i < trees_.size(); ++i)
        if (!is_left[i])
            stop_tree(trees_[i], state);
    return report;
}

void StrandModel::run_batch(const Scene& scene, std::span<const double> times, ModelState& state,
                            std::size_t index, Work& work, Room& room)
{
    Touches none;
    for (std::size_t i = 0; i + 1 < times.size(); ++i) {
        step_batch({scene, {}, {}, {times[i], {}, {}}, times[i], times[i + 1]}, work.steps[i],
                   i == 0 ? state : work.next, index, {}, none, work, room);
        for (const std::uint32_t tree : batches_[index].trees)
            work.sums[tree] += work.outcomes[tree];
    }
}

StrandReport& StrandReport::operator+=(const StrandReport& again)
{
    steps += again.steps, stages += again.stages, solves += again.solves;
    halvings += again.halvings + 1;
    worst = std::max(worst, again.worst);
    open = max(open, again.open);
    is_converged = is_converged && again.is_converged;
    if (again.fault_tree)
        fault_tree = again.fault_tree;
    return *this;
}

StrandReport StrandModel::report_of(std::span<const strand::StepOutcome> outcomes,
                                    bool is_ida) const
{
    StrandReport report;
    for (std::uint32_t i = 0; i < trees_.size(); ++i) {
        const strand::StepOutcome& outcome = outcomes[i];
        report.stages += outcome.stages;
        report.solves += outcome.solves;
        report.halvings += outcome.halvings;
        report.worst = std::max(report.worst, outcome.worst);
        report.open = max(report.open, outcome.open);
        report.is_converged = report.is_converged && outcome.is_converged;
        if (!outcome.is_finite && !report.fault_tree)
            report.fault_tree = i;
    }
    report.steps = is_ida ? report.stages : report.stages / 2;
    return report;
}

void StrandModel::step_batch(const StrandSurroundings& around, const strand::BaseSource& bases,
                             ModelState& state, std::size_t index, std::span<const char> taken,
                             Touches& touches, Work& work, Room& room)
{
    Batch& batch = batches_[index];
    const auto is_taken = [&](std::uint32_t tree) { return !taken.empty() && taken[tree]; };
    if (std::ranges::all_of(batch.trees, is_taken))
        return;
    if (is_stopping()) {
        for (const std::uint32_t tree : batch.trees)
            work.outcomes[tree].is_finite = false;
        return;
    }
    const double middle = 0.5 * (around.begin + around.end);
    if (batch.is_timed)
        update_params(around.scene, middle, batch, room);
    if (batch.has_loads)
        update_loads(around, state, work.neighbours, batch, room);
    update_gusts(batch);
    std::vector<strand::Rider>& riders = work.riders;
    const std::size_t first = batch.first_rider;
    for (std::size_t k = 0; k < batch.trees.size(); ++k) {
        const Tree& tree = trees_[batch.trees[k]];
        riders[first + k] = {batch.trees[k],
                             tree.units,
                             &state.x[4 * tree.first],
                             &state.v[3 * tree.first],
                             &state.memory[6 * tree.first],
                             &work.outcomes[batch.trees[k]],
                             &state.memory[first_pause() + batch.trees[k]],
                             is_taken(batch.trees[k]),
                             !touches.first.empty() && touches.is_jolted[batch.trees[k]],
                             touches.of(batch.trees[k])};
        strand::Rider& rider = riders[first + k];
        rider.to = {&work.next.x[4 * tree.first], &work.next.v[3 * tree.first],
                    &work.next.memory[6 * tree.first],
                    &work.next.memory[first_pause() + batch.trees[k]]};
        if (tree.is_elastic) {
            rider.lengths = &state.x[length_index(tree)];
            rider.speeds = &state.v[speed_index(tree)];
            rider.to.lengths = &work.next.x[length_index(tree)];
            rider.to.speeds = &work.next.v[speed_index(tree)];
        }
    }
    room.touches.clear();
    for (const std::uint32_t tree : batch.trees)
        if (bases.is_directed(tree))
            turn_touches(bases, tree, around.begin, around.end, touches.of(tree), room.touches);
    kernel_->step(shapes_[batch.shape].view(), params_[batch.params],
                  batch.has_loads ? &batch.loads : nullptr, batch.gusts, batch.has_drag,
                  std::span(riders).subspan(first, batch.trees.size()), bases, around.begin,
                  around.end, effort_, room.lanes);
    const strand::RiderTouch* before = room.touches.data();
    for (const std::uint32_t tree : batch.trees)
        if (bases.is_directed(tree))
            before = turn_touches_back(bases, tree, around.end, before, touches.of(tree));
}

/// Into the world of a directed tree, in which its base moves as it feels; `before` keeps them as
/// they are. The same place against the base, when the step begins and when it ends.
void StrandModel::turn_touches(const strand::BaseSource& bases, std::uint32_t tree, double begin,
                               double end, std::span<strand::RiderTouch> touches,
                               std::vector<strand::RiderTouch>& before)
{
    const auto there = [&](const Vec3& place, double time) {
        return bases.base_at(tree, time).pose.translation +
               rotate(bases.drift_at(tree, time),
                      place - bases.true_base_at(tree, time).pose.translation);
    };
    for (strand::RiderTouch& touch : touches) {
        before.push_back(touch);
        const Vec3 last = there(touch.place + touch.drift, end);
        touch.place = there(touch.place, begin);
        touch.drift = last - touch.place;
        const Quat turn = bases.drift_at(tree, end);
        for (Vec3* way : {&touch.normal, &touch.force, &touch.first_force, &touch.creep})
            *way = rotate(turn, *way);
    }
}

/// Forces as the true world has them, all else as it was.
const strand::RiderTouch* StrandModel::turn_touches_back(const strand::BaseSource& bases,
                                                         std::uint32_t tree, double end,
                                                         const strand::RiderTouch* before,
                                                         std::span<strand::RiderTouch> touches)
{
    const Quat back = conjugate(bases.drift_at(tree, end));
    for (strand::RiderTouch& touch : touches) {
        strand::RiderTouch seen = *before++;
        seen.force = rotate(back, touch.force);
        seen.first_force = rotate(back, touch.first_force);
        seen.crept = rotate(back, touch.crept);
        touch = seen;
    }
    return before;
}

void StrandModel::update_params(const Scene& scene, double time, Batch& batch, Room& room)
{
    for (std::size_t k = 0; k < batch.trees.size(); ++k) {
        Tree& tree = trees_[batch.trees[k]];
        if (tree.is_timed)
            update_segments(scene, time, tree);
        find_params(tree, room.numbers);
        kernel_->set_params(params_[batch.params], static_cast<int>(k),
                            static_cast<int>(tree.segments.size()), room.numbers);
    }
}

PoseMotion StrandModel::base_motion(const Scene& scene, const ModelState& state, std::uint32_t tree,
                                    std::span<const Affine> objects, double time) const
{
    if (trees_[tree].has_free_base)
        return free_base_of(tree, state);
    PoseMotion object;
    if (bases_.kind(tree) == strand::Bases::Kind::driven)
        object = bases_.driven_at(scene, tree, time);
    else
        object.pose = strand::scaled_pose(objects[trees_[tree].object.index]).pose;
    return bases_.on_skin(scene, tree, object, time);
}

void StrandModel::find_nodes(const Tree& tree, const double* turns, const double* rates,
                             const Growth& growth, const PoseMotion& base, Nodes& nodes)
{
    const std::size_t count = tree.segments.size();
    nodes.joint.resize(count), nodes.tip.resize(count);
    nodes.joint_velocity.resize(count), nodes.tip_velocity.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
        const SegmentData& s = tree.segments[k];
        if (s.parent < 0) {
            const Vec3 arm = rotate(base.pose.rotation, s.offset);
            nodes.joint[k] = base.pose.translation + arm;
            nodes.joint_velocity[k] = base.velocity + cross(base.angular_velocity, arm);
        } else {
            const std::size_t p = static_cast<std::size_t>(s.parent);
            const auto between = [&](const Vec3& a, const Vec3& b) {
                return s.attach == 1 ? b : a + (b - a) * s.attach;
            };
            nodes.joint[k] = between(nodes.joint[p], nodes.tip[p]);
            nodes.joint_velocity[k] = between(nodes.joint_velocity[p], nodes.tip_velocity[p]);
        }
        const Quat q{turns[4 * k], turns[4 * k + 1], turns[4 * k + 2], turns[4 * k + 3]};
        const Vec3 r = rotate(q, Vec3{0, growth.lengths ? growth.lengths[k] : s.length, 0});
        const Vec3 w = rotate(q, Vec3{rates[3 * k], rates[3 * k + 1], rates[3 * k + 2]});
        nodes.tip[k] = nodes.joint[k] + r;
        nodes.tip_velocity[k] = nodes.joint_velocity[k] + cross(w, r);
        if (growth.speeds)
            nodes.tip_velocity[k] += rotate(q, Vec3{0, growth.speeds[k], 0});
    }
}

/// Of a spring, and of a segment that is longer than at rest and grows: mL²/12 about its middle.
void StrandModel::add_energy_of_length(const SegmentData& s, double length, double speed,
                                       const Vec3& rate, Energy& sum)
{
    const double wider = length * length - s.length * s.length;
    const double across = rate.x * rate.x + rate.z * rate.z;
    sum.kinetic += s.mass / 24 * (wider * across + speed * speed);
    sum.potential += strand::stretched(s, length).energy;
}

/// V = K_x ln(1 + |g|²) + Σ (K_k − K_x) ln(1 + g_k²), g = tan(angle/2) · axis.          [eq. 4]
Energy StrandModel::energy(const Scene& scene, const ModelState& state,
                           std::span<const Affine> objects, double time) const
{
    Energy sum;
    Nodes nodes;
    Tree room;
    const strand::Gravity gravity(scene, time);
    for (std::uint32_t i = 0; i < trees_.size(); ++i) {
        const Tree& tree = at(scene, trees_[i], time, room);
        const PoseMotion base = base_motion(scene, state, i, objects, time);
        const Growth growth = growth_of(tree, state);
        find_nodes(tree, state, base, nodes);
        for (std::size_t k = 0; k < tree.segments.size(); ++k) {
            const SegmentData& s = tree.segments[k];
            const Quat q = turn_at(state, tree.first + k);
            const Vec3 rate = rate_at(state, tree.first + k);
            const double quarter = s.mass * s.length * s.length / 4;
            const Vec3 v = (nodes.joint_velocity[k] + nodes.tip_velocity[k]) * 0.5;
            sum.kinetic +=
                0.5 * s.mass * dot(v, v) +
                0.5 * ((s.inertia.x - quarter) * rate.x * rate.x + s.inertia.y * rate.y * rate.y +
                       (s.inertia.z - quarter) * rate.z * rate.z);
            if (growth.lengths)
                add_energy_of_length(s, growth.lengths[k], growth.speeds[k], rate, sum);
            sum.potential -= s.mass * dot(gravity.value, (nodes.joint[k] + nodes.tip[k]) * 0.5);
            const Quat before =
                s.parent < 0 ? base.pose.rotation : turn_at(state, tree.first + s.parent);
            const Quat d = conjugate(s.rest) * (conjugate(before) * q);
            const Vec3 g = rotate(strand::joint_axes(s), d.vector() / d.w);
            const Vec3& K = s.stiffness;
            sum.potential += K.x * log(1 + dot(g, g)) + (K.y - K.x) * log(1 + g.y * g.y) +
                             (K.z - K.x) * log(1 + g.z * g.z);
        }
    }
    return sum;
}

} // namespace sinew
