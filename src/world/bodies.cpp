// Bodies in the world: driven, pushed, stepped.

#include "base/text.h"
#include "math/functions.h"
#include "scene/problems.h"
#include "world/parts.h"

#include <algorithm>

namespace sinew {

namespace {

Problem not_finite(const Scene& scene, ObjectId object, double time)
{
    return make_problem(scene, Severity::error, "body-not-finite",
                        scene.objects[object.index].origin, "objects",
                        "'" + object_names(scene)[object.index] +
                            "' moves beyond all numbers after " + std::to_string(time) + " s",
                        "look for what pushes it, or make the step smaller");
}

void report_broken(const Scene& scene, int broken, StepReport& report)
{
    if (broken > 0)
        report.warnings.push_back(
            make_problem(scene, Severity::note, "joint-broken", {}, "joints",
                         std::to_string(broken) + (broken == 1 ? " joint" : " joints") + " broke",
                         "nothing need be done"));
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

Problems World::Parts::make_bodies(std::span<const BodyMotion> given, bool is_start)
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
    pile = rigid.initial_state(scene, objects, given);
    if (is_start)
        warn_overlaps(scene, rigid.overlaps(pile, scene.settings.step), notes);
    return {};
}

/// Where rows hold bodies, these are a model beside the linkages.
Problems World::Parts::couple_bodies()
{
    if (!has_bodies())
        return {};
    coupling = make_coupling(scene, *linkages, rigid);
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
    blocks = std::make_unique<RigidBlocks>(rigid.pile());
    ensemble.models.push_back(blocks.get());
    ensemble.scheme = Scheme::sdirk2;
    state.models.push_back(blocks->make_state(pile.bodies));
    place_carried_frames();
}

std::vector<char> World::Parts::take_bodies(double until, std::span<const Affine> before)
{
    if (!coupling.is_used)
        return {};
    rigid.move_surfaces(state.time, until);
    const double h = until - state.time;
    // Where linkages will be is not known yet: nearly where their rates take them.
    std::vector<double> ahead = coordinates, values;
    for (std::size_t i = 0; i < ahead.size(); ++i)
        ahead[i] += h * rates[i];
    std::vector<PlacedObject> placed;
    Posture then = posture(until, values, placed);
    then.coordinates = ahead;
    const std::vector<Affine> objects = place_objects(scene, frame_order, then);
    if (has_bodies()) {
        rigid.update_inputs(scene, then, objects);
        rigid.drive(objects, h, pile);
        find_contacts(rigid.pile(), h, pile, *pile_work);
    }
    std::vector<std::uint32_t> tied = find_tied(coupling, rigid.pile(), pile);
    std::vector<Attachment> of_strands;
    if (strand_rows)
        take_strands(before, then, objects, of_strands, tied);
    std::vector<Attachment> of_rods;
    if (has_rods())
        take_rods(h, of_rods, tied);
    const std::vector<char> taken = find_joined(rigid.pile(), pile, tied);
    if (has_bodies())
        blocks->set_members(taken, rigid.find_forces(scene, then, objects, h, pile));
    state.models[kBodies] = blocks->make_state(pile.bodies);
    if (strand_rows)
        ease_in(of_strands);
    constexpr double kLeastGravity = 0.1;
    const Vec3 gravity = has_bodies() ? rigid.pile().gravity : strand::Gravity(scene, until).value;
    ensemble.rest_acceleration = max(length(gravity), kLeastGravity);
    ensemble.attachments = hands;
    ensemble.attachments.insert(ensemble.attachments.end(), of_strands.begin(), of_strands.end());
    ensemble.attachments.insert(ensemble.attachments.end(), of_rods.begin(), of_rods.end());
    const CouplingInput input{coupling, rigid.pile(), taken, h, state.time};
    std::vector<HeldForce> held;
    add_contacts(input, pile, ensemble.attachments, held);
    add_joints(input, pile, ensemble.attachments);
    add_frames(coupling, ensemble.attachments);
    add_springs(input, scene, then, objects, ensemble.attachments);
    add_hands(taken);
    state.held.insert(state.held.begin(), held.begin(), held.end()); // their keys come first
    return taken;
}

void World::Parts::return_bodies(double h, std::span<const char> taken, StepReport& report)
{
    if (taken.empty())
        return;
    for (std::size_t i = 0; i < taken.size(); ++i)
        if (taken[i])
            pile.bodies[i] = blocks->body_of(state.models[kBodies], i);
    report_broken(scene,
                  keep_forces({coupling, rigid.pile(), taken, h, state.time}, ensemble.attachments,
                              pile, state.held),
                  report);
}

void World::Parts::step_bodies(double begin, double until, std::span<const char> taken,
                               StepReport& report)
{
    const double h = until - begin;
    rigid.move_surfaces(begin, until);
    const BodySettings& wanted = scene.settings.bodies;
    PileOptions options{.method = wanted.method,
                        .iterations = wanted.iterations,
                        .has_shock = wanted.has_shock,
                        .smoothing = wanted.smoothing,
                        .may_sleep = wanted.may_sleep && grabs.empty(),
                        .threads = work.threads};
    std::vector<BodyForce> forces;
    if (rigid.needs_objects()) {
        std::vector<double> values;
        std::vector<PlacedObject> placed;
        const Posture then = posture(until, values, placed);
        const std::vector<Affine> objects = place_objects(scene, frame_order, then);
        rigid.update_inputs(scene, then, objects);
        rigid.drive(objects, h, pile);
        forces = rigid.find_forces(scene, then, objects, h, pile);
    }
    for (const Grab& grab : grabs)
        if (const auto body = rigid.find_body(grab.object); body && !is_taken(taken, *body))
            forces.push_back(rigid.pull(grab, h, pile));
    options.forces = forces;
    options.taken = taken;
    const PileReport step = taken.empty() ? step_pile(rigid.pile(), options, h, pile, *pile_work)
                                          : move_pile(rigid.pile(), options, h, pile, *pile_work);
    if (step.fault_body) {
        report.fault = not_finite(scene, rigid.object_of(*step.fault_body), begin);
        return;
    }
    report_broken(scene, step.broken, report);
    ++report.steps;
    report.rows = std::max(report.rows, step.contacts);
    report.iterations += step.sweeps;
    report.residual = max(report.residual, step.overlap);
    report.contact_error = max(report.contact_error, step.residual);
}

} // namespace sinew
