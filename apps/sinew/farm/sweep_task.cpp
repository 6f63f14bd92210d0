// One run of a sweep and its line of the table.
//
// A recording under way is called .part.sinew; its final name and then its line are given by
// renaming, so that a kill at any moment leaves a run that is either open or ended. Two that try
// the same run at once write the same bits.

#include "farm/sweep_task.h"

#include "farm/shared_files.h"
#include "printing.h"
#include "recorded_scene.h"
#include "run.h"

#include "sinew/frame.h"
#include "sinew/language.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <sys/resource.h>
#include <unistd.h>

namespace sinew::app {

namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

/// `name`, or `name.x`, `name.y`, `name.z` with `:min` or `:max` behind it.
struct Probe {
    std::string name, column;
    int axis = -1; ///< −1: all three
    enum class Of { last, least, most } of = Of::last;
};

Probe parse_probe(const std::string& text)
{
    Probe probe{.name = text, .column = text};
    if (probe.name.ends_with(":min") || probe.name.ends_with(":max")) {
        probe.of = probe.name.ends_with(":min") ? Probe::Of::least : Probe::Of::most;
        probe.name.resize(probe.name.size() - 4);
    }
    const std::size_t size = probe.name.size();
    if (size > 2 && probe.name[size - 2] == '.' && probe.name[size - 1] >= 'x' &&
        probe.name[size - 1] <= 'z') {
        probe.axis = probe.name[size - 1] - 'x';
        probe.name.resize(size - 2);
    }
    return probe;
}

json first_columns(const SweepPlan& plan, std::size_t run)
{
    json row = {{"run", run}};
    for (const auto& [name, value] : plan.runs[run])
        row[name] = value;
    return row;
}

void add_probe(const Probe& probe, const RecordedScene& recorded, json& row)
{
    constexpr const char* kAxes[] = {".x", ".y", ".z"};
    const std::int64_t count = recorded.recording.info().frame_count;
    std::array<std::optional<double>, 3> found;
    for (std::int64_t i = probe.of == Probe::Of::last ? count - 1 : 0; i >= 0 && i < count; ++i) {
        const Result<Frame> frame = recorded.recording.frame(i);
        if (!frame)
            break;
        for (const TableRow& line : table_rows(recorded.scene, *frame))
            for (int axis = 0; axis < 3 && line.name == probe.name; ++axis) {
                std::optional<double>& best = found[std::size_t(axis)];
                const double value = line.position[axis];
                if (!best || (probe.of == Probe::Of::least && value < *best) ||
                    (probe.of == Probe::Of::most && value > *best))
                    best = value;
            }
    }
    for (int axis = 0; axis < 3; ++axis) {
        const std::optional<double>& value = found[std::size_t(axis)];
        if (probe.axis == -1)
            row[probe.name + kAxes[axis] + probe.column.substr(probe.name.size())] =
                value ? json(*value) : json();
        else if (probe.axis == axis)
            row[probe.column] = value ? json(*value) : json();
    }
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
    for (const std::string& probe : plan.probes)
        add_probe(parse_probe(probe), *recorded, row);
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
    add_cost(row);
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
        problems = give_up(folder, plan, run, "the script cannot be run with these values");
    else if (has_ended(part) || has_ended(folder.run_file(run, ".sinew")))
        problems = conclude(folder, plan, run);
    else
        return std::max(end.status, 1);
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
    const std::vector<std::string> names = object_names(reading.scene);
    Problems problems;
    for (const std::string& text : plan.probes)
        if (std::ranges::find(names, parse_probe(text).name) == names.end())
            problems.push_back(
                {.code = "sweep-probe",
                 .place = {.file = "--probe " + text},
                 .what = fmt::format("the script has no object '{}'", parse_probe(text).name),
                 .hint = "name an object as `sinew check` lists it, with .x, .y, .z "
                         "and :min or :max behind it where wanted"});
    return problems;
}

} // namespace sinew::app
