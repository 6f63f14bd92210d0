#pragma once

/// The implicit stages of a substep, with rows inside.

#include "islands/batch.h"

namespace sinew {

/// Takes the islands of the list through the stages of a scheme from t0 to t0 + h, and leaves those
/// active that did not fail. An island whose passes do not converge `has_failed` if it may be tried
/// again with smaller substeps, else it goes on as `is_unsettled`.
void run_stages(Batch& batch, Scheme scheme, double t0, double h,
                std::span<const std::uint32_t> islands, bool may_fail);

/// Directions, gaps and velocities of the rows of active islands, from the trial at `time`.
void update_rows(Batch& batch, double time);

/// Velocities of the rows of active islands, directions as they are.
void update_velocities(Batch& batch, double time);

} // namespace sinew
