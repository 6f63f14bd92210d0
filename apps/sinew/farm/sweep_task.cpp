// One run of a sweep and its line of the table.
//
// A recording under way is called .part.sinew; its final name and then its line are given by
// renaming, so that a kill at any moment leaves a run that is either open or ended. Two that try
// the same run at once write the same bits.

#include "farm/sweep_task.h"

#include "farm/probes.h"
#include "farm/shared_files.h"
#include "printing.h"
#include "recorded_scene.h"
#include "run.h"

#include "sinew/language.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sys/resource.h>
#include <unistd.h>

namespace sinew::app {

namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

json first_columns(const SweepPlan& plan, std::size_t run)
{
    json row = {{"run", run}};
    for (const auto& [name, value] : plan.runs[run])
        row[name] = value;
    return row;
}

void add_cost(json& row)
{
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& t) {
        return double(t.tv_sec) + 1e-6 * double(t.tv_usec);
    };
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    row["processor_s"] = seconds(used.ru_utime) + seconds(used.ru_stime);
    row["peak_mb"] = double(used.ru_maxrss) / 1024;
    row["host"] = host;
}

/// What the recording says of the run.
Problems add_recording(const std::string& path, const SweepPlan& plan, json& row)
{
    const Result<RecordedScene> recorded = open_recorded(path);
    if (!recorded)
        return recorded.problems();
    const RecordingInfo& info = recorded->recording.info();
    double stepping = 0, taking = 0, writing = 0, residual = 0, first = 0, last = 0;
    std::int64_t steps = 0, unconverged = 0;
    std::uint64_t hash = 0;
    for (std::int64_t i = 0; i < info.frame_count; ++i) {
        const Result<FrameStatistics> s = recorded->recording.statistics(i);
        if (!s)
            return s.problems();
        last = s->energy.kinetic + s->energy.potential;
        first = i == 0 ? last : first;
        stepping += s->elapsed_ms;
        taking += s->taking_ms;
        writing += s->writing_ms;
        residual = std::max(residual, s->report.residual);
        steps += s->report.steps;
        unconverged += s->report.converged ? 0 : 1;
        hash = s->state_hash;
    }
    row["status"] = info.is_complete ? "complete" : "stopped";
    row["message"] = info.fault ? info.fault->what : "";
    row["frames"] = info.frame_count;
    row["steps"] = steps;
    row["unconverged_frames"] = unconverged;
    row["largest_residual"] = residual;
    row["energy_at_start"] = first;
    row["energy_at_end"] = last;
    row["state_hash"] = fmt::format("{:016x}", hash);
    row["making_s"] = info.making_ms / 1000;
    row["stepping_s"] = stepping / 1000;
    row["taking_s"] = taking / 1000;
    row["writing_s"] = writing / 1000;
    std::error_code fault;
    row["bytes"] = fs::file_size(path, fault);
    row["recording"] = "runs/" + fs::path(path).filename().string();
    add_cost(row);
    add_probes(plan.probes, *recorded, row);
    return {};
}

Problems write_row(const SweepFolder& folder, std::size_t run, const json& row)
{
    const auto text = row.dump(1, ' ', false, json::error_handler_t::replace);
    return write_whole(folder.run_file(run, ".json"), text + "\n");
}

/// Gives a finished recording its name and writes its line.
Problems conclude(const SweepFolder& folder, const SweepPlan& plan, std::size_t run)
{
    const std::string part = folder.run_file(run, ".part.sinew");
    const std::string whole = folder.run_file(run, ".sinew");
    std::error_code fault;
    if (fs::exists(part, fault))
        fs::rename(part, whole, fault);
    json row = first_columns(plan, run);
    if (Problems problems = add_recording(whole, plan, row); !problems.empty())
        return problems;
    return write_row(folder, run, row);
}

bool has_ended(const std::string& path)
{
    std::error_code fault;
    if (!fs::exists(path, fault))
        return false;
    const Result<Recording> recording = Recording::open(path);
    return recording && (recording->info().is_complete || recording->info().fault);
}

/// At which node of a cluster a run failed: the next try is made elsewhere.
void note_node(const SweepFolder& folder, std::size_t run, int status)
{
    const char* node = std::getenv("SLURMD_NODENAME");
    if (status != 3 && node && *node) // where not even that can be written, nothing is lost
        write_whole(folder.run_file(run, ".node"), std::string(node) + "\n");
}

} // namespace

Problems give_up(const SweepFolder& folder, const SweepPlan& plan, std::size_t run,
                 const std::string& why)
{
    json row = first_columns(plan, run);
    row["status"] = "refused";
    row["message"] = why;
    return write_row(folder, run, row);
}

int run_task(const SweepFolder& folder, const SweepPlan& plan, std::size_t run,
             const std::string& scratch)
{
    if (folder.read_row(run))
        return 0;
    if (plan.version != version()) {
        fmt::print(stderr,
                   "{}: the sweep was made by Sinew {}, this is {}\n      hint: use the same "
                   "version on every machine\n",
                   folder.path(), plan.version, version());
        return 1;
    }
    const std::string part = folder.run_file(run, ".part.sinew");
    RunEnd end;
    if (!has_ended(folder.run_file(run, ".sinew")) && !has_ended(part)) {
        RunOptions options = plan.options;
        options.parameters = plan.runs[run];
        options.out = part;
        options.resume = true;
        options.scratch = scratch;
        end = run_script(options);
    }
    Problems problems;
    if (end.is_refused)
        problems = give_up(folder, plan, run, end.why);
    else if (has_ended(part) || has_ended(folder.run_file(run, ".sinew")))
        problems = conclude(folder, plan, run);
    else {
        note_node(folder, run, end.status);
        return std::max(end.status, 1);
    }
    std::error_code missing;
    fs::remove(folder.run_file(run, ".node"), missing);
    print_problems(problems, Colour::automatic);
    return problems.empty() ? 0 : 1;
}

Problems check_probes(const SweepPlan& plan)
{
    if (plan.probes.empty())
        return {};
    const ScriptReading reading = read_script_file(
        plan.script, {.parameters = plan.runs.front(), .frame_rate = plan.options.fps});
    if (!reading.is_sound())
        return {};
    Problems problems;
    for (const std::string& wish : unknown_probes(plan.probes, reading.scene))
        problems.push_back(
            {.code = "sweep-probe",
             .place = {.file = "--probe " + wish},
             .what = "the script has no object and no `probe` of that name",
             .hint = "name an object as `sinew check` lists it, or a `probe` of the script, with "
                     ".x, .y, .z optionally followed by :min or :max"});
    return problems;
}

} // namespace sinew::app
