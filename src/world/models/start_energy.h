#pragma once

/// What the drawing of a rod stores in it.

#include "models/rod/section_forces.h"
#include "sinew/error.h"
#include "sinew/scene.h"

#include <optional>

namespace sinew {

/// A note where a rod that nothing damps starts with more energy in stretch that differs along it,
/// or in pressure, than in its bend, and enough of it to be seen: it springs apart.
std::optional<Problem> find_start_energy(const Scene& scene, const Rod& rod, const rod::Plan& plan,
                                         const rod::SectionForces& forces);

} // namespace sinew
