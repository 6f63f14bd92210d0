// Trees that are eliminated into the bodies they stand on.
//
//   in:  trees and bodies when the step begins
//   out: both when it ends, the momentum of all kept
//
// A step of the trees is tried first, on bodies that go on as they did: it tells what the trees
// demand of a body and how that changes with the body's motion, six numbers and a matrix. The
// bodies' own solvers take both in. Then the trees take the step on bodies that go as they went,
// and what was left out is given to the bodies.                   [notes: strands, eqs 33 to 36]

#include "math/functions.h"
#include "math/so3.h"
#include "models/rigid/contacts/patch.h"
#include "world/parts.h"

#include <algorithm>

namespace sinew {

namespace {

PoseMotion motion_of(const BodyState& body)
{
    PoseMotion motion;
    motion.pose = {body.q, body.x};
    motion.velocity = body.v;
    motion.angular_velocity = body.w;
    return motion;
}

/// Half-way between the two ends of a step.
Quat half_way(const Quat& a, const Quat& b)
{
    const double side = dot(a, b) < 0 ? -1 : 1;
    return normalised(Quat{a.x + b.x * side, a.y + b.y * side, a.z + b.z * side, a.w + b.w * side});
}

/// What survives a step, in the numbers of a tree's history.
struct MountHistory {
    std::span<double> numbers;

