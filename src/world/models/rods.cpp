// Rods in the world: made, held, loaded, placed.

#include "scene/objects/rods.h"
#include "base/text.h"
#include "constraints/rod_torques.h"
#include "islands/rows/row_geometry.h"
#include "math/functions.h"
#include "math/so3.h"
#include "models/strand/air.h"
#include "models/strand/bases/bases.h"
#include "scene/kinematics.h"
#include "scene/objects/bodies.h"
#include "scene/objects/strands.h"
#include "scene/validate/problems.h"
#include "sinew/stop.h"
#include "world/models/relax.h"
#include "world/models/start_energy.h"
#include "world/parts.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr std::uint32_t kNoSite = 0xffffffff;
constexpr double kQuasiStaticMassFraction = 1e-7; // of the mass: enough that no matrix is singular
constexpr double kKept = 1e-6; // of a rod's length: what a constraint may be off by
constexpr double kKeptLinearised = 1e-3;

rod::Drawing drawing_of(const Scene& scene, const Rod& rod, const Affine& place)
{
    rod::Drawing drawing;
    drawing.is_chain = rod.kind == RodKind::chain;
    drawing.spans = rod.spans;
    const SampledPath path = sample_rod(scene, rod, rod::Drawing::kSamples);
    for (const Vec3& point : path.points)
        drawing.samples.push_back(apply(place, point));
    const double scale = length(place.linear.x);
    drawing.drawn_length = path.length * scale;
    drawing.rest_length = rod.rest_length.value_or(drawing.drawn_length);
    if (rod.rest_path.is_valid()) {
        Rod at_rest = rod;
        at_rest.path = rod.rest_path;
        const SampledPath rest = sample_rod(scene, at_rest, rod::Drawing::kSamples);
        for (const Vec3& point : rest.points)
            drawing.rest_samples.push_back(apply(place, point));
        drawing.drawn_length = rest.length * scale;
        drawing.rest_length = rod.rest_length.value_or(drawing.drawn_length);
    }
    drawing.is_straight = rod.is_straight || rod.kind == RodKind::chain;
    drawing.material = {.radius = rod.radius,
                        .young = rod.young,
                        .poisson = rod.poisson,
                        .density = rod.density,
                        .damping = rod.damping,
                        .drag_along = rod.drag_along,
                        .drag_across = rod.drag_across};
    const bool is_given = rod.stretch_stiffness || rod.bend_stiffness || rod.twist_stiffness;
    if (is_given)
        drawing.material.given = stiffness_of(rod);
    drawing.material.mass_per_length = rod.mass_per_length;
    if (rod.stretch_damping || rod.bend_damping || rod.twist_damping) {
        const double bend = rod.bend_damping.value_or(rod.damping);
        drawing.material.dampings = {rod.stretch_damping.value_or(rod.damping), bend, bend,
                                     rod.twist_damping.value_or(rod.damping)};
    }
    return drawing;
}

constexpr double kDegrees = 180 / 3.14159265358979323846;

/// What its rows are off by is an angle.
bool is_angle(const Attachment& made)
{
    using A = Attachment::Kind;
    return made.kind == A::align || made.kind == A::threaded_align || made.kind == A::angle;
}

/// The same of the row that is off most: what is fixed has rows of both kinds.
bool is_off_by_angle(const Attachment& made, const RowSet& rows)
{
    if (made.kind != Attachment::Kind::fixed)
        return is_angle(made);
    double place = 0, turn = 0;
    for (std::size_t r = 0; r < rows.gap.size(); ++r)
        (r < 3 ? place : turn) = max(r < 3 ? place : turn, abs(rows.gap[r]));
    return turn > place;
}

std::string amount_text(bool is_turn, double off)
{
    return is_turn ? number_text(off * kDegrees) + " deg" : number_text(off) + " m";
}

/// A note where a rod slides through something and its spans are too long to follow the bend there.
std::optional<Problem> find_coarse_hole(const Scene& scene, const RodConstraint& c,
                                        const rod::Plan& plan, double tension)
{
    if (!(tension * plan.stiffness[1] > 0))
        return std::nullopt;
    const double layer = sqrt(plan.stiffness[1] / tension);
    const double needed = 2 * plan.length / layer;
    if (plan.spans >= needed)
        return std::nullopt;
    return make_problem(scene, Severity::note, "rod-hole-coarse", c.origin, "rod_constraints",
                        "under the weight it may carry this rod bends within " +
                            number_text(layer) + " m at a hole, and its spans are " +
                            number_text(plan.length / plan.spans) + " m: it may stick there",
                        "give it " + std::to_string(std::int64_t(needed) + 1) +
                            " spans, or a thicker rod");
}

/// How islands with rods are solved.
IslandSettings settings_of(const RodSettings& rods)
{
    IslandSettings settings{
        .scheme = rods.is_quasi_static ? Scheme::euler : Scheme::sdirk2,
        .limits = {.velocity_tolerance = rods.tolerance, .keeps_matrices = rods.iterations == 0},
        .is_banded = rods.solver == RodSolver::banded};
    if (rods.iterations == 1) { // the paper's: linearised once, whatever is left
        settings.scheme = Scheme::euler;
        settings.limits.passes = 1;
        settings.limits.projections = 0;
        settings.limits.closes_gaps = true;
        settings.limits.velocity_tolerance = std::numeric_limits<double>::infinity();
    } else if (rods.iterations > 1) {
        settings.limits.passes = rods.iterations;
    }
    return settings;
}

bool concerns(const Scene& scene, std::span<const ObjectId> list, ObjectId object)
{
    return std::ranges::any_of(list, [&](ObjectId id) {
        return object.index >= id.index && object.index < scene.objects[id.index].end;
    });
}

/// True for what holds the two ends of a closed rod together, or the ends of its pieces.
bool is_seam(const Scene& scene, const RodConstraint& c)
{
    if (c.kind != RodConstraintKind::fusion || !c.b.is_valid())
        return false;
    const auto last = std::ranges::find(scene.rod_sites, c.a, &RodSite::object),
               first = std::ranges::find(scene.rod_sites, c.b, &RodSite::object);
    return last != scene.rod_sites.end() && first != scene.rod_sites.end() && last->along == 1 &&
           first->along == 0 && is_closed(scene, scene.rods[last->rod]) &&
           is_closed(scene, scene.rods[first->rod]);
}

/// The place on the ground that a constraint holds to, where tracks alone move it.
std::optional<Target> find_target(const Scene& scene, const RodConstraint& c, const RodLink& link)
{
    const HeldEnd& ground = link.a.site.block == kGround ? link.a : link.b;
    const auto is_moving = [](const Value& value) { return !value.is_constant(); };
    if (ground.site.block != kGround || c.kind == RodConstraintKind::trajectory)
        return std::nullopt;
    if (!ground.object.is_valid() && !c.path.is_valid())
        return std::nullopt;
    const Target target = ground.object.is_valid() ? Target{.frame = ground.object}
                                                   : make_point_target(scene, c.path);
    const bool is_moved = strand::find_carrier(scene, target.frame).carrier.object.is_valid() ||
                          std::ranges::any_of(target.value, is_moving);
    const bool is_known = std::ranges::all_of(
        target.value, [&](const Value& value) { return is_known_in_advance(scene, value); });
    return is_moved && is_known && strand::is_moved_by_tracks(scene, target.frame)
               ? std::optional(target)
               : std::nullopt;
}

} // namespace

