#include "runner.h"

#include <fmt/core.h>

#include <cmath>
#include <csignal>
#include <unistd.h>
#include <utility>

namespace sinew::app {

namespace {

constexpr std::chrono::seconds kLongestLoss{15}; // of work, when the program is killed
constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

std::atomic<bool> is_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free); // a signal's handler sets it

double ms_since(std::chrono::steady_clock::time_point begin)
{
    const auto elapsed = std::chrono::steady_clock::now() - begin;
    return std::chrono::duration<double, std::milli>(elapsed).count();
}

/// The first asks; the second, of whatever kind, ends the program as if nobody listened.
void interrupt(int signal)
{
    constexpr char kWords[] = "\nending; once more ends at once\n";
    if (is_interrupted.exchange(true)) {
        std::signal(signal, SIG_DFL);
        raise(signal); // comes when this returns
        return;
    }
    if (isatty(STDERR_FILENO) && write(STDERR_FILENO, kWords, sizeof kWords - 1) < 0)
        return;
}

} // namespace

std::optional<Schedule> make_schedule(const Settings& settings)
{
    constexpr double kMostFrames = 1e9;
    const double frames = (settings.end - settings.start) * settings.frame_rate;
    if (!(frames >= 0 && frames < kMostFrames))
        return std::nullopt;
    // 0.1 s at 30 frames a second is 3 frames, though 0.1 × 30 need not be 3.
    const double nearest = std::round(frames);
    const bool is_on_frame = std::abs(frames - nearest) <= 1e-9 * std::max(1.0, frames);
    return Schedule{.start = settings.start,
                    .frame_rate = settings.frame_rate,
                    .last = static_cast<std::int64_t>(is_on_frame ? nearest : std::floor(frames))};
}

Interruption::Interruption() : listening_(&is_interrupted)
{
    is_interrupted = false;
    struct sigaction action {};
    action.sa_handler = interrupt;
    for (const int signal : kSignals) {
        struct sigaction old {};
        sigaction(signal, nullptr, &old);
        if (old.sa_handler != SIG_IGN) // as nohup wants it
            sigaction(signal, &action, nullptr);
    }
    // A limit of the size of files is told by the call that writes.
    std::signal(SIGXFSZ, SIG_IGN);
}

Interruption::~Interruption()
{
    for (const int signal : kSignals) {
        struct sigaction old {};
        sigaction(signal, nullptr, &old);
        if (old.sa_handler == interrupt)
            std::signal(signal, SIG_DFL);
    }
}

bool Interruption::is_wanted() { return is_interrupted; }

Runner::Runner(World& world, Recording& recording, std::string name, const Schedule& schedule)
    : world_(world), recording_(recording), name_(std::move(name)), schedule_(schedule),
      recorded_(recording.info().frame_count), end_(world.scene().settings.end),
      snapshot_interval_(recording.info().snapshot_interval), writer_(recording),
      watch_(world.scene())
{
}

Problem Runner::differs(std::int64_t index) const
{
    return {.code = "resume-differs",
            .place = {.file = name_},
            .what = fmt::format("frame {} comes out differently than it was recorded", index),
            .hint = "another machine or other libraries made the recording: start again without "
                    "--resume"};
}

Problems Runner::rewind()
{
    const std::optional<Recording::Snapshot> snapshot = recording_.find_snapshot(recorded_ - 1);
    if (!snapshot || !world_.restore(snapshot->bytes))
        return {}; // from the start, then
    const Result<FrameStatistics> statistics = recording_.statistics(snapshot->frame);
    if (!statistics)
        return statistics.problems();
    if (statistics->state_hash != world_.state_hash())
        return {differs(snapshot->frame)};
    first_ = snapshot->frame + 1;
    if (const auto events = recording_.contact_events(); events && !events->empty())
        watch_.note_touch();
    for (std::int64_t i = 0; i < first_ && watch_.is_on(); ++i)
        if (const Result<FrameStatistics> before = recording_.statistics(i))
            watch_.look(schedule_.time(i), before->energy);
    return {};
}

Outcome Runner::run()
{
    Outcome outcome = make_frames();
    const Problems late = writer_.drain(); // of frames that waited while the last ones were made
    if (!has_errors(outcome.problems))
        outcome.problems.insert(outcome.problems.end(), late.begin(), late.end());
    if (has_errors(outcome.problems) || outcome.is_interrupted)
        return outcome;
    outcome.problems = continue_recording();
    if (outcome.problems.empty())
        outcome.problems = recording_.finish(outcome.fault);
    return outcome;
}

Outcome Runner::make_frames()
{
    Progress progress(first_, schedule_.last);
    for (std::int64_t i = first_; i <= schedule_.last; ++i) {
        const Clock::time_point begin = Clock::now();
        FrameStatistics statistics;
        if (i == 0)
            statistics.report.warnings = world_.start_notes();
        else
            statistics.report = world_.advance(schedule_.time(i));
        if (is_stopped(statistics.report.fault))
            return {.is_interrupted = true};
        if (std::optional<Problem> fault = std::exchange(statistics.report.fault, std::nullopt)) {
            if (i < recorded_)
                return {.problems = {differs(i)}};
            return {.fault = fault};
        }
        statistics.elapsed_ms = ms_since(begin);
        if (const Problems problems = take(i, std::move(statistics)); !problems.empty())
            return {.problems = problems};
        progress.update(i);
        if (Interruption::is_wanted() && i < schedule_.last)
            return {.is_interrupted = true};
    }
    return {};
}

/// Looks at the world and hands over what it sees, or compares it with what was recorded.
Problems Runner::take(std::int64_t index, FrameStatistics statistics)
{
    const Clock::time_point begin = Clock::now();
    FrameWriter::Item item{.frame = world_.frame()};
    statistics.energy = world_.energy();
    if (watch_.is_on() && (!statistics.report.events.empty() || !world_.contacts().empty()))
        watch_.note_touch();
    if (std::optional<Problem> drift = watch_.look(schedule_.time(index), statistics.energy)) {
        drift->place.file = name_;
        statistics.report.warnings.push_back(std::move(*drift));
    }
    statistics.state_hash = world_.state_hash();
    if (index < recorded_)
        return compare(index, item.frame, statistics.state_hash);
    if (Problems problems = continue_recording(); !problems.empty())
        return problems;
    if (needs_snapshot(index)) {
        item.snapshot = world_.snapshot();
        snapshot_time_ = Clock::now();
    }
    statistics.taking_ms = ms_since(begin);
    item.statistics = std::move(statistics);
    return writer_.push(std::move(item));
}

Problems Runner::compare(std::int64_t index, const Frame& frame, std::uint64_t state_hash) const
{
    const Result<FrameStatistics> statistics = recording_.statistics(index);
    if (!statistics)
        return statistics.problems();
    const Result<Frame> recorded = recording_.frame(index);
    if (!recorded)
        return recorded.problems();
    if (statistics->state_hash != state_hash || !(*recorded == recording_.as_recorded(frame)))
        return {differs(index)};
    return {};
}

/// Before the first change: until then an old recording stays as it was.
Problems Runner::continue_recording()
{
    if (std::exchange(is_continued_, true))
        return {};
    return recording_.continue_after(recorded_ - 1, end_);
}

bool Runner::needs_snapshot(std::int64_t index) const
{
    // None at the start: the script tells what it is.
    return index == schedule_.last || (index > 0 && index % snapshot_interval_ == 0) ||
           Interruption::is_wanted() || Clock::now() - snapshot_time_ > kLongestLoss;
}

} // namespace sinew::app
