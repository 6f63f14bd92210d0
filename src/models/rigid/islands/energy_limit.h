#pragma once

/// What nothing drives never gains energy. On joints, unless these swing by a rule that keeps it
/// (swings.h): what removes overlap lifts a heavy load on light links, and links that turn farther
/// than a step can follow would drive it on; their motion pays for it, and what it cannot pay for
/// does not happen. Where something bounced: places are known to a part of a step's fall only.

#include "models/rigid/islands/free_islands.h"

namespace sinew {

/// Memory of what follows.
struct EnergyLimit {
    std::vector<double> most; ///< energies of the islands after the step; infinite: no limit [J]
    std::vector<char> is_hit; ///< of the bodies: they bounced
    std::vector<BodyState> began;    ///< before the step
    std::vector<BodyState> unpushed; ///< before overlap goes
};

/// What is known before a step is solved.
struct EnergyParts {
    const BodyIslands& islands;
    std::span<const Patch> patches;
    std::span<const SolverBody> moving; ///< velocities with what gravity and forces add
    std::span<const FreeIsland> free;   ///< these keep their momenta instead
    std::span<const BodyForce> forces;
    std::span<const char> carries; ///< bodies that something stands on: that may push them
};

/// Before a step.
void note_energy(const Pile& pile, const PileState& state, const EnergyParts& parts, double h,
                 EnergyLimit& limit);

/// After islands were solved: those that swing are as they are, and without joints those in which
/// nothing bounced.
void note_motion(const BodyIslands& islands, std::span<const char> is_swung,
                 std::span<const char> is_hit, EnergyLimit& limit);

/// Before overlap goes.
void note_places(const PileState& state, EnergyLimit& limit);

/// After overlap went: only as far as motion can pay for.
void limit_pushes(const Pile& pile, PileState& state, const BodyIslands& islands,
                  std::span<const char> sleeps, const EnergyLimit& limit);

/// After joints are closed.
void limit_energy(const Pile& pile, PileState& state, const BodyIslands& islands,
                  std::span<const char> sleeps, const EnergyLimit& limit);

} // namespace sinew
