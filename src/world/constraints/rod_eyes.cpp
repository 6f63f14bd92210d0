// Ropes that run through eyes and round wheels: which do, what their rows are in a step.
//
//   in:  rods as chains, keyholes, pearls and wheels with the place on their rod
//   out: rows of the spans that run through them
//
// Spans that run through eyes are straight legs from one node to the eyes and on to another, and
// arcs on wheels. They have one tension, which friction changes at each eye [notes: rods, eqs 10 to
// 14]. Nothing holds the rope at its nodes: those that are on a wheel are carried by it.

#include "islands/rows/row_geometry.h"
#include "math/functions.h"
#include "scene/objects/bodies.h"
#include "scene/objects/rods.h"
#include "scene/validate/problems.h"
#include "world/parts.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr double kLimp = 0.5; // spans by bending length: above, a spline cannot follow the corner
constexpr double kWheelMargin = 0.1; // of a span: nodes nearer to a pulley go with it
constexpr double kEyeMargin = 0.25;  // the same of an eye
constexpr double kAhead = 2;         // steps: so are those that come there so soon
constexpr std::size_t kSpansOfPearl =
    4;                         // fewer, of several: passes converge slowly where they crowd
constexpr double kApart = 3;   // spans between holes: no nodes go with two of them
constexpr double kNear = 0.02; // of a span: a leg below it keeps its direction in a step

/// What can be an eye: whatever needs the rope's tangent, or comes to it later, cannot.
bool may_be_eye(const RodConstraint& c)
{
    return is_sliding(c) && !c.is_oriented && c.release.active.is_constant() &&
           c.release.active.number > 0.5;
}

/// True if a rod runs only through holes that stand still, and so far apart, in space and along the
/// rod, that each has spans of its own: there may be any number of them.
bool stand_apart(const Scene& scene, ObjectId rod, double span, double span_count)
{
    std::vector<std::pair<double, Vec3>> holes;
    for (const RodConstraint& c : scene.rod_constraints) {
        if (!is_sliding(c) || c.a != rod)
            continue;
        if (c.kind != RodConstraintKind::keyhole || c.b.is_valid() || !c.path.is_valid() ||
            scene.paths[c.path.index].frame.index != 0)
            return false;
        const Value* at = &scene.values[scene.paths[c.path.index].points.first];
        if (!std::all_of(at, at + 3, [](const Value& value) { return value.is_constant(); }))
            return false;
        holes.push_back({c.from, {at[0].number, at[1].number, at[2].number}});
    }
    std::ranges::stable_sort(holes, {}, &std::pair<double, Vec3>::first);
    for (std::size_t i = 1; i < holes.size(); ++i)
        if (length(holes[i].second - holes[i - 1].second) < kApart * span ||
            (holes[i].first - holes[i - 1].first) * span_count < kApart)
            return false;
    return true;
}

/// Difference of tensions by their mean that friction holds: e^(μδ) is their quotient.
double grip_of(double friction, double angle)
{
    const double ratio = exp(friction * abs(angle));
    return ratio < 1e12 ? 2 * (ratio - 1) / (ratio + 1) : 2;
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
    std::size_t eyes = 0, pearls = 0, wheels = 0;
    for (const RodConstraint& c : scene.rod_constraints) {
        if (!is_sliding(c) || c.a != scene.rods[rod].object)
            continue;
        if (!may_be_eye(c))
            return false;
        ++eyes;
        wheels += is_wheel(c) ? 1 : 0;
        pearls += c.b.is_valid() && map.is_in_moved(c.b) ? 1 : 0;
    }
    if (wheels > 0)
        return eyes <= EyeLegs::kMost;
    const Rod& given = scene.rods[rod];
    const double span = sample_rod(scene, given, 1).length / given.spans;
    if (eyes == 0 ||
        (eyes > EyeLegs::kMost && !stand_apart(scene, given.object, span, given.spans)))
        return false;
    const bool is_crowded = kSpansOfPearl * (pearls - 1) > given.spans;
    if (pearls > 1 && (is_crowded || scene.settings.rods.iterations == 1))
        return false;
    const double bending = stiffness_of(given)[1];
    return span * span * expected_tension(rod, objects) > kLimp * kLimp * bending;
}

