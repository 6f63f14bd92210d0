#pragma once

#include "collide/shape.h"

namespace sinew {

/// The direction along which two polyhedra are farthest apart, or overlap least.
///
///   s(n) = min over b of n·x − max over a of n·x             separation along n, from a to b
///
/// The largest s of all directions is the distance or, where negative, minus the depth; for
/// polyhedra it is found at a face's normal or at a cross product of edges [GinoBergen03, §4.3].
struct SeparatingAxis {
    enum class Kind : std::uint8_t { none, face_a, face_b, edges };

    Kind kind = Kind::none;
    double separation = 0;
    Vec3 normal = {0, 0, 0};    ///< world, from a to b
    std::uint32_t a = 0, b = 0; ///< the face, or the edges
};

/// The best axis; none when some direction separates by more than `reach`. Faces win over edges,
/// a's over b's, unless worse by the biases: rest must not flicker.
SeparatingAxis find_axis(const Placed& a, const Placed& b, double reach, double face_bias,
                         double edge_bias);

} // namespace sinew
