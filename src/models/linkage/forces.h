#pragma once

#include "models/linkage/motion.h"
#include "sinew/world.h"

#include <span>

namespace sinew {

/// Adds Q = Σ Pᵀf over all that acts on a linkage to `generalised` (one number for each column):
/// gravity and fields on the masses less their biases, m (g − p̈_bias); springs and dampers in both
/// forms, forces, torques, drag.
void add_forces(const Motion& motion, std::span<double> generalised);

/// Adds Σ m Pᵀ (target − ṗ) over the masses, `targets` one velocity for each mass.
void add_momentum_difference(const Motion& motion, std::span<const Vec3> targets,
                             std::span<double> generalised);

/// Kinetic energy, and potential energy of gravity and springs.
Energy energy_of(const Motion& motion);

} // namespace sinew
