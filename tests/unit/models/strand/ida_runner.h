#pragma once

// Trees of the tests moved by IDA.

#include "models/strand/ode/ida.h"
#include "some_trees.h"

namespace sinew::strand {

/// Segments that stay as they are, on a base.
struct SteadyTree : MomentSource {
    std::vector<double> params, loads;
    const BaseSource& base;

    SteadyTree(const std::vector<SegmentData>& segments, const Units& units, const BaseSource& on)
        : params(make_params(segments, units)), loads(segments.size() * Load::count, 0.0), base(on)
    {
    }
    void update(double time, std::span<const double>, std::span<const double>,
                Moment& moment) override
    {
        moment.params = params;
        moment.loads = loads;
        moment.base = base.base_at(0, time);
        moment.gravity = base.gravity_at(time);
    }
};

inline StepOutcome step_with_ida(Runner& runner, const BaseSource& base,
                                 const IdaSettings& settings, double t0, double t1)
{
    const Units units{runner.units.length, runner.units.mass, 1};
    SteadyTree tree(runner.segments, units, base);
    MotionSystem system(runner.shape.view(), units, runner.has_drag, tree);
    return step_with_ida(system, settings, t0, t1, runner.turns.data(), runner.rates.data());
}

/// Tips of all segments.
inline std::vector<Vec3> tips_of(const Runner& runner, const PoseMotion& base)
{
    std::vector<Vec3> joints, tips;
    for (int i = 0; i < static_cast<int>(runner.segments.size()); ++i) {
        const SegmentData& s = runner.segments[i];
        joints.push_back(s.parent < 0
                             ? base.pose.translation + rotate(base.pose.rotation, s.offset)
                             : joints[s.parent] + (tips[s.parent] - joints[s.parent]) * s.attach);
        tips.push_back(joints[i] + rotate(runner.turn(i), Vec3{0, s.length, 0}));
    }
    return tips;
}

} // namespace sinew::strand
