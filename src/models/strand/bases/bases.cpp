#include "models/strand/bases/bases.h"

#include "math/functions.h"
#include "math/so3.h"
#include "models/strand/bases/skin_motion.h"
#include "scene/formula.h"
#include "scene/kinematics.h"

#include <algorithm>
#include <array>
#include <limits>

namespace sinew::strand {

namespace {

template <class Use>
void for_each_amount(const Scene& scene, ObjectId id, Use&& use)
{
    for (; id.is_valid(); id = frame_parent(scene.objects[id.index]))
        for (std::uint32_t k = 0; k < scene.objects[id.index].transformation_count; ++k)
            use(scene.transformations[scene.objects[id.index].first_transformation + k].amount);
}

/// By object: whether bodies, strands or rods place it.
std::vector<bool> find_placed_by_others(const Scene& scene)
{
    std::vector<bool> placed(scene.objects.size());
    for (const RigidBody& body : scene.bodies)
        if (!body.is_obstacle())
            placed[body.object.index] = true;
    for (const StrandSite& site : scene.strand_sites)
        placed[site.object.index] = true;
    for (const RodSite& site : scene.rod_sites)
        placed[site.object.index] = true;
    return placed;
}

Bases::Kind kind_of(const Scene& scene, const std::vector<bool>& placed, ObjectId object)
{
    for (ObjectId id = object; id.is_valid(); id = frame_parent(scene.objects[id.index]))
        if (placed[id.index])
            return Bases::Kind::riding;
    bool is_known = true, is_constant = true;
    for_each_amount(scene, object, [&](const Value& amount) {
        is_known = is_known && is_known_in_advance(scene, amount);
        is_constant = is_constant && amount.is_constant();
    });
    return !is_known ? Bases::Kind::riding : is_constant ? Bases::Kind::fixed : Bases::Kind::driven;
}

/// Keys at which a rate jumps.
std::vector<double> find_kinks(const Scene& scene, ObjectId object)
{
    std::vector<double> kinks;
    for_each_amount(scene, object, [&](const Value& amount) {
        for_each_leaf(scene, amount, [&](const Formula& leaf) {
            if (leaf.operation != Operation::track || scene.tracks[leaf.index].along)
                return;
            for (const Key& key : scene.tracks[leaf.index].keys) {
                const double before = rates_at(scene, amount, key.at, 0, Side::before).first;
                const double after = rates_at(scene, amount, key.at, 0, Side::after).first;
                if (abs(after - before) > 1e-9 * (1 + abs(before) + abs(after)))
                    kinks.push_back(key.at);
            }
        });
    });
    std::ranges::sort(kinks);
    return kinks;
}

/// From one motion to another with these poses and velocities at the ends.
PoseCurve hermite(const PoseMotion& a, const PoseMotion& b, double t0, double t1)
{
    const double h = t1 - t0;
    const auto cubic = [](const Vec3& x0, const Vec3& v0, const Vec3& x1, const Vec3& v1) {
        const Vec3 d = x1 - x0 - v0, e = v1 - v0;
        return PoseCurve::Coefficients{x0, v0, d * 3.0 - e, e - d * 2.0, {}, {}};
    };
    const Quat back = conjugate(a.pose.rotation);
    const Vec3 turn = log_quat(back * b.pose.rotation);
    const Vec3 rate_b = rotate(conjugate(b.pose.rotation), b.angular_velocity);
    return {t0, h, a.pose.rotation,
            cubic(a.pose.translation, a.velocity * h, b.pose.translation, b.velocity * h),
            cubic({0, 0, 0}, rotate(back, a.angular_velocity) * h, turn,
                  right_jacobian_inverse_times(turn, rate_b * h))};
}

void put(double* to, double time, const Pose& pose)
{
    const Quat& q = pose.rotation;
    const Vec3& p = pose.translation;
    const std::array<double, 8> numbers = {time, q.x, q.y, q.z, q.w, p.x, p.y, p.z};
    std::ranges::copy(numbers, to);
}

Pose pose_at(const double* from)
{
    return {{from[1], from[2], from[3], from[4]}, {from[5], from[6], from[7]}};
}

PoseMotion place_on_skin(const Scene& scene, std::uint32_t root, double time, Side side)
{
    const StrandRoot& place = scene.strand_roots[root];
    return motion_on_skin(scene.skins[place.skin], place, time, side);
}

/// Whether a tree's root stands on a skin that begins to move or stops within a step.
bool has_jump(const Scene& scene, std::uint32_t root, double t0, double t1)
{
    return root != StrandCurve::kNone && jumps(scene.skins[scene.strand_roots[root].skin], t0, t1);
}

/// Where velocities take a pose, by Simpson's rule; rates are in the base's own axes, which are the
/// same in both worlds.
Pose integrated(const PoseMotion& from, const PoseMotion& middle, const PoseMotion& now,
                double span)
{
    const auto own = [](const PoseMotion& m) {
        return rotate(conjugate(m.pose.rotation), m.angular_velocity);
    };
    const auto sum = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
        return (a + b * 4.0 + c) * (span / 6);
    };
    const Vec3 turn =
        sum(own(from), own(middle), own(now)) + cross(own(from), own(now)) * (span * span / 12);
    Pose pose = from.pose;
    pose.translation += sum(from.velocity, middle.velocity, now.velocity);
    if (turn != Vec3{0, 0, 0})
        pose.rotation = normalised(pose.rotation * exp_quat(turn));
    return pose;
}

bool has_kink(const std::vector<double>& kinks, double t0, double t1)
{
    const auto kink = std::ranges::lower_bound(kinks, t0);
    return kink != kinks.end() && *kink < t1;
}

/// At the end of a step tracks are as they come, not as they go on.
Side side_at(double time, double end) { return time < end ? Side::after : Side::before; }

} // namespace

