#pragma once

/// Loops over dense columns, for functions with SINEW_CLONES.

#include "base/clones.h"

#include <cstddef>

namespace sinew {

/// to[i] −= factor from[i].
SINEW_IN_CLONES void take_off(double* to, const double* from, double factor, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        to[i] -= factor * from[i];
}

/// Sums in eight parts, so that they need not wait for each other.
SINEW_IN_CLONES double dot_product(const double* a, const double* b, std::size_t count)
{
    double part[8] = {};
    std::size_t j = 0;
    for (; j + 8 <= count; j += 8)
        for (std::size_t i = 0; i < 8; ++i)
            part[i] += a[j + i] * b[j + i];
    for (std::size_t i = 0; j + i < count; ++i)
        part[i] += a[j + i] * b[j + i];
    return ((part[0] + part[4]) + (part[2] + part[6])) +
           ((part[1] + part[5]) + (part[3] + part[7]));
}

} // namespace sinew
