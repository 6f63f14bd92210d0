#pragma once

// Hair that grows on a surface: roots spread evenly over its area, a curve from each.

#include "sinew/curves.h"
#include "sinew/shapes.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinew {

/// What is asked for. The same numbers give the same hair.
struct Growth {
    std::uint32_t count = 0;
    std::uint32_t seed = 1;
    std::uint32_t points = 2;          ///< of each curve
    std::optional<double> length = {}; ///< [m]; none: of the guides
    double vary = 0;                   ///< 0 to 1: how much lengths, curls and ways differ
    double droop = 0;                  ///< 0 stands up, 1 lies down and hangs along −y
    double curl = 0;                   ///< turns along a curve
    double curl_radius = 0;            ///< [m]
    std::uint32_t clumps = 0;          ///< 0: every curve for itself
    double clumping = 0;               ///< 0 to 1: how near tips come to the middle of theirs
};

/// Where a curve stands: on a triangle, at (1 − u − v) a + u b + v c of its corners.
struct MeshPlace {
    std::uint32_t triangle = 0;
    double u = 0, v = 0;
};

struct Grown {
    CurveSet curves = {};
    std::vector<MeshPlace> roots = {}; ///< of each curve
};

/// Grows curves of `growth.points` points. With guides each curve is a mixture of the three whose
/// roots are nearest, turned as the surface turns from there to here. Requires a triangle with
/// area, a count, two points, and a length or guides.
Grown grow(const TriangleMesh& mesh, const Growth& growth, const CurveSet& guides);

} // namespace sinew
