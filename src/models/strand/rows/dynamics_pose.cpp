// Posable dynamics: springs from the ends of segments to an animated pose.      [Hadap06, §6.5]
//
// A spring k and a damper c at a node are, in a stage, a drag c + θk and a force: the matrix takes
// the drag, the residual is exact. And trees that no lane takes, by themselves.

#include "models/strand/rows/dynamics_scratch.h"
#include "solve/rows/row_stages.h"

#include <algorithm>
#include <cmath>

namespace sinew::strand {

/// The drag of the springs, of half a segment at either end.
void StrandDynamics::soften(const Plan& plan, const Stage& stage, BlockScratch& scratch) const
{
    const Rows<double> param = rows_of(scratch.param, Param::count);
    for (std::size_t i = 0; i < plan.segments.size(); ++i) {
        const double s = 0.5 * (plan.pull.damping[i] + stage.theta * plan.pull.strength[i]);
        param(static_cast<int>(i), Param::drag_along) += s;
        param(static_cast<int>(i), Param::drag_across) += s;
    }
}

/// The springs as they pull at the end of the stage, and what their drag pulls too much.
void StrandDynamics::add_pull(const Plan& plan, const Stage& stage, BlockScratch& scratch) const
{
    const Pull& pull = plan.pull;
    const PoseMotion base = bases_.base_at(plan.number, stage.time);
    const double h = pull.end - pull.begin, part = (stage.time - pull.begin) / h;
    const Rows<double> trail = scratch.trails(), param = rows_of(scratch.param, Param::count),
                       load = rows_of(scratch.load, Load::count);
    const auto force_at = [&](std::size_t i, const Vec3& from, const Vec3& to, const Vec3& place,
                              const Vec3& velocity) {
        const Vec3 arm = rotate(base.pose.rotation, from + (to - from) * part);
        const Vec3 target = base.pose.translation + arm;
        const Vec3 speed = base.velocity + cross(base.angular_velocity, arm) +
                           rotate(base.pose.rotation, to - from) / h;
        return ((target - place) * pull.strength[i] + (speed - velocity) * pull.damping[i]) * 0.5;
    };
    const auto add = [&](int i, double along, const Vec3& force) {
        double rest = 1;
        while (i >= 0) {
            load.put(i, Load::force, load.vector(i, Load::force) + force * (rest * along));
            rest -= rest * along;
            along = plan.segments[static_cast<std::size_t>(i)].attach;
            i = plan.segments[static_cast<std::size_t>(i)].parent;
        }
    };
    std::vector<Vec3>& joint = scratch.y; // of every segment, until rows need the room
    for (int i = 0; i < static_cast<int>(plan.segments.size()); ++i) {
        const std::size_t k = static_cast<std::size_t>(i);
        const SegmentData& s = plan.segments[k];
        const auto axis_of = [&](int segment) {
            return rotate(trail.quat(segment, Trail::turn),
                          Vec3{0, param(segment, Param::length), 0});
        };
        joint[k] = s.parent < 0
                       ? base.pose.translation + rotate(base.pose.rotation, s.offset)
                       : joint[static_cast<std::size_t>(s.parent)] + axis_of(s.parent) * s.attach;
        const Vec3 axis = axis_of(i), v = trail.vector(i, Trail::velocity);
        Vec3 v_tip = v + cross(trail.vector(i, Trail::world_rate), axis);
        if (plan.is_elastic)
            v_tip += axis * (trail(i, Axial::speed) / param(i, Param::length));
        const double drag = 0.5 * (pull.damping[k] + stage.theta * pull.strength[k]);
        add(i, 1,
            force_at(k, pull.tip[k], pull.tip_then[k], joint[k] + axis, v_tip) +
                (v_tip - load.vector(i, Load::air)) * drag);
        if (s.parent >= 0)
            add(s.parent, s.attach,
                force_at(k, pull.joint[k], pull.joint_then[k], joint[k], v) +
                    (v - load.vector(s.parent, Load::air)) * drag);
    }
}

// ---------------------------------------------------------------- alone

/// In two stages a step, as islands do it; in halves where a stage does not converge.
void StrandDynamics::advance_in_halves(const Member& member, double t0, double t1, Trial& trial,
                                       BlockReport& report) const
{
    const BlockShape& shape = shapes_[member.block];
    const auto x = trial.state.x.begin() + shape.x_first;
    const auto v = trial.state.v.begin() + shape.v_first;
    const std::vector<double> x0(x, x + shape.x_count), v0(v, v + shape.v_count);
    constexpr int kMost = 64;
    report = {};
    for (int count = 1; count <= kMost; count *= 2) {
        std::ranges::copy(x0, x);
        std::ranges::copy(v0, v);
        report.steps = report.implicit_steps = count;
        if (advance_in_stages(member, t0, t1, count, trial)) {
            report.reached = t1;
            return;
        }
        ++report.rejected;
    }
    report.reached = t1;
    report.finite = std::all_of(v, v + shape.v_count, [](double w) { return std::isfinite(w); });
}

bool StrandDynamics::advance_in_stages(const Member& member, double t0, double t1, int count,
                                       Trial& trial) const
{
    const BlockShape& shape = shapes_[member.block];
    const double h = (t1 - t0) / count;
    for (int k = 0; k < count; ++k) {
        std::copy_n(trial.state.x.begin() + shape.x_first, shape.x_count,
                    trial.x_start.begin() + shape.x_first);
        std::copy_n(trial.state.v.begin() + shape.v_first, shape.v_count,
                    trial.v_start.begin() + shape.v_first);
        for (int index = 0; index < stage_count(Scheme::sdirk2); ++index)
            if (!settle_stage(member, make_stage(Scheme::sdirk2, index, t0 + k * h, h), trial))
                return false;
    }
    return true;
}

bool StrandDynamics::settle_stage(const Member& member, const Stage& stage, Trial& trial) const
{
    constexpr int kPasses = 20;
    constexpr double kTolerance = 1e-7; // [m/s]
    const BlockShape& shape = shapes_[member.block];
    const Member alone{.block = member.block};
    const Cohort cohort{std::span(&alone, 1), {}};
    begin_stage(cohort, stage, trial);
    for (int pass = 0; pass < kPasses; ++pass) {
        const auto v = trial.state.v.begin() + shape.v_first;
        const std::vector<double> before(v, v + shape.v_count);
        predict(cohort, RowSet{}, stage, trial);
        double change = 0;
        for (std::size_t i = 0; i < before.size(); ++i)
            change = std::max(change, std::abs(v[static_cast<std::ptrdiff_t>(i)] - before[i]));
        if (!std::isfinite(change))
            return false;
        place(member.block, stage, trial);
        if (change * shape.length <= kTolerance)
            return true;
    }
    return false;
}

/// Where the rates and speeds of a stage lead.
void StrandDynamics::place(std::uint32_t block, const Stage& stage, Trial& trial) const
{
    for (std::size_t i = 0; i < plans_[block].segments.size(); ++i) {
        const std::size_t ix = shapes_[block].x_first + 4 * i, iv = shapes_[block].v_first + 3 * i;
        write(trial.state.x, ix,
              turned(read_quat(trial.x_base, ix), read_vector(trial.state.v, iv) * stage.theta));
        if (plans_[block].is_elastic)
            trial.state.x[length_index(block, i)] =
                trial.x_base[length_index(block, i)] +
                stage.theta * trial.state.v[speed_index(block, i)];
    }
    if (plans_[block].has_free_base)
        place_base(block, stage, trial);
}

} // namespace sinew::strand
