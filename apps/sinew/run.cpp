// `sinew run`: a script in, a recording out.

#include "run.h"
#include "commands.h"
#include "farm/parts.h"
#include "farm/scratch.h"
#include "imports.h"
#include "printing.h"
#include "replay.h"
#include "runner.h"
#include "table.h"

#include "sinew/drawn_curves.h"
#include "sinew/language.h"
#include "sinew/record.h"
#include "sinew/threads.h"
#include "sinew/world.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <set>
#include <thread>
#include <unistd.h>

namespace sinew::app {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostWarnings = 40; // on a screen

/// What a run needs, all of it sound.
struct Run {
    World world;
    RecordingInfo info;
    Schedule schedule;
    std::string out;
    Scratch scratch;                 ///< where it is written
    std::set<std::string> said = {}; ///< warnings that were printed
};

void apply(const RunOptions& options, Settings& settings)
{
    if (options.step)
        settings.step = *options.step;
    if (options.seconds)
        settings.end = settings.start + *options.seconds;
}

/// A table must not overwrite the script or the recording.
bool is_same_path(const std::string& a, const std::string& b)
{
    std::error_code fault;
    return !a.empty() && fs::weakly_canonical(fs::absolute(a, fault), fault) ==
                             fs::weakly_canonical(fs::absolute(b, fault), fault);
}

/// Memory that is given back is kept for the next list of its size: to ask the system for it anew
/// in every step costs more than the step.
void keep_memory()
{
#ifdef __GLIBC__
    constexpr int kMegabyte = 1 << 20;
    mallopt(M_MMAP_THRESHOLD, 32 * kMegabyte);
    mallopt(M_TRIM_THRESHOLD, 512 * kMegabyte);
    mallopt(M_TOP_PAD, 16 * kMegabyte);
#endif
}

int thread_count(const RunOptions& options)
{
    const int processors = std::max(1, int(std::thread::hardware_concurrency()));
    return options.threads > 0 ? options.threads : processors;
}

/// Everything that can be found wrong before a file is touched.
Result<Run> prepare(const RunOptions& options, const Scene& scene, RecordingInfo info)
{
    const std::optional<Schedule> schedule = make_schedule(scene.settings);
    if (!schedule)
        return Problem{.code = "too-many-frames",
                       .place = {.file = options.script},
                       .what = fmt::format("{} s at {} frames a second are more frames than a "
                                           "recording holds",
                                           scene.settings.end - scene.settings.start,
                                           scene.settings.frame_rate),
                       .hint = "simulate a shorter time with --seconds"};
    Result<BoundImports> imports = bind_imports(scene, options.imports);
    if (!imports)
        return imports.problems();
    Result<World> world = World::create(
        scene, {.threads = thread_count(options), .imports = std::move(imports->functions)});
    if (!world)
        return world.problems();
    info.part = options.part;
    info.part_count = options.part_count;
    // A table is for people who count digits.
    info.error = options.error.value_or(options.table.empty() ? kRecordedError : 0);
    info.parameters = options.parameters;
    info.imports = std::move(imports->libraries);
    return Run{.world = std::move(*world),
               .info = std::move(info),
               .schedule = *schedule,
               .out = out_name(options),
               .scratch = Scratch(out_name(options), options.scratch)};
}

/// Prints problems that were not printed before.
void say_once(Run& run, const Problems& problems, Colour colour)
{
    Problems fresh;
    for (const Problem& problem : problems)
        if (run.said.insert(problems_text({problem}, false)).second)
            fresh.push_back(problem);
    const std::size_t shown = std::min(fresh.size(), kMostWarnings);
    print_problems({fresh.begin(), fresh.begin() + std::ptrdiff_t(shown)}, colour);
    if (shown < fresh.size())
        fmt::print(stderr, "... and {} more: `sinew info {}`\n", fresh.size() - shown, run.out);
}

Result<Recording> open_recording(Run& run, const RunOptions& options)
{
    if (options.resume)
        if (Problems problems = run.scratch.bring_in(); !problems.empty())
            return problems;
    const std::string& place = run.scratch.path();
    std::error_code no_such_place; // then opening it says why
    if (options.resume && fs::exists(place, no_such_place)) {
        Result<Recording> recording = Recording::open(place, Recording::Access::write);
        if (!recording)
            return recording;
        if (!options.error)
            run.info.error = recording->info().error;
        if (Problems problems = recording->check_continuation(run.info); !problems.empty())
            return problems;
        return recording;
    }
    if (options.resume)
        say_once(run,
                 {{.severity = Severity::note,
                   .code = "nothing-to-resume",
                   .place = {.file = run.out},
                   .what = "there is no recording yet; starting from the beginning"}},
                 options.colour);
    return Recording::create(place, run.world.scene(), run.info);
}

void print_warnings(Run& run, const Recording& recording, Colour colour)
{
    const Result<std::vector<Diagnostic>> diagnostics = recording.diagnostics();
    Problems warnings;
    if (diagnostics)
        for (const Diagnostic& diagnostic : *diagnostics)
            if (diagnostic.problem.severity != Severity::error)
                warnings.push_back(diagnostic.problem);
    say_once(run, warnings, colour);
}

/// The last line: where it went and how far.
void print_summary(const Run& run, const RunOptions& options, const Outcome& outcome,
                   std::int64_t count, double seconds)
{
    std::error_code fault;
    const std::string span = count == 0 ? ""
                                        : fmt::format(", {:g} to {:g} s", run.schedule.start,
                                                      run.schedule.time(count - 1));
    std::uintmax_t size = 0;
    for (const char* ending :
         {"", "-wal"}) // the log too, where a full disk kept it from being folded
        if (const std::uintmax_t part = fs::file_size(run.out + ending, fault); !fault)
            size += part;
    const char* how = outcome.is_interrupted                          ? "interrupted: "
                      : outcome.fault || has_errors(outcome.problems) ? "stopped early: "
                                                                      : "";
    if (options.is_quiet)
        return;
    if (options.json) {
        print_json({{"recording", run.out},
                    {"frames", count},
                    {"complete", how[0] == '\0'},
                    {"interrupted", outcome.is_interrupted},
                    {"start", run.schedule.start},
                    {"end", count == 0 ? run.schedule.start : run.schedule.time(count - 1)},
                    {"bytes", size},
                    {"seconds", seconds}});
        return;
    }
    fmt::print("{}: {}{}{}{}, computed in {:.2f} s\n", run.out, how,
               count_of(count, "frame", "frames"), span, size == 0 ? "" : ", " + size_text(size),
               seconds);
}

/// Damaged frames are dropped, with all behind them, and all frames where lists are damaged: they
/// are made again.
Problems mend(Recording& recording, Run& run, Colour colour)
{
    for (const Problem& problem : recording.check(false)) // of the disk, not of the recording
        if (problem.code == "recording-unreadable" || problem.code == "recording-busy")
            return {problem};
    const std::int64_t whole = recording.find_damage(), count = recording.info().frame_count;
    if (whole == count)
        return {};
    const std::string what =
        recording.check(false).empty()
            ? fmt::format("frame {} is damaged: it and the {} after it are computed again", whole,
                          count_of(count - 1 - whole, "frame", "frames"))
            : "its lists are damaged: all its frames are computed again";
    say_once(run,
             {{.severity = Severity::warning,
               .code = "recording-mended",
               .place = {.file = run.out},
               .what = what}},
             colour);
    return recording.continue_after(whole - 1, run.world.scene().settings.end);
}

Outcome simulate(Run& run, Recording& recording, bool is_resumed, Colour colour)
{
    if (Problems problems = mend(recording, run, colour); has_errors(problems))
        return {.problems = problems};
    const std::int64_t recorded = recording.info().frame_count;
    if (recorded > run.schedule.last) { // all there: at most the end is not noted
        const bool is_noted = recording.info().is_complete || recorded - 1 > run.schedule.last;
        return {.problems = is_noted ? Problems{} : recording.finish(std::nullopt)};
    }
    Runner runner(run.world, recording, run.out, run.schedule);
    if (is_resumed && recorded > 0)
        if (Problems problems = runner.rewind(); !problems.empty())
            return {.problems = problems};
    return runner.run();
}

/// Says why a script cannot be run.
RunEnd refuse(const RunOptions& options, const Problems& problems)
{
    print_refusal(options.script, problems, options.colour);
    const auto error = std::ranges::find(problems, Severity::error, &Problem::severity);
    const bool is_placed = error != problems.end() && !error->place.file.empty();
    return {.status = 1,
            .is_refused = true,
            .why = error == problems.end()
                       ? "the script cannot be run with these values"
                       : (is_placed ? to_string(error->place) + ": " : "") + error->what};
}

int status_of(const Outcome& outcome)
{
    if (has_errors(outcome.problems))
        return 1;
    return outcome.fault || outcome.is_interrupted ? 3 : 0;
}

/// From here on files are touched.
int record(Run& run, const RunOptions& options)
{
    const auto begin = std::chrono::steady_clock::now();
    std::optional<Table> table;
    Problems problems;
    if (!options.table.empty()) {
        Result<Table> opened = Table::open(options.table);
        problems = opened.problems();
        if (opened)
            table = std::move(*opened);
    }
    Result<Recording> recording =
        problems.empty() ? open_recording(run, options) : Result<Recording>(problems);
    if (!recording) {
        print_problems(recording.problems(), options.colour);
        return 1;
    }
    recording->set_threads(thread_count(options));
    const bool is_resumed = recording->info().frame_count > 0;
    Outcome outcome = simulate(run, *recording, is_resumed, options.colour);
    if (outcome.fault)
        print_problems({*outcome.fault}, options.colour);
    print_warnings(run, *recording, options.colour);
    if (table) {
        const Problems faults = table->write(run.world.scene(), *recording);
        outcome.problems.insert(outcome.problems.end(), faults.begin(), faults.end());
    }
    print_problems(outcome.problems, options.colour);
    if (outcome.is_interrupted)
        fmt::print(stderr,
                   "{}: interrupted\n      hint: the same command with --resume continues\n",
                   run.out);
    const std::int64_t count = recording->info().frame_count;
    recording = Problems{}; // closes it: from here on it is one file
    const Problems stuck = run.scratch.bring_out();
    print_problems(stuck, options.colour);
    outcome.problems.insert(outcome.problems.end(), stuck.begin(), stuck.end());
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    print_summary(run, options, outcome, count, elapsed.count());
    return status_of(outcome);
}

} // namespace

