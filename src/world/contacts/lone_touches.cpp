// Strands that touch nothing but what moves by itself need no rows: each for itself, in the lanes
// of its batch. Which they are, what their touches bring along from the last step and leave behind.
//
// A touch is a plane. Where a strand slides along what is round, or meets what was not in reach,
// it is in something at the end of the step: then it takes the step again, with the planes that
// touch there.

#include "islands/rows/row_geometry.h"
#include "math/functions.h"
#include "world/parts.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace sinew {

namespace {

constexpr double kShareOfMutual = 0.02; // of a touch's stiffness: about a strand's own, at first
constexpr double kJolt = 1e-3;          // of what gravity does to speed in two steps

/// Meets within the step, faster than rest explains.
bool jolts(const StrandTouch& touch, double h, double gravity)
{
    const double w = dot(touch.normal, touch.slip) - touch.surge;
    return w < 0 && touch.gap + h * w < 0 && -w > kJolt * 2 * gravity * h;
}

/// Whether a point that pushed in the step before goes on doing so: that is no jolt, however it
/// trembles.
bool goes_on(const StrandTouch& touch, double h, const HeldForce* before)
{
    const double w = dot(touch.normal, touch.slip) - touch.surge;
    return before && before->force[0] > 0 && -w * h < DeepStrands::kDepth * touch.length;
}

/// Looks keys up in an ascending list, most of which ascend too: the next is near the last.
template <class Entry>
class Ascending {
public:
    explicit Ascending(std::span<const Entry> list) : list_(list) {}

    const Entry* find(AttachmentKey key)
    {
        constexpr int kSteps = 8;
        if (at_ > 0 && !(list_[at_ - 1].key < key))
            at_ = 0;
        for (int i = 0; i < kSteps && at_ < list_.size() && list_[at_].key < key; ++i)
            ++at_;
        if (at_ < list_.size() && list_[at_].key < key)
            at_ = std::size_t(std::ranges::lower_bound(list_.subspan(at_), key, {}, &Entry::key) -
                              list_.begin());
        return at_ < list_.size() && list_[at_].key == key ? &list_[at_] : nullptr;
    }

private:
    std::span<const Entry> list_;
    std::size_t at_ = 0;
};

/// How a body moved in a step.
struct BodyWay {
    BodyWay(const BodyState& begin, const BodyState& end)
        : from(begin), to(end), turn(end.q * conjugate(begin.q))
    {
    }

    const BodyState &from, &to;
    Quat turn;

    Vec3 ahead(const Vec3& place) const { return to.x + rotate(turn, place - from.x); }
    Vec3 back(const Vec3& place) const { return from.x + rotate(conjugate(turn), place - to.x); }
};

/// Forces of the step before, in both stages, from what is kept of them: first their mean, by the
/// weights of the method 1 − γ and γ, then that of the first stage. And how far a point that stuck
/// has gone since it began to.
void take_before(const HeldForce* found, const StuckPoint* stuck, bool is_second,
                 strand::RiderTouch& point)
{
    if (!found && !stuck)
        return;
    const double side = is_second ? -1 : 1; // numbers are those of the first
    const Vec3 normal = point.normal * side;
    const std::array<Vec3, 2> tangents = make_tangents(normal);
    if (stuck)
        point.creep = (tangents[0] * stuck->first + tangents[1] * stuck->second) * side;
    if (!found)
        return;
    const auto force = [&](std::size_t at) {
        return (normal * found->force[at] + tangents[0] * found->force[at + 1] +
                tangents[1] * found->force[at + 2]) *
               side;
    };
    point.first_force = force(3);
    point.force = (force(0) - point.first_force * (1 - strand::kGamma)) / strand::kGamma;
}

/// The plane of a touch that is seen when the step begins.
strand::RiderTouch plane_ahead(const StrandTouch& touch, const BodyWay& way, double h)
{
    return {static_cast<int>(touch.segment),
            touch.part,
            touch.site,
            rotate(way.turn, touch.normal),
            way.ahead(touch.place) - touch.place + touch.drift * h,
            touch.gap,
            touch.friction};
}

/// The plane of a touch of two strands, of which the other goes on as it moves.
strand::RiderTouch plane_between(const StrandTouch& touch, double h)
{
    return {.segment = static_cast<int>(touch.segment),
            .part = touch.part,
            .place = touch.site,
            .normal = touch.normal,
            .drift = touch.drift * h,
            .gap = touch.gap,
            .friction = touch.friction,
            .share = kShareOfMutual};
}

/// The plane of one that is seen when the step ends; `site`: where it was on the segment before.
strand::RiderTouch plane_behind(const StrandTouch& touch, const BodyWay& way, double h,
                                const Vec3& site)
{
    const Vec3 drift = touch.place - way.back(touch.place) + touch.drift * h;
    const double gap = touch.gap - dot(touch.normal, touch.site - site - drift);
    return {static_cast<int>(touch.segment),
            touch.part,
            site,
            touch.normal,
            drift,
            gap,
            touch.friction};
}

} // namespace