std::optional<std::pair<std::uint32_t, Affine>> find_rod_site(const Scene& scene, ObjectId object)
{
    for (std::uint32_t i = 0; i < scene.rod_sites.size(); ++i) {
        const ObjectId site = scene.rod_sites[i].object;
        if (site == object)
            return {{i, Affine{}}};
        if (const auto frame = find_fixed_frame(scene, object, site); frame && site.index > 0)
            for (ObjectId id = object; id.is_valid() && id.index > 0;
                 id = frame_parent(scene.objects[id.index]))
                if (id == site)
                    return {{i, *frame}};
    }
    return std::nullopt;
}

// ---------------------------------------------------------------- made

std::vector<std::uint32_t> World::Parts::find_rod_bodies() const
{
    std::vector<std::uint32_t> bodies;
    if (scene.rod_constraints.empty() || !has_bodies())
        return bodies;
    const BodyMap map = make_body_map(scene);
    for (const RodConstraint& c : scene.rod_constraints)
        for (const ObjectId end : {c.a, c.b})
            if (end.is_valid() && map.is_in_moved(end))
                if (const auto body = rigid.find_body(map.around[end.index]))
                    bodies.push_back(*body);
    return bodies;
}

HeldEnd World::Parts::make_held_end(ObjectId object, const BodyMap& map) const
{
    HeldEnd end{.object = object};
    if (!object.is_valid())
        return end;
    if (const ObjectId around = map.around[object.index]; around.is_valid())
        end.body = rigid.find_body_or_obstacle(around);
    if (const auto site = find_rod_site(scene, object)) {
        const RodSite& at = scene.rod_sites[site->first];
        end.site = {.block = {kRods, at.rod}, .u = at.along};
        end.in_site = {rotation_quat(site->second.linear), site->second.origin};
    } else if (map.is_in_moved(object)) {
        const ObjectId around = map.around[object.index];
        const std::uint32_t body = *end.body;
        end.site = {.block = {kBodies, body}};
        const Affine frame = find_fixed_frame(scene, object, around).value_or(Affine{});
        end.in_site = {conjugate(rigid.centre_in_object(body).rotation) *
                           rotation_quat(frame.linear),
                       rigid.point_in_body(body, frame.origin)};
    } else if (const auto found = linkages->find_site(object, kLinkages); found && !charli) {
        end.site = *found;
    }
    return end;
}

SiteMotion World::Parts::locate_site(const Site& site) const
{
    SiteMotion motion;
    if (site.block == kGround)
        return motion;
    if (site.block.model == kRods)
        return rods.model->locate_one(state.models[kRods], site.block.index, site.u);
    Trial trial;
    trial.state = site.block.model == kBodies && blocks ? blocks->make_state(state.pile.bodies)
                                                        : state.models[site.block.model];
    trial.scratch = ensemble.models[site.block.model]->make_scratch();
    ensemble.models[site.block.model]->locate(trial, state.time, {&site, 1}, {&motion, 1});
    return motion;
}

Problems World::Parts::make_rods()
{
    if (scene.rods.empty())
        return {};
    const std::vector<Affine> objects = objects_at(state.time);
    rods.reeved.resize(scene.rod_constraints.size());
    std::vector<rod::Made> made;
    std::vector<std::vector<rod::Rider>> riders(scene.rods.size());
    const auto ride = [&](ObjectId object, double mass) {
        if (const auto site = find_rod_site(scene, object))
            riders[scene.rod_sites[site->first].rod].push_back(
                {scene.rod_sites[site->first].along, mass});
    };
    for (const Mass& mass : scene.masses)
        ride(mass.object, mass.mass);
    for (const BoxMass& mass : scene.box_masses)
        ride(mass.object, mass.mass);
    for (std::size_t i = 0; i < scene.rods.size(); ++i) {
        const Rod& rod = scene.rods[i];
        rod::Drawing drawing = drawing_of(scene, rod, objects[rod.object.index]);
        rods.is_running.push_back(runs_through_eyes(i, objects));
        if (rods.is_running.back())
            drawing.is_chain = drawing.is_straight = true;
        if (Problems faults = reeve_rod(i, objects, drawing); !faults.empty())
            return faults;
        drawing.riders = std::move(riders[i]);
        made.push_back(rod::make_plan(drawing));
    }
    for (const Force& force : scene.forces) {
        const auto site = find_rod_site(scene, force.object);
        rods.pushed.push_back(site ? site->first : kNoSite);
    }
    rods.model =
        std::make_unique<const rod::RodDynamics>(std::move(made), scene.settings.rods.iterations);
    rods.input.loads.resize(rods.model->rod_count());
    rods.shortest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < rods.model->rod_count(); ++i)
        rods.shortest = min(rods.shortest, rods.model->plan(i).length);
    ModelState start = rods.model->initial_state();
    for (std::size_t i = 0; i < scene.rods.size(); ++i) {
        const Rod& rod = scene.rods[i];
        const BlockShape& shape = rods.model->blocks()[i];
        const Vec3 centre = objects[rod.object.index].origin;
        for (std::uint32_t k = 0; k < shape.x_count; k += 4) {
            const double* x = &start.x[shape.x_first + k];
            const Vec3 v = rod.velocity + cross(rod.spin, Vec3{x[0], x[1], x[2]} - centre);
            for (int axis = 0; axis < 3; ++axis)
                start.v[shape.v_first + k + std::uint32_t(axis)] = v[axis];
        }
    }
    ensemble.models[kRods] = rods.model.get();
    state.models[kRods] = std::move(start);
    if (scene.settings.rods.is_quasi_static)
        rods.input.inertia = kQuasiStaticMassFraction;
    ensemble.own_settings = {kRods, settings_of(scene.settings.rods)};
    return make_links();
}