bool is_moved_by_tracks(const Scene& scene, ObjectId object)
{
    return kind_of(scene, find_placed_by_others(scene), object) != Bases::Kind::riding;
}

Bases::Bases(const Scene& scene, std::span<const ObjectId> trees,
             std::span<const std::uint32_t> roots, std::span<const Affine> objects)
{
    const std::vector<bool> placed = find_placed_by_others(scene);
    std::vector<const StrandTree*> wishes(scene.objects.size());
    for (const StrandTree& tree : scene.trees)
        wishes[tree.object.index] = &tree;
    for (std::size_t i = 0; i < trees.size(); ++i) {
        const ObjectId object = trees[i];
        if (!trees_.empty() && trees_.back().object == object) { // several strands of one def
            trees_.push_back(trees_.back());
        } else {
            Tree tree{.object = object, .kind = kind_of(scene, placed, object)};
            tree.still.pose = scaled_pose(objects[object.index]).pose;
            tree.direction = find_direction(wishes[object.index]);
            if (tree.kind == Kind::driven) {
                tree.kinks = find_kinks(scene, object);
                tree.carrier = add_carrier(find_carrier(scene, object), tree.on_carrier);
            }
            trees_.push_back(std::move(tree));
        }
        Tree& tree = trees_.back();
        tree.root = roots[i];
        if (tree.root != StrandCurve::kNone)
            tree.back = inverse(place_on_skin(scene, tree.root, -1e300, Side::after).pose);
    }
}

PoseMotion Bases::on_skin(const Scene& scene, std::size_t index, const PoseMotion& object,
                          double time, Side side) const
{
    const Tree& tree = trees_[index];
    if (tree.root == StrandCurve::kNone)
        return object;
    return carried_by(object, carried_by(place_on_skin(scene, tree.root, time, side), tree.back));
}

/// A jump of the skin's velocity acts over the whole step. At the start a strand moves with it.
void Bases::jump_with_skin(const Scene& scene, double t0, double t1, Tree& tree) const
{
    tree.has_skin_curve = has_jump(scene, tree.root, t0, t1);
    if (!tree.has_skin_curve)
        return;
    const Side first = t0 > scene.settings.start ? Side::before : Side::after;
    const auto at = [&](double time, Side side) {
        return carried_by(place_on_skin(scene, tree.root, time, side), tree.back);
    };
    tree.skin_curve = hermite(at(t0, first), at(t1, Side::before), t0, t1);
}

std::uint32_t Bases::add_carrier(const Carried& carried, Pose& pose)
{
    pose = carried.pose;
    const auto found = std::ranges::find(carriers_, carried.carrier);
    const auto index = static_cast<std::uint32_t>(found - carriers_.begin());
    if (found == carriers_.end())
        carriers_.push_back(carried.carrier);
    return index;
}

