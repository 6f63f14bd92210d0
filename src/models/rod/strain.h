#pragma once

/// What a rod feels at one point of it: how much it is stretched, bent and twisted, and how that
/// changes with the curve.
///
/// Per rest length s: p = dx/ds, q = d²x/ds² (its part along the tangent drops out), φ the angle of
/// the material frame from the reference frame, ω = dφ/ds.
///
///   symbol  | code              | unit | meaning
///   --------|-------------------|------|--------------------------------------------------------
///   p, q    | Local::p, q       | 1, 1/m | derivatives of the curve along its rest length
///   t, t_s  | Reference         | 1, 1/m | tangent p/|p| and its derivative along s
///   a       | Reference::a      | 1    | reference director, unit, across t
///   e       | strain[0]         | 1    | stretch |p| − 1                              [eq. 1]
///   κ₁, κ₂  | strain[1], [2]    | 1/m  | t × t_s in the material frame, less at rest   [eq. 2]
///   τ       | strain[3]         | 1/m  | ω + τ₀ + F(t₀ → t)                            [eq. 3]
///
/// The reference frame is carried in time by the smallest turn from t₀ to t, so that a twist is
/// nobody's choice of frame; that turn twists it along the rod by
///
///     F = (t × t₀) · (t₀_s + t_s) / (1 + t₀ · t)                          [notes: rods, eq. 3]

#include "sinew/math.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace sinew::rod {

/// The curve at a point.
struct Local {
    Vec3 p, q;
    double phi = 0, omega = 0;
};

/// The frame that angles count from, where it was last carried to.
struct Reference {
    Vec3 t, t_s, a;
    double twist = 0; ///< τ₀: of the frame along the rod [1/m]

    static constexpr std::size_t kNumbers = 10;
};

/// What a point has when nothing pulls.
struct Rest {
    double kappa_1 = 0, kappa_2 = 0, tau = 0; ///< [1/m]
    bool is_curved = false;                   ///< else its frame does not matter for bending
};

/// A strain's derivatives.
struct Slope {
    Vec3 p = {0, 0, 0}, q = {0, 0, 0};
    double phi = 0, omega = 0;
};

struct Strains {
    std::array<double, 4> strain = {};
    std::array<Slope, 4> slope = {};
    Vec3 t;             ///< tangent
    Vec3 m_1;           ///< the director that κ₁ counts from, unit, across t
    double stretch = 1; ///< |p|
};

/// The reference carried to the tangent of `local`.
Reference carry(const Reference& from, const Local& local);

/// The material director m₁ for an angle: m₂ = t × m₁.
Vec3 director(const Reference& carried, double phi);

/// Overwrites `out` with the strains and their exact slopes.
void compute_strains(const Local& local, const Reference& reference, const Rest& rest,
                     Strains& out);
inline Strains compute_strains(const Local& local, const Reference& reference, const Rest& rest)
{
    Strains out;
    compute_strains(local, reference, rest, out);
    return out;
}

/// t × t_s of the curve in the frame (a, t × a), and nothing taken off: what a rest is made of.
Rest measure_rest(const Local& local, const Reference& reference);

} // namespace sinew::rod
