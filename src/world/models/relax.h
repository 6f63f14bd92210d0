#pragma once

/// Looks for the static equilibrium of rods under their rows.

#include "islands/step.h"
#include "models/rod/dynamics.h"

#include <functional>

namespace sinew {

struct Relaxation {
    bool is_still = false;
    int steps = 0;
    double change = 0; ///< of the last step [m]
};

/// Moves the rods of model `number` to where they are at rest. Everything else stands: its blocks
/// are to be frozen in `state`. Time stays, velocities of rods are zero afterwards.
///
/// Implicit steps from rest, with less and less of the mass: the last ones are Newton's for the
/// equilibrium. A step that fails is taken again with more mass. Energy falls from step to step, so
/// what is found is stable.
///
/// `refresh` is called after every step that is taken: what slides may be somewhere else.
using RelaxRefresh = std::function<void(Ensemble&, rod::RodInput&, EnsembleState&)>;
Relaxation relax(Ensemble ensemble, const rod::RodDynamics& rods, rod::RodInput input,
                 std::uint32_t number, EnsembleState& state, int threads, int most_steps = 2000,
                 const RelaxRefresh& refresh = {});

} // namespace sinew
