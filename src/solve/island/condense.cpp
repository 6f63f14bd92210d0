// Cholesky with the largest pivot first: what is left when pivots vanish is rounding.

#include "solve/island/condense.h"

#include <algorithm>
#include <cmath>

namespace sinew::island {

namespace {

constexpr double kVanishes = 1e-14; // of the largest pivot

}

void update_directions(std::span<double> C, std::size_t count, std::size_t size,
                       std::vector<double>& F)
{
    F.assign(count * size, 0.0);
    double first = 0;
    for (std::size_t k = 0; k < size; ++k) {
        std::size_t pivot = 0;
        for (std::size_t i = 1; i < count; ++i)
            if (C[i * count + i] > C[pivot * count + pivot])
                pivot = i;
        const double d = C[pivot * count + pivot];
        if (k == 0)
            first = d;
        if (!(d > kVanishes * first))
            return;
        const double root = std::sqrt(d);
        for (std::size_t i = 0; i < count; ++i)
            F[i * size + k] =
                i == pivot ? root : 0.5 * (C[i * count + pivot] + C[pivot * count + i]) / root;
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t j = 0; j < count; ++j)
                C[i * count + j] -= F[i * size + k] * F[j * size + k];
        for (std::size_t i = 0; i < count; ++i) // it is explained
            C[i * count + pivot] = C[pivot * count + i] = 0;
    }
}

} // namespace sinew::island
