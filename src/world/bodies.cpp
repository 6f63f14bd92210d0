// Bodies in the world: driven, pushed, stepped.

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
    pile = rigid.initial_state(scene, objects, given);
    return {};
}

void World::Parts::step_bodies(double begin, double until, StepReport& report)
{
    const double h = until - begin;
    const PileState before = pile;
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
        if (rigid.find_body(grab.object))
            forces.push_back(rigid.pull(grab, h, pile));
    options.forces = forces;
    const PileReport step = step_pile(rigid.pile(), options, h, pile, *pile_work);
    if (step.fault_body) {
        report.fault = not_finite(scene, rigid.object_of(*step.fault_body), begin);
        pile = before;
        pile_work = make_pile_work();
        return;
    }
    if (step.broken > 0)
        report.warnings.push_back(make_problem(
            scene, Severity::note, "joint-broken", {}, "joints",
            std::to_string(step.broken) + (step.broken == 1 ? " joint" : " joints") + " broke",
            "nothing need be done"));
    ++report.steps;
    report.rows = std::max(report.rows, step.contacts);
    report.iterations += step.sweeps;
    report.residual = max(report.residual, step.overlap);
    report.contact_error = max(report.contact_error, step.residual);
}

} // namespace sinew