Problems World::Parts::make_links()
{
    const BodyMap map = make_body_map(scene);
    for (std::size_t i = 0; i < scene.rod_constraints.size(); ++i) {
        const RodConstraint& c = scene.rod_constraints[i];
        RodLink& link = rods.links.emplace_back();
        RodLinkState& link_state = state.constraints.links.emplace_back();
        if (is_sliding(c)) {
            const auto rod = std::ranges::find(scene.rods, c.a, &Rod::object);
            const auto number = static_cast<std::uint32_t>(rod - scene.rods.begin());
            link.a = {.site = {.block = {kRods, number}, .u = c.from}, .object = c.a};
            link.is_eye = rods.is_running[number];
            link_state.u = c.from;
            if (is_wheel(c))
                set_wheel(i, link, link_state);
        } else {
            link.a = make_held_end(c.a, map);
        }
        link.b = make_held_end(c.b, map);
        link.axis = rotate(link.b.in_site.rotation, c.direction);
        for (const HeldEnd* end : {&link.a, &link.b})
            if (charli && end->site.block == kGround && end->object.is_valid() &&
                linkages->find_site(end->object, kLinkages))
                return {make_problem(scene, Severity::error, "tied-to-charli", c.origin,
                                     "rod_constraints",
                                     "this ties a rod to a linkage, and the method 'charli' knows "
                                     "no rods",
                                     "leave `linkages(method = charli)` out")};
        link.target = find_target(scene, c, link);
        link.start = place_of(link.a);
        if (c.kind == RodConstraintKind::fusion && c.tangent == RodTangent::fixed)
            link.turn = conjugate(turn_of(link.b)) * turn_of(link.a);
        link.is_hinge = is_seam(scene, c) && rods.is_running[link.a.site.block.index];
        if (c.kind == RodConstraintKind::trajectory) {
            const std::vector<Affine> objects = objects_at(state.time);
            update_curve(c, objects, link);
            if (!is_finite_curve(link.curve))
                return {rod_input_not_finite(c.origin, "curve")};
            link_state.u = find_parameter(link.curve, place_of(link.a));
        }
    }
    if (scene.settings.rods.contact == RodContact::all && has_strands())
        rod_partners = find_touching_segments(strands, state.time);
    const std::vector<StrandPiece> near = strands_near_rods(objects_at(state.time));
    rods.contacts = RodContacts(rod_contact_input(scene.settings.step, near), kRods);
    make_rod_eases();
    return {};
}

/// Where a wheel has the rope at the start.
void World::Parts::set_wheel(std::size_t i, RodLink& link, RodLinkState& link_state) const
{
    const ReevedWheel& reeved = rods.reeved[i];
    const double drawn = rods.drawn_lengths[link.a.site.block.index];
    link.sense = reeved.wheel.sense;
    link_state.is_wheel = true;
    link_state.u = reeved.middle;
    link_state.wrap = reeved.wrap;
    link_state.reach = 0.5 * reeved.wrap * reeved.wheel.radius / drawn;
}

Quat World::Parts::turn_of(const HeldEnd& end) const
{
    if (end.site.block == kGround)
        return end.object.is_valid()
                   ? rotation_quat(objects_at(state.time)[end.object.index].linear)
                   : Quat{};
    return locate_site(end.site).pose.rotation * end.in_site.rotation;
}

Vec3 World::Parts::place_of(const HeldEnd& end) const
{
    if (end.site.block == kGround)
        return end.object.is_valid() ? objects_at(state.time)[end.object.index].origin
                                     : Vec3{0, 0, 0};
    return apply_to_point(locate_site(end.site).pose, end.in_site.translation);
}

void World::Parts::update_curve(const RodConstraint& c, const std::vector<Affine>& objects,
                                RodLink& link) const
{
    const Path& path = scene.paths[c.path.index];
    std::vector<double> values;
    std::vector<PlacedObject> placed;
    const Posture now = posture(state.time, values, placed);
    link.curve.kind = path.kind;
    link.curve.points.assign(path.points.count / 3, {0, 0, 0});
    for (std::uint32_t k = 0; k < path.points.count; ++k)
        link.curve.points[k / 3][int(k % 3)] =
            value_at(scene, scene.values[path.points.first + k], now, objects);
    for (Vec3& point : link.curve.points)
        point = apply(objects[path.frame.index], point);
    if (path.kind == PathKind::spline_through) {
        link.curve.moments.resize(link.curve.points.size());
        update_moments(link.curve.points, link.curve.moments);
    } else if (path.kind == PathKind::closed_spline) {
        link.curve.moments.resize(link.curve.points.size());
        update_closed_moments(link.curve.points, link.curve.moments);
    }
}

// ---------------------------------------------------------------- a step

namespace {

/// Velocities of what tracks move: as it goes on where the step begins, as it comes where it ends.
std::optional<HeldRates> find_rates(const Scene& scene, const RodLink& link, double begin,
                                    double end)
{
    if (!link.target)
        return std::nullopt;
    const Twist now = motion_of(scene, *link.target, begin, Side::after).twist;
    const Twist then = motion_of(scene, *link.target, end, Side::before).twist;
    const bool is_smooth = is_finite(now.linear) && is_finite(then.linear) &&
                           is_finite(now.angular) && is_finite(then.angular);
    return is_smooth ? std::optional(HeldRates{now.linear, then.linear, now.angular, then.angular})
                     : std::nullopt; // a root begins with an infinite velocity
}

void set_places(const RodConstraint& c, const RodLink& link, const RodInstant& now,
                const RodInstant& then, RodLinkInput& input)
{
    input.place.rates = find_rates(now.scene, link, input.begin, input.end);
    const Scene& scene = now.scene;
    const HeldEnd& ground = link.a.site.block == kGround ? link.a : link.b;
    if (ground.site.block == kGround && ground.object.is_valid()) {
        const Affine &before = now.objects[ground.object.index],
                     &after = then.objects[ground.object.index];
        input.place.now = before.origin;
        input.place.then = after.origin;
        input.place.now_turn = rotation_quat(before.linear);
        input.place.then_turn = rotation_quat(after.linear);
    } else if (c.path.is_valid() && c.kind != RodConstraintKind::trajectory) {
        const Path& path = scene.paths[c.path.index];
        input.place.now = now.point(path, 0);
        input.place.then = then.point(path, 0);
        if (c.kind == RodConstraintKind::axis) {
            const Vec3 way = then.point(path, 1) - input.place.then;
            input.direction = length(way) == 0 ? Vec3{1, 0, 0} : normalised(way);
        }
    }
    if (c.kind != RodConstraintKind::axis && length(c.direction) > 0)
        input.direction = normalised(
            along_axes(then.objects[c.frame.is_valid() ? c.frame.index : 0], c.direction));
    input.distance_now = now.number(c.distance);
    input.distance = then.number(c.distance);
    input.stiffness = then.number(c.stiffness);
    input.damping = then.number(c.damping);
    if (c.slide)
        input.slide = then.number(*c.slide);
}

/// True for a distance that is zero, or will be within a few steps at its pace, or was.
bool is_near_zero(const RodConstraint& c, const RodLinkInput& input)
{
    constexpr double kSteps = 4;
    if (c.kind != RodConstraintKind::distance || c.is_at_most || c.is_at_least)
        return false;
    const double now = input.distance_now, then = input.distance;
    return now * then <= 0 || min(abs(now), abs(then)) <= kSteps * abs(then - now);
}

} // namespace

