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
#include "models/rod/span.h"
#include "models/rod/span_lanes.h"

#include <algorithm>

namespace sinew::rod {

namespace {

/// Calls call(terms) for every span, and every kink of a chain. A span that runs through eyes is
/// not straight: it has no strain of its own, and no kinks at its ends.
template <class Call>
void for_each_terms(const Plan& plan, const Configuration& at, const Loads& loads, Call&& call)
{
    SpanTerms terms;
    for (std::size_t span = 0; span < plan.spans; ++span) {
        if (loads.is_idle(span))
            continue;
        measure_span(plan, at, span, terms);
        call(terms);
    }
    for (std::size_t node = 1; plan.is_chain && node + 1 < plan.node_count; ++node) {
        if (loads.is_idle(node - 1) || loads.is_idle(node))
            continue;
        measure_kink(plan, at, node, terms);
        call(terms);
    }
}

/// θ² T/r (1 − u uᵀ) of legs to eyes.
void add_leg_matrix(const Loads& loads, double theta, ChainLdl& W)
{
    for (const Loads::Leg& leg : loads.legs) {
        const ChainLdl::Group group = W.group(leg.node, 1);
        for (int c = 0; c < 3; ++c)
            for (int r = c; r < 3; ++r)
                group.columns[std::size_t(c) * ChainLdl::kColumn + std::size_t(r)] +=
                    theta * theta * leg.stiffness *
                    ((r == c ? 1.0 : 0.0) - leg.unit[r] * leg.unit[c]);
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

double damped_strain(const SpanTerms& terms, const Term& term, std::span<const double> v)
{
    if (!(term.damping > 0))
        return term.strain;
    double rate[4] = {};
    for (std::size_t i = 0; i < terms.count; i += 4)
        for (std::size_t c = 0; c < 4; ++c)
            rate[c] += term.row[i + c] * v[terms.first + i + c];
    return term.strain + term.damping * ((rate[0] + rate[2]) + (rate[1] + rate[3]));
}

void add_span_force(const Plan& plan, const Configuration& at, const Loads& loads,
                    const SpanTerms& terms, std::span<double> force)
{
    for (std::size_t k = 0; k < terms.term_count; ++k) {
        const Term& term = terms.term[k];
        const double pull = term.stiffness * damped_strain(terms, term, at.v);
        for (std::size_t i = 0; i < terms.count; ++i)
            force[terms.first + i] -= pull * term.row[i];
    }
    for (std::size_t k = 0; has_drag(plan) && k < terms.point_count; ++k)
        add_drag(plan, at, loads, terms.first_point + k, terms.strains[k], force);
}

void add_force(const Plan& plan, const Configuration& at, const Loads& loads, SpanRoom& room,
               std::span<double> force)
{
    if (has_lanes(plan))
        add_lane_force(plan, at, loads, false, room, force);
    else
        for_each_terms(plan, at, loads, [&](const SpanTerms& terms) {
            add_span_force(plan, at, loads, terms, force);
        });
    add_weight(plan, loads, force);
}

void assemble(const Plan& plan, const Configuration& at, const Loads& loads, double theta,
              double mass_scale, SpanRoom& room, std::span<double> force, ChainLdl& W)
{
    W.set_scaled(plan.mass, mass_scale);
    if (has_lanes(plan)) {
        add_lane_force(plan, at, loads, true, room, force);
        add_lane_matrix(plan, room, theta, W);
    } else {
        std::array<Aside, 4> asides;
        for_each_terms(plan, at, loads, [&](const SpanTerms& terms) {
            add_span_force(plan, at, loads, terms, force);
            const std::size_t count = measure_asides(plan, terms, theta, asides);
            add_span_matrix(terms, theta, asides.data(), count, W);
        });
        add_leg_matrix(loads, theta, W);
    }
    add_weight(plan, loads, force);
}

RodEnergy compute_energy(const Plan& plan, const Configuration& at, const Loads& loads)
{
    RodEnergy energy;
    for_each_terms(plan, at, loads, [&](const SpanTerms& terms) {
        for (std::size_t k = 0; k < terms.term_count; ++k)
            energy.elastic +=
                0.5 * terms.term[k].stiffness * terms.term[k].strain * terms.term[k].strain;
    });
    for (std::size_t i = 0; i < plan.node_count; ++i)
        energy.weight -= plan.node_mass[i] *
                         dot(loads.gravity, Vec3{at.x[4 * i], at.x[4 * i + 1], at.x[4 * i + 2]});
    std::vector<double> momentum(plan.size(), 0.0);
    add_momentum(plan, at.v, momentum);
    for (std::size_t i = 0; i < plan.size(); ++i)
        energy.kinetic += 0.5 * momentum[i] * at.v[i];
    return energy;
}

} // namespace sinew::rod
