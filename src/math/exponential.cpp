// Powers and their kin.
//
//   exp     x = k ln 2 / 16 + r: a power of 2^(1/16) times Taylor's series of r [Tang89]
//   log     x = m 2^e, c the sixteenth next to m: e ln 2 + log c + 2 artanh((m − c) / (m + c))
//   pow     exp(y log x), both as double-doubles
//   sinh    half of e^x − e^−x, near 0 its own series

#include "math/double_double.h"
#include "math/elementary.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace sinew::elementary {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr DoubleDouble kOne{1, 0};

/// 2^(j/16), made by the compiler.
constexpr auto kSteps = [] {
    std::array<DoubleDouble, 16> powers;
    powers[0] = kOne;
    constexpr DoubleDouble kFirst{0x1.0b5586cf9890fp+0, 0x1.8a62e4adc610bp-54};
    for (std::size_t j = 1; j < powers.size(); ++j)
        powers[j] = powers[j - 1] * kFirst;
    return powers;
}();

/// A number as mantissa times a power of two.
struct Scaled {
    DoubleDouble mantissa;
    int exponent = 0;

    double value(double share = 1) const { return std::ldexp(mantissa.value() * share, exponent); }
};

/// Requires |x| < 1000.
Scaled exp_of(const DoubleDouble& x)
{
    // ln 2 / 16 in parts: k times the first two is exact.
    constexpr double kParts[] = {0x1.62e42fefp-5, 0x1.473de6afp-38, 0x1.3c7673007e5edp-73};
    constexpr double kInverse = 0x1.71547652b82fep+4, kRound = 0x1.8p52;
    const double k = (x.h * kInverse + kRound) - kRound;
    DoubleDouble r = exact_sum(x.h - k * kParts[0], -(k * kParts[1]));
    r = r + (x.l - k * kParts[2]);
    const double z = r.h;
    const double rest =
        z * z * z *
        (1. / 6 +
         z * (1. / 24 + z * (1. / 120 + z * (1. / 720 + z * (1. / 5040 + z * (1. / 40320))))));
    const DoubleDouble half{0.5 * r.h, 0.5 * r.l};
    const DoubleDouble more = r + (r * half + rest);
    const int steps = static_cast<int>(k);
    return {kSteps[static_cast<std::size_t>(steps & 15)] * (kOne + more), steps >> 4};
}

/// Requires x > 0 and finite.
DoubleDouble log_of(double x)
{
    constexpr int kFirst = 11;
    constexpr DoubleDouble kLogs[] = {{-0x1.7fafa3bd8151cp-2, 0x1.219024acd3b77p-58},
                                      {-0x1.269621134db92p-2, -0x1.e0efadd9db02bp-56},
                                      {-0x1.a93ed3c8ad9e3p-3, -0x1.bcafa9de97203p-57},
                                      {-0x1.1178e8227e47cp-3, 0x1.0e63a5f01c691p-58},
                                      {-0x1.08598b59e3a07p-4, 0x1.dd7009902bf32p-58},
                                      {0, 0},
                                      {0x1.f0a30c01162a6p-5, 0x1.85f325c5bbacdp-59},
                                      {0x1.e27076e2af2e6p-4, -0x1.61578001e0162p-60},
                                      {0x1.5ff3070a793d4p-3, -0x1.bc60efafc6f6ep-58},
                                      {0x1.c8ff7c79a9a22p-3, -0x1.4f689f8434012p-57},
                                      {0x1.1675cababa60ep-2, 0x1.ce63eab883717p-61},
                                      {0x1.4618bc21c5ec2p-2, 0x1.f42decdeccf1dp-56},
                                      {0x1.739d7f6bbd007p-2, -0x1.8c76ceb014b04p-56}};
    constexpr DoubleDouble kLn2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
    int e = 0;
    double m = std::frexp(x, &e);
    if (m < 0x1.6a09e667f3bcdp-1) { // √½
        m *= 2;
        --e;
    }
    const int sixteenths = static_cast<int>(16 * m + 0.5);
    const double c = sixteenths / 16.;
    const DoubleDouble u = DoubleDouble{m - c, 0} / exact_sum(m, c);
    const double z = u.h * u.h;
    const double rest = z * (1. / 3 + z * (1. / 5 + z * (1. / 7 + z * (1. / 9 + z * (1. / 11)))));
    const DoubleDouble artanh = ordered_sum(u.h, u.l + u.h * rest);
    const DoubleDouble near = kLogs[sixteenths - kFirst] + DoubleDouble{2 * artanh.h, 2 * artanh.l};
    return e == 0 ? near : kLn2 * double(e) + near;
}

