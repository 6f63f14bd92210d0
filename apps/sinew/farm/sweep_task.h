#pragma once

#include "farm/sweep_folder.h"

namespace sinew::app {

/// Brings one run of a sweep to its end, from wherever an earlier try left it. 0: it has ended,
/// now or before; 1: it could not be done now; 3: it was interrupted.
int run_task(const SweepFolder& folder, const SweepPlan& plan, std::size_t run,
             const std::string& scratch);

/// Writes down that a run cannot be brought to its end, and why.
Problems give_up(const SweepFolder& folder, const SweepPlan& plan, std::size_t run,
                 const std::string& why);

/// Whether the probes name things of the script: what is wrong with them.
Problems check_probes(const SweepPlan& plan);

} // namespace sinew::app
