#pragma once

#include "models/rigid/model.h"
#include "scene/placement.h"

#include <span>
#include <vector>

namespace sinew {

/// Moving air on bodies, through their drag: what −c (v − u) is more than −c v, with the velocity u
/// of the air where the drag acts. A noise accelerates them. `objects`: where they are when the
/// step ends.
void add_wind(const Scene& scene, const RigidModel& rigid, const Posture& then,
              std::span<const Affine> objects, double h, const PileState& state,
              std::vector<BodyForce>& forces);

} // namespace sinew
