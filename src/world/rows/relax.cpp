#include "world/rows/relax.h"

#include "math/functions.h"
#include "sinew/stop.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr double kStep = 0.01; // [s]; only its ratio to the mass matters
constexpr double kLeastInertia =
    1e-8; // share of the mass: with less, rounding is all that is left of it
constexpr double kMostInertia = 1e10; // what is drawn too short buckles 1e3 times as fast as kStep
constexpr double kStill = 1e-9; // [m] in a step with the least inertia; gaps are kept to 1e-10

} // namespace

Relaxation relax(Ensemble ensemble, const rod::RodDynamics& rods, rod::RodInput input,
                 std::uint32_t number, EnsembleState& state, int threads, int most_steps,
                 const RelaxRefresh& refresh)
{
    for (IslandSettings* settings :
         {&ensemble.settings, ensemble.own_settings ? &ensemble.own_settings->settings : nullptr})
        if (settings) {
            settings->scheme = Scheme::euler;
            settings->limits = {.passes = 40, .substeps = 1};
        }
    Workspace work = make_workspace(ensemble, threads);
    rods.prepare(input, work.trials[number]);
    const double time = state.time;
    Relaxation found;
    double inertia = 1;
    bool has_moved = false;
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
            continue;
        }
        has_moved = true;
        const std::vector<double>& before = state.models[number].x;
        const std::vector<double>& after = tried.models[number].x;
        found.change = 0;
        for (std::size_t i = 0; i < before.size(); ++i)
            found.change = max(found.change, abs(after[i] - before[i]));
        found.is_still = found.change <= kStill && inertia <= 2 * kLeastInertia;
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
