#pragma once

/// Matrices [K Jᵀ; J −1e-8] of ropes that are held at their ends and kept apart by distances: what
/// a step of spline ropes asks a solver for. The same numbers in every run.

#include "solve/linear/sparse/block_pattern.h"

#include <string>
#include <vector>

namespace sinew::bench {

struct NetShape {
    std::string name;
    int ropes = 1, points = 30;     ///< control points of a rope
    int distances = 0, fixings = 0; ///< rows between neighbours, and to the ground
};

struct Net {
    BlockPattern pattern;
    std::vector<double> values, side;
};

Net make_net(const NetShape& shape);

/// A square net: `across` ropes each way, fused where they cross.
Net make_square_net(int across);

/// Largest |A x − b| of the largest |b|.
double residual_of(const Net& net, const std::vector<double>& x);

} // namespace sinew::bench
