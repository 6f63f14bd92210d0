#pragma once

/// The symmetric part of a stage's matrix, M + θD + θ²K, with tension kept where it is asked for:
/// positive definite whatever the motion, so that rows may use it, and steps far from the solution.
/// Variables are accelerations, δφ = θ² x.                                      [eqs 9, 10]

#include "models/strand/kernel.h"

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

/// What a branch demands, as if it were demanded of its parent's tip.
template <class T>
SymmetricDemand<T> carried_to_tip(int i, int parent, const SymmetricDemand<T>& d,
                                  const Rows<T>& trail, const Rows<T>& param)
{
    const Mat3T<T> R = rotation_matrix(trail.quat(parent, Trail::turn));
    const Vec3T<T> r = R.y * (param(parent, Param::length) * (param(i, Param::attach) - T(1)));
    SymmetricDemand<T> out = d;
    out.B += cross_times(r, full(d.C));
    out.A += shifted(r, out.B, d.B);
    out.N += cross(r, d.F);
    out.p += cross(r, d.f);
    return out;
}

/// What touches makes the subtree stiffer: of the residual's scale.
template <class T>
void lighten(int i, const T& x, const T& y, const T& z, const Rows<T>& trail)
{
    const T stiff = (x + y + z) * T(1.0 / 3), weight = trail(i, Trail::weight);
    trail(i, Trail::weight) = weight / (T(1) + weight * select(stiff < T(0), -stiff, stiff));
}

/// Inward, as `eliminate`, for the symmetric matrix. With `given` the inverse pivots are kept, 6
/// numbers each, where there is room for them.
template <bool kDrag, bool kTension, bool kGiven, class T, class Touch = Untouched>
Watch<T> eliminate_symmetric(const Topology& tree, const Rows<T>& trail, const Rows<T>& param,
                             const Rows<T>& load, const StageOf<T>& stage,
                             std::span<SymmetricDemand<T>> slots, const Rows<T>& factor,
                             const Rows<T>& given, const Rows<T>& pivots = {},
                             bool is_first = false, const Touch& touch = {})
{
    Watch<T> watch{T(0), T(1), T(1), T(0)};
    SymmetricDemand<T> d = SymmetricDemand<T>::zero();
    for (SymmetricDemand<T>& slot : slots)
        slot = d;
    const T theta2 = stage.theta * stage.theta;
    for (int i = tree.count - 1; i >= 0; --i) {
        const int parent = tree.parent[i];
        if (tree.slot[i] >= 0)
            d += slots[tree.slot[i]];
        const Segment<T> s = segment_at(i, trail, param, stage);
        Mat3T<T> drag;
        Sym3<T> C = d.C;
        add_diagonal(C, param(i, Param::tip_mass));
        if constexpr (kDrag) {
            drag = drag_matrix(i, s, param);
            C += upper_half(drag) * stage.theta;
        }
        Vec3T<T> Ft = d.F + tip_force<kDrag>(i, s, drag, trail, param, load);
        Mat3T<T> B = d.B + cross_times(s.r, full(C));
        const Sym3<T> I = rotated_diagonal(s.R, param.vector(i, Param::inertia));
        Sym3<T> A = d.A + I + shifted(s.r, B, d.B);
        const Vec3T<T> n = I * s.alpha + cross(s.w, I * s.w);
        Vec3T<T> N = d.N + cross(s.r, Ft) + n;
        const Vec3T<T> bias = d.p + cross(s.r, d.f);
        add_diagonal(C, param(i, Param::joint_mass));
        if constexpr (kDrag)
            C += upper_half(drag) * stage.theta;
        const Bend<T> bend = bend_at(i, parent, s, trail, param, stage);
        const Vec3T<T> spring = bend.stiffness * (T(0.5) * theta2) + bend.damping * stage.theta;
        const Sym3<T> K = rotated_diagonal(bend.J, spring);
        if constexpr (kTension)
            A += tension(s.R.y, s.r, Ft, theta2);
        if constexpr (Touch::kAny)
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
                    const T scale = stage.inverse_theta * stage.inverse_theta;
                    lighten(i, A.xx * scale, A.yy * scale, A.zz * scale, trail);
                }
            }
            watch_joint(i, residual, bend, trail, watch);
        }
        const Vec3T<T> v = V * (-residual - bias);
        const Mat3T<T> H = V * B;
        factor.put(i, Factor::H, H);
        factor.put(i, Factor::v, v);
        if (parent < 0) {
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
        if (!tree.follows[i]) {
            slots[tree.slot[parent]] += carried_to_tip(i, parent, d, trail, param);
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

/// Outward, as `substitute`.
template <class T>
Vec3T<T> substitute_symmetric(int i, const Topology& tree, const Rows<T>& trail,
                              const Rows<T>& param, const StageOf<T>& stage, const Rows<T>& factor)
{
    const int parent = tree.parent[i];
    Vec3T<T> da{T(0), T(0), T(0)}, x = factor.vector(i, Factor::v);
    if (parent >= 0) {
        da = joint_change(i, tree, param, factor);
        x += factor.matrix(i, Factor::G) * factor.vector(parent, Factor::v) -
             factor.matrix(i, Factor::H) * da;
    }
    const Mat3T<T> R = rotation_matrix(trail.quat(i, Trail::turn));
    factor.put(i, Factor::v, x);
    factor.put(i, Factor::G, da);
    factor.put(i, Factor::H, da + cross(x, R.y * param(i, Param::length)));
    return transposed_times(R, x) * stage.theta;
}

} // namespace sinew::strand
