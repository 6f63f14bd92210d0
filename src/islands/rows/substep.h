#pragma once

/// One substep of a batch of islands: impulses to start from, implicit stages, then positions.

#include "islands/batch.h"

namespace sinew {

/// Takes over the forces of the step before.
void start_warm(Batch& batch, std::span<const HeldForce> held);

/// Notes the energy of all islands at the start of the step.
void note_energies(Batch& batch, double t0);

/// Appends the forces of an island's rows.
void remember_forces(Batch& batch, const BatchIsland& island, std::vector<HeldForce>& held);

/// Advances the islands that have not failed from t0 by h; see run_stages() and project().
void run_substep(Batch& batch, double t0, double h, double pushed_out, bool may_fail);

} // namespace sinew
