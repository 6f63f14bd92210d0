// The equations with their derivatives.
//
// Each number enters as a jet along the motion with q̈ = 0, so one evaluation gives f, ḟ and the
// part of f̈ that is not J q̈ [HerrWyvill90: "we use the second time derivatives of f₁ … f₇"].

#include "models/linkage/paper/equations/rows.h"

#include "math/functions.h"
#include "math/spline.h"
#include "scene/formula.h"

#include <algorithm>

namespace sinew::charli_method {

namespace {

/// The gradient of one row: add(factor, slope) for each number it depends on.
class Gradient {
public:
    Gradient(const System& system, const Row& row, std::vector<double>& values)
        : columns_(system.columns.begin() + row.first_column,
                   system.columns.begin() + row.first_column + row.column_count),
          values_(values.begin() + row.first_column,
                  values.begin() + row.first_column + row.column_count)
    {
    }

    void add(std::uint32_t unknown, double slope) const
    {
        const auto found = std::lower_bound(columns_.begin(), columns_.end(), unknown);
        values_[std::size_t(found - columns_.begin())] += slope;
    }
    void add(Factor factor, double slope) const
    {
        if (!factor.is_known)
            add(factor.index, slope);
    }
    std::span<const std::uint32_t> columns() const { return columns_; }

private:
    std::span<const std::uint32_t> columns_;
    std::span<double> values_;
};

Jet2 sum_of(const System& system, const Instant& at, const Row& row)
{
    Jet2 sum;
    for (std::uint32_t i = row.first; i < row.first + row.count; ++i) {
        const Term& term = system.terms[i];
        sum += Jet2(term.coefficient) * at.jet(term.a) * at.jet(term.b);
    }
    return sum;
}

void add_sum_gradient(const System& system, const Instant& at, const Row& row, const Gradient& J)
{
    for (std::uint32_t i = row.first; i < row.first + row.count; ++i) {
        const Term& term = system.terms[i];
        J.add(term.a, term.coefficient * at.value(term.b));
        J.add(term.b, term.coefficient * at.value(term.a));
    }
}

/// [HerrWyvill90, dist_constraints]: (m₁ − m₀)² − f(t)² = 0.
Jet2 distance_of(const Instant& at, const Distance& distance)
{
    Jet2 sum = -(at.jet(distance.length) * at.jet(distance.length));
    for (std::size_t k = 0; k < 3; ++k) {
        const Jet2 d = at.jet(distance.b[k]) - at.jet(distance.a[k]);
        sum += d * d;
    }
    return sum;
}

/// Returns the floor of the gradient: it vanishes where the ends meet.
double add_distance_gradient(const Instant& at, const Distance& distance, const Gradient& J)
{
    const Vec3 d = at.place(distance.b) - at.place(distance.a);
    const double f = at.value(distance.length);
    for (std::size_t k = 0; k < 3; ++k) {
        J.add(distance.b[k], 2 * d[int(k)]);
        J.add(distance.a[k], -2 * d[int(k)]);
    }
    J.add(distance.length, -2 * f);
    return 2 * std::max(length(d), abs(f));
}

/// The weights of all points of a curve at u.
struct Weights {
    std::vector<double> weight, first, second;
};

Weights weights_of(const Curve& curve, double u)
{
    const auto n = static_cast<int>(curve.points.size());
    const std::vector<double> zeros(curve.points.size());
    Weights w{zeros, zeros, zeros};
    if (curve.kind == PathKind::spline_through) {
        update_through_weights(u, w.weight, w.first, w.second);
        return w;
    }
    if (curve.kind == PathKind::closed_spline) {
        update_closed_weights(u, w.weight, w.first, w.second);
        return w;
    }
    const CurveWeights basis =
        curve.kind == PathKind::spline ? bspline_basis(n, u) : polyline_basis(n, u);
    for (std::size_t i = 0; i < std::size_t(basis.count); ++i) {
        w.weight[std::size_t(basis.first) + i] = basis.weight[i];
        w.first[std::size_t(basis.first) + i] = basis.first_derivative[i];
        w.second[std::size_t(basis.first) + i] = basis.second_derivative[i];
    }
    return w;
}

/// x − P(u) along an axis; P is linear in its points, so each weight is a jet in u.
Jet2 curve_of(const Instant& at, const Curve& curve, std::uint32_t axis, const Weights& w)
{
    const Jet2 u(at.values[curve.u], at.rates[curve.u]);
    Jet2 sum = at.jet(curve.out[axis]);
    for (std::size_t i = 0; i < curve.points.size(); ++i)
        sum -= chain(u, w.weight[i], w.first[i], w.second[i]) * at.jet(curve.points[i][axis]);
    return sum;
}

/// Returns the floor of the gradient: a known x leaves u alone, which may not move along the axis.
double add_curve_gradient(const Instant& at, const Curve& curve, std::uint32_t axis,
                          const Weights& w, const Gradient& J)
{
    Vec3 tangent;
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
        tangent += w.first[i] * at.place(curve.points[i]);
        J.add(curve.points[i][axis], -w.weight[i]);
    }
    J.add(curve.out[axis], 1);
    J.add(curve.u, -tangent[int(axis)]);
    return curve.out[axis].is_known ? length(tangent) : 0;
}

/// Leaves along the motion; or along one unknown, for a partial derivative.
struct FormulaLeaves {
    const System& system;
    const Instant& at;
    std::uint32_t along_unknown = kNone;

