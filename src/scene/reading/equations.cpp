#include "scene/reading/equations.h"

#include "math/functions.h"
#include "math/spline.h"
#include "scene/formula.h"

#include <algorithm>
#include <limits>

namespace sinew {

namespace {

/// Weights of all points of a path at u and their derivative in u.
struct PathWeights {
    std::vector<double> weight, slope;
};

PathWeights path_weights(PathKind kind, int n, double u)
{
    PathWeights out{std::vector<double>(n, 0.0), std::vector<double>(n, 0.0)};
    if (kind == PathKind::point) {
        out.weight[0] = 1;
        return out;
    }
    if (kind == PathKind::spline_through) {
        std::vector<double> second(n);
        update_through_weights(u, out.weight, out.slope, second);
        return out;
    }
    if (kind == PathKind::closed_spline) {
        std::vector<double> second(n);
        update_closed_weights(u, out.weight, out.slope, second);
        return out;
    }
    const CurveWeightsT<double> basis =
        kind == PathKind::spline ? bspline_basis(n, u) : polyline_basis(n, u);
    for (int i = 0; i < basis.count; ++i) {
        out.weight[basis.first + i] = basis.weight[i];
        out.slope[basis.first + i] = basis.first_derivative[i];
    }
    return out;
}

Vec3 weighted(const std::vector<Vec3>& points, const std::vector<double>& weights)
{
    Vec3 sum{0, 0, 0};
    for (std::size_t i = 0; i < points.size(); ++i)
        sum = sum + weights[i] * points[i];
    return sum;
}

void add_to(std::vector<Partial<double>>& partials, std::uint32_t column, double value)
{
    for (Partial<double>& partial : partials)
        if (partial.column == column) {
            partial.value += value;
            return;
        }
    partials.push_back({column, value});
}

/// Collects an equation n·(a − b) = residual from the motions of two points.
Equation make_equation(const Kinematics& kinematics, const Vec3& n, const PointMotion& a,
                       const PointMotion& b, double residual, std::uint32_t statement)
{
    Equation equation{.residual = residual, .statement = statement};
    for (const Partial<Vec3>& partial : a.partials)
        add_to(equation.gradient, partial.column, dot(n, partial.value));
    for (const Partial<Vec3>& partial : b.partials)
        add_to(equation.gradient, partial.column, -dot(n, partial.value));
    equation.is_imported = a.is_imported || b.is_imported;
    equation.is_movable =
        std::any_of(equation.gradient.begin(), equation.gradient.end(),
                    [&](const auto& p) { return p.column != kinematics.time_column(); });
    const auto time =
        std::find_if(equation.gradient.begin(), equation.gradient.end(),
                     [&](const auto& p) { return p.column == kinematics.time_column(); });
    if (time != equation.gradient.end()) {
        equation.time_rate = time->value;
        equation.gradient.erase(time);
    }
    return equation;
}

constexpr Vec3 kAxes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

void add_coincidence(const Kinematics& kinematics, const PointMotion& a, const PointMotion& b,
                     std::uint32_t statement, std::vector<Equation>& out)
{
    for (const Vec3& axis : kAxes)
        out.push_back(
            make_equation(kinematics, axis, a, b, dot(axis, a.position - b.position), statement));
}

void add_distance(const Scene& scene, const Kinematics& kinematics, std::uint32_t statement,
                  std::vector<Equation>& out)
{
    const DistanceConstraint& constraint = scene.distance_constraints[statement];
    const PointMotion a = kinematics.point(constraint.a), b = kinematics.point(constraint.b);
    const ValueMotion f = kinematics.value(constraint.distance);
    if (f.value == 0 && !f.is_imported)
        return add_coincidence(kinematics, b, a, statement, out);
    const Vec3 d = b.position - a.position;
    const double distance = length(d);
    const Vec3 n = distance > 0 ? (1 / distance) * d : Vec3{0, 0, 0};
    Equation equation = make_equation(kinematics, n, b, a, distance - abs(f.value), statement);
    equation.size = std::max(distance, abs(f.value));
    equation.is_imported = equation.is_imported || f.is_imported;
    const double sign = f.value < 0 ? -1 : 1;
    for (const Partial<double>& partial : f.partials)
        if (partial.column == kinematics.time_column())
            equation.time_rate -= sign * partial.value;
        else
            add_to(equation.gradient, partial.column, -sign * partial.value);
    out.push_back(std::move(equation));
}

void add_path(const Scene& scene, const Kinematics& kinematics, std::uint32_t statement,
              std::vector<Equation>& out)
{
    const PathConstraint& constraint =
        scene.path_constraints[statement - scene.distance_constraints.size()];
    const Path& path = scene.paths[constraint.path.index];
    const PointMotion x = kinematics.point(constraint.point);
    const PathPoint nearest = find_nearest(scene, kinematics, path, x.position);
    const double speed = length(nearest.tangent);
    if (path.kind == PathKind::point || !(speed > 0))
        return add_coincidence(kinematics, x, nearest.point, statement, out);
    const Vec3 t = (1 / speed) * nearest.tangent;
    // The axis least along the tangent makes the first normal.
    const Vec3 size{abs(t.x), abs(t.y), abs(t.z)};
    const Vec3& axis = kAxes[size.z <= size.x && size.z <= size.y ? 2 : size.y <= size.x ? 1 : 0];
    const Vec3 n1 = normalised(axis - dot(axis, t) * t);
    for (const Vec3& n : {n1, cross(t, n1)})
        out.push_back(make_equation(kinematics, n, x, nearest.point,
                                    dot(n, x.position - nearest.point.position), statement));
}

/// The parameter of the place nearest to x. The first and the last piece go on beyond the ends.
double nearest_on_polyline(const std::vector<Vec3>& points, const Vec3& x)
{
    const std::size_t pieces = points.size() - 1;
    double nearest = 0, best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < pieces; ++i) {
        const Vec3 way = points[i + 1] - points[i];
        const double length2 = dot(way, way);
        double s = length2 > 0 ? dot(x - points[i], way) / length2 : 0;
        s = i > 0 ? std::max(s, 0.0) : s;
        s = i + 1 < pieces ? std::min(s, 1.0) : s;
        const Vec3 d = points[i] + s * way - x;
        if (dot(d, d) < best) {
            best = dot(d, d);
            nearest = (double(i) + s) / double(pieces);
        }
    }
    return nearest;
}

/// The same for a smooth curve: samples find the valleys, golden sections the floors of the lowest,
/// Newton on (P − x)·P′ = 0 the exact place, also beyond the ends where the curve is straight.
template <class Curve>
double nearest_on_curve(const Curve& curve, int samples, const Vec3& x)
{
    constexpr int kMostValleys = 4, kSections = 30, kNewtonSteps = 20;
    constexpr double kGolden = 0.6180339887498949;
    const auto squared_distance = [&](double u) {
        const Vec3 d = curve(u).point - x;
        return dot(d, d);
    };
    std::vector<double> heights;
    for (int i = 0; i <= samples; ++i)
        heights.push_back(squared_distance(double(i) / samples));
    std::vector<int> valleys;
    for (int i = 0; i <= samples; ++i)
        if ((i == 0 || heights[i] <= heights[i - 1]) &&
            (i == samples || heights[i] <= heights[i + 1]))
            valleys.push_back(i);
    std::stable_sort(valleys.begin(), valleys.end(),
                     [&](int i, int j) { return heights[i] < heights[j]; });
    valleys.resize(std::min<std::size_t>(valleys.size(), kMostValleys));

    double nearest = 0, best = std::numeric_limits<double>::infinity();
    for (const int valley : valleys) {
        double low = double(valley - 1) / samples, high = double(valley + 1) / samples;
        for (int i = 0; i < kSections; ++i) {
            const double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
            if (squared_distance(a) < squared_distance(b))
                high = b;
            else
                low = a;
        }
        double u = (low + high) / 2, height = squared_distance(u);
        if (heights[valley] < height) {
            u = double(valley) / samples;
            height = heights[valley];
        }
        for (int i = 0; i < kNewtonSteps; ++i) {
            const auto [place, tangent, bend] = curve(u);
            const double speed2 = dot(tangent, tangent) - dot(x - place, bend);
            const double next = speed2 > 0 ? u + dot(x - place, tangent) / speed2 : u;
            const double lower = squared_distance(next);
            if (!(lower < height))
                break;
            u = next;
            height = lower;
        }
        if (height < best) {
            best = height;
            nearest = u;
        }
    }
    return nearest;
}

} // namespace

