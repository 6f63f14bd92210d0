// Bodies in the world: driven, pushed, stepped.

#include "base/text.h"
#include "math/functions.h"
#include "models/rigid/contacts/events.h"
#include "models/rigid/joints/joints.h"
#include "scene/validate/problems.h"
#include "world/models/body_air.h"
#include "world/parts.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace sinew {

namespace {

Problem not_finite(const Scene& scene, ObjectId object, double time)
{
    return make_problem(scene, Severity::error, "body-not-finite",
                        scene.objects[object.index].origin, "objects",
                        "the state of '" + object_names(scene)[object.index] +
                            "' became infinite at t = " + number_text(time) + " s",
                        "look for what pushes it, or make the step smaller");
}

/// The first body that a step has left without numbers.
std::optional<std::uint32_t> find_lost(std::span<const BodyState> bodies)
{
    const auto lost = std::ranges::find_if(bodies, [](const BodyState& body) {
        return !(is_finite(body.x) && is_finite(body.q) && is_finite(body.v) && is_finite(body.w));
    });
    if (lost == bodies.end())
        return std::nullopt;
    return static_cast<std::uint32_t>(lost - bodies.begin());
}

void report_broken(const Scene& scene, int broken, StepReport& report)
{
    if (broken > 0)
        report.warnings.push_back(
            make_problem(scene, Severity::note, "joint-broken", {}, "joints",
                         std::to_string(broken) + (broken == 1 ? " joint" : " joints") + " broke",
                         "no action is needed"));
}

/// Names the pair that is farthest from its law in the first such step of an advance.
void report_unsolved(const Scene& scene, const RigidModel& rigid, const PileReport& step,
                     StepReport& report)
{
    if (!step.worst)
        return;
    report.converged = false;
    const bool is_told = std::ranges::any_of(
        report.warnings, [](const Problem& p) { return p.code == "bodies-unsolved"; });
    if (is_told)
        return;
    const std::vector<std::string> names = object_names(scene);
    const auto name = [&](std::uint32_t body) {
        const ObjectId object = rigid.object_of(body);
        return object.index == 0 ? std::string("the world") : "'" + names[object.index] + "'";
    };
    const std::string pair = name(step.worst->a) + " and " + name(step.worst->b);
    report.warnings.push_back(make_problem(
        scene, Severity::warning, "bodies-unsolved", {}, "objects",
        (step.worst->is_contact ? "where " + pair + " touch, the laws of contact are off by " +
                                      number_text(step.worst->error) + " m/s"
                                : "the joint of " + pair + " does not hold") +
            ": a step was not solved",
        "make the step smaller: simulate(0 sec, 10 sec, step = 1/480)"));
}

void report_events(const RigidModel& rigid, double time, std::span<const PileEvent> events,
                   StepReport& report)
{
    for (const PileEvent& event : events)
        report.events.push_back({.time = time,
                                 .a = rigid.object_of(event.a),
                                 .b = rigid.object_of(event.b),
                                 .place = event.place,
                                 .normal = event.normal,
                                 .speed = event.speed,
                                 .impulse = event.impulse,
                                 .slip = event.slip,
                                 .is_sensed = event.is_sensed});
}

/// The first ten pairs, then how many more.
void warn_overlaps(const Scene& scene, std::span<const RigidModel::Overlap> overlaps,
                   Problems& notes)
{
    constexpr std::size_t kMost = 10;
    constexpr const char* kRemedy = "move one of them away or make it smaller: else they are "
                                    "pushed apart in the first steps";
    if (overlaps.empty())
        return;
    const std::vector<std::string> names = object_names(scene);
    const auto warn = [&](const RigidModel::Overlap& at, const std::string& what) {
        notes.push_back(make_problem(scene, Severity::warning, "bodies-overlap",
                                     scene.objects[at.b.index].origin, "objects", what, kRemedy));
    };
    for (const RigidModel::Overlap& pair : overlaps.first(std::min(kMost, overlaps.size())))
        warn(pair, "'" + names[pair.a.index] + "' and '" + names[pair.b.index] + "' overlap by " +
                       number_text(pair.depth) + " m at the start");
    if (overlaps.size() > kMost)
        warn(overlaps[kMost], std::to_string(overlaps.size() - kMost) +
                                  " more pairs of bodies overlap at the start");
}

bool is_taken(std::span<const char> taken, std::size_t body)
{
    return !taken.empty() && taken[body];
}

} // namespace

