// Ropes that run through eyes: which do, what their rows are in a step, where they are after it.
//
//   in:  rods as chains, keyholes and pearls with the place on their rod
//   out: rows of the spans that run through eyes; places on the rods, nodes that have passed an eye
//
// A span that runs through eyes is straight legs from its one node to the eyes and on to the other.
// It has one tension, which friction changes at each eye [notes: rods, eqs 10 to 12]. Nothing holds
// the rope at its nodes: a node that passes an eye turns with the rope.

#include "math/functions.h"
#include "scene/objects/bodies.h"
#include "scene/objects/rods.h"
#include "world/parts.h"
#include "world/rows/row_geometry.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr double kLimp = 0.5;  // spans by bending length: above, a spline cannot follow the corner
constexpr double kNear = 0.02; // of a span: a leg below it keeps its direction in a step

constexpr std::size_t kMostPearls =
    1; // free bodies on one rope: passes do not always converge for more

enum KeyPart : std::uint64_t { tension_part, friction_part, viscous_part, feed_part };

/// What can be an eye: whatever needs the rope's tangent, or comes to it later, cannot.
bool may_be_eye(const RodConstraint& c)
{
    return is_sliding(c) && !c.is_oriented && c.release.active.is_constant() &&
           c.release.active.number > 0.5;
}

Vec3 node_of(std::span<const double> numbers, std::size_t node)
{
    return {numbers[4 * node], numbers[4 * node + 1], numbers[4 * node + 2]};
}

void set_node(std::span<double> numbers, std::size_t node, const Vec3& value)
{
    for (int axis = 0; axis < 3; ++axis)
        numbers[4 * node + std::size_t(axis)] = value[axis];
}

/// The velocity of a node that has turned with the rope from one direction to another.
Vec3 turned(const Vec3& v, const Vec3& from, const Vec3& to)
{
    const double along = dot(v, from);
    const Vec3 aside = v - from * along;
    return to * along + (aside - to * dot(to, aside));
}

/// Difference of tensions by their mean that friction holds: e^(μδ) is their quotient.
double grip_of(double friction, const Vec3& before, const Vec3& after)
{
    const double angle = atan2(length(cross(before, after)), dot(before, after));
    const double ratio = exp(friction * angle);
    return 2 * (ratio - 1) / (ratio + 1);
}

} // namespace

/// The weight that a rod may have to carry, and the forces on it at the start [N].
double World::Parts::expected_tension(std::size_t rod, std::span<const Affine> objects) const
{
    const BodyMap map = make_body_map(scene);
    const Settings& s = scene.settings;
    std::vector<double> values;
    std::vector<PlacedObject> placed;
    const Posture now = posture(state.time, values, placed);
    const auto number = [&](Value value) { return value_at(scene, value, now, objects); };
    const double gravity =
        length(Vec3{number(s.gravity_x), number(s.gravity_y), number(s.gravity_z)});
    double mass = mass_of_rod(scene.rods[rod], sample_rod(scene, scene.rods[rod], 1).length);
    double force = 0;
    const auto is_of_rod = [&](ObjectId object) {
        if (!object.is_valid())
            return false;
        const auto site = find_rod_site(scene, object);
        return object == scene.rods[rod].object ||
               (site && scene.rod_sites[site->first].rod == rod);
    };
    for (const RodConstraint& c : scene.rod_constraints)
        for (const ObjectId end : {c.a, c.b})
            if (end.is_valid() && (is_of_rod(c.a) || is_of_rod(c.b)) && map.is_in_moved(end))
                if (const auto body = rigid.find_body(map.around[end.index]))
                    mass += pile().bodies[*body].mass;
    for (const Mass& rider : scene.masses)
        mass += is_of_rod(rider.object) ? rider.mass : 0;
    for (const Force& pull : scene.forces)
        if (is_of_rod(pull.object))
            force += length(Vec3{number(pull.x), number(pull.y), number(pull.z)});
    return mass * gravity + force;
}

