#pragma once

#include "engine.h"

namespace sinew::bench {

/// What came of a scene in an engine.
struct StackRun {
    bool is_done = false;   ///< false: the engine gave up, or is not there
    double ms = 0;          ///< per step, before the fall if it fell
    double worst_ms = 0;    ///< of one step
    double seconds = 0;     ///< simulated
    double overlap = 0;     ///< largest, sampled every 0.1 s; of a pile at every step [m]
    double end_overlap = 0; ///< [m]
    double drift = 0;       ///< largest way of a body from its start [m]
    double speed = 0;       ///< largest at the end [m/s]
    double fell_at = -1;    ///< [s]; negative: it did not
    int lost = 0;           ///< bodies beyond floor or wall, or not finite
};

using MakeEngine = StackEnginePointer (*)(const StackScene&, double h);

/// In a process of its own: an engine that aborts costs its own line only.
StackRun run_apart(const StackScene& scene, MakeEngine make, double h, double most_seconds);

} // namespace sinew::bench
