#pragma once

#include "islands/batch.h"

namespace sinew {

/// Moves positions of the active islands, not velocities, until ties hold and contacts do not
/// overlap: no friction, the rows as they are, W as last predicted. At most `pushed_out` [m] of
/// overlap goes: more at once would lift things and feed them energy. `stage` gives the time.
void project(Batch& batch, const Stage& stage, double pushed_out);

} // namespace sinew