namespace {

/// From node to node [m].
double length_now(const rod::RodDynamics& model, const ModelState& state, std::uint32_t rod)
{
    const double spans = model.plan(rod).spans;
    Vec3 last = model.place_of(state, rod, 0);
    double sum = 0;
    for (double k = 1; k <= spans; ++k) {
        const Vec3 next = model.place_of(state, rod, k / spans);
        sum += length(next - last);
        last = next;
    }
    return sum;
}

} // namespace

/// Snap-through: there is no equilibrium nearby, so a step that fails is tried again with more
/// inertia. So is one that leaves rods far from what holds them, or far longer or shorter than
/// they were: it has gone to no equilibrium.
void World::Parts::step_to_rest(double until, StepReport& report)
{
    constexpr double kMore = 100;
    constexpr double kTorn = 1e-3; // of the shortest rod: what rows may be off by
    constexpr double kJump = 0.1;  // of a length: its change in a step
    std::vector<double> before;
    for (std::uint32_t i = 0; i < scene.rods.size(); ++i)
        before.push_back(length_now(*rods.model, state.models[kRods], i));
    const auto has_jumped = [&] {
        for (std::uint32_t i = 0; i < before.size(); ++i)
            if (!(abs(length_now(*rods.model, state.models[kRods], i) - before[i]) <=
                  kJump * rods.model->plan(i).length))
                return true;
        return false;
    };
    for (double inertia = kQuasiStaticMassFraction;; inertia *= kMore) {
        rods.input.inertia = min(inertia, 1.0);
        StepReport tried = report;
        take_step(until, tried);
        const bool is_broken = !tried.fault && (row_gap > kTorn * rods.shortest || has_jumped());
        if ((tried.fault || is_broken) && inertia < 1 && !is_stopping()) {
            if (is_broken)
                go_back();
            continue;
        }
        report = std::move(tried);
        break;
    }
    rods.input.inertia = kQuasiStaticMassFraction;
}

std::optional<Problem> World::Parts::prepare_rods(double until)
{
    if (!coupling.is_used) {
        std::vector<std::uint32_t> none;
        ensemble.attachments = hands;
        take_rods(until - state.time, {}, ensemble.attachments, none);
    }
    if (scene.settings.rods.is_quasi_static)
        std::ranges::fill(state.models[kRods].v, 0.0);
    const Posture now = posture(state.time, rods_begin);
    const Posture then = posture_to(until, rods_begin, rods_end);
    place_objects(scene, frame_order, now, rods_begin.marks, rods_begin.objects);
    place_objects(scene, frame_order, then, rods_end.marks, rods_end.objects);
    if (auto fault = load_rods(then, rods_begin.objects, rods_end.objects, until - state.time))
        return fault;
    if (auto fault =
            add_link_rows({scene, now, rods_begin.objects}, {scene, then, rods_end.objects},
                          state.time, until, rods.links, ensemble.attachments))
        return fault;
    add_eye_rows(state.time, until, ensemble.attachments);
    ease_rods(ensemble.attachments);
    rods.model->prepare(rods.input, work.trials[kRods]);
    return std::nullopt;
}

/// Of a formula that rods depend on: it has left the numbers.
Problem World::Parts::rod_input_not_finite(Origin origin, const char* what) const
{
    const std::string text = text_of(scene, origin);
    return make_problem(scene, Severity::error, "rod-input-not-finite", origin, "rods",
                        std::string("the ") + what + (text.empty() ? "" : " of '" + text + "'") +
                            " is not a finite number after " + number_text(state.time) + " s",
                        "check for a root or logarithm of a negative number, a division "
                        "by zero");
}

std::optional<Problem> World::Parts::add_link_rows(const RodInstant& begin, const RodInstant& end,
                                                   double from, double until,
                                                   std::vector<RodLink>& links,
                                                   std::vector<Attachment>& attachments) const
{
    for (std::size_t i = 0; i < links.size(); ++i) {
        const RodConstraint& c = scene.rod_constraints[i];
        RodLink& link = links[i];
        link.is_threaded = false;
        if (state.constraints.links[i].is_released)
            continue;
        const double active = begin.number(c.release.active);
        if (!is_finite(active) || !is_finite(end.number(c.release.active)))
            return rod_input_not_finite(c.origin, "'active'");
        if (!(active > 0.5))
            continue;
        RodLinkInput input{.constraint = c,
                           .link = link,
                           .state = state.constraints.links[i],
                           .key = {KeySource::rod_constraint, kRodKeys * i},
                           .begin = from,
                           .end = until,
                           .is_closing = is_closing(i, from)};
        set_places(c, link, begin, end, input);
        if (c.kind == RodConstraintKind::trajectory)
            update_curve(c, end.objects, link);
        if (const char* what = find_not_finite(input, end))
            return rod_input_not_finite(c.origin, what);
        link.anchor = input.place.then;
        if (is_near_zero(c, input))
            set_way(link, input);
        if (c.slide)
            input.length_per_u =
                length(locate_site({.block = link.a.site.block, .u = state.constraints.links[i].u})
                           .tangent);
        if (link.is_eye) {
            link.is_threaded = !is_clamped(c, input.state);
            link.ground = ground_of(input);
            link.feed = speed_to_stops(input);
            if (is_wheel(c) && link.b.site.block == kGround)
                link.axis = input.direction;
            if (c.kind == RodConstraintKind::winch)
                drive_winch(c, begin, end, input, link);
            if (!is_finite(link.feed) || !is_finite(link.pull))
                return rod_input_not_finite(c.origin, "speed or torque");
        }
        add_rod_rows(input, attachments);
    }
    return std::nullopt;
}

/// The speed or the tension of a winch in a step. It stops when it is empty, or full.
void World::Parts::drive_winch(const RodConstraint& c, const RodInstant& begin,
                               const RodInstant& end, const RodLinkInput& input,
                               RodLink& link) const
{
    const rod::Plan& plan = rods.model->plan(link.a.site.block.index);
    const double h = input.end - input.begin,
                 stored = c.is_last ? 1 - input.state.u : input.state.u;
    link.feed = c.slide ? 0.5 * (begin.number(*c.slide) + end.number(*c.slide)) : 0;
    const double most = 1 - 1.0 / plan.spans;
    if (is_finite(link.feed))
        link.feed = std::clamp(link.feed, min(stored - most, 0.0) * plan.length / h,
                               stored * plan.length / h);
    if (c.torque)
        link.pull = max(0.5 * (begin.number(*c.torque) + end.number(*c.torque)) / c.radius, 0.0);
}

void World::Parts::set_way(const RodLink& link, RodLinkInput& input) const
{
    const Vec3 apart =
        place_of(link.a) - (link.b.site.block == kGround ? input.place.now : place_of(link.b));
    const double size = length(apart);
    input.way = size > 0 ? apart / (input.distance_now < 0 ? -size : size) : Vec3{1, 0, 0};
    input.turn_b = locate_site(link.b.site).pose.rotation;
}

