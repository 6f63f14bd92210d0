#pragma once

// Worlds in steps of a fixed size, and the time of one. A scene of ours that does not run is our
// mistake: these end the program.

#include "sinew/world.h"

namespace sinew::bench {

constexpr double kStep = 1.0 / 240; // [s]
constexpr int kSteps = 24;          // of one advance: what an advance costs by itself is lost in it

World make_world(Scene scene, LinkageMethod method = LinkageMethod::fixed);
StepReport advance(World& world, double until);

/// Seconds for each of the next kSteps steps.
double time_steps(World& world);

/// The same, the fastest of several rounds that all start from the present state.
double fastest_step(World& world);

} // namespace sinew::bench