    Jet2 number(Factor factor) const
    {
        if (along_unknown == kNone)
            return at.jet(factor);
        return {at.value(factor), !factor.is_known && factor.index == along_unknown ? 1.0 : 0.0};
    }
    Jet2 time() const { return {at.time, along_unknown == kNone ? 1.0 : 0.0}; }
    Jet2 along() const { return 0; }
    Side side() const { return at.side; }
    Jet2 coordinate(std::uint32_t i) const { return number({false, system.script_unknowns[i]}); }
    Jet2 imported(std::uint32_t i) const
    {
        return along_unknown == kNone ? at.imports[i] : Jet2(at.imports[i].value);
    }
    Jet2 position(const Formula& formula) const
    {
        return number(system.positions[std::size_t(&formula - system.scene.formulas.data())]);
    }
};

Jet2 formula_of(const System& system, const Instant& at, const FormulaItem& item)
{
    return at.jet({false, item.out}) -
           evaluate<Jet2>(system.scene, item.value, FormulaLeaves{system, at});
}

void add_formula_gradient(const System& system, const Instant& at, const FormulaItem& item,
                          const Gradient& J)
{
    for (const std::uint32_t column : J.columns())
        if (column != item.out)
            J.add(
                column,
                -evaluate<Jet2>(system.scene, item.value, FormulaLeaves{system, at, column}).first);
    J.add(item.out, 1);
}

/// θ − the angle of (ξ, η) nearest to it.
Jet2 angle_of(const Instant& at, const Turn& turn)
{
    const Jet2 theta = at.jet({false, turn.theta}), xi = at.jet({false, turn.xi}),
               eta = at.jet({false, turn.eta});
    const Jet2 angle = atan2(eta, xi);
    const double c = cos(theta.value), s = sin(theta.value);
    const double ahead = atan2(eta.value * c - xi.value * s, xi.value * c + eta.value * s);
    return {-ahead, theta.first - angle.first, -angle.second};
}

void add_angle_gradient(const Instant& at, const Turn& turn, const Gradient& J)
{
    const double xi = at.values[turn.xi], eta = at.values[turn.eta];
    const double square = xi * xi + eta * eta;
    J.add(turn.theta, 1);
    J.add(turn.xi, eta / square);
    J.add(turn.eta, -xi / square);
}

/// A distance that a step takes through zero has no direction there: its row is left out of the
/// stage that falls upon it.
bool is_passing_zero(const Instant& at, const Distance& distance)
{
    const Jet2 f = at.jet(distance.length);
    return distance.length.is_known && abs(f.value) <= 1e-3 * at.step * abs(f.first);
}

/// Adds ∂f/∂q of a row; returns its floor.
double add_gradient(const System& system, const Instant& at, const Row& row, const Gradient& J)
{
    switch (row.kind) {
    case RowKind::sum: add_sum_gradient(system, at, row, J); break;
    case RowKind::distance: return add_distance_gradient(at, system.distances[row.first], J);
    case RowKind::curve: {
        const Curve& curve = system.curves[row.first];
        return add_curve_gradient(at, curve, row.axis, weights_of(curve, at.values[curve.u]), J);
    }
    case RowKind::formula: add_formula_gradient(system, at, system.formulas[row.first], J); break;
    case RowKind::angle: add_angle_gradient(at, system.turns[row.first], J); break;
    }
    return 0;
}

} // namespace

CurveMotion curve_motion(const Instant& at, const Curve& curve)
{
    const Weights w = weights_of(curve, at.values[curve.u]);
    CurveMotion motion;
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
        motion.place += w.weight[i] * at.place(curve.points[i]);
        motion.tangent += w.first[i] * at.place(curve.points[i]);
        motion.velocity += w.weight[i] * at.velocity(curve.points[i]);
    }
    return motion;
}

Jet2 evaluate_row(const System& system, const Instant& at, const Row& row)
{
    switch (row.kind) {
    case RowKind::sum: return sum_of(system, at, row);
    case RowKind::distance: return distance_of(at, system.distances[row.first]);
    case RowKind::curve: {
        const Curve& curve = system.curves[row.first];
        return curve_of(at, curve, row.axis, weights_of(curve, at.values[curve.u]));
    }
    case RowKind::formula: return formula_of(system, at, system.formulas[row.first]);
    case RowKind::angle: return angle_of(at, system.turns[row.first]);
    }
    return 0;
}

void update_zeros(const System& system, const Instant& at, std::vector<char>& is_zero)
{
    is_zero.assign(system.distances.size(), 0);
    for (std::size_t i = 0; i < system.distances.size(); ++i) {
        const Factor length = system.distances[i].length;
        const Jet2 f = at.jet(length);
        is_zero[i] = length.is_known && f.value == 0 && f.first == 0 && f.second == 0;
    }
}

void update_rows(const System& system, const Instant& at, const std::vector<char>& is_zero,
                 RowValues& out)
{
    out.residuals.assign(system.rows.size(), {});
    out.gradients.assign(system.columns.size(), 0.0);
    out.floors.assign(system.rows.size(), 0.0);
    for (std::size_t i = 0; i < system.rows.size(); ++i) {
        const Row& row = system.rows[i];
        if (row.distance != kNone && (is_zero[row.distance] != 0) != row.is_for_zero)
            continue; // the other form of this distance holds
        if (row.kind == RowKind::distance && is_passing_zero(at, system.distances[row.first]))
            continue;
        out.residuals[i] = evaluate_row(system, at, row);
        out.floors[i] = add_gradient(system, at, row, Gradient(system, row, out.gradients));
    }
}

} // namespace sinew::charli_method