std::optional<Problem> World::Parts::add_link_rows_now(std::vector<RodLink>& links,
                                                       std::vector<Attachment>& attachments) const
{
    std::vector<double> values;
    std::vector<PlacedObject> placed;
    const Posture now = posture(state.time, values, placed);
    const std::vector<Affine> objects = place_objects(scene, frame_order, now);
    const RodInstant instant{scene, now, objects};
    return add_link_rows(instant, instant, state.time, state.time + scene.settings.step, links,
                         attachments);
}

/// Weight, fields, air and forces, as they are when the step ends, where the rods are now.
std::optional<Problem> World::Parts::load_rods(Posture then, const std::vector<Affine>& objects_now,
                                               const std::vector<Affine>& objects_then, double h)
{
    const auto vector = [&](Value x, Value y, Value z, const Affine& frame) {
        return along_axes(frame, {value_at(scene, x, then, objects_then),
                                  value_at(scene, y, then, objects_then),
                                  value_at(scene, z, then, objects_then)});
    };
    const Settings& s = scene.settings;
    const Vec3 gravity = vector(s.gravity_x, s.gravity_y, s.gravity_z, Affine{});
    if (!is_finite(gravity))
        return rod_input_not_finite(scene.objects[scene.rods[0].object.index].origin, "gravity");
    ensemble.rest_acceleration = max(ensemble.rest_acceleration, length(gravity));
    std::vector<strand::AirFlow>& flows = rods.flows;
    for (std::size_t i = flows.size(); i < scene.airs.size(); ++i)
        flows.emplace_back(scene.airs[i]);
    for (strand::AirFlow& flow : flows)
        flow.prepare(scene, then, objects_now, objects_then, h);
    for (std::uint32_t i = 0; i < scene.rods.size(); ++i) {
        const rod::Plan& plan = rods.model->plan(i);
        rod::Loads& loads = rods.input.loads[i];
        loads.clear();
        loads.gravity = gravity;
        for (const auto& field : scene.fields) {
            if (!concerns(scene, field.on, scene.rods[i].object))
                continue;
            bool is_number = true;
            const auto pull_at = [&](double u) {
                then.along = along_whole(scene.rods[i], u);
                then.here = rods.model->place_of(state.models[kRods], i, u);
                const Vec3 pull =
                    vector(field.x, field.y, field.z, objects_then[field.frame.index]);
                is_number = is_number && is_finite(pull);
                return pull;
            };
            loads.acceleration.resize(plan.points.size(), {0, 0, 0});
            for (std::size_t k = 0; k < plan.points.size(); ++k)
                loads.acceleration[k] += pull_at(plan.points[k].u);
            for (const rod::Rider& rider : plan.riders)
                add_rod_force(plan, rider.u, pull_at(rider.u) * rider.mass, loads);
            if (!is_number)
                return rod_input_not_finite(field.origin, "strength");
        }
        for (const strand::AirFlow& flow : flows) {
            if (!concerns(scene, flow.air().on, scene.rods[i].object))
                continue;
            std::vector<Vec3>& felt = flow.is_force() ? loads.acceleration : loads.air;
            felt.resize(plan.points.size(), {0, 0, 0});
            for (std::size_t k = 0; k < plan.points.size(); ++k) {
                then.along = along_whole(scene.rods[i], plan.points[k].u);
                const Vec3 place = rods.model->place_of(state.models[kRods], i, plan.points[k].u);
                felt[k] += flow.at(place, then.time) *
                           value_at(scene, flow.air().weight, then, objects_then);
                if (!is_finite(felt[k]))
                    return rod_input_not_finite(flow.air().origin, "strength");
            }
        }
        for (std::size_t f = 0; f < scene.forces.size(); ++f) {
            if (rods.pushed[f] == kNoSite || scene.rod_sites[rods.pushed[f]].rod != i)
                continue;
            const Force& force = scene.forces[f];
            const Vec3 pushed = vector(force.x, force.y, force.z, objects_then[force.frame.index]);
            if (!is_finite(pushed))
                return rod_input_not_finite(force.origin, "strength");
            add_rod_force(plan, scene.rod_sites[rods.pushed[f]].along, pushed, loads);
        }
    }
    for (const RodTorque& torque : find_rod_torques(scene, then, objects_then)) {
        if (!is_finite(torque.torque))
            return rod_input_not_finite(torque.origin, "strength");
        add_rod_torque(*rods.model, state.models[kRods], torque, 1, rods.input.loads[torque.rod]);
    }
    return std::nullopt;
}

void World::Parts::add_rod_force(const rod::Plan& plan, double u, const Vec3& force,
                                 rod::Loads& loads)
{
    loads.force.resize(plan.size(), 0);
    const CurveWeights basis = plan.basis_at(u);
    for (std::size_t k = 0; k < std::size_t(basis.count); ++k)
        for (int axis = 0; axis < 3; ++axis)
            loads.force[4 * (std::size_t(basis.first) + k) + std::size_t(axis)] +=
                basis.weight[k] * force[axis];
}

namespace {

/// The rod that tears where a constraint gives way, since that joins two of its pieces.
ObjectId find_torn(const Scene& scene, const RodLink& link)
{
    const Site &a = link.a.site, &b = link.b.site;
    if (a.block.model != kRods || b.block.model != kRods || a.block == b.block)
        return {};
    const ObjectId whole = scene.rods[a.block.index].whole;
    return whole == scene.rods[b.block.index].whole ? whole : ObjectId{};
}

/// True where another weak point of the same rod is pulled harder: one tears in a step, and the
/// rope is relieved before the next may. `load`: forces by what constraints hold.
bool is_spared(const Scene& scene, std::span<const RodLink> links, std::span<const double> load,
               std::size_t i)
{
    const ObjectId torn = find_torn(scene, links[i]);
    for (std::size_t k = 0; torn.is_valid() && k < links.size(); ++k)
        if (k != i && find_torn(scene, links[k]) == torn &&
            (load[k] > load[i] || (load[k] == load[i] && k < i)))
            return true;
    return false;
}

Problem tell_broken(const Scene& scene, const RodConstraint& c, const RodLink& link, double time)
{
    std::string what = "this broke after " + number_text(time) + " s";
    if (const ObjectId torn = find_torn(scene, link); torn.is_valid())
        what = "'" + object_names(scene)[torn.index] + "' tore at " +
               number_text(scene.rods[link.a.site.block.index].end) + " along after " +
               number_text(time) + " s";
    return make_problem(scene, Severity::note, "rod-constraint-broken", c.origin, "rod_constraints",
                        what, "no action is needed");
}

} // namespace

