#pragma once

/// Elementary functions with the same bits on every processor and with every compiler: one
/// algorithm each, made of additions, multiplications, divisions and square roots of doubles. The C
/// library's have variants by processor, and differ between libraries.
///
/// All are within 0.8 units in the last place of the true value, most within 0.55; special values
/// are those of IEEE 754. Floats are computed as doubles.

#include <cstdint>

namespace sinew::elementary {

double sin(double x);
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double atan2(double y, double x);
double sinh(double x);
double cosh(double x);
double tanh(double x);
double exp(double x);
double log(double x);
double pow(double x, double y);
double hypot(double x, double y);

} // namespace sinew::elementary
