#include "stepping.h"

#include "timing.h"

#include <fmt/core.h>

#include <cstdlib>

namespace sinew::bench {

World make_world(Scene scene, LinkageMethod method)
{
    scene.settings.linkage_method = method;
    scene.settings.step = kStep;
    Result<World> world = World::create(scene);
    if (!world) {
        fmt::print("no world: {}\n", world.problems()[0].what);
        std::exit(1);
    }
    return std::move(*world);
}

StepReport advance(World& world, double until)
{
    StepReport report = world.advance(until);
    if (report.fault) {
        fmt::print("stopped: {}\n", report.fault->what);
        std::exit(1);
    }
    return report;
}

double time_steps(World& world)
{
    const double until = world.time() + kSteps * kStep, start = seconds_now();
    const StepReport report = advance(world, until);
    return (seconds_now() - start) / report.steps;
}

double fastest_step(World& world)
{
    constexpr double kLongEnough = 0.5; // [s]
    const std::vector<std::byte> start = world.snapshot();
    double fastest = std::numeric_limits<double>::infinity(), spent = 0;
    for (int round = 0; round < 3 || spent < kLongEnough; ++round) {
        if (!world.restore(start))
            std::exit(1);
        const double seconds = time_steps(world);
        fastest = std::min(fastest, seconds);
        spent += kSteps * seconds;
    }
    return fastest;
}

} // namespace sinew::bench
