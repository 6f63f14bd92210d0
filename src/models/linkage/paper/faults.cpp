#include "models/linkage/paper/faults.h"

#include "base/text.h"
#include "math/functions.h"
#include "scene/kinematics.h"
#include "scene/reading/equations.h"
#include "scene/reading/singularities.h"
#include "scene/validate/problems.h"

#include <algorithm>

namespace sinew::charli_method {

namespace {

std::string at(double time) { return "at " + number_text(time) + " s "; }

/// How a motion of the unknowns moves the script's coordinates.
std::vector<double> script_motion(const System& system, const Instant& instant,
                                  const std::vector<double>& direction)
{
    std::vector<double> motion(system.scene.coordinates.size());
    for (std::size_t i = 0; i < motion.size(); ++i)
        if (const std::uint32_t unknown = system.script_unknowns[i]; unknown != kNone)
            motion[i] = direction[unknown];
        else if (const std::uint32_t turn = system.script_turns[i]; turn != kNone) {
            const Turn& t = system.turns[turn];
            motion[i] =
                instant.values[t.xi] * direction[t.eta] - instant.values[t.eta] * direction[t.xi];
        }
    return motion;
}

/// What people know a coordinate of the system by: theta for the ξ of theta.
std::string name_of(const System& system, std::uint32_t unknown)
{
    const std::string& name = system.unknowns[unknown].name;
    return name.substr(0, name.find_last_of('.'));
}

std::string row_name(const System& system, std::uint32_t row)
{
    const Row& r = system.rows[row];
    return r.column_count > 0 ? name_of(system, system.columns[r.first_column]) : "constraints";
}

Problem at_row(const System& system, std::uint32_t row, std::string code, std::string what,
               std::string hint)
{
    const std::uint32_t statement = system.rows[row].statement;
    const Origin origin = statement != kNone ? statement_origin(system.scene, statement) : Origin{};
    return make_problem(system.scene, Severity::error, std::move(code), origin,
                        statement != kNone ? "constraints[" + std::to_string(statement) + "]"
                                           : row_name(system, row),
                        std::move(what), std::move(hint));
}

} // namespace

Problem no_mass(const System& system, const Instant& instant, const Solution& solution)
{
    const Scene& scene = system.scene;
    if (solution.direction.empty() || scene.coordinates.empty())
        return make_problem(scene, Severity::error, "no-mass", {}, "masses",
                            at(instant.time) + "the accelerations are undetermined",
                            "give every point that moves a mass");
    const std::vector<double> motion = script_motion(system, instant, solution.direction);
    const auto largest = std::max_element(motion.begin(), motion.end(),
                                          [](double a, double b) { return abs(a) < abs(b); });
    const auto i = static_cast<std::size_t>(largest - motion.begin());
    if (!(abs(*largest) > 0)) { // a place on a path, or a seen point
        const auto most = std::max_element(solution.direction.begin(), solution.direction.end(),
                                           [](double a, double b) { return abs(a) < abs(b); });
        const std::string name =
            name_of(system, static_cast<std::uint32_t>(most - solution.direction.begin()));
        return make_problem(scene, Severity::error, "no-mass", {}, name,
                            at(instant.time) + "the acceleration of '" + name + "' is undetermined",
                            "give what it moves a mass");
    }
    const Coordinate& coordinate = scene.coordinates[i];
    const std::string where = at(instant.time) + "and " + coordinate.name + " = " +
                              number_text(instant.coordinates[i]) + " ";
    const Kinematics kinematics(scene, instant.coordinates, instant.time);
    if (const auto object = find_massless(scene, kinematics, motion)) {
        const std::string name = object_names(scene)[object->index];
        return make_problem(scene, Severity::error, "no-mass", scene.objects[object->index].origin,
                            "objects[" + std::to_string(object->index) + "]",
                            "'" + name + "' has no mass: " + where +
                                "its acceleration is undetermined",
                            "give '" + name + "' a mass");
    }
    return make_problem(scene, Severity::error, "no-mass", coordinate.origin,
                        "coordinates[" + std::to_string(i) + "]",
                        "'" + coordinate.name + "' moves no mass: " + where +
                            "its acceleration is undetermined",
                        "give what it moves a mass, or keep it away from there");
}

Problem contradiction(const System& system, const Instant& instant, std::uint32_t row)
{
    if (system.rows[row].kind == RowKind::distance) {
        const Distance& distance = system.distances[system.rows[row].first];
        const double apart = length(instant.place(distance.b) - instant.place(distance.a));
        const double wanted = abs(instant.value(distance.length));
        if (apart < 1e-6 * wanted)
            return at_row(system, row, "no-direction",
                          at(instant.time) + "these two are at the same place and should be " +
                              number_text(wanted) + " m apart, but nothing says in which direction",
                          "start them apart, or let the distance never be zero");
    }
    return at_row(system, row, "constraints-contradict",
                  at(instant.time) + "this constraint and the others cannot hold together",
                  "take one of them away, or free a coordinate that lets both hold");
}

Problem not_finite(const System& system, double time, std::uint32_t unknown)
{
    const std::string name = name_of(system, unknown);
    return make_problem(system.scene, Severity::error, "not-finite", {}, name,
                        at(time) + "the motion of '" + name + "' is not a finite number",
                        "make the step smaller, or look at the forces: a division by zero, a stiff "
                        "spring");
}

Problem constraint_lost(const System& system, double time, std::uint32_t row, double violation)
{
    return at_row(system, row, "constraint-lost",
                  at(time) + "'" + row_name(system, row) + "' has left its constraint by " +
                      number_text(violation) + " m",
                  "make the step smaller; if that does not help, the mechanism comes to a place "
                  "where its motion is undetermined");
}

} // namespace sinew::charli_method