PathPoint find_nearest(const Scene& scene, const Kinematics& kinematics, const Path& path,
                       const Vec3& x)
{
    const int n = static_cast<int>(path.points.count / 3);
    std::vector<ValueMotion> values;
    std::vector<Vec3> points;
    for (std::uint32_t i = 0; i < path.points.count; ++i)
        values.push_back(kinematics.value(scene.values[path.points.first + i]));
    const Affine& frame = kinematics.frame(path.frame);
    for (int i = 0; i < n; ++i)
        points.push_back(
            apply(frame, {values[3 * i].value, values[3 * i + 1].value, values[3 * i + 2].value}));

    std::vector<Vec3> moments(points.size());
    if (path.kind == PathKind::spline_through)
        update_moments(points, moments);
    if (path.kind == PathKind::closed_spline)
        update_closed_moments(points, moments);
    const auto curve = [&](double u) {
        return path.kind == PathKind::spline           ? evaluate_bspline(points, u)
               : path.kind == PathKind::spline_through ? evaluate_through(points, moments, u)
                                                       : evaluate_closed(points, moments, u);
    };
    PathPoint nearest;
    if (path.kind == PathKind::line || path.kind == PathKind::polyline)
        nearest.u = nearest_on_polyline(points, x);
    else if (path.kind != PathKind::point)
        nearest.u = nearest_on_curve(curve, 8 * std::min(n, 500), x);
    const PathWeights w = path_weights(path.kind, n, nearest.u);
    Vec3 local{0, 0, 0};
    for (int i = 0; i < n; ++i)
        local = local + w.weight[i] * Vec3{values[3 * i].value, values[3 * i + 1].value,
                                           values[3 * i + 2].value};
    nearest.point = kinematics.point(path.frame, local);
    nearest.tangent = weighted(points, w.slope);
    // Where control points repeat the curve may stand still for a moment: its direction is that
    // beside it.
    constexpr double kBeside = 1e-3;
    for (const double u : {nearest.u + kBeside, nearest.u - kBeside})
        if (!(length(nearest.tangent) > 0))
            nearest.tangent = weighted(points, path_weights(path.kind, n, u).slope);
    for (int i = 0; i < 3 * n; ++i) {
        nearest.point.is_imported = nearest.point.is_imported || values[i].is_imported;
        for (const Partial<double>& partial : values[i].partials)
            nearest.point.partials.push_back(
                {partial.column, w.weight[i / 3] * partial.value * (frame.linear * kAxes[i % 3])});
    }
    return nearest;
}

