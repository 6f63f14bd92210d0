// Strands that touch nothing but what moves by itself need no rows: each for itself, in the lanes
// of its batch. Which they are, what their touches bring along from the last step and leave behind.

#include "math/functions.h"
#include "world/parts.h"
#include "world/row_geometry.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr double kJolt = 1e-3; // of what gravity does to speed in two steps

/// Meets within the step, faster than rest explains.
bool jolts(const StrandTouch& touch, double h, double gravity)
{
    const double w = dot(touch.normal, touch.slip) - touch.surge;
    return w < 0 && touch.gap + h * w < 0 && -w > kJolt * 2 * gravity * h;
}

/// Where a point of a body's surface goes within h: with the body, and as the surface moves itself.
Vec3 drift_of(const StrandTouch& touch, const BodyState& body, double h)
{
    const Vec3 arm = touch.place - body.x;
    return body.v * h + rotate(exp_quat(body.w * h), arm) - arm + touch.drift * h;
}

Vec3 force_before(const StrandTouch& touch, std::span<const HeldForce> held)
{
    const auto found = std::ranges::lower_bound(held, touch.key, {}, &HeldForce::key);
    if (found == held.end() || found->key != touch.key)
        return {0, 0, 0};
    const std::array<Vec3, 2> tangents = make_tangents(touch.normal);
    return touch.normal * found->force[0] + tangents[0] * found->force[1] +
           tangents[1] * found->force[2];
}

} // namespace

/// Keeps those in `touches` that need rows: of trees that are held, meet bodies that they push, or
/// bounce. The others are in `lone`.
void World::Parts::split_touches(std::vector<StrandTouch>& touches, double h)
{
    const double gravity = length(rigid.pile().gravity);
    std::vector<char> in_rows = taken_strands;
    for (const StrandTouch& touch : touches)
        if (rigid.pile().bodies[touch.body].is_free() ||
            !strands.can_touch_alone(scene, touch.tree) ||
            (touch.bounce > 0 && jolts(touch, h, gravity)))
            in_rows[touch.tree] = 1;
    const auto is_in_rows = [&](const StrandTouch& touch) { return in_rows[touch.tree] != 0; };
    lone.clear();
    std::ranges::remove_copy_if(touches, std::back_inserter(lone), is_in_rows);
    std::erase_if(touches, std::not_fn(is_in_rows));
    set_lone_touches(h, gravity);
}

void World::Parts::set_lone_touches(double h, double gravity)
{
    StrandModel::Touches& to = lone_touches;
    to.points.clear();
    to.first.assign(lone.empty() ? 0 : strands.tree_count() + 1, 0);
    to.is_jolted.assign(strands.tree_count(), 0);
    for (const StrandTouch& touch : lone) {
        const BodyState& body = pile.bodies[touch.body];
        to.points.push_back({static_cast<int>(touch.segment), touch.part, touch.site,
                             rotate(exp_quat(body.w * h), touch.normal), drift_of(touch, body, h),
                             touch.gap, touch.friction, force_before(touch, state.held)});
        ++to.first[touch.tree + 1];
        if (jolts(touch, h, gravity))
            to.is_jolted[touch.tree] = 1;
    }
    for (std::size_t i = 1; i < to.first.size(); ++i)
        to.first[i] += to.first[i - 1];
}

/// What they push with, as rows remember theirs.
void World::Parts::keep_lone_touches()
{
    for (std::size_t i = 0; i < lone.size(); ++i) {
        const Vec3& force = lone_touches.points[i].force;
        const std::array<Vec3, 2> tangents = make_tangents(lone[i].normal);
        HeldForce& held = state.held.emplace_back(HeldForce{.key = lone[i].key});
        held.force = {dot(lone[i].normal, force), dot(tangents[0], force), dot(tangents[1], force)};
    }
    if (!lone.empty())
        std::ranges::sort(state.held, {}, &HeldForce::key);
}

} // namespace sinew
