#pragma once

#include "models/linkage/motion.h"
#include "sinew/world.h"

#include <span>
#include <vector>

namespace sinew {

/// Adds Q = Σ Pᵀf over all that acts on a linkage to `generalised` (one number for each column):
/// gravity and fields on the masses less their biases, m (g − p̈_bias); springs and dampers in both
/// forms, forces, torques, drag.
void add_forces(const Motion& motion, std::span<double> generalised);

/// A force from outside at a point of the linkage.
struct PointForce {
    std::uint32_t point = 0;
    Vec3 force = {0, 0, 0}; ///< [N]
};

/// Adds Pᵀf of each.
void add_point_forces(const Motion& motion, std::span<const PointForce> forces,
                      std::span<double> generalised);

/// Every force of add_forces() as it acts on the objects, into `out`. Coordinate springs and
/// torques act on no point and are left out.
void list_forces(const Motion& motion, std::vector<ActingForce>& out);

/// Adds Σ m Pᵀ (target − ṗ) over the masses, `targets` one velocity for each mass.
void add_momentum_difference(const Motion& motion, std::span<const Vec3> targets,
                             std::span<double> generalised);

/// Kinetic energy, and potential energy of gravity and springs.
Energy energy_of(const Motion& motion);

Momentum momentum_of(const Motion& motion);

} // namespace sinew