/// True for a rod that slides through something and is too limp for its spans to follow the corner
/// there: it is a chain, and what it slides through are eyes.
bool World::Parts::runs_through_eyes(std::size_t rod, std::span<const Affine> objects) const
{
    const BodyMap map = make_body_map(scene);
    std::size_t eyes = 0, pearls = 0;
    for (const RodConstraint& c : scene.rod_constraints) {
        if (!is_sliding(c) || c.a != scene.rods[rod].object)
            continue;
        if (!may_be_eye(c))
            return false;
        ++eyes;
        pearls += c.b.is_valid() && map.is_in_moved(c.b) ? 1 : 0;
    }
    if (eyes == 0 || eyes > EyeLegs::kMost || pearls > kMostPearls)
        return false;
    const Rod& given = scene.rods[rod];
    const double span = sample_rod(scene, given, 1).length / given.spans;
    constexpr double kPi = 3.14159265358979323846;
    const double bending =
        given.young * kPi / 4 * given.radius * given.radius * given.radius * given.radius;
    return span * span * expected_tension(rod, objects) > kLimp * kLimp * bending;
}

// ---------------------------------------------------------------- a step

/// The spans of rods that run through eyes, each with its eyes in the order along it.
void World::Parts::find_eye_spans()
{
    std::vector<EyeSpan>& spans = rods.eyes;
    spans.clear();
    for (std::uint32_t i = 0; i < rods.links.size(); ++i) {
        const RodLink& link = rods.links[i];
        if (!link.is_eye || !link.is_threaded)
            continue;
        const std::uint32_t rod = link.a.site.block.index;
        const rod::Plan& plan = rods.model->plan(rod);
        const double place = state.constraints.links[i].u * plan.spans;
        const auto span = std::uint32_t(std::clamp(place, 0.0, plan.spans - 1.0));
        auto found = std::ranges::find_if(
            spans, [&](const EyeSpan& known) { return known.rod == rod && known.span == span; });
        if (found == spans.end()) {
            found = spans.insert(found, EyeSpan{.rod = rod, .span = span});
            found->path.length = plan.length / plan.spans;
            found->path.key = AttachmentKey{KeySource::rod_constraint, kRodKeys * i}.bits();
        }
        std::vector<EyePass>& passes = found->path.passes;
        const auto after = std::ranges::find_if(passes, [&](const EyePass& other) {
            return state.constraints.links[other.owner].u > state.constraints.links[i].u;
        });
        const bool is_ground = link.b.site.block == kGround;
        passes.insert(after, {.site = link.b.site,
                              .point = is_ground ? link.ground.about : link.b.in_site.translation,
                              .ground = link.ground,
                              .owner = i});
    }
}

/// Where the ends and the eyes of a span are at a time.
std::vector<SiteMotion> World::Parts::locate_eyes(const EyeSpan& eyes, double time) const
{
    const BlockShape& shape = rods.model->blocks()[eyes.rod];
    const ModelState& now = state.models[kRods];
    std::vector<SiteMotion> motion(2);
    for (std::size_t k = 0; k < 2; ++k) {
        motion[k].pose.translation =
            node_of(std::span(now.x).subspan(shape.x_first, shape.x_count), eyes.span + k);
        motion[k].twist.linear =
            node_of(std::span(now.v).subspan(shape.v_first, shape.v_count), eyes.span + k);
    }
    for (const EyePass& pass : eyes.path.passes)
        motion.push_back(pass.site.block == kGround ? pass.ground.motion_at(time)
                                                    : locate_site(pass.site));
    return motion;
}

namespace {

/// Velocity of an eye.
Vec3 rate_of(const SiteMotion& motion, const Vec3& point)
{
    return velocity_at(motion.twist, apply_to_point(motion.pose, point) - motion.pose.translation);
}

} // namespace

/// What the rope runs to behind the first or the last node of a span: the next eye or node; none at
/// the end of the rope.
std::optional<Vec3> World::Parts::find_beyond(const EyeSpan& eyes, std::size_t end) const
{
    const std::uint32_t last = rods.model->plan(eyes.rod).spans - 1;
    if (end == 0 ? eyes.span == 0 : eyes.span == last)
        return std::nullopt;
    const std::uint32_t span = end == 0 ? eyes.span - 1 : eyes.span + 1;
    const auto found = std::ranges::find_if(rods.eyes, [&](const EyeSpan& other) {
        return other.rod == eyes.rod && other.span == span;
    });
    if (found != rods.eyes.end()) {
        const EyePass& pass = end == 0 ? found->path.passes.back() : found->path.passes.front();
        return apply_to_point((pass.site.block == kGround ? pass.ground.motion_at(state.time)
                                                          : locate_site(pass.site))
                                  .pose,
                              pass.point);
    }
    const BlockShape& shape = rods.model->blocks()[eyes.rod];
    return node_of(std::span(state.models[kRods].x).subspan(shape.x_first, shape.x_count),
                   end == 0 ? span : span + 1);
}

