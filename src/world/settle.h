#pragma once

/// What became of blocks and islands: accepted, tried again, or put in quarantine.

#include "world/batch.h"

namespace sinew {

/// What a step adds to the state, besides the trials.
struct Settlement {
    std::vector<HeldForce> held;
    std::vector<BlockId> frozen;
};

/// Advances blocks that no row touches. One that is not finite afterwards goes back and is frozen;
/// one with a fault of its own keeps the whole step from being committed.
void advance_alone(const Ensemble& ensemble, const EnsembleState& state,
                   std::span<const BlockId> alone, double t1, Workspace& work,
                   Settlement& settlement, CouplingReport& report);

/// Kinetic plus potential energy of every island of the batch as it stands at `time` [J].
std::vector<double> measure_energies(Batch& batch, double time);

/// Adds what the blocks' own drives put in during a substep that ends at `time` to the islands'
/// balance.
void add_inner_work(Batch& batch, double time);

/// Sorts the islands of a batch after its `last` stage: accepted, their forces are remembered;
/// failed, they go back to the start and are returned; unsettled in the smallest substeps, they are
/// accepted if their energy did not rise above `energies` (given for the smallest substeps only),
/// else go back, the worst block frozen.
std::vector<const Island*> settle(Batch& batch, const EnsembleState& state, const Stage& last,
                                  std::span<const double> energies, Settlement& settlement,
                                  CouplingReport& report);

} // namespace sinew