Problems World::Parts::make_bodies(std::span<const BodyMotion> given)
{
    if (scene.bodies.empty())
        return {};
    std::vector<double> values;
    for (const ImportFunction& import : imports)
        values.push_back(import({state.time, coordinates, rates}).value);
    const std::vector<Affine> objects =
        place_objects(scene, frame_order, {state.time, coordinates, values});
    Result<RigidModel> made = RigidModel::create(scene, objects);
    if (!made)
        return made.problems();
    rigid = std::move(*made);
    bodies_now = rigid.make_input();
    state.pile = rigid.initial_state(scene, objects, given);
    return {};
}

/// Pairs that overlap at the start, once beads are where they begin on their rods.
void World::Parts::tell_overlaps()
{
    if (has_bodies())
        warn_overlaps(scene, rigid.overlaps(state.pile, scene.settings.step), notes);
}

namespace {

using BodyNumbers = std::pair<std::uint32_t, std::uint32_t>;

/// Pairs that the script lets pass through each other, the smaller number first.
std::set<BodyNumbers> passing_pairs(const Scene& scene, const RigidModel& rigid)
{
    std::set<BodyNumbers> pairs;
    for (const MeetingPair& said : scene.meetings) {
        const auto a = rigid.find_body_or_obstacle(said.a), b = rigid.find_body_or_obstacle(said.b);
        if (!a || !b)
            continue;
        if (said.meeting == Meeting::push)
            pairs.erase(std::minmax(*a, *b));
        else
            pairs.insert(std::minmax(*a, *b));
    }
    return pairs;
}

/// An obstacle that a linkage carries passes through those that nothing moves.
void note_passing(const Scene& scene, const RigidModel& rigid, const Coupling& coupling,
                  Problems& notes)
{
    const auto& bodies = rigid.pile().bodies;
    if (!coupling.has_obstacles)
        return;
    std::vector<std::uint32_t> carried_ones, fixed_ones;
    for (std::uint32_t i = 0; i < bodies.size(); ++i)
        if (!bodies[i].is_free() && bodies[i].shape_count > 0)
            (coupling.is_carried(i) ? carried_ones : fixed_ones).push_back(i);
    const std::set<BodyNumbers> told = passing_pairs(scene, rigid);
    const auto find = [&]() -> std::optional<BodyNumbers> {
        for (const std::uint32_t carried : carried_ones)
            for (const std::uint32_t fixed : fixed_ones)
                if (!told.contains(std::minmax(carried, fixed)))
                    return BodyNumbers{carried, fixed};
        return std::nullopt;
    };
    const std::optional<BodyNumbers> found = find();
    if (!found)
        return;
    const auto [carried, fixed] = *found;
    const auto name = [&](std::uint32_t i) {
        return "'" + object_names(scene)[rigid.object_of(i).index] + "'";
    };
    notes.push_back(make_problem(
        scene, Severity::note, "obstacles-pass",
        scene.objects[rigid.object_of(carried).index].origin, "bodies",
        name(carried) +
            " rides on a linkage: it collides with bodies, rods and strands, and passes through " +
            "obstacles such as " + name(fixed),
        "where they should collide, make it a body and fixed_joint it to the linkage"));
}

} // namespace

