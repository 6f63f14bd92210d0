#pragma once

#include <algorithm>
#include <cmath>

namespace sinew::test {

/// df/dx at x by a central difference: the error is of the order of step².
template <class F>
double slope_of(const F& f, double x, double step = 1e-5)
{
    return (f(x + step) - f(x - step)) / (2 * step);
}

/// d²f/dx² at x by a central difference.
template <class F>
double bend_of(const F& f, double x, double step = 1e-3)
{
    return (f(x + step) - 2 * f(x) + f(x - step)) / (step * step);
}

/// |a − b| within `tolerance`, relative to what is larger than one.
inline bool is_close(double a, double b, double tolerance)
{
    return std::abs(a - b) <= tolerance * (1 + std::max(std::abs(a), std::abs(b)));
}

} // namespace sinew::test
