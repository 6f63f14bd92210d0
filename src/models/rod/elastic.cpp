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

/// EI/l of a chain's inner points.
double kink_stiffness(const Plan& plan) { return plan.stiffness[1] * plan.spans / plan.length; }

/// A strain of a span in its control points: energy ½ stiffness strain².
struct Term {
    Row row = {};
    double stiffness = 0, strain = 0;
};

/// What a span feels.
struct SpanTerms {
    std::size_t first = 0, count = 0; ///< numbers
    std::array<Term, 8> term = {};
    std::size_t term_count = 0;
    std::array<Strains, 2> strains = {}; ///< at its points
    std::array<double, 2> tension = {};  ///< EA e⁺ there [N]
    std::size_t point_count = 0, first_point = 0;

    void add(const Row& row, double stiffness, double strain)
    {
        term[term_count++] = {row, stiffness, strain};
    }
};

/// Inside, a span is stretched as a whole: at each of its points a curve of cubics could not keep
/// its length and bend. The first and the last are felt at both points, else two ways to stretch
/// and shrink in turns would be free.
void measure_span(const Plan& plan, const Configuration& at, std::size_t span, SpanTerms& out)
{
    out.point_count = plan.points.size() / plan.spans;
    out.first_point = span * out.point_count;
    out.term_count = 0;
    const Point* points = &plan.points[out.first_point];
    out.first = 4 * std::size_t(points->basis.first);
    out.count = 4 * std::size_t(points->basis.count);
    const bool is_whole = !plan.is_chain && span > 0 && span + 1 < plan.spans;
    Term whole;
    double length = 0;
    for (std::size_t k = 0; k < out.point_count; ++k) {
        const Point& point = points[k];
        Strains& strains = out.strains[k];
        strains =
            compute_strains(local_at(point, at.x), at.references[out.first_point + k], point.rest);
        const Row stretch = spread(point, strains.slope[0]);
        if (is_whole) {
            length += point.length;
            whole.strain += strains.strain[0] * point.length;
            for (std::size_t i = 0; i < stretch.size(); ++i)
                whole.row[i] += stretch[i] * point.length;
        } else {
            out.add(stretch, plan.stiffness[0] * point.length, strains.strain[0]);
            out.tension[k] = plan.stiffness[0] * max(strains.strain[0], 0.0);
        }
        for (std::size_t i = 1; i < 4 && !plan.is_chain; ++i)
            out.add(spread(point, strains.slope[i]), plan.stiffness[i] * point.length,
                    strains.strain[i]);
    }
    if (!is_whole)
        return;
    for (double& number : whole.row)
        number /= length;
    out.add(whole.row, plan.stiffness[0] * length, whole.strain / length);
    out.tension.fill(plan.stiffness[0] * max(whole.strain / length, 0.0));
}

/// The kink at an inner point of a chain, as terms.
void measure_kink(const Plan& plan, const Configuration& at, std::size_t node, SpanTerms& out)
{
    const Kink kink = kink_at(at.x, node);
    out.first = kink.first;
    out.count = 12;
    out.point_count = out.term_count = 0;
    for (int c = 0; c < 3; ++c)
        out.add(kink.slope[std::size_t(c)], kink_stiffness(plan), kink.strain[c]);
}

/// Calls call(terms) for every span, and every kink of a chain.
template <class Call>
void for_each_terms(const Plan& plan, const Configuration& at, Call&& call)
{
    SpanTerms terms;
    for (std::size_t span = 0; span < plan.spans; ++span) {
        measure_span(plan, at, span, terms);
        call(terms);
    }
    for (std::size_t node = 1; plan.is_chain && node + 1 < plan.node_count; ++node) {
        measure_kink(plan, at, node, terms);
        call(terms);
    }
}

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

/// Of the air, as if it held alike along and across: at least what it is.
void add_resistance(const Plan& plan, const Point& point, double theta, BandLdl& W)
{
    const double drag = theta * max(plan.drag_along, plan.drag_across) * point.length;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        Row row = {};
        for (std::size_t k = 0; k < std::size_t(point.basis.count); ++k)
            row[4 * k + axis] = point.basis.weight[k];
        add_square(row, drag, 4 * std::size_t(point.basis.first),
                   4 * std::size_t(point.basis.count), W);
    }
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
    for_each_terms(plan, at, [&](const SpanTerms& terms) {
        for (std::size_t k = 0; k < terms.term_count; ++k) {
            const Term& term = terms.term[k];
            double strain = term.strain;
            if (plan.damping > 0) {
                double rate = 0;
                for (std::size_t i = 0; i < terms.count; ++i)
                    rate += term.row[i] * at.v[terms.first + i];
                strain += plan.damping * rate;
            }
            for (std::size_t i = 0; i < terms.count; ++i)
                force[terms.first + i] -= term.stiffness * strain * term.row[i];
        }
        for (std::size_t k = 0; has_drag(plan) && k < terms.point_count; ++k)
            add_drag(plan, at, loads, terms.first_point + k, terms.strains[k], force);
    });
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
    for_each_terms(plan, at, [&](const SpanTerms& terms) {
        for (std::size_t k = 0; k < terms.term_count; ++k)
            add_square(terms.term[k].row, factor * terms.term[k].stiffness, terms.first,
                       terms.count, W);
        for (std::size_t k = 0; k < terms.point_count; ++k) {
            const Point& point = plan.points[terms.first_point + k];
            if (terms.tension[k] > 0)
                add_tension(
                    point, terms.strains[k],
                    theta * theta * point.length * terms.tension[k] / terms.strains[k].stretch, W);
            if (has_drag(plan))
                add_resistance(plan, point, theta, W);
        }
    });
}

RodEnergy compute_energy(const Plan& plan, const Configuration& at, const Loads& loads)
{
    RodEnergy energy;
    for_each_terms(plan, at, [&](const SpanTerms& terms) {
        for (std::size_t k = 0; k < terms.term_count; ++k)
            energy.elastic +=
                0.5 * terms.term[k].stiffness * terms.term[k].strain * terms.term[k].strain;
    });
    for (std::size_t i = 0; i < plan.node_count; ++i)
        energy.weight -= plan.node_mass[i] * dot(loads.gravity, node_at(at.x, i));
    std::vector<double> momentum(plan.size(), 0.0);
    plan.mass.add_product(at.v, momentum);
    for (std::size_t i = 0; i < plan.size(); ++i)
        energy.kinetic += 0.5 * momentum[i] * at.v[i];
    return energy;
}

std::vector<double> compute_tension(const Plan& plan, std::span<const double> x)
{
    std::vector<double> tension;
    const std::size_t of_span = plan.points.size() / plan.spans;
    for (std::size_t span = 0; span < plan.spans; ++span) {
        double stretched = 0, length = 0;
        for (std::size_t k = 0; k < of_span; ++k) {
            const Point& point = plan.points[span * of_span + k];
            stretched += (sinew::length(local_at(point, x).p) - 1) * point.length;
            length += point.length;
        }
        tension.push_back(plan.stiffness[0] * stretched / length);
    }
    return tension;
}

} // namespace sinew::rod
