#include "record/frame_coder.h"

#include "record/channels.h"

#include "unit/record/scratch.h"

#include <cmath>
#include <limits>

using namespace sinew;
using namespace sinew::record;
using namespace sinew::test;

namespace {

constexpr FrameLayout kLayout{
    .object_count = 5, .point_count = 4, .node_count = 200, .segment_count = 190, .load_count = 2};

/// Curves that swing, as strands do; frame `i` of it.
Frame swinging(int i)
{
    const double t = i / 24.0;
    Frame frame = frame_at(i, 5, 4);
    for (std::size_t k = 0; k < kLayout.node_count; ++k) {
        const double s = 0.01 * double(k);
        frame.nodes.push_back({s * std::sin(3 * t + s), -s, 2 + s * std::cos(2 * t)});
    }
    for (std::size_t k = 0; k < kLayout.segment_count; ++k) {
        const double angle = std::sin(2 * t + 0.01 * double(k));
        frame.segments.push_back({std::sin(angle / 2), 0, 0, std::cos(angle / 2)});
    }
    frame.loads = {{{1, 2, 3}, {-4, 5e-320, 6e300}, {0.1, 0.2, t}}, {}};
    return frame;
}

double largest_error(const Frame& a, const Frame& b)
{
    double error = 0;
    for (std::size_t k = 0; k < a.nodes.size(); ++k)
        for (int axis = 0; axis < 3; ++axis)
            error = std::max(error, std::abs(a.nodes[k][axis] - b.nodes[k][axis]));
    for (std::size_t k = 0; k < a.objects.size(); ++k)
        for (int axis = 0; axis < 3; ++axis)
            error =
                std::max({error, std::abs(a.objects[k].origin[axis] - b.objects[k].origin[axis]),
                          std::abs(a.objects[k].linear.x[axis] - b.objects[k].linear.x[axis])});
    return error;
}

} // namespace

TEST_CASE("rounded frames come back within the error that was asked for")
{
    for (const double error : {1e-3, 2e-6, 1e-8}) {
        FrameCoder writer(kLayout, make_quanta(error)), reader = writer;
        for (int i = 0; i < 30; ++i) {
            const Frame frame = swinging(i);
            const std::optional<Frame> back = reader.unpack(i, writer.pack(i, frame));
            REQUIRE(back);
            CHECK(largest_error(*back, frame) <= error);
            CHECK(largest_error(*back, frame) > error / 8); // no finer than it need be
            for (std::size_t k = 0; k < frame.segments.size(); ++k)
                CHECK(std::abs(back->segments[k].x - frame.segments[k].x) <= 16 * error);
            CHECK(back->time == frame.time);
            CHECK(back->loads == frame.loads);
            CHECK(*back == writer.round(frame));
            CHECK(writer.round(*back) == *back);
        }
    }
}

TEST_CASE("what moves smoothly needs few bytes behind the first frame of its group")
{
    const FrameLayout layout{.node_count = 20000};
    FrameCoder writer(layout, make_quanta(2e-6));
    std::size_t first = 0, others = 0;
    for (int i = 0; i < FrameCoder::kGroup; ++i) {
        Frame frame;
        for (std::size_t k = 0; k < layout.node_count; ++k) {
            const double phase = 0.001 * double(k) + 0.5 * std::sin(double(k * k % 977));
            frame.nodes.push_back({std::sin(i / 24.0 + phase), phase, 0});
        }
        (i == 0 ? first : others) += writer.pack(i, frame).size();
    }
    CHECK(first < 8 * layout.node_count);
    CHECK(others < 11 * 2 * layout.node_count);
}

TEST_CASE("blocks depend on the frames alone, wherever a run began and on however many threads")
{
    FrameCoder whole(kLayout, make_quanta(2e-6));
    std::vector<Bytes> blocks;
    for (int i = 0; i < 40; ++i)
        blocks.push_back(whole.pack(i, swinging(i)));
    for (const int begin : {1, 7, 11, 12, 13, 35}) {
        FrameCoder resumed(kLayout, make_quanta(2e-6));
        for (std::int64_t i = resumed.first_needed(begin); i < begin; ++i)
            REQUIRE(resumed.unpack(i, blocks[std::size_t(i)]));
        for (int i = begin; i < 40; ++i)
            CHECK(resumed.pack(i, swinging(i), 3) == blocks[std::size_t(i)]);
    }
}

TEST_CASE("numbers that no grid holds make a frame exact, and the next one stands for itself")
{
    FrameCoder writer(kLayout, make_quanta(2e-6)), reader = writer;
    for (int i = 0; i < 20; ++i) {
        Frame frame = swinging(i);
        if (i == 5)
            frame.nodes[3].y = std::numeric_limits<double>::quiet_NaN();
        if (i == 6)
            frame.objects[1].origin.x = -1e30;
        const std::optional<Frame> back = reader.unpack(i, writer.pack(i, frame));
        REQUIRE(back);
        if (i == 6)
            CHECK(*back == frame);
        if (i != 5)
            CHECK(largest_error(*back, frame) <= 2e-6);
    }
}

