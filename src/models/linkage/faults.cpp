// Why a linkage cannot go on, in words: the object or coordinate, the time, the remedy.

#include "base/text.h"
#include "math/functions.h"
#include "models/linkage/integrator.h"
#include "scene/reading/equations.h"
#include "scene/reading/singularities.h"
#include "scene/validate/problems.h"

#include <cmath>
#include <optional>

namespace sinew {

namespace {

std::string at_time(double time) { return "at " + number_text(time) + " s "; }

/// The coordinate that an unknown stands for: of a relay, the nearest it is made of.
std::optional<std::uint32_t> find_coordinate(const LinkagePlan& plan, std::uint32_t column)
{
    if (column < plan.coordinates.size())
        return plan.coordinates[column];
    for (const PlannedRelay& relay : plan.relays)
        if (column >= relay.first_column && column < relay.first_column + 6)
            for (std::uint32_t i = relay.walk.first; i < relay.walk.end(); ++i)
                if (plan.walk_columns[i] < plan.coordinates.size())
                    return plan.coordinates[plan.walk_columns[i]];
    return std::nullopt;
}

/// The number of the path constraint whose place an unknown is.
std::optional<std::size_t> find_path_constraint(const LinkagePlan& plan, std::uint32_t column)
{
    for (const PlannedTie& tie : plan.ties)
        if (tie.path != kNoIndex && plan.paths[tie.path].column == column)
            return tie.statement - plan.scene->distance_constraints.size();
    return std::nullopt;
}

/// A driven arm that has become so short that what turns it turns nothing.
std::optional<Problem> find_vanishing_arm(const LinkageSystem& system, double time)
{
    const LinkagePlan& plan = system.plan();
    const Scene& scene = *plan.scene;
    for (const PlannedFrame& frame : plan.frames) {
        const Object& object = scene.objects[frame.object.index];
        for (std::uint32_t k = 0; k + 1 < object.transformation_count; ++k) {
            const Transformation& inner = scene.transformations[object.first_transformation + k];
            const Transformation& outer =
                scene.transformations[object.first_transformation + k + 1];
            // Planned from the outermost on.
            const std::uint32_t value =
                plan.transformations[frame.transformations.end() - 1 - k].value;
            const bool turns = outer.kind >= TransformationKind::rotate_x &&
                               outer.kind <= TransformationKind::rotate_z &&
                               !outer.amount.is_constant();
            if (inner.kind > TransformationKind::translate_z || !turns ||
                plan.values[value].source != ValueSource::known)
                continue;
            const double arm = system.motion().number(value);
            if (abs(arm) > 1e-2 * plan.extent)
                continue;
            return make_problem(scene, Severity::error, "length-becomes-zero", inner.origin,
                                "transformations",
                                at_time(time) + "`" + text_of(scene, inner.origin) +
                                    "` has shrunk to " + number_text(arm) +
                                    " m: where it reaches "
                                    "zero `" +
                                    text_of(scene, outer.origin) + "` rotates nothing",
                                "let the track end above zero, or simulate to an earlier time");
        }
    }
    return std::nullopt;
}

/// Two ends of a shrinking distance that circle each other ever faster.
std::optional<Problem> find_vanishing_distance(const LinkageSystem& system, double time)
{
    const LinkagePlan& plan = system.plan();
    for (const PlannedTie& tie : plan.ties) {
        if (tie.windows.empty())
            continue;
        const double length = system.motion().number(tie.length);
        if (abs(length) < 1e-2 * plan.extent)
            return make_problem(
                *plan.scene, Severity::error, "length-becomes-zero",
                statement_origin(*plan.scene, tie.statement), "distance_constraints",
                at_time(time) + "this distance has shrunk to " + number_text(length) +
                    " m, and its ends circle each other ever faster",
                "let the distance end above zero, or start them without "
                "turning about each other");
    }
    return std::nullopt;
}

/// The posture of the whole scene in which the linkage was last looked at.
std::optional<Problem> find_singularity(const LinkageSystem& system, double time)
{
    const LinkagePlan& plan = system.plan();
    std::vector<double> posture;
    for (const Coordinate& coordinate : plan.scene->coordinates)
        posture.push_back(coordinate.initial);
    const std::span<const double> state = system.motion().instant().state;
    for (std::size_t c = 0; c < plan.coordinates.size(); ++c) {
        if (!std::isfinite(state[c]))
            return std::nullopt;
        posture[plan.coordinates[c]] = state[c];
    }
    return find_singularity_near(*plan.scene, posture, time);
}

/// An import that gives no finite number, here or where the next step would have led.
std::optional<Problem> find_bad_import(const LinkageSystem& system, double time)
{
    const Scene& scene = *system.plan().scene;
    constexpr double kAhead = 1e-9; // [s] steps are far shorter when a run stops
    const auto is_bad = [&](std::uint32_t import, double at) {
        return !std::isfinite(system.motion().call_import(import, at).value);
    };
    for (std::uint32_t i = 0; i < scene.imports.size(); ++i)
        if (is_bad(i, time) || is_bad(i, time + kAhead))
            return make_problem(scene, Severity::error, "import-not-finite",
                                scene.imports[i].origin, "imports[" + std::to_string(i) + "]",
                                at_time(time) + "import '" + scene.imports[i].name +
                                    "' gives no finite number",
                                "look into the function that it is bound to");
    return std::nullopt;
}

} // namespace

Problem describe_singular(const LinkageSystem& system, double time, std::uint32_t column)
{
    const LinkagePlan& plan = system.plan();
    const Scene& scene = *plan.scene;
    if (auto arm = find_vanishing_arm(system, time))
        return *arm;
    if (auto singularity = find_singularity(system, time))
        return *singularity;
    if (const auto c = find_coordinate(plan, column)) {
        const Coordinate& coordinate = scene.coordinates[*c];
        return make_problem(scene, Severity::error, "no-mass", coordinate.origin,
                            "coordinates[" + std::to_string(*c) + "]",
                            at_time(time) + "the acceleration of '" + coordinate.name +
                                "' is undetermined: it moves no mass there",
                            "give what it moves a mass, or fix it by a constraint");
    }
    if (const auto i = find_path_constraint(plan, column))
        return make_problem(scene, Severity::error, "path-stands-still",
                            scene.path_constraints[*i].origin, "path_constraints",
                            at_time(time) + "'" +
                                object_names(scene)[scene.path_constraints[*i].point.index] +
                                "' is where its path has no direction",
                            "do not repeat points of the path");
    return make_problem(scene, Severity::error, "no-mass", {}, "linkage",
                        at_time(time) + "some acceleration is undetermined",
                        "give everything that moves a mass");
}

Problem describe_collapse(const LinkageSystem& system, double time,
                          std::span<const double> accelerations, bool is_finite)
{
    const LinkagePlan& plan = system.plan();
    const Scene& scene = *plan.scene;
    if (auto import = is_finite ? std::nullopt : find_bad_import(system, time))
        return *import;
    if (auto arm = find_vanishing_arm(system, time))
        return *arm;
    if (auto distance = find_vanishing_distance(system, time))
        return *distance;
    if (auto singularity = is_finite ? find_singularity(system, time) : std::nullopt)
        return *singularity;
    std::size_t fastest = 0;
    const auto speed = [&](std::size_t i) { return abs(accelerations[i]) / plan.column_scale[i]; };
    for (std::size_t i = 0; i < plan.coordinates.size(); ++i)
        if (!(speed(i) <= speed(fastest)))
            fastest = i;
    const std::uint32_t c = plan.coordinates[fastest];
    const Coordinate& coordinate = scene.coordinates[c];
    return make_problem(scene, Severity::error, is_finite ? "ever-faster" : "not-finite",
                        coordinate.origin, "coordinates[" + std::to_string(c) + "]",
                        at_time(time) + "'" + coordinate.name +
                            (is_finite ? "' changes so fast that no step is short enough"
                                       : "' or what it moves is not finite any more"),
                        scene.settings.linkage_method == LinkageMethod::fixed
                            ? "make the step shorter, or leave its size to the engine: "
                              "linkages(method = automatic)"
                        : is_finite ? "look for a force or a length that goes to its limit there"
                                    : "look for a division by zero, a root or a logarithm there");
}

Problem describe_corner(const LinkageSystem& system, double time, std::uint32_t column)
{
    const Scene& scene = *system.plan().scene;
    const PathConstraint& constraint =
        scene.path_constraints[*find_path_constraint(system.plan(), column)];
    return make_problem(scene, Severity::error, "rests-in-corner", constraint.origin,
                        "path_constraints",
                        at_time(time) + "'" + object_names(scene)[constraint.point.index] +
                            "' comes to rest in a corner of its path",
                        "make the path smooth with spline_through, or stop the run before");
}

Problem describe_endless_switches(const LinkageSystem& system, double time)
{
    const Scene& scene = *system.plan().scene;
    return make_problem(scene, Severity::error, "endless-events",
                        scene.events.empty() ? Origin{} : scene.events.front().origin, "events",
                        at_time(time) + "events, stops or friction follow each other without end",
                        "let the condition end some distance from where it begins");
}

Problem describe_kink(const LinkageSystem& system, double time, const PlannedKink& kink)
{
    const LinkagePlan& plan = system.plan();
    const Scene& scene = *plan.scene;
    Origin origin;
    std::string who = "a coordinate";
    for (const std::uint32_t value : {kink.a, kink.b})
        for (std::uint32_t c = plan.values[value].columns.first;
             c < plan.values[value].columns.end(); ++c)
            if (const std::uint32_t column = plan.value_columns[c];
                column < plan.coordinates.size()) {
                const Coordinate& coordinate = scene.coordinates[plan.coordinates[column]];
                origin = coordinate.origin;
                who = "'" + coordinate.name + "'";
            }
    return make_problem(scene, Severity::error, "rests-at-kink", origin, "coordinates",
                        at_time(time) + who +
                            " comes to rest where min, max, abs or another formula that it moves "
                            "something by has a kink",
                        "use a smooth formula, or end the run before");
}

Problem describe_missed_hold(const LinkageSystem& system, double time, std::uint32_t row)
{
    const LinkagePlan& plan = system.plan();
    const std::uint32_t statement = plan.rows[row].statement;
    return make_problem(*plan.scene, Severity::error, "not-in-place",
                        statement == kNoIndex ? Origin{} : statement_origin(*plan.scene, statement),
                        "constraints",
                        at_time(time) + "this constraint is to hold, but is off by " +
                            number_text(abs(system.constraints().residual()[row])) + " m",
                        "let the event come where it is met: when the distance is what it holds");
}

Problem describe_change_point(const LinkageSystem& system, double time)
{
    const LinkagePlan& plan = system.plan();
    const Scene& scene = *plan.scene;
    return make_problem(scene, Severity::note, "may-fork",
                        plan.rows.front().statement == kNoIndex
                            ? Origin{}
                            : statement_origin(scene, plan.rows.front().statement),
                        "constraints",
                        at_time(time) + "the linkage passes a posture in which its constraints "
                                        "depend on each other: the mechanism may fork there, and "
                                        "goes on the way it came",
                        "no action is needed; to choose another way, drive one more coordinate "
                        "there");
}

Problem describe_inconsistency(const LinkageSystem& system, double time)
{
    const LinkagePlan& plan = system.plan();
    const Scene& scene = *plan.scene;
    std::uint32_t row = 0;
    const double residual = system.constraints().largest_residual(&row);
    const std::uint32_t statement = plan.rows[row].statement;
    return make_problem(scene, Severity::error, "cannot-be-satisfied",
                        statement == kNoIndex ? Origin{} : statement_origin(scene, statement),
                        "constraints",
                        at_time(time) + "the constraints cannot all hold: this one is off by " +
                            number_text(residual) + " m",
                        "change its length or path, or free another coordinate");
}

} // namespace sinew
