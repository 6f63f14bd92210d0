#pragma once

/// The symmetric part of a stage's matrix, M + θD + θ²K, with tension kept where it is asked for:
/// positive definite whatever the motion, so that rows may use it, and steps far from the solution.
/// Variables are accelerations, δφ = θ² x.                                      [eqs 9, 10]

#include "models/strand/lanes/kernel.h"

namespace sinew::strand {

template <class T>
void put_upper_half(const Rows<T>& rows, int i, const Sym3<T>& a)
{
    rows.put(i, 0, Vec3T<T>{a.xx, a.xy, a.xz});
    rows.put(i, 3, Vec3T<T>{a.yy, a.yz, a.zz});
}

/// As Demand, of the symmetric matrix: δN = A x + B δa + p, δF = Bᵀ x + C δa + f.
template <class T>
struct SymmetricDemand {
    Sym3<T> A, C;
    Mat3T<T> B;
    Vec3T<T> N, F, p, f;

    static SymmetricDemand zero()
    {
        const Vec3T<T> o{T(0), T(0), T(0)};
        const Sym3<T> O{T(0), T(0), T(0), T(0), T(0), T(0)};
        return {O, O, {o, o, o}, o, o, o, o};
    }
    SymmetricDemand& operator+=(const SymmetricDemand& d)
    {
        A += d.A, B += d.B, C += d.C;
        N += d.N, F += d.F, p += d.p, f += d.f;
        return *this;
    }
};

/// θ² s (|r|² − r rᵀ), s = max(0, −r·F)/|r|²: a pull straightens. With n along r: θ² max(0, −r·F)
/// (1 − n nᵀ).
template <class T>
Sym3<T> tension(const Vec3T<T>& n, const Vec3T<T>& r, const Vec3T<T>& force, const T& theta2)
{
    const T pull = -dot(r, force), s = theta2 * select(pull < T(0), T(0), pull);
    const Vec3T<T> m = n * s;
    return {s - m.x * n.x, -(m.x * n.y), -(m.x * n.z), s - m.y * n.y, -(m.y * n.z), s - m.z * n.z};
}

/// Shift of the moment block from tip to joint: [r]Bᵀ − B̂[r], symmetric.
template <class T>
Sym3<T> shifted(const Vec3T<T>& r, const Mat3T<T>& B, const Mat3T<T>& B_tip)
{
    const Mat3T<T> up = cross_times(r, transpose(B)), down = cross_times(r, transpose(B_tip));
    return upper_half(up + transpose(down));
}

/// What is demanded at r of a point that moves with it as one body.
template <class T>
SymmetricDemand<T> carried_along(const Vec3T<T>& r, const SymmetricDemand<T>& d)
{
    SymmetricDemand<T> out = d;
    out.B += cross_times(r, full(d.C));
    out.A += shifted(r, out.B, d.B);
    out.N += cross(r, d.F);
    out.p += cross(r, d.f);
    return out;
}

/// What a branch demands, as if it were demanded of its parent's tip.
template <class T>
SymmetricDemand<T> carried_to_tip(int i, int parent, const SymmetricDemand<T>& d,
                                  const Rows<T>& trail, const Rows<T>& param)
{
    const Mat3T<T> R = rotation_matrix(trail.quat(parent, Trail::turn));
    return carried_along(R.y * (param(parent, Param::length) * (param(i, Param::attach) - T(1))),
                         d);
}

template <class T>
void clear_axial(int i, const Rows<T>& trail, const Rows<T>& axial)
{
    trail(i, Axial::pull) = T(0);
    for (int f = 0; f < AxialFactor::count; ++f)
        axial(i, f) = T(0);
}

/// A branch goes with a part of its parent's length only: what is missing of Ĉn, nᵀĈn, B̂n, n·f̂
/// where it is taken to hang at the tip. `d`: carried there.
template <class T>
void take_part(int i, int parent, const SymmetricDemand<T>& d, const Rows<T>& trail,
               const Rows<T>& param, const Rows<T>& axial)
{
    const Vec3T<T> n = rotation_matrix(trail.quat(parent, Trail::turn)).y, Cn = d.C * n;
    const T part = param(i, Param::attach), less = part - T(1);
    axial(parent, AxialFactor::q) += dot(n, Cn) * (part * part - T(1));
    axial(parent, AxialFactor::g) += dot(n, d.f) * less;
    axial.put(parent, AxialFactor::c, axial.vector(parent, AxialFactor::c) + Cn * less);
    axial.put(parent, AxialFactor::b, axial.vector(parent, AxialFactor::b) + d.B * n * less);
    trail(parent, Axial::pull) += dot(n, d.F) * less;
}

/// When a search begins: the scale of a length's residual, and what it adds to that of the search.
template <class T>
void watch_length(int i, const T& along, bool is_first, const Rows<T>& trail, const Rows<T>& param,
                  const StageOf<T>& stage, Watch<T>& watch)
{
    if (is_first) {
        const T mass = param(i, Param::tip_mass) * stage.inverse_theta;
        const T stiff = (mass + trail(i, Axial::slope + 1)) * stage.inverse_theta;
        trail(i, Axial::heft) = T(1) / ((stiff + trail(i, Axial::slope)) * param(i, Spring::rest));
    }
    const T heft = trail(i, Axial::heft);
    watch.merit += along * along * heft * heft;
}

template <class T>
void subtract_outer(Sym3<T>& a, const Vec3T<T>& v, const T& s)
{
    const Vec3T<T> u = v * s;
    a.xx -= u.x * v.x, a.xy -= u.x * v.y, a.xz -= u.x * v.z;
    a.yy -= u.y * v.y, a.yz -= u.y * v.z, a.zz -= u.z * v.z;
}

/// The length of a segment, before its turn: D = nᵀĈn + θ²k + θc − μ, and Ĉ, B̂, Â, p̂, f̂ at its tip
/// with it let go.                                                                    [eq. 26]
template <class T>
void eliminate_length(int i, const Vec3T<T>& n, const T& along, const Rows<T>& trail,
                      const StageOf<T>& stage, const Rows<T>& axial, Sym3<T>& C,
                      SymmetricDemand<T>& d)
{
    const Vec3T<T> c = C * n + axial.vector(i, AxialFactor::c);
    const Vec3T<T> b = d.B * n + axial.vector(i, AxialFactor::b);
    const T spring =
                (stage.theta * trail(i, Axial::slope) + trail(i, Axial::slope + 1)) * stage.theta,
            D = dot(n, C * n) + axial(i, AxialFactor::q) + spring - trail(i, Axial::mass);
    const T q = T(1) / D, g = along + dot(n, d.f) + axial(i, AxialFactor::g);
    axial(i, AxialFactor::q) = q;
    axial(i, AxialFactor::g) = g;
    axial.put(i, AxialFactor::c, c);
    axial.put(i, AxialFactor::b, b);
    subtract_outer(C, c, q);
    subtract_outer(d.A, b, q);
    d.B += outer(b * -q, c);
    d.p += b * (-q * g);
    d.f += c * (-q * g);
}

/// What touches makes the subtree stiffer: of the residual's scale.
template <class T>
void lighten(int i, const T& x, const T& y, const T& z, const Rows<T>& trail)
{
    const T stiff = (x + y + z) * T(1.0 / 3), weight = trail(i, Trail::weight);
    trail(i, Trail::weight) = weight / (T(1) + weight * select(stiff < T(0), -stiff, stiff));
}

/// Inward, as `eliminate`, for the symmetric matrix. With `given` the inverse pivots are kept, 6
/// numbers each, where there is room for them. With kStretch lengths move too, and `given` has a
/// fourth field. Adds to `base`, where it is given, what the roots demand of a base that can move,
/// about its origin.
template <bool kDrag, bool kTension, bool kGiven, class T, class Touch = Untouched,
          bool kStretch = false>
Watch<T> eliminate_symmetric(const Topology& tree, const Rows<T>& trail, const Rows<T>& param,
                             const Rows<T>& load, const StageOf<T>& stage,
                             std::span<SymmetricDemand<T>> slots, const Rows<T>& factor,
                             const Rows<T>& given, const Rows<T>& pivots = {},
                             bool is_first = false, const Touch& touch = {},
                             const Rows<T>& axial = {}, SymmetricDemand<T>* base = nullptr)
{
    Watch<T> watch{T(0), T(1), T(1), T(0)};
    SymmetricDemand<T> d = SymmetricDemand<T>::zero();
    for (SymmetricDemand<T>& slot : slots)
        slot = d;
    if constexpr (kStretch)
        for (int i = 0; i < tree.count; ++i)
            clear_axial(i, trail, axial);
    const T theta2 = stage.theta * stage.theta;
    for (int i = tree.count - 1; i >= 0; --i) {
        const int parent = tree.parent[i];
        if (tree.slot[i] >= 0)
            d += slots[tree.slot[i]];
        const Segment<T> s = segment_at<kStretch>(i, trail, param, stage);
        Mat3T<T> drag;
        Sym3<T> C = d.C;
        add_diagonal(C, param(i, Param::tip_mass));
        if constexpr (kDrag) {
            drag = drag_matrix(i, s, param);
            C += upper_half(drag) * stage.theta;
        }
        Vec3T<T> Ft = d.F + tip_force<kDrag>(i, s, drag, trail, param, load);
        Vec3T<T> growing{T(0), T(0), T(0)};
        if constexpr (kStretch) {
            if constexpr (Touch::kAny)
                if (touch.is_any(i))
                    touch.add_at_tip(i, s, param, stage, is_first, C, Ft, d, axial,
                                     trail(i, Axial::pull), watch.changes);
            const AxialDemand<T> own = axial_demand(i, s, Ft, trail);
            growing = own.moment;
            T along = own.along;
            if constexpr (kGiven)
                along = given(i, 3);
            else
                watch_length(i, along, is_first, trail, param, stage, watch);
            eliminate_length(i, s.R.y, along, trail, stage, axial, C, d);
        }
        Mat3T<T> B = d.B + cross_times(s.r, full(C));
        const Sym3<T> I = rotated_diagonal(s.R, param.vector(i, Param::inertia));
        Sym3<T> A = d.A + I + shifted(s.r, B, d.B);
        const Vec3T<T> n = I * s.alpha + cross(s.w, I * s.w);
        Vec3T<T> N = d.N + cross(s.r, Ft) + n;
        if constexpr (kStretch)
            N += growing;
        const Vec3T<T> bias = d.p + cross(s.r, d.f);
        add_diagonal(C, param(i, Param::joint_mass));
        if constexpr (kDrag)
            C += upper_half(drag) * stage.theta;
        const Bend<T> bend = bend_at(i, parent, s, trail, param, stage);
        const Vec3T<T> spring = bend.stiffness * (T(0.5) * theta2) + bend.damping * stage.theta;
        const Sym3<T> K = rotated_diagonal(bend.J, spring);
        if constexpr (kTension)
            A += tension(s.R.y, s.r, Ft, theta2);
        if constexpr (Touch::kAny && !kStretch)
            if (touch.is_any(i))
                touch.add(i, s, param, stage, is_first, A, B, C, N, Ft, watch.changes);
        const Sym3<T> V = inverse(A + K);
        Vec3T<T> residual = N + bend.torque;
        if constexpr (kGiven) {
            residual = given.vector(i, 0);
            if (pivots.first)
                put_upper_half(pivots, i, V);
        } else {
            if (is_first) {
                begin_search(i, bend, trail, param, stage);
                if constexpr (Touch::kAny) {
                    const T scale = // no matter of a lane that touches nothing
                        stage.inverse_theta * stage.inverse_theta * touch.lanes;
                    lighten(i, A.xx * scale, A.yy * scale, A.zz * scale, trail);
                }
            }
            watch_joint(i, residual, bend, trail, watch);
        }
        const Vec3T<T> v = V * (-residual - bias);
        const Mat3T<T> H = V * B;
        factor.put(i, Factor::H, H);
        factor.put(i, Factor::v, v);
        if (parent < 0 && !base) {
            d = SymmetricDemand<T>::zero();
            continue;
        }
        const Mat3T<T> G = V * full(K);
        factor.put(i, Factor::G, G);
        d.p = bias + A * v;
        d.f += transposed_times(B, v);
        d.A = upper_half(A * G);
        d.B = K * H; // B − A H, for A = V⁻¹ − K
        d.C = C + upper_half(transposed_times(B, H)) * T(-1);
        d.N = N;
        d.F = Ft + joint_force<kDrag>(i, parent, s, drag, trail, param, load);
        if (parent < 0) {
            *base += carried_along(root_arm(i, param, stage), d);
            d = SymmetricDemand<T>::zero();
        } else if (!tree.follows[i]) {
            d = carried_to_tip(i, parent, d, trail, param);
            slots[tree.slot[parent]] += d;
            if constexpr (kStretch)
                take_part(i, parent, d, trail, param, axial);
            d = SymmetricDemand<T>::zero();
        }
    }
    return watch;
}

/// The change of a segment's rate that turns it by θ² x.
template <class T>
Vec3T<T> exact_rate_of(int i, const Vec3T<T>& x, const Rows<T>& trail, const StageOf<T>& stage)
{
    const Vec3T<T> w = trail.vector(i, Trail::world_rate), turn = x * (stage.theta * stage.theta);
    const RateCoefficients<T> y = rate_coefficients(w, stage);
    return turn * y.y0 + cross(w, turn) * T(0.5) + w * (y.y1 * dot(w, turn));
}

/// How fast a segment's length grows faster, y = −q(g + c·δa + b·x), with δa of its tip as if it
/// had not.                                                                           [eq. 26]
template <class T>
T growth_of(int i, const Vec3T<T>& x, const Vec3T<T>& tip, const Rows<T>& axial)
{
    return -axial(i, AxialFactor::q) *
           (axial(i, AxialFactor::g) + dot(axial.vector(i, AxialFactor::c), tip) +
            dot(axial.vector(i, AxialFactor::b), x));
}

/// How a base that can move accelerates more: x of its turn, a of its origin.
template <class T>
struct BaseStep {
    Vec3T<T> x, a;
};

/// The inverse of what a base demands, [A B; Bᵀ C]: the force first, then the moment.
///                                                                              [notes: strands,
///                                                                              eq. 30]
template <class T>
struct BaseFactor {
    Sym3<T> turn, shift; ///< (A − B C⁻¹ Bᵀ)⁻¹, C⁻¹
    Mat3T<T> B;

