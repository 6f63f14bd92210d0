// Runs on this machine: each a process of its own, so that a crash costs one run and not the sweep.

#include "farm/process.h"
#include "farm/sweep.h"
#include "farm/sweep_task.h"
#include "progress.h"
#include "runner.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <deque>
#include <map>
#include <sys/wait.h>
#include <thread>
#include <utility>

namespace sinew::app {

namespace {

class Workers {
public:
    Workers(const SweepFolder& folder, const SweepPlan& plan, const SweepOptions& options)
        : folder_(folder), plan_(plan), options_(options),
          progress_(0, std::int64_t(plan.runs.size()) - 1, "run")
    {
        for (const std::size_t run : folder.open_runs(plan))
            waiting_.push_back(run);
        ended_ = std::int64_t(plan.runs.size() - waiting_.size());
    }

    bool run()
    {
        const int processors = std::max(1, int(std::thread::hardware_concurrency()));
        const auto most = std::size_t(options_.jobs > 0 ? options_.jobs : processors);
        while (!waiting_.empty() || !active_.empty()) {
            while (!waiting_.empty() && active_.size() < most && !Interruption::is_wanted())
                start();
            if (Interruption::is_wanted()) {
                waiting_.clear();
                for (const auto& [process, run] : active_)
                    kill(process, SIGTERM);
            }
            wait_for_one();
        }
        return !Interruption::is_wanted();
    }

private:
    void start()
    {
        const std::size_t run = waiting_.front();
        waiting_.pop_front();
        std::vector<std::string> words = {own_program(), "sweep", folder_.path(), "--share",
                                          fmt::format("{}/{}", run, plan_.runs.size())};
        if (!options_.run.scratch.empty())
            words.insert(words.end(), {"--scratch", options_.run.scratch});
        const int process = start_process(words, folder_.run_file(run, ".log"));
        if (process > 0)
            active_[process] = run;
        else
            failed(run, "no process could be started");
    }

    void wait_for_one()
    {
        int status = 0;
        const int process = waitpid(-1, &status, 0);
        const auto found = active_.find(process);
        if (found == active_.end()) {
            if (process < 0 && errno == ECHILD)
                active_.clear();
            return;
        }
        const std::size_t run = found->second;
        active_.erase(found);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            progress_.update(++ended_);
        else if (!Interruption::is_wanted())
            failed(run, WIFSIGNALED(status) ? fmt::format("killed by signal {}", WTERMSIG(status))
                                            : fmt::format("exit status {}", WEXITSTATUS(status)));
    }

    /// What goes on each time, as under a limit of time, is not given up.
    bool has_progressed(std::size_t run)
    {
        const std::int64_t frames = folder_.recorded_frames(run);
        const std::int64_t before = std::exchange(frames_[run], std::max(frames, frames_[run]));
        return options_.retries > 0 && frames > before;
    }

    void failed(std::size_t run, const std::string& how)
    {
        if (has_progressed(run))
            tries_[run] = 0;
        if (++tries_[run] <= options_.retries) {
            waiting_.push_back(run);
            return;
        }
        progress_.clear();
        fmt::print(stderr, "run {}: {}, {} times; its last words are in {}\n", run, how,
                   tries_[run], folder_.run_file(run, ".log"));
    }

    const SweepFolder& folder_;
    const SweepPlan& plan_;
    const SweepOptions& options_;
    Progress progress_;
    std::deque<std::size_t> waiting_;
    std::map<int, std::size_t> active_;          ///< run by process
    std::map<std::size_t, int> tries_;           ///< since it went on
    std::map<std::size_t, std::int64_t> frames_; ///< of what failed
    std::int64_t ended_ = 0;
};

} // namespace

bool run_here(const SweepFolder& folder, const SweepPlan& plan, const SweepOptions& options)
{
    return Workers(folder, plan, options).run();
}

} // namespace sinew::app
