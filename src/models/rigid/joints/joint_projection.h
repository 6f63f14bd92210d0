#pragma once

#include "models/rigid/joints/jointed_factor.h"

namespace sinew {

/// Memory of the projection.
struct JointWork {
    std::vector<std::uint32_t> members = {}, node = {};
    std::vector<JointedFactor::Joint> shape = {};
    JointedFactor factor = {};
    std::vector<JointRows> rows = {};
    std::vector<Row6> moved = {};
    std::vector<double> errors = {};
    std::uint32_t worst = 0; ///< joint
};

/// Largest errors of joints [m].
struct JointErrors {
    double before = 0, after = 0;
    std::uint32_t worst = 0; ///< which joint is off by the latter
};

/// Puts jointed bodies where their joints meet: the least motion in the metric of masses.
JointErrors close_joints(const Pile& pile, PileState& state, const StepLengths& lengths,
                         JointWork& work);

} // namespace sinew
