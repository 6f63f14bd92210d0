#include "unit/record/scratch.h"

#include <sqlite3.h>

using namespace sinew;
using namespace sinew::test;

TEST_CASE("the last whole snapshot at or before a frame is found")
{
    const Scratch scratch;
    record_frames(scratch.path(), 13);
    const Result<Recording> recording = Recording::open(scratch.path());
    REQUIRE(recording);
    for (const auto& [at, frame] : {std::pair{12, 10}, {10, 10}, {9, 5}, {4, 0}, {1000, 10}}) {
        const auto snapshot = recording->find_snapshot(at);
        REQUIRE(snapshot);
        CHECK(snapshot->frame == frame);
        CHECK(snapshot->bytes == snapshot_at(frame));
    }
    CHECK(!recording->find_snapshot(-1));
}

TEST_CASE("a recording that is continued is the one that was never interrupted")
{
    const Scratch scratch;
    record_frames(scratch.path("whole.sinew"), 30);
    record_frames(scratch.path(), 17);
    {
        Result<Recording> recording = Recording::open(scratch.path(), Recording::Access::write);
        REQUIRE(recording);
        REQUIRE(recording->continue_after(11, 20).empty());
        CHECK(recording->info().frame_count == 12);
        CHECK(!recording->info().is_complete);
        CHECK(recording->find_snapshot(100)->frame == 10);
        append_frames(*recording, 12, 29);
        REQUIRE(recording->finish(std::nullopt).empty());
    }
    const Result<Recording> continued = Recording::open(scratch.path());
    REQUIRE(continued);
    CHECK(continued->info().frame_count == 30);
    CHECK(continued->info().is_complete);
    CHECK(continued->info().end == 20);
    for (int i = 0; i < 30; ++i) {
        CHECK(is_same(*continued->frame(i), frame_at(i)));
        CHECK(continued->statistics(i)->state_hash == statistics_at(i).state_hash);
    }
    CHECK(scratch.files() == std::vector<std::string>{"run.sinew", "whole.sinew"});
}

TEST_CASE("opening a recording to write does not change it")
{
    const Scratch scratch;
    record_frames(scratch.path(), 5);
    const std::string before = read_file(scratch.path());
    CHECK(Recording::open(scratch.path(), Recording::Access::write));
    CHECK(read_file(scratch.path()) == before);
    CHECK(scratch.files() == std::vector<std::string>{"run.sinew"});
}