/// Lays a rod that runs round wheels along these. Says what cannot be.
Problems World::Parts::reeve_rod(std::size_t number, std::span<const Affine> objects,
                                 rod::Drawing& drawing)
{
    const Rod& rod = scene.rods[number];
    rods.drawn_lengths.push_back(drawing.drawn_length);
    std::vector<ReevedWheel> wheels;
    std::vector<std::size_t> owners;
    std::vector<double> values;
    std::vector<PlacedObject> placed;
    const Posture now = posture(state.time, values, placed);
    const std::vector<Affine> places(objects.begin(), objects.end());
    for (std::size_t i = 0; i < scene.rod_constraints.size(); ++i) {
        const RodConstraint& c = scene.rod_constraints[i];
        if (!is_wheel(c) || c.a != rod.object)
            continue;
        const Vec3 centre =
            c.b.is_valid() ? objects[c.b.index].origin
                           : RodInstant{scene, now, places}.point(scene.paths[c.path.index], 0);
        const Affine& frame = objects[c.frame.is_valid() ? c.frame.index : 0];
        wheels.push_back({.wheel = {centre, normalised(along_axes(frame, c.direction)), c.radius},
                          .is_drum = c.kind == RodConstraintKind::winch,
                          .is_last = c.is_last,
                          .from = c.from,
                          .stored = c.stored,
                          .turns = double(c.turns)});
        owners.push_back(i);
    }
    if (wheels.empty())
        return {};
    const auto refuse = [&](std::size_t wheel, std::string what, std::string hint) {
        return Problems{make_problem(scene, Severity::error, "rope-on-wheel",
                                     scene.rod_constraints[owners[wheel]].origin, "rod_constraints",
                                     std::move(what), std::move(hint))};
    };
    if (!rods.is_running[number])
        return refuse(0,
                      "this rope runs round a wheel, and through something that turns it, is not "
                      "there all the time, or is one of more than " +
                          std::to_string(EyeLegs::kMost),
                      "use keyholes and pearls without a direction and without `active`");
    if (rod.whole.is_valid())
        return refuse(0, "a rope that runs round a wheel cannot be cut", "leave `cut` out");
    const Path& path = scene.paths[rod.path.index];
    std::vector<Vec3> vertices = drawing.samples;
    if (path.kind == PathKind::line || path.kind == PathKind::polyline) {
        vertices.clear();
        for (std::uint32_t k = 0; k + 2 < path.points.count; k += 3) {
            const Value* at = &scene.values[path.points.first + k];
            vertices.push_back(
                apply(objects[rod.object.index], Vec3{at[0].number, at[1].number, at[2].number}));
        }
    }
    Reeving reeving = reeve(vertices, drawing.samples.size() - 1, wheels);
    if (!reeving.fault.empty())
        return refuse(reeving.faulty, reeving.fault, reeving.hint);
    for (std::size_t k = 0; k < owners.size(); ++k)
        rods.reeved[owners[k]] = wheels[k];
    drawing.samples = std::move(reeving.samples);
    drawing.rest_samples.clear();
    rods.drawn_lengths.back() = drawing.drawn_length = reeving.length;
    drawing.rest_length = rod.rest_length.value_or(reeving.length);
    return {};
}

// ---------------------------------------------------------------- a step

namespace {

/// What of a rod an eye has: spans from `first` to `last`, their middle.
struct EyeReach {
    std::uint32_t rod = 0, first = 0, last = 0, owner = 0;
    double middle = 0;
};

/// Between half a span and one and a half lie free behind a drum: less would be too stiff. Nodes
/// near an eye or a pulley go with it: a short leg would turn, and swing, with the least motion
/// aside. `margin`: in spans.
EyeReach reach_of(const RodConstraint& c, const RodLinkState& now, std::uint32_t spans,
                  double margin)
{
    const bool is_winch = c.kind == RodConstraintKind::winch;
    // A rope that has come off its wheel has an arc below zero: it reaches over nothing.
    const double most = spans - 1.0, u = now.u * spans,
                 half = is_winch ? 0.5 : max(now.reach, 0.0) * spans + margin;
    const double from = is_winch && !c.is_last ? 0 : u - half,
                 to = is_winch && c.is_last ? spans : u + half;
    return {.first = std::uint32_t(std::clamp(from, 0.0, most)),
            .last = std::uint32_t(std::clamp(to, 0.0, most)) + 1,
            .middle = is_winch ? (c.is_last ? spans : 0) : u};
}

} // namespace

EyePass World::Parts::make_pass(std::uint32_t owner) const
{
    const RodLink& link = rods.links[owner];
    const RodConstraint& c = scene.rod_constraints[owner];
    const bool is_ground = link.b.site.block == kGround;
    return {.site = link.b.site,
            .point = is_ground ? link.ground.about : link.b.in_site.translation,
            .ground = link.ground,
            .owner = owner,
            .radius = c.radius,
            .axis = link.axis,
            .sense = link.sense,
            .wrap = state.constraints.links[owner].wrap};
}

