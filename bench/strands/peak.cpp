// What the machine can do at most. Compiled for the machine it is built on, with multiplication and
// addition fused.

#include "../timing.h"
#include "kernels.h"

namespace sinew::bench {

namespace {

template <class S>
double operations_per_second()
{
    constexpr int kWidth = 64 / sizeof(S), kChains = 12; // enough to hide a unit's latency
    typedef S Vector __attribute__((vector_size(64)));
    Vector x[kChains];
    volatile S one = S(0.999999), little = S(1e-7);
    const Vector a = Vector{} + one, b = Vector{} + little;
    for (Vector& v : x)
        v = Vector{} + little;
    constexpr int kRounds = 20000;
    const double seconds = seconds_per_call([&] {
        for (int i = 0; i < kRounds; ++i)
            for (Vector& v : x)
                v = v * a + b;
        volatile S keep = 0;
        for (const Vector& v : x)
            keep = keep + v[0];
    });
    return 2.0 * kWidth * kChains * kRounds / seconds;
}

} // namespace

double find_peak(bool is_float)
{
    return is_float ? operations_per_second<float>() : operations_per_second<double>();
}

} // namespace sinew::bench
