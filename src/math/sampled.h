#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

/// Smooth motion through samples of numbers or vectors: between two samples a polynomial of degree
/// five whose velocity and acceleration at a sample are those of the polynomial through it and its
/// neighbours: five samples where they are dense and evenly spaced, else three. Pieces join with
/// continuous velocity and acceleration. [notes: pose_curve, eqs 6, 8]

namespace sinew {

/// Velocity and acceleration of a sampled value at a sample.
template <class V>
struct SampleRates {
    V first = {}, second = {};
};

constexpr std::size_t kMostSamples = 5;

/// Keys that are no further apart are samples of a motion, not its corners [s].
constexpr double kSampled = 0.1;

/// Samples that follow each other.
struct SampleWindow {
    std::size_t first = 0, count = 0;
};

/// Which samples tell how a motion goes at sample k, of those from `low` to `high` that belong to
/// it. Five of them err in the fourth order, but only if their spacing is even: across uneven gaps
/// a polynomial through five overshoots. Keys that somebody has set by hand keep to three: what one
/// of them does is to stay near it. Requires low ≤ k ≤ high.
inline SampleWindow window_about(std::span<const double> times, std::size_t k, std::size_t low,
                                 std::size_t high, std::size_t most_samples = kMostSamples)
{
    constexpr double kEven = 1.5; // largest gap over the smallest
    const auto window = [&](std::size_t count) {
        count = std::min(count, high - low + 1);
        const std::size_t first = std::max(k, low + count / 2) - count / 2;
        return SampleWindow{std::min(first, high + 1 - count), count};
    };
    const SampleWindow wide = window(kMostSamples);
    if (wide.count < kMostSamples || most_samples < kMostSamples)
        return window(3);
    double least = times[wide.first + 1] - times[wide.first], largest = least;
    for (std::size_t i = wide.first + 1; i + 1 < wide.first + wide.count; ++i) {
        least = std::min(least, times[i + 1] - times[i]);
        largest = std::max(largest, times[i + 1] - times[i]);
    }
    return largest <= std::min(kEven * least, kSampled) ? wide : window(3);
}

/// Rates at time 0 of the polynomial through samples, by divided differences. `times` and `values`
/// are relative to the sample at which the rates are wanted. [notes: pose_curve, eq. 8]
template <class V>
SampleRates<V> polynomial_rates(std::span<const double> times, std::array<V, kMostSamples> values)
{
    const std::size_t n = times.size();
    for (std::size_t j = 1; j < n; ++j)
        for (std::size_t i = n - 1; i >= j; --i)
            values[i] = (values[i] - values[i - 1]) * (1 / (times[i] - times[i - j]));
    V value = values[n - 1], first = value * 0.0, second = value * 0.0;
    for (std::size_t i = n - 1; i-- > 0;) {
        second = second * -times[i] + first * 2.0;
        first = first * -times[i] + value;
        value = value * -times[i] + values[i];
    }
    return {first, second};
}

/// Rates at sample k, of the samples in a window about it; `value(i)` is that of sample i.
template <class Get>
auto rates_in(std::span<const double> times, std::size_t k, SampleWindow window, Get&& value)
{
    using V = decltype(value(k));
    std::array<double, kMostSamples> at{};
    std::array<V, kMostSamples> values{};
    for (std::size_t i = 0; i < window.count; ++i) {
        at[i] = times[window.first + i] - times[k];
        values[i] = value(window.first + i) - value(k);
    }
    return polynomial_rates<V>(std::span(at).first(window.count), values);
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
