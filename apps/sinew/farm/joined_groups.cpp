#include "farm/joined_groups.h"

#include "runner.h"

#include "sinew/part_objects.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

namespace sinew::app {

namespace {

constexpr int kMostOpen = 512; // files: every thread opens all parts, a process may have some 1,000

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
    whole.report.contact_error = std::max(whole.report.contact_error, part.report.contact_error);
    if (part.report.theta)
        whole.report.theta = std::max(whole.report.theta.value_or(0), *part.report.theta);
    whole.report.converged = whole.report.converged && part.report.converged;
    for (const Problem& warning : part.report.warnings)
        if (std::ranges::none_of(whole.report.warnings, [&](const Problem& known) {
                return known.code == warning.code && known.what == warning.what &&
                       to_string(known.place) == to_string(warning.place);
            })) // what is in every part warns in every part
            whole.report.warnings.push_back(warning);
    whole.energy.kinetic += part.energy.kinetic;
    whole.energy.potential += part.energy.potential;
    whole.elapsed_ms += part.elapsed_ms;
    whole.taking_ms += part.taking_ms;
}

/// One frame of every part, with their statistics together.
struct PartFrames {
    std::vector<Frame> frames;
    FrameStatistics sum = {};
    Problems problems = {};
};

PartFrames read_frames(const std::vector<Recording>& parts, std::int64_t index, int threads)
{
    PartFrames found{.frames = std::vector<Frame>(parts.size())};
    std::vector<Problems> problems(parts.size());
    std::atomic<std::size_t> next = 0;
    const auto read = [&] {
        for (std::size_t i = next++; i < parts.size(); i = next++) {
            Result<Frame> frame = parts[i].frame(index);
            problems[i] = frame.problems();
            if (frame)
                found.frames[i] = std::move(*frame);
        }
    };
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < std::min(parts.size(), std::size_t(threads)); ++i)
        others.emplace_back(read);
    read();
    others.clear();
    for (std::size_t i = 0; i < parts.size() && found.problems.empty(); ++i) {
        const Result<FrameStatistics> statistics = parts[i].statistics(index);
        found.problems = problems[i].empty() ? statistics.problems() : problems[i];
        if (!statistics)
            continue;
        if (i == 0) // bodies are in every part, and meet there in the same way
            found.sum.report.events = statistics->report.events;
        add(*statistics, found.sum);
    }
    return found;
}

} // namespace

JoinedGroups::JoinedGroups(const JoinedShot& shot, int threads)
    : shot_(shot), count_((shot.frame_count + FramePacker::kGroup - 1) / FramePacker::kGroup)
{
    for (int part = 1; part <= shot.plan.count; ++part)
        objects_.push_back(objects_of_part(shot.scene, shot.plan, part));
    const int most = std::max(1, kMostOpen / std::max(1, shot.plan.count));
    const int workers = int(std::clamp<std::int64_t>(count_, 1, std::min(most, threads)));
    threads_each_ = std::max(1, threads / workers);
    most_ = 2 * std::int64_t(workers);
    for (int i = 0; i < workers; ++i)
        workers_.emplace_back([this] { work(); });
}

JoinedGroups::~JoinedGroups()
{
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
    changed_.notify_all();
}

JoinedGroups::Group JoinedGroups::take()
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ready_.contains(taken_); });
    Group group = std::move(ready_.extract(taken_).mapped());
    ++taken_;
    changed_.notify_all();
    return group;
}

void JoinedGroups::work()
{
    Problems problems;
    std::vector<Recording> parts;
    for (const std::string& file : shot_.files) {
        Result<Recording> part = Recording::open(file);
        if (part)
            parts.push_back(std::move(*part));
        else
            problems = part.problems();
    }
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return is_ending_ || next_ < taken_ + most_; });
        if (is_ending_ || next_ == count_)
            return;
        const std::int64_t group = next_++;
        lock.unlock();
        Group joined = problems.empty() ? join(parts, group) : Group{.problems = problems};
        lock.lock();
        ready_.emplace(group, std::move(joined));
        changed_.notify_all();
    }
}

JoinedGroups::Group JoinedGroups::join(const std::vector<Recording>& parts,
                                       std::int64_t group) const
{
    const std::int64_t first = group * FramePacker::kGroup;
    const std::int64_t end = std::min(first + FramePacker::kGroup, shot_.frame_count);
    FramePacker packer(shot_.scene, shot_.error, first);
    Group joined;
    for (std::int64_t i = first; i < end && !Interruption::is_wanted(); ++i) {
        PartFrames read = read_frames(parts, i, threads_each_);
        if (!read.problems.empty())
            return {.problems = std::move(read.problems)};
        if (shares_motion(shot_.scene, shot_.plan)) // which each part counts
            read.sum.energy = {.kinetic = std::numeric_limits<double>::quiet_NaN(),
                               .potential = std::numeric_limits<double>::quiet_NaN()};
        const Frame frame = join_frames(shot_.scene, shot_.plan, objects_, read.frames);
        joined.frames.push_back(packer.pack(frame, threads_each_));
        joined.statistics.push_back(std::move(read.sum));
    }
    return joined;
}

} // namespace sinew::app
