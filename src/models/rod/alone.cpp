// A rod that no row touches: two implicit stages a step, halved where they do not converge.

#include "models/rod/dynamics.h"

#include "math/functions.h"
#include "sinew/stop.h"
#include "solve/rows/row_stages.h"

#include <algorithm>

namespace sinew::rod {

namespace {

constexpr int kPasses = 30;           // of a stage
constexpr int kMostHalvings = 6;      // of a step
constexpr double kStill = 1e-9;       // change of a velocity, of the largest
constexpr double kStillLeast = 1e-12; // [m/s]

bool is_still(std::span<const double> before, std::span<const double> now)
{
    double change = 0, largest = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
        change = max(change, abs(now[i] - before[i]));
        largest = max(largest, abs(now[i]));
    }
    return change <= kStillLeast + kStill * largest;
}

} // namespace

/// One stage; false when it does not converge.
bool RodDynamics::run_alone(const Member& member, const Stage& stage, Trial& trial) const
{
    const Cohort cohort{std::span(&member, 1), {}};
    const RowSet none;
    const BlockShape& shape = shapes_[member.block];
    const std::span v = std::span(trial.state.v).subspan(shape.v_first, shape.v_count);
    std::vector<double> before;
    begin_stage(cohort, stage, trial);
    const int passes = iterations_ > 0 ? iterations_ : kPasses;
    for (int pass = 0; pass < passes && !is_stopping(); ++pass) {
        before.assign(v.begin(), v.end());
        predict(cohort, none, stage, trial);
        for (std::uint32_t i = 0; i < shape.x_count; ++i)
            trial.state.x[shape.x_first + i] = trial.x_base[shape.x_first + i] + stage.theta * v[i];
        if (is_still(before, v))
            return true;
    }
    return iterations_ > 0 && !is_stopping() &&
           std::ranges::all_of(v, [](double n) { return is_finite(n); });
}

BlockReport RodDynamics::advance_one(const Member& member, double t0, double t1, Trial& trial) const
{
    const BlockShape& shape = shapes_[member.block];
    const auto x = trial.state.x.begin() + shape.x_first;
    const auto v = trial.state.v.begin() + shape.v_first;
    const auto memory = trial.state.memory.begin() + shape.memory_first;
    const std::vector<double> x_first(x, x + shape.x_count), v_first(v, v + shape.v_count),
        memory_first(memory, memory + shape.memory_count);
    const Scheme scheme = iterations_ == 1 ? Scheme::euler : Scheme::sdirk2;
    BlockReport report;
    for (int halvings = 0; halvings <= kMostHalvings && !is_stopping(); ++halvings) {
        const int count = 1 << halvings;
        const double h = (t1 - t0) / count;
        std::ranges::copy(x_first, x);
        std::ranges::copy(v_first, v);
        std::ranges::copy(memory_first, memory);
        bool is_good = true;
        for (int k = 0; k < count && is_good; ++k) {
            std::copy_n(x, shape.x_count, trial.x_start.begin() + shape.x_first);
            std::copy_n(v, shape.v_count, trial.v_start.begin() + shape.v_first);
            for (int stage = 0; stage < stage_count(scheme) && is_good; ++stage)
                is_good = run_alone(member, make_stage(scheme, stage, t0 + k * h, h), trial);
        }
        if (is_good) {
            report.steps = report.implicit_steps = count;
            report.rejected = count - 1;
            report.reached = t1;
            return report;
        }
    }
    report.finite = false;
    report.reached = t0;
    return report;
}

void RodDynamics::advance_alone(const Cohort& cohort, double t0, double t1, Trial& trial,
                                std::span<BlockReport> reports) const noexcept
{
    for (std::size_t m = 0; m < cohort.members.size(); ++m)
        reports[m] = advance_one(cohort.members[m], t0, t1, trial);
}

} // namespace sinew::rod
