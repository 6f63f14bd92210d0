#pragma once

#include "math/so3.h"
#include "sinew/math.h"

#include <array>
#include <cstddef>
#include <initializer_list>
#include <numbers>

/// Smooth motion through four successive sampled poses: where a base joint is, how fast and how
/// strongly it accelerates between two frames of an animation. [notes: pose_curve]
///
/// Both constructions write, with s = (t − t₁)/h, h = t₂ − t₁,
///
///     p(t) = Σₖ pₖ sᵏ,    R(t) = R₁ exp [r(t)]ₓ,    r(t) = Σₖ rₖ sᵏ              [eq. 1]
///
///   symbol | code           | unit | meaning
///   -------|----------------|------|--------------------------------------------------
///   t₀..t₃ | times          | s    | when the four poses hold, increasing
///   pₖ     | translation[k] | m    | coefficients of the position
///   rₖ     | rotation[k]    | rad  | coefficients of the rotation vector from R₁
///
/// make_pose_curve: degree five, for t₁ ≤ t ≤ t₂. As the window of four slides from frame to frame,
/// the pieces join with continuous velocity and acceleration (C²).
/// make_pose_cubic: degree three, through all four poses, for t₀ ≤ t ≤ t₃. Smoother and one order
/// more accurate inside the window, but windows that slide join with continuous pose only.
///
/// Requires increasing times, and less than half a turn from each pose to the next.

namespace sinew {

/// A pose with its motion. All vectors in the world: rates of p and R in Ṙ = [ω]ₓ R.
template <class S>
struct PoseMotionT {
    PoseT<S> pose = {};
    Vec3T<S> velocity = {};             ///< of the pose's origin [m/s]
    Vec3T<S> angular_velocity = {};     ///< [rad/s]
    Vec3T<S> acceleration = {};         ///< of the pose's origin [m/s²]
    Vec3T<S> angular_acceleration = {}; ///< [rad/s²]
};

template <class S>
struct PoseCurveT {
    using Coefficients = std::array<Vec3T<S>, 6>;

