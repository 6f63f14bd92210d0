// Files that are no recordings, or were. Whatever they hold: a value or a problem, never a crash,
// never a wrong frame.

#include "unit/record/scratch.h"

#include "sinew/language.h"

#include <sqlite3.h>

#include <climits>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr int kFrames = 30;

void run_sql(const std::string& path, const std::string& sql)
{
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
    sqlite3_db_config(database, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, nullptr);
    char* fault = nullptr;
    sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &fault);
    REQUIRE_MESSAGE(fault == nullptr, fault);
    sqlite3_close(database);
}

std::string open_problem(const std::string& path)
{
    return first_problem(Recording::open(path).problems());
}

/// Reads all there is. True when every frame came back.
bool read_all(const std::string& path)
{
    const Result<Recording> recording = Recording::open(path);
    if (!recording) {
        CHECK(!problems_text(recording.problems(), false).empty());
        return false;
    }
    int good = 0;
    for (int i = 0; i < kFrames; ++i) {
        const Result<Frame> frame = recording->frame(i);
        if (frame)
            CHECK(is_same(*frame, frame_at(i)));
        good += frame ? 1 : 0;
        (void)recording->statistics(i);
    }
    (void)recording->scripts();
    (void)recording->object_names();
    (void)recording->find_snapshot(kFrames);
    if (const auto diagnostics = recording->diagnostics())
        for (const Diagnostic& diagnostic : *diagnostics)
            CHECK(!problems_text({diagnostic.problem}, false).empty());
    return good == kFrames;
}

/// Goes on in it, as `sinew run --resume` would.
void go_on(const std::string& path)
{
    Result<Recording> recording = Recording::open(path, Recording::Access::write);
    if (!recording || recording->info().frame_count < 1)
        return;
    if (!recording->continue_after(recording->info().frame_count - 1, 20).empty())
        return;
    (void)recording->append(frame_at(1), statistics_at(1), snapshot_at(1));
    (void)recording->finish(std::nullopt);
}

} // namespace

TEST_CASE("a file that is no recording is named as what it is")
{
    const Scratch scratch;
    CHECK(open_problem(scratch.path()) == "recording-missing: there is no such file");
    CHECK(open_problem(scratch.path("no/where.sinew")) ==
          "recording-missing: there is no such file");
    CHECK(open_problem(scratch.folder.string()) ==
          "recording-other-file: is a folder, no recording");
    CHECK(open_problem("/dev/zero") ==
          "recording-other-file: is not a plain file, so it is not a recording");
    write_file(scratch.path(), std::string(5000, 'x'));
    CHECK(open_problem(scratch.path()) == "recording-other-file: is not a recording");
    write_file(scratch.path(), "dynamic theta;\n");
    CHECK(open_problem(scratch.path()) == "recording-other-file: is not a recording");
    write_file(scratch.path(), "");
    CHECK(open_problem(scratch.path()).starts_with("recording-other-file: "));
    run_sql(scratch.path("other.db"), "CREATE TABLE frames (number, time, block)");
    CHECK(open_problem(scratch.path("other.db")) ==
          "recording-other-file: is an SQLite file of another program, no recording");
}

TEST_CASE("a recording of the format before strands is read as it was")
{
    const Scratch scratch;
    record_frames(scratch.path(), 3);
    run_sql(
        scratch.path(),
        "DROP TABLE strands; DROP TABLE constraints; PRAGMA user_version = 2; ALTER TABLE "
        "statistics RENAME TO s;"
        "CREATE TABLE statistics (frame INTEGER PRIMARY KEY, steps INTEGER, rejected INTEGER, "
        "implicit_steps INTEGER, rows INTEGER, iterations INTEGER, residual REAL, converged "
        "INTEGER, kinetic REAL, potential REAL, elapsed_ms REAL, state_hash TEXT);"
        "INSERT INTO statistics SELECT frame, steps, rejected, implicit_steps, rows, iterations, "
        "residual, converged, kinetic, potential, elapsed_ms, state_hash FROM s; DROP TABLE s;"
        "DROP TABLE inputs; CREATE TABLE inputs (number INTEGER PRIMARY KEY, frame INTEGER, kind "
        "TEXT, name TEXT, x REAL, y REAL, z REAL, value REAL);"
        "INSERT INTO inputs VALUES (0, 1, 'release', '', 0, 0, 0, 0)");

    const Result<Recording> recording = Recording::open(scratch.path());

    REQUIRE_MESSAGE(recording, first_problem(recording.problems()));
    CHECK(is_same(*recording->frame(2), frame_at(2)));
    CHECK(recording->statistics(2)->report.steps == statistics_at(2).report.steps);
    CHECK(recording->inputs()->size() == 1);
    CHECK(!Recording::open(scratch.path(), Recording::Access::write));
}

