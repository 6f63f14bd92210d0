#pragma once

/// The stages of an island's step: what of it is implicit, and where each stage starts from.
///
///   euler    one stage, θ = h: first order, for anything that jolts.
///   sdirk2   two stages, θ = γh each, γ = 1 − √½: second order, L-stable, stiffly accurate (the
///            second stage is the end of the step)                              [Alexander77]

#include "solve/rows/rows.h"

namespace sinew {

enum class Scheme : std::uint8_t { euler, sdirk2 };

inline constexpr double kGamma = 0.29289321881345248; ///< 1 − √½

int stage_count(Scheme scheme);

/// Stage `index` of a substep of length h that starts at t0.
Stage make_stage(Scheme scheme, int index, double t0, double h);

/// begin_stage() of a block whose coordinates are a plain vector space, x ⊞ d = x + d. Requires
/// x_count = v_count.
void begin_flat_stage(const BlockShape& block, const Stage& stage, Trial& trial);

} // namespace sinew
