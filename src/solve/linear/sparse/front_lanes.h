#pragma once

/// Rows of a front, several at a time. Inlined into the clones of front_ldl.cpp and front_lu.cpp.

#include "base/clones.h"

#include <cstddef>
#include <cstring>

namespace sinew {

inline constexpr std::size_t kLanes = 8; // rows at a time

typedef double Lanes __attribute__((vector_size(kLanes * sizeof(double))));

SINEW_IN_CLONES void load(const double* from, Lanes& lanes)
{
    std::memcpy(&lanes, from, sizeof lanes);
}

/// The first `count` numbers.
SINEW_IN_CLONES void store(const Lanes& lanes, std::size_t count, double* to)
{
    if (count >= kLanes)
        std::memcpy(to, &lanes, sizeof lanes);
    else
        for (std::size_t i = 0; i < count; ++i)
            to[i] = lanes[i];
}

} // namespace sinew
