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
    Instant at;
    update_instant(time, at);
    return std::move(at.objects);
}

Posture World::Parts::update_instant(double time, Instant& at) const
{
    const Posture now = posture(time, at);
    place_objects(scene, frame_order, now, at.marks, at.objects);
    return now;
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
        Instant at;
        const Posture now = update_instant(state.time, at);
        const StrandSurroundings around{scene, at.objects, at.objects, now, state.time, state.time};
        const Problems found = strands.settle(around, strand_state);
        problems.insert(problems.end(), found.begin(), found.end());
    }
    return problems;
}

/// What rides on a strand's point is placed after the strand, strands on strands level by level.
void World::Parts::place_sites(double time, Instant& at) const
{
    if (!has_strands() || scene.strand_sites.empty())
        return;
    for (int depth = 0; depth <= strands.depth(); ++depth) {
        place_objects(scene, frame_order, {time, coordinates, at.values, at.placed}, at.marks,
                      at.objects);
        strands.place_sites(strand_state, at.objects, depth, at.nodes, at.placed);
    }
}

void World::Parts::step_strands(double begin, double until, StepReport& report)
{
    const Posture then =
        strands.needs_objects() ? update_instant(until, at_end) : Posture{until, {}, {}};
    const StrandReport done =
        strands.step({scene, at_begin.objects, at_end.objects, then, begin, until}, work.threads,
                     strand_state, strand_work);
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
