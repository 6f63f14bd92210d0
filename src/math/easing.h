#pragma once

#include "sinew/math.h"

namespace sinew {

/// The eased fraction for a fraction s of the way: 0 at s = 0, 1 at s = 1. Requires 0 ≤ s ≤ 1;
/// outside, the same polynomial goes on. Jets pass through; `hold` has derivative zero throughout.
template <class S>
constexpr S ease(Easing easing, const S& s)
{
    switch (easing) {
    case Easing::linear: return s;
    case Easing::slowin: return s * s;
    case Easing::slowout: return S(1) - (S(1) - s) * (S(1) - s);
    case Easing::slowinout: return s * s * (S(3) - S(2) * s);
    case Easing::hold: return select(s < S(1), S(0), S(1));
    }
    return s;
}

} // namespace sinew
