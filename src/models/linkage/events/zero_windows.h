#pragma once

#include "models/linkage/equations/plan.h"

#include <vector>

namespace sinew {

/// A distance shorter than this part of the largest it becomes counts as zero. What is left of
/// turning when it comes in is stopped: by the law of areas it would turn ever faster, from nothing
/// but rounding.
constexpr double kShortestDistance = 3e-5;

/// When a distance that is known in advance counts as zero.
std::vector<ZeroWindow> find_zero_windows(const Scene& scene, Value distance);

} // namespace sinew