/// Which constraints are loaded with more than they hold. A weak point of a rod tears by tension
/// alone: what is pressed, or drawn too long, buckles. Empty where none is.
std::vector<char> World::Parts::find_broken() const
{
    const std::vector<RodLinkState>& states = state.constraints.links;
    bool is_any = false;
    for (std::size_t i = 0; i < states.size(); ++i) {
        const std::optional<double> most = scene.rod_constraints[i].release.breaks;
        is_any = is_any || (most && states[i].force > *most);
    }
    if (!is_any) // as in nearly every step, which allocates nothing
        return {};
    std::vector<double> load(states.size(), 0.0); // by what it holds
    const auto is_weak = [&](std::size_t i) {
        return load[i] > 1 && find_torn(scene, rods.links[i]).is_valid();
    };
    bool has_weak = false;
    for (std::size_t i = 0; i < states.size(); ++i) {
        const std::optional<double> most = scene.rod_constraints[i].release.breaks;
        load[i] = most ? states[i].force / *most : 0;
        has_weak = has_weak || is_weak(i);
    }
    if (has_weak)
        for (const LinkLoad& now : link_loads_now())
            if (const std::size_t i = now.constraint; is_weak(i)) {
                const Vec3 along = normalised(locate_site(rods.links[i].a.site).tangent);
                load[i] = dot(now.on[0].force, along) / *scene.rod_constraints[i].release.breaks;
            }
    std::vector<char> broken(states.size(), 0);
    for (std::size_t i = 0; i < states.size(); ++i)
        broken[i] = load[i] > 1 && !is_spared(scene, rods.links, load, i);
    return broken;
}

/// What the step says of constraints: where they are now, which let go, which cannot be kept.
void World::Parts::finish_rods(double gap, StepReport& report)
{
    finish_eyes();
    sum_rod_forces();
    std::vector<RodLinkState>& states = state.constraints.links;
    for (std::size_t i = 0; i < states.size(); ++i)
        states[i].force = states[i].is_released ? 0 : sqrt(rods.squares[i]);
    const std::vector<char> breaks = find_broken();
    for (std::size_t i = 0; i < rods.links.size(); ++i) {
        const RodConstraint& c = scene.rod_constraints[i];
        RodLinkState& now = state.constraints.links[i];
        if (now.is_released)
            continue;
        const HeldForce* held = find_force(state.held, {KeySource::rod_constraint, kRodKeys * i});
        if (held && is_sliding(c) && !rods.links[i].is_eye)
            now.u = held->u;
        if (c.kind == RodConstraintKind::trajectory)
            now.u = nearest_parameter(rods.links[i].curve, place_of(rods.links[i].a), now.u);
        const bool is_due = c.release.until && state.time >= *c.release.until - 1e-12;
        const bool is_broken = !breaks.empty() && breaks[i];
        if (is_due || is_broken || has_left(i) || is_beyond(i)) {
            now.is_released = true;
            now.force = 0;
        }
        if (is_broken)
            report.warnings.push_back(tell_broken(scene, c, rods.links[i], state.time));
    }
    if (gap > kept_share() * rods.shortest)
        tell_unkept(report);
}

/// Squares of what constraints push with, all their groups of rows; of a direction: turn with.
void World::Parts::sum_rod_forces()
{
    rods.squares.assign(rods.links.size(), 0.0);
    for (const Attachment& made : ensemble.attachments) {
        const auto i = constraint_of(made);
        const bool turns_alone =
            i && scene.rod_constraints[*i].kind == RodConstraintKind::orientation;
        const HeldForce* held = find_force(state.held, made.key);
        if (!i || (is_angle(made) && !turns_alone) || !held || is_eye(made))
            continue;
        for (std::size_t k = 0; k < 3; ++k)
            rods.squares[*i] += held->force[k] * held->force[k];
    }
    for (std::size_t i = 0; i < rods.squares.size(); ++i)
        if (const RodLinkState& link = state.constraints.links[i]; link.has_eye_load)
            rods.squares[i] += dot(link.eye_force, link.eye_force);
}

/// Linearised once, constraints are left by what is quadratic in the step.
double World::Parts::kept_share() const
{
    return scene.settings.rods.iterations == 1 ? kKeptLinearised : kKept;
}

/// True when what slides on rod i's constraint has come to an end that lets it go.
bool World::Parts::has_left(std::size_t i) const
{
    const RodConstraint& c = scene.rod_constraints[i];
    const RodLinkState& link = state.constraints.links[i];
    return is_sliding(c) && c.kind != RodConstraintKind::winch && c.end == RodEnd::leave &&
           (link.u - link.reach <= 0 || link.u + link.reach >= 1);
}

/// True when what constraint i holds has gone too far: see Release::beyond.
bool World::Parts::is_beyond(std::size_t i) const
{
    const RodConstraint& c = scene.rod_constraints[i];
    const RodLink& link = rods.links[i];
    if (!c.release.beyond)
        return false;
    if (is_sliding(c))
        return abs(state.constraints.links[i].u - c.from) *
                   rods.model->plan(link.a.site.block.index).length >
               *c.release.beyond;
    const bool is_apart =
        c.kind == RodConstraintKind::distance || c.kind == RodConstraintKind::spring;
    const Vec3 other = !is_apart                      ? link.start
                       : link.b.site.block == kGround ? link.anchor
                                                      : place_of(link.b);
    return length(place_of(link.a) - other) > *c.release.beyond;
}

/// The rows of an attachment of rods as things stand. What slides is looked for on its rod.
RowSet World::Parts::rows_of(Attachment made) const
{
    SiteMotion motions[2] = {locate_site(made.a), made.b.block == kGround
                                                      ? made.ground.motion_at(state.time)
                                                      : locate_site(made.b)};
    for (int k = 0; is_sliding(made) && k < 20; ++k) {
        const Vec3 apart =
            apply_to_point(motions[1].pose, made.point_b) - motions[0].pose.translation;
        const double square = dot(motions[0].tangent, motions[0].tangent);
        made.a.u = std::clamp(made.a.u + dot(apart, motions[0].tangent) / square, 0.0, 1.0);
        motions[0] = locate_site(made.a);
    }
    RowSet rows;
    add_group(made, rows);
    update_geometry(made, rows.group[0], motions, rows);
    return rows;
}

/// How far an attachment of rods is off as things stand [m or rad], its equal rows.
double World::Parts::gap_of(const Attachment& made) const
{
    if (is_eye(made))
        return 0;
    const RowSet rows = rows_of(made);
    double off = 0;
    for (std::size_t r = 0; r < rows.gap.size(); ++r)
        if (rows.group[0].law[r] == Law::equal)
            off = max(off, abs(rows.gap[r]));
        else if (made.kind == Attachment::Kind::level)
            off = max(off, -rows.gap[r]);
    return off;
}

/// Which constraint of rods an attachment is of, and how long its rod is.
std::optional<std::size_t> World::Parts::constraint_of(const Attachment& made) const
{
    if (made.key.source() != KeySource::rod_constraint)
        return std::nullopt;
    return made.key.index() / kRodKeys;
}

