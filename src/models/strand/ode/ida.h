#pragma once

// The reference integrator of strands: IDA of SUNDIALS [Hindmarsh05], variable order and steps to a
// tolerance, one tree at a time.

#include "models/strand/lanes/batch.h"
#include "models/strand/ode/motion_system.h"

namespace sinew::strand {

struct IdaSettings {
    double tolerance = 1e-8; ///< relative, and absolute of turns and of rates [1, rad/s]
    bool has_numerical_jacobian = false; ///< dense, by differences, instead of MotionSystem's
};

/// Moves turns (4 per segment) and rates (3 per segment) from t0 to t1. IDA begins afresh, so that
/// nothing of it is state. Where it cannot keep the tolerance they stay, and the outcome is not
/// finite.
StepOutcome step_with_ida(MotionSystem& system, const IdaSettings& settings, double t0, double t1,
                          double* turns, double* rates);

} // namespace sinew::strand