    S start = S(0);    ///< t₁ [s]
    S duration = S(1); ///< h [s]
    QuatT<S> anchor = {};
    Coefficients translation = {}, rotation = {};
};

using PoseMotion = PoseMotionT<double>;
using PoseCurve = PoseCurveT<double>;

namespace detail {

/// Value, velocity and acceleration of a vector.
template <class S>
struct Rates {
    Vec3T<S> value, first, second;
};

/// The polynomial with the given ends; rates per unit of s. [eq. 6]
template <class S>
std::array<Vec3T<S>, 6> quintic(const Rates<S>& a, const Rates<S>& b)
{
    const Vec3T<S> d = b.value - a.value - a.first - a.second * S(0.5);
    const Vec3T<S> e = b.first - a.first - a.second, f = (b.second - a.second) * S(0.5);
    return {a.value,
            a.first,
            a.second * S(0.5),
            d * S(10) - e * S(4) + f,
            d * S(-15) + e * S(7) - f * S(2),
            d * S(6) - e * S(3) + f};
}

/// Velocity and acceleration in the middle of the parabola through three samples, given the steps
/// `before` and `after` that take the times g and h. [eq. 4]
template <class S>
Rates<S> parabola(const Vec3T<S>& before, const S& g, const Vec3T<S>& after, const S& h)
{
    return {{},
            (after * (g / h) + before * (h / g)) / (g + h),
            (after / h - before / g) * (S(2) / (g + h))};
}

/// The cubic with the value y₁ at s = 0 and three more. [eq. 7]
template <class S>
std::array<Vec3T<S>, 6> cubic(const std::array<S, 4>& s, const std::array<Vec3T<S>, 4>& y)
{
    // y = y₁ + s g(s); g by divided differences over s₀, s₂, s₃.
    const Vec3T<S> g0 = (y[0] - y[1]) / s[0], g2 = (y[2] - y[1]) / s[2], g3 = (y[3] - y[1]) / s[3];
    const Vec3T<S> g02 = (g2 - g0) / (s[2] - s[0]), g23 = (g3 - g2) / (s[3] - s[2]);
    const Vec3T<S> g023 = (g23 - g02) / (s[3] - s[0]);
    return {y[1], g0 - g02 * s[0] + g023 * (s[0] * s[2]), g02 - g023 * (s[0] + s[2]), g023, {}, {}};
}

template <class S>
Rates<S> evaluate(const std::array<Vec3T<S>, 6>& c, const S& s)
{
    Rates<S> r = {c[5], {}, {}};
    for (std::size_t k = 5; k-- > 0;) {
        r.second = r.second * s + r.first * S(2);
        r.first = r.first * s + r.value;
        r.value = r.value * s + c[k];
    }
    return r;
}

/// Of the rotation vectors that turn like r, the one nearest to `expected`. Plain comparisons.
template <class S>
Vec3T<S> nearest_turn(const Vec3T<S>& r, const Vec3T<S>& expected)
{
    if (dot(expected, expected) == S(0))
        return r;
    const Vec3T<S> axis = normalised(dot(r, r) > S(0) ? r : expected);
    Vec3T<S> best = r;
    for (const double turn : {-2 * std::numbers::pi, 2 * std::numbers::pi})
        if (const Vec3T<S> other = r + axis * S(turn);
            squared_length(other - expected) < squared_length(best - expected))
            best = other;
    return best;
}

} // namespace detail

/// The C² piece between the middle two of four poses.
template <class S>
PoseCurveT<S> make_pose_curve(const std::array<PoseT<S>, 4>& poses, const std::array<S, 4>& times)
{
    const S g = times[1] - times[0], h = times[2] - times[1], k = times[3] - times[2];
    const auto step = [&](std::size_t i) {
        return poses[i + 1].translation - poses[i].translation;
    };
    const auto turn = [&](std::size_t i) {
        return log_quat(conjugate(poses[i].rotation) * poses[i + 1].rotation);
    };
    // Both windows that share a pose estimate its rates from the same three poses: hence C².
    const auto per_piece = [&](detail::Rates<S> r, const Vec3T<S>& value) {
        return detail::Rates<S>{value, r.first * h, r.second * (h * h)};
    };
    const auto p1 = per_piece(detail::parabola(step(0), g, step(1), h), poses[1].translation);
    const auto p2 = per_piece(detail::parabola(step(1), h, step(2), k), poses[2].translation);

    const Vec3T<S> r = turn(1);
    const auto w1 = per_piece(detail::parabola(turn(0), g, r, h), {}); // at r = 0: ṙ = ω, r̈ = ω̇
    const auto w2 = per_piece(detail::parabola(r, h, turn(2), k), r);
    const Vec3T<S> dr = right_jacobian_inverse_times(r, w2.first);           // [eq. 5]
    const Vec3T<S> carried = angular_motion(r, dr, Vec3T<S>{}).acceleration; // J̇r ṙ
    const Vec3T<S> ddr = right_jacobian_inverse_times(r, w2.second - carried);

    return {times[1], h, poses[1].rotation, detail::quintic<S>(p1, p2),
            detail::quintic<S>(w1, {r, dr, ddr})};
}

/// The cubic through all four poses.
template <class S>
PoseCurveT<S> make_pose_cubic(const std::array<PoseT<S>, 4>& poses, const std::array<S, 4>& times)
{
    const S h = times[2] - times[1];
    std::array<S, 4> s;
    std::array<Vec3T<S>, 4> p, r;
    for (std::size_t i = 0; i < 4; ++i) {
        s[i] = (times[i] - times[1]) / h;
        p[i] = poses[i].translation;
        r[i] = log_quat(conjugate(poses[1].rotation) * poses[i].rotation);
    }
    // Two steps may turn by more than half a turn: the logarithm alone would unwind it.
    r[3] = detail::nearest_turn(r[3],
                                r[2] + log_quat(conjugate(poses[2].rotation) * poses[3].rotation));
    r[1] = {};
    return {times[1], h, poses[1].rotation, detail::cubic<S>(s, p), detail::cubic<S>(s, r)};
}

/// Pose, velocities and accelerations at time t.
template <class S>
PoseMotionT<S> evaluate(const PoseCurveT<S>& curve, const S& t)
{
    const S h = curve.duration, s = (t - curve.start) / h;
    const detail::Rates<S> p = detail::evaluate(curve.translation, s);
    const detail::Rates<S> r = detail::evaluate(curve.rotation, s);
    const AngularMotionT<S> body = angular_motion(r.value, r.first / h, r.second / (h * h));
    const QuatT<S> R = curve.anchor * exp_quat(r.value);
    // ω_W = R ω_B; its rate is R ω̇_B, since ω × ω = 0.
    return {{R, p.value},
            p.first / h,
            rotate(R, body.velocity),
            p.second / (h * h),
            rotate(R, body.acceleration)};
}

/// The pose after `last` at the pace from `previous` to `last`: a fourth pose where an animation
/// begins or ends.
template <class S>
PoseT<S> extrapolated(const PoseT<S>& previous, const PoseT<S>& last)
{
    return {last.rotation * (conjugate(previous.rotation) * last.rotation),
            last.translation * S(2) - previous.translation};
}

} // namespace sinew
