#pragma once

#include "fixed_step.h"

namespace sinew::bench {

/// The accelerations as the paper finds them: Gaussian elimination with row pivoting on the full
/// matrix [M Jᵀ; J 0] [HerrWyvill90]. Here by the blocked routine of a library, which is faster
/// than the loops of the paper's time. Looks at the instant of the system last updated. Returns the
/// largest difference to `accelerations`, of those in units of the largest.
double solve_dense(FixedStep& stepper);

} // namespace sinew::bench