/// Where rows hold bodies, these are a model beside the linkages.
Problems World::Parts::couple_bodies()
{
    if (!has_bodies())
        return {};
    coupling = make_coupling(scene, *linkages, rigid);
    note_passing(scene, rigid, coupling, notes);
    coupling.on_rods = find_rod_bodies();
    coupling.is_used = coupling.is_used || !coupling.on_rods.empty();
    share_masses();
    const bool is_tied = coupling.is_used;
    coupling.is_used = is_tied || may_rods_touch_bodies();
    if (!coupling.is_used)
        return {};
    if (charli && is_tied)
        return {make_problem(scene, Severity::error, "tied-to-charli", {}, "joints",
                             "a joint or a spring ties a body to a linkage, and the method "
                             "'charli' knows no bodies",
                             "leave `linkages(method = charli)` out")};
    make_blocks();
    return {};
}

void World::Parts::make_blocks()
{
    blocks = std::make_unique<RigidBlocks>(pile());
    ensemble.models[kBodies] = blocks.get();
    ensemble.settings.scheme = Scheme::sdirk2;
    state.models[kBodies] = blocks->make_state(state.pile.bodies);
    place_carried_frames();
}

std::span<const char> World::Parts::take_bodies(double until, std::span<const Affine> before)
{
    if (!coupling.is_used)
        return {};
    bodies_now.move_surfaces(state.time, until);
    const double h = until - state.time;
    BodyRoom& room = body_room;
    // Where linkages will be is not known yet: nearly where their rates take them.
    room.ahead = coordinates;
    for (std::size_t i = 0; i < room.ahead.size(); ++i)
        room.ahead[i] += h * rates[i];
    Posture then = posture(until, room.at);
    then.coordinates = room.ahead;
    const std::vector<Affine>& objects = room.at.objects;
    place_objects(scene, frame_order, then, room.at.marks, room.at.objects);
    if (has_bodies()) {
        rigid.prepare(scene, then, objects, bodies_now);
        rigid.drive(objects, h, state.pile);
        if (rigid.switch_joints(state.pile, bodies_now))
            forget_pairs(*pile_work);
        find_contacts(pile(), work.threads, h, state.pile, *pile_work);
        note_loads(state.pile, room.loads, work.threads);
    }
    make_springs(coupling, scene, then, objects, room.springs);
    find_soft(coupling, pile(), state.pile, room.springs, h, room.soft);
    find_tied(coupling, pile(), state.pile, room.soft, room.tied);
    room.of_rods.clear();
    if (has_rods()) // first: they say which strands they touch
        take_rods(h, before, room.of_rods, room.tied);
    room.of_joined.clear();
    if (!joined.is_empty()) {
        const JoinedModelsInput step = joined_input(until, before, objects);
        JoinedModelsRows rows = joined.find_rows(step);
        joined.prepare(step, work.trials);
        room.of_joined = std::move(rows.attachments);
        room.tied.insert(room.tied.end(), rows.bodies.begin(), rows.bodies.end());
    }
    room.of_strands.clear();
    if (strand_rows)
        take_strands(before, then, objects, room.of_strands, room.tied);
    find_joined(pile(), state.pile, room.tied, *pile_work, room.taken);
    while (harden_springs(coupling, room.taken, room.soft, room.tied))
        find_joined(pile(), state.pile, room.tied, *pile_work, room.taken);
    if (has_bodies()) {
        rigid.find_forces(scene, then, objects, h, state.pile, room.forces);
        add_wind(scene, rigid, then, objects, h, state.pile, room.forces);
        for (std::size_t j = 0; j < pile().joints.size(); ++j)
            if (const JointModel& joint = pile().joints[j];
                room.taken[joint.a] || room.taken[joint.b])
                add_spring_forces(pile(), state.pile, j, h, room.forces);
        blocks->prepare(room.taken, room.forces, work.trials[kBodies]);
        ensemble.members[kBodies] = room.taken;
    }
    blocks->update_state(state.pile.bodies, state.models[kBodies]);
    if (strand_rows)
        ease_in(room.of_strands);
    constexpr double kLeastGravity = 0.1;
    const Vec3 gravity = has_bodies() ? pile().gravity : strand::Gravity(scene, until).value;
    ensemble.rest_acceleration = max(length(gravity), kLeastGravity);
    std::vector<Attachment>& all = ensemble.attachments;
    all = hands;
    all.insert(all.end(), room.of_strands.begin(), room.of_strands.end());
    all.insert(all.end(), room.of_rods.begin(), room.of_rods.end());
    all.insert(all.end(), room.of_joined.begin(), room.of_joined.end());
    const CouplingInput input{coupling, pile(), room.taken, h, state.time};
    room.held.clear();
    add_contacts(input, state.pile, all, room.held);
    add_joints(input, state.pile, all);
    add_frames(coupling, all);
    room.pulls.clear();
    for (std::size_t i = 0; i < room.springs.size(); ++i)
        if (const Attachment& spring = room.springs[i]; spring.stiffness > 0 || spring.damping > 0)
            (room.soft[i] ? room.pulls : all).push_back(spring);
    add_hands(room.taken);
    state.held.insert(state.held.begin(), room.held.begin(), room.held.end()); // keys come first
    return room.taken;
}