/// Keeps those in `touches` that need rows: of trees that are held, meet bodies that they push, or
/// bounce. The others are in `lone`.
void World::Parts::split_touches(std::vector<StrandTouch>& touches, double h)
{
    const double gravity = length(pile().gravity);
    std::vector<char> in_rows = taken_strands;
    const auto can_yield = [&](std::uint32_t body) {
        return pile().bodies[body].is_free() ||
               (body < coupling.carrier.size() && coupling.is_carried(body));
    };
    for (const StrandTouch& touch : touches)
        if ((can_yield(touch.body) && !touch.is_own) || !strands.can_touch_alone(scene) ||
            (touch.bounce > 0 && jolts(touch, h, gravity)))
            in_rows[touch.tree] = 1;
    split_pairs(in_rows);
    const auto is_in_rows = [&](const StrandTouch& touch) { return in_rows[touch.tree] != 0; };
    lone.clear();
    if (std::ranges::none_of(touches, is_in_rows)) {
        std::swap(lone, touches);
        return;
    }
    std::ranges::remove_copy_if(touches, std::back_inserter(lone), is_in_rows);
    std::erase_if(touches, std::not_fn(is_in_rows));
    // A root that does not pull at the body that it stands on: no more do its touches push.
    std::erase_if(touches, [&](const StrandTouch& touch) {
        return touch.is_own && pile().bodies[touch.body].is_free() &&
               !strands.has_free_base(touch.tree);
    });
    for (StrandTouch& touch : touches)
        touch.is_own = touch.is_own && !strands.has_free_base(touch.tree);
}

/// `ends`: the bodies where the step ends.
void World::Parts::set_lone_touches(double h, std::span<const BodyState> ends)
{
    const double gravity = length(pile().gravity);
    StrandModel::Touches& to = lone_touches;
    to.points.clear();
    to.is_jolted.assign(strands.tree_count(), 0);
    Ascending held{std::span<const HeldForce>(begin_state.held)};
    Ascending stuck{std::span<const StuckPoint>(begin_state.stuck)};
    std::optional<BodyWay> carried_way;
    std::uint32_t body = 0;
    add_mutual_touches();
    for (const StrandTouch& touch : lone) {
        if (touch.is_mutual()) {
            to.points.push_back(plane_between(touch, h));
        } else {
            if (!carried_way || touch.body != body)
                carried_way.emplace(begin_state.pile.bodies[touch.body], ends[touch.body]);
            body = touch.body;
            to.points.push_back(plane_ahead(touch, *carried_way, h));
        }
        const HeldForce* before = held.find(touch.key);
        take_before(before, stuck.find(touch.key), touch.is_second, to.points.back());
        if (jolts(touch, h, gravity) && !goes_on(touch, h, before))
            to.is_jolted[touch.tree] = 1;
    }
    count_lone_touches();
}

void World::Parts::count_lone_touches()
{
    std::vector<std::size_t>& first = lone_touches.first;
    first.assign(lone.empty() ? 0 : strands.tree_count() + 1, 0);
    for (const StrandTouch& touch : lone)
        ++first[touch.tree + 1];
    for (std::size_t i = 1; i < first.size(); ++i)
        first[i] += first[i - 1];
}

/// Steps those again that are in something now, until none is. Bodies are where the step ends.
void World::Parts::step_deep_strands(const StrandSurroundings& step, StrandReport& done)
{
    const double h = step.end - step.begin;
    std::vector<char> is_left(strands.tree_count(), 1); // what was not near is not in anything
    for (const StrandTouch& touch : lone)
        is_left[touch.tree] = 0;
    for (int round = 0; round < DeepStrands::kMostLooks && !lone.empty() && !done.fault_tree;
         ++round) {
        strand_contacts.find({strands,
                              pile(),
                              state.pile,
                              state.strands,
                              {scene, step.then, step.then, step.posture, step.end, step.end + h},
                              state.inside,
                              work.threads,
                              is_left,
                              lone,
                              DeepStrands::kDepth},
                             strand_search);
        std::ranges::fill(is_left, 1);
        for (const StrandTouch& touch : strand_search.found)
            if (touch.gap < -DeepStrands::kDepth * touch.length && strands.can_touch_alone(scene) &&
                !strands.is_frozen(scene, touch.tree, step.begin))
                is_left[touch.tree] = 0;
        if (std::ranges::find(is_left, 0) == is_left.end())
            return;
        take_planes(step, is_left);
        again_strands = begin_state.strands;
        done += strands.step(step, work.threads, is_left, lone_touches, again_strands, strand_work);
        strands.take_trees(again_strands, is_left, state.strands);
    }
}

