#pragma once

#include "collide/nearest.h"
#include "collide/pairs/face_patch.h"

namespace sinew {

/// The direction along which two convex bodies are farthest apart, or overlap least, as
/// `SeparatingAxis` is for polyhedra.
struct ConvexAxis {
    enum class Kind : std::uint8_t { none, face_a, face_b, other };

    Kind kind = Kind::none;
    double separation = 0;
    Vec3 normal = {0, 0, 0};   ///< from a to b; of a face exactly its normal
    NearestPlaces places = {}; ///< of the cores, where no face is asked
};

/// The best direction by ascent from the best of faces, axes and centres; none when one of them
/// separates by more than `lengths.reach`. A face that is as good, but for rounding, wins.
ConvexAxis find_convex_axis(const Convex& a, const Convex& b, const CollideLengths& lengths);

/// How two convex bodies touch, in the coordinates of the search: along the normal, from a to b.
struct ConvexTouch {
    struct Point {
        Vec3 on_a = {0, 0, 0}, on_b = {0, 0, 0};
        double gap = 0;
        std::uint32_t feature = 0;
    };
    ConvexAxis axis = {};
    std::array<Point, 4> point = {};
    int count = 0;
};

void find_touch(const Convex& a, const Convex& b, const CollideLengths& lengths,
                ConvexTouch& touch);

/// The touch along a normal that is chosen already. Where a face is asked, the patch may be empty.
void find_touch_along(const Convex& a, const Convex& b, const ConvexAxis& axis,
                      const CollideLengths& lengths, ConvexTouch& touch);

} // namespace sinew