std::string out_name(const RunOptions& options)
{
    if (!options.out.empty())
        return options.out;
    const std::string stem = fs::path(options.script).stem().string();
    return options.part_count == 0
               ? stem + ".sinew"
               : fmt::format("{}.part{}of{}.sinew", stem, options.part, options.part_count);
}

RunEnd run_script(const RunOptions& options)
{
    const auto begin = std::chrono::steady_clock::now();
    const ThreadsScope threads(thread_count(options));
    std::optional<DrawnCurvesScope> drawn(std::in_place);
    keep_memory();
    const bool is_part = options.part_count > 0;
    ScriptReading reading = read_script_file(
        options.script,
        {.parameters = options.parameters, .frame_rate = options.fps, .makes_curves = !is_part});
    RecordingInfo info;
    if (reading.is_sound()) {
        apply(options, reading.scene.settings);
        info = make_recording_info(reading.scene, options.script); // of the whole
        if (is_part)
            reading = read_own_part(options, std::move(reading));
    }
    if (!reading.is_sound())
        return refuse(options, reading.problems);
    const Interruption interruption;
    Result<Run> run = prepare(options, reading.scene, std::move(info));
    if (!run && Interruption::is_wanted()) {
        fmt::print(stderr, "{}: interrupted before its first frame\n      hint: begin it again\n",
                   options.script);
        return {.status = 3};
    }
    if (!run) {
        Problems problems = reading.problems;
        problems.insert(problems.end(), run.problems().begin(), run.problems().end());
        return refuse(options, problems);
    }
    const std::chrono::duration<double, std::milli> making =
        std::chrono::steady_clock::now() - begin;
    run->info.making_ms = making.count();
    drawn.reset();
    reading.scene = {}; // the world has its own
    say_once(*run, reading.problems, options.colour);
    say_once(*run, run->world.start_notes(), options.colour);
    return {.status = record(*run, options)};
}

int run(const RunOptions& options)
{
    if (is_recording(options.script))
        return replay(options);
    if (is_same_path(options.table, options.script) ||
        is_same_path(options.table, out_name(options))) {
        fmt::print(stderr, "--table {}: the table would overwrite the {}; name another file\n",
                   options.table,
                   is_same_path(options.table, options.script) ? "script" : "recording");
        return 2;
    }
    return options.is_mpi ? run_rank(options) : run_script(options).status;
}

} // namespace sinew::app
