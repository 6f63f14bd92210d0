#pragma once

/// Eight spans of a spline rod at a time: the same strains, forces and matrix as those of span.h,
/// one span in each lane.

#include "models/rod/elastic.h"

namespace sinew::rod {

/// True where a rod's spans can be measured in lanes: not those of a chain.
inline bool has_lanes(const Plan& plan) { return !plan.is_chain; }

/// Adds −∂E/∂x with damping and drag to `force`. With `with_slopes`, leaves in `room` what
/// add_lane_matrix() needs.
void add_lane_force(const Plan& plan, const Configuration& at, const Loads& loads, bool with_slopes,
                    SpanRoom& room, std::span<double> force);

/// Adds (θ² + θ T) Σ Dₖ gₖ gₖᵀ and what tension and air resist aside.                [eq. 5]
void add_lane_matrix(const Plan& plan, const SpanRoom& room, double theta, ChainLdl& W);

/// The reference frames carried to where the curve is.
void carry_lanes(const Plan& plan, std::span<const double> x, SpanRoom& room,
                 std::span<double> memory);

} // namespace sinew::rod