/// How near to an eye nodes go with it, in spans: those that would come to it soon do, too.
double World::Parts::margin_of(std::uint32_t owner, double from, double until) const
{
    constexpr double kMost = 0.45;
    const RodLink& link = rods.links[owner];
    const std::uint32_t rod = link.a.site.block.index;
    const BlockShape& shape = rods.model->blocks()[rod];
    const rod::Plan& plan = rods.model->plan(rod);
    const ModelState& now = state.models[kRods];
    const EyePass pass = make_pass(owner);
    const SiteMotion eye =
        link.b.site.block == kGround ? pass.ground.motion_at(from) : locate_site(pass.site);
    const Vec3 centre = apply_to_point(eye.pose, pass.point), speed = rate_of(eye, pass.point);
    const double u = state.constraints.links[owner].u * plan.spans;
    const auto first = std::size_t(std::clamp(u, 0.0, plan.spans - 1.0));
    double rate = 0;
    for (std::size_t node = first; node <= first + 1; ++node) {
        const Vec3 leg =
            node_of(std::span(now.x).subspan(shape.x_first, shape.x_count), node) - centre;
        const Vec3 v = node_of(std::span(now.v).subspan(shape.v_first, shape.v_count), node);
        const double size = length(leg);
        rate = max(rate, size > 0 ? abs(dot(leg, v - speed)) / size : 0);
    }
    return std::clamp(kAhead * (until - from) * rate * plan.spans / plan.length,
                      is_wheel(scene.rod_constraints[owner]) ? kWheelMargin : kEyeMargin, kMost);
}

/// The spans of rods that run through eyes, each with its eyes in the order along it.
void World::Parts::find_eye_spans(double from, double until)
{
    std::vector<EyeReach> reaches;
    for (std::uint32_t i = 0; i < rods.links.size(); ++i) {
        const RodLink& link = rods.links[i];
        if (!link.is_eye || !link.is_threaded)
            continue;
        const std::uint32_t rod = link.a.site.block.index;
        reaches.push_back(reach_of(scene.rod_constraints[i], state.constraints.links[i],
                                   rods.model->plan(rod).spans, margin_of(i, from, until)));
        reaches.back().rod = rod;
        reaches.back().owner = i;
    }
    std::ranges::stable_sort(reaches, [](const EyeReach& a, const EyeReach& b) {
        return a.rod != b.rod ? a.rod < b.rod : a.middle < b.middle;
    });
    std::vector<EyeSpan>& spans = rods.eyes;
    spans.clear();
    for (EyeReach reach : reaches) {
        const bool is_same = !spans.empty() && spans.back().rod == reach.rod;
        if (is_same && spans.back().path.passes.size() == EyeLegs::kMost) {
            // So many holes reach into one another on a rope that is stretched to its double.
            reach.first = std::max(reach.first, spans.back().span + spans.back().count);
            if (reach.first >= rods.model->plan(reach.rod).spans)
                continue;
            reach.last = std::max(reach.last, reach.first + 1);
        }
        const bool is_new = !is_same || reach.first >= spans.back().span + spans.back().count;
        if (is_new)
            spans.push_back({.rod = reach.rod, .span = reach.first});
        EyeSpan& now = spans.back();
        now.count = std::max(is_new ? 1 : now.count, reach.last - now.span);
        const std::uint64_t key =
            AttachmentKey{KeySource::rod_constraint, kRodKeys * reach.owner}.bits();
        now.path.key = is_new ? key : std::min(now.path.key, key);
        now.path.passes.push_back(make_pass(reach.owner));
    }
    for (EyeSpan& span : spans)
        store_on_drums(from, until, span);
}

/// What lies on drums is no part of a path.
void World::Parts::store_on_drums(double from, double until, EyeSpan& span) const
{
    const rod::Plan& plan = rods.model->plan(span.rod);
    EyePath& path = span.path;
    span.span_length = plan.length / plan.spans;
    path.begin = from;
    double behind = 0;
    for (const EyePass& pass : path.passes) {
        const RodConstraint& c = scene.rod_constraints[pass.owner];
        if (c.kind != RodConstraintKind::winch)
            continue;
        const double u = state.constraints.links[pass.owner].u;
        path.drums[c.is_last ? 1 : 0] = true;
        path.feed[c.is_last ? 1 : 0] = until > from ? rods.links[pass.owner].feed : 0;
        const double stored = c.is_last ? 1 - u : u;
        (c.is_last ? behind : path.before) = stored * plan.length;
        if (!c.torque)
            continue;
        const double pull = rods.links[pass.owner].pull;
        path.least = stored < 1 - 1.0 / plan.spans ? pull : 0; // full: it stops
        path.most = stored > 0 ? pull : path.most;             // empty: its end holds
    }
    path.length = span.count * span.span_length - path.before - behind;
}

