#pragma once

/// Segments against what moves by itself. At each point that may touch a force acts which grows
/// with depth, so steeply that depth is next to none, and which goes on from what it was before, so
/// that where it stays there is none at all: the method of multipliers.    [eqs 22, 23]
///
///     f = n p + t min(1, μ p̂ / |t|),  p = max(0, f̂·n − k g),  t = f̂ − n n·f̂ − k (e − n n·e)
///
///   symbol | code            | unit | meaning
///   -------|-----------------|------|----------------------------------------------------------
///   g      | Touching::gap   | m    | gap now: that of the step's beginning and n·e
///   e      | Push            | m    | way of the point against what it touches since then, and
///          |                 |      | across n since it began to stick
///   f̂      | Touching::held  | N    | force that the law starts from
///   k      | stiffness       | N/m  | κ (m/θ² and a share of what a joint's spring amounts to)
///
/// Friction is bounded by p̂ = f̂·n, which rounds of multipliers bring to p: so a potential has the
/// law for its slope, and its matrix is symmetric. With p itself Newton's steps went in circles
/// between sticking and sliding. The law is local to a segment, so that the elimination stays
/// linear in their number.

#include "models/strand/lanes/symmetric.h"

namespace sinew::strand {

/// Of a point where a segment may touch: constant through a step, but for those from `held` on.
struct Touching {
    enum Field : int {
        part,        ///< where on the segment: 0 at its joint, 1 at its tip
        normal,      ///< (3) away from what it touches
        place = 4,   ///< (3) on the segment's axis when the step begins, from the lane's origin
        drift = 7,   ///< (3) way of what it touches in the whole step
        gap = 10,    ///< when the step begins
        friction,    ///< μ
        first,       ///< (3) force in the first stage of the step before
        second = 15, ///< (3) in its second
        held = 18,   ///< (3) that the law starts from
        state = 21,  ///< 0 apart, 1 sticks, 2 slides: as last seen
        way,         ///< (3) of friction where it slides, as last seen
        force = 25,  ///< (3) as last seen
        begun = 28,  ///< (3) as it was at the end of the first stage
        creep =
            31, ///< (3) across the normal: from where it began to stick to where the step begins
        crept = 34,  ///< (3) the same, as last seen; none where it slides
        harder = 37, ///< by how much more than 1 its stiffness is multiplied; negative: gaps of
                     ///< this point are no matter of a stage
        left = 38,   ///< (3) crept at the end of a step that was kept
        count = 41
    };
};

/// What the law says at one point.
template <class T>
struct Push {
    Vec3T<T> force;
    Mat3T<T> stiffness; ///< δforce = −stiffness δx, symmetric
    T state, open;      ///< |g| where it pushes
    T slack;            ///< how far friction's bound is from μ p, in shares of that
    Vec3T<T> way;       ///< of friction where it slides
    Vec3T<T> crept;     ///< e across the normal where it sticks
};

constexpr double kOfJoint = 1.0 / 300; // of a joint's stiffness, in the law's
constexpr double kNoForce = 2e-6;      // of k: forces below are not looked at closely

template <class T>
Mat3T<T> scaled_outer(const Vec3T<T>& a, const Vec3T<T>& b, const T& s)
{
    return outer(a * s, b);
}

/// With `x` the point now and `k` the law's stiffness, after `part` of the whole step. In a search
/// a point that slid one way and now would slide back is taken to stick, whatever force that needs,
/// until the next look: from one side of the narrow zone of sticking Newton's steps lead to the
/// other for ever.
template <bool kSearch, class T>
Push<T> push_at(int row, const Vec3T<T>& x, const T& k, const T& part, const Rows<T>& touch)
{
    const T zero(0), one(1);
    const Vec3T<T> n = touch.vector(row, Touching::normal);
    const Vec3T<T> held = touch.vector(row, Touching::held);
    const Vec3T<T> e =
        x - touch.vector(row, Touching::place) - touch.vector(row, Touching::drift) * part;
    const T deep = dot(n, e), up = dot(n, held), start = touch(row, Touching::gap);
    const T gap = select(start < zero, start * part, start) + deep; // out of a depth by the end
    const T want = up - k * gap, push = select(want < zero, zero, want);
    const Vec3T<T> gone = e - n * deep + touch.vector(row, Touching::creep);
    const Vec3T<T> along = held - n * up - gone * k;
    const T mu = touch(row, Touching::friction), size = sqrt(dot(along, along));
    const T limit = mu * select(up < zero, zero, up), due = mu * push;
    T bound = limit;
    if constexpr (kSearch) {
        const T back = dot(along, touch.vector(row, Touching::way));
        bound = select(back < zero, select(zero < limit, size + size, limit), limit);
    }
    const auto slides = bound < size;
    const T inverse = one / select(slides, size, one); // size > limit ≥ 0
    const T ratio = select(slides, limit * inverse, one);
    const Vec3T<T> way = along * select(slides, inverse, zero);
    const auto is_active = zero < want;
    const T stiff = select(is_active, k, zero);
    const T across = select(zero < limit, k * ratio, zero); // which pulls on what leaves
    Push<T> out;
    out.force = n * push + along * ratio;
    out.stiffness = scaled_outer(n, n, stiff - across) + scaled_outer(way, way, -across);
    add_diagonal(out.stiffness, across);
    const T off = select(due < limit, limit - due, due - limit),
            least = select(due < limit, due, limit);
    out.slack = select(least < size, off / (due + k * T(kNoForce)), zero);
    out.way = way;
    out.crept = gone * select(slides, zero, select(is_active, one, zero));
    out.state = select(is_active, select(slides, T(2), one), select(slides, zero, T(-1)));
    out.open = select(is_active, select(gap < zero, -gap, gap), zero);
    return out;
}

/// Squares and product of two steps of a search.
template <class T>
struct Pairs {
    T last, both, now;
};

/// A batch's points: those of segment i are rows first[i] to first[i + 1].
template <class T>
class Touches {
public:
    static constexpr bool kAny = true;

