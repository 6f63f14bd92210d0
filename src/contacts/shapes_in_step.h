#pragma once

/// Shapes of bodies as the search for contacts of rods and models sees them.

#include "collide/broad_phase.h"
#include "collide/manifold.h"
#include "models/rigid/pile.h"

#include <vector>

namespace sinew {

/// Shapes where they are when the step begins.
struct ShapesInStep {
    std::vector<Placed> placed;
    std::vector<Box> boxes;      ///< that they may reach in the step; of planes everything
    std::vector<double> reaches; ///< how far they may go, and a little [m]
    double unit = 0;             ///< |g| h²

    void update(const Pile& pile, const PileState& bodies, double h, double unit_now, int threads);
};

/// A straight piece from a to b as a shape: a ball where these are one.
struct CapsuleShape {
    CapsuleShape(const Vec3& a, const Vec3& b, double radius);
    CapsuleShape(const CapsuleShape&) = delete;
    CapsuleShape& operator=(const CapsuleShape&) = delete;

    CollisionShape shape;
    Placed placed;
};

} // namespace sinew
