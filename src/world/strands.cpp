// Strands in the world: carried, pushed, stepped.

#include "scene/problems.h"
#include "world/parts.h"

#include <algorithm>

namespace sinew {

namespace {

Problem not_finite(const Scene& scene, ObjectId object, double time)
{
    return make_problem(scene, Severity::error, "strand-not-finite",
                        scene.objects[object.index].origin, "objects",
                        "'" + object_names(scene)[object.index] +
                            "' moves beyond all numbers after " + std::to_string(time) + " s",
                        "look for what shakes it, or make the step smaller");
}

/// IDA gives up where its steps would be without end.
Problem not_to_tolerance(const Scene& scene, ObjectId object, double time)
{
    return make_problem(scene, Severity::error, "strand-not-to-tolerance",
                        scene.objects[object.index].origin, "objects",
                        "'" + object_names(scene)[object.index] +
                            "' cannot be followed to its tolerance after " + std::to_string(time) +
                            " s",
                        "make the tolerance of `strands` larger, or leave its method out");
}

} // namespace

std::vector<Affine> World::Parts::objects_at(double time) const
{
    std::vector<double> values;
    std::vector<PlacedObject> placed;
    return place_objects(scene, frame_order, posture(time, values, placed));
}

Problems World::Parts::make_strands()
{
    if (scene.strands.empty())
        return {};
    const std::vector<Affine> objects = objects_at(state.time);
    strands = StrandModel(scene, objects);
    Problems problems = strands.hang_as_drawn(scene, objects);
    strand_state = strands.initial_state(scene);
    if (scene.settings.settle && !has_errors(problems)) {
        const std::vector<Affine> placed = objects_at(state.time);
        std::vector<double> values;
        std::vector<PlacedObject> sites;
        const Posture now = posture(state.time, values, sites);
        const StrandSurroundings around{scene, placed, placed, now, state.time, state.time};
        const Problems found = strands.settle(around, strand_state);
        problems.insert(problems.end(), found.begin(), found.end());
    }
    return problems;
}

/// What rides on a strand's point is placed after the strand, strands on strands level by level.
void World::Parts::place_sites(double time, std::span<const double> values,
                               std::vector<PlacedObject>& placed) const
{
    if (!has_strands() || scene.strand_sites.empty())
        return;
    for (int depth = 0; depth <= strands.depth(); ++depth) {
        const std::vector<Affine> objects =
            place_objects(scene, frame_order, {time, coordinates, values, placed});
        strands.place_sites(strand_state, objects, depth, placed);
    }
}

void World::Parts::step_strands(double begin, double until, std::span<const Affine> before,
                                StepReport& report)
{
    std::vector<double> values;
    std::vector<PlacedObject> placed;
    std::vector<Affine> objects;
    Posture then{until, {}, {}};
    if (strands.needs_objects()) {
        then = posture(until, values, placed);
        objects = place_objects(scene, frame_order, then);
    }
    const StrandReport done = strands.step({scene, before, objects, then, begin, until},
                                           work.threads, strand_state, strand_work);
    report.steps += done.steps;
    report.rejected += done.halvings;
    report.stages += done.stages;
    report.solves += done.solves;
    report.worst_solves = std::max(report.worst_solves, done.worst);
    report.converged = report.converged && done.is_converged;
    if (!done.fault_tree)
        return;
    const ObjectId fault = strands.object_of(*done.fault_tree);
    report.fault = scene.settings.strands.method == StrandMethod::ida
                       ? not_to_tolerance(scene, fault, begin)
                       : not_finite(scene, fault, begin);
}

} // namespace sinew
