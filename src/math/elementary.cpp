// What the compiler makes of std::sin and its like, wherever the library is linked: the linker
// sends it here instead of to the C library (CMakeLists.txt, --wrap).

#include "math/elementary.h"

// NOLINTBEGIN(bugprone-reserved-identifier)
#define SINEW_WRAP_1(name)                                                                         \
    extern "C" double __wrap_##name(double x);                                                     \
    extern "C" double __wrap_##name(double x) { return sinew::elementary::name(x); }
#define SINEW_WRAP_2(name)                                                                         \
    extern "C" double __wrap_##name(double x, double y);                                           \
    extern "C" double __wrap_##name(double x, double y) { return sinew::elementary::name(x, y); }

SINEW_WRAP_1(sin)
SINEW_WRAP_1(cos)
SINEW_WRAP_1(tan)
SINEW_WRAP_1(asin)
SINEW_WRAP_1(acos)
SINEW_WRAP_1(atan)
SINEW_WRAP_1(sinh)
SINEW_WRAP_1(cosh)
SINEW_WRAP_1(tanh)
SINEW_WRAP_1(exp)
SINEW_WRAP_1(log)
SINEW_WRAP_2(atan2)
SINEW_WRAP_2(pow)
SINEW_WRAP_2(hypot)

extern "C" void __wrap_sincos(double x, double* sine, double* cosine);
extern "C" void __wrap_sincos(double x, double* sine, double* cosine)
{
    *sine = sinew::elementary::sin(x);
    *cosine = sinew::elementary::cos(x);
}
// NOLINTEND(bugprone-reserved-identifier)