namespace {

/// The table of strands as formats 3 to 6 had it; without strands.
constexpr const char* kOldStrands =
    "DROP TABLE strands; CREATE TABLE strands (number INTEGER PRIMARY KEY, name TEXT, object "
    "INTEGER, first_node INTEGER, node_count INTEGER);";

/// The table of statistics as formats 3 and 4 had it.
constexpr const char* kOldStatistics =
    "ALTER TABLE statistics RENAME TO s;"
    "CREATE TABLE statistics (frame INTEGER PRIMARY KEY, steps INTEGER, rejected INTEGER, "
    "implicit_steps INTEGER, rows INTEGER, iterations INTEGER, residual REAL, converged INTEGER, "
    "kinetic REAL, potential REAL, elapsed_ms REAL, state_hash TEXT, stages INTEGER, "
    "solves INTEGER, worst_solves INTEGER);"
    "INSERT INTO statistics SELECT frame, steps, rejected, implicit_steps, rows, iterations, "
    "residual, converged, kinetic, potential, elapsed_ms, state_hash, stages, solves, "
    "worst_solves FROM s; DROP TABLE s;";

} // namespace

TEST_CASE("a recording of the format before rounded frames is read to the last bit")
{
    const Scratch scratch;
    record_frames(scratch.path(), 15);
    run_sql(scratch.path(), std::string(kOldStatistics) + kOldStrands +
                                "DELETE FROM meta WHERE key IN ('error', 'making_ms', 'checksum', "
                                "'checksum_of_run'); PRAGMA user_version = 4");

    const Result<Recording> recording = Recording::open(scratch.path());

    REQUIRE_MESSAGE(recording, first_problem(recording.problems()));
    CHECK(recording->info().error == 0);
    for (const int i : {14, 3})
        CHECK(is_same(*recording->frame(i), frame_at(i)));
    CHECK(recording->statistics(3)->state_hash == statistics_at(3).state_hash);
    CHECK(first_problem(Recording::open(scratch.path(), Recording::Access::write).problems()) ==
          "recording-version: is a recording of format 4: it can be read, but not continued");
}

TEST_CASE("a recording of the format before contacts is read without them")
{
    const Scratch scratch;
    record_frames(scratch.path(), 3);
    run_sql(
        scratch.path(),
        std::string(kOldStrands) +
            "ALTER TABLE statistics RENAME TO s;"
            "CREATE TABLE statistics (frame INTEGER PRIMARY KEY, steps INTEGER, rejected INTEGER, "
            "implicit_steps INTEGER, rows INTEGER, iterations INTEGER, residual REAL, converged "
            "INTEGER, kinetic REAL, potential REAL, elapsed_ms REAL, state_hash TEXT, stages "
            "INTEGER, solves INTEGER, worst_solves INTEGER, taking_ms REAL, writing_ms REAL);"
            "INSERT INTO statistics SELECT frame, steps, rejected, implicit_steps, rows, "
            "iterations, residual, converged, kinetic, potential, elapsed_ms, state_hash, stages, "
            "solves, worst_solves, taking_ms, writing_ms FROM s; DROP TABLE s; DROP TABLE "
            "contacts; DELETE FROM meta WHERE key = 'checksum_of_run'; PRAGMA user_version = 5");

    const Result<Recording> recording = Recording::open(scratch.path());

    REQUIRE_MESSAGE(recording, first_problem(recording.problems()));
    CHECK(recording->contact_events()->empty());
    CHECK_FALSE(recording->statistics(2)->report.theta);
    CHECK(recording->statistics(2)->report.contact_error == 0);
}

TEST_CASE("errors of laws and who met whom are read as they were written")
{
    const Scratch scratch;
    FrameStatistics statistics = statistics_at(0);
    statistics.report.contact_error = 0.25;
    statistics.report.theta = 0.125;
    const ContactEvent event{.time = 0.5,
                             .a = ObjectId{1},
                             .b = ObjectId{0},
                             .place = {1, 2, 3},
                             .normal = {0, 1, 0},
                             .speed = 4,
                             .impulse = 5,
                             .slip = 6,
                             .is_sensed = true};
    statistics.report.events = {event};
    {
        const Scene scene = small_scene();
        Result<Recording> made =
            Recording::create(scratch.path(), scene, make_recording_info(scene, "a.charli"));
        REQUIRE(made);
        REQUIRE(made->append(frame_at(0), statistics, {}).empty());
        REQUIRE(made->finish({}).empty());
    }
    const Result<Recording> recording = Recording::open(scratch.path());
    REQUIRE(recording);
    CHECK(*recording->contact_events() == std::vector{event});
    CHECK(recording->statistics(0)->report.contact_error == 0.25);
    CHECK(recording->statistics(0)->report.theta == 0.125);
    CHECK(recording->check(true).empty());
    run_sql(scratch.path(), "UPDATE contacts SET impulse = 7");
    CHECK_FALSE(Recording::open(scratch.path())->check(true).empty());
}

