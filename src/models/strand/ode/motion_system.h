#pragma once

// The motion of a tree as one system of first order, F(t, y, y′) = 0, for integrators that choose
// their own times and steps.  [docs/theory/strands.md, eqs 12-15]

#include "models/strand/lanes/kernel.h"
#include "models/strand/plan.h"

#include <span>
#include <vector>

namespace sinew::strand {

/// What a tree is, and what is around it, at one moment.
struct Moment {
    std::vector<double> params; ///< Param::count per segment
    std::vector<double> loads;  ///< Load::count per segment
    PoseMotion base = {};       ///< SI
    Vec3 gravity = {0, 0, 0};   ///< SI
};

class MomentSource {
public:
    /// Writes params and loads in the units given to MotionSystem. `turns`, `rates`: as in
    /// ModelState.
    virtual void update(double time, std::span<const double> turns, std::span<const double> rates,
                        Moment& moment) = 0;
    virtual ~MomentSource() = default;
};

/// y = (Q, ω) of every segment: 4 + 3 numbers. F = (Q̇ − Qω/2, residual of kernel.h). Q need not be
/// of unit length: its direction counts. Time is in seconds, so rates are as in ModelState.
class MotionSystem {
public:
    static constexpr int kUnknowns = 7;

    /// Keeps references. Of `units` length and mass count.
    MotionSystem(const Topology& tree, const Units& units, bool has_drag, MomentSource& source);

    std::size_t size() const { return static_cast<std::size_t>(tree_.count) * kUnknowns; }

    /// False where F is not finite.
    bool find_residual(double time, const double* y, const double* slope, double* F);

    /// y′ with F = 0; false where there is none.
    bool find_slope(double time, const double* y, double* slope);

    /// Keeps the place where the matrix ∂F/∂y + c ∂F/∂y′ is taken.
    void hold(double time, double c, const double* y, const double* slope);

    /// x with (∂F/∂y + c ∂F/∂y′) x = b at the place that is held, in time linear in the segments.
    /// Loads are held fast, and drag changes with accelerations only: then nearly x.
    bool solve(const double* b, double* x);

private:
    /// The arrays of kernel.h at one place.
    struct Place {
        std::vector<double> y, slope, trail;
        Moment moment = {};
        StageOf<double> stage = {};
    };

    void see(double time, const double* y, Place& place);
    void set_stage(double c, Place& place) const;
    void put_segments(const double* y, const double* slope, Place& place) const;
    void find_demands(Place& place, std::vector<double>& out);
    void eliminate_given(Place& place, std::vector<double>& given);
    void find_effect(const double* b, double sign, std::vector<double>& out);
    bool is_finite(const double* numbers, std::size_t count) const;

    Rows<double> rows(std::vector<double>& numbers, int fields) const
    {
        return {numbers.data(), fields};
    }

    const Topology tree_;
    const Units units_;
    const bool has_drag_;
    MomentSource& source_;
    Place now_, held_;
    std::vector<double> turns_, rates_, residual_, effect_, given_, factor_, shift_;
    std::vector<Demand<double>> slots_;
    std::vector<Load6<double>> sums_;
};

} // namespace sinew::strand
