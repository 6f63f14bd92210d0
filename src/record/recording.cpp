// The recording: opening, and writing one transaction a frame.
//
// In: frames with their statistics and, now and then, a snapshot. Out: one SQLite file.
//
// While it is written the file has a write-ahead log, so that others can read it; when the writer
// is done the log is folded in, and the file needs neither log nor a writable folder to be read. A
// transaction that has returned is with the operating system: no end of the program undoes it.
// Transactions with a snapshot wait for the disk as well. A power failure can cost the frames since
// then, which a resumed run computes again; to wait for the disk at each frame would cost some
// milliseconds a frame and win nothing.

#include "record/parts.h"

#include "base/contract.h"
#include "sinew/language.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace sinew {

using namespace record;

namespace {

constexpr std::size_t kMostDiagnostics = 1000; // of one run

// When SQLite waits until the disk has what was written: at every transaction, when the log is
// folded in, never.
constexpr const char *kWaitsForDisk = "PRAGMA synchronous = FULL",
                     *kWaitsForLog = "PRAGMA synchronous = NORMAL",
                     *kWaitsForNothing = "PRAGMA synchronous = OFF";

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point begin)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

std::string key_of(const Problem& problem)
{
    return problem.code + '\n' + to_string(problem.place) + '\n' + problem.what;
}

bool insert_frame(const Database& database, std::int64_t number, double time, const Bytes& block)
{
    return database.prepare("INSERT INTO frames VALUES (?, ?, ?)")
        .bind(1, number)
        .bind(2, time)
        .bind(3, block)
        .run();
}

bool insert_statistics(const Database& database, std::int64_t number, const FrameStatistics& s)
{
    Statement insert =
        database.prepare("INSERT INTO statistics VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                         "?, ?, ?, ?, ?)");
    if (s.report.theta)
        insert.bind(19, *s.report.theta);
    return insert.bind(1, number)
        .bind(2, s.report.steps)
        .bind(3, s.report.rejected)
        .bind(4, s.report.implicit_steps)
        .bind(5, s.report.rows)
        .bind(6, s.report.iterations)
        .bind(7, s.report.residual)
        .bind(8, s.report.converged ? 1 : 0)
        .bind(9, s.energy.kinetic)
        .bind(10, s.energy.potential)
        .bind(11, s.elapsed_ms)
        .bind(12, hash_text(s.state_hash))
        .bind(13, s.report.stages)
        .bind(14, s.report.solves)
        .bind(15, s.report.worst_solves)
        .bind(16, s.taking_ms)
        .bind(17, s.writing_ms)
        .bind(18, s.report.contact_error)
        .run();
}

