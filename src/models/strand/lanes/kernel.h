#pragma once

/// One implicit stage of a tree of rigid segments: residual, its exact linearisation, and the
/// elimination of that in time linear in the number of segments.  [docs/theory/strands.md]
///
/// The unknowns are the absolute body rates ω of the segments; algebra is in world axes about the
/// segment's own joint, so that a variation of a segment is one vector δφ, and what its own motion
/// contributes is local to it.
///
///   symbol   | code            | unit    | meaning
///   ---------|-----------------|---------|--------------------------------------------------
///   Q, R     | Trail::turn     | 1       | of a segment, world
///   ω, w     | rate, world_rate| rad/s   | in body axes, in world axes
///   r        | Segment::r      | m       | from the joint to the tip, where children hang
///   α, β     | alpha, beta     | 1/s²    | angular acceleration; of the tip against the joint
///   F, N     | Demand          | N, N m  | what the subtree demands of the joint
///   g        | Bend::g         | 1       | tan(angle/2) times axis, from the rest rotation
///   t        | Bend::torque    | N m     | of the elastic joint
///   y₀, y₁   | rate_coefficient| 1/s, s  | R δω = (y₀ + ½[w] + y₁ w wᵀ) δφ
///   n, σ     | R.y, speed      | 1, m/s  | along the segment; how fast its length grows
///
/// T is a number, a complex number, something that counts, or lanes with a strand in each. No
/// branch depends on a value.

#include "models/strand/lanes/algebra.h"
#include "models/strand/lanes/fields.h"
#include "models/strand/lanes/lanes.h"

#include <span>

