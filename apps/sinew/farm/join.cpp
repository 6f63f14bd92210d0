// `sinew join`: one recording of the parts of a shot, frame by frame.

#include "commands.h"
#include "printing.h"
#include "progress.h"
#include "runner.h"

#include "sinew/language.h"
#include "sinew/parts.h"
#include "sinew/record.h"
#include "sinew/session.h"

#include <fmt/core.h>

#include <algorithm>

namespace sinew::app {

namespace {

Problem part_problem(const std::string& file, const std::string& what, const std::string& hint)
{
    return {.code = "join-parts", .place = {.file = file}, .what = what, .hint = hint};
}

/// The recordings by their numbers, or everything that keeps them from being joined.
Result<std::vector<Recording>> open_parts(const std::vector<std::string>& files)
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
    std::vector<Recording> parts;
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
        parts.push_back(std::move(recording));
    }
    if (!problems.empty())
        return problems;
    return parts;
}

Result<Scene> read_whole(const Recording& part)
{
    const Result<Take> take = take_of(part);
    if (!take)
        return take.problems();
    const Result<SessionOptions> options = options_of(part, {});
    if (!options)
        return options.problems();
    ScriptReading reading = read_script(
        take->name, take->script, options->read_file,
        {.parameters = take->parameters, .frame_rate = options->frame_rate, .check_start = false});
    if (!reading.is_sound())
        return reading.problems;
    return std::move(reading.scene);
}

void add(const FrameStatistics& part, FrameStatistics& whole)
{
    whole.report.steps += part.report.steps;
    whole.report.rejected += part.report.rejected;
    whole.report.implicit_steps += part.report.implicit_steps;
    whole.report.rows = std::max(whole.report.rows, part.report.rows);
    whole.report.iterations += part.report.iterations;
    whole.report.stages += part.report.stages;
    whole.report.solves += part.report.solves;
    whole.report.worst_solves = std::max(whole.report.worst_solves, part.report.worst_solves);
    whole.report.residual = std::max(whole.report.residual, part.report.residual);
    whole.report.converged = whole.report.converged && part.report.converged;
    whole.report.warnings.insert(whole.report.warnings.end(), part.report.warnings.begin(),
                                 part.report.warnings.end());
    whole.energy.kinetic += part.energy.kinetic;
    whole.energy.potential += part.energy.potential;
    whole.elapsed_ms += part.elapsed_ms;
    whole.taking_ms += part.taking_ms;
}

Problems join_frame(const Scene& scene, const PartPlan& plan, std::int64_t index,
                    const std::vector<Recording>& parts, Recording& out)
{
    std::vector<Frame> frames;
    FrameStatistics sum;
    for (const Recording& part : parts) {
        Result<Frame> frame = part.frame(index);
        const Result<FrameStatistics> statistics = part.statistics(index);
        if (!frame || !statistics)
            return frame ? statistics.problems() : frame.problems();
        frames.push_back(std::move(*frame));
        add(*statistics, sum);
    }
    return out.append(join_frames(scene, plan, frames), sum, std::nullopt);
}

Problems join_all(const JoinOptions& options, std::int64_t& count)
{
    const Result<std::vector<Recording>> parts = open_parts(options.parts);
    if (!parts)
        return parts.problems();
    Result<Scene> scene = read_whole(parts->front());
    if (!scene)
        return scene.problems();
    RecordingInfo info = parts->front().info();
    scene->settings.end = info.end;
    scene->settings.step = info.step;
    const PartPlan plan = plan_parts(*scene, info.part_count);
    for (int part = 1; part <= plan.count; ++part)
        if (Problems problems = (*parts)[std::size_t(part) - 1].check_part(*scene, plan, part);
            !problems.empty())
            return problems;
    info.part = info.part_count = 0;
    Result<Recording> out = Recording::create(options.out, *scene, info);
    if (!out)
        return out.problems();
    count = info.frame_count;
    Progress progress(0, count - 1);
    for (std::int64_t i = 0; i < count; ++i) {
        if (Problems problems = join_frame(*scene, plan, i, *parts, *out); !problems.empty())
            return problems;
        progress.update(i);
        if (Interruption::is_wanted())
            return {part_problem(options.out, "interrupted: it is not complete",
                                 "the same command starts again")};
    }
    return out->finish(std::nullopt);
}

} // namespace

int join(const JoinOptions& options)
{
    const Interruption interruption;
    std::int64_t count = 0;
    const Problems problems = join_all(options, count);
    print_problems(problems, options.colour);
    if (has_errors(problems))
        return Interruption::is_wanted() ? 3 : 1;
    if (!options.is_quiet)
        fmt::print("{}: {} of {}\n", options.out, count_of(count, "frame", "frames"),
                   count_of(std::int64_t(options.parts.size()), "part", "parts"));
    return 0;
}

} // namespace sinew::app
