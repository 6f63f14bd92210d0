#pragma once

// Where the runs of a sweep are computed: on this machine, or by a cluster's own scheduler.

#include "farm/sweep_folder.h"

namespace sinew::app {

struct SweepOptions {
    std::string target; ///< a script; or the folder of a sweep
    Variation variation;
    RunOptions run;  ///< of each run
    std::string out; ///< the folder; empty: the script's name with -sweep
    std::vector<std::string> probes;
    std::string share; ///< "K/M": the K-th of M shares of a folder's runs, here and now
    std::string on;    ///< "here", "slurm" or "files"
    std::vector<std::string> slurm; ///< options for sbatch
    int jobs = 0;    ///< at once, on this machine; 0: as many as there are processors
    int retries = 3; ///< of a run, or of what is left of a job
    bool submits_only = false;
    bool only_gathers = false;
    bool wants_parquet = false;
    std::string sheet;
    int tile_width = 320, tile_height = 240;
    bool json = false, is_quiet = false;
    Colour colour = Colour::automatic;
};
int sweep(const SweepOptions& options);

/// The runs of a share: those whose numbers leave K when divided by M.
struct Share {
    std::size_t number = 0, count = 1;
};

/// Computes what is open in processes of their own, several at a time. False: interrupted.
bool run_here(const SweepFolder& folder, const SweepPlan& plan, const SweepOptions& options);

/// Hands what is open to Slurm as an array job, waits for it and submits again what was killed.
/// False: interrupted, or Slurm refused.
bool run_on_slurm(const SweepFolder& folder, const SweepPlan& plan, const SweepOptions& options);

} // namespace sinew::app
