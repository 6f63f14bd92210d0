#pragma once

/// Whether what a frame shows has a place: numbers that can be drawn.

#include "sinew/frame.h"

#include <algorithm>

namespace sinew {

inline bool has_place(const Affine& object)
{
    return is_finite(object.origin) && is_finite(object.linear * Vec3{1, 1, 1});
}

inline bool has_places(const Frame& frame)
{
    return std::ranges::all_of(frame.objects, has_place) &&
           std::ranges::all_of(frame.nodes, [](const Vec3& node) { return is_finite(node); }) &&
           std::ranges::all_of(frame.segments, [](const Quat& turn) { return is_finite(turn); });
}

} // namespace sinew
