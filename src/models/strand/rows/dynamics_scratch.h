#pragma once

// What trees keep between predict and correct.

#include "models/strand/lanes/symmetric.h"
#include "models/strand/rows/dynamics.h"

namespace sinew::strand {

inline Quat read_quat(std::span<const double> x, std::size_t first)
{
    return {x[first], x[first + 1], x[first + 2], x[first + 3]};
}

inline Vec3 read_vector(std::span<const double> v, std::size_t first)
{
    return {v[first], v[first + 1], v[first + 2]};
}

inline void write(std::span<double> to, std::size_t first, const Quat& q)
{
    to[first] = q.x, to[first + 1] = q.y, to[first + 2] = q.z, to[first + 3] = q.w;
}

inline void write(std::span<double> to, std::size_t first, const Vec3& v)
{
    to[first] = v.x, to[first + 1] = v.y, to[first + 2] = v.z;
}

inline Rows<double> rows_of(std::vector<double>& numbers, int fields)
{
    return {numbers.data(), fields};
}

/// Of one tree: its stage, its factors.
struct StrandDynamics::BlockScratch {
    std::vector<double> param, trail, load, factor, pivot, residual, room;
    std::vector<double> axial; ///< of lengths that move: AxialFactor::count a segment
    std::vector<double> along; ///< force along each segment, then how its length's speed changes
    std::vector<double> way_along, answer_along; ///< as `way` and `answer`, along the segments
    std::vector<SymmetricDemand<double>> slots;
    std::vector<Load6<double>> sums;
    std::vector<Vec3> arm, push; ///< from joint to tip; moment of the impulses about each joint
    std::vector<Vec3> y, f;      ///< moment and force that reach a joint from outside it
    std::vector<Vec3> way;       ///< y of every touch, at all segments back to the root
    std::vector<Vec3> answer;    ///< V y, as `way`
    std::vector<std::size_t> way_first;
    Quat drift = {}; ///< from the true world to the tree's own
    // Of a free base:
    Quat base_turn = {};
    Load6<double> base_residual = {}; ///< moment about its origin, force
    SymmetricDemand<double> base_demand = SymmetricDemand<double>::zero();
    BaseFactor<double> base_factor = {};
    BaseStep<double> base_step = {}; ///< how it changes
    Wrench base_push = {};           ///< what reaches it, about its origin
    std::vector<Wrench> base_ways;   ///< of every touch: what of its unit reaches it
    std::vector<BaseStep<double>> base_answers;

    BlockScratch(const TreeShape& shape, bool is_elastic)
    {
        const std::size_t n = shape.parent.size();
        trail.resize(n * (is_elastic ? std::size_t{Axial::count} : std::size_t{Trail::count}));
        factor.resize(n * Factor::count), pivot.resize(n * 6);
        residual.resize(n * (is_elastic ? 4 : 3));
        if (is_elastic)
            axial.resize(n * AxialFactor::count), along.resize(n);
        room.resize(n * Factor::count);
        slots.resize(static_cast<std::size_t>(shape.slots));
        sums.resize(static_cast<std::size_t>(shape.slots));
        arm.resize(n), push.resize(n), y.resize(n), f.resize(n);
    }

    bool is_elastic() const { return !axial.empty(); }
    Rows<double> trails()
    {
        return rows_of(trail, is_elastic() ? int{Axial::count} : int{Trail::count});
    }
    Rows<double> residuals() { return rows_of(residual, is_elastic() ? 4 : 3); }
    Rows<double> axials() { return rows_of(axial, AxialFactor::count); }

    Mat3 G(int i) { return rows_of(factor, Factor::count).matrix(i, Factor::G); }
    Mat3 H(int i) { return rows_of(factor, Factor::count).matrix(i, Factor::H); }
    /// A unit of a row in the tree's own world.
    Wrench unit_of(const RowSet& rows, const Touch& touch) const
    {
        const Wrench& unit = rows.direction[touch.direction];
        return drift == Quat{} ? unit
                               : Wrench{rotate(drift, unit.torque), rotate(drift, unit.force)};
    }

    /// What reaches a free base through the joint of a root, about the base's origin.
    Wrench at_base(const SegmentData& root, const Wrench& at) const
    {
        return {at.torque + cross(rotate(base_turn, root.offset), at.force), at.force};
    }

    /// The same about the joint of its segment.
    Wrench at_joint(const RowSet& rows, const Touch& touch) const
    {
        const Site& site = rows.site[touch.side];
        const Wrench unit = unit_of(rows, touch);
        return {unit.torque + cross(arm[site.element] * site.u, unit.force), unit.force};
    }

    /// What of a moment and force at a segment's joint reaches the segment it hangs on, about the
    /// point it hangs at.
    Wrench passed_on(int i, const Vec3& moment, const Vec3& force)
    {
        return {transposed_times(G(i), moment), force - transposed_times(H(i), moment)};
    }

    /// The same about the joint of the segment that `s` hangs on.
    Wrench hung(const SegmentData& s, const Wrench& at) const
    {
        return {at.torque + cross(arm[static_cast<std::size_t>(s.parent)] * s.attach, at.force),
                at.force};
    }

    Vec3 axis_of(int i) { return rotate(trails().quat(i, Trail::turn), Vec3{0, 1, 0}); }
    double along_of(int i, const Vec3& force) { return dot(axis_of(i), force); }

    /// What of a moment and force at a segment's joint is left where a force along it moves its
    /// length.                                                                        [eq. 26]
    void let_go(int i, double pull, Wrench& at)
    {
        const Vec3 c = axials().vector(i, AxialFactor::c), b = axials().vector(i, AxialFactor::b);
        const double s = pull * axials()(i, AxialFactor::q);
        at.torque -= (b + cross(arm[static_cast<std::size_t>(i)], c)) * s;
        at.force -= c * s;
    }

    /// How the speed of a length changes, by a force along it and by how its segment and its tip,
    /// as if it had not, move.
    double grown(int i, double pull, const Vec3& x, const Vec3& tip)
    {
        return axials()(i, AxialFactor::q) * (pull - dot(axials().vector(i, AxialFactor::c), tip) -
                                              dot(axials().vector(i, AxialFactor::b), x));
    }

    Vec3 times_pivot(int i, const Vec3& moment) const
    {
        const double* v = &pivot[6 * static_cast<std::size_t>(i)];
        return Sym3<double>{v[0], v[1], v[2], v[3], v[4], v[5]} * moment;
    }
};

struct StrandDynamics::StrandScratch : Scratch {
    std::vector<std::unique_ptr<BlockScratch>> blocks;
};

} // namespace sinew::strand