PoseMotion Bases::start(const Scene& scene, std::size_t tree) const
{
    const double time = scene.settings.start;
    if (trees_[tree].kind != Kind::driven)
        return on_skin(scene, tree, trees_[tree].still, time);
    const PoseMotion base = on_skin(scene, tree, driven_at(scene, tree, time, Side::after), time);
    return trees_[tree].direction.is_used
               ? directed_at(scene, trees_[tree], base, time, Side::after).motion
               : base;
}

PoseMotion Bases::driven_at(const Scene& scene, std::size_t tree, double time, Side side) const
{
    const Carrier& carrier = carriers_[trees_[tree].carrier];
    return carried_by(motion_by_tracks(scene, carrier, time, side), trees_[tree].on_carrier);
}

void Bases::motions_at(const Scene& scene, std::span<const Affine> objects, double time,
                       std::vector<PoseMotion>& motions) const
{
    std::vector<PoseMotion> carriers;
    for (const Carrier& carrier : carriers_)
        carriers.push_back(motion_by_tracks(scene, carrier, time, Side::after));
    motions.resize(trees_.size());
    for (std::size_t i = 0; i < trees_.size(); ++i) {
        const Tree& tree = trees_[i];
        PoseMotion object = tree.still;
        if (tree.kind == Kind::driven)
            object = carried_by(carriers[tree.carrier], tree.on_carrier);
        else if (tree.kind == Kind::riding)
            object.pose = scaled_pose(objects[tree.object.index]).pose;
        motions[i] = on_skin(scene, i, object, time);
    }
}

void Bases::prepare(const Scene& scene, double t0, double t1, std::span<const Affine> now,
                    std::span<const Affine> then, std::span<Ridden> ridden)
{
    prepare(scene, t0, t1, step_);
    step_.has_curves = true;
    std::size_t next = 0;
    for (std::size_t i = 0; i < trees_.size(); ++i) {
        Tree& tree = trees_[i];
        tree.has_curve = has_kink(tree.kinks, t0, t1);
        if (tree.has_curve) // a jump of velocity acts over the whole step
            tree.curve = hermite(driven_at(scene, i, t0, Side::before),
                                 driven_at(scene, i, t1, Side::before), t0, t1);
        jump_with_skin(scene, t0, t1, tree);
        if (tree.kind != Kind::riding)
            continue;
        if (tree.leader != kNoLeader) {
            ++next;
            continue;
        }
        ride(tree, t0, t1, scaled_pose(now[tree.object.index]).pose,
             scaled_pose(then[tree.object.index]).pose, ridden[next++]);
    }
}

bool Bases::is_smooth(const Scene& scene, double t0, double t1) const
{
    return std::ranges::none_of(trees_, [&](const Tree& tree) {
        return tree.kind == Kind::riding || tree.direction.is_used ||
               has_kink(tree.kinks, t0, t1) || has_jump(scene, tree.root, t0, t1);
    });
}

void Bases::prepare(const Scene& scene, double t0, double t1, Step& step) const
{
    step.scene = &scene;
    step.begin = t0;
    step.end = t1;
    step.gravity = Gravity(scene, t0);
    step.carriers.resize(carriers_.size());
    for (std::size_t i = 0; i < carriers_.size(); ++i) {
        step.carriers[i].carrier = carriers_[i];
        step.carriers[i].prepare(scene, t0, t1);
    }
}

/// At the times of a step's stages: only one that is halved asks for others.
void Bases::Shared::prepare(const Scene& scene, double t0, double t1)
{
    times = {t0, t0 + (t1 - t0) * kGamma, t0 + (t1 - t0)};
    for (std::size_t i = 0; i < times.size(); ++i)
        motions[i] = motion_by_tracks(scene, carrier, times[i], side_at(times[i], t1));
}

const PoseMotion* Bases::Shared::find(double time) const
{
    const auto found = std::ranges::find(times, time);
    return found == times.end() ? nullptr : &motions[found - times.begin()];
}

void Bases::follow(std::uint32_t tree, std::uint32_t leader, const Pose& on_leader)
{
    if (leaders_.size() <= leader)
        leaders_.resize(leader + 1);
    trees_[tree].leader = leader;
    trees_[tree].on_leader = on_leader;
}