    bool is_known() const { return numbers[0] != strand::Ridden::kNever; }
    Vec3 get(std::size_t first) const
    {
        return {numbers[first], numbers[first + 1], numbers[first + 2]};
    }
    void put(std::size_t first, const Vec3& v)
    {
        for (int a = 0; a < 3; ++a)
            numbers[first + std::size_t(a)] = v[a];
        numbers[0] = 0;
    }
    enum Place : std::size_t { acceleration = 1, spinning = 4 };
};

} // namespace

/// Whether a tree can be eliminated into the body that it stands on.
bool World::Parts::can_be_led(const StrandRider& rider) const
{
    const auto stands_on_it = [&](const StrandRider& other) {
        return other.carrier.site.block == BlockId{kStrands, rider.tree};
    };
    return rider.carrier.body && pile().bodies[*rider.carrier.body].is_free() &&
           strands.can_be_led(rider.tree) &&
           std::ranges::none_of(strand_coupling.riders, stands_on_it);
}

void World::Parts::mount_riders()
{
    for (const StrandRider& rider : strand_coupling.riders) {
        if (!can_be_led(rider))
            continue;
        can_lead.resize(strands.tree_count(), 0);
        can_lead[rider.tree] = 1;
        auto mount = std::ranges::find(mounts, *rider.carrier.body, &Mount::body);
        if (mount == mounts.end())
            mount = mounts.insert(mount, Mount{.body = *rider.carrier.body});
        mount->riders.push_back(rider);
        strands.follow(rider.tree, static_cast<std::uint32_t>(mount - mounts.begin()),
                       rider.carrier.frame);
    }
}

/// Where a body would go if it went on as in the last step.
void World::Parts::guess_mount(double h, Mount& mount)
{
    const auto first = std::ranges::find_if(
        mount.riders, [&](const StrandRider& rider) { return is_led(rider.tree); });
    mount.is_led = first != mount.riders.end();
    mount.begin = mount.end = state.pile.bodies[mount.body];
    if (!mount.is_led)
        return;
    mount.masses.clear();
    for (const StrandRider& rider : mount.riders)
        mount.masses.push_back(strands.whole_mass_of(rider.tree));
    const MountHistory before{strands.history_of(first->tree, state.strands)};
    if (before.is_known()) {
        mount.end.v += before.get(MountHistory::acceleration) * h;
        mount.end.w += before.get(MountHistory::spinning) * h;
    }
    mount.end.x += (mount.begin.v + mount.end.v) * (0.5 * h);
    mount.end.q = normalised(exp_quat((mount.begin.w + mount.end.w) * (0.5 * h)) * mount.begin.q);
}

void World::Parts::weigh_riders(double begin, double until, const RowStep& rows)
{
    if (mounts.empty())
        return;
    const double h = until - begin;
    body_riders.clear();
    row_riders.clear();
    std::vector<char>& is_led_now = strand_work.pulls.is_led;
    is_led_now.assign(strands.tree_count(), 0);
    for (std::uint32_t i = 0; i < strands.tree_count(); ++i)
        is_led_now[i] = is_led(i);
    ahead_bodies = state.pile.bodies;
    for (BodyState& body : ahead_bodies) {
        body.x += body.v * h;
        body.q = normalised(exp_quat(body.w * h) * body.q);
    }
    for (std::uint32_t m = 0; m < mounts.size(); ++m) {
        guess_mount(h, mounts[m]);
        if (!mounts[m].is_led)
            continue;
        ahead_bodies[mounts[m].body] = mounts[m].end;
        strands.lead(m, begin, until, motion_of(mounts[m].begin), motion_of(mounts[m].end));
    }
    if (std::ranges::find(is_led_now, 1) == is_led_now.end()) {
        is_led_now.clear();
        return blocks->carry({}, state.pile.bodies, h, work.trials[kBodies]);
    }
    const Posture then =
        strands.needs_objects() ? update_instant(until, at_end) : Posture{until, {}, {}};
    set_lone_touches(h, ahead_bodies);
    strands.try_pulls({scene, at_begin.objects, at_end.objects, then, begin, until}, work.threads,
                      lone_touches, state.strands, strand_work);
    for (const Mount& mount : mounts)
        if (mount.is_led) {
            const bool is_in_rows = !rows.bodies.empty() && rows.bodies[mount.body];
            (is_in_rows ? row_riders : body_riders).push_back(sum_riders(mount, h));
        }
    blocks->carry(row_riders, state.pile.bodies, h, work.trials[kBodies]);
}

/// What touches between a tree and its own body push the tree with, mean of the step, about the
/// body's centre; whether the tree is pushed by others.
Wrench World::Parts::push_of_touches(std::uint32_t tree, const Mount& mount, bool& is_foreign) const
{
    Wrench sum;
    const std::vector<std::size_t>& first = lone_touches.first;
    if (first.empty())
        return sum;
    const Vec3 centre = (mount.begin.x + mount.end.x) * 0.5;
    for (std::size_t i = first[tree]; i < first[tree + 1]; ++i) {
        const strand::RiderTouch& touch = lone_touches.points[i];
        const Vec3 force = touch.first_force * (1 - strand::kGamma) + touch.force * strand::kGamma;
        if (force == Vec3{0, 0, 0})
            continue;
        is_foreign = is_foreign || lone[i].body != mount.body;
        if (lone[i].body != mount.body)
            continue;
        sum.force += force;
        sum.torque += cross(touch.place + touch.drift * 0.5 - centre, force);
    }
    return sum;
}

/// The impulse that a tree demands of its body in the step, about the body's centre: through its
/// root and where it touches.                                                          [eq. 33]
Wrench World::Parts::demand_of(const StrandRider& rider, const Mount& mount, double h) const
{
    bool is_foreign = false;
    const strand::RiderPull& pull = strand_work.pulls.of_tree[rider.tree];
    const Vec3 arm = rotate(half_way(mount.begin.q, mount.end.q), rider.carrier.frame.translation);
    const Wrench touches = push_of_touches(rider.tree, mount, is_foreign);
    return {(pull.moment + cross(arm, pull.force) + touches.torque) * h,
            (pull.force + touches.force) * h};
}

/// A tree that touches its own body goes with it, as far as other motion of it is known.
void World::Parts::make_stiff(const StrandRider& rider, const Mount& mount, BodyRiders& sum)
{
    StrandModel::Nodes& nodes = at_begin.nodes;
    strands.place_nodes(scene, state.time, state.strands, rider.tree,
                        strands.free_base_of(rider.tree, state.strands), nodes);
    const double m = 0.5 * strands.whole_mass_of(rider.tree) / double(nodes.tip.size());
    for (std::size_t k = 0; k < nodes.tip.size(); ++k)
        for (const Vec3& place : {nodes.joint[k], nodes.tip[k]}) {
            const Mat3 arm = cross_matrix(place - mount.begin.x);
            sum.mass += Mat3::diagonal({m, m, m});
            sum.arm += arm * m;
            sum.inertia -= arm * arm * m;
        }
}

/// All trees of a body as it sees them.                                                [eq. 34]
BodyRiders World::Parts::sum_riders(const Mount& mount, double h)
{
    BodyRiders sum{.body = mount.body, .v = mount.end.v, .w = mount.end.w};
    sum.mass = sum.arm = sum.inertia = Mat3::diagonal({0, 0, 0});
    Vec3 moving = {0, 0, 0};
    double mass = pile().bodies[mount.body].mass;
    for (std::size_t i = 0; i < mount.riders.size(); ++i) {
        const StrandRider& rider = mount.riders[i];
        if (!is_led(rider.tree))
            continue;
        const strand::RiderPull& pull = strand_work.pulls.of_tree[rider.tree];
        const Wrench demand = demand_of(rider, mount, h);
        sum.push -= demand.force;
        sum.twist -= demand.torque;
        moving += pull.begin;
        mass += mount.masses[i];
        bool is_foreign = false;
        const Wrench touches = push_of_touches(rider.tree, mount, is_foreign);
        if (touches.force != Vec3{0, 0, 0}) {
            make_stiff(rider, mount, sum);
        } else {
            const Mat3 arm = cross_matrix(rotate(mount.end.q, rider.carrier.frame.translation));
            const Mat3 turning = arm * pull.C + pull.B;
            sum.mass += pull.C;
            sum.arm += turning;
            sum.inertia += pull.A + arm * transpose(pull.B) - turning * arm;
        }
    }
    constexpr double kStill = 0.05; // of what gravity does in a step
    sum.wakes = length(moving) > kStill * mass * length(pile().gravity) * h;
    return sum;
}

/// Bodies are where the step ends: so do the trees that stand on them go.
void World::Parts::lead_riders(double begin, double until)
{
    for (std::uint32_t m = 0; m < mounts.size(); ++m) {
        if (!mounts[m].is_led)
            continue;
        mounts[m].end = state.pile.bodies[mounts[m].body];
        strands.lead(m, begin, until, motion_of(mounts[m].begin), motion_of(mounts[m].end));
    }
}

void World::Parts::settle_riders(double begin, double until, const StepReport& report)
{
    for (Mount& mount : mounts)
        if (mount.is_led && !report.fault)
            settle_mount(until - begin, mount);
    strand_work.pulls.is_led.clear();
}

/// The impulse of eq. 33 as the tree took it: of one that nothing else pushes, the change of its
/// momentum, which the stages have to second order only.                               [eq. 35]
Wrench World::Parts::taken_by(const Mount& mount, std::size_t index, double h) const
{
    const StrandRider& rider = mount.riders[index];
    Wrench demand = demand_of(rider, mount, h);
    bool is_foreign = false;
    push_of_touches(rider.tree, mount, is_foreign);
    const strand::Gravity gravity(scene, state.time);
    if (is_foreign || !strands.is_unloaded(rider.tree) || !gravity.is_constant)
        return demand;
    const strand::RiderPull& pull = strand_work.pulls.of_tree[rider.tree];
    const Vec3 root = root_in_body(rider);
    const Vec3 before = mount.begin.v + cross(mount.begin.w, rotate(mount.begin.q, root));
    const Vec3 after = mount.end.v + cross(mount.end.w, rotate(mount.end.q, root));
    demand.force =
        (after - before - gravity.value * h) * mount.masses[index] + pull.end - pull.begin;
    return demand;
}

Vec3 World::Parts::root_in_body(const StrandRider& rider) const
{
    const Pose& frame = rider.carrier.frame;
    return frame.translation + rotate(frame.rotation, strands.root_of(rider.tree));
}

/// What the trees took in the end against what the body gave them: the difference is made good.
///                                                                                     [eq. 36]
void World::Parts::settle_mount(double h, Mount& mount)
{
    const auto of_body = [&](std::vector<BodyRiders>& list) {
        const auto found = std::ranges::find(list, mount.body, &BodyRiders::body);
        return found == list.end() ? nullptr : &*found;
    };
    BodyState& body = state.pile.bodies[mount.body];
    const BodyRiders* const in_pile = of_body(body_riders);
    const BodyRiders& on = in_pile ? *in_pile : *of_body(row_riders);
    const Vec3 dv = body.v - on.v, dw = body.w - on.w;
    Wrench left = in_pile ? Wrench{-on.given_twist, -on.given}
                          : Wrench{on.arm * dv + on.inertia * dw - on.twist,
                                   on.mass * dv + transpose(on.arm) * dw - on.push};
    double mass = pile().bodies[mount.body].mass;
    Vec3 roots{0, 0, 0};
    const StrandRider* first = nullptr;
    for (std::size_t i = 0; i < mount.riders.size(); ++i) {
        const StrandRider& rider = mount.riders[i];
        if (!is_led(rider.tree))
            continue;
        left -= taken_by(mount, i, h);
        mass += mount.masses[i];
        roots += rotate(mount.end.q, root_in_body(rider)) * mount.masses[i];
        first = first ? first : &rider;
    }
    MountHistory history{strands.history_of(first->tree, state.strands)};
    const bool is_asleep =
        in_pile && state.pile.rest.size() > mount.body && state.pile.rest[mount.body].is_asleep;
    if (!is_asleep) {
        const Mat3 inertia = inertia_at(body.q, pile().bodies[mount.body].inertia) + on.inertia;
        const Vec3 turn = inverse(inertia) * left.torque;
        body.w += turn;
        body.v += (left.force - cross(turn, roots)) / mass;
    }
    history.put(MountHistory::acceleration, (body.v - mount.begin.v) / h);
    history.put(MountHistory::spinning, (body.w - mount.begin.w) / h);
    for (const StrandRider& rider : mount.riders)
        if (is_led(rider.tree))
            strands.place_base(rider.tree, strand::carried_by(motion_of(body), rider.carrier.frame),
                               state.strands);
}

} // namespace sinew
