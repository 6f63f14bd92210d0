#pragma once

/// Smooth motion through samples of numbers or vectors: between two samples a polynomial of degree
/// five whose velocity and acceleration at a sample are those of the parabola through it and its
/// neighbours, or at an end through the three samples there. Pieces join with continuous velocity
/// and acceleration. [notes: pose_curve, eqs 4, 6]

namespace sinew {

/// Velocity and acceleration of a sampled value at a sample.
template <class V>
struct SampleRates {
    V first = {}, second = {};
};

/// At `away` seconds from the middle of three samples; `before` and `after` are the differences to
/// its neighbours, which take g and h seconds.
template <class V>
SampleRates<V> parabola_rates(const V& before, double g, const V& after, double h, double away)
{
    const V a = (after * (1 / h) - before * (1 / g)) * (2 / (g + h));
    const V v = (after * (g / h) + before * (h / g)) * (1 / (g + h));
    return {v + a * away, a};
}

/// The value at the part s of a piece of h seconds from y0 to y1.
template <class V, class S>
auto quintic_value(const V& y0, const SampleRates<V>& at0, const V& y1, const SampleRates<V>& at1,
                   double h, const S& s)
{
    const V v = at0.first * h, a = at0.second * (0.5 * h * h);
    const V d = y1 - y0 - v - a, e = at1.first * h - v - a * 2.0,
            f = at1.second * (0.5 * h * h) - a;
    const V c3 = d * 10.0 - e * 4.0 + f, c4 = d * -15.0 + e * 7.0 - f * 2.0,
            c5 = d * 6.0 - e * 3.0 + f;
    return y0 + (v + (a + (c3 + (c4 + c5 * s) * s) * s) * s) * s;
}

} // namespace sinew
