#pragma once

/// What every model must keep to be coupled by rows, checked with random rows at given sites.

#include "solve/rows/rows.h"

#include <functional>
#include <span>

namespace sinew::test {

struct ContractOptions {
    double time = 0;          ///< at which the state stands [s]
    double theta = 1.0 / 240; ///< of the stage [s]
    double impulse = 0.01;    ///< size of the random impulses [N s]
    int rows_per_site = 2;
    int passes = 60;         ///< in which predict and correct must reach the exact stage
    double residual = 1e-11; ///< ... to this, of the largest momentum in the stage
    unsigned seed = 1;
    std::function<void(Trial&)> prepare = {}; ///< what acts in the step, into the scratch
};

/// Fails the running test case where `model` breaks the contract of Dynamics: C symmetric and
/// positive semi-definite, correct() equal to C in velocity and (to second order) in position,
/// predict() repeated with held impulses at the exact stage, twists the rates of poses, blocks
/// independent of their cohort. Sites are of the model's blocks that are not driven.
void check_model_contract(const Dynamics& model, const ModelState& state,
                          std::span<const Site> sites, const ContractOptions& options = {});

} // namespace sinew::test
