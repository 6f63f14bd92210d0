#pragma once

// Smooths the noise of few rays within surfaces: an edge-avoiding wavelet filter [Dammertz10] whose
// strength follows the noise of each pixel [Schied17]. Colours are taken without what
// the surface paints on them, so that patterns stay sharp.

#include "render/vector.h"

#include <cstddef>
#include <vector>

namespace sinew::picture {

/// What the rays of each pixel said, on average.
struct Film {
    explicit Film(int width, int height);

    int width, height;
    std::vector<Vec> colours; ///< tone of the screen before its curve, 0 to 1
    std::vector<Vec> albedos;
    std::vector<Vec> normals;
    std::vector<Vec> places;
    std::vector<float> variances; ///< of the mean brightness; 0: it is known
    std::vector<float> opacities;
    std::vector<char> may_change; ///< whether it is within a surface; else it stays as it is
};

/// `pixel`: the size of a pixel at distance 1 from `eye`.
void smooth(Film& film, const Vec& eye, float pixel, int threads);

} // namespace sinew::picture
