#pragma once

#include "models/rigid/contacts/patch.h"
#include "models/rigid/islands/islands.h"
#include "models/rigid/joints/joints.h"

#include <span>
#include <vector>

namespace sinew {

/// The paper's solver: a box LCP at the level of velocities by projected Gauss-Seidel sweeps from
/// zero, row by row, friction a box per point bounded by the present normal impulse; then, layer by
/// layer upwards, the same with all below held fixed (shock propagation); then smoothing sweeps
/// [Erleben04]. Patches and joints keep the impulses, bodies the velocities.
///
/// θ is the largest |P(λ − w/K) − λ| K over rows [m/s], after each sweep.
/// Differs from the paper: positions move as in the other method, overlap is removed with masses of
/// one.
void solve_erleben(const Pile& pile, const PileState& state, const PileOptions& options,
                   const StepLengths& lengths, const BodyIslands& islands,
                   std::span<const char> is_solved, std::vector<Patch>& patches,
                   std::vector<JointRows>& joints, std::vector<SolverBody>& bodies,
                   PileReport& report);

} // namespace sinew
