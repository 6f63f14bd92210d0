#pragma once

// How a place on a skin moves: with its triangle, turning as that turns.

#include "math/pose_curve.h"
#include "scene/formula.h"
#include "sinew/scene.h"

namespace sinew::strand {

/// Corners go through the places they are known at with continuous velocity and acceleration, from
/// the first time to the last; where a time stands twice their velocity jumps. Before and after
/// they stand. [notes: pose_curve, eqs 6, 8]
PoseMotion motion_on_skin(const Skin& skin, const StrandRoot& root, double time,
                          Side side = Side::after);

/// Whether a skin begins to move, stops or has a key within a step: then its velocity may jump.
bool jumps(const Skin& skin, double t0, double t1);

/// Of something that moves on something that moves, seen from where that is.
PoseMotion carried_by(const PoseMotion& outer, const PoseMotion& inner);

} // namespace sinew::strand
