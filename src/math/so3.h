#pragma once

#include "math/jet.h"
#include "sinew/math.h"

/// Calculus of rotation vectors: R(t) = exp [r(t)]ₓ has the body angular velocity ω = Jr(r) ṙ, with
///
///     Jr(r) v   = v − A r × v + B r × (r × v),    A = (1 − cos θ)/θ²,  B = (θ − sin θ)/θ³
///     Jr(r)⁻¹ v = v + ½ r × v + C r × (r × v),    C = (1 − ½θ cot ½θ)/θ²
///
///   symbol | code                  | unit  | meaning
///   -------|-----------------------|-------|---------------------------------------------
///   r, θ   | r                     | rad   | rotation vector and its length
///   ω      | angular_velocity      | rad/s | in body axes: Ṙ = R [ω]ₓ
///   Jr     | right_jacobian_times  | -     | right Jacobian of SO(3); singular at θ = 2π
///
/// A, B, C are even in θ and computed by their series in θ² where θ is small, so everything, jets
/// included, is smooth through r = 0. [notes: pose_curve, eq. 3]

namespace sinew {

namespace detail {

/// Σₙ (−x)ⁿ / (2n + k)!, for 0 ≤ x < 1 to the last bit.
template <class S>
S factorial_series(const S& x, int k)
{
    S sum = S(1);
    for (int n = 8; n >= 1; --n)
        sum = S(1) - x * sum / S(double((2 * n + k - 1) * (2 * n + k)));
    for (int i = 2; i <= k; ++i)
        sum = sum / S(double(i));
    return sum;
}

/// The factor C for x = θ².
template <class S>
S inverse_jacobian_factor(const S& x)
{
    using std::cos, std::sin, std::sqrt;
    const auto is_small = x < S(0.1);
    const S series =
        S(1. / 12) +
        x * (S(1. / 720) +
             x * (S(1. / 30240) +
                  x * (S(1. / 1209600) + x * (S(1. / 47900160) + x * (S(691. / 1307674368000.) +
                                                                      x * S(1. / 74724249600.))))));
    const S safe = select(is_small, S(1), x);
    const S half = sqrt(safe) * S(0.5);
    return select(is_small, series, (S(1) - half * cos(half) / sin(half)) / safe);
}

} // namespace detail

/// Jr(r) v: the body angular velocity when r changes at the rate v.
template <class S>
Vec3T<S> right_jacobian_times(const Vec3T<S>& r, const Vec3T<S>& v)
{
    using std::sin, std::sqrt;
    const S x = dot(r, r);
    const auto is_small = x < S(1);
    const S safe = select(is_small, S(1), x);
    const S angle = sqrt(safe), sine = sin(angle * S(0.5));
    const S A = select(is_small, detail::factorial_series(x, 2), S(2) * sine * sine / safe);
    const S B =
        select(is_small, detail::factorial_series(x, 3), (S(1) - sin(angle) / angle) / safe);
    const Vec3T<S> rv = cross(r, v);
    return v - rv * A + cross(r, rv) * B;
}

/// Jr(r)⁻¹ w: the rate of r under the body angular velocity w. Requires |r| < 2π.
template <class S>
Vec3T<S> right_jacobian_inverse_times(const Vec3T<S>& r, const Vec3T<S>& w)
{
    const Vec3T<S> rw = cross(r, w);
    return w + rw * S(0.5) + cross(r, rw) * detail::inverse_jacobian_factor(dot(r, r));
}

/// Angular velocity and acceleration of a body [rad/s, rad/s²].
template <class S>
struct AngularMotionT {
    Vec3T<S> velocity, acceleration;
};

/// ω = Jr(r) ṙ and ω̇ = Jr(r) r̈ + J̇r ṙ in body axes, J̇r by forward differentiation.
template <class S>
AngularMotionT<S> angular_motion(const Vec3T<S>& r, const Vec3T<S>& dr, const Vec3T<S>& ddr)
{
    using J = Jet2T<S>;
    const Vec3T<J> position = {J(r.x, dr.x), J(r.y, dr.y), J(r.z, dr.z)};
    const Vec3T<J> rate = {J(dr.x, ddr.x), J(dr.y, ddr.y), J(dr.z, ddr.z)};
    const Vec3T<J> w = right_jacobian_times(position, rate);
    return {{w.x.value, w.y.value, w.z.value}, {w.x.first, w.y.first, w.z.first}};
}

} // namespace sinew
