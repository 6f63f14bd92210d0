#pragma once

#include "models/linkage/equations/system.h"
#include "models/linkage/integrator.h"
#include "solve/rows/rows.h"

#include <memory>
#include <vector>

namespace sinew {

/// A linkage in a stage of an island: its equations at the trial, and W with its factors.
struct LinkageStage {
    LinkageStage(const LinkagePlan& plan, const LinkageMatrices& matrices,
                 const std::vector<ImportFunction>& imports);

    LinkageSystem system;
    LinkageMatrix<double> matrix; ///< [W Jᵀ; J 0]
    std::vector<double> columns, rows, product, solution;

    // Of a linkage whose constraints may let go: what rows from outside gave it, by columns.
    std::vector<double> given; ///< in the stages of this step that are over [N s, N m s]
    std::vector<double> last;  ///< in the present stage
    double step = 0;           ///< length of the step [s]
};

/// What the linkages keep while they step: a function of the trial, never State.
struct LinkageScratch final : Scratch {
    std::vector<std::unique_ptr<LinkageIntegrator>> integrators; ///< one for each block
    std::vector<std::unique_ptr<LinkageStage>> stages;           ///< made when first needed
};

} // namespace sinew
