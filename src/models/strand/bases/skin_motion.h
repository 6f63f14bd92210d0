#pragma once

// How a place on a skin moves: with its triangle, turning as that turns.

#include "math/pose_curve.h"
#include "sinew/scene.h"

namespace sinew::strand {

/// Between two times a corner goes on a cubic whose slope at each time is that of the way from the
/// time before to the time after; at the first and the last it stands.
PoseMotion motion_on_skin(const Skin& skin, const StrandRoot& root, double time);

/// Of something that moves on something that moves, seen from where that is.
PoseMotion carried_by(const PoseMotion& outer, const PoseMotion& inner);

} // namespace sinew::strand