std::vector<Equation> make_equations(const Scene& scene, const Kinematics& kinematics)
{
    std::vector<Equation> equations;
    const auto distances = static_cast<std::uint32_t>(scene.distance_constraints.size());
    const auto paths = static_cast<std::uint32_t>(scene.path_constraints.size());
    const auto holds = [&](const Release& release) {
        return !waits_for_event(scene, release.active) ||
               kinematics.value(release.active).value > 0.5;
    };
    for (std::uint32_t i = 0; i < distances; ++i)
        if (holds(scene.distance_constraints[i].release))
            add_distance(scene, kinematics, i, equations);
    for (std::uint32_t i = 0; i < paths; ++i)
        if (holds(scene.path_constraints[i].release))
            add_path(scene, kinematics, distances + i, equations);
    return equations;
}

bool waits_for_event(const Scene& scene, Value active)
{
    bool waits = false;
    for_each_leaf(scene, active, [&](const Formula& leaf) {
        waits = waits || (leaf.operation == Operation::coordinate &&
                          scene.coordinates[leaf.index].kind == CoordinateKind::event);
    });
    return waits;
}

Origin statement_origin(const Scene& scene, std::uint32_t statement)
{
    const std::size_t distances = scene.distance_constraints.size();
    return statement < distances ? scene.distance_constraints[statement].origin
                                 : scene.path_constraints[statement - distances].origin;
}

} // namespace sinew
