#pragma once

#include "sinew/math.h"

/// Six-dimensional algebra of rigid bodies: twists, wrenches and inertias in one frame.
///
/// A frame has an origin O and axes. All parts of a spatial quantity are written in the same frame;
/// X = X_WB carries them from frame B to frame W (transform()). Angular parts come first.
///
///   symbol  | code                  | unit          | meaning
///   --------|-----------------------|---------------|-------------------------------------------
///   ω, v    | TwistT                | rad/s, m/s    | angular velocity; velocity of the body's
///           |                       |               | point at O
///   τ, f    | WrenchT               | N m, N        | torque about O; force
///   R, p    | PoseT                 | -, m          | axes of B in W; B's origin in W
///   m, c    | mass, centre          | kg, m         | mass; centre of mass from O
///   I_c     | rotational            | kg m²         | inertia about the centre of mass
///   J, H, M | ArticulatedInertiaT   | kg m², kg m, kg | blocks: τ = J ω + H v, f = Hᵀ ω + M v
///
/// Momentum is a wrench-like quantity (angular about O in N m s, linear in N s) and uses WrenchT.
/// Conventions and formulas follow [Featherstone08, ch. 2 and 7].

namespace sinew {

// ---------------------------------------------------------------- symmetric 3×3

/// A symmetric 3×3 matrix.
template <class S>
struct Sym3T {
    S xx = S(0), yy = S(0), zz = S(0), xy = S(0), yz = S(0), zx = S(0);

    bool operator==(const Sym3T&) const = default;

    static constexpr Sym3T diagonal(const Vec3T<S>& d) { return {d.x, d.y, d.z, S(0), S(0), S(0)}; }

    constexpr Sym3T& operator+=(const Sym3T& B) { return *this = *this + B; }
    constexpr Sym3T& operator-=(const Sym3T& B) { return *this = *this - B; }

    friend constexpr Sym3T operator+(const Sym3T& A, const Sym3T& B)
    {
        return {A.xx + B.xx, A.yy + B.yy, A.zz + B.zz, A.xy + B.xy, A.yz + B.yz, A.zx + B.zx};
    }
    friend constexpr Sym3T operator-(const Sym3T& A, const Sym3T& B) { return A + B * S(-1); }
    friend constexpr Sym3T operator*(const Sym3T& A, const S& s)
    {
        return {A.xx * s, A.yy * s, A.zz * s, A.xy * s, A.yz * s, A.zx * s};
    }
    friend constexpr Vec3T<S> operator*(const Sym3T& A, const Vec3T<S>& v)
    {
        return {A.xx * v.x + A.xy * v.y + A.zx * v.z, A.xy * v.x + A.yy * v.y + A.yz * v.z,
                A.zx * v.x + A.yz * v.y + A.zz * v.z};
    }
};

template <class S>
constexpr Mat3T<S> full_matrix(const Sym3T<S>& A)
{
    return {{A.xx, A.xy, A.zx}, {A.xy, A.yy, A.yz}, {A.zx, A.yz, A.zz}};
}

/// The symmetric part ½ (A + Aᵀ).
template <class S>
constexpr Sym3T<S> symmetric_part(const Mat3T<S>& A)
{
    const S half = S(0.5);
    return {A.x.x,
            A.y.y,
            A.z.z,
            (A.x.y + A.y.x) * half,
            (A.y.z + A.z.y) * half,
            (A.z.x + A.x.z) * half};
}

/// a aᵀ
template <class S>
constexpr Sym3T<S> square(const Vec3T<S>& a)
{
    return {a.x * a.x, a.y * a.y, a.z * a.z, a.x * a.y, a.y * a.z, a.z * a.x};
}

/// −[a]ₓ² = |a|² 1 − a aᵀ: the inertia about the origin of a unit mass at a.
template <class S>
constexpr Sym3T<S> point_inertia(const Vec3T<S>& a)
{
    const S xx = a.x * a.x, yy = a.y * a.y, zz = a.z * a.z;
    return {yy + zz, zz + xx, xx + yy, -(a.x * a.y), -(a.y * a.z), -(a.z * a.x)};
}

/// R A Rᵀ
template <class S>
constexpr Sym3T<S> rotated(const Mat3T<S>& R, const Sym3T<S>& A)
{
    const Mat3T<S> r = transpose(R); // its columns are the rows of R
    const Vec3T<S> Ax = A * r.x, Ay = A * r.y, Az = A * r.z;
    return {dot(r.x, Ax), dot(r.y, Ay), dot(r.z, Az), dot(r.x, Ay), dot(r.y, Az), dot(r.z, Ax)};
}

/// Requires A not singular; else not finite.
template <class S>
constexpr Sym3T<S> inverse(const Sym3T<S>& A)
{
    const Sym3T<S> adjugate = {A.yy * A.zz - A.yz * A.yz, A.zz * A.xx - A.zx * A.zx,
                               A.xx * A.yy - A.xy * A.xy, A.yz * A.zx - A.xy * A.zz,
                               A.zx * A.xy - A.yz * A.xx, A.xy * A.yz - A.zx * A.yy};
    const S determinant = A.xx * adjugate.xx + A.xy * adjugate.xy + A.zx * adjugate.zx;
    return adjugate * (S(1) / determinant);
}

// ---------------------------------------------------------------- twists and wrenches

/// Motion of a rigid body: velocity, or acceleration, or a direction of motion.
template <class S>
struct TwistT {
    Vec3T<S> angular = {}, linear = {};

