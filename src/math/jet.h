#pragma once

#include "math/functions.h"
#include "sinew/math.h"

/// Forward differentiation to second order along one variable t: a jet carries f, f' and f''
/// through any formula, exactly to rounding. Seed the variable with variable(t).
///
///   symbol | code   | unit  | meaning
///   -------|--------|-------|---------------------------
///   f      | value  | [f]   | value at t
///   f'     | first  | [f/t] | first derivative at t
///   f''    | second | [f/t²]| second derivative at t
///
/// Where a function has no derivative the result is not finite, except that abs, min, max, floor
/// and ceil take the derivative of the branch they chose.

namespace sinew {

template <class S>
struct Jet2T {
    S value, first, second;

    /// A constant, when given the value alone.
    constexpr Jet2T(S f = S(0), S df = S(0), S ddf = S(0)) : value(f), first(df), second(ddf) {}

    static constexpr Jet2T variable(S t) { return {t, S(1), S(0)}; }

    constexpr Jet2T& operator+=(const Jet2T& b) { return *this = *this + b; }
    constexpr Jet2T& operator-=(const Jet2T& b) { return *this = *this - b; }
    constexpr Jet2T& operator*=(const Jet2T& b) { return *this = *this * b; }
    constexpr Jet2T& operator/=(const Jet2T& b) { return *this = *this / b; }

    friend constexpr Jet2T operator-(const Jet2T& a) { return {-a.value, -a.first, -a.second}; }
    friend constexpr Jet2T operator+(const Jet2T& a, const Jet2T& b)
    {
        return {a.value + b.value, a.first + b.first, a.second + b.second};
    }
    friend constexpr Jet2T operator-(const Jet2T& a, const Jet2T& b)
    {
        return {a.value - b.value, a.first - b.first, a.second - b.second};
    }
    friend constexpr Jet2T operator*(const Jet2T& a, const Jet2T& b)
    {
        return {a.value * b.value, a.first * b.value + a.value * b.first,
                a.second * b.value + S(2) * a.first * b.first + a.value * b.second};
    }
    friend constexpr Jet2T operator/(const Jet2T& a, const Jet2T& b)
    {
        // From a = q b: a' = q' b + q b', a'' = q'' b + 2 q' b' + q b''.
        const S q = a.value / b.value;
        const S dq = (a.first - q * b.first) / b.value;
        return {q, dq, (a.second - S(2) * dq * b.first - q * b.second) / b.value};
    }

