#pragma once

/// What became of blocks and islands: accepted, tried again, or put in quarantine.

#include "islands/batch.h"

namespace sinew {

/// All that changes of a block becomes what it is in another state of its model.
void copy_block(const Ensemble& ensemble, BlockId id, const ModelState& from, ModelState& to);

/// Advances blocks that no row touches. One that is not finite afterwards goes back and is frozen;
/// one with a fault of its own keeps the whole step from being committed.
void advance_alone(const Ensemble& ensemble, const EnsembleState& state,
                   std::span<const BlockId> alone, double t1, Workspace& work,
                   Settlement& settlement, CouplingReport& report);

/// Sorts the islands of a batch after its `last` stage: accepted, their forces are remembered;
/// failed, they go back to the start and into `again`; unsettled in the smallest substeps, they are
/// accepted if their energy did not rise, else go back, the worst block frozen.
void settle(Batch& batch, const EnsembleState& state, const Stage& last, bool may_fail,
            Settlement& settlement, CouplingReport& report, std::vector<const Island*>& again);

} // namespace sinew
