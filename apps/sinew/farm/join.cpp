// `sinew join`: one recording of the parts of a shot, groups of frames side by side.

#include "commands.h"
#include "farm/joined_groups.h"
#include "farm/scratch.h"
#include "printing.h"
#include "progress.h"
#include "replay.h"
#include "runner.h"

#include "sinew/language.h"
#include "sinew/record.h"
#include "sinew/session.h"
#include "sinew/threads.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <thread>

namespace sinew::app {

namespace {

namespace fs = std::filesystem;

Problem part_problem(const std::string& file, const std::string& what, const std::string& hint)
{
    return {.code = "join-parts", .place = {.file = file}, .what = what, .hint = hint};
}

/// The recordings by their numbers.
struct OrderedParts {
    std::vector<std::string> files;
    std::vector<Recording> recordings;
};

/// Them, or everything that keeps them from being joined.
Result<OrderedParts> open_parts(const std::vector<std::string>& files)
{
    Problems problems;
    std::vector<std::pair<std::string, Recording>> opened;
    for (const std::string& file : files) {
        Result<Recording> recording = Recording::open(file);
        if (!recording)
            problems.insert(problems.end(), recording.problems().begin(),
                            recording.problems().end());
        else if (recording->info().part_count == 0)
            problems.push_back(part_problem(file, "is not part of a shot", "leave it out"));
        else if (!recording->info().is_complete)
            problems.push_back(part_problem(
                file, "is not complete", "`sinew run --part ... --resume` brings it to its end"));
        else
            opened.emplace_back(file, std::move(*recording));
    }
    if (!problems.empty())
        return problems;
    std::ranges::sort(opened, {}, [](const auto& each) { return each.second.info().part; });
    const RecordingInfo& first = opened.front().second.info();
    std::string missing;
    std::size_t next = 0;
    for (int part = 1; part <= first.part_count; ++part) {
        if (next == opened.size() || opened[next].second.info().part != part) {
            missing += fmt::format("{}{}", missing.empty() ? "" : ", ", part);
            continue;
        }
        for (const std::string& file = opened[next++].first;
             next < opened.size() && opened[next].second.info().part == part; ++next)
            problems.push_back(part_problem(opened[next].first,
                                            fmt::format("is part {} again, as {}", part, file),
                                            "name each part once"));
    }
    if (!missing.empty())
        problems.push_back(part_problem(
            opened.front().first,
            fmt::format("is of a shot in {} parts; missing: {}", first.part_count, missing),
            "compute them with `sinew run --part`"));
    OrderedParts parts;
    for (auto& [file, recording] : opened) {
        RecordingInfo wanted = first;
        wanted.part = recording.info().part;
        for (Problem problem : recording.check_continuation(wanted)) {
            problem.hint = "join parts of one run: same script, options and version";
            problems.push_back(std::move(problem));
        }
        if (recording.info().frame_count != first.frame_count)
            problems.push_back(
                part_problem(file,
                             fmt::format("has {} frames, part 1 has {}",
                                         recording.info().frame_count, first.frame_count),
                             "compute all parts for the same time"));
        parts.files.push_back(file);
        parts.recordings.push_back(std::move(recording));
    }
    if (!problems.empty())
        return problems;
    return parts;
}

/// The script of all parts, its curves made or only counted; step and end as the parts have them.
Result<ScriptReading> read_whole(const Recording& part, bool makes_curves)
{
    const Result<Take> take = take_of(part);
    if (!take)
        return take.problems();
    const Result<SessionOptions> options = options_of(part, {});
    if (!options)
        return options.problems();
    ScriptReading reading = read_script(take->name, take->script, options->read_file,
                                        {.parameters = take->parameters,
                                         .frame_rate = options->frame_rate,
                                         .check_start = false,
                                         .makes_curves = makes_curves});
    if (!reading.is_sound())
        return reading.problems;
    reading.scene.settings.end = part.info().end;
    reading.scene.settings.step = part.info().step;
    return reading;
}

/// The joined recording gets the fingerprint of the whole script, so that `--resume` can compare
/// them; where one process cannot hold all curves, it gets that of the parts.
std::uint64_t find_fingerprint(const Recording& part)
{
    const Result<ScriptReading> made = read_whole(part, true);
    return made ? make_recording_info(made->scene, "").scene_fingerprint
                : part.info().scene_fingerprint;
}

/// The parts in their order, none missing and all of one run; their frames fit the plan.
Problems check_parts(const std::vector<Recording>& parts, const Scene& scene, const PartPlan& plan)
{
    for (int part = 1; part <= plan.count; ++part)
        if (Problems problems = parts[std::size_t(part) - 1].check_part(scene, plan, part);
            !problems.empty())
            return problems;
    return {};
}

Problems append(JoinedGroups& groups, Recording& out, const std::string& name)
{
    Progress progress(0, groups.frame_count() - 1);
    std::int64_t done = 0;
    for (std::int64_t i = 0; i < groups.count(); ++i) {
        const JoinedGroups::Group group = groups.take();
        if (!group.problems.empty())
            return group.problems;
        if (Interruption::is_wanted())
            return {part_problem(name, "interrupted", "the same command starts again")};
        for (std::size_t k = 0; k < group.frames.size(); ++k)
            if (Problems problems = out.append(group.frames[k], group.statistics[k], std::nullopt);
                !problems.empty())
                return problems;
        done += std::int64_t(group.frames.size());
        progress.update(done - 1);
    }
    return out.finish(std::nullopt);
}

Problems join_all(const JoinOptions& options, const std::string& place, std::int64_t& count)
{
    const int threads = std::max(1, int(std::thread::hardware_concurrency()));
    const ThreadsScope reading(threads);
    Result<OrderedParts> parts = open_parts(options.parts);
    if (!parts)
        return parts.problems();
    const Recording& first = parts->recordings.front();
    const Result<ScriptReading> counted = read_whole(first, false);
    if (!counted)
        return counted.problems();
    const Scene& scene = counted->scene;
    RecordingInfo info = first.info();
    const PartPlan plan = plan_parts(scene, info.part_count);
    if (Problems problems = check_parts(parts->recordings, scene, plan); !problems.empty())
        return problems;
    count = info.frame_count;
    const JoinedShot shot{.scene = scene,
                          .plan = plan,
                          .files = parts->files,
                          .frame_count = count,
                          .error = info.error};
    if (counted->unmade)
        info.scene_fingerprint = find_fingerprint(first);
    info.part = info.part_count = 0;
    Result<Recording> out = Recording::create(place, scene, info);
    if (!out)
        return out.problems();
    JoinedGroups groups(shot, threads);
    return append(groups, *out, options.out);
}

/// Joins beside the recording, or on a disk of this machine, and puts the whole into its place;
/// what is not whole is removed.
Problems join_into_place(const JoinOptions& options, std::int64_t& count)
{
    std::error_code missing;
    if (fs::exists(options.out, missing) && !is_recording(options.out))
        return {part_problem(options.out, "is not a recording, and is not replaced",
                             "name another file with --out, or remove this one")};
    const Scratch scratch(options.out, "");
    const bool is_moved = scratch.path() != options.out;
    const std::string place = is_moved ? scratch.path() : options.out + ".joining";
    Problems problems = join_all(options, place, count);
    if (problems.empty() && is_moved)
        return scratch.bring_out();
    for (const char* ending : {"-wal", "-shm"}) // of one that it replaces
        if (problems.empty())
            fs::remove(options.out + ending, missing);
    if (problems.empty() && std::rename(place.c_str(), options.out.c_str()) != 0)
        problems = {part_problem(options.out, "cannot be put into its place",
                                 "may you write in its folder?")};
    if (!problems.empty())
        for (const char* ending : {"", "-wal", "-shm"})
            fs::remove(place + ending, missing);
    fs::remove(place + "-lock", missing);
    return problems;
}

} // namespace

int join(const JoinOptions& options)
{
    const Interruption interruption;
    std::int64_t count = 0;
    const Problems problems = join_into_place(options, count);
    print_problems(problems, options.colour);
    if (has_errors(problems))
        return Interruption::is_wanted() ? 3 : 1;
    if (options.json)
        print_json(
            {{"recording", options.out}, {"frames", count}, {"parts", options.parts.size()}});
    else if (!options.is_quiet)
        fmt::print("{}: {} of {}\n", options.out, count_of(count, "frame", "frames"),
                   count_of(std::int64_t(options.parts.size()), "part", "parts"));
    return 0;
}

} // namespace sinew::app
