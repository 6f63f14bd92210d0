#include "farm/sweep_folder.h"

#include "farm/shared_files.h"

#include "sinew/record.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace sinew::app {

namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

constexpr int kFormat = 1; // of sweep.json

json number_or_null(const std::optional<double>& number) { return number ? json(*number) : json(); }

std::optional<double> read_number(const json& value)
{
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

json to_json(const SweepPlan& plan)
{
    return {{"format", kFormat},
            {"version", plan.version},
            {"script", plan.script},
            {"seconds", number_or_null(plan.options.seconds)},
            {"fps", number_or_null(plan.options.fps)},
            {"step", number_or_null(plan.options.step)},
            {"error", number_or_null(plan.options.error)},
            {"threads", plan.options.threads},
            {"imports", plan.options.imports},
            {"probes", plan.probes},
            {"runs", plan.runs}};
}

std::optional<json> read_json(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return std::nullopt;
    json value = json::parse(std::string(std::istreambuf_iterator<char>(file), {}), nullptr, false);
    return value.is_discarded() ? std::nullopt : std::optional(std::move(value));
}

Problem folder_problem(const std::string& path, const std::string& what, const std::string& hint)
{
    return {.code = "sweep-folder", .place = {.file = path}, .what = what, .hint = hint};
}

} // namespace

std::string SweepFolder::run_file(std::size_t run, const char* ending) const
{
    return fmt::format("{}/runs/{:05}{}", path_, run, ending);
}

Problems SweepFolder::prepare(const SweepPlan& plan) const
{
    std::error_code fault;
    fs::create_directories(file("runs"), fault);
    if (fault)
        return {folder_problem(path_, "the folder cannot be made: " + fault.message(),
                               "name another one with --out")};
    const std::string path = file("sweep.json");
    const json wanted = to_json(plan);
    if (!fs::exists(path, fault))
        return write_whole(path, wanted.dump(1) + "\n");
    const std::optional<json> made = read_json(path);
    if (!made || !made->is_object())
        return {
            folder_problem(path, "is not a list of runs", "remove the folder, or name another")};
    if (*made == wanted)
        return {};
    const bool is_version = made->value("version", "") != plan.version;
    return {folder_problem(path_,
                           is_version
                               ? fmt::format("holds a sweep made by Sinew {}, this is {}",
                                             made->value("version", "?"), plan.version)
                               : std::string("holds a sweep of another script, other values or "
                                             "other options"),
                           "name another folder with --out, or remove this one")};
}

Result<SweepPlan> SweepFolder::read_plan() const
{
    const std::string path = file("sweep.json");
    const std::optional<json> value = read_json(path);
    if (!value)
        return folder_problem(path_, "is not the folder of a sweep",
                              "`sinew sweep SCRIPT -D name=1..5 --out FOLDER` makes one");
    try {
        SweepPlan plan;
        if (value->at("format") != kFormat)
            return folder_problem(path, "is of another version of Sinew", "use that version");
        plan.version = value->at("version");
        plan.script = value->at("script");
        plan.options.seconds = read_number(value->at("seconds"));
        plan.options.fps = read_number(value->at("fps"));
        plan.options.step = read_number(value->at("step"));
        plan.options.error = read_number(value->at("error"));
        plan.options.threads = value->at("threads");
        plan.options.imports = value->at("imports").get<Parameters>();
        plan.probes = value->at("probes").get<std::vector<std::string>>();
        plan.runs = value->at("runs").get<std::vector<Parameters>>();
        plan.options.script = plan.script;
        return plan;
    } catch (const json::exception&) {
        return folder_problem(path, "is damaged", "remove the folder and start the sweep again");
    }
}

std::optional<nlohmann::ordered_json> SweepFolder::read_row(std::size_t run) const
{
    return read_json(run_file(run, ".json"));
}

std::int64_t SweepFolder::recorded_frames(std::size_t run) const
{
    std::error_code missing;
    const std::string part = run_file(run, ".part.sinew");
    if (!fs::exists(part, missing))
        return 0;
    const Result<Recording> recording = Recording::open(part);
    return recording ? recording->info().frame_count : 0;
}

std::vector<std::size_t> SweepFolder::open_runs(const SweepPlan& plan) const
{
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < plan.runs.size(); ++i)
        if (!read_row(i))
            open.push_back(i);
    return open;
}

} // namespace sinew::app
