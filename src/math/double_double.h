#pragma once

/// Numbers as unevaluated sums of two doubles, |l| ≤ ulp(h) / 2: about 106 bits, from additions and
/// multiplications of doubles alone, so with the same bits wherever these are IEEE's. None of the
/// operations is fused [Dekker71].

#include <cmath>

namespace sinew {

struct DoubleDouble {
    double h = 0, l = 0;

    constexpr double value() const { return h + l; }
};

/// a + b exactly.
constexpr DoubleDouble exact_sum(double a, double b)
{
    const double s = a + b, t = s - a;
    return {s, (a - (s - t)) + (b - t)};
}

/// The same where |a| ≥ |b|.
constexpr DoubleDouble ordered_sum(double a, double b)
{
    const double s = a + b;
    return {s, b - (s - a)};
}

/// a b exactly, unless it overflows or underflows.
constexpr DoubleDouble exact_product(double a, double b)
{
    constexpr double kSplit = 0x1p27 + 1;
    const double ca = kSplit * a, cb = kSplit * b;
    const double ah = ca - (ca - a), al = a - ah, bh = cb - (cb - b), bl = b - bh;
    const double p = a * b;
    return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

constexpr DoubleDouble operator-(const DoubleDouble& a) { return {-a.h, -a.l}; }

constexpr DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b)
{
    const DoubleDouble s = exact_sum(a.h, b.h), t = exact_sum(a.l, b.l);
    const DoubleDouble r = ordered_sum(s.h, s.l + t.h);
    return ordered_sum(r.h, r.l + t.l);
}

constexpr DoubleDouble operator+(const DoubleDouble& a, double b)
{
    const DoubleDouble s = exact_sum(a.h, b);
    return ordered_sum(s.h, s.l + a.l);
}

constexpr DoubleDouble operator-(const DoubleDouble& a, const DoubleDouble& b) { return a + -b; }

constexpr DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b)
{
    const DoubleDouble p = exact_product(a.h, b.h);
    return ordered_sum(p.h, p.l + (a.h * b.l + a.l * b.h));
}

constexpr DoubleDouble operator*(const DoubleDouble& a, double b)
{
    const DoubleDouble p = exact_product(a.h, b);
    return ordered_sum(p.h, p.l + a.l * b);
}

constexpr DoubleDouble operator/(const DoubleDouble& a, const DoubleDouble& b)
{
    const double q = a.h / b.h;
    const DoubleDouble rest = a - b * q;
    return ordered_sum(q, rest.h / b.h);
}

inline DoubleDouble root(const DoubleDouble& a)
{
    const double q = std::sqrt(a.h); // exact to the last bit everywhere
    if (!(q > 0))
        return {q, 0};
    const DoubleDouble rest = a - exact_product(q, q);
    return ordered_sum(q, rest.h / (2 * q));
}

} // namespace sinew
