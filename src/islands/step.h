#pragma once

#include "islands/batch.h"

namespace sinew {

/// Room for a step of the ensemble. Holds no state: a fresh one gives the same bits.
Workspace make_workspace(const Ensemble& ensemble, int threads = 1);

/// Advances everything by h, or leaves what cannot go on where it was. Blocks that no row touches
/// move by their models' own integrators, islands by implicit stages with their rows inside.
///
/// Faults, all of them named in the report:
///   - a block alone stops at `reached`: nothing is committed, step again by reached − time to
///   stand
///     there;
///   - an island does not converge in the smallest substeps and energy rises, or is not finite: it
///     stays at its start, its worst block is frozen for good, everything else goes on.
///
/// Requires h > 0, and a workspace made for this ensemble.
CouplingReport step(const Ensemble& ensemble, EnsembleState& state, double h,
                    Workspace& work) noexcept;

/// The same up to a time, which is then the state's exactly. Requires t1 > state.time.
CouplingReport step_to(const Ensemble& ensemble, EnsembleState& state, double t1,
                       Workspace& work) noexcept;

/// Takes the step again that led from `before` to `state`, of those islands alone that one of the
/// blocks is in, with the ensemble's attachments as they are now. With a fault nothing is
/// committed: the state stays.
CouplingReport step_again(const Ensemble& ensemble, const EnsembleState& before,
                          std::span<const BlockId> blocks, EnsembleState& state,
                          Workspace& work) noexcept;

} // namespace sinew
