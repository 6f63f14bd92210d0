#pragma once

#include "scene/kinematics.h"

#include <vector>

namespace sinew {

/// One scalar equation g(q, t) = 0 of a constraint, linearised at one instant.
struct Equation {
    double residual = 0;                        ///< g [m]
    double time_rate = 0;                       ///< ∂g/∂t [m/s]
    std::vector<Partial<double>> gradient = {}; ///< ∂g/∂q, non-zero entries
    std::uint32_t statement = 0; ///< distance constraints first, then path constraints
    double size = 0;             ///< of the constraint itself [m]; 0: it has none of its own
    bool is_movable = false;     ///< some coordinate moves an end, if perhaps not to first order
    bool is_imported = false;    ///< depends on an import, whose value is not known here
};

/// The equations of all constraints:
///
///   distance f ≠ 0   |b − a| − |f| = 0                     [HerrWyvill90, dist_constraints]
///   distance 0       b − a = 0, three equations
///   point            x − P = 0, three equations
///   other paths      nᵢ·(x − P(u)) = 0 for two normals nᵢ at the nearest u
///
/// Differs from the paper: the distance itself instead of its square, so that all residuals are
/// metres.
std::vector<Equation> make_equations(const Scene& scene, const Kinematics& kinematics);

/// True when something begins or ends with an event.
bool waits_for_event(const Scene& scene, Value active);

/// Where the statement of an equation was written.
Origin statement_origin(const Scene& scene, std::uint32_t statement);

/// A place on a path, in the world.
struct PathPoint {
    double u = 0;
    PointMotion point;        ///< partials at fixed u
    Vec3 tangent = {0, 0, 0}; ///< dP/du
};

/// The place of a path nearest to a point.
PathPoint find_nearest(const Scene& scene, const Kinematics& kinematics, const Path& path,
                       const Vec3& x);

} // namespace sinew
