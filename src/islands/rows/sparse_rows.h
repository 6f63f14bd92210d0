#pragma once

/// Islands that are solved in the velocities of their blocks: no matrix of their rows is formed.

#include "islands/batch.h"

namespace sinew {

/// Chooses the islands of a batch, before its touches are counted: where a dense matrix of rows
/// would cost more, and no other sparse form serves.
void choose_sparse(const Ensemble& ensemble, Batch& batch);

/// A step's work is bounded: nothing is spent yet; and true where an island has spent its share.
/// What is solved then gets a few factorisations more, and no smaller substeps follow.
void begin_work(Workspace& work);
bool has_spent_all(const Workspace& work);

/// Fills an island's system: W as last predicted, directions as they are.
void update_sparse(Batch& batch, const BatchIsland& island);

/// q ← q − J W⁻¹ Jᵀ λ_held.
void subtract_held(Batch& batch, const BatchIsland& island, Eigen::VectorXd& q);

/// Impulses of an island whose rows have velocities q, bias added, at the impulses `held`.
RowSolveReport solve_sparse(Batch& batch, const BatchIsland& island, const RowProblem& problem,
                            std::span<const double> held, const RowOptions& options,
                            Eigen::VectorXd& impulse);

} // namespace sinew
