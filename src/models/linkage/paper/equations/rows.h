#pragma once

#include "models/linkage/paper/instant.h"

#include <vector>

namespace sinew::charli_method {

/// All equations at one instant.
struct RowValues {
    std::vector<Jet2> residuals;   ///< f, ḟ, and f̈ without the accelerations of the unknowns
    std::vector<double> gradients; ///< ∂f/∂q, as System::columns
    std::vector<double> floors; ///< how large the gradient is but at a dead point; 0: always large
};

/// `is_zero`: of each distance, whether it counts as coincidence.
void update_rows(const System& system, const Instant& instant, const std::vector<char>& is_zero,
                 RowValues& values);

/// Which distances are zero at an instant and stay so behind it.
void update_zeros(const System& system, const Instant& instant, std::vector<char>& is_zero);

/// Where a curve is at its u, in its own frame, and how that moves with u and, at fixed u, with
/// time.
struct CurveMotion {
    Vec3 place, tangent, velocity;
};
CurveMotion curve_motion(const Instant& instant, const Curve& curve);

/// The residual of one equation.
Jet2 evaluate_row(const System& system, const Instant& instant, const Row& row);

} // namespace sinew::charli_method
