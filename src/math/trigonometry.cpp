// Sine and its kin.
//
//   sin, cos, tan   x − n π/2 as a double-double [CodyWaite80], of large x by the bits of 2/π that
//                   matter [PayneHanek83]; then Taylor's series within π/4
//   atan and others atan t = atan c + atan((t − c) / (1 + c t)), c the nearest eighth

#include "math/double_double.h"
#include "math/elementary.h"

#include <bit>
#include <cmath>
#include <limits>

namespace sinew::elementary {

namespace {

constexpr DoubleDouble kPi{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
constexpr DoubleDouble kHalfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// An angle as n π/2 + rest, n modulo 4, |rest| ≤ π/4 but for rounding.
struct Reduced {
    int quadrant = 0;
    DoubleDouble rest;
};

/// Of |x| < 2^20: n times the first three parts of π/2 is exact.
Reduced reduce_small(double x)
{
    constexpr double kParts[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69,
                                 0x1.b839a252049c1p-104};
    constexpr double kInverse = 0x1.45f306dc9c883p-1, kRound = 0x1.8p52;
    const double n = (x * kInverse + kRound) - kRound;
    DoubleDouble rest = exact_sum(x - n * kParts[0], -(n * kParts[1]));
    rest = rest + -(n * kParts[2]);
    rest.l -= n * kParts[3];
    return {static_cast<int>(static_cast<long long>(n) & 3), rest};
}

__extension__ typedef unsigned __int128 Wide;

/// 2/π in binary, behind the point.
constexpr std::uint64_t kTwoByPi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d};

/// 64 bits of 2/π from a bit on; before the point there are none.
std::uint64_t bits_from(int first)
{
    if (first < 0)
        return first <= -64 ? 0 : kTwoByPi[0] >> -first;
    const auto word = static_cast<std::size_t>(first / 64);
    const int shift = first % 64;
    return shift == 0 ? kTwoByPi[word]
                      : kTwoByPi[word] << shift | kTwoByPi[word + 1] >> (64 - shift);
}

/// x = m 2^e, m whole: of m 2^e 2/π modulo 4 only 192 bits behind 2^(1 − e) matter.
Reduced reduce_large(double x)
{
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
    const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1075;
    const std::uint64_t m = (bits & ((std::uint64_t(1) << 52) - 1)) | std::uint64_t(1) << 52;
    const int first = exponent - 2; // the product of what comes before is a multiple of 4
    const Wide a = Wide(m) * bits_from(first + 128), b = Wide(m) * bits_from(first + 64),
               c = Wide(m) * bits_from(first);
    // Three words, the highest has the two bits of the quadrant on top.
    const Wide low = a >> 64, middle = low + static_cast<std::uint64_t>(b);
    const std::uint64_t w1 = static_cast<std::uint64_t>(middle);
    const Wide high = (middle >> 64) + (b >> 64) + static_cast<std::uint64_t>(c);
    const std::uint64_t w2 = static_cast<std::uint64_t>(high);
    Wide fraction = (Wide(w2) << 64 | w1) << 2;
    int quadrant = static_cast<int>(w2 >> 62);
    const bool is_above = fraction >> 127; // more than half: from the next one back
    if (is_above) {
        ++quadrant;
        fraction = -fraction;
    }
    constexpr double kUnit = 0x1p-64;
    const auto top = static_cast<std::uint64_t>(fraction >> 64), end = std::uint64_t(fraction);
    constexpr std::uint64_t kLower = 0x7ff;
    const double part1 = static_cast<double>(top & ~kLower) * kUnit;
    const double part2 = static_cast<double>(top & kLower) * kUnit;
    const double part3 = static_cast<double>(end & ~kLower) * kUnit * kUnit;
    const DoubleDouble share = DoubleDouble{part1, 0} + part2 + part3;
    const DoubleDouble rest = share * kHalfPi;
    const bool is_negative = x < 0;
    return {(is_negative ? -quadrant : quadrant) & 3, is_negative != is_above ? -rest : rest};
}

Reduced reduce(double x)
{
    constexpr double kQuarterPi = 0x1.921fb54442d18p-1;
    if (std::abs(x) <= kQuarterPi)
        return {0, {x, 0}};
    return std::abs(x) < 0x1p20 ? reduce_small(x) : reduce_large(x);
}

/// Σ cₖ zᵏ, the first coefficient first.
template <std::size_t N>
double series(const double (&c)[N], double z)
{
    double sum = c[N - 1];
    for (std::size_t k = N - 1; k-- > 0;)
        sum = sum * z + c[k];
    return sum;
}

/// r − r³/6 + r⁵/120 − ...
DoubleDouble sine(const DoubleDouble& r)
{
    constexpr double kRest[] = {
        1. / 120,         -1. / 5040,           1. / 362880,          -1. / 39916800,
        1. / 6227020800., -1. / 1307674368000., 1. / 355687428096000.};
    constexpr double kSixth = 1. / 6, kLost = 0x1.5555555555555p-57; // of the sixth
    const DoubleDouble square = exact_product(r.h, r.h), first = exact_product(square.h, -kSixth);
    const double z = square.h;
    const double rest = z * z * series(kRest, z) + (first.l - z * kLost - square.l * kSixth);
    const DoubleDouble third = exact_product(r.h, first.h);
    const DoubleDouble sum = ordered_sum(r.h, third.h);
    return ordered_sum(sum.h, sum.l + (third.l + r.h * rest + r.l * (1 - 0.5 * z)));
}

/// 1 − r²/2 + r⁴/24 − ...
DoubleDouble cosine(const DoubleDouble& r)
{
    constexpr double kRest[] = {
        1. / 24,        -1. / 720,          1. / 40320,          -1. / 3628800,
        1. / 479001600, -1. / 87178291200., 1. / 20922789888000.};
    const DoubleDouble square = exact_product(r.h, r.h);
    const double z = square.h;
    const DoubleDouble first = ordered_sum(1, -0.5 * z);
    return ordered_sum(first.h, first.l + (z * z * series(kRest, z) - 0.5 * square.l - r.h * r.l));
}

DoubleDouble sine_in(const Reduced& angle, int quadrants)
{
    const int q = (angle.quadrant + quadrants) & 3;
    const DoubleDouble size = q & 1 ? cosine(angle.rest) : sine(angle.rest);
    return q & 2 ? -size : size;
}

bool is_number(double x) { return std::abs(x) <= std::numeric_limits<double>::max(); }

/// atan of a double-double, 0 ≤ t ≤ 1.
DoubleDouble arc(const DoubleDouble& t)
{
    constexpr DoubleDouble kArcs[] = {{0, 0},
                                      {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                      {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                      {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                      {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                      {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                      {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                      {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                      {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};
    constexpr DoubleDouble kOne{1, 0};
    constexpr double kRest[] = {-1. / 3, 1. / 5, -1. / 7, 1. / 9, -1. / 11, 1. / 13, -1. / 15};
    const int eighths = static_cast<int>(8 * t.h + 0.5);
    const double c = eighths / 8.;
    const DoubleDouble u = eighths == 0 ? t : (t + -c) / (kOne + t * c);
    const double z = u.h * u.h;
    const DoubleDouble own = ordered_sum(u.h, u.l + u.h * (z * series(kRest, z)));
    const DoubleDouble sum = exact_sum(kArcs[eighths].h, own.h);
    return ordered_sum(sum.h, sum.l + (kArcs[eighths].l + own.l));
}

/// The angle of a direction in the first quadrant, both numbers of moderate size and not both 0.
DoubleDouble angle_of(const DoubleDouble& y, const DoubleDouble& x)
{
    return y.h <= x.h ? arc(y / x) : kHalfPi - arc(x / y);
}

/// √(1 − x²)
DoubleDouble other_leg(double x) { return root(exact_sum(1, -x) * exact_sum(1, x)); }

} // namespace

double sin(double x)
{
    if (!is_number(x))
        return kNoNumber;
    if (std::abs(x) < 0x1p-27)
        return x; // and the sign of zero
    return sine_in(reduce(x), 0).value();
}

double cos(double x) { return is_number(x) ? sine_in(reduce(x), 1).value() : kNoNumber; }

double tan(double x)
{
    if (!is_number(x))
        return kNoNumber;
    if (std::abs(x) < 0x1p-27)
        return x;
    const Reduced angle = reduce(x);
    return (sine_in(angle, 0) / sine_in(angle, 1)).value();
}

double atan2(double y, double x)
{
    if (std::isnan(x) || std::isnan(y))
        return kNoNumber;
    double a = std::abs(y), b = std::abs(x);
    if (std::isinf(a) || std::isinf(b)) { // by the signs alone
        b = std::isinf(b) ? 1 : 0;
        a = std::isinf(a) ? 1 : 0;
    }
    DoubleDouble angle;
    if (a == 0 || b == 0) {
        angle = a == 0 ? DoubleDouble{} : kHalfPi;
    } else {
        int of_a = 0, of_b = 0;
        const double fa = std::frexp(a, &of_a), fb = std::frexp(b, &of_b);
        const int apart = of_a - of_b;
        constexpr int kFar = 100;
        if (apart < -kFar && x > 0)
            return std::copysign(a / b, y); // small: the quotient, rounded once
        const auto share = [](double f, int e) { return e < -kFar ? 0 : std::ldexp(f, e); };
        angle = apart <= 0 ? angle_of({share(fa, apart), 0}, {fb, 0})
                           : angle_of({fa, 0}, {share(fb, -apart), 0});
    }
    if (std::signbit(x))
        angle = kPi - angle;
    return std::copysign(angle.value(), y);
}

double atan(double x) { return atan2(x, 1); }

double asin(double x)
{
    if (!(std::abs(x) <= 1))
        return kNoNumber;
    if (std::abs(x) < 0x1p-27)
        return x;
    return std::copysign(angle_of({std::abs(x), 0}, other_leg(x)).value(), x);
}

double acos(double x)
{
    if (!(std::abs(x) <= 1))
        return kNoNumber;
    const DoubleDouble angle = angle_of(other_leg(x), {std::abs(x), 0});
    return (x < 0 ? kPi - angle : angle).value();
}

} // namespace sinew::elementary