/// Where the ends and the eyes of a span are at a time.
std::vector<SiteMotion> World::Parts::locate_eyes(const EyeSpan& eyes, double time) const
{
    const BlockShape& shape = rods.model->blocks()[eyes.rod];
    const ModelState& now = state.models[kRods];
    std::vector<SiteMotion> motion(2);
    for (std::size_t k = 0; k < 2; ++k) {
        const std::size_t node = eyes.span + k * eyes.count;
        motion[k].pose.translation =
            node_of(std::span(now.x).subspan(shape.x_first, shape.x_count), node);
        motion[k].twist.linear =
            node_of(std::span(now.v).subspan(shape.v_first, shape.v_count), node);
    }
    for (const EyePass& pass : eyes.path.passes)
        motion.push_back(pass.site.block == kGround ? pass.ground.motion_at(time)
                                                    : locate_site(pass.site));
    return motion;
}

/// What the rope runs to behind the first or the last node of a span: the next eye or node; none at
/// the end of the rope.
std::optional<Vec3> World::Parts::find_beyond(const EyeSpan& eyes, std::size_t end) const
{
    const std::uint32_t node = eyes.span + (end == 0 ? 0 : eyes.count);
    if (end == 0 ? node == 0 : node == rods.model->plan(eyes.rod).spans)
        return std::nullopt;
    const auto found = std::ranges::find_if(rods.eyes, [&](const EyeSpan& other) {
        return other.rod == eyes.rod && (end == 0 ? other.span + other.count : other.span) == node;
    });
    if (found != rods.eyes.end()) {
        const EyeLegs legs = measure_legs(found->path, locate_eyes(*found, state.time));
        return end == 0 ? legs.leave[legs.count - 2] : legs.arrive[0];
    }
    const BlockShape& shape = rods.model->blocks()[eyes.rod];
    return node_of(std::span(state.models[kRods].x).subspan(shape.x_first, shape.x_count),
                   end == 0 ? node - 1 : node + 1);
}

/// Legs whose node passes its eye in this step, or is near it, have the direction to the node
/// behind that: their own would turn with the least motion aside.
void World::Parts::freeze_legs(double h, std::span<const SiteMotion> motion, EyeSpan& eyes) const
{
    EyePath& path = eyes.path;
    path.frozen = {};
    const EyeLegs legs = measure_legs(path, motion);
    for (std::size_t k = 0; k < 2; ++k) {
        if (path.drums[k])
            continue;
        const std::size_t leg = k == 0 ? 0 : legs.count - 1, eye = k == 0 ? 0 : legs.count - 2;
        const Vec3 away = k == 0 ? -legs.unit[leg] : legs.unit[leg];
        const double rate =
            dot(away, motion[k].twist.linear - rate_of(motion[2 + eye], path.passes[eye].point));
        const double r = legs.size[leg];
        if (r > kNear * eyes.span_length && r + 2 * h * rate > 0)
            continue;
        path.frozen[k] = legs.unit[leg];
        const std::optional<Vec3> next = find_beyond(eyes, k);
        if (!next)
            continue;
        const Wheel& wheel = legs.wheel[eye];
        const Vec3 side = k == 0 ? wheel.arrival_from(*next) : wheel.departure_to(*next);
        const Vec3 ahead = *next - (wheel.centre + side * wheel.radius);
        if (length(ahead) > 0)
            path.frozen[k] = normalised(k == 0 ? -ahead : ahead);
    }
}

void World::Parts::add_eye_rows(double from, double until, std::vector<Attachment>& attachments)
{
    find_eye_spans(from, until);
    for (rod::Loads& loads : rods.input.loads) {
        loads.idle.clear();
        loads.legs.clear();
    }
    for (EyeSpan& eyes : rods.eyes) {
        const rod::Plan& plan = rods.model->plan(eyes.rod);
        const std::vector<SiteMotion> motion = locate_eyes(eyes, from);
        set_marks(motion, eyes.path);
        if (until > from)
            carry_nodes(eyes, motion, measure_legs(eyes.path, motion));
        freeze_legs(until - from, motion, eyes);
        const EyeLegs legs = measure_legs(eyes.path, motion);
        for (std::size_t i = 0; i < eyes.path.passes.size(); ++i) {
            EyePass& pass = eyes.path.passes[i];
            pass.grip = grip_of(scene.rod_constraints[pass.owner].friction, legs.angle[i]);
        }
        rod::Loads& loads = rods.input.loads[eyes.rod];
        loads.idle.resize(plan.spans, 0);
        std::fill_n(loads.idle.begin() + eyes.span, eyes.count, 1);
        const HeldForce* held = find_force(state.held, AttachmentKey(eyes.path.key));
        for (std::size_t k = 0; held && k < 2; ++k)
            if (const std::size_t leg = k == 0 ? 0 : legs.count - 1;
                !eyes.path.frozen[k] && !eyes.path.drums[k])
                loads.legs.push_back({.node = eyes.span + k * eyes.count,
                                      .unit = legs.unit[leg],
                                      .stiffness = max(held->force[0], 0.0) / legs.size[leg]});
        add_rows_of(eyes, attachments);
        add_carried_rows(eyes, legs, attachments);
    }
}