double World::Parts::rod_length_of(const Attachment& made) const
{
    return rods.model->plan(made.a.block.model == kRods ? made.a.block.index : made.b.block.index)
        .length;
}

/// Names constraints that contradict each other, once each.
void World::Parts::tell_unkept(StepReport& report)
{
    for (const Attachment& made : ensemble.attachments) {
        const auto i = constraint_of(made);
        if (!i || made.ease || is_eye(made) || state.constraints.links[*i].is_told ||
            state.constraints.links[*i].is_released)
            continue;
        const double off = gap_of(made);
        const bool is_turn = is_off_by_angle(made, rows_of(made));
        if (off <= kept_share() * (is_turn ? 1 : rod_length_of(made)))
            continue;
        state.constraints.links[*i].is_told = true;
        const RodConstraint& c = scene.rod_constraints[*i];
        const std::string fact = name_of(c) + " is off by " + amount_text(is_turn, off) +
                                 " after " + number_text(state.time) + " s: ";
        const bool has_others = is_held_elsewhere(made);
        report.warnings.push_back(make_problem(
            scene, Severity::warning, "rod-constraint-unkept", c.origin, "rod_constraints",
            fact + (has_others ? "others contradict it, and all are kept as well as can be"
                               : "it is kept as well as can be"),
            has_others ? "remove one of those that hold the same place, or make the rod longer"
                       : "make the step smaller, or the rod longer"));
    }
}

/// True when anything but its own constraint acts on one of the two that an attachment joins.
bool World::Parts::is_held_elsewhere(const Attachment& made) const
{
    const auto own = constraint_of(made);
    return std::ranges::any_of(ensemble.attachments, [&](const Attachment& other) {
        const auto joins = [&](BlockId block) {
            return block != kGround && (other.a.block == block || other.b.block == block);
        };
        return constraint_of(other) != own && (joins(made.a.block) || joins(made.b.block));
    });
}

/// Names constraints that add nothing to the others at the start: one message for all.
void World::Parts::tell_redundant(Problems& problems) const
{
    Trial trial;
    trial.state = state.models[kRods];
    std::vector<SparseRow> rows;
    std::vector<std::size_t> constraint; // of each row
    std::vector<int> left(rods.links.size(), 0);
    for (const Attachment& made : ensemble.attachments) {
        const auto i = constraint_of(made);
        const auto is_rod = [&](const Site& site) { return site.block.model == kRods; };
        if (!i || is_eye(made) || made.kind == Attachment::Kind::feed)
            continue;
        const RowSet laid = rows_of(made);
        const RowGroup& group = laid.group[0];
        for (std::uint32_t r = 0; r < group.row_count; ++r) {
            ++left[*i];
            const bool is_kept = abs(laid.gap[r]) <= kKept * rod_length_of(made);
            if (!is_kept || group.law[r] != Law::equal || // what contradicts others is told later
                !std::ranges::all_of(laid.site, [&](const Site& site) {
                    return site.block == kGround || is_rod(site);
                }))
                continue;
            SparseRow row;
            for (std::uint32_t s = 0; s < group.side_count; ++s)
                if (is_rod(laid.site[s]))
                    add_weights(laid.site[s], laid.direction[s * group.row_count + r], trial, row);
            rows.push_back(std::move(row));
            constraint.push_back(*i);
        }
    }
    for (const std::size_t row : find_redundant(rows))
        --left[constraint[row]];
    std::vector<std::size_t> redundant;
    for (const std::size_t i : constraint)
        if (left[i] == 0 && (redundant.empty() || redundant.back() != i))
            redundant.push_back(i);
    if (redundant.empty())
        return;
    const RodConstraint& first = scene.rod_constraints[redundant[0]];
    const std::string others = redundant.size() == 1
                                   ? " says"
                                   : " and " + std::to_string(redundant.size() - 1) + " more say";
    problems.push_back(make_problem(
        scene, Severity::note, "rod-constraint-redundant", first.origin, "rod_constraints",
        name_of(first) + others + " what others say already: they share the force",
        "remove what is not needed; nothing else need be done"));
}

/// What a row at a site of a rod says to the numbers of the rods.
void World::Parts::add_weights(const Site& site, const Wrench& unit, const Trial& trial,
                               SparseRow& row) const
{
    const TouchWeights reached = rods.model->weigh(trial, site, unit);
    const std::uint32_t first = rods.model->blocks()[site.block.index].x_first + 4 * reached.first;
    for (std::uint32_t k = 0; k < 4 * reached.count; ++k)
        row.push_back({first + k, reached.weight[k]});
}

std::string World::Parts::name_of(const RodConstraint& c) const
{
    const std::string text = text_of(scene, c.origin);
    return text.empty() ? "this constraint" : "'" + text + "'";
}

