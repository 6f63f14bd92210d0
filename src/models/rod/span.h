#pragma once

/// What one span of a rod feels, in the sixteen numbers of its control points.

#include "models/rod/elastic.h"

namespace sinew::rod {

using Row = std::array<double, kNumbers * 4>;

/// A strain of a span in its control points: energy ½ stiffness strain².
struct Term {
    Row row = {};
    double stiffness = 0, strain = 0, damping = 0;
};

/// What is taut resists going aside: (1 − t tᵀ) bᵢ′ bⱼ′ of a point, as columns.
struct Aside {
    double factor = 0;
    std::array<double, 4> weight = {};
    std::array<Row, 3> row = {};
};

/// What a span feels. Rows are zero behind their `count` numbers.
struct SpanTerms {
    std::size_t first = 0, count = 0; ///< numbers
    std::array<Term, 8> term = {};
    std::size_t term_count = 0;
    std::array<Strains, 2> strains = {}; ///< at its points
    std::array<double, 2> tension = {};  ///< EA e⁺ there [N]
    std::size_t point_count = 0, first_point = 0;

    Term& add(double stiffness, double strain, double damping)
    {
        Term& added = term[term_count++];
        added.stiffness = stiffness;
        added.strain = strain;
        added.damping = damping;
        return added;
    }
};

inline bool has_drag(const Plan& plan) { return plan.drag_along > 0 || plan.drag_across > 0; }

/// Overwrites `out` with the strains of a span.
void measure_span(const Plan& plan, const Configuration& at, std::size_t span, SpanTerms& out);

/// The kink at an inner point of a chain, as terms.
void measure_kink(const Plan& plan, const Configuration& at, std::size_t node, SpanTerms& out);

/// The strain with what damping adds to it: stiffness times this is what the term pulls with.
double damped_strain(const SpanTerms& terms, const Term& term, std::span<const double> v);

/// Adds −∂E/∂x of a span with what damping adds, and its drag.
void add_span_force(const Plan& plan, const Configuration& at, const Loads& loads,
                    const SpanTerms& terms, std::span<double> force);

/// What of a span stiffens aside: tension, and the air as if it held alike along and across. Says
/// how many.
std::size_t measure_asides(const Plan& plan, const SpanTerms& terms, double theta,
                           std::array<Aside, 4>& asides);

/// Adds Σ (θ² + θ Tₖ) kₖ gₖ gₖᵀ and the asides.                                       [eq. 5]
void add_span_matrix(const SpanTerms& terms, double theta, const Aside* asides,
                     std::size_t aside_count, ChainLdl& W);

} // namespace sinew::rod
