#include "sinew/names.h"
#include "unit/record/scratch.h"

using namespace sinew;
using namespace sinew::test;

namespace {

Problem warning(const std::string& what)
{
    return {.severity = Severity::warning,
            .code = "path-end",
            .place = {.file = "a.charli", .line = 3, .column = 2, .length = 4},
            .what = what,
            .hint = "make the path longer",
            .remarks = {{.place = {.file = "b.charli", .line = 1, .column = 1, .length = 1},
                         .what = "declared here"}},
            .source_line = "  bob;"};
}

} // namespace

TEST_CASE("what was recorded is read again, bit for bit, in any order")
{
    const Scratch scratch;
    record_frames(scratch.path(), 40);

    const Result<Recording> recording = Recording::open(scratch.path());

    REQUIRE_MESSAGE(recording, first_problem(recording.problems()));
    CHECK(recording->info().frame_count == 40);
    for (const int i : {39, 0, 17, 3, 38, 17}) {
        const Result<Frame> frame = recording->frame(i);
        REQUIRE(frame);
        CHECK(is_same(*frame, frame_at(i)));
        const Result<FrameStatistics> s = recording->statistics(i);
        const FrameStatistics wanted = statistics_at(i);
        REQUIRE(s);
        CHECK(s->report.steps == wanted.report.steps);
        CHECK(s->report.rejected == wanted.report.rejected);
        CHECK(s->report.implicit_steps == wanted.report.implicit_steps);
        CHECK(s->report.rows == wanted.report.rows);
        CHECK(s->report.iterations == wanted.report.iterations);
        CHECK(s->report.residual == wanted.report.residual);
        CHECK(s->report.converged == wanted.report.converged);
        CHECK(s->energy.kinetic == wanted.energy.kinetic);
        CHECK(s->energy.potential == wanted.energy.potential);
        CHECK(s->elapsed_ms == wanted.elapsed_ms);
        CHECK(s->state_hash == wanted.state_hash);
    }
}

TEST_CASE("groups of frames packed apart, in any order, are the frames that a recording packs")
{
    const Scene scene = small_scene();
    constexpr int kCount = 40, kGroup = int(FramePacker::kGroup);
    for (const double error : {0.0, kRecordedError}) {
        std::vector<PackedFrame> packed(kCount);
        for (const int group : {2, 0, 3, 1}) {
            FramePacker packer(scene, error, group * kGroup);
            for (int i = group * kGroup; i < std::min(kCount, (group + 1) * kGroup); ++i)
                packed[std::size_t(i)] = packer.pack(frame_at(i), 2);
        }
        const Scratch scratch;
        RecordingInfo info = small_info(scene);
        info.error = error;
        Result<Recording> one = Recording::create(scratch.path("one.sinew"), scene, info);
        Result<Recording> other = Recording::create(scratch.path("other.sinew"), scene, info);
        REQUIRE((one && other));
        for (int i = 0; i < kCount; ++i) {
            REQUIRE(one->append(frame_at(i), statistics_at(i), std::nullopt).empty());
            if (i < kCount - 3) // then it goes on packing by itself
                REQUIRE(other->append(packed[std::size_t(i)], statistics_at(i), {}).empty());
            else
                REQUIRE(other->append(frame_at(i), statistics_at(i), {}).empty());
        }
        for (int i = 0; i < kCount; ++i) {
            const Result<Frame> a = one->frame(i), b = other->frame(i);
            REQUIRE((a && b));
            CHECK(is_same(*a, *b));
        }
    }
}

TEST_CASE("a recording knows its script, its parameters and its objects")
{
    const Scratch scratch;
    record_frames(scratch.path(), 1);
    const Scene scene = small_scene();

    const Result<Recording> recording = Recording::open(scratch.path());

    REQUIRE(recording);
    const RecordingInfo& info = recording->info();
    const RecordingInfo wanted = small_info(scene);
    CHECK(info.script_name == "a.charli");
    CHECK(info.parameters == wanted.parameters);
    CHECK(info.version == wanted.version);
    CHECK(info.scene_fingerprint == wanted.scene_fingerprint);
    CHECK(info.frame_rate == 24);
    CHECK(info.start == 0);
    CHECK(info.end == 10);
    CHECK(info.step == 1.0 / 240);
    CHECK(info.is_complete);
    CHECK(!info.fault);
    const Result<std::vector<SourceFile>> scripts = recording->scripts();
    REQUIRE(scripts);
    REQUIRE(scripts->size() == 2);
    CHECK((*scripts)[1].name == "b.charli");
    CHECK(*(*scripts)[1].text == *scene.files[1].text);
    CHECK(*recording->object_names() == object_paths(scene));
}

TEST_CASE("a finished recording is one file that needs no writable folder")
{
    const Scratch scratch;
    record_frames(scratch.path(), 3);

    CHECK(scratch.files() == std::vector<std::string>{"run.sinew"});
    // Bytes 18 and 19 of an SQLite file: 1, no write-ahead log.
    CHECK(read_file(scratch.path()).substr(18, 2) == "\x01\x01");
}

