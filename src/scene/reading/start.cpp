#include "scene/reading/start.h"

#include "base/text.h"
#include "math/functions.h"
#include "scene/formula.h"
#include "scene/validate/problems.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace sinew {

namespace {

/// How large the mechanism is, wherever it stands: tolerances of what has no size itself are
/// fractions of it.
double extent_of(const Scene& scene, const Kinematics& kinematics)
{
    Vec3 low = kinematics.frame(ObjectId{0}).origin, high = low;
    for (std::uint32_t i = 1; i < scene.objects.size(); ++i) {
        const Vec3 x = kinematics.frame(ObjectId{i}).origin;
        low = i == 1 ? x : Vec3{min(low.x, x.x), min(low.y, x.y), min(low.z, x.z)};
        high = i == 1 ? x : Vec3{max(high.x, x.x), max(high.y, x.y), max(high.z, x.z)};
    }
    constexpr double kLeast = 1e-3; // [m]: a mechanism in one point
    return std::max(length(high - low), kLeast);
}

/// "m0 and m1 are 14.14 m apart", and what they should be.
std::string describe_violation(const Scene& scene, std::uint32_t statement,
                               const Kinematics& kinematics, const std::vector<std::string>& names)
{
    const std::size_t distances = scene.distance_constraints.size();
    if (statement >= distances) {
        const PathConstraint& c = scene.path_constraints[statement - distances];
        const Vec3 x = kinematics.frame(c.point).origin;
        const PathPoint nearest = find_nearest(scene, kinematics, scene.paths[c.path.index], x);
        return "at the start '" + names[c.point.index] + "' is " +
               number_text(length(x - nearest.point.position)) + " m away from its path";
    }
    const DistanceConstraint& c = scene.distance_constraints[statement];
    const double apart = length(kinematics.frame(c.b).origin - kinematics.frame(c.a).origin);
    const double wanted = abs(kinematics.value(c.distance).value);
    return "at the start '" + names[c.a.index] + "' and '" + names[c.b.index] + "' are " +
           number_text(apart) + " m apart, " +
           (wanted == 0 ? "and should coincide" : "not " + number_text(wanted) + " m");
}

/// The words of the transformations that move the ends of a constraint by themselves.
std::string describe_drive(const Scene& scene, const Kinematics& kinematics,
                           std::uint32_t statement)
{
    const std::size_t distances = scene.distance_constraints.size();
    std::vector<ObjectId> ends;
    if (statement < distances)
        ends = {scene.distance_constraints[statement].a, scene.distance_constraints[statement].b};
    else
        ends = {scene.path_constraints[statement - distances].point};
    for (ObjectId id : ends)
        for (; id.is_valid() && id.index > 0; id = scene.objects[id.index].on.is_valid()
                                                       ? scene.objects[id.index].on
                                                       : scene.objects[id.index].parent)
            for (std::uint32_t k = 0; k < scene.objects[id.index].transformation_count; ++k) {
                const Transformation& t =
                    scene.transformations[scene.objects[id.index].first_transformation + k];
                const ValueMotion amount = kinematics.value(t.amount);
                for (const Partial<double>& partial : amount.partials)
                    if (partial.column == kinematics.time_column() && partial.value != 0)
                        return "`" + text_of(scene, t.origin) + "` moves by " +
                               number_text(partial.value) + " per second";
            }
    return "its distance or path moves";
}

double norm_of(const Equation& equation)
{
    double sum = 0;
    for (const Partial<double>& partial : equation.gradient)
        sum += partial.value * partial.value;
    return sqrt(sum);
}

/// False when a constraint holds in every posture, by the way the objects are built.
bool changes_elsewhere(const Scene& scene, const Equation& equation)
{
    std::vector<double> posture;
    for (std::size_t i = 0; i < scene.coordinates.size(); ++i)
        posture.push_back(scene.coordinates[i].initial + 0.3 + 0.1 * double(i % 5));
    const Kinematics elsewhere(scene, posture, scene.settings.start);
    for (const Equation& other : make_equations(scene, elsewhere))
        if (other.statement == equation.statement && abs(other.residual) > 1e-9 * equation.size)
            return true;
    return false;
}

void check_positions(const Scene& scene, const Kinematics& kinematics,
                     const std::vector<Equation>& equations, const std::vector<std::string>& names,
                     Problems& problems)
{
    const double extent = extent_of(scene, kinematics);
    constexpr int kMostPostures = 10; // each costs as much as the start itself
    int postures = 0;
    std::optional<std::uint32_t> said;
    const auto say = [&](const Equation& equation, Severity severity, const char* code,
                         const std::string& what, const std::string& hint) {
        said = equation.statement;
        problems.push_back(
            make_problem(scene, severity, code, statement_origin(scene, equation.statement),
                         "constraints[" + std::to_string(equation.statement) + "]", what, hint));
    };
    for (const Equation& equation : equations) {
        if (said == equation.statement || equation.is_imported)
            continue;
        const double tolerance =
            1e-3 * (equation.size > 0 ? equation.size : extent); // printed numbers are rounded
        const bool is_violated = abs(equation.residual) > tolerance;
        const bool is_level = equation.gradient.empty(); // no coordinate changes it to first order
        const std::string what =
            is_violated ? describe_violation(scene, equation.statement, kinematics, names) : "";
        if (is_violated && !equation.is_movable)
            say(equation, Severity::error, "cannot-be-satisfied",
                what + ", and no coordinate can change that",
                "free a coordinate in that direction, or change what is fixed");
        else if (is_violated && is_level && equation.size > 0)
            say(equation, Severity::error, "start-apart",
                what + ", and from there no direction leads to it",
                "start one of them elsewhere: give it another start value");
        else if (is_violated && !scene.settings.assemble)
            say(equation, Severity::error, "start-apart", what,
                "change the start values or the transformations, or write `assemble;` to let them "
                "be moved");
        else if (!is_violated && is_level && equation.is_movable && equation.size > 0 &&
                 ++postures <= kMostPostures && changes_elsewhere(scene, equation))
            say(equation, Severity::note, "dead-point",
                "at the start this constraint is at a dead point: no small motion changes its "
                "length",
                "start a little beside it if the mechanism is to move on from there");
    }
}

void check_rates(const Scene& scene, const Kinematics& kinematics,
                 const std::vector<Equation>& equations, Problems& problems)
{
    constexpr double kSlow = 1e-6; // m/s
    std::optional<std::uint32_t> said;
    for (const Equation& equation : equations) {
        double rate = equation.time_rate;
        for (const Partial<double>& partial : equation.gradient)
            rate += partial.value * scene.coordinates[partial.column].initial_rate;
        if (said == equation.statement || !(abs(rate) > kSlow) || equation.gradient.empty() ||
            equation.is_imported)
            continue;
        said = equation.statement;
        const bool by_track = equation.time_rate != 0;
        problems.push_back(make_problem(
            scene, Severity::note, "rates-contradict", statement_origin(scene, equation.statement),
            "constraints[" + std::to_string(equation.statement) + "]",
            "the rates at the start break this constraint by " + number_text(abs(rate)) + " m/s" +
                (by_track ? ": " + describe_drive(scene, kinematics, equation.statement) : ""),
            by_track ? "no action is needed: the free rates are adjusted to the track before the "
                       "first frame"
                     : "give rates in initial(value, rate) that fit; else they are adjusted before "
                       "the first frame"));
    }
}

void check_redundant(const Scene& scene, const std::vector<Equation>& equations,
                     const std::vector<std::uint32_t>& redundant, Problems& problems)
{
    std::vector<int> equation_counts(scene.distance_constraints.size() +
                                     scene.path_constraints.size());
    for (const Equation& equation : equations)
        ++equation_counts[equation.statement];
    std::vector<std::uint32_t> said;
    for (const std::uint32_t i : redundant) {
        const std::uint32_t statement = equations[i].statement;
        // Three equations of a coincidence are often one too many in a plane; only a single one is
        // worth a word.
        if (equation_counts[statement] != 1 || norm_of(equations[i]) < 1e-9)
            continue;
        said.push_back(statement);
        problems.push_back(make_problem(
            scene, Severity::note, "redundant-constraint", statement_origin(scene, statement),
            "constraints[" + std::to_string(statement) + "]",
            "at the start this constraint is redundant: the others already imply it",
            "it is harmless; keep it if the mechanism needs it later"));
        if (said.size() >= 20)
            return;
    }
}

/// The first time in (start, end] at which a value known in advance becomes zero.
std::optional<double> find_zero(const Scene& scene, Value value)
{
    const auto at = [&](double t) { return rates_at(scene, value, t, 0, Side::before).value; };
    std::vector<double> times = key_times(scene, value);
    times.push_back(scene.settings.end);
    std::sort(times.begin(), times.end());
    double from = scene.settings.start;
    const double first = at(from);
    if (first == 0)
        return std::nullopt;
    constexpr int kPieces = 16; // easings are monotonic; sums of tracks mostly
    for (const double to : times) {
        if (!(to > from) || to > scene.settings.end)
            continue;
        for (int i = 1; i <= kPieces; ++i) {
            const double t = from + (to - from) * i / kPieces;
            if (at(t) * first <= 0) {
                double low = from + (to - from) * (i - 1) / kPieces, high = t;
                for (int k = 0; k < 60; ++k) {
                    const double middle = (low + high) / 2;
                    (at(middle) * first <= 0 ? high : low) = middle;
                }
                return high;
            }
        }
        from = to;
    }
    return std::nullopt;
}

/// `translatex(r) rotatez(theta)` with a track r that ends at zero: there theta turns nothing.
void check_vanishing_lengths(const Scene& scene, Problems& problems)
{
    std::vector<FormulaTraits> traits;
    compute_traits(scene, traits);
    const auto depends = [&](Value value, std::uint8_t on) {
        return !value.is_constant() && (traits[value.formula].dependence & on) != 0;
    };
    int looked_at = 0;
    for (const Object& object : scene.objects) {
        if (object.transformation_count < 2 || looked_at > 1000)
            continue;
        const Transformation& inner = scene.transformations[object.first_transformation];
        const Transformation& outer = scene.transformations[object.first_transformation + 1];
        const bool is_driven_arm = inner.kind <= TransformationKind::translate_z &&
                                   depends(inner.amount, Dependence::kTime) &&
                                   is_known_in_advance(scene, inner.amount);
        const bool is_turned = outer.kind >= TransformationKind::rotate_x &&
                               outer.kind <= TransformationKind::rotate_z &&
                               depends(outer.amount, Dependence::kCoordinate);
        if (!is_driven_arm || !is_turned)
            continue;
        ++looked_at;
        if (const auto zero = find_zero(scene, inner.amount))
            problems.push_back(make_problem(
                scene, Severity::note, "length-becomes-zero", inner.origin, "transformations",
                "`" + text_of(scene, inner.origin) + "` becomes zero at " + number_text(*zero) +
                    " s: there `" + text_of(scene, outer.origin) +
                    "` rotates nothing, and the run stops before",
                "let the track end above zero, or simulate to an earlier time"));
    }
    for (const DistanceConstraint& constraint : scene.distance_constraints) {
        if (looked_at > 1000 || !depends(constraint.distance, Dependence::kTime) ||
            !is_known_in_advance(scene, constraint.distance))
            continue;
        ++looked_at;
        if (const auto zero = find_zero(scene, constraint.distance))
            problems.push_back(
                make_problem(scene, Severity::note, "length-becomes-zero", constraint.origin,
                             "distance_constraints",
                             "this distance becomes zero at " + number_text(*zero) +
                                 " s: one equation becomes three",
                             "no action is needed if the two ends are meant to meet there"));
    }
    for (const RodConstraint& constraint : scene.rod_constraints) {
        if (looked_at > 1000 || constraint.kind != RodConstraintKind::distance ||
            !depends(constraint.distance, Dependence::kTime) ||
            !is_known_in_advance(scene, constraint.distance))
            continue;
        ++looked_at;
        if (const auto zero = find_zero(scene, constraint.distance))
            problems.push_back(make_problem(
                scene, Severity::note, "length-becomes-zero", constraint.origin, "rod_constraints",
                "this distance becomes zero at " + number_text(*zero) +
                    " s: one equation becomes three",
                "no action is needed if the two ends are meant to meet there"));
    }
}

/// Paths without a length, and starts beyond the end of one.
void check_paths(const Scene& scene, const Kinematics& kinematics,
                 const std::vector<std::string>& names, Problems& problems)
{
    for (const Path& path : scene.paths) {
        bool is_one_point = path.kind != PathKind::point;
        for (std::uint32_t i = 3; i < path.points.count && is_one_point; ++i) {
            const Value a = scene.values[path.points.first + i],
                        b = scene.values[path.points.first + i % 3];
            is_one_point = a.is_constant() && b.is_constant() && a.number == b.number;
        }
        if (is_one_point)
            problems.push_back(make_problem(
                scene, Severity::warning, "path-without-length", path.origin, "paths",
                "all points of this path are the same", "for a single place write point(x, y, z)"));
    }
    constexpr std::size_t kMost = 1000;
    for (std::size_t i = 0; i < std::min(scene.path_constraints.size(), kMost); ++i) {
        const PathConstraint& c = scene.path_constraints[i];
        const Path& path = scene.paths[c.path.index];
        if (path.kind == PathKind::point || path.kind == PathKind::line ||
            path.kind == PathKind::closed_spline)
            continue;
        const double u = find_nearest(scene, kinematics, path, kinematics.frame(c.point).origin).u;
        constexpr double kAtEnd = 1e-9; // of the path: the end itself, but for rounding
        if (u < -kAtEnd || u > 1 + kAtEnd)
            problems.push_back(
                make_problem(scene, Severity::warning, "beyond-path", c.origin, "path_constraints",
                             "at the start '" + names[c.point.index] +
                                 "' is beyond the end of its path, which continues straight there",
                             "start it on the path, or make the path longer"));
    }
}

/// Values known in advance that stop being numbers: a root of what a track makes negative.
void check_future(const Scene& scene, Problems& problems)
{
    constexpr int kSamples = 64, kMost = 1000;
    int looked_at = 0;
    const auto look = [&](Value value, Origin origin) {
        if (value.is_constant() || !is_known_in_advance(scene, value) || ++looked_at > kMost)
            return;
        for (int i = 1; i <= kSamples; ++i) {
            const double t =
                scene.settings.start + (scene.settings.end - scene.settings.start) * i / kSamples;
            if (std::isfinite(rates_at(scene, value, t).value))
                continue;
            problems.push_back(make_problem(
                scene, Severity::warning, "becomes-not-finite", origin, "values",
                "this is not a finite number at " + number_text(t) + " s: the run stops before",
                "check for a root or logarithm of a negative number, a division by "
                "zero"));
            return;
        }
    };
    for (const Transformation& t : scene.transformations)
        look(t.amount, t.origin);
    for (const DistanceConstraint& c : scene.distance_constraints)
        look(c.distance, c.origin);
}

} // namespace