/// Legs whose node passes its eye in this step, or is near it, have the direction to the node
/// behind that: their own would turn with the least motion aside.
void World::Parts::freeze_legs(double h, std::span<const SiteMotion> motion, EyeSpan& eyes) const
{
    EyePath& path = eyes.path;
    path.frozen = {};
    const EyeLegs legs = measure_legs(path, motion);
    for (std::size_t k = 0; k < 2; ++k) {
        const std::size_t leg = k == 0 ? 0 : legs.count - 1, eye = k == 0 ? 0 : legs.count - 2;
        const Vec3 away = k == 0 ? -legs.unit[leg] : legs.unit[leg];
        const double rate =
            dot(away, motion[k].twist.linear - rate_of(motion[2 + eye], path.passes[eye].point));
        const double r = legs.size[leg];
        if (r > kNear * path.length && r + 2 * h * rate > 0)
            continue;
        path.frozen[k] = legs.unit[leg];
        const Vec3 place = apply_to_point(motion[2 + eye].pose, path.passes[eye].point);
        const std::optional<Vec3> next = find_beyond(eyes, k);
        if (const Vec3 ahead = next.value_or(place) - place; length(ahead) > 0)
            path.frozen[k] = normalised(k == 0 ? -ahead : ahead);
    }
}

void World::Parts::add_eye_rows(double from, double until, std::vector<Attachment>& attachments)
{
    find_eye_spans();
    for (rod::Loads& loads : rods.input.loads) {
        loads.idle.clear();
        loads.legs.clear();
    }
    for (EyeSpan& eyes : rods.eyes) {
        const rod::Plan& plan = rods.model->plan(eyes.rod);
        const std::vector<SiteMotion> motion = locate_eyes(eyes, from);
        freeze_legs(until - from, motion, eyes);
        const EyeLegs legs = measure_legs(eyes.path, motion);
        for (std::size_t i = 0; i < eyes.path.passes.size(); ++i) {
            EyePass& pass = eyes.path.passes[i];
            pass.grip =
                grip_of(scene.rod_constraints[pass.owner].friction, legs.unit[i], legs.unit[i + 1]);
        }
        rod::Loads& loads = rods.input.loads[eyes.rod];
        loads.idle.resize(plan.spans, 0);
        loads.idle[eyes.span] = 1;
        const HeldForce* held = find_force(state.held, AttachmentKey(eyes.path.key));
        for (std::size_t k = 0; held && k < 2; ++k)
            if (const std::size_t leg = k == 0 ? 0 : legs.count - 1; !eyes.path.frozen[k])
                loads.legs.push_back({.node = eyes.span + k,
                                      .unit = legs.unit[leg],
                                      .stiffness = max(held->force[0], 0.0) / legs.size[leg]});
        add_rows_of(eyes, attachments);
    }
}

