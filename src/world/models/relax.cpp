#include "world/models/relax.h"

#include "math/functions.h"
#include "sinew/stop.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr double kStep = 0.01; // [s]; only its ratio to the mass matters
constexpr double kLeastInertia =
    1e-8; // share of the mass: with less, rounding is all that is left of it
constexpr double kMostInertia = 1e10; // what is drawn too short buckles 1e3 times as fast as kStep
constexpr double kStill = 1e-9;     // [m] in a step with the least inertia; gaps are kept to 1e-10
constexpr double kPushedOut = 0.02; // [m] in a step: what is drawn overlapping comes apart soon
constexpr double kStillGap = 1e-6;  // [m]
constexpr double kSlow = 1e-5;   // share of the mass: with more, what swings slowly has yet to move
constexpr double kSolved = 1e-8; // [m] in a step: what its velocities are solved to
constexpr int kCalm = 5;         // steps by no more, with the least inertia
constexpr int kRefused = 3;      // steps that failed below an inertia: it is as small as it can be

} // namespace

Relaxation relax(Ensemble ensemble, const rod::RodDynamics& rods, rod::RodInput input,
                 std::uint32_t number, EnsembleState& state, int threads, int most_steps,
                 const RelaxRefresh& refresh)
{
    for (IslandSettings* settings :
         {&ensemble.settings, ensemble.own_settings ? &ensemble.own_settings->settings : nullptr})
        if (settings) {
            settings->scheme = Scheme::euler;
            settings->limits = {.passes = 40, .substeps = 1, .pushed_out = kPushedOut};
        }
    Workspace work = make_workspace(ensemble, threads);
    rods.prepare(input, work.trials[number]);
    const double time = state.time;
    Relaxation found;
    double inertia = 1;
    bool has_moved = false;
    int calm = 0;
    int refused = 0; // steps with less inertia, since it was last the least
    const auto may_go_on = [&] {
        return (found.steps < most_steps || !has_moved) && !is_stopping();
    };
    while (may_go_on() && !found.is_still && inertia < kMostInertia) {
        ++found.steps;
        input.inertia = inertia;
        EnsembleState tried = state;
        const CouplingReport report = step(ensemble, tried, kStep, work);
        if (!report.is_committed || !report.converged || !report.faults.empty()) {
            inertia *= 8;
            ++refused;
            continue;
        }
        has_moved = true;
        const std::vector<double>& before = state.models[number].x;
        const std::vector<double>& after = tried.models[number].x;
        found.change = 0;
        for (std::size_t i = 0; i < before.size(); ++i)
            found.change = max(found.change, abs(after[i] - before[i]));
        // Of a taut wire rounding is more than its inertia, long before that is the least.
        const double left = found.change * max(1.0, inertia / kSlow);
        const bool is_least = inertia <= 2 * kLeastInertia;
        calm = is_least && found.change <= kSolved ? calm + 1 : 0;
        found.is_still = report.gap <= kStillGap &&
                         ((left <= kStill && (is_least || refused >= kRefused)) || calm >= kCalm);
        std::ranges::fill(tried.models[number].v, 0.0);
        tried.time = time;
        state = std::move(tried);
        if (refresh)
            refresh(ensemble, input, state);
        inertia = max(inertia * 0.3, kLeastInertia);
    }
    return found;
}

} // namespace sinew