    Rows<T> row, joint; ///< joint: where they are (3), from the lanes' origins
    Rows<T> last;       ///< step of the search (3), as the matrix had it
    std::span<const int> first;
    T kappa; ///< stiffness, in masses over θ²
    T lanes; ///< 1 where a strand may touch, else 0

    /// Outward: where the joints are. Requires turns.
    void place(const Topology& tree, const Rows<T>& trail, const Rows<T>& param,
               const StageOf<T>& stage) const
    {
        Vec3T<T> tip{};
        for (int i = 0; i < tree.count; ++i) {
            if (!tree.follows[i])
                tip = branch(i, tree.parent[i], trail, param, stage);
            joint.put(i, 0, tip);
            tip += rotation_matrix(trail.quat(i, Trail::turn)).y * param(i, Param::length);
        }
    }

    bool is_any(int i) const { return first[i] < first[i + 1]; }

    /// Adds what the points of a segment demand of its joint to the elimination's blocks.
    void add(int i, const Segment<T>& s, const Rows<T>& param, const StageOf<T>& stage,
             bool is_first, Sym3<T>& A, Mat3T<T>& B, Sym3<T>& C, Vec3T<T>& N, Vec3T<T>& F,
             T& changes) const
    {
        const T k = stiffness(i, param, stage), theta2 = stage.theta * stage.theta;
        for (int r = first[i]; r < first[i + 1]; ++r) {
            const Vec3T<T> c = s.r * row(r, Touching::part);
            const Push<T> push =
                push_at<true>(r, joint.vector(i, 0) + c, harder(r, k), stage.part, row);
            note(r, push, is_first, changes);
            const Mat3T<T> K = push.stiffness * theta2, turning = cross_times(c, K);
            A += upper_half(cross_times(c, transpose(turning)));
            B += turning;
            C += upper_half(K);
            N -= cross(c, push.force);
            F -= push.force;
        }
    }