void Bases::lead(std::uint32_t leader, double t0, double t1, const PoseMotion& from,
                 const PoseMotion& to)
{
    Leader& led = leaders_[leader];
    led = {.begin = t0, .span = t1 - t0, .from = from, .to = to};
    led.times.fill(std::numeric_limits<double>::quiet_NaN()); // none is known yet
    const std::array<double, 3> times = {t0, t0 + led.span * kGamma, t0 + led.span};
    std::array<PoseMotion, 3> motions;
    for (std::size_t i = 0; i < times.size(); ++i)
        motions[i] = led.at(times[i]);
    led.times = times;
    led.motions = motions;
}

/// With even accelerations, as the impulses that it gets have them; what the place and the turn
/// are off by then goes evenly.
PoseMotion Bases::Leader::at(double time) const
{
    if (const auto found = std::ranges::find(times, time); found != times.end())
        return motions[std::size_t(found - times.begin())];
    const double t = time - begin, part = t / span;
    PoseMotion now;
    now.acceleration = (to.velocity - from.velocity) / span;
    now.angular_acceleration = (to.angular_velocity - from.angular_velocity) / span;
    now.velocity = from.velocity + now.acceleration * t;
    now.angular_velocity = from.angular_velocity + now.angular_acceleration * t;
    const auto way = [&](const Vec3& first, const Vec3& last, const Vec3& whole) {
        const Vec3 off = whole - (first + last) * (0.5 * span);
        return first * t + (last - first) * (0.5 * t * part) + off * part;
    };
    const Vec3 turn = log_quat(to.pose.rotation * conjugate(from.pose.rotation));
    now.pose.translation = from.pose.translation + way(from.velocity, to.velocity,
                                                       to.pose.translation - from.pose.translation);
    now.pose.rotation = normalised(exp_quat(way(from.angular_velocity, to.angular_velocity, turn)) *
                                   from.pose.rotation);
    return now;
}

/// Through the last four poses; where there are none yet, as if it had always moved so.
void Bases::ride(Tree& tree, double t0, double t1, const Pose& now, const Pose& then,
                 Ridden& ridden)
{
    double* before = ridden.numbers + 8;
    double* long_before = ridden.numbers;
    if (before[0] == Ridden::kNever)
        put(before, 2 * t0 - t1, extrapolated(then, now));
    if (long_before[0] == Ridden::kNever)
        put(long_before, 2 * before[0] - t0, extrapolated(now, pose_at(before)));
    tree.curve = make_pose_cubic<double>({pose_at(long_before), pose_at(before), now, then},
                                         {long_before[0], before[0], t0, t1});
    tree.has_curve = true;
    std::copy_n(before, 8, long_before);
    put(before, t0, now);
}

Bases::Direction Bases::find_direction(const StrandTree* tree)
{
    if (!tree)
        return {};
    const bool is_plain = tree->time_scale.is_constant() && tree->time_scale.number == 1 &&
                          tree->local_dynamics.is_constant() && tree->local_dynamics.number == 0;
    return {!is_plain, tree->time_scale, tree->local_dynamics, tree->reference};
}

/// The base's velocities and accelerations as the tree is to feel them, world axes.
/// [Hadap06, eq. 19], [notes: strands, eq. 20]
/// Differs from the paper: accelerations are the rates of the felt velocities in the world of the
/// tree, which turns with ω_felt − ω against this one. Where nothing turns that is the paper's.
Bases::Felt Bases::directed_at(const Scene& scene, const Tree& tree, const PoseMotion& base,
                               double time, Side side) const
{
    const Direction& direction = tree.direction;
    Felt felt;
    felt.beta = rates_at(scene, direction.time_scale, time, 0, side).value;
    felt.gamma = rates_at(scene, direction.local_dynamics, time, 0, side).value;
    felt.motion = base;
    felt.reference = base.pose;
    PoseMotion reference = base;
    if (direction.reference.is_valid()) { // where the base is, fixed to the reference
        const PoseMotion frame = motion_by_tracks(scene, {direction.reference, 0}, time, side);
        felt.reference = frame.pose;
        reference = carried_by(frame, inverse(frame.pose) * base.pose);
    }
    const auto mixed = [&](const Vec3& own, const Vec3& of_reference) {
        return (own - of_reference * felt.gamma) * felt.beta;
    };
    const Vec3 v = mixed(base.velocity, reference.velocity);
    const Vec3 w = mixed(base.angular_velocity, reference.angular_velocity);
    const Vec3 slip = cross(reference.angular_velocity, base.velocity - reference.velocity);
    const Vec3 turning = w - base.angular_velocity;
    felt.motion.velocity = v;
    felt.motion.angular_velocity = w;
    felt.motion.acceleration =
        mixed(base.acceleration, reference.acceleration + slip) + cross(turning, v);
    felt.motion.angular_acceleration =
        mixed(base.angular_acceleration, reference.angular_acceleration) + cross(turning, w);
    return felt;
}

