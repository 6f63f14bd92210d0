#pragma once

#include "geometry/hull.h"

namespace sinew {

/// How a closed surface becomes convex pieces.
struct PiecesOptions {
    double tolerance = 0;  ///< pieces may stand out of the surface by this [m]; 0: exact, but for
                           ///< rounding
    std::size_t most = 64; ///< pieces; then the worst stay as they are
};

/// Convex pieces that together fill a closed surface and stand out of it by no more than the
/// tolerance, where `most` allows. The same surface gives the same pieces. Mass properties should
/// be taken from the surface itself. Problems when not even the whole has a hull.
Result<std::vector<Hull>> make_convex_pieces(const TriangleMesh& mesh,
                                             const PiecesOptions& options);

} // namespace sinew
