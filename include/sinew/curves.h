#pragma once

// Curves as plain data, from the files of other programs.

#include "sinew/error.h"
#include "sinew/math.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

/// Polylines, one behind the other, each of two points or more.
struct CurveSet {
    std::vector<Vec3> points = {};
    std::vector<std::uint32_t> counts = {}; ///< of points in each

    bool operator==(const CurveSet&) const = default;
};

/// Reads curves from the bytes of a file, told by the end of its name:
///
///   obj   its lines (`l`)
///   csv   a header with x, y, z, and rows of one curve together: those with the same `curve`; or
///   the
///         nodes of strands of one of our tables, at its first time
///   hair  C. Yuksel's HAIR files
///   usd   BasisCurves of USD, as text (usda) or as a crate (usdc), at the stage's start, in metres
///         and y up
///
/// Problems have the line, or the byte.
Result<CurveSet> read_curves(const std::string& name, std::string_view bytes);

} // namespace sinew