TEST_CASE("a run goes on only on a machine that computes the same bits")
{
    const Scratch scratch;
    record_frames(scratch.path(), 5);
    sqlite3* file = nullptr;
    REQUIRE(sqlite3_open(scratch.path().c_str(), &file) == SQLITE_OK);
    const char* change = "UPDATE meta SET value = '0123456789abcdef' WHERE key = 'arithmetic';"
                         "UPDATE meta SET value = 'Z80, cc 1' WHERE key = 'machine';"
                         "DELETE FROM meta WHERE key LIKE 'checksum%'";
    REQUIRE(sqlite3_exec(file, change, nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(file);
    const Result<Recording> recording = Recording::open(scratch.path());
    REQUIRE(recording);
    const std::string refusal =
        first_problem(recording->check_continuation(small_info(small_scene())));
    CHECK(refusal.starts_with("recording-other-run: was made on a machine whose arithmetic gives "
                              "other bits (Z80, cc 1), this is "));
}

TEST_CASE("a run goes on only in a recording of the same run")
{
    const Scratch scratch;
    record_frames(scratch.path(), 5);
    const Result<Recording> recording = Recording::open(scratch.path());
    REQUIRE(recording);
    const RecordingInfo same = small_info(small_scene());
    CHECK(recording->check_continuation(same).empty());
    RecordingInfo longer = same;
    longer.end = 20;
    CHECK(recording->check_continuation(longer).empty());

    const auto refusal = [&](auto change) {
        RecordingInfo other = same;
        change(other);
        return first_problem(recording->check_continuation(other));
    };
    CHECK(refusal([](RecordingInfo& i) { i.version = "9.9"; }) ==
          "recording-other-run: was made by Sinew " + same.version + ", this is 9.9");
    CHECK(refusal([](RecordingInfo& i) {
              i.parameters = {{"gust", "5"}};
          }) == "recording-other-run: was made with -D gust=4 -D reach=5 cm, not with -D gust=5");
    CHECK(refusal([](RecordingInfo& i) { i.parameters.clear(); }) ==
          "recording-other-run: was made with -D gust=4 -D reach=5 cm, not with no -D");
    CHECK(refusal([](RecordingInfo& i) {
              i.imports = {{"engine", "a.so"}};
          }) == "recording-other-run: was made with no --import, not with --import engine=a.so");
    CHECK(refusal([](RecordingInfo& i) { i.frame_rate = 25; }) ==
          "recording-other-run: has 24 frames a second, not 25");
    CHECK(refusal([](RecordingInfo& i) { i.step = 0.01; }) ==
          "recording-other-run: was made with a step of 0.00416666666666667 s, not 0.01");
    CHECK(refusal([](RecordingInfo& i) { i.scene_fingerprint ^= 1; }) ==
          "recording-other-run: was made by another script, or the script has changed since");
}

TEST_CASE("a scene has the same fingerprint in recordings of any length")
{
    Scene scene = small_scene();
    const std::uint64_t before = make_recording_info(scene, "").scene_fingerprint;
    scene.settings.end = 99;
    CHECK(make_recording_info(scene, "").scene_fingerprint == before);
    scene.settings.gravity_y = {-1};
    CHECK(make_recording_info(scene, "").scene_fingerprint != before);
}

TEST_CASE("only one run writes a recording at a time")
{
    const Scratch scratch;
    const Scene scene = small_scene();
    {
        Result<Recording> first = Recording::create(scratch.path(), scene, small_info(scene));
        REQUIRE(first);
        append_frames(*first, 0, 2);
        CHECK(first_problem(Recording::create(scratch.path(), scene, small_info(scene)).problems())
                  .starts_with("recording-in-use"));
        CHECK(first_problem(Recording::open(scratch.path(), Recording::Access::write).problems())
                  .starts_with("recording-in-use"));
        CHECK(first->is_being_written());
        CHECK(Recording::open(scratch.path())->is_being_written());
        append_frames(*first, 3, 4);
    }
    CHECK(!Recording::open(scratch.path())->is_being_written());
    CHECK(Recording::open(scratch.path(), Recording::Access::write));
}

TEST_CASE("a new recording replaces an old one, and a reader keeps what it has open")
{
    const Scratch scratch;
    record_frames(scratch.path(), 20);
    const Result<Recording> reader = Recording::open(scratch.path());
    REQUIRE(reader);
    record_frames(scratch.path(), 3);
    CHECK(reader->info().frame_count == 20);
    CHECK(is_same(*reader->frame(19), frame_at(19)));
    CHECK(Recording::open(scratch.path())->info().frame_count == 3);
}

namespace {

/// What a run leaves that is killed after nine frames: the file and its log.
void leave_killed(const Scratch& scratch, const std::string& name)
{
    const Scene scene = small_scene();
    Result<Recording> killed = Recording::create(scratch.path(), scene, small_info(scene));
    REQUIRE(killed);
    append_frames(*killed, 0, 8);
    for (const char* ending : {"", "-wal"})
        std::filesystem::copy_file(scratch.path() + ending, scratch.path(name) + ending);
}

} // namespace

TEST_CASE("a recording left by a killed run is read with its log")
{
    const Scratch scratch;
    leave_killed(scratch, "killed");
    const Result<Recording> recording = Recording::open(scratch.path("killed"));
    REQUIRE(recording);
    CHECK(recording->info().frame_count == 9);
    CHECK(is_same(*recording->frame(8), frame_at(8)));
}

TEST_CASE("the log of a killed run does not meet the recording that replaces it")
{
    const Scratch scratch;
    leave_killed(scratch, "killed");
    record_frames(scratch.path("killed"), 2);
    CHECK(Recording::open(scratch.path("killed"))->info().frame_count == 2);
    CHECK(is_same(*Recording::open(scratch.path("killed"))->frame(1), frame_at(1)));
}

TEST_CASE("whoever opens the recording of a killed run to write leaves one file")
{
    const Scratch scratch;
    leave_killed(scratch, "killed");
    CHECK(Recording::open(scratch.path("killed"), Recording::Access::write));
    CHECK(scratch.files() == std::vector<std::string>{"killed", "run.sinew"});
    CHECK(Recording::open(scratch.path("killed"))->info().frame_count == 9);
}

TEST_CASE("a recording whose writer was killed while it folded the log can be read")
{
    const Scratch scratch;
    record_frames(scratch.path(), 9);
    sqlite3* writer = nullptr; // stops half way through a change that needs a journal
    REQUIRE(sqlite3_open(scratch.path().c_str(), &writer) == SQLITE_OK);
    const char* sql = "PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN;"
                      "UPDATE frames SET block = zeroblob(5000)";
    REQUIRE(sqlite3_exec(writer, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
    for (const char* ending : {"", "-journal"})
        std::filesystem::copy_file(scratch.path() + ending, scratch.path("torn") + ending);
    sqlite3_close(writer);

    const Result<Recording> recording = Recording::open(scratch.path("torn"));

    REQUIRE_MESSAGE(recording, first_problem(recording.problems()));
    for (int i = 0; i < 9; ++i)
        CHECK(is_same(*recording->frame(i), frame_at(i)));
}
