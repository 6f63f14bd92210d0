// Strands in a step, in a frame, in numbers.

#include "models/strand/model.h"

#include "base/parallel.h"
#include "math/finite.h"
#include "math/functions.h"
#include "models/strand/nodes.h"
#include "sinew/stop.h"

#include <algorithm>

namespace sinew {

using strand::SegmentData;

namespace {

constexpr double kTrialTolerance = 1e-3; // [rad]

bool has_numbers(const ModelState& state)
{
    return are_finite(state.x) && are_finite(state.v) && are_finite(state.memory);
}

} // namespace

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
    if (!touches.first.empty())
        regroup(work.idle, touches, work);
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

void StrandModel::try_pulls(const StrandSurroundings& around, int threads, Touches& touches,
                            ModelState& state, Work& work)
{
    begin(false, threads, state, work);
    work.pulls.of_tree.resize(trees_.size());
    work.pulls.guess.resize(6 * segment_count_);
    work.idle.resize(trees_.size());
    for (std::size_t i = 0; i < trees_.size(); ++i)
        work.idle[i] = !work.pulls.is_led[i];
    std::ranges::fill(work.outcomes, strand::StepOutcome{});
    bases_.prepare_led(around.scene, around.begin, around.end);
    if (has_loads_)
        for (strand::AirFlow& flow : flows_)
            flow.prepare(around.scene, around.posture, around.now, around.then,
                         around.end - around.begin);
    if (has_continuum_)
        find_neighbours(around, state, threads, work.neighbours);
    work.pulls.is_trial = true;
    for_each_batch(threads, work, [&](std::size_t i, Room& room) {
        step_batch(around, bases_, state, i, work.idle, touches, work, room);
    });
    work.pulls.is_trial = false;
}

/// How hard a step is tried whose end is not kept: the step itself goes on from there.
strand::Effort StrandModel::trial_effort() const
{
    strand::Effort effort = effort_;
    effort.tolerance = std::max(effort.tolerance, kTrialTolerance);
    effort.touching = std::max(effort.touching, kTrialTolerance);
    effort.is_symmetric = true;
    effort.most_halvings = 0;
    effort.most_solves = 4;
    effort.most_touching = 8;
    effort.most_rounds = 2;
    return effort;
}

bool StrandModel::can_be_led(std::uint32_t tree) const
{
    const Tree& own = trees_[tree];
    return !own.is_elastic && std::ranges::count(own.segments, -1, &SegmentData::parent) == 1;
}

void StrandModel::place_base(std::uint32_t index, const PoseMotion& base, ModelState& state) const
{
    const Tree& tree = trees_[index];
    const Quat& q = base.pose.rotation;
    const Vec3& p = base.pose.translation;
    const Vec3 rate = rotate(conjugate(q), base.angular_velocity);
    const std::array<double, 7> x = {q.x, q.y, q.z, q.w, p.x, p.y, p.z};
    const std::array<double, 6> v = {rate.x,          rate.y,          rate.z,
                                     base.velocity.x, base.velocity.y, base.velocity.z};
    std::ranges::copy(x, &state.x[base_index(tree)]);
    std::ranges::copy(v, &state.v[base_rate_index(tree)]);
}

std::span<double> StrandModel::history_of(std::uint32_t tree, ModelState& state) const
{
    std::size_t before = 0;
    for (std::uint32_t i = 0; i < tree; ++i)
        before += bases_.kind(i) == strand::Bases::Kind::riding;
    return std::span(state.memory)
        .subspan(6 * segment_count_ + before * strand::Ridden::kNumbers, strand::Ridden::kNumbers);
}

double StrandModel::whole_mass_of(std::uint32_t tree) const
{
    double sum = 0;
    for (const SegmentData& s : trees_[tree].segments)
        sum += s.mass;
    return sum;
}

bool StrandModel::can_touch_alone(const Scene& scene) const
{
    return scene.settings.strands.method != StrandMethod::ida &&
           scene.settings.strands.friction == StrandFriction::disc;
}

/// Air is prepared for one step at a time: several at once would give other bits than each by
/// itself, as a world does that was stopped in between.
bool StrandModel::can_run(const Scene& scene, double begin, double end) const
{
    return scene.settings.strands.method != StrandMethod::ida && flows_.empty() &&
           !needs_objects() && !can_freeze_ && bases_.is_smooth(scene, begin, end);
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
    StrandReport report = report_of(work.sums, false);
    if (!report.fault_tree && !has_numbers(work.next))
        report.fault_tree = 0; // whose it is, steps one by one will find
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
    work.solves.resize(trees_.size());
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

/// Whether their trees may change places: what a tree does depends on no lane.
bool StrandModel::can_swap(const Batch& a, const Batch& b)
{
    const auto is_plain = [](const Batch& batch) {
        return batch.is_uniform && !batch.is_timed && !batch.has_loads && batch.flows.empty();
    };
    return a.shape == b.shape && a.params == b.params && is_plain(a) && is_plain(b);
}

/// Lanes wait for the slowest of a batch: so trees side by side are such as took about as many
/// solves in their last step. Of batches next to each other, which one thread takes, the first have
/// much to do and little in turns.
void StrandModel::regroup(std::span<const char> idle, Touches& touches, Work& work)
{
    const auto cost_of = [&](std::uint32_t tree) {
        if (idle[tree])
            return -1;
        return touches.of(tree).empty() ? 0 : 1 + work.solves[tree];
    };
    std::vector<std::uint32_t>& trees = work.order;
    for (std::size_t first = 0, end = 0; first < batches_.size(); first = end) {
        trees.clear();
        for (; end < batches_.size() && can_swap(batches_[first], batches_[end]); ++end)
            trees.insert(trees.end(), batches_[end].trees.begin(), batches_[end].trees.end());
        end = std::max(end, first + 1);
        const std::size_t count = end - first;
        if (count < 2)
            continue;
        std::ranges::sort(trees, {}, [&](std::uint32_t i) { return std::pair(-cost_of(i), i); });
        auto next = trees.begin();
        for (std::size_t i = 0; i < count; ++i)
            for (std::uint32_t& tree :
                 batches_[first + (i % 2 == 0 ? i / 2 : count - 1 - i / 2)].trees)
                tree = *next++;
    }
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
        Work::Pulls& pulls = work.pulls;
        if (pulls.is_led.empty() || !pulls.is_led[batch.trees[k]])
            continue;
        rider.pull = &pulls.of_tree[batch.trees[k]];
        double* const guess = &pulls.guess[6 * tree.first];
        if (pulls.is_trial)
            rider.to.memory = guess;
        else
            rider.guess = guess;
    }
    const strand::Effort effort = work.pulls.is_trial ? trial_effort() : effort_;
    room.touches.clear();
    for (const std::uint32_t tree : batch.trees)
        if (bases.is_directed(tree))
            turn_touches(bases, tree, around.begin, around.end, touches.of(tree), room.touches);
    kernel_->step(shapes_[batch.shape].view(), params_[batch.params],
                  batch.has_loads ? &batch.loads : nullptr, batch.gusts, batch.has_drag,
                  std::span(riders).subspan(first, batch.trees.size()), bases, around.begin,
                  around.end, effort, room.lanes);
    for (const std::uint32_t tree : batch.trees)
        if (!touches.first.empty() && !is_taken(tree))
            work.solves[tree] = work.outcomes[tree].solves;
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
    strand::place_outward<true>(strand::WholeForm{tree.segments},
                                {turns, rates, growth.lengths, growth.speeds}, base,
                                {nodes.joint.data(), nodes.tip.data(), nodes.joint_velocity.data(),
                                 nodes.tip_velocity.data()});
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

namespace {

template <int terms>
double log_series(double x)
{
    double sum = 0;
    for (int n = terms; n > 0; --n)
        sum = 1.0 / n - x * sum;
    return x * sum;
}

/// ln(1 + x) of x ≥ 0. Joints are seldom far from their rest: x is small, and a few terms of the
/// series are exact to rounding.
double log_of_one_and(double x)
{
    constexpr double kSmall = 1.0 / 64, kTiny = 1.0 / 4096;
    return x <= kTiny ? log_series<5>(x) : x <= kSmall ? log_series<10>(x) : log(1 + x);
}

/// Squares of a vector's components along the axes of a joint (strand::joint_axes), without a root:
/// the quaternion half-way back is turned by as it is, and its square divided out.
Vec3 squares_along_axes(const SegmentData& s, const Vec3& g)
{
    Quat q = s.rest.w < 0 ? -s.rest : s.rest;
    if (s.parent < 0 || s.is_clamped || (q.x == 0 && q.y == 0 && q.z == 0))
        return {g.x * g.x, g.y * g.y, g.z * g.z};
    q.w += 1;
    const Vec3 u = q.vector();
    const double square = dot(u, u);
    const Vec3 turned = (u * (2 * dot(u, g)) + g * (q.w * q.w - square) + cross(u, g) * (2 * q.w)) /
                        (q.w * q.w + square);
    return {turned.x * turned.x, turned.y * turned.y, turned.z * turned.z};
}

} // namespace

/// V = K_x ln(1 + |g|²) + Σ (K_k − K_x) ln(1 + g_k²), g = tan(angle/2) · axis.          [eq. 4]
double StrandModel::energy_of_joint(const SegmentData& s, const Quat& before, const Quat& q)
{
    const Quat d = conjugate(s.rest) * (conjugate(before) * q);
    const Vec3 g = d.vector() / d.w;
    const Vec3& K = s.stiffness;
    double sum = K.x * log_of_one_and(dot(g, g));
    if (K.y == K.x && K.z == K.x)
        return sum;
    const Vec3 squares = squares_along_axes(s, g);
    if (K.y != K.x)
        sum += (K.y - K.x) * log_of_one_and(squares.y);
    if (K.z != K.x)
        sum += (K.z - K.x) * log_of_one_and(squares.z);
    return sum;
}

Energy StrandModel::energy_of_tree(const Tree& tree, const ModelState& state,
                                   const PoseMotion& base, const Vec3& gravity,
                                   const Nodes& nodes) const
{
    Energy sum;
    const Growth growth = growth_of(tree, state);
    for (std::size_t k = 0; k < tree.segments.size(); ++k) {
        const SegmentData& s = tree.segments[k];
        const Vec3 rate = rate_at(state, tree.first + k);
        const double quarter = s.mass * s.length * s.length / 4;
        const Vec3 v = (nodes.joint_velocity[k] + nodes.tip_velocity[k]) * 0.5;
        sum.kinetic += 0.5 * s.mass * dot(v, v) + 0.5 * ((s.inertia.x - quarter) * rate.x * rate.x +
                                                         s.inertia.y * rate.y * rate.y +
                                                         (s.inertia.z - quarter) * rate.z * rate.z);
        if (growth.lengths)
            add_energy_of_length(s, growth.lengths[k], growth.speeds[k], rate, sum);
        sum.potential -= s.mass * dot(gravity, (nodes.joint[k] + nodes.tip[k]) * 0.5);
        const Quat before =
            s.parent < 0 ? base.pose.rotation : turn_at(state, tree.first + std::size_t(s.parent));
        sum.potential += energy_of_joint(s, before, turn_at(state, tree.first + k));
    }
    return sum;
}

Momentum StrandModel::momentum_of_tree(const Tree& tree, const ModelState& state,
                                       const Nodes& nodes) const
{
    Momentum sum;
    const Growth growth = growth_of(tree, state);
    for (std::size_t k = 0; k < tree.segments.size(); ++k) {
        const SegmentData& s = tree.segments[k];
        const double length = growth.lengths ? growth.lengths[k] : s.length;
        // The inertia is about the joint, and of the length at rest.
        const double less = s.mass * (s.length * s.length / 3 - length * length / 12);
        const Vec3 rate = rate_at(state, tree.first + k);
        const Vec3 spin{(s.inertia.x - less) * rate.x, s.inertia.y * rate.y,
                        (s.inertia.z - less) * rate.z};
        const Vec3 p = (nodes.joint_velocity[k] + nodes.tip_velocity[k]) * (0.5 * s.mass);
        sum += {p, cross((nodes.joint[k] + nodes.tip[k]) * 0.5, p) +
                       rotate(turn_at(state, tree.first + k), spin)};
    }
    return sum;
}

Momentum StrandModel::momentum(const Scene& scene, const ModelState& state,
                               std::span<const Affine> objects, double time) const
{
    Momentum sum;
    Nodes nodes;
    Tree room;
    for (std::uint32_t i = 0; i < trees_.size(); ++i) {
        const Tree& tree = at(scene, trees_[i], time, room);
        find_nodes(tree, state, base_motion(scene, state, i, objects, time), nodes);
        sum += momentum_of_tree(tree, state, nodes);
    }
    return sum;
}

Energy StrandModel::energy(const Scene& scene, const ModelState& state,
                           std::span<const Affine> objects, double time, int threads) const
{
    const strand::Gravity gravity(scene, time);
    std::vector<Energy> own(trees_.size());
    for_each_portion(threads, [&](std::uint32_t begin, std::uint32_t end) {
        Nodes nodes;
        Tree room;
        for (std::uint32_t i = begin; i < end; ++i) {
            const Tree& tree = at(scene, trees_[i], time, room);
            const PoseMotion base = base_motion(scene, state, i, objects, time);
            find_nodes(tree, state, base, nodes);
            own[i] = energy_of_tree(tree, state, base, gravity.value, nodes);
        }
    });
    Energy sum;
    for (const Energy& of_tree : own) {
        sum.kinetic += of_tree.kinetic;
        sum.potential += of_tree.potential;
    }
    return sum;
}

} // namespace sinew
