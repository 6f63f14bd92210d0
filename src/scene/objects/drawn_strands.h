#pragma once

// Strands at rest that a DrawnCurvesScope remembers.

#include "scene/objects/strands.h"

#include <memory>
#include <vector>

namespace sinew {

using StrandShapes = std::shared_ptr<const std::vector<StrandShape>>;

/// sample_strands(), or what it gave before for strands drawn by the same numbers.
StrandShapes drawn_strands(const Scene& scene, int threads = threads_here());

/// The shapes where they are remembered; null otherwise.
StrandShapes find_drawn_strands(const Scene& scene);

} // namespace sinew