void World::Parts::add_rows_of(const EyeSpan& eyes, std::vector<Attachment>& attachments) const
{
    const rod::Plan& plan = rods.model->plan(eyes.rod);
    const auto add = [&](Attachment::Kind kind, std::uint32_t pass, KeyPart part) -> Attachment& {
        Attachment& made = attachments.emplace_back();
        made.kind = kind;
        made.path = &eyes.path;
        made.pass = pass;
        made.key = AttachmentKey{KeySource::rod_constraint,
                                 kRodKeys * eyes.path.passes[pass].owner + part};
        made.a = {.block = {kRods, eyes.rod}, .u = double(eyes.span) / plan.spans};
        made.b = {.block = {kRods, eyes.rod}, .u = double(eyes.span + 1) / plan.spans};
        return made;
    };
    Attachment& tension = add(Attachment::Kind::eye, 0, tension_part);
    tension.key = AttachmentKey(eyes.path.key);
    tension.stiffness = plan.stiffness[0] / eyes.path.length;
    tension.damping = plan.damping[0] * tension.stiffness;
    for (std::uint32_t i = 0; i < eyes.path.passes.size(); ++i) {
        const RodLink& link = rods.links[eyes.path.passes[i].owner];
        const RodConstraint& c = scene.rod_constraints[eyes.path.passes[i].owner];
        if (c.slide)
            add(Attachment::Kind::eye_feed, i, feed_part).speed = -link.feed;
        if (!c.slide && c.friction > 0)
            add(Attachment::Kind::eye_rub, i, friction_part);
        if (!c.slide && c.viscous > 0)
            add(Attachment::Kind::eye_rub, i, viscous_part).damping = c.viscous;
    }
}

// ---------------------------------------------------------------- after a step

/// Where the eyes are on their rods now, what they were pushed with, which nodes have passed.
void World::Parts::finish_eyes()
{
    for (RodLinkState& link : state.constraints.links)
        link.has_eye_load = false;
    for (EyeSpan& eyes : rods.eyes) {
        const std::vector<SiteMotion> motion = locate_eyes(eyes, state.time);
        const EyeLegs legs = measure_legs(eyes.path, motion);
        const double total = legs.total(), spans = rods.model->plan(eyes.rod).spans;
        for (std::size_t i = 0; i < eyes.path.passes.size(); ++i) {
            const double share = total > 0 ? legs.until(i + 1) / total : 0.5;
            double& u = state.constraints.links[eyes.path.passes[i].owner].u;
            u = std::clamp((eyes.span + share) / spans, 0.0, 1.0);
            add_eye_load(eyes, i, motion, legs);
        }
        pass_nodes(eyes, motion, legs);
    }
}

void World::Parts::add_eye_load(const EyeSpan& eyes, std::size_t i,
                                std::span<const SiteMotion> motion, const EyeLegs& legs)
{
    const EyePass& pass = eyes.path.passes[i];
    const auto force_of = [&](std::uint64_t bits) {
        const HeldForce* held = find_force(state.held, AttachmentKey(bits));
        return held ? held->force[0] : 0;
    };
    const auto part = [&](KeyPart number) {
        return AttachmentKey{KeySource::rod_constraint, kRodKeys * pass.owner + number}.bits();
    };
    const Vec3 &before = legs.unit[i], &behind = legs.unit[i + 1];
    const double along =
        force_of(part(friction_part)) + force_of(part(viscous_part)) + force_of(part(feed_part));
    RodLinkState& link = state.constraints.links[pass.owner];
    link.has_eye_load = true;
    link.eye_place = apply_to_point(motion[2 + i].pose, pass.point);
    link.eye_force =
        (behind - before) * force_of(eyes.path.key) + (before + behind) * (0.5 * along);
}

/// A node that has passed its eye lies on the other leg, and moves along it.
void World::Parts::pass_nodes(const EyeSpan& eyes, std::span<const SiteMotion> motion,
                              const EyeLegs& legs)
{
    const BlockShape& shape = rods.model->blocks()[eyes.rod];
    const std::span x = std::span(state.models[kRods].x).subspan(shape.x_first, shape.x_count);
    const std::span v = std::span(state.models[kRods].v).subspan(shape.v_first, shape.v_count);
    for (std::size_t k = 0; k < 2; ++k) {
        const std::size_t own = k == 0 ? 0 : legs.count - 1, other = k == 0 ? 1 : legs.count - 2,
                          eye = k == 0 ? 0 : legs.count - 2, node = eyes.span + k;
        const double beyond = -legs.size[own];
        if (!(beyond > 0))
            continue;
        const EyePass& pass = eyes.path.passes[eye];
        const Vec3 place = apply_to_point(motion[2 + eye].pose, pass.point),
                   speed = rate_of(motion[2 + eye], pass.point);
        set_node(x, node, place + legs.unit[other] * (k == 0 ? beyond : -beyond));
        set_node(v, node,
                 speed + turned(node_of(v, node) - speed, legs.unit[own], legs.unit[other]));
    }
}

} // namespace sinew