bool is_whole(double x) { return std::floor(x) == x; }
bool is_odd(double x) { return is_whole(x) && !is_whole(0.5 * x); }

/// Of bases and exponents that are neither NaN nor 0, x positive.
double positive_pow(double x, double y)
{
    if (std::isinf(x) || std::isinf(y)) {
        if (x == 1)
            return 1;
        return (x > 1) == (y > 0) ? kInfinity : 0;
    }
    const DoubleDouble logarithm = log_of(x);
    const double rough = logarithm.h * y;
    if (!(rough < 710))
        return kInfinity;
    if (rough < -746)
        return 0;
    return exp_of(logarithm * y).value();
}

/// e^x and e^−x, halved; of x ≥ 0.
struct Halves {
    DoubleDouble up, down; ///< the first times 2^exponent
    int exponent = 0;
};

Halves halves_of(double x)
{
    const Scaled e = exp_of({x, 0});
    const DoubleDouble inverse = kOne / e.mantissa;
    constexpr int kFar = 60; // e^−x is nothing beside e^x
    const int k = 2 * e.exponent;
    const double share = k > kFar * 2 ? 0 : std::ldexp(1.0, -k);
    return {e.mantissa, {inverse.h * share, inverse.l * share}, e.exponent - 1};
}

/// x + x³/6 + ...
DoubleDouble small_sinh(double x)
{
    constexpr DoubleDouble kSixth{0x1.5555555555555p-3, 0x1.5555555555555p-57};
    const DoubleDouble square = exact_product(x, x);
    const double z = square.h;
    const double rest =
        z * z *
        (1. / 120 + z * (1. / 5040 + z * (1. / 362880 + z * (1. / 39916800 + z / 6227020800.))));
    return DoubleDouble{x, 0} + (square * kSixth + rest) * x;
}

constexpr double kSmall = 0.35;

} // namespace

double exp(double x)
{
    if (std::isnan(x))
        return x;
    if (x > 710)
        return kInfinity;
    return x < -746 ? 0 : exp_of({x, 0}).value();
}

double log(double x)
{
    if (std::isnan(x) || x < 0)
        return kNoNumber;
    if (x == 0)
        return -kInfinity;
    return x == kInfinity ? x : log_of(x).value();
}

double pow(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    if (std::isnan(x) || std::isnan(y))
        return kNoNumber;
    const bool is_finite_negative = x < 0 && !std::isinf(x);
    if (is_finite_negative && !is_whole(y))
        return kNoNumber;
    if (x == -1 && std::isinf(y))
        return 1;
    const double size = x == 0 ? (y > 0 ? 0 : kInfinity) : positive_pow(std::abs(x), y);
    return std::signbit(x) && is_odd(y) ? -size : size;
}

double sinh(double x)
{
    const double size = std::abs(x);
    if (!(size < 711))
        return x + x; // infinite, or no number
    if (size < 0x1p-27)
        return x;
    if (size < kSmall)
        return small_sinh(x).value();
    const Halves e = halves_of(size);
    return std::copysign(std::ldexp((e.up - e.down).value(), e.exponent), x);
}

double cosh(double x)
{
    const double size = std::abs(x);
    if (!(size < 711))
        return size + size;
    const Halves e = halves_of(size);
    return std::ldexp((e.up + e.down).value(), e.exponent);
}

double tanh(double x)
{
    const double size = std::abs(x);
    if (std::isnan(x) || size < 0x1p-27)
        return x;
    if (size > 22)
        return std::copysign(1.0, x);
    const Halves e = halves_of(size);
    const DoubleDouble rise =
        size < kSmall ? small_sinh(size) * std::ldexp(1.0, -e.exponent) : e.up - e.down;
    return std::copysign((rise / (e.up + e.down)).value(), x);
}

double hypot(double x, double y)
{
    double a = std::abs(x), b = std::abs(y);
    if (std::isinf(a) || std::isinf(b))
        return kInfinity;
    if (std::isnan(a) || std::isnan(b))
        return kNoNumber;
    if (a < b)
        std::swap(a, b);
    if (b == 0)
        return a;
    int e = 0;
    a = std::frexp(a, &e);
    b = std::ldexp(b, -e); // what underflows is nothing beside a
    const DoubleDouble square = exact_product(a, a) + exact_product(b, b);
    return std::ldexp(root(square).value(), e);
}

} // namespace sinew::elementary