    // Jets are ordered by their values alone: a branch follows the same way as for plain numbers.
    friend constexpr auto operator<(const Jet2T& a, const Jet2T& b) { return a.value < b.value; }
    friend constexpr auto operator>(const Jet2T& a, const Jet2T& b) { return a.value > b.value; }
    friend constexpr auto operator<=(const Jet2T& a, const Jet2T& b) { return a.value <= b.value; }
    friend constexpr auto operator>=(const Jet2T& a, const Jet2T& b) { return a.value >= b.value; }
    friend constexpr auto operator==(const Jet2T& a, const Jet2T& b) { return a.value == b.value; }
};

using Jet2 = Jet2T<double>;

template <class S>
constexpr double value_of(const Jet2T<S>& x)
{
    return value_of(x.value);
}

template <class S>
bool is_finite(const Jet2T<S>& x)
{
    return is_finite(x.value) && is_finite(x.first) && is_finite(x.second);
}

/// f(x) by the chain rule, given f, f' and f'' at the value of x.
template <class S>
constexpr Jet2T<S> chain(const Jet2T<S>& x, const S& f, const S& df, const S& ddf)
{
    return {f, df * x.first, ddf * x.first * x.first + df * x.second};
}

template <class S>
Jet2T<S> sin(const Jet2T<S>& x)
{
    using std::cos, std::sin;
    const S s = sin(x.value);
    return chain<S>(x, s, cos(x.value), -s);
}

template <class S>
Jet2T<S> cos(const Jet2T<S>& x)
{
    using std::cos, std::sin;
    const S c = cos(x.value);
    return chain<S>(x, c, -sin(x.value), -c);
}

template <class S>
Jet2T<S> tan(const Jet2T<S>& x)
{
    using std::tan;
    const S t = tan(x.value), df = S(1) + t * t;
    return chain<S>(x, t, df, S(2) * t * df);
}

template <class S>
Jet2T<S> asin(const Jet2T<S>& x)
{
    using std::asin, std::sqrt;
    const S df = S(1) / sqrt(S(1) - x.value * x.value);
    return chain<S>(x, asin(x.value), df, x.value * df * df * df);
}

template <class S>
Jet2T<S> acos(const Jet2T<S>& x)
{
    using std::acos;
    const Jet2T<S> complement = -asin(x);
    return {acos(x.value), complement.first, complement.second};
}

template <class S>
Jet2T<S> atan(const Jet2T<S>& x)
{
    using std::atan;
    const S df = S(1) / (S(1) + x.value * x.value);
    return chain<S>(x, atan(x.value), df, S(-2) * x.value * df * df);
}

/// The angle of (x, y); not differentiable at the origin.
template <class S>
Jet2T<S> atan2(const Jet2T<S>& y, const Jet2T<S>& x)
{
    using std::atan2;
    const S rr = x.value * x.value + y.value * y.value;
    const S half_drr = x.value * x.first + y.value * y.first;
    const S first = (x.value * y.first - y.value * x.first) / rr;
    const S second = (x.value * y.second - y.value * x.second - S(2) * half_drr * first) / rr;
    return {atan2(y.value, x.value), first, second};
}

template <class S>
Jet2T<S> sqrt(const Jet2T<S>& x)
{
    using std::sqrt;
    const S r = sqrt(x.value), df = S(0.5) / r;
    return chain<S>(x, r, df, S(-0.5) * df / x.value);
}

template <class S>
Jet2T<S> exp(const Jet2T<S>& x)
{
    using std::exp;
    const S e = exp(x.value);
    return chain<S>(x, e, e, e);
}

template <class S>
Jet2T<S> log(const Jet2T<S>& x)
{
    using std::log;
    const S df = S(1) / x.value;
    return chain<S>(x, log(x.value), df, -df * df);
}

/// x to the power y. With a constant exponent x may be zero or negative, as for plain numbers; else
/// requires x > 0. Plain comparisons.
template <class S>
Jet2T<S> pow(const Jet2T<S>& x, const Jet2T<S>& y)
{
    using std::pow;
    const S p = y.value, f = pow(x.value, p);
    if (y.first == S(0) && y.second == S(0)) {
        const S df = p == S(0) ? S(0) : S(p * pow(x.value, S(p - S(1))));
        const bool is_straight = p == S(0) || p == S(1); // 0 · ∞ at x = 0 otherwise
        const S ddf = is_straight ? S(0) : S(p * (p - S(1)) * pow(x.value, S(p - S(2))));
        return chain<S>(x, f, df, ddf);
    }
    const Jet2T<S> exponent = y * log(x);
    return chain<S>(exponent, f, f, f);
}

template <class S>
Jet2T<S> pow(const Jet2T<S>& x, double y)
{
    return pow(x, Jet2T<S>(S(y)));
}

template <class S>
Jet2T<S> abs(const Jet2T<S>& x)
{
    return select(x < Jet2T<S>(), -x, x);
}

template <class S>
constexpr Jet2T<S> min(const Jet2T<S>& a, const Jet2T<S>& b)
{
    return select(b < a, b, a);
}

template <class S>
constexpr Jet2T<S> max(const Jet2T<S>& a, const Jet2T<S>& b)
{
    return select(a < b, b, a);
}

template <class S>
Jet2T<S> floor(const Jet2T<S>& x)
{
    using std::floor;
    return floor(x.value);
}

template <class S>
Jet2T<S> ceil(const Jet2T<S>& x)
{
    using std::ceil;
    return ceil(x.value);
}

} // namespace sinew
