// Strands in the world: carried, pushed, stepped.

#include "base/text.h"
#include "math/functions.h"
#include "scene/kinematics.h"
#include "scene/validate/problems.h"
#include "world/parts.h"

#include <algorithm>

namespace sinew {

namespace {

Problem not_finite(const Scene& scene, ObjectId object, double time)
{
    return make_problem(scene, Severity::error, "strand-not-finite",
                        scene.objects[object.index].origin, "objects",
                        "the state of '" + object_names(scene)[object.index] +
                            "' became infinite at t = " + number_text(time) + " s",
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

/// By how many of its radii a strand is left off the planes that it touches, where something goes
/// farther than half a segment in the step: no plane tells enough of such a way. What is squeezed
/// slowly does not count, since no shorter step helps it.
double depth_of_fast(std::span<const StrandTouch> touches, double open, double h)
{
    constexpr double kFar = 0.5;
    double deepest = 0;
    for (const StrandTouch& touch : touches)
        if (length(touch.slip) * h > kFar * touch.length && open > touch.radius)
            deepest = max(deepest, open / touch.radius);
    return deepest;
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
    if (at.objects.size() != still_places.size())
        at.objects = still_places;
    place_objects(scene, still_places.empty() ? frame_order : moving_order, now, at.marks,
                  at.objects);
    return now;
}

/// Those that nothing ever moves are placed once. Once all models are made.
void World::Parts::find_still_objects()
{
    Instant at;
    const Posture now = posture(state.time, at);
    std::vector<char> moves(scene.objects.size());
    for (const PlacedObject& placed : now.placed)
        moves[placed.object.index] = 1;
    for (const ObjectId id : frame_order) {
        const Object& object = scene.objects[id.index];
        const ObjectId parent = frame_parent(object);
        const auto own = std::span(scene.transformations)
                             .subspan(object.first_transformation, object.transformation_count);
        const bool is_still = std::ranges::all_of(
            own, [](const Transformation& t) { return t.amount.is_constant(); });
        if (moves[id.index] || (parent.is_valid() && moves[parent.index]) || !is_still) {
            moves[id.index] = 1;
            moving_order.push_back(id);
        }
    }
    place_objects(scene, frame_order, now, at.marks, still_places);
}

Problems World::Parts::make_strands()
{
    if (scene.strands.empty())
        return {};
    const std::vector<Affine> objects = objects_at(state.time);
    index_curves();
    strands = StrandModel(scene, objects, work.threads);
    Problems problems = strands.hang_as_drawn(scene, objects, work.threads);
    state.strands = strands.initial_state(scene, work.threads);
    if (scene.settings.settle && !has_errors(problems)) {
        Instant at;
        const Posture now = update_instant(state.time, at);
        const StrandSurroundings around{scene, at.objects, at.objects, now, state.time, state.time};
        const Problems found = strands.settle(around, state.strands);
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
        strands.place_sites(scene, state.strands, at.objects, time, depth, at.nodes, at.placed);
    }
}

void World::Parts::add_report(const StrandReport& done, StepReport& report) const
{
    report.steps += done.steps;
    report.rejected += done.halvings;
    report.stages += done.stages;
    report.solves += done.solves;
    report.worst_solves = std::max(report.worst_solves, done.worst);
    report.residual = std::max(report.residual, done.open);
    report.converged = report.converged && done.is_converged;
}

int World::Parts::run_strands(std::span<const double> times, StepReport& report)
{
    const auto is_empty = [](const ModelState& model) { return model.x.empty(); };
    const bool is_alone = has_strands() && !has_bodies() && !charli && grabs.empty() &&
                          ensemble.attachments.empty() && noticed.empty() &&
                          std::ranges::all_of(state.models, is_empty);
    if (!is_alone || !strands.can_run(scene, times.front(), times.back()))
        return 0;
    const StrandReport done = strands.run(scene, times, work.threads, state.strands, strand_work);
    if (done.fault_tree) // step by step, to the step that fails
        return 0;
    add_report(done, report);
    add_report(sinew::step_to(ensemble, state, times.back(), work), report);
    return static_cast<int>(times.size()) - 1;
}

void World::Parts::step_strands(double begin, double until, StepReport& report)
{
    const Posture then =
        strands.needs_objects() ? update_instant(until, at_end) : Posture{until, {}, {}};
    const StrandSurroundings step{scene, at_begin.objects, at_end.objects, then, begin, until};
    set_lone_touches(until - begin, state.pile.bodies);
    StrandReport done =
        strands.step(step, work.threads, taken_strands, lone_touches, state.strands, strand_work);
    step_mutual(step, done);
    if (!strand_contacts.is_empty())
        step_deep_strands(step, done);
    add_report(done, report);
    left_deep = max(left_deep, depth_of_fast(lone, done.open, until - begin));
    if (!done.fault_tree) {
        if (begin_state.strands.x.empty()) // as keep_begin() has left it
            begin_state.strands = std::move(strand_work.next);
        return keep_lone_touches();
    }
    const ObjectId fault = strands.object_of(*done.fault_tree);
    report.fault = scene.settings.strands.method == StrandMethod::ida
                       ? not_to_tolerance(scene, fault, begin)
                       : not_finite(scene, fault, begin);
}

} // namespace sinew
