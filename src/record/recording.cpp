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
    return database
        .prepare("INSERT INTO statistics VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                 "?, ?)")
        .bind(1, number)
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
        .run();
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
            .step = scene.settings.step};
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

/// Opens the log. Changes the file, so the first to write calls it.
bool Recording::Parts::prepare_to_write()
{
    if (!is_writing) {
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
    const bool is_whole = database.whole("PRAGMA wal_checkpoint(TRUNCATE)", 1) == 0;
    // Refused while another program reads; the empty log left then harms nobody.
    if (is_whole && database.run("PRAGMA journal_mode = DELETE"))
        is_writing = false;
    return is_whole;
}

/// Runs `write` in one transaction, wholly or not at all.
template <class Write>
Problems Recording::Parts::write_at_once(bool is_lasting, Write write)
{
    SINEW_EXPECTS(access == Recording::Access::write);
    const char* waiting = is_lasting ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL";
    if (prepare_to_write() && database.run(waiting) && database.run("BEGIN IMMEDIATE") && write() &&
        database.run("COMMIT"))
        return {};
    const Problem problem = database.write_problem();
    database.roll_back();
    return {problem};
}

Problems Recording::append(const Frame& frame, const FrameStatistics& statistics,
                           const std::optional<std::vector<std::byte>>& snapshot)
{
    Parts& p = *parts_;
    if (!p.layout.fits(frame) || (snapshot && snapshot->size() > kLargestBlock))
        return {make_problem(p.name, "recording-other-scene",
                             "the frame is not one of the recorded scene",
                             "start a new recording")};
    const std::int64_t number = p.info.frame_count;
    if (Problems problems = p.make_ready(number, p.writer); !problems.empty())
        return problems;
    const Clock::time_point begin = Clock::now();
    const Bytes block = p.writer.pack(number, frame, p.threads);
    const Bytes kept = snapshot ? pack_bytes(*snapshot, p.threads) : Bytes{};
    Problems fresh;
    for (const Problem& warning : statistics.report.warnings)
        if (p.known.size() + fresh.size() < kMostDiagnostics && !p.known.contains(key_of(warning)))
            fresh.push_back(warning);
    FrameStatistics timed = statistics;
    timed.writing_ms = ms_since(begin) + p.last_write_ms;
    const Clock::time_point packed = Clock::now();
    Problems problems = p.write_at_once(snapshot.has_value(), [&] {
        bool is_ok = insert_frame(p.database, number, frame.time, block) &&
                     insert_statistics(p.database, number, timed);
        if (snapshot)
            is_ok = is_ok && insert_snapshot(p.database, number, kept);
        for (const Problem& warning : fresh)
            is_ok = is_ok && add_diagnostic(p.database, number, warning);
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
    Problems problems = p.write_at_once(true, [&] {
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
    const auto drop = [&](const char* sql) { return p.database.prepare(sql).bind(1, last).run(); };
    Problems problems = p.write_at_once(true, [&] {
        return drop("DELETE FROM frames WHERE number > ?") &&
               drop("DELETE FROM statistics WHERE frame > ?") &&
               drop("DELETE FROM snapshots WHERE frame > ?") &&
               drop("DELETE FROM remarks WHERE diagnostic IN "
                    "(SELECT number FROM diagnostics WHERE frame > ?)") &&
               drop("DELETE FROM diagnostics WHERE frame > ?") &&
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
