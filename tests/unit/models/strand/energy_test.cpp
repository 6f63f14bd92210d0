// The check that a step gained no energy, and the energy it goes by.

#include "models/strand/lanes/batch_step.h"
#include "some_trees.h"

#include <algorithm>
#include <doctest/doctest.h>

namespace sinew::strand {

namespace {

double energy_of(const Runner& runner, const Vec3& gravity)
{
    const std::size_t n = runner.segments.size();
    std::vector<double> param = make_params(runner.segments, Units{}), state, room(n * 12);
    for (std::size_t i = 0; i < n; ++i) {
        state.insert(state.end(), &runner.turns[4 * i], &runner.turns[4 * i] + 4);
        state.insert(state.end(), &runner.rates[3 * i], &runner.rates[3 * i] + 3);
    }
    const Rows<double> P{param.data(), Param::count}, S{state.data(), 7}, R{room.data(), 12};
    const Topology tree = runner.shape.view();
    const Energies e = LaneEnergy<double>{tree, P, R, 0, PoseMotion{}, gravity}.of(S, 0, 4);
    return e.kinetic + e.potential;
}

/// A soft strand without any damping, held out and let go. How far its energy ever rises above the
/// least it had, in units of what it falls through.
double rise_of_whip(double gain)
{
    const double h = 1.0 / 96, length = 0.5;
    Runner runner(round_curve(25, length, 0.001, 1300, 1e7, 0,
                              [](double) {
                                  return Vec3{1, 0.3, 0.2};
                              }),
                  h);
    runner.effort.gain = gain;
    const StillBase base;
    double mass = 0, least = energy_of(runner, base.gravity), rise = 0;
    for (const SegmentData& s : runner.segments)
        mass += s.mass;
    for (int i = 0; i < 144; ++i) {
        runner.step(base, i * h, (i + 1) * h, *find_kernel(InstructionSet::scalar, false));
        const double now = energy_of(runner, base.gravity);
        rise = std::max(rise, now - least);
        least = std::min(least, now);
    }
    return rise / (mass * 9.81 * length);
}

} // namespace

TEST_CASE("strands: a whip without damping gains next to no energy, for steps that do are halved")
{
    CHECK(rise_of_whip(Effort{}.gain) < 0.01);
    CHECK(rise_of_whip(0) > 0.05); // what the check prevents
}

TEST_CASE(
    "strands: a strand that swings within its stiffness keeps its energy to the method's order")
{
    const auto change = [](double h) {
        Runner runner(round_curve(10, 0.3, 0.002, 1300, 5e8, 0,
                                  [](double) {
                                      return Vec3{1, 0, 0};
                                  }),
                      h);
        const StillBase base;
        const double before = energy_of(runner, base.gravity);
        for (int i = 0; i < static_cast<int>(0.2 / h + 0.5); ++i)
            runner.step(base, i * h, (i + 1) * h, *find_kernel(InstructionSet::scalar, false));
        return before - energy_of(runner, base.gravity);
    };
    const double coarse = change(1.0 / 3000), fine = change(1.0 / 6000);
    CHECK(coarse > 0);
    CHECK(fine < coarse / 4);
}

} // namespace sinew::strand
