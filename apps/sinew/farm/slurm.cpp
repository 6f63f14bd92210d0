// Runs on a cluster with Slurm, as one array job. Slurm requeues what it preempts; what was killed
// otherwise, or ran out of time, is submitted again and goes on from its last snapshot.

#include "farm/process.h"
#include "farm/shared_files.h"
#include "farm/sweep.h"
#include "runner.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

namespace sinew::app {

namespace {

constexpr std::size_t kMostTasks = 1000; // of an array: Slurm's own default is 1001
constexpr int kGrace_s = 60;             // for a run to end well before it is killed

/// "0-3,7,9-12".
std::string list_text(const std::set<std::size_t>& numbers)
{
    std::string text;
    for (auto at = numbers.begin(); at != numbers.end();) {
        const std::size_t first = *at;
        std::size_t last = first;
        while (++at != numbers.end() && *at == last + 1)
            last = *at;
        text += (text.empty() ? "" : ",") +
                (first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last));
    }
    return text;
}

std::string quoted(const std::string& word)
{
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

std::size_t share_count(const SweepPlan& plan) { return std::min(plan.runs.size(), kMostTasks); }

std::string script_text(const SweepFolder& folder, const SweepPlan& plan,
                        const SweepOptions& options)
{
    std::string text = fmt::format("#!/bin/sh\n"
                                   "#SBATCH --job-name=sinew-sweep\n"
                                   "#SBATCH --requeue\n"
                                   "#SBATCH --open-mode=append\n"
                                   "#SBATCH --signal=B:TERM@{}\n"
                                   "#SBATCH --output={}/runs/slurm-%a.log\n",
                                   kGrace_s, folder.path());
    for (const std::string& option : options.slurm)
        text += "#SBATCH " + option + "\n";
    // The run itself gets the signals, not a shell.
    text += fmt::format("exec {} sweep {} --share $SLURM_ARRAY_TASK_ID/{}", quoted(own_program()),
                        quoted(folder.path()), share_count(plan));
    // In double quotes: "$TMPDIR" is that of the node.
    return text +
           (options.run.scratch.empty() ? "\n" : " --scratch \"" + options.run.scratch + "\"\n");
}

std::string first_line(std::string text) { return text.substr(0, text.find_first_of(";\n")); }

bool is_in_queue(const std::string& job)
{
    const std::optional<std::string> living =
        output_of({"squeue", "--noheader", "--format=%F", "--me"});
    // Where the controller does not answer, it may be there.
    return !living || ("\n" + *living).find("\n" + job + "\n") != std::string::npos;
}

/// False: interrupted.
bool wait_for(const std::string& job)
{
    while (is_in_queue(job)) {
        for (int tenth = 0; tenth < 20; ++tenth) {
            if (Interruption::is_wanted())
                return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
    }
    return true;
}

std::optional<std::string> submit(const SweepFolder& folder, const SweepPlan& plan,
                                  const std::vector<std::size_t>& open)
{
    std::set<std::size_t> shares;
    for (const std::size_t run : open)
        shares.insert(run % share_count(plan));
    const std::optional<std::string> answer = output_of(
        {"sbatch", "--parsable", "--array=" + list_text(shares), folder.file("slurm.sh")});
    if (!answer) {
        fmt::print(stderr,
                   "{}: sbatch did not take the job\n      hint: what it said is above; "
                   "--slurm=OPTION passes options on\n",
                   folder.file("slurm.sh"));
        return std::nullopt;
    }
    const std::string job = first_line(*answer);
    if (!write_whole(folder.file("slurm.job"), job + "\n").empty())
        fmt::print(stderr, "{}: the number of the job, {}, could not be noted\n", folder.path(),
                   job);
    return job;
}

std::string noted_job(const SweepFolder& folder)
{
    std::ifstream file(folder.file("slurm.job"));
    std::string job;
    std::getline(file, job);
    return job;
}

} // namespace

bool run_on_slurm(const SweepFolder& folder, const SweepPlan& plan, const SweepOptions& options)
{
    if (const Problems problems =
            write_whole(folder.file("slurm.sh"), script_text(folder, plan, options));
        !problems.empty()) {
        print_problems(problems, options.colour);
        return false;
    }
    // The job of an earlier call may still be at it.
    std::optional<std::string> job = noted_job(folder);
    for (int round = 0; round <= options.retries; ++round) {
        if (!job->empty() && !wait_for(*job))
            return false;
        const std::vector<std::size_t> open = folder.open_runs(plan);
        if (open.empty())
            return true;
        job = submit(folder, plan, open);
        if (!job)
            return false;
        if (!options.is_quiet)
            fmt::print(stderr, "Slurm job {}: {}\n", *job,
                       count_of(std::int64_t(open.size()), "run", "runs"));
        if (options.submits_only)
            return true;
    }
    return wait_for(*job);
}

} // namespace sinew::app