void World::Parts::return_bodies(double h, std::span<const char> taken, StepReport& report)
{
    if (taken.empty())
        return;
    for (std::size_t i = 0; i < taken.size(); ++i)
        if (taken[i])
            state.pile.bodies[i] = blocks->body_of(state.models[kBodies], i);
    report_broken(scene,
                  keep_forces({coupling, pile(), taken, h, state.time}, ensemble.attachments,
                              state.pile, state.held),
                  report);
    std::vector<PileEvent> events;
    add_meetings(pile(), begin_state.pile, state.pile, StepLengths(pile(), h), body_room.loads, {},
                 events);
    report_events(rigid, state.time, events, report);
}

void World::Parts::step_bodies(double begin, double until, std::span<const char> taken,
                               StepReport& report)
{
    const double h = until - begin;
    bodies_now.move_surfaces(begin, until);
    const BodySettings& wanted = scene.settings.bodies;
    PileOptions options{.method = wanted.method,
                        .iterations = wanted.iterations,
                        .has_shock = wanted.has_shock,
                        .smoothing = wanted.smoothing,
                        .may_sleep = wanted.may_sleep && grabs.empty(),
                        .threads = work.threads};
    std::vector<BodyForce>& forces = body_room.forces;
    forces.clear();
    if (rigid.needs_objects()) {
        Instant& at = body_room.at;
        const Posture then = posture(until, at);
        place_objects(scene, frame_order, then, at.marks, at.objects);
        rigid.prepare(scene, then, at.objects, bodies_now);
        rigid.drive(at.objects, h, state.pile);
        if (rigid.switch_joints(state.pile, bodies_now))
            forget_pairs(*pile_work);
        rigid.find_forces(scene, then, at.objects, h, state.pile, forces);
        add_wind(scene, rigid, then, at.objects, h, state.pile, forces);
    }
    for (const Grab& grab : grabs)
        if (const auto body = rigid.find_body(grab.object); body && !is_taken(taken, *body))
            forces.push_back(rigid.pull(grab, h, pile(), state.pile));
    add_pulls(body_room.pulls, state.pile, forces);
    options.forces = forces;
    options.taken = taken;
    options.riders = body_riders;
    const PileReport step = taken.empty() ? step_pile(pile(), options, h, state.pile, *pile_work)
                                          : move_pile(pile(), options, h, state.pile, *pile_work);
    const auto lost = step.fault_body ? step.fault_body : find_lost(state.pile.bodies);
    if (lost) {
        report.fault = not_finite(scene, rigid.object_of(*lost), begin);
        return;
    }
    report_broken(scene, step.broken, report);
    report_unsolved(scene, rigid, step, report);
    report_events(rigid, until, step.events, report);
    if (wanted.method == BodyMethod::erleben)
        report.theta = max(report.theta.value_or(0), step.residual);
    ++report.steps;
    report.rows = std::max(report.rows, step.contacts);
    report.iterations += step.sweeps;
    report.residual = max(report.residual, max(step.overlap, step.joint_gap));
    report.contact_error = max(report.contact_error, step.residual);
}

} // namespace sinew
