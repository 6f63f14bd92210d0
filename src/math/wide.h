#pragma once

/// Four and eight numbers at once, in functions with clones. They lie in memory wherever they like;
/// as values they are aligned.

#include "base/clones.h"

namespace sinew {

typedef double Four __attribute__((vector_size(32)));
typedef double Eight __attribute__((vector_size(64)));

SINEW_IN_CLONES Four four(const double* at)
{
    Four v;
    __builtin_memcpy(&v, at, sizeof v);
    return v;
}
SINEW_IN_CLONES Eight eight(const double* at)
{
    Eight v;
    __builtin_memcpy(&v, at, sizeof v);
    return v;
}
SINEW_IN_CLONES void put(const Four& v, double* to) { __builtin_memcpy(to, &v, sizeof v); }
SINEW_IN_CLONES void put(const Eight& v, double* to) { __builtin_memcpy(to, &v, sizeof v); }

} // namespace sinew