    bool operator==(const TwistT&) const = default;

    constexpr TwistT& operator+=(const TwistT& b) { return *this = *this + b; }
    constexpr TwistT& operator-=(const TwistT& b) { return *this = *this - b; }

    friend constexpr TwistT operator+(const TwistT& a, const TwistT& b)
    {
        return {a.angular + b.angular, a.linear + b.linear};
    }
    friend constexpr TwistT operator-(const TwistT& a, const TwistT& b)
    {
        return {a.angular - b.angular, a.linear - b.linear};
    }
    friend constexpr TwistT operator-(const TwistT& a) { return {-a.angular, -a.linear}; }
    friend constexpr TwistT operator*(const TwistT& a, const S& s)
    {
        return {a.angular * s, a.linear * s};
    }
    friend constexpr TwistT operator*(const S& s, const TwistT& a) { return a * s; }
};

/// Force on a rigid body, or impulse, or momentum.
template <class S>
struct WrenchT {
    Vec3T<S> torque = {}, force = {};

    bool operator==(const WrenchT&) const = default;

    constexpr WrenchT& operator+=(const WrenchT& b) { return *this = *this + b; }
    constexpr WrenchT& operator-=(const WrenchT& b) { return *this = *this - b; }

    friend constexpr WrenchT operator+(const WrenchT& a, const WrenchT& b)
    {
        return {a.torque + b.torque, a.force + b.force};
    }
    friend constexpr WrenchT operator-(const WrenchT& a, const WrenchT& b)
    {
        return {a.torque - b.torque, a.force - b.force};
    }
    friend constexpr WrenchT operator-(const WrenchT& a) { return {-a.torque, -a.force}; }
    friend constexpr WrenchT operator*(const WrenchT& a, const S& s)
    {
        return {a.torque * s, a.force * s};
    }
    friend constexpr WrenchT operator*(const S& s, const WrenchT& a) { return a * s; }
};

/// Power [W] of a wrench on a motion: τ·ω + f·v. The same in every frame.
template <class S>
constexpr S dot(const TwistT<S>& motion, const WrenchT<S>& wrench)
{
    return dot(motion.angular, wrench.torque) + dot(motion.linear, wrench.force);
}

/// Motion × motion: how `moved` changes when carried along by `by`.
template <class S>
constexpr TwistT<S> cross(const TwistT<S>& by, const TwistT<S>& moved)
{
    return {cross(by.angular, moved.angular),
            cross(by.angular, moved.linear) + cross(by.linear, moved.angular)};
}

/// Motion ×* wrench: how `moved` changes when carried along by `by`; minus the transpose of the
/// above.
template <class S>
constexpr WrenchT<S> cross(const TwistT<S>& by, const WrenchT<S>& moved)
{
    return {cross(by.angular, moved.torque) + cross(by.linear, moved.force),
            cross(by.angular, moved.force)};
}

/// From frame B to frame W: ω_W = R ω_B, v_W = R v_B + p × ω_W.
template <class S>
constexpr TwistT<S> transform(const PoseT<S>& X_WB, const TwistT<S>& motion)
{
    const Vec3T<S> angular = rotate(X_WB.rotation, motion.angular);
    return {angular, rotate(X_WB.rotation, motion.linear) + cross(X_WB.translation, angular)};
}

/// From frame B to frame W: f_W = R f_B, τ_W = R τ_B + p × f_W.
template <class S>
constexpr WrenchT<S> transform(const PoseT<S>& X_WB, const WrenchT<S>& wrench)
{
    const Vec3T<S> force = rotate(X_WB.rotation, wrench.force);
    return {rotate(X_WB.rotation, wrench.torque) + cross(X_WB.translation, force), force};
}

/// From frame W to frame B, without inverting the pose first.
template <class S>
constexpr TwistT<S> transform_back(const PoseT<S>& X_WB, const TwistT<S>& motion)
{
    const QuatT<S> back = conjugate(X_WB.rotation);
    return {rotate(back, motion.angular),
            rotate(back, motion.linear - cross(X_WB.translation, motion.angular))};
}

/// From frame W to frame B, without inverting the pose first.
template <class S>
constexpr WrenchT<S> transform_back(const PoseT<S>& X_WB, const WrenchT<S>& wrench)
{
    const QuatT<S> back = conjugate(X_WB.rotation);
    return {rotate(back, wrench.torque - cross(X_WB.translation, wrench.force)),
            rotate(back, wrench.force)};
}

/// Velocity [m/s] of the body's point at `point`.
template <class S>
constexpr Vec3T<S> velocity_at(const TwistT<S>& motion, const Vec3T<S>& point)
{
    return motion.linear + cross(motion.angular, point);
}

/// The wrench of a force [N] that acts at `point`.
template <class S>
constexpr WrenchT<S> force_at(const Vec3T<S>& force, const Vec3T<S>& point)
{
    return {cross(point, force), force};
}

template <class S>
bool is_finite(const TwistT<S>& a)
{
    return is_finite(a.angular) && is_finite(a.linear);
}

template <class S>
bool is_finite(const WrenchT<S>& a)
{
    return is_finite(a.torque) && is_finite(a.force);
}

// ---------------------------------------------------------------- inertia of a rigid body

/// Ten numbers: mass, centre of mass, inertia about the centre of mass.
template <class S>
struct RigidInertiaT {
    S mass = S(0);
    Vec3T<S> centre = {};
    Sym3T<S> rotational = {};
};

/// Inertia [kg m²] about the origin: I_c + m (|c|² 1 − c cᵀ), the parallel axis theorem.
template <class S>
constexpr Sym3T<S> inertia_about_origin(const RigidInertiaT<S>& body)
{
    return body.rotational + point_inertia(body.centre) * body.mass;
}

/// Momentum of a body moving with the twist: linear m (v + ω × c), angular I_c ω + c × linear.
template <class S>
constexpr WrenchT<S> apply(const RigidInertiaT<S>& body, const TwistT<S>& motion)
{
    const Vec3T<S> momentum = velocity_at(motion, body.centre) * body.mass;
    return {body.rotational * motion.angular + cross(body.centre, momentum), momentum};
}

template <class S>
constexpr S kinetic_energy(const RigidInertiaT<S>& body, const TwistT<S>& motion)
{
    return dot(motion, apply(body, motion)) * S(0.5);
}

/// Two bodies fixed to each other. Nothing plus nothing is nothing, at the origin.
template <class S>
constexpr RigidInertiaT<S> operator+(const RigidInertiaT<S>& a, const RigidInertiaT<S>& b)
{
    const S mass = a.mass + b.mass;
    const S share = select(mass > S(0), b.mass, S(0)) / select(mass > S(0), mass, S(1));
    const Vec3T<S> apart = b.centre - a.centre;
    return {mass, a.centre + apart * share,
            a.rotational + b.rotational + point_inertia(apart) * (a.mass * share)};
}

/// The same body seen from an origin moved by −offset: its centre lies `offset` further.
template <class S>
constexpr RigidInertiaT<S> shifted(const RigidInertiaT<S>& body, const Vec3T<S>& offset)
{
    return {body.mass, body.centre + offset, body.rotational};
}

/// From frame B to frame W.
template <class S>
constexpr RigidInertiaT<S> transform(const PoseT<S>& X_WB, const RigidInertiaT<S>& body)
{
    return {body.mass, apply_to_point(X_WB, body.centre),
            rotated(rotation_matrix(X_WB.rotation), body.rotational)};
}

// ---------------------------------------------------------------- articulated inertia

/// A symmetric 6×6 matrix from motion to wrench: the inertia that a body shows with others hanging
/// on it by joints. Its mass may differ by direction.
template <class S>
struct ArticulatedInertiaT {
    Sym3T<S> rotational = {}; ///< J
    Mat3T<S> coupling = {};   ///< H
    Sym3T<S> mass = {};       ///< M

