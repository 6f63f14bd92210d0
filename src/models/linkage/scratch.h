#pragma once

#include "models/linkage/integrator.h"
#include "solve/rows.h"

#include <memory>
#include <vector>

namespace sinew {

/// What the linkages keep while they step: a function of the trial, never State.
struct LinkageScratch final : Scratch {
    std::vector<std::unique_ptr<LinkageIntegrator>> integrators; ///< one for each block
};

} // namespace sinew
