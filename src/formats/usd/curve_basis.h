#pragma once

#include "sinew/math.h"

#include <span>
#include <string_view>
#include <vector>

namespace sinew {

/// How the points of BasisCurves make a curve, by the tokens of the prim. Without a type and a
/// basis the points are taken for places on it.
struct CurveForm {
    std::string_view type = {};  ///< linear, cubic
    std::string_view basis = {}; ///< bezier, bspline, catmullRom
    std::string_view wrap = {};  ///< nonperiodic, pinned, periodic

    bool is_cubic() const { return type == "cubic" || (type.empty() && !basis.empty()); }
};

/// Places on a curve, from its control points: the ends of its spans, of Béziers also the thirds.
/// A closed curve ends a span before its beginning. Too few points are returned as they are.
std::vector<Vec3> places_on_curve(const CurveForm& form, std::span<const Vec3> points);

} // namespace sinew