TEST_CASE("an abandoned recording is one file too, and is not complete")
{
    const Scratch scratch;
    {
        const Scene scene = small_scene();
        Result<Recording> recording = Recording::create(scratch.path(), scene, small_info(scene));
        REQUIRE(recording);
        append_frames(*recording, 0, 6);
    }
    CHECK(scratch.files() == std::vector<std::string>{"run.sinew"});
    const Result<Recording> recording = Recording::open(scratch.path());
    REQUIRE(recording);
    CHECK(recording->info().frame_count == 7);
    CHECK(!recording->info().is_complete);
    CHECK(!recording->info().fault);
}

TEST_CASE("a recording can be read while it is written")
{
    const Scratch scratch;
    const Scene scene = small_scene();
    Result<Recording> writer = Recording::create(scratch.path(), scene, small_info(scene));
    REQUIRE(writer);
    append_frames(*writer, 0, 3);

    Result<Recording> reader = Recording::open(scratch.path());
    REQUIRE_MESSAGE(reader, first_problem(reader.problems()));
    CHECK(reader->info().frame_count == 4);
    append_frames(*writer, 4, 9);
    CHECK(is_same(*reader->frame(9), frame_at(9)));
    CHECK(reader->update_info().empty());
    CHECK(reader->info().frame_count == 10);

    CHECK(writer->finish(std::nullopt).empty()); // with the reader still there
    CHECK(reader->update_info().empty());
    CHECK(reader->info().is_complete);
    CHECK(is_same(*reader->frame(0), frame_at(0)));
}

TEST_CASE("the fault that stopped a run is kept with its place and remedy")
{
    const Scratch scratch;
    {
        const Scene scene = small_scene();
        Result<Recording> recording = Recording::create(scratch.path(), scene, small_info(scene));
        REQUIRE(recording);
        append_frames(*recording, 0, 2);
        Problem fault = warning("'arm' reaches length 0 at 10 s");
        fault.severity = Severity::error;
        CHECK(recording->finish(fault).empty());
    }
    const Result<Recording> recording = Recording::open(scratch.path());
    REQUIRE(recording);
    const std::optional<Problem>& fault = recording->info().fault;
    REQUIRE(fault);
    CHECK(!recording->info().is_complete);
    CHECK(fault->severity == Severity::error);
    CHECK(fault->code == "path-end");
    CHECK(to_string(fault->place) == "a.charli:3:2");
    CHECK(fault->what == "'arm' reaches length 0 at 10 s");
    CHECK(fault->hint == "make the path longer");
    CHECK(fault->source_line == "  bob;");
    REQUIRE(fault->remarks.size() == 1);
    CHECK(to_string(fault->remarks[0].place) == "b.charli:1:1");
    CHECK(fault->remarks[0].what == "declared here");
}

TEST_CASE("a warning is kept once, with the frame in which it first came")
{
    const Scratch scratch;
    const Scene scene = small_scene();
    Result<Recording> recording = Recording::create(scratch.path(), scene, small_info(scene));
    REQUIRE(recording);
    for (int i = 0; i < 10; ++i) {
        FrameStatistics statistics = statistics_at(i);
        if (i >= 3)
            statistics.report.warnings = {warning("past the end")};
        if (i >= 6)
            statistics.report.warnings.push_back(warning("another"));
        REQUIRE(recording->append(frame_at(i), statistics, std::nullopt).empty());
    }
    const auto diagnostics = recording->diagnostics();
    REQUIRE(diagnostics);
    REQUIRE(diagnostics->size() == 2);
    CHECK((*diagnostics)[0].frame == 3);
    CHECK((*diagnostics)[1].frame == 6);
    CHECK((*diagnostics)[1].problem.what == "another");
    CHECK(recording->statistics(3)->report.warnings.size() == 1);
    CHECK(recording->statistics(4)->report.warnings.empty());

    REQUIRE(recording->continue_after(4, 10).empty());
    CHECK(recording->diagnostics()->size() == 1);
}

TEST_CASE("a frame that is not there is a problem, not a guess")
{
    const Scratch scratch;
    record_frames(scratch.path(), 3);
    const Result<Recording> recording = Recording::open(scratch.path());
    REQUIRE(recording);
    for (const std::int64_t i : {std::int64_t{-1}, std::int64_t{3}, INT64_MAX, INT64_MIN}) {
        CHECK(first_problem(recording->frame(i).problems()).starts_with("recording-no-frame"));
        CHECK(first_problem(recording->statistics(i).problems()).starts_with("recording-no-frame"));
    }
    CHECK(recording->frame(3).problems()[0].hint == "its frames are 0 to 2");
}

TEST_CASE("a frame of another scene is not appended")
{
    const Scratch scratch;
    const Scene scene = small_scene();
    Result<Recording> recording = Recording::create(scratch.path(), scene, small_info(scene));
    REQUIRE(recording);
    CHECK(!recording->append(frame_at(0, 4, 2), statistics_at(0), std::nullopt).empty());
    CHECK(!recording->append(frame_at(0, 3, 1), statistics_at(0), std::nullopt).empty());
    CHECK(recording->info().frame_count == 0);
}