/// Moves rods so that their constraints hold at the start, if they are not drawn far from that.
Problems World::Parts::assemble_rods()
{
    constexpr double kFar = 0.02; // of a rod's length
    constexpr int kSteps = 4;
    if (!has_rods())
        return {};
    const std::vector<char> loose = find_loose_beads();
    thread_beads(loose); // on the rope as it is drawn, which else would be pulled through them
    take_bodies(state.time + scene.settings.step, objects_at(state.time));
    if (auto fault = prepare_rods(state.time + scene.settings.step))
        return {*fault};
    std::erase_if(ensemble.attachments, [&](const Attachment& made) {
        return is_rod_contact(made.key) || constraint_of(made) || is_eye(made);
    });
    // Not as when the step ends.
    if (auto fault = add_link_rows_now(rods.links, ensemble.attachments))
        return {*fault};
    hold_eyes(loose, false);
    for (Attachment& made : ensemble.attachments) { // as it is now
        if (made.b.block == kGround)
            made.point_b = apply_to_point(made.ground.motion_at(state.time).pose, made.point_b);
        made.ground = {};
        made.speed = 0;
    }
    Problems problems;
    tell_redundant(problems);
    const std::vector<Affine> objects = objects_at(state.time);
    std::uint32_t told = kNoSite; // one for each rod
    for (std::size_t i = 0; i < rods.links.size(); ++i) {
        const std::uint32_t rod = rods.links[i].a.site.block.index;
        if (!is_sliding(scene.rod_constraints[i]) || rods.links[i].is_eye || rod == told)
            continue;
        told = rod;
        if (auto found = find_coarse_hole(scene, scene.rod_constraints[i], rods.model->plan(rod),
                                          expected_tension(rod, objects)))
            problems.push_back(*found);
    }
    bool is_open = false;
    for (const Attachment& made : ensemble.attachments) {
        const auto i = constraint_of(made);
        const double off = i ? gap_of(made) : 0;
        if (!i || off <= 1e-9 * rod_length_of(made))
            continue;
        is_open = true;
        const RodConstraint& c = scene.rod_constraints[*i];
        const bool is_far = off > kFar * rod_length_of(made);
        if (is_far && !scene.settings.assemble && !scene.settings.settle)
            problems.push_back(make_problem(
                scene, Severity::error, "rod-constraint-open", c.origin, "rod_constraints",
                name_of(c) + " is off by " +
                    amount_text(is_off_by_angle(made, rows_of(made)), off) + " at the start",
                "draw the rod so that it holds there, or write `assemble;` to move it"));
    }
    const bool settles = scene.settings.settle || scene.settings.rods.is_quasi_static;
    if (has_errors(problems))
        return problems;
    const auto note_energy = [&] {
        for (std::uint32_t i = 0; i < scene.rods.size() && !settles; ++i)
            if (auto found =
                    find_start_energy(scene, scene.rods[i], rods.model->plan(i),
                                      rods.model->section_forces(state.models[kRods], i, {})))
                problems.push_back(*found);
    };
    if (!is_open && !settles) {
        thread_beads(loose);
        note_energy();
        return problems;
    }
    EnsembleState still = state;
    for (std::uint32_t m = 0; m < ensemble.models.size(); ++m)
        for (std::uint32_t b = 0; m != kRods && b < ensemble.models[m]->blocks().size(); ++b)
            still.frozen.push_back({m, b});
    rod::RodInput input = rods.input;
    if (!settles)
        for (rod::Loads& loads : input.loads) // only what is open is closed
            loads = {.idle = loads.idle};
    const std::vector<double> velocities = still.models[kRods].v;
    std::ranges::fill(still.models[kRods].v, 0.0);
    const RodContactSource touching(rods.contacts, rod_contact_input(0), kRods);
    Ensemble at_rest = ensemble;
    if (!settles) // what is brought to its place does not rub on its way
        for (Attachment& made : at_rest.attachments)
            made.friction = 0;
    std::erase_if(at_rest.attachments, [&](const Attachment& made) {
        const auto i = constraint_of(made);
        return i && loose[*i];
    });
    if (settles && !rods.contacts.is_empty())
        at_rest.sources.push_back(&touching);
    turn_to_angles(at_rest, input, still);
    std::vector<double> values;
    std::vector<PlacedObject> placed;
    const double then = state.time + scene.settings.step;
    FollowingTorques torques(
        settles ? find_rod_torques(scene, posture(then, values, placed), objects_at(then))
                : std::vector<RodTorque>{},
        state.models[kRods]); // where the loads were found
    const auto follow = [&](Ensemble& now, rod::RodInput& loads, EnsembleState& at) {
        torques.follow(*rods.model, at.models[kRods], loads);
        if (rods.eyes.empty())
            return;
        state.models[kRods] = at.models[kRods];
        state.held = at.held;
        finish_eyes();
        at.models[kRods] = state.models[kRods];
        std::erase_if(now.attachments, [](const Attachment& made) { return is_eye(made); });
        add_eye_rows(state.time, state.time, now.attachments);
        for (std::size_t i = 0; i < loads.loads.size(); ++i) {
            loads.loads[i].idle = rods.input.loads[i].idle;
            loads.loads[i].legs = rods.input.loads[i].legs;
        }
    };
    const std::vector<HeldForce> held = state.held;
    const Relaxation found = relax(at_rest, *rods.model, input, kRods, still, work.threads,
                                   settles ? 2000 : kSteps, follow);
    state.models[kRods] = still.models[kRods];
    state.held = settles ? still.held : held;
    if (!settles)
        state.models[kRods].v = velocities;
    thread_beads(loose);
    hold_eyes(loose, true);
    StepReport report;
    finish_rods(0, report);
    tell_unkept(report);
    problems.insert(problems.end(), report.warnings.begin(), report.warnings.end());
    note_energy();
    if (settles && !found.is_still)
        problems.push_back(make_problem(
            scene, Severity::warning, "rods-not-settled", scene.rods[0].origin, "rods",
            "the rods found no place to rest in", "hold them somewhere, or leave `settle()` out"));
    return problems;
}

/// Newton does not find an angle that is far off: it is come to in small turns.
void World::Parts::turn_to_angles(Ensemble at_rest, const rod::RodInput& input,
                                  EnsembleState& still)
{
    constexpr double kTurn = 0.1; // [rad]
    constexpr int kSteps = 4;
    struct Angle {
        std::size_t attachment;
        double wanted, off;
    };
    std::vector<Angle> angles;
    double farthest = 0;
    for (std::size_t i = 0; i < at_rest.attachments.size(); ++i)
        if (const Attachment& made = at_rest.attachments[i];
            made.kind == Attachment::Kind::angle && constraint_of(made)) {
            angles.push_back({i, made.length, rows_of(made).gap[0]});
            farthest = max(farthest, abs(angles.back().off));
        }
    const int turns = int(farthest / kTurn); // the last is the caller's
    for (int k = 1; k <= turns; ++k) {
        for (const Angle& angle : angles)
            at_rest.attachments[angle.attachment].length =
                angle.wanted + angle.off * (1 - double(k) / (turns + 1));
        relax(at_rest, *rods.model, input, kRods, still, work.threads, kSteps);
    }
}

// ---------------------------------------------------------------- seen

void World::Parts::place_rod_sites(std::vector<PlacedObject>& placed) const
{
    for (const RodSite& site : scene.rod_sites) {
        const Pose pose = rods.model->pose_of(state.models[kRods], site.rod, site.along);
        placed.push_back({site.object, {rotation_matrix(pose.rotation), pose.translation}});
    }
}

void World::Parts::add_rods_to_frame(Frame& frame) const
{
    const StrandLayout layout = layout_of_strands(scene);
    frame.nodes.resize(layout.first_node[scene.strands.size()]);
    frame.segments.resize(layout.first_segment[scene.strands.size()]);
    const ModelState& now = state.models[kRods];
    for (std::uint32_t i = 0; i < scene.rods.size(); ++i) {
        const double spans = scene.rods[i].spans;
        for (std::uint32_t k = 0; k <= scene.rods[i].spans; ++k)
            frame.nodes.push_back(rods.model->place_of(now, i, k / spans));
        for (std::uint32_t k = 0; k < scene.rods[i].spans; ++k)
            frame.segments.push_back(
                rods.model->locate_one(now, i, (k + 0.5) / spans).pose.rotation);
    }
}

Momentum World::Parts::momentum_of_rods() const
{
    Momentum sum;
    for (std::size_t i = 0; i < scene.rods.size(); ++i) {
        const auto [linear, angular] = rods.model->momentum(state.models[kRods], i);
        sum += {linear, angular};
    }
    return sum;
}

Energy World::Parts::energy_of_rods() const
{
    Energy energy;
    for (std::size_t i = 0; i < scene.rods.size(); ++i) {
        const rod::RodEnergy own = rods.model->energy(state.models[kRods], i, rods.input.loads[i]);
        energy.kinetic += own.kinetic;
        energy.potential += own.elastic + own.weight;
    }
    return energy;
}

} // namespace sinew
