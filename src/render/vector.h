#pragma once

#include "math/functions.h"
#include "sinew/math.h"

namespace sinew::picture {

using Vec = Vec3T<float>;

inline Vec to_float(const Vec3& v) { return {float(v.x), float(v.y), float(v.z)}; }

inline Vec multiply(const Vec& a, const Vec& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

inline Vec mix(const Vec& a, const Vec& b, float t) { return a + (b - a) * t; }

/// Of unit length; what has no length, or is no number, becomes `other`.
inline Vec unit_or(const Vec& v, const Vec& other)
{
    const float size = length(v);
    return size > 1e-20f && size < 1e20f ? v / size : other;
}

/// 0 below `low`, 1 above `high`, smooth between.
inline float smooth_step(float low, float high, float x)
{
    const float t = min(1.0f, max(0.0f, (x - low) / (high - low)));
    return t * t * (3 - 2 * t);
}

/// Two directions at right angles to a unit vector and to each other.
struct Tangents {
    Vec u, v;
};

inline Tangents make_tangents(const Vec& n)
{
    const Vec other = abs(n.x) < 0.6f ? Vec{1, 0, 0} : Vec{0, 1, 0};
    const Vec u = normalised(cross(other, n));
    return {u, cross(n, u)};
}

/// The part of a colour that the eye takes for brightness (Rec. 709).
inline float luminance(const Vec& c) { return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z; }

} // namespace sinew::picture
