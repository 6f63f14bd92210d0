#pragma once

#include "models/linkage/plan.h"

#include <vector>

namespace sinew {

/// A distance shorter than this counts as zero: its direction is lost in rounding [m].
constexpr double kShortestDistance = 1e-7;

/// When a distance that is known in advance is shorter than `kShortestDistance`.
std::vector<ZeroWindow> find_zero_windows(const Scene& scene, Value distance);

} // namespace sinew
