#pragma once

#include "collide/manifold.h"
#include "math/functions.h"
#include "models/rigid/pile.h"

namespace sinew {

/// Lengths and speeds that count as small in a step, all multiples of what a body falls in it.
struct StepLengths {
    double h = 0;
    double speed = 0; ///< |g| h
    double unit = 0;  ///< |g| h²
    double band = 0;  ///< contacts rest anywhere within ± band
    double touch = 0; ///< gaps below it count as touching, for layers and for the eye
    double margin = 0;
    double fat = 0; ///< how much larger than needed the boxes are

    StepLengths(const Pile& pile, double step) : h(step)
    {
        constexpr double kLeastGravity = 0.1; // where there is none, motion is slow
        const double g = max(length(pile.gravity), kLeastGravity);
        speed = g * h;
        unit = speed * h;
        band = 0.05 * unit;
        touch = 2 * unit;
        margin = 20 * unit;
        fat = 30 * unit;
    }
};

} // namespace sinew
