// Energy E = Σ over points ½ (EA e² + EI κ² + GJ τ²) ds, its slope and a positive matrix like its
// curvature.
//
//   in:  control points, reference frames
//   out: f = −∂E/∂x − damping + loads;  W = M + (θ² + θ T) Σ Dₖ gₖ gₖᵀ + θ² tension   [eqs 4, 5]
//
// gₖ are the strains' slopes in the sixteen numbers of a span: what the second derivatives of the
// strains would add is left out, except where tension stiffens across the rod. The residual is
// exact, so the iteration ends at the exact stage.

#include "models/rod/elastic.h"

#include "math/functions.h"

#include <algorithm>

namespace sinew::rod {

namespace {

using Row = std::array<double, kNumbers * 4>;

/// A strain's slope in the control points of its span.
Row spread(const Point& point, const Slope& slope)
{
    Row row = {};
    const double by_speed = 1 / point.speed, by_square = by_speed * by_speed;
    for (std::size_t i = 0; i < std::size_t(point.basis.count); ++i) {
        const double first = point.basis.first_derivative[i] * by_speed;
        const double second = point.basis.second_derivative[i] * by_square;
        row[4 * i] = first * slope.p.x + second * slope.q.x;
        row[4 * i + 1] = first * slope.p.y + second * slope.q.y;
        row[4 * i + 2] = first * slope.p.z + second * slope.q.z;
        row[4 * i + 3] = point.basis.weight[i] * slope.phi + first * slope.omega;
    }
    return row;
}

/// What the unit vectors of two neighbours of a chain differ by, in twelve numbers: three rows.
struct Kink {
    Vec3 strain;
    std::array<Row, 3> slope = {};
    std::size_t first = 0; ///< number, of the first of three control points
};

Vec3 node_at(std::span<const double> x, std::size_t node)
{
    return {x[4 * node], x[4 * node + 1], x[4 * node + 2]};
}

Kink kink_at(std::span<const double> x, std::size_t node)
{
    Kink kink;
    kink.first = 4 * (node - 1);
    Vec3 unit[2];
    double size[2];
    for (std::size_t k = 0; k < 2; ++k) {
        const Vec3 d = node_at(x, node + k) - node_at(x, node + k - 1);
        size[k] = max(length(d), 1e-12);
        unit[k] = d / size[k];
    }
    kink.strain = unit[1] - unit[0];
    for (int c = 0; c < 3; ++c)
        for (int axis = 0; axis < 3; ++axis)
            for (std::size_t k = 0; k < 2; ++k) {
                const double part =
                    ((c == axis ? 1.0 : 0.0) - unit[k][c] * unit[k][axis]) / size[k];
                const double sign = k == 1 ? 1 : -1;
                kink.slope[std::size_t(c)][4 * (k + 1) + std::size_t(axis)] += sign * part;
                kink.slope[std::size_t(c)][4 * k + std::size_t(axis)] -= sign * part;
            }
    return kink;
}

/// column(first + c) += factor row rowᵀ, lower half.
void add_square(const Row& row, double factor, std::size_t first, std::size_t count, BandLdl& W)
{
    for (std::size_t c = 0; c < count; ++c) {
        const double scaled = factor * row[c];
        if (scaled == 0)
            continue;
        double* column = W.column(first + c);
        for (std::size_t r = c; r < count; ++r)
            column[r - c] += scaled * row[r];
    }
}

/// EA e⁺/|p| (1 − t tᵀ): what is taut resists going aside.
void add_tension(const Point& point, const Strains& strains, double factor, BandLdl& W)
{
    const std::size_t first = 4 * std::size_t(point.basis.first);
    const Vec3& t = strains.t;
    for (std::size_t i = 0; i < std::size_t(point.basis.count); ++i)
        for (std::size_t j = i; j < std::size_t(point.basis.count); ++j) {
            const double both = factor * point.basis.first_derivative[i] *
                                point.basis.first_derivative[j] / (point.speed * point.speed);
            for (int a = 0; a < 3; ++a)
                for (int b = i == j ? a : 0; b < 3; ++b)
                    W.column(first + 4 * i + std::size_t(a))[4 * (j - i) + std::size_t(b - a)] +=
                        both * ((a == b ? 1.0 : 0.0) - t[a] * t[b]);
        }
}

std::size_t strain_count(const Plan& plan) { return plan.is_chain ? 1 : 4; }

/// EI/l of a chain's inner points.
double kink_stiffness(const Plan& plan) { return plan.stiffness[1] * plan.spans / plan.length; }

void add_drag(const Plan& plan, const Configuration& at, const Loads& loads, std::size_t i,
              const Strains& strains, std::span<double> force)
{
    const Point& point = plan.points[i];
    Vec3 wind = curve_at(point.basis, at.v).point;
    if (!loads.air.empty())
        wind -= loads.air[i];
    const Vec3 along = strains.t * dot(strains.t, wind);
    const Vec3 drag = (along * plan.drag_along + (wind - along) * plan.drag_across) * point.length;
    for (std::size_t k = 0; k < std::size_t(point.basis.count); ++k)
        for (int axis = 0; axis < 3; ++axis)
            force[4 * (std::size_t(point.basis.first) + k) + std::size_t(axis)] -=
                drag[axis] * point.basis.weight[k];
}

bool has_drag(const Plan& plan) { return plan.drag_along > 0 || plan.drag_across > 0; }

void add_weight(const Plan& plan, const Loads& loads, std::span<double> force)
{
    for (std::size_t i = 0; i < plan.node_count; ++i)
        for (int axis = 0; axis < 3; ++axis)
            force[4 * i + std::size_t(axis)] += plan.node_mass[i] * loads.gravity[axis];
    for (std::size_t i = 0; i < loads.acceleration.size(); ++i) {
        const Point& point = plan.points[i];
        const Vec3 push = loads.acceleration[i] * (plan.mass_per_length * point.length);
        for (std::size_t k = 0; k < std::size_t(point.basis.count); ++k)
            for (int axis = 0; axis < 3; ++axis)
                force[4 * (std::size_t(point.basis.first) + k) + std::size_t(axis)] +=
                    push[axis] * point.basis.weight[k];
    }
    for (std::size_t i = 0; i < loads.force.size(); ++i)
        force[i] += loads.force[i];
}

} // namespace

void add_force(const Plan& plan, const Configuration& at, const Loads& loads,
               std::span<double> force)
{
    const auto push = [&](const Row& row, std::size_t first, std::size_t count, double amount) {
        for (std::size_t k = 0; k < count; ++k)
            force[first + k] -= amount * row[k];
    };
    for (std::size_t i = 0; i < plan.points.size(); ++i) {
        const Point& point = plan.points[i];
        const Strains strains =
            compute_strains(local_at(point, at.x), at.references[i], point.rest);
        const std::size_t first = 4 * std::size_t(point.basis.first);
        const std::size_t count = 4 * std::size_t(point.basis.count);
        for (std::size_t k = 0; k < strain_count(plan); ++k) {
            const Row row = spread(point, strains.slope[k]);
            double strain = strains.strain[k];
            if (plan.damping > 0) {
                double rate = 0;
                for (std::size_t r = 0; r < count; ++r)
                    rate += row[r] * at.v[first + r];
                strain += plan.damping * rate;
            }
            push(row, first, count, plan.stiffness[k] * point.length * strain);
        }
        if (has_drag(plan))
            add_drag(plan, at, loads, i, strains, force);
    }
    if (plan.is_chain)
        for (std::size_t node = 1; node + 1 < plan.node_count; ++node) {
            const Kink kink = kink_at(at.x, node);
            for (int c = 0; c < 3; ++c) {
                const Row& row = kink.slope[std::size_t(c)];
                double strain = kink.strain[c];
                for (std::size_t r = 0; r < 12; ++r)
                    strain += plan.damping * row[r] * at.v[kink.first + r];
                push(row, kink.first, 12, kink_stiffness(plan) * strain);
            }
        }
    add_weight(plan, loads, force);
}

void update_matrix(const Plan& plan, const Configuration& at, double theta, double mass_scale,
                   BandLdl& W)
{
    for (std::size_t k = 0; k < plan.size(); ++k) {
        const double* from = plan.mass.column(k);
        double* to = W.column(k);
        for (std::size_t m = 0; m <= kHalfWidth; ++m)
            to[m] = mass_scale * from[m];
    }
    const double factor = theta * theta + theta * plan.damping;
    for (std::size_t i = 0; i < plan.points.size(); ++i) {
        const Point& point = plan.points[i];
        const Strains strains =
            compute_strains(local_at(point, at.x), at.references[i], point.rest);
        const std::size_t first = 4 * std::size_t(point.basis.first);
        const std::size_t count = 4 * std::size_t(point.basis.count);
        for (std::size_t k = 0; k < strain_count(plan); ++k)
            add_square(spread(point, strains.slope[k]), factor * plan.stiffness[k] * point.length,
                       first, count, W);
        if (strains.strain[0] > 0)
            add_tension(point, strains,
                        theta * theta * plan.stiffness[0] * point.length * strains.strain[0] /
                            strains.stretch,
                        W);
        if (has_drag(plan)) {
            const double drag = theta * max(plan.drag_along, plan.drag_across) * point.length;
            for (int axis = 0; axis < 3; ++axis) {
                Row row = {};
                for (std::size_t k = 0; k < std::size_t(point.basis.count); ++k)
                    row[4 * k + std::size_t(axis)] = point.basis.weight[k];
                add_square(row, drag, first, count, W);
            }
        }
    }
    if (plan.is_chain)
        for (std::size_t node = 1; node + 1 < plan.node_count; ++node) {
            const Kink kink = kink_at(at.x, node);
            for (const Row& row : kink.slope)
                add_square(row, factor * kink_stiffness(plan), kink.first, 12, W);
        }
}

RodEnergy compute_energy(const Plan& plan, const Configuration& at, const Loads& loads)
{
    RodEnergy energy;
    for (std::size_t i = 0; i < plan.points.size(); ++i) {
        const Point& point = plan.points[i];
        const Strains strains =
            compute_strains(local_at(point, at.x), at.references[i], point.rest);
        for (std::size_t k = 0; k < strain_count(plan); ++k)
            energy.elastic +=
                0.5 * plan.stiffness[k] * point.length * strains.strain[k] * strains.strain[k];
    }
    if (plan.is_chain)
        for (std::size_t node = 1; node + 1 < plan.node_count; ++node) {
            const Kink kink = kink_at(at.x, node);
            energy.elastic += 0.5 * kink_stiffness(plan) * dot(kink.strain, kink.strain);
        }
    for (std::size_t i = 0; i < plan.node_count; ++i)
        energy.weight -= plan.node_mass[i] * dot(loads.gravity, node_at(at.x, i));
    std::vector<double> momentum(plan.size(), 0.0);
    plan.mass.add_product(at.v, momentum);
    for (std::size_t i = 0; i < plan.size(); ++i)
        energy.kinetic += 0.5 * momentum[i] * at.v[i];
    return energy;
}

std::vector<double> compute_tension(const Plan& plan, const Configuration& at)
{
    std::vector<double> tension;
    for (std::size_t i = 0; i < plan.points.size(); ++i)
        tension.push_back(plan.stiffness[0] * (length(local_at(plan.points[i], at.x).p) - 1));
    return tension;
}

} // namespace sinew::rod
