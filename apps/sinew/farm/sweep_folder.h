#pragma once

// A sweep on disk: one folder with the list of runs, what each left, and the table of results.
//
//   sweep.json            the script, the options and the params of every run; never changes
//   runs/00017.part.sinew a recording under way
//   runs/00017.sinew      a finished one
//   runs/00017.json       the line of the table: it is there when the run has ended for good
//   runs/00017.log        what the run said
//   results.csv, .db      the table

#include "commands.h"
#include "farm/ranges.h"

#include "sinew/error.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sinew::app {

struct SweepPlan {
    std::string script; ///< the full path
    std::string version;
    RunOptions options; ///< of every run
    std::vector<std::string> probes;
    std::vector<Parameters> runs;
};

class SweepFolder {
public:
    explicit SweepFolder(std::string path) : path_(std::move(path)) {}

    /// Writes the plan of a new sweep; an old folder must hold the same one.
    Problems prepare(const SweepPlan& plan) const;
    Result<SweepPlan> read_plan() const;

    const std::string& path() const { return path_; }
    std::string file(const std::string& name) const { return path_ + "/" + name; }
    std::string run_file(std::size_t run, const char* ending) const;

    /// The line of a run that has ended; nothing before.
    std::optional<nlohmann::ordered_json> read_row(std::size_t run) const;
    /// Which of the plan's runs have not ended.
    std::vector<std::size_t> open_runs(const SweepPlan& plan) const;
    /// Frames of a run that has not ended: how far it has come.
    std::int64_t recorded_frames(std::size_t run) const;

private:
    std::string path_;
};

} // namespace sinew::app
