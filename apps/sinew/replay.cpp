// `sinew run FILE.sinew`: does again what a recording holds, the hands and sliders of a session
// included, and says whether it comes out the same.

#include "replay.h"

#include "imports.h"
#include "printing.h"
#include "progress.h"
#include "runner.h"
#include "table.h"

#include "sinew/session.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <string_view>
#include <thread>

namespace sinew::app {

namespace {

namespace fs = std::filesystem;

Result<Session> open_again(const Recording& recording, const RunOptions& options)
{
    const int processors = std::max(1, int(std::thread::hardware_concurrency()));
    SessionOptions wanted;
    wanted.threads = options.threads > 0 ? options.threads : processors;
    wanted.bind_imports =
        [&options](const Scene& scene) -> Result<std::map<std::string, ImportFunction>> {
        Result<BoundImports> bound = bind_imports(scene, options.imports);
        if (!bound)
            return bound.problems();
        return std::move(bound->functions);
    };
    Result<Take> take = take_of(recording);
    if (!take)
        return take.problems();
    Result<SessionOptions> own = options_of(recording, std::move(wanted));
    if (!own)
        return own.problems();
    // As much as it holds: its end is a claim.
    const RecordingInfo& info = recording.info();
    own->seconds = std::min(*own->seconds, double(std::max<std::int64_t>(info.frame_count - 1, 1)) /
                                               info.frame_rate);
    return Session::open(std::move(*take), std::move(*own));
}

/// The first frame that comes out otherwise than recorded; −1: none. Simulates on the way.
std::int64_t find_difference(Session& session, const Recording& recording)
{
    Progress progress(0, session.frame_count() - 1);
    for (std::int64_t i = 0; session.valid_count() > i || session.advance(); ++i) {
        progress.update(i);
        if (Interruption::is_wanted())
            break;
        const std::shared_ptr<const Shot> shot = session.shot(i);
        if (i >= recording.info().frame_count)
            continue;
        const Result<FrameStatistics> old = recording.statistics(i);
        const Result<Frame> frame = recording.frame(i);
        const auto is_other = [&](std::uint64_t hash) {
            return hash != 0 && hash != shot->statistics.state_hash;
        };
        if (!shot || !old || !frame || is_other(old->state_hash) ||
            !(*frame == recording.as_recorded(shot->frame)))
            return i;
    }
    return -1;
}

bool has_other_wishes(const RunOptions& options)
{
    return options.resume || options.seconds || options.fps || options.step ||
           !options.parameters.empty();
}

int write_out(Session& session, const RunOptions& options)
{
    const std::string out = options.out.empty()
                                ? fs::path(options.script).stem().string() + "-again.sinew"
                                : options.out;
    Problems problems = session.write_recording(out);
    if (problems.empty() && !options.table.empty()) {
        Result<Table> table = Table::open(options.table);
        Result<Recording> made = Recording::open(out);
        problems = !table ? table.problems()
                   : made ? table->write(session.scene(), *made)
                          : made.problems();
    }
    print_problems(problems, options.colour);
    if (!has_errors(problems))
        fmt::print("{}: {}\n", out, count_of(session.valid_count(), "frame", "frames"));
    return has_errors(problems) ? 1 : 0;
}

} // namespace

bool is_recording(const std::string& path)
{
    constexpr std::string_view kMark = "SQLite format 3";
    std::string begin(kMark.size(), ' ');
    std::ifstream file(path, std::ios::binary);
    return file.read(begin.data(), std::streamsize(begin.size())) && begin == kMark;
}

int replay(const RunOptions& options)
{
    std::error_code missing;
    if (has_other_wishes(options) ||
        (!options.out.empty() && fs::equivalent(options.out, options.script, missing))) {
        fmt::print(stderr,
                   "{} is a recording: it is done again as it was made, into another file\n"
                   "      hint: run the script instead to change parameters, rate or length\n",
                   options.script);
        return 2;
    }
    const Interruption interruption;
    const Result<Recording> recording = Recording::open(options.script);
    if (!recording) {
        print_problems(recording.problems(), options.colour);
        return 1;
    }
    if (const RecordingInfo& info = recording->info(); info.part_count > 0) {
        fmt::print(stderr,
                   "{} is part {} of {} of a shot: it is not done again by itself\n"
                   "      hint: run its script with --part {}/{}, or `sinew join` all parts\n",
                   options.script, info.part, info.part_count, info.part, info.part_count);
        return 1;
    }
    Result<Session> session = open_again(*recording, options);
    if (!session) {
        print_refusal(options.script, session.problems(), options.colour);
        return 1;
    }
    const std::int64_t difference = find_difference(*session, *recording);
    if (Interruption::is_wanted())
        return 3;
    if (const int status = write_out(*session, options); status != 0)
        return status;
    if (difference >= 0)
        fmt::print("frame {} comes out differently than it was recorded: another machine, or other "
                   "libraries, made the recording\n",
                   difference);
    else
        fmt::print("the same bits as {}\n", options.script);
    if (session->fault())
        print_problems({*session->fault()}, options.colour);
    return session->fault() ? 3 : difference >= 0 ? 1 : 0;
}

} // namespace sinew::app
