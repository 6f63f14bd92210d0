#pragma once

/// Islands of rods with many rows: their matrix with the rods' W in it.

#include "islands/batch.h"

namespace sinew {

/// Marks the islands whose rods show their W: those with more rows than a dense response is good
/// for, or all where the paper's solver is asked for; not those with friction or restitution, whose
/// laws need responses.
void choose_exposed(const Ensemble& ensemble, std::span<const Attachment> attachments,
                    Batch& batch);

/// Fills the matrix of an exposed island from the last predict() and the directions as they are.
void update_exposed(Batch& batch, const BatchIsland& island);

/// λ of its rows for what their laws are off by, see ExposedRows; Σ on the diagonal.
RowSolveReport solve_exposed(Batch& batch, const BatchIsland& island, std::span<const double> off,
                             std::span<const double> held, double tolerance,
                             Eigen::VectorXd& impulse);

} // namespace sinew