TEST_CASE("a damaged block of a rounded frame is never taken for another frame")
{
    FrameCoder writer(kLayout, make_quanta(2e-6)), ready = writer;
    for (int i = 0; i < 3; ++i)
        REQUIRE(ready.unpack(i, writer.pack(i, swinging(i))));
    const Bytes block = writer.pack(3, swinging(3));
    const Frame frame = writer.round(swinging(3));
    for (std::size_t at = 0; at < block.size(); ++at) {
        Bytes damaged = block;
        damaged[at] ^= static_cast<std::byte>(1 << (at % 8));
        FrameCoder reader = ready;
        const std::optional<Frame> back = reader.unpack(3, damaged);
        CHECK((!back || *back == frame));
    }
    FrameCoder reader = ready;
    CHECK(!reader.unpack(3, std::span(block).first(block.size() / 2)));
    CHECK(reader.first_needed(3) == 0); // it knows nothing any more
}

TEST_CASE("a rounded recording gives any frame in any order, also while it is continued")
{
    const Scratch scratch;
    const Scene scene = small_scene();
    RecordingInfo info = small_info(scene);
    info.error = kRecordedError;
    const auto check = [&](const Recording& recording, int i) {
        const Result<Frame> frame = recording.frame(i);
        REQUIRE(frame);
        CHECK(*frame == recording.as_recorded(frame_at(i)));
        CHECK(largest_error(*frame, frame_at(i)) <= kRecordedError);
    };
    {
        Result<Recording> recording = Recording::create(scratch.path(), scene, info);
        REQUIRE(recording);
        append_frames(*recording, 0, 20);
        check(*recording, 19);
        REQUIRE(recording->continue_after(15, 10).empty());
        append_frames(*recording, 16, 40);
        for (const int i : {40, 3, 17, 16, 39})
            check(*recording, i);
        REQUIRE(recording->finish(std::nullopt).empty());
    }
    const Result<Recording> recording = Recording::open(scratch.path());
    REQUIRE(recording);
    CHECK(recording->info().error == kRecordedError);
    CHECK(recording->check(true).empty());
    for (const int i : {25, 24, 11, 0, 40, 12, 13})
        check(*recording, i);
    RecordingInfo exact = info;
    exact.error = 0;
    CHECK(first_problem(recording->check_continuation(exact)) ==
          "recording-other-run: has frames rounded to 1.9073486328125e-06 m, not exact ones");
}

TEST_CASE("a frame has the same block on any number of threads")
{
    constexpr FrameLayout kMany{
        .node_count = 30'000, .segment_count = 29'000, .load_count = 1, .section_count = 2};
    const auto frame_of = [&](int i) {
        Frame frame;
        frame.time = i / 24.0;
        for (std::size_t k = 0; k < kMany.node_count; ++k)
            frame.nodes.push_back(
                {std::sin(0.1 * i + 1e-4 * double(k)), double(k % 97) / i, -0.01 * double(k)});
        frame.loads = {{{0.1, 0.2, 1e300}, {1, 2, 3}, {4, 5, 6}}};
        frame.sections = {{1.0 / 3, 2, -1e-300}, {4, 5, 6.0 * i}};
        for (std::size_t k = 0; k < kMany.segment_count; ++k)
            frame.segments.push_back({0, std::sin(double(k) + i), 0, std::cos(double(k) + i)});
        return frame;
    };
    FrameCoder one(kMany, make_quanta(2e-6)), reader = one;
    std::vector<FrameCoder> others(3, one);
    for (int i = 0; i < 6; ++i) {
        const Frame frame = frame_of(i + 1);
        const Bytes block = one.pack(i, frame);
        CHECK(others[0].pack(i, frame, 2) == block);
        CHECK(others[1].pack(i, frame, 3) == block);
        CHECK(others[2].pack(i, frame, 7) == block);
        const std::optional<Frame> back = reader.unpack(i, block);
        REQUIRE(back);
        CHECK(*back == one.round(frame));
        CHECK(back->loads == frame.loads);
        CHECK(back->sections == frame.sections);
    }
}

TEST_CASE("numbers are rounded to the nearest multiple, ties to the even one")
{
    const std::vector<double> numbers = {0.5,  1.5,  -0.5, -1.5,    2.4999999999999996,
                                         -0.0, 7e-8, 1e9,  -1.07e9, 1073741823};
    std::vector<std::int32_t> grid(numbers.size());
    REQUIRE(round_column(numbers.data(), 1, numbers.size(), 1, grid.data()));
    for (std::size_t i = 0; i < numbers.size(); ++i)
        CHECK(grid[i] == std::lrint(numbers[i]));
    for (const double bad : {1073741824.0, -1073741824.0, 1e300, HUGE_VAL, -HUGE_VAL, std::nan("")})
        for (const std::size_t place : {0, 4, 9}) {
            std::vector<double> some = numbers;
            some[place] = bad;
            CHECK_FALSE(round_column(some.data(), 1, some.size(), 1, grid.data()));
        }
    const std::vector<double> pairs = {1, 100, 2, HUGE_VAL, 3, 300};
    REQUIRE(round_column(pairs.data(), 2, 3, 10, grid.data()));
    CHECK((grid[0] == 10 && grid[1] == 20 && grid[2] == 30));
}
