#pragma once

// Turns in space by four numbers q = (w, x, y, z) of any length but zero: R(q) = R(q / |q|).
// [notes: linkages, eq. 7 and 8]

#include "sinew/math.h"

#include <array>

namespace sinew {

/// The parts of a turn in the order of the coordinates: w, x, y, z.
template <class S>
using TurnParts = std::array<S, 4>;

template <class S>
QuatT<S> quat_of(const TurnParts<S>& q)
{
    return {q[1], q[2], q[3], q[0]};
}

/// R(q).
template <class S>
Mat3T<S> matrix_of(const TurnParts<S>& q)
{
    return rotation_matrix(normalised(quat_of(q)));
}

/// The angular velocity for a unit rate of each part, about the axes that the turn starts from:
/// 2 Im(e q̄) / |q|².
inline std::array<Vec3, 4> axes_of(const TurnParts<double>& q)
{
    const Vec3 v{q[1], q[2], q[3]};
    const double factor = 2 / (q[0] * q[0] + squared_length(v));
    std::array<Vec3, 4> axes{v * -factor, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (std::size_t i = 1; i < 4; ++i)
        axes[i] = (axes[i] * q[0] - cross(axes[i], v)) * factor;
    return axes;
}

/// The rates of the parts for an angular velocity about the axes that the turn starts from.
inline TurnParts<double> rates_of(const TurnParts<double>& q, const Vec3& omega)
{
    const Quat rate = Quat{omega.x, omega.y, omega.z, 0} * quat_of(q) * 0.5;
    return {rate.w, rate.x, rate.y, rate.z};
}

} // namespace sinew