/// Of the trees that are not left, touches as they are seen now take the place of those before.
void World::Parts::take_planes(const StrandSurroundings& step, std::span<const char> is_left)
{
    const double h = step.end - step.begin, gravity = length(pile().gravity);
    strands.base_motions(scene, begin_state.strands, step.now, step.begin, strand_search.now);
    StrandModel::Nodes nodes;
    std::uint32_t tree = StrandCurve::kNone;
    const std::size_t known = lone.size();
    for (StrandTouch touch : strand_search.found) {
        if (is_left[touch.tree])
            continue;
        if (touch.tree != tree)
            strands.place_nodes(scene, step.begin, begin_state.strands, touch.tree,
                                strand_search.now[touch.tree], nodes);
        tree = touch.tree;
        const Vec3 site = nodes.joint[touch.segment] +
                          (nodes.tip[touch.segment] - nodes.joint[touch.segment]) * touch.part;
        const BodyWay carried_way{begin_state.pile.bodies[touch.body],
                                  state.pile.bodies[touch.body]};
        strand::RiderTouch plane = plane_behind(touch, carried_way, h, site);
        StrandTouch* const before = find_same(std::span(lone).first(known), touch);
        if (!before) {
            lone.push_back(touch);
            lone_touches.points.push_back(plane);
            if (jolts(touch, h, gravity))
                lone_touches.is_jolted[touch.tree] = 1;
            continue;
        }
        strand::RiderTouch& point = lone_touches.points[std::size_t(before - lone.data())];
        plane.force = point.force, plane.first_force = point.first_force;
        plane.creep = point.creep;
        *before = touch;
        point = plane;
    }
    if (lone.size() > known)
        sort_lone_touches();
}

/// By trees and their segments, as kernels want them.
void World::Parts::sort_lone_touches()
{
    std::vector<std::size_t> order(lone.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(
        order, {}, [&](std::size_t i) { return std::pair(lone[i].tree, lone[i].segment); });
    std::vector<StrandTouch> touches;
    std::vector<strand::RiderTouch> points;
    for (const std::size_t i : order) {
        touches.push_back(lone[i]);
        points.push_back(lone_touches.points[i]);
    }
    lone = std::move(touches);
    lone_touches.points = std::move(points);
    count_lone_touches();
}

/// What they push with, as rows remember theirs.
void World::Parts::keep_lone_touches()
{
    state.stuck.clear();
    for (std::size_t i = 0; i < lone.size(); ++i) {
        if (lone[i].is_second)
            continue;
        const strand::RiderTouch& point = lone_touches.points[i];
        if (point.force == Vec3{0, 0, 0} && point.first_force == Vec3{0, 0, 0})
            continue; // most of what is near does not push, nor stick
        const std::array<Vec3, 2> tangents = make_tangents(point.normal);
        HeldForce& held = state.held.emplace_back(HeldForce{.key = lone[i].key});
        const auto keep = [&](std::size_t at, const Vec3& force) {
            held.force[at] = dot(point.normal, force);
            held.force[at + 1] = dot(tangents[0], force);
            held.force[at + 2] = dot(tangents[1], force);
        };
        keep(0, point.first_force * (1 - strand::kGamma) + point.force * strand::kGamma);
        keep(3, point.first_force);
        if (point.crept != Vec3{0, 0, 0})
            state.stuck.push_back(
                {lone[i].key, dot(tangents[0], point.crept), dot(tangents[1], point.crept)});
    }
    if (!std::ranges::is_sorted(state.held, {}, &HeldForce::key))
        std::ranges::sort(state.held, {}, &HeldForce::key);
    if (!std::ranges::is_sorted(state.stuck, {}, &StuckPoint::key))
        std::ranges::sort(state.stuck, {}, &StuckPoint::key);
}

} // namespace sinew