TEST_CASE("a recording of the format before loads is read without them")
{
    const Scratch scratch;
    record_frames(scratch.path(), 3);
    run_sql(scratch.path(), std::string(kOldStatistics) + kOldStrands +
                                "DROP TABLE constraints; PRAGMA user_version = 3");

    const Result<Recording> recording = Recording::open(scratch.path());

    REQUIRE_MESSAGE(recording, first_problem(recording.problems()));
    CHECK(is_same(*recording->frame(2), frame_at(2)));
    CHECK(recording->frame(2)->loads.empty());
    CHECK(first_problem(Recording::open(scratch.path(), Recording::Access::write).problems()) ==
          "recording-version: is a recording of format 3: it can be read, but not continued");
}

TEST_CASE("a recording of the format before sections is read without them")
{
    const Scratch scratch;
    record_frames(scratch.path(), 3);
    run_sql(scratch.path(), std::string(kOldStrands) + "PRAGMA user_version = 6");

    const Result<Recording> recording = Recording::open(scratch.path());

    REQUIRE_MESSAGE(recording, first_problem(recording.problems()));
    CHECK(is_same(*recording->frame(2), frame_at(2)));
    CHECK(recording->frame(2)->sections.empty());
}

TEST_CASE("a recording that says its strands are larger than anything is refused")
{
    for (const char* count : {"-1", "0", "1", "9000000000000000000"}) {
        const Scratch scratch;
        record_frames(scratch.path(), 1);
        run_sql(scratch.path(),
                std::string("INSERT INTO strands VALUES (0, 'a', 0, 0, ") + count + ", 0)");
        CHECK(!Recording::open(scratch.path()));
    }
}

TEST_CASE("a recording of another format is named with both formats")
{
    const Scratch scratch;
    record_frames(scratch.path(), 2);
    run_sql(scratch.path(), "PRAGMA user_version = 8");
    const Result<Recording> newer = Recording::open(scratch.path());
    CHECK(first_problem(newer.problems()) == "recording-version: is a recording of format 8; this "
                                             "version of Sinew reads format 7");
    CHECK(newer.problems()[0].hint == "a newer version of Sinew made it: use that");
}

TEST_CASE("what is no recording is not replaced by one")
{
    const Scratch scratch;
    const Scene scene = small_scene();
    write_file(scratch.path("work.charli"), "def bob mass(1); end;\n");
    run_sql(scratch.path("other.db"), "CREATE TABLE precious (things)");
    for (const char* name : {"work.charli", "other.db"}) {
        const std::string before = read_file(scratch.path(name));
        const Result<Recording> made =
            Recording::create(scratch.path(name), scene, small_info(scene));
        CHECK(first_problem(made.problems()) ==
              "recording-other-file: is not a recording, and is not replaced");
        CHECK(read_file(scratch.path(name)) == before);
    }
    CHECK(scratch.files() == std::vector<std::string>{"other.db", "work.charli"});
    write_file(scratch.path("empty"), "");
    CHECK(Recording::create(scratch.path("empty"), scene, small_info(scene)));
}

TEST_CASE("a recording with a foreign table, trigger or view is not trusted")
{
    const Scratch scratch;
    record_frames(scratch.path("a"), 3);
    run_sql(scratch.path("a"), "ALTER TABLE frames RENAME TO hidden;"
                               "CREATE VIEW frames AS SELECT * FROM hidden");
    CHECK(open_problem(scratch.path("a")) ==
          "recording-damaged: is damaged: its table 'frames' is not as it should be");

    record_frames(scratch.path("b"), 3);
    run_sql(scratch.path("b"), "CREATE TRIGGER t AFTER INSERT ON frames "
                               "BEGIN DELETE FROM frames WHERE number = 0; END");
    go_on(scratch.path("b"));
    CHECK(Recording::open(scratch.path("b"))->frame(0));
}

TEST_CASE("claims in a recording are not believed")
{
    const Scratch scratch;
    const std::vector<std::string> claims = {
        "UPDATE meta SET value = 'soon' WHERE key = 'frame_rate'",
        "UPDATE meta SET value = -1 WHERE key = 'frame_rate'",
        "UPDATE meta SET value = 9e999 WHERE key = 'end'",
        "UPDATE meta SET value = -5 WHERE key = 'end'",
        "UPDATE meta SET value = 0 WHERE key = 'step'",
        "DELETE FROM meta",
        "UPDATE drawings SET point_count = 9223372036854775807",
        "UPDATE drawings SET point_count = 100000000",
        "UPDATE drawings SET point_count = -1",
        "INSERT INTO frames VALUES (9223372036854775807, 0, x'00')",
        "INSERT INTO frames VALUES (3000000000000, 0, x'00')",
        "INSERT INTO frames VALUES (31, 0, x'00')",
        "DELETE FROM statistics",
    };
    for (const std::string& claim : claims) {
        record_frames(scratch.path(), kFrames);
        run_sql(scratch.path(), claim);
        CHECK_MESSAGE(open_problem(scratch.path()).starts_with("recording-damaged"), claim);
        go_on(scratch.path());
    }
}