/// In the world of the tree, which at the beginning of the step is the true one: there the base
/// goes where its felt velocity takes it. What moves with its reference goes as the reference sees
/// it; else Simpson's rule.
PoseMotion Bases::directed(const Tree& tree, const PoseMotion& base, double time) const
{
    const auto index = static_cast<std::uint32_t>(&tree - trees_.data());
    const auto felt_at = [&](double t) {
        return directed_at(*step_.scene, tree, true_base_at(index, t), t, side_at(t, step_.end));
    };
    const Felt from = felt_at(step_.begin);
    const Felt felt = directed_at(*step_.scene, tree, base, time, side_at(time, step_.end));
    PoseMotion now = felt.motion;
    const double span = time - step_.begin;
    Pose pose = from.motion.pose;
    if (span > 0) {
        const Felt middle = felt_at(step_.begin + 0.5 * span);
        const bool is_seen = from.is_local() && middle.is_local() && felt.is_local();
        pose = is_seen ? from.reference * (inverse(felt.reference) * base.pose)
                       : integrated(from.motion, middle.motion, now, span);
        if (is_seen && !tree.direction.reference.is_valid())
            pose = from.motion.pose; // exactly
    }
    if (!(pose.rotation == now.pose.rotation)) {
        const Quat drift = pose.rotation * conjugate(now.pose.rotation);
        for (Vec3* v :
             {&now.velocity, &now.angular_velocity, &now.acceleration, &now.angular_acceleration})
            *v = rotate(drift, *v);
    }
    now.pose = pose;
    return now;
}

Quat Bases::drift_at(std::uint32_t tree, double time) const noexcept
{
    if (!trees_[tree].direction.is_used)
        return {};
    const PoseMotion base = true_base_at(tree, time);
    const Quat now = directed(trees_[tree], base, time).pose.rotation;
    return now == base.pose.rotation ? Quat{} : now * conjugate(base.pose.rotation);
}

Vec3 Bases::pull_at(std::uint32_t tree, double time) const noexcept
{
    const Vec3 gravity = gravity_at(time);
    return trees_[tree].direction.is_used ? rotate(drift_at(tree, time), gravity) : gravity;
}

PoseMotion Bases::base_at(std::uint32_t tree, double time) const noexcept
{
    const PoseMotion base = true_base_at(tree, time);
    return trees_[tree].direction.is_used ? directed(trees_[tree], base, time) : base;
}

PoseMotion Bases::base_at(const Step& step, std::uint32_t index, double time) const noexcept
{
    const PoseMotion object = object_at(step, index, time);
    const Tree& tree = trees_[index];
    if (step.has_curves && tree.has_skin_curve)
        return carried_by(object, evaluate(tree.skin_curve, time));
    return on_skin(*step.scene, index, object, time, side_at(time, step.end));
}

PoseMotion Bases::object_at(const Step& step, std::uint32_t index, double time) const noexcept
{
    const Tree& tree = trees_[index];
    if (tree.leader != kNoLeader)
        return carried_by(leaders_[tree.leader].at(time), tree.on_leader);
    if (step.has_curves && tree.has_curve)
        return evaluate(tree.curve, time);
    if (tree.kind != Kind::driven) // one that rides and has no curve yet is idle
        return tree.still;
    if (const PoseMotion* motion = step.carriers[tree.carrier].find(time))
        return carried_by(*motion, tree.on_carrier);
    return driven_at(*step.scene, index, time, side_at(time, step.end));
}

Vec3 Bases::gravity_at(const Step& step, double time) const noexcept
{
    return step.gravity.is_constant ? step.gravity.value : Gravity(*step.scene, time).value;
}

Gravity::Gravity(const Scene& scene, double time)
{
    const Settings& s = scene.settings;
    is_constant =
        s.gravity_x.is_constant() && s.gravity_y.is_constant() && s.gravity_z.is_constant();
    const auto at = [&](const Value& amount) {
        return amount.is_constant() ? amount.number : rates_at(scene, amount, time).value;
    };
    value = {at(s.gravity_x), at(s.gravity_y), at(s.gravity_z)};
}

} // namespace sinew::strand