Problem circular_positions(const Scene& scene, ObjectId object)
{
    return make_problem(
        scene, Severity::error, "place-depends-on-itself", scene.objects[object.index].origin,
        "objects[" + std::to_string(object.index) + "]",
        "the position of '" + scene.objects[object.index].name + "' depends on itself",
        "break the circle of `name_x` and `on`");
}

std::optional<Problem> find_not_finite(const Scene& scene, const Kinematics& kinematics,
                                       const std::vector<Equation>& equations)
{
    const std::string hint = "check for a division by zero, a root of zero or less, or "
                             "lengths beyond 1e150 m";
    if (const auto i = kinematics.find_not_finite()) {
        const Origin origin = scene.transformations[*i].origin;
        return make_problem(scene, Severity::error, "start-not-finite", origin,
                            "transformations[" + std::to_string(*i) + "]",
                            "at the start this, or its rate of change, is not a finite number",
                            hint);
    }
    for (const Equation& equation : equations) {
        bool is_good = std::isfinite(equation.residual) && std::isfinite(equation.time_rate);
        for (const Partial<double>& partial : equation.gradient)
            is_good = is_good && std::isfinite(partial.value);
        if (!is_good)
            return make_problem(
                scene, Severity::error, "start-not-finite",
                statement_origin(scene, equation.statement),
                "constraints[" + std::to_string(equation.statement) + "]",
                "at the start this constraint, or its rate of change, is not a finite number",
                hint);
    }
    return std::nullopt;
}

Problems check_start(const Scene& scene, const Kinematics& kinematics,
                     const std::vector<Equation>& equations,
                     const std::vector<std::uint32_t>& redundant)
{
    Problems problems;
    std::vector<std::string> names; // asked for by what constraints say alone
    if (!equations.empty() || !scene.path_constraints.empty())
        names = object_names(scene);
    check_positions(scene, kinematics, equations, names, problems);
    check_rates(scene, kinematics, equations, problems);
    check_paths(scene, kinematics, names, problems);
    check_future(scene, problems);
    check_redundant(scene, equations, redundant, problems);
    check_vanishing_lengths(scene, problems);
    for (Problem& problem : check_masses(scene, kinematics, equations))
        problems.push_back(std::move(problem));
    for (Problem& problem : check_drawn_rods(scene))
        problems.push_back(std::move(problem));
    return problems;
}

} // namespace sinew