TEST_CASE("cells that hold something else are problems of their frame only")
{
    const Scratch scratch;
    record_frames(scratch.path(), kFrames);
    run_sql(scratch.path(),
            "UPDATE frames SET block = 'text' WHERE number = 3; UPDATE frames SET block = NULL "
            "WHERE number = 4; UPDATE frames SET block = zeroblob(100000) WHERE number = 5; "
            "UPDATE frames SET block = (SELECT block FROM frames WHERE number = 1) WHERE number = "
            "6; DELETE FROM frames WHERE number = 7;"
            "UPDATE snapshots SET block = 17 WHERE frame = 25;"
            "UPDATE statistics SET steps = 9e300, residual = 'much', state_hash = NULL;"
            "INSERT INTO diagnostics VALUES (0, 2, 17, NULL, 1.5, 3, -9, -4, x'ff', 1, 2);"
            "INSERT INTO remarks VALUES (0, 0, NULL, 7, 0, 0, NULL)");
    const Result<Recording> recording = Recording::open(scratch.path());
    REQUIRE(recording);
    for (const int i : {3, 4, 5, 6, 7})
        CHECK(first_problem(recording->frame(i).problems()) ==
              "recording-damaged: frame " + std::to_string(i) + " is damaged");
    CHECK(recording->frame(8));
    CHECK(recording->find_snapshot(29)->frame == 20);
    CHECK(recording->statistics(2)->report.steps == INT_MAX);
    CHECK(!read_all(scratch.path()));
    go_on(scratch.path());
}

TEST_CASE("a recording cut short anywhere never gives a wrong frame")
{
    const Scratch scratch;
    record_frames(scratch.path(), kFrames);
    CHECK(read_all(scratch.path()));
    const std::string whole = read_file(scratch.path());
    for (std::size_t size = 0; size < whole.size(); size += 509) {
        write_file(scratch.path("cut"), whole.substr(0, size));
        CHECK(!read_all(scratch.path("cut")));
        go_on(scratch.path("cut"));
        std::filesystem::remove(scratch.path("cut-wal"));
    }
}

TEST_CASE("a recording with flipped bytes never gives a wrong frame")
{
    const Scratch scratch;
    record_frames(scratch.path(), kFrames);
    const std::string whole = read_file(scratch.path());
    std::mt19937_64 random(20240607);
    for (int round = 0; round < 400; ++round) {
        std::string bytes = whole;
        // Headers of pages are where SQLite is hurt most: aim at them half of the time.
        for (int flips = 1 + int(random() % 8); flips > 0; --flips) {
            std::size_t at = random() % bytes.size();
            if (random() % 2 == 0)
                at = at / 4096 * 4096 + random() % 64;
            bytes[at] = static_cast<char>(random());
        }
        write_file(scratch.path("flipped"), bytes);
        read_all(scratch.path("flipped"));
        go_on(scratch.path("flipped"));
        for (const char* ending : {"-wal", "-shm", "-journal"})
            std::filesystem::remove(scratch.path("flipped") + ending);
    }
}

TEST_CASE("a damaged log costs its last frames, never a wrong one")
{
    const Scratch scratch;
    const Scene scene = small_scene();
    std::string file, log;
    {
        Result<Recording> killed = Recording::create(scratch.path(), scene, small_info(scene));
        REQUIRE(killed);
        append_frames(*killed, 0, kFrames - 1);
        file = read_file(scratch.path());
        log = read_file(scratch.path("run.sinew-wal"));
    }
    REQUIRE(log.size() > 10000);
    std::mt19937_64 random(7);
    for (int round = 0; round < 100; ++round) {
        std::string bytes = log.substr(0, round % 2 ? log.size() : random() % log.size());
        if (round % 2)
            bytes[random() % bytes.size()] = static_cast<char>(random());
        write_file(scratch.path("torn"), file);
        write_file(scratch.path("torn-wal"), bytes);
        read_all(scratch.path("torn"));
        CHECK(Recording::open(scratch.path("torn")));
        for (const char* ending : {"-wal", "-shm"})
            std::filesystem::remove(scratch.path("torn") + ending);
    }
}