    bool operator==(const ArticulatedInertiaT&) const = default;

    constexpr ArticulatedInertiaT& operator+=(const ArticulatedInertiaT& b)
    {
        return *this = *this + b;
    }

    friend constexpr ArticulatedInertiaT operator+(const ArticulatedInertiaT& a,
                                                   const ArticulatedInertiaT& b)
    {
        return {a.rotational + b.rotational, a.coupling + b.coupling, a.mass + b.mass};
    }
    friend constexpr ArticulatedInertiaT operator-(const ArticulatedInertiaT& a,
                                                   const ArticulatedInertiaT& b)
    {
        return {a.rotational - b.rotational, a.coupling - b.coupling, a.mass - b.mass};
    }
};

/// J about the origin, H = m [c]ₓ, M = m 1.
template <class S>
constexpr ArticulatedInertiaT<S> make_articulated(const RigidInertiaT<S>& body)
{
    return {inertia_about_origin(body), cross_matrix(body.centre) * body.mass,
            Sym3T<S>::diagonal({body.mass, body.mass, body.mass})};
}

/// τ = J ω + H v, f = Hᵀ ω + M v.
template <class S>
constexpr WrenchT<S> apply(const ArticulatedInertiaT<S>& I, const TwistT<S>& motion)
{
    const Vec3T<S>& w = motion.angular;
    return {I.rotational * w + I.coupling * motion.linear,
            Vec3T<S>{dot(I.coupling.x, w), dot(I.coupling.y, w), dot(I.coupling.z, w)} +
                I.mass * motion.linear};
}

/// The motion that apply() takes to the wrench: what a free body does under it. Eliminates v first.
/// Requires I positive definite; else not finite.
template <class S>
constexpr TwistT<S> solve(const ArticulatedInertiaT<S>& I, const WrenchT<S>& wrench)
{
    const Sym3T<S> M_inverse = inverse(I.mass);
    const Mat3T<S> HM = I.coupling * full_matrix(M_inverse);
    const Sym3T<S> schur = I.rotational - symmetric_part(HM * transpose(I.coupling));
    const Vec3T<S> angular = inverse(schur) * (wrench.torque - HM * wrench.force);
    return {angular, M_inverse * wrench.force - transpose(HM) * angular};
}

/// I + s w wᵀ. With w = I a, s = −1/(a·w) this takes from I the free motion a of a joint.
template <class S>
constexpr ArticulatedInertiaT<S> rank_one_updated(const ArticulatedInertiaT<S>& I,
                                                  const WrenchT<S>& w, const S& s)
{
    return {I.rotational + square(w.torque) * s, I.coupling + outer(w.torque, w.force * s),
            I.mass + square(w.force) * s};
}

/// From frame B to frame W. With everything turned by R first,
///     M_W = M,  H_W = H + [p]ₓ M,  J_W = J + [p]ₓ Hᵀ + ([p]ₓ Hᵀ)ᵀ − [p]ₓ M [p]ₓ.
template <class S>
constexpr ArticulatedInertiaT<S> transform(const PoseT<S>& X_WB, const ArticulatedInertiaT<S>& I)
{
    const Mat3T<S> R = rotation_matrix(X_WB.rotation), px = cross_matrix(X_WB.translation);
    const Sym3T<S> M = rotated(R, I.mass);
    const Mat3T<S> H = R * I.coupling * transpose(R), pxM = px * full_matrix(M);
    // Both products in one: its symmetric part, doubled, is the sum of the last three terms.
    const Mat3T<S> half = px * transpose(H) - pxM * px * S(0.5);
    return {rotated(R, I.rotational) + symmetric_part(half) * S(2), H + pxM, M};
}

using Sym3 = Sym3T<double>;
using Twist = TwistT<double>;
using Wrench = WrenchT<double>;
using RigidInertia = RigidInertiaT<double>;
using ArticulatedInertia = ArticulatedInertiaT<double>;

} // namespace sinew
