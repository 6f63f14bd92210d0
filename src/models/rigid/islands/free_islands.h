#pragma once

#include "models/rigid/contacts/patch.h"
#include "models/rigid/islands/islands.h"

#include <span>
#include <vector>

namespace sinew {

/// An island that touches nothing fixed: its centre of mass flies and its angular momentum about
/// it lasts, whatever its bodies do to each other.
struct FreeIsland {
    std::uint32_t island = 0;
    Vec3 centre;  ///< where it will be after the step [m]
    Vec3 angular; ///< momentum about the centre [kg m²/s]
};

/// Velocities, with what gravity adds, and the orientations they are of.
struct FreeVelocities {
    const std::vector<SolverBody>& bodies;
    std::span<const Quat> turned;
};

/// The free islands before a step; islands under other forces are left out, as those that sleep.
/// `is_pushed` is scratch.
void find_free_islands(const Pile& pile, const PileState& state, const BodyIslands& islands,
                       std::span<const char> sleeps, std::span<const BodyForce> forces, double h,
                       const FreeVelocities& velocities, std::vector<char>& is_pushed,
                       std::vector<FreeIsland>& free);

/// Impulses act on bodies where they are before they move, and parting them moves them: what that
/// changed is taken back by a motion of each island as one rigid body, which no contact feels.
/// Where that would add energy, motion within the island gives it.
void keep_free_motion(const Pile& pile, const BodyIslands& islands,
                      std::span<const FreeIsland> free, PileState& state);

} // namespace sinew