/// Who met whom in a frame.
bool insert_events(const Database& database, std::int64_t frame,
                   const std::vector<ContactEvent>& events)
{
    if (events.empty())
        return true;
    Statement insert = database.prepare(
        "INSERT INTO contacts VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    bool is_ok = true;
    for (const ContactEvent& event : events)
        is_ok = is_ok && insert.bind(1, frame)
                             .bind(2, event.time)
                             .bind(3, kEventKinds[event.is_sensed ? 1 : 0])
                             .bind(4, std::int64_t(event.a.index))
                             .bind(5, std::int64_t(event.b.index))
                             .bind(6, event.place.x)
                             .bind(7, event.place.y)
                             .bind(8, event.place.z)
                             .bind(9, event.normal.x)
                             .bind(10, event.normal.y)
                             .bind(11, event.normal.z)
                             .bind(12, event.speed)
                             .bind(13, event.impulse)
                             .bind(14, event.slip)
                             .run();
    return is_ok;
}

bool insert_snapshot(const Database& database, std::int64_t number, const Bytes& block)
{
    return database.prepare("INSERT INTO snapshots VALUES (?, ?)")
        .bind(1, number)
        .bind(2, block)
        .run();
}

bool insert_input(const Database& database, std::int64_t number, const Input& input)
{
    return database.prepare("INSERT INTO inputs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .bind(1, number)
        .bind(2, input.frame)
        .bind(3, kInputKinds[static_cast<std::size_t>(input.kind)])
        .bind(4, input.name)
        .bind(5, input.target.x)
        .bind(6, input.target.y)
        .bind(7, input.target.z)
        .bind(8, input.value)
        .bind(9, input.point.x)
        .bind(10, input.point.y)
        .bind(11, input.point.z)
        .run();
}

} // namespace

namespace {

/// A snapshot of strands has every bit and is as large as some 18 frames of them: many strands have
/// one in 96 frames, so that snapshots are the smaller part of a recording.
int snapshot_interval_of(const Scene& scene)
{
    constexpr std::size_t kManySegments = 20'000;
    std::size_t segments = 0;
    for (const StrandCurve& curve : scene.strands)
        segments += curve.segments;
    return segments < kManySegments ? RecordingInfo{}.snapshot_interval : 96;
}

} // namespace

RecordingInfo make_recording_info(const Scene& scene, const std::string& script_name)
{
    // A run may be resumed to another end: the frames until then are the same.
    Scene endless = scene;
    endless.settings.end = 0;
    return {.script_name = script_name,
            .version = version(),
            .scene_fingerprint = fingerprint(endless),
            .frame_rate = scene.settings.frame_rate,
            .start = scene.settings.start,
            .end = scene.settings.end,
            .step = scene.settings.step,
            .snapshot_interval = snapshot_interval_of(scene)};
}

Recording::Recording(std::unique_ptr<Parts> parts) noexcept : parts_(std::move(parts)) {}
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;
Recording::~Recording() = default;

const RecordingInfo& Recording::info() const noexcept { return parts_->info; }

Recording::Parts::~Parts() { fold(); }

/// A run that was killed leaves its log: it is to be folded in, whatever else is done.
void Recording::Parts::find_log()
{
    Statement mode = database.prepare("PRAGMA journal_mode");
    is_writing = mode.next() && mode.text(0) == "wal";
}

/// Opens the log. Changes the file, so the first to write calls it. What changes is one number in
/// its first sector, which a disk writes wholly or not at all: nobody waits for that, here and in
/// `fold`, and either way the file is whole.
bool Recording::Parts::prepare_to_write()
{
    if (!is_writing) {
        database.run(kWaitsForNothing);
        Statement mode = database.prepare("PRAGMA journal_mode = WAL");
        is_writing = mode.next() && mode.text(0) == "wal";
    }
    return is_writing;
}

/// Folds the log into the file and does away with it. True when nothing but the file is needed.
bool Recording::Parts::fold()
{
    if (!is_writing)
        return true;
    // The log is with the disk before it is folded in, and the file before the log is emptied.
    const bool is_whole =
        database.run(kWaitsForLog) && database.whole("PRAGMA wal_checkpoint(TRUNCATE)", 1) == 0;
    // Refused while another program reads; the empty log left then harms nobody.
    if (is_whole && database.run(kWaitsForNothing) && database.run("PRAGMA journal_mode = DELETE"))
        is_writing = false;
    return is_whole;
}

/// Runs `write` in one transaction, wholly or not at all.
template <class Write>
Problems Recording::Parts::write_at_once(bool is_lasting, Write write)
{
    SINEW_EXPECTS(access == Recording::Access::write);
    const char* waiting = is_lasting ? kWaitsForDisk : kWaitsForLog;
    if (prepare_to_write() && database.run(waiting) && database.run("BEGIN IMMEDIATE") && write() &&
        database.run("COMMIT"))
        return {};
    const Problem problem = database.write_problem();
    database.roll_back();
    return {problem};
}

struct FramePacker::Parts {
    FrameLayout layout;
    FrameCoder coder;
    std::int64_t next;
};

FramePacker::FramePacker(const Scene& scene, double error, std::int64_t first)
{
    SINEW_EXPECTS(first % kGroup == 0);
    const FrameLayout layout = layout_of(scene);
    parts_ = std::make_unique<Parts>(layout, FrameCoder(layout, make_quanta(error)), first);
}

FramePacker::FramePacker(FramePacker&&) noexcept = default;
FramePacker& FramePacker::operator=(FramePacker&&) noexcept = default;
FramePacker::~FramePacker() = default;

PackedFrame FramePacker::pack(const Frame& frame, int threads)
{
    SINEW_EXPECTS(parts_->layout.fits(frame));
    const Clock::time_point begin = Clock::now();
    const std::int64_t number = parts_->next++;
    Bytes block = parts_->coder.pack(number, frame, threads);
    return {.number = number,
            .time = frame.time,
            .block = std::move(block),
            .packing_ms = ms_since(begin)};
}

namespace {

Problem other_scene(const std::string& name)
{
    return make_problem(name, "recording-other-scene", "the frame is not one of the recorded scene",
                        "start a new recording");
}

} // namespace

Problems Recording::append(const Frame& frame, const FrameStatistics& statistics,
                           const std::optional<std::vector<std::byte>>& snapshot)
{
    Parts& p = *parts_;
    if (!p.layout.fits(frame))
        return {other_scene(p.name)};
    const std::int64_t number = p.info.frame_count;
    if (Problems problems = p.make_ready(number, p.writer); !problems.empty())
        return problems;
    const Clock::time_point begin = Clock::now();
    Bytes block = p.writer.pack(number, frame, p.threads);
    return append(PackedFrame{.number = number,
                              .time = frame.time,
                              .block = std::move(block),
                              .packing_ms = ms_since(begin)},
                  statistics, snapshot);
}

Problems Recording::append(const PackedFrame& frame, const FrameStatistics& statistics,
                           const std::optional<std::vector<std::byte>>& snapshot)
{
    Parts& p = *parts_;
    SINEW_EXPECTS(frame.number == p.info.frame_count);
    if (snapshot && snapshot->size() > kLargestBlock)
        return {other_scene(p.name)};
    const Clock::time_point begin = Clock::now();
    const Bytes kept = snapshot ? pack_snapshot(*snapshot, p.threads) : Bytes{};
    Problems fresh;
    for (const Problem& warning : statistics.report.warnings)
        if (p.known.size() + fresh.size() < kMostDiagnostics && !p.known.contains(key_of(warning)))
            fresh.push_back(warning);
    FrameStatistics timed = statistics;
    timed.writing_ms = frame.packing_ms + ms_since(begin) + p.last_write_ms;
    const Clock::time_point packed = Clock::now();
    Problems problems = p.write_at_once(snapshot.has_value(), [&] {
        bool is_ok = insert_frame(p.database, frame.number, frame.time, frame.block) &&
                     insert_statistics(p.database, frame.number, timed) &&
                     insert_events(p.database, frame.number, timed.report.events);
        if (snapshot)
            is_ok = is_ok && insert_snapshot(p.database, frame.number, kept);
        for (const Problem& warning : fresh)
            is_ok = is_ok && add_diagnostic(p.database, frame.number, warning);
        return is_ok;
    });
    if (!problems.empty())
        return problems;
    p.last_write_ms = ms_since(packed);
    ++p.info.frame_count;
    for (const Problem& warning : fresh)
        p.known.insert(key_of(warning));
    return {};
}

void Recording::set_threads(int threads) { parts_->threads = threads; }

Problems Recording::set_inputs(const std::vector<Input>& inputs)
{
    Parts& p = *parts_;
    return p.write_at_once(true, [&] {
        bool is_ok = p.database.run("DELETE FROM inputs");
        for (std::size_t i = 0; i < inputs.size(); ++i)
            is_ok = is_ok && insert_input(p.database, std::int64_t(i), inputs[i]);
        return is_ok;
    });
}

Problems Recording::finish(const std::optional<Problem>& fault)
{
    Parts& p = *parts_;
    Problems problems = p.write_at_once(false, [&] { // folding waits for the disk
        return set_meta(p.database, "status", fault ? "stopped" : "complete") &&
               (!fault || add_diagnostic(p.database, p.info.frame_count, *fault)) &&
               set_checksum(p.database, Checked::while_running);
    });
    if (!problems.empty())
        return problems;
    p.info.is_complete = !fault;
    p.info.fault = fault;
    if (p.fold())
        return {};
    Problem kept = p.database.write_problem();
    kept.code = "recording-in-two-files";
    kept.severity = Severity::warning;
    kept.what = "part of it is still in " + p.name + "-wal: " + kept.what;
    kept.hint = "keep both files together; `sinew run --resume` makes one of them";
    return {kept};
}

Problems Recording::continue_after(std::int64_t last, double end)
{
    Parts& p = *parts_;
    SINEW_EXPECTS(last >= -1 && last < p.info.frame_count);
    // Damaged numbers too: none, negative ones.
    const auto drop = [&](const std::string& table, const std::string& frame) {
        return p.database
            .prepare(
                ("DELETE FROM " + table + " WHERE coalesce(" + frame + " BETWEEN 0 AND ?, 0) = 0")
                    .c_str())
            .bind(1, last)
            .run();
    };
    Problems problems = p.write_at_once(true, [&] {
        return drop("frames", "number") && drop("statistics", "frame") &&
               drop("snapshots", "frame") && drop("contacts", "frame") &&
               drop("diagnostics", "frame") &&
               p.database.run("DELETE FROM remarks WHERE diagnostic NOT IN "
                              "(SELECT number FROM diagnostics)") &&
               p.database.run("DELETE FROM meta WHERE key = 'checksum_of_run'") &&
               set_meta(p.database, "status", "running") && set_meta(p.database, "end", end);
    });
    if (!problems.empty())
        return problems;
    p.info.frame_count = last + 1;
    p.info.end = end;
    p.info.is_complete = false;
    p.info.fault.reset();
    p.reader = FrameCoder(p.layout, make_quanta(p.info.error)); // it may know what was dropped
    return p.remember_diagnostics();
}

Problems Recording::Parts::remember_diagnostics()
{
    known.clear();
    const Result<std::vector<Diagnostic>> old =
        read_diagnostics(database, 0, std::numeric_limits<std::int64_t>::max());
    if (!old)
        return old.problems();
    for (const Diagnostic& diagnostic : *old)
        known.insert(key_of(diagnostic.problem));
    return {};
}

} // namespace sinew
