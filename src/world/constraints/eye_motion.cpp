// Ropes that run through eyes and round wheels, after a step.
//
//   in:  where a step has left the ends of the spans that run through eyes
//   out: where the eyes are on their rods, what pushed them; nodes that passed an eye, or that a
//        wheel carries, where the rope has them
//
// A node that passes an eye turns with the rope.

#include "islands/rows/row_geometry.h"
#include "math/functions.h"
#include "world/parts.h"

#include <algorithm>

namespace sinew {

namespace {

void set_node(std::span<double> numbers, std::size_t node, const Vec3& value)
{
    for (int axis = 0; axis < 3; ++axis)
        numbers[4 * node + std::size_t(axis)] = value[axis];
}

} // namespace

/// Where the eyes are on their rods now, what they were pushed with, which nodes have passed.
void World::Parts::finish_eyes()
{
    for (RodLinkState& link : state.constraints.links)
        link.has_eye_load = false;
    for (EyeSpan& eyes : rods.eyes) {
        const std::vector<SiteMotion> motion = locate_eyes(eyes, state.time);
        EyeLegs legs = measure_legs(eyes.path, motion);
        for (std::size_t i = 0; i < eyes.path.passes.size(); ++i)
            add_eye_load(eyes, i, motion, legs);
        if (eyes.path.drums[0] || eyes.path.drums[1]) {
            wind_drums(legs, eyes);
            set_marks(motion, eyes.path);
            legs = measure_legs(eyes.path, motion);
        }
        const double total = legs.total(), spans = rods.model->plan(eyes.rod).spans;
        for (std::size_t i = 0; i < eyes.path.passes.size(); ++i) {
            const std::uint32_t owner = eyes.path.passes[i].owner;
            RodLinkState& link = state.constraints.links[owner];
            if (scene.rod_constraints[owner].kind == RodConstraintKind::winch)
                continue;
            const double middle = legs.arrival(i) + 0.5 * legs.arc[i];
            link.u = std::clamp(eyes.spans_at(total > 0 ? middle / total : 0.5) / spans, 0.0, 1.0);
            if (!link.is_wheel)
                continue;
            link.reach = total > 0 ? 0.5 * legs.arc[i] / total * eyes.path.length /
                                         (eyes.span_length * spans)
                                   : 0;
            link.wrap = legs.angle[i];
        }
        pass_nodes(eyes, motion, legs);
    }
}

/// What drums have wound up, or paid out, is less of the path, or more, as stretched as that is.
void World::Parts::wind_drums(const EyeLegs& legs, EyeSpan& eyes)
{
    const rod::Plan& plan = rods.model->plan(eyes.rod);
    EyePath& path = eyes.path;
    const double h = state.time - path.begin, fed = (path.feed[0] + path.feed[1]) * h;
    const double strain = max((legs.total() - path.length - fed) / path.length, 0.0);
    for (std::size_t k = 0; k < 2; ++k) {
        if (!path.drums[k])
            continue;
        const std::uint32_t owner = (k == 0 ? path.passes.front() : path.passes.back()).owner;
        const double around = legs.size[k == 0 ? 0 : legs.count - 1];
        double wound = (around - path.feed[k] * h) / (1 + strain);
        if (scene.rod_constraints[owner].torque) // it turns until the rope has its tension
            wound = path.length -
                    (legs.total() - around) / (1 + rods.links[owner].pull / plan.stiffness[0]);
        RodLinkState& link = state.constraints.links[owner];
        const double most = 1 - 1.0 / plan.spans; // one span stays outside
        const double change = wound / plan.length;
        const double u = k == 0 ? std::clamp(link.u + change, 0.0, most)
                                : std::clamp(link.u - change, 1 - most, 1.0);
        wound = (k == 0 ? u - link.u : link.u - u) * plan.length;
        link.u = u;
        path.length -= wound;
        path.before += k == 0 ? wound : 0;
        path.feed[k] = 0; // it is part of the length now
    }
}

/// What each leg of a path pulls with: the row of the path gives their mean, what slides at each
/// eye shares its force between the legs before and behind it.                         [eq. 11]
std::vector<double> World::Parts::leg_tensions(const EyeSpan& eyes) const
{
    const std::vector<EyePass>& passes = eyes.path.passes;
    const auto force_of = [&](AttachmentKey key) {
        const HeldForce* held = find_force(state.held, key);
        return held ? held->force[0] : 0;
    };
    std::vector<double> tension(passes.size() + 1, force_of(AttachmentKey(eyes.path.key)));
    for (std::size_t i = 0; i < passes.size(); ++i) {
        double along = 0;
        for (const EyeKeyPart part : {friction_part, viscous_part, feed_part})
            along += force_of({KeySource::rod_constraint, kRodKeys * passes[i].owner + part});
        for (std::size_t leg = 0; leg < tension.size(); ++leg)
            tension[leg] += leg <= i ? -0.5 * along : 0.5 * along;
    }
    return tension;
}

void World::Parts::add_eye_load(const EyeSpan& eyes, std::size_t i,
                                std::span<const SiteMotion> motion, const EyeLegs& legs)
{
    const EyePass& pass = eyes.path.passes[i];
    const std::vector<double> tension = leg_tensions(eyes);
    const Vec3 arriving = -legs.unit[i] * tension[i], leaving = legs.unit[i + 1] * tension[i + 1];
    RodLinkState& link = state.constraints.links[pass.owner];
    link.has_eye_load = true;
    link.eye_place = apply_to_point(motion[2 + i].pose, pass.point);
    link.eye_force = arriving + leaving;
    link.eye_torque = cross(legs.arrive[i] - link.eye_place, arriving) +
                      cross(legs.leave[i] - link.eye_place, leaving);
}

/// A node that has passed its eye lies behind it on the path, and moves along that; nodes between
/// the ends of a path are where wheels have carried them.
void World::Parts::pass_nodes(const EyeSpan& eyes, std::span<const SiteMotion> motion,
                              const EyeLegs& legs)
{
    const BlockShape& shape = rods.model->blocks()[eyes.rod];
    const std::span x = std::span(state.models[kRods].x).subspan(shape.x_first, shape.x_count);
    const std::span v = std::span(state.models[kRods].v).subspan(shape.v_first, shape.v_count);
    const EyePath& path = eyes.path;
    const double total = legs.total();
    const auto speed_of = [&](std::size_t eye) {
        return rate_of(motion[2 + eye], path.passes[eye].point);
    };
    for (std::size_t k = 0; k < 2; ++k) {
        const std::size_t own = k == 0 ? 0 : legs.count - 1, node = eyes.span + k * eyes.count;
        if (path.drums[k] || !(legs.size[own] < 0))
            continue;
        const PathPlace at = place_on(path, legs, k == 0 ? 0 : total);
        const Vec3 speed = speed_of(k == 0 ? 0 : legs.count - 2);
        set_node(x, node, at.point);
        // On a leg that has only begun, going aside would turn it at once.
        set_node(v, node, speed + at.tangent * dot(legs.unit[own], node_of(v, node) - speed));
    }
    carry_nodes(eyes, motion, legs);
}

/// How fast the rope runs past an eye at a share of its path [m/s].                  [eq. 14]
double World::Parts::speed_past(const EyeSpan& eyes, std::span<const SiteMotion> motion,
                                const EyeLegs& legs, std::size_t own, double share)
{
    const std::vector<EyePass>& passes = eyes.path.passes;
    const auto velocity_of = [&](std::size_t stop) { // the first node, eyes, the last node
        return stop == 0              ? motion[0].twist.linear
               : stop > passes.size() ? motion[1].twist.linear
                                      : rate_of(motion[1 + stop], passes[stop - 1].point);
    };
    double before = 0, behind = 0;
    for (std::size_t i = 0; i < legs.count; ++i)
        (i <= own ? before : behind) += dot(legs.unit[i], velocity_of(i + 1) - velocity_of(i));
    return share * behind - (1 - share) * before;
}

/// Nodes between the ends of a path are where it has them. On a wheel they keep their velocity
/// along it; at an eye, where it may turn by any angle, they have that of the rope.
void World::Parts::carry_nodes(const EyeSpan& eyes, std::span<const SiteMotion> motion,
                               const EyeLegs& legs)
{
    const BlockShape& shape = rods.model->blocks()[eyes.rod];
    const std::span x = std::span(state.models[kRods].x).subspan(shape.x_first, shape.x_count);
    const std::span v = std::span(state.models[kRods].v).subspan(shape.v_first, shape.v_count);
    const EyePath& path = eyes.path;
    const bool has_drum = path.drums[0] || path.drums[1];
    for (std::size_t node = eyes.span; node <= eyes.span + eyes.count; ++node) {
        const double share = eyes.share_of(std::uint32_t(node));
        const bool is_end = node == eyes.span || node == eyes.span + eyes.count;
        const bool is_stored = (share < 0 && path.drums[0]) || (share > 1 && path.drums[1]) ||
                               (node == eyes.span && path.drums[0]) ||
                               (node == eyes.span + eyes.count && path.drums[1]);
        if (is_end && !is_stored)
            continue;
        const PathPlace at = place_on(path, legs, share * legs.total());
        const Vec3 speed = rate_of(motion[2 + at.eye], path.passes[at.eye].point);
        set_node(x, node, at.point);
        if (is_stored) {
            set_node(v, node,
                     velocity_at(motion[2 + at.eye].twist,
                                 at.point - motion[2 + at.eye].pose.translation));
            continue;
        }
        const bool is_hole = at.is_free && path.passes[at.eye].radius == 0 && !has_drum;
        const double along = is_hole ? speed_past(eyes, motion, legs, at.eye, share)
                                     : dot(at.tangent, node_of(v, node) - speed);
        set_node(v, node, speed + at.tangent * along);
    }
}

} // namespace sinew
