#pragma once

// Light on a hair: what its surface mirrors, what passes through it, and what comes back from its
// far side [Marschner03], as near-field lobes that keep energy [Chiang16].

#include "render/vector.h"

namespace sinew::picture {

class Fibre {
public:
    Fibre() = default;

    /// `colour`: of much of such hair together; `roughness`: along it, 0 to 1.
    Fibre(const Vec& colour, float roughness);

    /// The light scattered from `to_light` to `to_eye`, times the cosine, for a light of one.
    /// `tangent`: from root to tip; `across`: −1 to 1 from rim to rim, seen by the eye.
    Vec scatter(const Vec& tangent, const Vec& to_eye, const Vec& to_light, float across) const;

private:
    Vec absorption_ = {0, 0, 0};
    float variances_[4] = {1, 1, 1, 1}, scale_ = 1;
};

} // namespace sinew::picture
