// Runs on a cluster with Slurm, as one array job. Slurm requeues what it preempts; what was killed
// otherwise, or ran out of time, is submitted again and goes on from its last snapshot.

#include "farm/process.h"
#include "farm/shared_files.h"
#include "farm/sweep.h"
#include "runner.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>
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

std::size_t share_count(const SweepPlan& plan) { return std::min(plan.runs.size(), kMostTasks); }

/// A path as Slurm reads it: a percent sign stands for itself when doubled.
std::string pattern_text(const std::string& path)
{
    std::string text;
    for (const char c : path)
        text += c == '%' ? "%%" : std::string(1, c);
    return text;
}

std::string script_text(const SweepFolder& folder, const SweepPlan& plan,
                        const SweepOptions& options)
{
    std::string text = fmt::format("#!/bin/sh\n"
                                   "#SBATCH --job-name=sinew-sweep\n"
                                   "#SBATCH --requeue\n"
                                   "#SBATCH --open-mode=append\n"
                                   "#SBATCH --signal=B:TERM@{}\n"
                                   "#SBATCH --output=\"{}/runs/slurm-%a.log\"\n",
                                   kGrace_s, pattern_text(folder.path()));
    for (const std::string& option : options.slurm)
        text += "#SBATCH " + option + "\n";
    // The run itself gets the signals, not a shell.
    text += fmt::format("exec {} sweep {} --share $SLURM_ARRAY_TASK_ID/{}",
                        shell_word(own_program()), shell_word(folder.path()), share_count(plan));
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

/// The nodes at which open runs failed: a full disk there stays full, and takes job after job.
std::string failed_nodes(const SweepFolder& folder, const std::vector<std::size_t>& open)
{
    std::set<std::string> nodes;
    for (const std::size_t run : open) {
        std::ifstream file(folder.run_file(run, ".node"));
        std::string node;
        if (std::getline(file, node) && !node.empty())
            nodes.insert(node);
    }
    return fmt::format("{}", fmt::join(nodes, ","));
}

/// With those that the person leaves out: ours would replace them.
std::string exclusion(const std::string& nodes, const SweepOptions& options)
{
    constexpr std::string_view kExclude = "--exclude=";
    std::string text = std::string(kExclude) + nodes;
    for (const std::string& option : options.slurm)
        if (option.starts_with(kExclude))
            text += "," + option.substr(kExclude.size());
    return text;
}

std::optional<std::string> submit(const SweepFolder& folder, const SweepPlan& plan,
                                  const SweepOptions& options, const std::vector<std::size_t>& open)
{
    std::set<std::size_t> shares;
    for (const std::size_t run : open)
        shares.insert(run % share_count(plan));
    std::vector<std::string> words = {"sbatch", "--parsable", "--array=" + list_text(shares),
                                      folder.file("slurm.sh")};
    std::string nodes = failed_nodes(folder, open);
    std::optional<std::string> answer;
    if (!nodes.empty()) {
        std::vector<std::string> elsewhere = words;
        elsewhere.insert(elsewhere.begin() + 1, exclusion(nodes, options));
        answer = output_of(elsewhere);
        if (!answer) // no other node is left
            nodes.clear();
    }
    if (!answer)
        answer = output_of(words);
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
    if (!options.is_quiet)
        fmt::print(stderr, "Slurm job {}: {}{}\n", job,
                   count_of(std::int64_t(open.size()), "run", "runs"),
                   nodes.empty() ? "" : ", not at " + nodes + ", where they failed");
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

namespace {

/// How far a sweep has come: fewer runs are open, or those that are have more frames.
struct Progressed {
    std::size_t open = SIZE_MAX;
    std::int64_t frames = 0;

    bool is_beyond(const Progressed& other) const
    {
        return open < other.open || (open == other.open && frames > other.frames);
    }
};

Progressed find_progress(const SweepFolder& folder, const std::vector<std::size_t>& open)
{
    Progressed found{.open = open.size()};
    for (const std::size_t run : open)
        found.frames += folder.recorded_frames(run);
    return found;
}

void print_open(const SweepFolder& folder, const SweepPlan& plan,
                const std::vector<std::size_t>& open)
{
    constexpr std::size_t kShown = 3;
    for (std::size_t i = 0; i < std::min(open.size(), kShown); ++i)
        fmt::print(stderr, "run {}: has not ended; its last words are in {}\n", open[i],
                   folder.file(fmt::format("runs/slurm-{}.log", open[i] % share_count(plan))));
    if (open.size() > kShown)
        fmt::print(stderr, "... and {} more\n", open.size() - kShown);
}

bool can_submit(const SweepFolder& folder, const SweepPlan& plan, const SweepOptions& options)
{
    if (!is_installed("sbatch")) {
        fmt::print(stderr, "--on slurm: there is no program sbatch on this machine\n      hint: "
                           "call it where jobs are submitted from, or use --on files\n");
        return false;
    }
    const Problems problems =
        write_whole(folder.file("slurm.sh"), script_text(folder, plan, options));
    print_problems(problems, options.colour);
    return problems.empty();
}

} // namespace

bool run_on_slurm(const SweepFolder& folder, const SweepPlan& plan, const SweepOptions& options)
{
    if (!can_submit(folder, plan, options))
        return false;
    // The job of an earlier call may still be at it.
    std::string job = noted_job(folder);
    Progressed best;
    for (int tries = 0;; ++tries) {
        if (!job.empty() && !wait_for(job))
            return false;
        const std::vector<std::size_t> open = folder.open_runs(plan);
        if (open.empty())
            return true;
        const Progressed now = find_progress(folder, open);
        if (options.retries > 0 && tries > 0 && now.is_beyond(best))
            tries = 1; // under a limit of time, for instance
        if (now.is_beyond(best))
            best = now;
        if (tries > options.retries) {
            print_open(folder, plan, open);
            return true;
        }
        const std::optional<std::string> submitted = submit(folder, plan, options, open);
        if (!submitted)
            return false;
        job = *submitted;
        if (options.submits_only)
            return true;
    }
}

} // namespace sinew::app