/// Drums have their marks where the rope leaves them now.
void World::Parts::set_marks(std::span<const SiteMotion> motion, EyePath& path)
{
    const EyeLegs legs = measure_legs(path, motion);
    for (std::size_t k = 0; k < 2; ++k) {
        if (!path.drums[k])
            continue;
        const std::size_t eye = k == 0 ? 0 : path.passes.size() - 1;
        const Vec3 side = (legs.leave[eye] - legs.wheel[eye].centre) / legs.wheel[eye].radius;
        path.passes[eye].mark = rotate(conjugate(motion[2 + eye].pose.rotation), side);
    }
}

void World::Parts::add_rows_of(const EyeSpan& eyes, std::vector<Attachment>& attachments) const
{
    const rod::Plan& plan = rods.model->plan(eyes.rod);
    const auto add = [&](Attachment::Kind kind, std::uint32_t pass,
                         EyeKeyPart part) -> Attachment& {
        Attachment& made = attachments.emplace_back(make_eye_row(eyes, kind));
        made.pass = pass;
        made.key = AttachmentKey{KeySource::rod_constraint,
                                 kRodKeys * eyes.path.passes[pass].owner + part};
        return made;
    };
    Attachment& tension = add(Attachment::Kind::eye, 0, tension_part);
    tension.key = AttachmentKey(eyes.path.key);
    tension.stiffness = plan.stiffness[0] / eyes.path.length;
    tension.damping = plan.damping[0] * tension.stiffness;
    for (std::uint32_t i = 0; i < eyes.path.passes.size(); ++i) {
        const RodLink& link = rods.links[eyes.path.passes[i].owner];
        const RodConstraint& c = scene.rod_constraints[eyes.path.passes[i].owner];
        if (c.kind == RodConstraintKind::winch)
            continue;
        if (c.slide)
            add(Attachment::Kind::eye_feed, i, feed_part).speed = -link.feed;
        if (!c.slide && c.friction > 0)
            add(Attachment::Kind::eye_rub, i, friction_part);
        if (!c.slide && c.viscous > 0)
            add(Attachment::Kind::eye_rub, i, viscous_part).damping = c.viscous;
    }
}

Attachment World::Parts::make_eye_row(const EyeSpan& eyes, Attachment::Kind kind) const
{
    const double spans = rods.model->plan(eyes.rod).spans;
    Attachment made;
    made.kind = kind;
    made.path = &eyes.path;
    made.a = {.block = {kRods, eyes.rod}, .u = eyes.span / spans};
    made.b = {.block = {kRods, eyes.rod}, .u = (eyes.span + eyes.count) / spans};
    return made;
}

/// Nodes on pulleys. What is on a drum has no rows: it is put where the drum has it.
void World::Parts::add_carried_rows(const EyeSpan& eyes, const EyeLegs& legs,
                                    std::vector<Attachment>& attachments) const
{
    const double spans = rods.model->plan(eyes.rod).spans, total = legs.total();
    for (std::uint32_t node = eyes.span + 1; node < eyes.span + eyes.count; ++node) {
        const double share = eyes.share_of(node);
        if ((share < 0 && eyes.path.drums[0]) || (share > 1 && eyes.path.drums[1]))
            continue;
        Attachment made = make_eye_row(eyes, Attachment::Kind::eye_carry);
        made.key = AttachmentKey{KeySource::rod_node, std::uint64_t(eyes.rod) << 24 | node};
        const PathPlace at = place_on(eyes.path, legs, share * total);
        made.pass = std::uint32_t(at.eye);
        made.side = at.leg == at.eye ? -1 : 1;
        made.carried = {.block = {kRods, eyes.rod}, .u = node / spans};
        made.length = share;
        made.speed = (1 - share) * eyes.path.feed[0] - share * eyes.path.feed[1];
        attachments.push_back(made);
    }
}

} // namespace sinew