namespace sinew::strand {

// ---------------------------------------------------------------- poses from rates  [eqs 2, 3]

/// Q̄ ⊗ upd(u): the turn by |u| about u to O(u⁷), by a rational tangent of half the angle.
template <class T>
QuatT<T> turned(const QuatT<T>& from, const Vec3T<T>& u)
{
    const Vec3T<T> g = u * T(0.5);
    const T z = dot(g, g), down = T(15) - T(6) * z, up = T(15) - z;
    return normalised(from * QuatT<T>{up * g.x, up * g.y, up * g.z, down});
}

/// y₀ and y₁ of that map.
template <class T>
struct RateCoefficients {
    T y0, y1;
};

template <class T>
RateCoefficients<T> rate_coefficients(const Vec3T<T>& w, const StageOf<T>& stage)
{
    const T z = T(0.25) * stage.theta * stage.theta * dot(w, w);
    const T up = T(15) - z, q = T(225) + z * (T(45) + T(6) * z), inverse = T(1) / (up * q);
    return {stage.inverse_theta * (T(15) - T(6) * z) * q * inverse,
            T(0.25) * stage.theta * (T(5) * q + z * z * up) * inverse};
}

/// Yθ = y₀ 1 + ½[w] + y₁ w wᵀ
template <class T>
Mat3T<T> rate_matrix(const Vec3T<T>& w, const T& y0, const T& y1)
{
    Mat3T<T> Y = outer(w * y1, w);
    add_diagonal(Y, y0);
    add_cross(Y, w * T(0.5));
    return Y;
}

// ---------------------------------------------------------------- one segment

template <class T>
struct Segment {
    Mat3T<T> R;
    Vec3T<T> r, w, alpha, beta, a;
    Vec3T<T> pace; ///< velocity of the tip against the joint
};

/// What a length that moves adds to a tip's velocity and acceleration against its joint: nσ, and
/// nσ̇ + 2σ w×n.                                                                      [eq. 24]
template <class T>
void add_growth(int i, const Vec3T<T>& n, const Vec3T<T>& w, const Rows<T>& trail, Vec3T<T>& pace,
                Vec3T<T>& beta)
{
    const T speed = trail(i, Axial::speed);
    pace += n * speed;
    beta += n * trail(i, Axial::gain) + cross(w, n) * (speed + speed);
}

/// `kStretch`: lengths move; rows of the trail have the fields of Axial too.
template <bool kStretch = false, class T>
Segment<T> segment_at(int i, const Rows<T>& trail, const Rows<T>& param, const StageOf<T>& stage)
{
    Segment<T> s;
    s.R = rotation_matrix(trail.quat(i, Trail::turn));
    s.r = s.R.y * param(i, Param::length);
    s.w = trail.vector(i, Trail::world_rate);
    s.alpha = s.R * ((trail.vector(i, Trail::rate) - trail.vector(i, Trail::base_rate)) *
                     stage.inverse_theta);
    s.pace = cross(s.w, s.r);
    s.beta = cross(s.alpha, s.r) + cross(s.w, s.pace);
    if constexpr (kStretch)
        add_growth(i, s.R.y, s.w, trail, s.pace, s.beta);
    s.a = trail.vector(i, Trail::acceleration);
    return s;
}

/// From the base's origin to the joint of a root.
template <class T>
Vec3T<T> root_arm(int i, const Rows<T>& param, const StageOf<T>& stage)
{
    return rotation_matrix(stage.turn) * param.vector(i, Param::offset);
}

/// How a point of a segment moves.
template <class T>
struct PointMotion {
    Vec3T<T> a, v;
};

/// Of a segment's joint, from what it hangs on.
template <bool kStretch = false, class T>
PointMotion<T> joint_motion(int i, const Topology& tree, const Rows<T>& trail, const Rows<T>& param,
                            const StageOf<T>& stage)
{
    const int parent = tree.parent[i];
    if (parent < 0) {
        const Vec3T<T> arm = rotation_matrix(stage.turn) * param.vector(i, Param::offset);
        const Vec3T<T> turning = cross(stage.rate, arm);
        return {stage.acceleration + cross(stage.spinning, arm) + cross(stage.rate, turning),
                stage.velocity + turning};
    }
    const Segment<T> s = segment_at<kStretch>(parent, trail, param, stage);
    const T part = param(i, Param::attach);
    return {s.a + s.beta * part, trail.vector(parent, Trail::velocity) + s.pace * part};
}

template <class T>
void place_joint(int i, const Topology& tree, const Rows<T>& trail, const Rows<T>& param,
                 const StageOf<T>& stage)
{
    const PointMotion<T> joint = joint_motion(i, tree, trail, param, stage);
    trail.put(i, Trail::acceleration, joint.a);
    trail.put(i, Trail::velocity, joint.v);
}

/// A segment's length from its speed, L = L̄ + θσ, and all that follows from it. Tension by Hooke's
/// law down to half the length, −EA/4λ below.                                        [eq. 27]
template <class T>
void place_length(int i, const Rows<T>& trail, const Rows<T>& param, const StageOf<T>& stage)
{
    const T speed = trail(i, Axial::speed), rest = param(i, Spring::rest),
            EA = param(i, Spring::stiffness), damping = param(i, Spring::damping),
            mass = param(i, Spring::mass), least = rest * T(1e-3), one(1);
    const T there = trail(i, Axial::base_length) + stage.theta * speed;
    const T length = select(there < least, least, there), part = length / rest;
    const auto is_short = part < T(0.5);
    const T inverse = one / part, wide = mass * length * length;
    param(i, Param::length) = length;
    param(i, Param::inertia) = param(i, Spring::bulk) - wide;
    param(i, Param::inertia + 2) = param(i, Spring::bulk + 1) - wide;
    trail(i, Axial::gain) = (speed - trail(i, Axial::base_speed)) * stage.inverse_theta;
    trail(i, Axial::tension) =
        EA * select(is_short, inverse * T(-0.25), part - one) + damping * speed;
    trail(i, Axial::slope) = EA / rest * select(is_short, inverse * inverse * T(0.25), one);
    trail(i, Axial::slope + 1) = damping;
    trail(i, Axial::mass) = mass;
}

/// Outward: all that follows from a segment's rate. `tip` is that of the segment before, and then
/// of this one.
template <bool kDrag, bool kCoefficients, bool kStretch = false, class T>
void place_segment(int i, const Vec3T<T>& rate, const Topology& tree, const Rows<T>& trail,
                   const Rows<T>& param, const StageOf<T>& stage, PointMotion<T>& tip)
{
    const QuatT<T> q = turned(trail.quat(i, Trail::base_turn), rate * stage.theta);
    const Mat3T<T> R = rotation_matrix(q);
    const Vec3T<T> w = R * rate, r = R.y * param(i, Param::length);
    Vec3T<T> pace = cross(w, r);
    const Vec3T<T> alpha = R * ((rate - trail.vector(i, Trail::base_rate)) * stage.inverse_theta);
    Vec3T<T> beta = cross(alpha, r) + cross(w, pace);
    if constexpr (kStretch)
        add_growth(i, R.y, w, trail, pace, beta);
    trail.put(i, Trail::rate, rate);
    trail.put(i, Trail::turn, q);
    trail.put(i, Trail::world_rate, w);
    if constexpr (kCoefficients) {
        const RateCoefficients<T> y = rate_coefficients(w, stage);
        trail(i, Trail::rate_coefficient) = y.y0;
        trail(i, Trail::rate_coefficient + 1) = y.y1;
    }
    if (!tree.follows[i])
        tip = joint_motion<kStretch>(i, tree, trail, param, stage);
    trail.put(i, Trail::acceleration, tip.a);
    tip.a += beta;
    if constexpr (kDrag) {
        trail.put(i, Trail::velocity, tip.v);
        tip.v += pace;
    }
}

/// Outward: everything that follows from the rates.
template <bool kDrag = true, bool kStretch = false, class T>
void place_segments(const Topology& tree, const Rows<T>& trail, const Rows<T>& param,
                    const StageOf<T>& stage)
{
    PointMotion<T> tip{};
    for (int i = 0; i < tree.count; ++i)
        place_segment<kDrag, true, kStretch>(i, trail.vector(i, Trail::rate), tree, trail, param,
                                             stage, tip);
}

// ---------------------------------------------------------------- elastic joint  [eqs 4, 5]

/// c_k = (K_k − K_x) g_k/(1 + g_k²) and u_k = e_k − g × e_k + g_k g, so that elastic = K_x g + Σ
/// c_k u_k.
template <class T>
struct BendTerms {
    T down_y, down_z, c_y, c_z;
    Vec3T<T> u_y, u_z;
};

template <class T>
BendTerms<T> bend_terms(const Vec3T<T>& g, const Vec3T<T>& K)
{
    const T one(1);
    BendTerms<T> b;
    b.down_y = one / (one + g.y * g.y);
    b.down_z = one / (one + g.z * g.z);
    b.c_y = (K.y - K.x) * g.y * b.down_y;
    b.c_z = (K.z - K.x) * g.z * b.down_z;
    b.u_y = {g.z + g.y * g.x, one + g.y * g.y, g.y * g.z - g.x};
    b.u_z = {g.z * g.x - g.y, g.x + g.z * g.y, one + g.z * g.z};
    return b;
}

/// V = K_x ln(1 + |g|²) + Σ over y, z of (K_k − K_x) ln(1 + g_k²), whose torque is K tan(angle/2)
/// in pure bending and in pure twist, and which no way around gains energy from.
///
/// The joint's axes J are half-way between its two segments as they are at rest: of a curl the
/// twist is about the mean direction, and the error of second order in the segments' length.
template <class T>
struct Bend {
    Mat3T<T> J;           ///< the joint's axes, world
    Vec3T<T> g;           ///< along them, as all that follows
    Vec3T<T> elastic;     ///< ½(1 − [g] + g gᵀ) ∇V
    Vec3T<T> torque;      ///< with damping, world axes
    Vec3T<T> parent_rate; ///< world axes
    Vec3T<T> stiffness, damping;
    T c; ///< cos(angle/2), the sign of the quaternion kept
    BendTerms<T> terms;
};

template <class T>
Bend<T> bend_at(int i, int parent, const Segment<T>& s, const Rows<T>& trail, const Rows<T>& param,
                const StageOf<T>& stage)
{
    Bend<T> bend;
    bend.parent_rate = parent >= 0 ? trail.vector(parent, Trail::world_rate) : stage.rate;
    const QuatT<T> before = parent >= 0 ? trail.quat(parent, Trail::turn) : stage.turn;
    const QuatT<T> axes = trail.quat(i, Trail::turn) * param.quat(i, Param::axes);
    const QuatT<T> d = param.quat(i, Param::rest_inverse) * (conjugate(before) * axes);
    bend.J = rotation_matrix(axes);
    bend.c = d.w;
    bend.g = d.vector() * (T(1) / d.w);
    bend.stiffness = param.vector(i, Param::stiffness);
    bend.damping = param.vector(i, Param::damping);
    const BendTerms<T>& b = bend.terms = bend_terms(bend.g, bend.stiffness);
    bend.elastic = bend.g * bend.stiffness.x + b.u_y * b.c_y + b.u_z * b.c_z;
    const Vec3T<T> slip = transposed_times(bend.J, s.w - bend.parent_rate);
    bend.torque = bend.J * (bend.elastic + multiply(bend.damping, slip));
    return bend;
}

/// ∂(elastic)/∂ψ = ∂(elastic)/∂g · ½(1 + [g] + g gᵀ), the joint's axes.
template <class T>
Mat3T<T> bend_stiffness(const Bend<T>& bend)
{
    const Vec3T<T>&g = bend.g, &K = bend.stiffness;
    const BendTerms<T>& b = bend.terms;
    const T one(1);
    const T dc_y = (K.y - K.x) * (one - g.y * g.y) * b.down_y * b.down_y;
    const T dc_z = (K.z - K.x) * (one - g.z * g.z) * b.down_z * b.down_z;
    const T diagonal = K.x + b.c_y * g.y + b.c_z * g.z;
    Mat3T<T> slope{{diagonal, b.c_z, -b.c_y}, b.u_y * dc_y + g * b.c_y, b.u_z * dc_z + g * b.c_z};
    slope.y.x -= b.c_z, slope.y.y += diagonal;
    slope.z.x += b.c_y, slope.z.z += diagonal;
    const Vec3T<T> half = g * T(0.5);
    Mat3T<T> H = outer(half, g);
    add_diagonal(H, T(0.5));
    add_cross(H, half);
    return slope * H;
}

// ---------------------------------------------------------------- forces on the nodes

/// Drag of half a segment at one of its ends: c_across + (c_along − c_across) n nᵀ.
template <class T>
Mat3T<T> drag_matrix(int i, const Segment<T>& s, const Rows<T>& param)
{
    const T across = param(i, Param::drag_across);
    Mat3T<T> D = outer(s.R.y * (param(i, Param::drag_along) - across), s.R.y);
    add_diagonal(D, across);
    return D;
}

/// What the tip demands: its mass, its load, the drag of half the segment.
template <bool kDrag, class T>
Vec3T<T> tip_force(int i, const Segment<T>& s, const Mat3T<T>& drag, const Rows<T>& trail,
                   const Rows<T>& param, const Rows<T>& load)
{
    Vec3T<T> f = (s.a + s.beta) * param(i, Param::tip_mass) - load.vector(i, Load::force);
    if constexpr (kDrag)
        f += drag * (trail.vector(i, Trail::velocity) + s.pace - load.vector(i, Load::air));
    return f;
}

/// What the joint's end demands. At a root it goes into the base.
template <bool kDrag, class T>
Vec3T<T> joint_force(int i, int parent, const Segment<T>& s, const Mat3T<T>& drag,
                     const Rows<T>& trail, const Rows<T>& param, const Rows<T>& load)
{
    Vec3T<T> f = s.a * param(i, Param::joint_mass);
    if constexpr (kDrag)
        if (parent >= 0)
            f += drag * (trail.vector(i, Trail::velocity) - load.vector(parent, Load::air));
    return f;
}

/// Moment of the segment's own inertia about its joint: I′α + w × I′w.
template <class T>
struct Inertia {
    Mat3T<T> I;
    Vec3T<T> Iw, n;
};

template <class T>
Inertia<T> inertia_of(int i, const Segment<T>& s, const Rows<T>& param)
{
    Inertia<T> own;
    const Vec3T<T> d = param.vector(i, Param::inertia);
    own.I = full(rotated_diagonal(s.R, d));
    own.Iw = own.I * s.w;
    own.n = own.I * s.alpha + cross(s.w, own.Iw);
    return own;
}

// ---------------------------------------------------------------- residual  [eq. 6]

/// What a subtree demands of the node it hangs on, and how that changes with the parent's δφ and
/// the node's δa: δN = A δφ + B δa + p, δF = E δφ + C δa + f.
template <class T>
struct Demand {
    Mat3T<T> A, B, E, C;
    Vec3T<T> N, F, p, f;