    /// The same for a segment whose length moves, before that is let go: as branches that demand of
    /// its tip, each with the part of the length that it goes with.
    void add_at_tip(int i, const Segment<T>& s, const Rows<T>& param, const StageOf<T>& stage,
                    bool is_first, Sym3<T>& C, Vec3T<T>& F, SymmetricDemand<T>& d,
                    const Rows<T>& axial, T& pull, T& changes) const
    {
        const T k = stiffness(i, param, stage), theta2 = stage.theta * stage.theta;
        const Vec3T<T>& n = s.R.y;
        for (int r = first[i]; r < first[i + 1]; ++r) {
            const T part = row(r, Touching::part), less = part - T(1);
            const Vec3T<T> back = s.r * less;
            const Push<T> push =
                push_at<true>(r, joint.vector(i, 0) + s.r * part, harder(r, k), stage.part, row);
            note(r, push, is_first, changes);
            const Mat3T<T> K = push.stiffness * theta2, turning = cross_times(back, K);
            const Vec3T<T> Kn = K * n;
            d.A += upper_half(cross_times(back, transpose(turning)));
            d.B += turning;
            C += upper_half(K);
            d.N -= cross(back, push.force);
            F -= push.force;
            axial(i, AxialFactor::q) += dot(n, Kn) * (part * part - T(1));
            axial.put(i, AxialFactor::c, axial.vector(i, AxialFactor::c) + Kn * less);
            axial.put(i, AxialFactor::b, axial.vector(i, AxialFactor::b) + cross(back, Kn) * less);
            pull -= dot(n, push.force) * less;
        }
    }

    /// How well the law's start fits its end.
    struct Fit {
        T open, slack; ///< the largest
    };

    /// The forces where the joints are now.
    Fit find_forces(const Topology& tree, const Rows<T>& trail, const Rows<T>& param,
                    const StageOf<T>& stage) const
    {
        Fit fit{T(0), T(0)};
        for (int i = 0; i < tree.count; ++i) {
            if (!is_any(i))
                continue;
            const Vec3T<T> r =
                rotation_matrix(trail.quat(i, Trail::turn)).y * param(i, Param::length);
            const T k = stiffness(i, param, stage);
            for (int t = first[i]; t < first[i + 1]; ++t) {
                const Vec3T<T> x = joint.vector(i, 0) + r * row(t, Touching::part);
                const Push<T> push = push_at<false>(t, x, harder(t, k), stage.part, row);
                row.put(t, Touching::force, push.force);
                row.put(t, Touching::crept, push.crept);
                const auto is_other = row(t, Touching::harder) < T(0);
                const T open = select(is_other, T(0), push.open),
                        slack = select(is_other, T(0), push.slack);
                fit.open = select(fit.open < open, open, fit.open);
                fit.slack = select(fit.slack < slack, slack, fit.slack);
            }
        }
        return fit;
    }

private:
    Vec3T<T> branch(int i, int parent, const Rows<T>& trail, const Rows<T>& param,
                    const StageOf<T>& stage) const
    {
        if (parent < 0)
            return stage.place + rotation_matrix(stage.turn) * param.vector(i, Param::offset);
        const Vec3T<T> way = rotation_matrix(trail.quat(parent, Trail::turn)).y;
        return joint.vector(parent, 0) +
               way * (param(parent, Param::length) * param(i, Param::attach));
    }

    T stiffness(int i, const Rows<T>& param, const StageOf<T>& stage) const
    {
        const T l = param(i, Param::length),
                m = param(i, Param::tip_mass) + param(i, Param::joint_mass);
        return kappa * (m * stage.inverse_theta * stage.inverse_theta +
                        param(i, Param::stiffness) * T(kOfJoint) / (l * l));
    }

    T harder(int r, const T& k) const { return k + k * row(r, Touching::harder); }

    void note(int r, const Push<T>& push, bool is_first, T& changes) const
    {
        const T was = row(r, Touching::state), change = push.state - was;
        if (!is_first)
            changes += change * change;
        row(r, Touching::state) = push.state;
        row.put(r, Touching::way, push.way);
    }
};

} // namespace sinew::strand