    BaseFactor() = default;
    explicit BaseFactor(const SymmetricDemand<T>& d) : shift(inverse(d.C)), B(d.B)
    {
        const Mat3T<T> BC = transpose(shift * transpose(B)); // B C⁻¹
        turn = inverse(d.A + upper_half(BC * transpose(B)) * T(-1));
    }

    BaseStep<T> solve(const Vec3T<T>& moment, const Vec3T<T>& force) const
    {
        const Vec3T<T> x = turn * (moment - B * (shift * force));
        return {x, shift * (force - transposed_times(B, x))};
    }
};

/// Outward, as `substitute`. The change of a length's speed is left in Axial::change.
template <bool kStretch = false, class T>
Vec3T<T> substitute_symmetric(int i, const Topology& tree, const Rows<T>& trail,
                              const Rows<T>& param, const StageOf<T>& stage, const Rows<T>& factor,
                              const Rows<T>& axial = {}, const BaseStep<T>* base = nullptr)
{
    const int parent = tree.parent[i];
    Vec3T<T> da{T(0), T(0), T(0)}, x = factor.vector(i, Factor::v);
    if (parent >= 0) {
        da = joint_change(i, tree, param, factor);
        x += factor.matrix(i, Factor::G) * factor.vector(parent, Factor::v) -
             factor.matrix(i, Factor::H) * da;
    } else if (base) {
        da = base->a + cross(base->x, root_arm(i, param, stage));
        x += factor.matrix(i, Factor::G) * base->x - factor.matrix(i, Factor::H) * da;
    }
    const Mat3T<T> R = rotation_matrix(trail.quat(i, Trail::turn));
    factor.put(i, Factor::v, x);
    factor.put(i, Factor::G, da);
    Vec3T<T> tip = da + cross(x, R.y * param(i, Param::length));
    if constexpr (kStretch) {
        const T growth = growth_of(i, x, tip, axial);
        trail(i, Axial::change) = growth * stage.theta;
        tip += R.y * growth;
    }
    factor.put(i, Factor::H, tip);
    return transposed_times(R, x) * stage.theta;
}

} // namespace sinew::strand
