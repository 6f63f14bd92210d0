// `sinew sweep`: many runs of one script with other parameters, and one table of how they went.

#include "farm/sweep.h"

#include "farm/process.h"
#include "farm/shared_files.h"
#include "farm/sheet.h"
#include "farm/sweep_table.h"
#include "farm/sweep_task.h"
#include "film.h"
#include "runner.h"

#include "sinew/language.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace sinew::app {

namespace {

namespace fs = std::filesystem;

std::string folder_of(const SweepOptions& options)
{
    if (fs::is_directory(options.target))
        return fs::absolute(options.target).lexically_normal().string();
    const std::string out =
        options.out.empty() ? fs::path(options.target).stem().string() + "-sweep" : options.out;
    return fs::absolute(out).lexically_normal().string();
}

Result<SweepPlan> make_plan(const SweepOptions& options)
{
    Result<std::vector<Parameters>> runs = list_runs(options.variation);
    if (!runs)
        return runs.problems();
    SweepPlan plan{.script = fs::absolute(options.target).lexically_normal().string(),
                   .version = version(),
                   .options = options.run,
                   .probes = options.probes,
                   .runs = std::move(*runs)};
    if (plan.options.threads == 0)
        plan.options.threads = 1; // runs go side by side instead
    const ScriptReading reading = read_script_file(
        plan.script, {.parameters = plan.runs.front(), .frame_rate = plan.options.fps});
    if (!reading.is_sound())
        return reading.problems;
    if (Problems problems = check_probes(plan); !problems.empty())
        return problems;
    return plan;
}

/// The plan of a folder, or a new one in its folder.
Result<SweepPlan> open_plan(const SweepOptions& options, const SweepFolder& folder)
{
    if (fs::is_directory(options.target))
        return folder.read_plan();
    Result<SweepPlan> plan = make_plan(options);
    if (!plan)
        return plan;
    if (Problems problems = folder.prepare(*plan); !problems.empty())
        return problems;
    return plan;
}

std::optional<Share> parse_share(const std::string& text)
{
    Share share;
    const char* const end = text.data() + text.size();
    const auto [slash, fault] = std::from_chars(text.data(), end, share.number);
    if (fault != std::errc() || slash == end || *slash != '/')
        return std::nullopt;
    const auto [rest, wrong] = std::from_chars(slash + 1, end, share.count);
    if (wrong != std::errc() || rest != end || share.number >= share.count)
        return std::nullopt;
    return share;
}

int run_share(const SweepFolder& folder, const SweepPlan& plan, const SweepOptions& options)
{
    const std::optional<Share> share = parse_share(options.share);
    if (!share) {
        fmt::print(stderr, "--share {}: is not K/M with K from 0 to M - 1\n", options.share);
        return 2;
    }
    int worst = 0;
    for (std::size_t run = share->number; run < plan.runs.size(); run += share->count) {
        const int status = run_task(folder, plan, run, options.run.scratch);
        if (status == 3)
            return 3;
        worst = std::max(worst, status);
    }
    return worst;
}

/// A line for each run, for whatever farm there is.
Problems write_commands(const SweepFolder& folder, const SweepPlan& plan)
{
    std::string text;
    for (std::size_t run = 0; run < plan.runs.size(); ++run)
        text += fmt::format("{} sweep {} --share {}/{}\n", shell_word(own_program()),
                            shell_word(folder.path()), run, plan.runs.size());
    return write_whole(folder.file("commands.txt"), text);
}

struct Count {
    std::size_t complete = 0, stopped = 0, refused = 0, open = 0;
};

Count count_of_runs(const SweepTable& table)
{
    Count count;
    const auto found =
        std::ranges::find(table.columns, "status", [](const auto& column) { return column.name; });
    const auto column = std::size_t(found - table.columns.begin());
    for (const auto& row : table.rows)
        ++(row[column] == "complete"  ? count.complete
           : row[column] == "stopped" ? count.stopped
           : row[column] == "open"    ? count.open
                                      : count.refused);
    return count;
}

void print_end(const SweepFolder& folder, const Count& count, const SweepOptions& options)
{
    if (options.is_quiet)
        return;
    if (options.json) {
        print_json({{"folder", folder.path()},
                    {"complete", count.complete},
                    {"stopped", count.stopped},
                    {"refused", count.refused},
                    {"open", count.open}});
        return;
    }
    fmt::print("{}: {} complete", folder.file("results.csv"),
               count_of(std::int64_t(count.complete), "run", "runs"));
    if (count.stopped > 0)
        fmt::print(", {} stopped early", count.stopped);
    if (count.refused > 0)
        fmt::print(", {} refused", count.refused);
    if (count.open > 0)
        fmt::print(", {} open: the same command continues", count.open);
    fmt::print("\n");
}

/// The table, and the sheet where it is wanted.
int gather(const SweepFolder& folder, const SweepPlan& plan, const SweepOptions& options)
{
    const SweepTable table = gather_results(folder, plan);
    Problems problems = write_results(folder, table, options.wants_parquet);
    if (problems.empty() && !options.sheet.empty() && !Interruption::is_wanted())
        problems = draw_sheet(
            folder, plan,
            {.out = options.sheet, .width = options.tile_width, .height = options.tile_height});
    print_problems(problems, options.colour);
    const Count count = count_of_runs(table);
    print_end(folder, count, options);
    if (!problems.empty())
        return 1;
    return Interruption::is_wanted() ? 3 : count.open > 0 && !options.submits_only ? 1 : 0;
}

Problems check_wishes(const SweepOptions& options)
{
    const PictureKind kind = picture_kind(options.sheet);
    if (!options.sheet.empty() && kind != PictureKind::png && kind < PictureKind::mp4)
        return {{.code = "command-line",
                 .place = {.file = "--sheet " + options.sheet},
                 .what = "a contact sheet ends in .png, as a film in .mp4, .webm, .mov or .gif",
                 .hint = "name it " + options.sheet + ".png"}};
    if (fs::is_directory(options.target) &&
        (!options.variation.definitions.empty() || !options.variation.list.empty()))
        return {{.code = "command-line",
                 .place = {.file = options.target},
                 .what = "the folder has its list of runs already",
                 .hint = "give values together with the script"}};
    if (options.on != "slurm" && (!options.slurm.empty() || options.submits_only))
        return {{.code = "command-line",
                 .place = {.file = options.slurm.empty() ? "--submit" : "--slurm"},
                 .what = "is for Slurm, and the runs are not computed there",
                 .hint = "add --on slurm"}};
    return {};
}

} // namespace

int sweep(const SweepOptions& options)
{
    if (const Problems problems = check_wishes(options); !problems.empty()) {
        print_problems(problems, options.colour);
        return 2;
    }
    const SweepFolder folder(folder_of(options));
    const Result<SweepPlan> plan = open_plan(options, folder);
    if (!plan) {
        print_refusal(options.target, plan.problems(), options.colour);
        return 1;
    }
    if (!options.share.empty())
        return run_share(folder, *plan, options);
    const Interruption interruption;
    if (options.on == "files") {
        const Problems problems = write_commands(folder, *plan);
        print_problems(problems, options.colour);
        if (problems.empty() && !options.is_quiet)
            fmt::print("{}: {}; then `sinew sweep {} --gather`\n", folder.file("commands.txt"),
                       count_of(std::int64_t(plan->runs.size()), "command", "commands"),
                       folder.path());
        return problems.empty() ? 0 : 1;
    }
    if (!options.only_gathers) {
        const bool is_done = options.on == "slurm" ? run_on_slurm(folder, *plan, options)
                                                   : run_here(folder, *plan, options);
        if (!is_done && !Interruption::is_wanted())
            return 1;
    }
    return gather(folder, *plan, options);
}

} // namespace sinew::app
