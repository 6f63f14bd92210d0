#pragma once

// Points that things are held to, as objects that stand there.

#include "scene/constraints/law.h"

#include <span>
#include <vector>

namespace sinew {

/// The same constraints, where positions at a point and distances from one name an object that
/// stands there, unless a model knows points themselves: rods do, and strands know positions.
std::vector<Constraint> place_points(Scene& scene, std::span<const Constraint> constraints);

} // namespace sinew