    static Demand zero()
    {
        const Vec3T<T> o{T(0), T(0), T(0)};
        const Mat3T<T> O{o, o, o};
        return {O, O, O, O, o, o, o, o};
    }
    Demand& operator+=(const Demand& d)
    {
        A += d.A, B += d.B, E += d.E, C += d.C;
        N += d.N, F += d.F, p += d.p, f += d.f;
        return *this;
    }
};

template <class T>
struct Load6 {
    Vec3T<T> N, F;
};

/// From the parent's tip back to where a branch begins.
template <class T>
Vec3T<T> back_from_tip(int i, const Segment<T>& parent, const Rows<T>& param)
{
    return parent.r * (param(i, Param::attach) - T(1));
}

/// Moment that a moving length adds to I′α + w×I′w, and the demand along the segment: what pulls at
/// its tip, less μ of its own motion, and its spring.                                 [eq. 25]
template <class T>
struct AxialDemand {
    Vec3T<T> moment;
    T along;
};

template <class T>
AxialDemand<T> axial_demand(int i, const Segment<T>& s, const Vec3T<T>& tip_force,
                            const Rows<T>& trail)
{
    const Vec3T<T>& n = s.R.y;
    const T mass = trail(i, Axial::mass);
    const Vec3T<T> across = s.w - n * dot(n, s.w);
    return {across * (trail(i, Axial::speed) * dot(n, s.r) * mass * T(-2)),
            dot(n, tip_force) + trail(i, Axial::pull) - mass * dot(n, s.beta) +
                trail(i, Axial::tension)};
}

/// Residual N + t of every joint, world axes; with lengths that move the one along the segment is
/// a fourth. Requires place_segments. `slots` is scratch. Overwrites `base`, where it is given,
/// with what all roots demand of the base, about its origin.
template <bool kDrag, class T, bool kStretch = false>
void find_residuals(const Topology& tree, const Rows<T>& trail, const Rows<T>& param,
                    const Rows<T>& load, const StageOf<T>& stage, std::span<Load6<T>> slots,
                    const Rows<T>& residual, Load6<T>* base = nullptr)
{
    const Vec3T<T> o{T(0), T(0), T(0)};
    for (Load6<T>& slot : slots)
        slot = {o, o};
    if constexpr (kStretch)
        for (int i = 0; i < tree.count; ++i)
            trail(i, Axial::pull) = T(0);
    Load6<T> d{o, o};
    if (base)
        *base = d;
    for (int i = tree.count - 1; i >= 0; --i) {
        const int parent = tree.parent[i];
        if (tree.slot[i] >= 0)
            d.N += slots[tree.slot[i]].N, d.F += slots[tree.slot[i]].F;
        const Segment<T> s = segment_at<kStretch>(i, trail, param, stage);
        Mat3T<T> drag;
        if constexpr (kDrag)
            drag = drag_matrix(i, s, param);
        const Vec3T<T> Ft = d.F + tip_force<kDrag>(i, s, drag, trail, param, load);
        d.N += cross(s.r, Ft) + inertia_of(i, s, param).n;
        if constexpr (kStretch) {
            const AxialDemand<T> axial = axial_demand(i, s, Ft, trail);
            d.N += axial.moment;
            residual(i, 3) = axial.along;
        }
        d.F = Ft + joint_force<kDrag>(i, parent, s, drag, trail, param, load);
        residual.put(i, 0, d.N + bend_at(i, parent, s, trail, param, stage).torque);
        if (tree.follows[i])
            continue;
        if (parent >= 0) {
            const Segment<T> on = segment_at<kStretch>(parent, trail, param, stage);
            slots[tree.slot[parent]].N += d.N + cross(back_from_tip(i, on, param), d.F);
            slots[tree.slot[parent]].F += d.F;
            if constexpr (kStretch) // it goes with a part of the length only
                trail(parent, Axial::pull) += dot(on.R.y, d.F) * (param(i, Param::attach) - T(1));
        } else if (base) {
            base->N += d.N + cross(root_arm(i, param, stage), d.F);
            base->F += d.F;
        }
        d = {o, o};
    }
}

// ---------------------------------------------------------------- exact elimination  [eqs 7, 8]

/// Z with δa(tip) = δa + Z δφ.
template <class T>
Mat3T<T> tip_slope(const Segment<T>& s, const Mat3T<T>& Y, const StageOf<T>& stage)
{
    Mat3T<T> N = outer(s.r * T(-2), s.w) + outer(s.w, s.r);
    add_diagonal(N, dot(s.w, s.r));
    add_cross(N, s.r * -stage.inverse_theta);
    Mat3T<T> Z = N * Y;
    add_cross(Z, -s.beta);
    return Z;
}

/// (I′/θ + [w]I′ − [I′w]) Yθ − [n]
template <class T>
Mat3T<T> inertia_slope(const Inertia<T>& own, const Segment<T>& s, const Mat3T<T>& Y,
                       const StageOf<T>& stage)
{
    Mat3T<T> X = cross_times(s.w, own.I) + own.I * stage.inverse_theta;
    add_cross(X, -own.Iw);
    Mat3T<T> slope = X * Y;
    add_cross(slope, -own.n);
    return slope;
}

/// How a joint's torque changes: δt = S δφ − P δφ_parent.
template <class T>
struct BendSlopes {
    Mat3T<T> S, P;
};

template <class T>
BendSlopes<T> bend_slopes(const Bend<T>& bend, Mat3T<T> Y, Mat3T<T> Y_parent)
{
    add_cross(Y, -bend.parent_rate);
    add_cross(Y_parent, -bend.parent_rate);
    const Mat3T<T> elastic = bend.J * (bend_stiffness(bend) * transpose(bend.J));
    const Sym3<T> damping = rotated_diagonal(bend.J, bend.damping);
    BendSlopes<T> out{elastic + damping * Y, elastic + damping * Y_parent};
    add_cross(out.S, -bend.torque);
    return out;
}

/// What a branch demands, as if it were demanded of its parent's tip.
template <class T>
Demand<T> carried_to_tip(int i, int parent, const Demand<T>& d, const Rows<T>& trail,
                         const Rows<T>& param, const StageOf<T>& stage)
{
    const Segment<T> on = segment_at(parent, trail, param, stage);
    const T y0 = trail(parent, Trail::rate_coefficient);
    const T y1 = trail(parent, Trail::rate_coefficient + 1);
    const Mat3T<T> Z =
        tip_slope(on, rate_matrix(on.w, y0, y1), stage) * (param(i, Param::attach) - T(1));
    const Vec3T<T> r = back_from_tip(i, on, param);
    Demand<T> out = d;
    out.E += d.C * Z;
    out.A += d.B * Z + cross_times(r, out.E) + outer(r, d.F);
    add_diagonal(out.A, -dot(r, d.F));
    out.B += cross_times(r, d.C);
    out.N += cross(r, d.F);
    out.p += cross(r, d.f);
    return out;
}

/// Where the residual goes while the elimination runs: nowhere but into the sum for the search.
template <class T>
struct Watch {
    T merit;   ///< Σ |residual|² weight²
    T least;   ///< smallest d₀ · sign: below zero where a joint went through half a turn
    T pivot;   ///< above zero when every pivot is positive definite; where it is asked for
    T changes; ///< above zero where points began or ceased to touch, to slide
};

/// When a search begins: the scale of its residuals, 1/(J/θ² + D/θ + K/2), and on which side of
/// half a turn a stiff joint is, 1 or −1; 0 where there is next to no spring.
template <class T>
void begin_search(int i, const Bend<T>& bend, const Rows<T>& trail, const Rows<T>& param,
                  const StageOf<T>& stage)
{
    const auto larger = [](const T& a, const T& b) { return select(a < b, b, a); };
    const Vec3T<T>&K = bend.stiffness, &D = bend.damping;
    const T k = larger(larger(K.x, K.z), K.y), d = larger(larger(D.x, D.z), D.y);
    const T inertia = param(i, Param::reach) * stage.inverse_theta;
    trail(i, Trail::weight) = T(1) / ((inertia + d) * stage.inverse_theta + k * T(0.5));
    const T sign = select(bend.c < T(0), T(-1), T(1));
    const T floor = inertia * stage.inverse_theta * T(1e-7);
    trail(i, Trail::bend_sign) = select(floor < K.x, sign, T(0));
}

/// Adds a joint's residual to what the search looks at.
template <class T>
void watch_joint(int i, const Vec3T<T>& residual, const Bend<T>& bend, const Rows<T>& trail,
                 Watch<T>& watch)
{
    const T weight = trail(i, Trail::weight);
    watch.merit += dot(residual, residual) * weight * weight;
    const T side = bend.c * trail(i, Trail::bend_sign);
    watch.least = select(side < watch.least, side, watch.least);
}

/// Above zero when the symmetric part is positive definite: the least of its leading minors.
template <class T>
T least_minor(const Mat3T<T>& M)
{
    const T xy = (M.x.y + M.y.x) * T(0.5), xz = (M.x.z + M.z.x) * T(0.5);
    const T yz = (M.y.z + M.z.y) * T(0.5);
    const Mat3T<T> S{{M.x.x, xy, xz}, {xy, M.y.y, yz}, {xz, yz, M.z.z}};
    const T first = S.x.x, second = S.x.x * S.y.y - xy * xy, third = determinant(S);
    const T least = select(second < first, second, first);
    return select(third < least, third, least);
}

/// Inward: residual, linearisation, elimination, in one sweep. With `given` the right-hand side is
/// that instead of the residual. `is_first`: of a search. Overwrites `base`, where it is given,
/// with what the roots demand of the base after the step, about its origin.
template <bool kDrag, bool kGiven, bool kPivots = false, class T>
Watch<T> eliminate(const Topology& tree, const Rows<T>& trail, const Rows<T>& param,
                   const Rows<T>& load, const StageOf<T>& stage, std::span<Demand<T>> slots,
                   const Rows<T>& factor, const Rows<T>& given, bool is_first = false,
                   Load6<T>* base = nullptr)
{
    Watch<T> watch{T(0), T(1), T(1), T(0)};
    Demand<T> d = Demand<T>::zero();
    if (base)
        *base = {d.N, d.F};
    for (Demand<T>& slot : slots)
        slot = d;
    for (int i = tree.count - 1; i >= 0; --i) {
        const int parent = tree.parent[i];
        if (tree.slot[i] >= 0)
            d += slots[tree.slot[i]];
        const Segment<T> s = segment_at(i, trail, param, stage);
        const Mat3T<T> Y = rate_matrix(s.w, trail(i, Trail::rate_coefficient),
                                       trail(i, Trail::rate_coefficient + 1));
        const Mat3T<T> Z = tip_slope(s, Y, stage);
        Mat3T<T> drag;
        add_diagonal(d.C, param(i, Param::tip_mass));
        if constexpr (kDrag) {
            drag = drag_matrix(i, s, param);
            d.C += drag * stage.theta;
        }
        Vec3T<T> Ft = d.F + tip_force<kDrag>(i, s, drag, trail, param, load);
        Mat3T<T> E = d.E + d.C * Z;
        Mat3T<T> A = d.A + d.B * Z + cross_times(s.r, E) + outer(s.r, Ft); // [F][r] = r Fᵀ − r·F
        add_diagonal(A, -dot(s.r, Ft));
        Mat3T<T> B = d.B + cross_times(s.r, d.C);
        const Inertia<T> own = inertia_of(i, s, param);
        A += inertia_slope(own, s, Y, stage);
        Vec3T<T> N = d.N + cross(s.r, Ft) + own.n;
        const Vec3T<T> bias = d.p + cross(s.r, d.f);
        add_diagonal(d.C, param(i, Param::joint_mass));
        if constexpr (kDrag)
            d.C += drag * stage.theta;

        const Bend<T> bend = bend_at(i, parent, s, trail, param, stage);
        const Mat3T<T> Y_parent =
            parent >= 0 ? rate_matrix(bend.parent_rate, trail(parent, Trail::rate_coefficient),
                                      trail(parent, Trail::rate_coefficient + 1))
                        : Y;
        const BendSlopes<T> slopes = bend_slopes(bend, Y, Y_parent);
        const Mat3T<T> V = inverse(A + slopes.S);
        if constexpr (kPivots)
            watch.pivot = select(T(0) < least_minor(A + slopes.S), watch.pivot, T(-1));
        Vec3T<T> residual = N + bend.torque;
        if constexpr (kGiven)
            residual = given.vector(i, 0);
        else {
            if (is_first)
                begin_search(i, bend, trail, param, stage);
            watch_joint(i, residual, bend, trail, watch);
        }
        const Vec3T<T> v = V * (-residual - bias);
        const Mat3T<T> H = V * B;
        factor.put(i, Factor::H, H);
        factor.put(i, Factor::v, v);
        if (parent < 0) {
            if (base) {
                const Vec3T<T> force =
                    Ft + joint_force<kDrag>(i, parent, s, drag, trail, param, load) + d.f + E * v;
                base->F += force;
                base->N += N + bias + A * v + cross(root_arm(i, param, stage), force);
            }
            d = Demand<T>::zero();
            continue;
        }
        const Mat3T<T> G = V * slopes.P;
        factor.put(i, Factor::G, G);
        d.p = bias + A * v;
        d.f += E * v;
        d.A = A * G;
        d.E = E * G;
        d.B = slopes.S * H; // B − A H, for A = V⁻¹ − S
        d.C -= E * H;
        d.N = N;
        d.F = Ft + joint_force<kDrag>(i, parent, s, drag, trail, param, load);
        if (!tree.follows[i]) {
            slots[tree.slot[parent]] += carried_to_tip(i, parent, d, trail, param, stage);
            d = Demand<T>::zero();
        }
    }
    return watch;
}

/// δa of a segment's joint, from what outward sweeps left with its parent.
template <class T>
Vec3T<T> joint_change(int i, const Topology& tree, const Rows<T>& param, const Rows<T>& factor)
{
    const int parent = tree.parent[i];
    const Vec3T<T> tip = factor.vector(parent, Factor::H);
    if (tree.follows[i])
        return tip;
    const Vec3T<T> joint = factor.vector(parent, Factor::G);
    return joint + (tip - joint) * param(i, Param::attach);
}

/// Outward: δφ of every segment, in Factor::v; the change of its rate comes back.
template <class T>
Vec3T<T> substitute(int i, const Topology& tree, const Rows<T>& trail, const Rows<T>& param,
                    const StageOf<T>& stage, const Rows<T>& factor)
{
    const int parent = tree.parent[i];
    Vec3T<T> da{T(0), T(0), T(0)}, turn = factor.vector(i, Factor::v);
    if (parent >= 0) {
        da = joint_change(i, tree, param, factor);
        turn += factor.matrix(i, Factor::G) * factor.vector(parent, Factor::v) -
                factor.matrix(i, Factor::H) * da;
    }
    const Segment<T> s = segment_at(i, trail, param, stage);
    const T y0 = trail(i, Trail::rate_coefficient), y1 = trail(i, Trail::rate_coefficient + 1);
    const Vec3T<T> eta = turn * y0 + cross(s.w, turn) * T(0.5) + s.w * (y1 * dot(s.w, turn));
    const Vec3T<T> arm = cross(eta, s.r);
    factor.put(i, Factor::v, turn);
    factor.put(i, Factor::G, da);
    factor.put(i, Factor::H,
               da + arm * stage.inverse_theta + cross(eta, cross(s.w, s.r)) + cross(s.w, arm) +
                   cross(turn, s.beta));
    return transposed_times(s.R, eta);
}

} // namespace sinew::strand
