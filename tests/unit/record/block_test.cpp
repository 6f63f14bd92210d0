#include "record/block.h"

#include "unit/record/scratch.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

using namespace sinew;
using namespace sinew::record;
using namespace sinew::test;

namespace {

constexpr FrameLayout kLayout{.object_count = 3, .point_count = 2};

} // namespace

TEST_CASE("a frame comes back bit for bit, whatever its numbers are")
{
    Frame frame = frame_at(1);
    frame.points[0] = {std::numeric_limits<double>::quiet_NaN(),
                       -std::numeric_limits<double>::infinity(),
                       std::numeric_limits<double>::denorm_min()};
    frame.objects[1].origin.y = std::bit_cast<double>(0x7ff0dead0000beefu); // a NaN with a story

    const std::optional<Frame> back = unpack_frame(kLayout, 7, pack_frame(kLayout, 7, frame));

    REQUIRE(back);
    CHECK(is_same(*back, frame));
}

TEST_CASE("nodes and segments of strands come back bit for bit")
{
    const FrameLayout layout{
        .object_count = 3, .point_count = 2, .node_count = 3, .segment_count = 2};
    Frame frame = frame_at(1);
    frame.nodes = {{1, 2, 3}, {-4, 5e-320, 6}, {0.1, 0.2, 0.3}};
    frame.segments = {{0.5, -0.5, 0.5, -0.5}, {0, 0.6, 0, 0.8}};
    const std::optional<Frame> back = unpack_frame(layout, 7, pack_frame(layout, 7, frame));

    REQUIRE(back);
    CHECK(*back == frame);
    CHECK(!unpack_frame(kLayout, 7, pack_frame(layout, 7, frame)));
}

TEST_CASE("loads of constraints come back bit for bit")
{
    const FrameLayout layout{.object_count = 3, .point_count = 2, .load_count = 2};
    Frame frame = frame_at(1);
    frame.loads = {{{1, 2, 3}, {-4, 5e-320, 6}, {0.1, 0.2, 0.3}}, {{7, 8, 9}, {1e300, 0, -1}, {}}};
    const std::optional<Frame> back = unpack_frame(layout, 7, pack_frame(layout, 7, frame));

    REQUIRE(back);
    CHECK(*back == frame);
    CHECK(!unpack_frame(kLayout, 7, pack_frame(layout, 7, frame)));
}

TEST_CASE("a scene without objects has frames too")
{
    const Frame frame{.time = 3};
    const std::optional<Frame> back = unpack_frame({}, 7, pack_frame({}, 7, frame));
    REQUIRE(back);
    CHECK(is_same(*back, frame));
}

TEST_CASE("what stands still costs next to nothing")
{
    const FrameLayout layout{.object_count = 10000, .point_count = 0};
    Frame frame;
    frame.objects.resize(10000); // 960 kB of numbers
    CHECK(pack_frame(layout, 7, frame).size() < 300);
}

TEST_CASE("a damaged block is never taken for another frame")
{
    const Frame frame = frame_at(2);
    const Bytes block = pack_frame(kLayout, 7, frame);
    for (std::size_t at = 0; at < block.size(); ++at)
        for (const int bit : {0, 3, 7}) {
            Bytes damaged = block;
            damaged[at] ^= static_cast<std::byte>(1 << bit);
            const std::optional<Frame> back = unpack_frame(kLayout, 7, damaged);
            CHECK((!back || is_same(*back, frame)));
        }
    for (std::size_t size = 0; size < block.size(); ++size)
        CHECK(!unpack_frame(kLayout, 7, std::span(block).first(size)));
}

TEST_CASE("a block of another frame is refused")
{
    CHECK(!unpack_frame(kLayout, 6, pack_frame(kLayout, 7, frame_at(3))));
}

TEST_CASE("a block of another layout is refused")
{
    const Bytes block = pack_frame(kLayout, 7, frame_at(3));
    CHECK(!unpack_frame({.object_count = 3, .point_count = 3}, 7, block));
    CHECK(!unpack_frame({.object_count = 4, .point_count = 2}, 7, block));
    CHECK(!unpack_frame({}, 7, block));
}

TEST_CASE("a layout that nobody can hold is refused before anything is allocated")
{
    const Bytes block = pack_frame(kLayout, 7, frame_at(4));
    constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
    for (const FrameLayout layout : {FrameLayout{kMost, 0}, FrameLayout{0, kMost},
                                     FrameLayout{kMost / 12 + 1, 0}, FrameLayout{1u << 27, 0}}) {
        CHECK(!layout.is_possible());
        CHECK(!unpack_frame(layout, 7, block));
    }
}

TEST_CASE("a block that says it holds a terabyte is refused before anything is allocated")
{
    // A zstd frame: magic, a header with an eight-byte size and no window, one empty last block.
    const unsigned char claim[] = {0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0,    0, 0,
                                   0,    0,    1,    0,    0,    0x01, 0, 0};
    CHECK(!unpack_bytes(std::as_bytes(std::span(claim))));
}

TEST_CASE("bytes come back as they were")
{
    for (const std::size_t size : {0u, 1u, 1000u, 1000000u}) {
        Bytes bytes(size);
        for (std::size_t i = 0; i < size; ++i)
            bytes[i] = static_cast<std::byte>(i * i >> 3);
        const std::optional<Bytes> back = unpack_bytes(pack_bytes(bytes));
        REQUIRE(back);
        CHECK(*back == bytes);
    }
}

TEST_CASE("snapshots come back as they were, packed as words or as they once were")
{
    for (const std::size_t size : {0u, 1u, 7u, 8u, 1001u, 524287u, 524289u, 2000003u}) {
        Bytes bytes(size);
        for (std::size_t i = 0; i < size; ++i)
            bytes[i] = static_cast<std::byte>(i * i >> 3);
        const Bytes block = pack_snapshot(bytes);
        CHECK(pack_snapshot(bytes, 3) == block);
        for (const Bytes& packed : {block, pack_bytes(bytes)}) {
            const std::optional<Bytes> back = unpack_snapshot(packed);
            REQUIRE(back);
            CHECK(*back == bytes);
        }
    }
}

TEST_CASE("words of a state that moves smoothly are packed into less than its bytes")
{
    Bytes bytes;
    for (int i = 0; i < 100000; ++i) {
        const auto number =
            std::bit_cast<std::array<std::byte, 8>>(double(float(std::sin(0.001 * i))));
        bytes.insert(bytes.end(), number.begin(), number.end());
    }
    CHECK(4 * pack_snapshot(bytes).size() < 3 * pack_bytes(bytes).size());
}

TEST_CASE("a snapshot with a flipped bit, or cut off, is none")
{
    Bytes bytes(300);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::byte>(i * i >> 3);
    const Bytes block = pack_snapshot(bytes);
    for (std::size_t bit = 0; bit < 8 * block.size(); ++bit) {
        Bytes other = block;
        other[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
        const std::optional<Bytes> back = unpack_snapshot(other);
        CHECK((!back || *back == bytes)); // zstd has bits that say nothing
    }
    for (std::size_t size = 0; size < block.size(); ++size)
        CHECK(!unpack_snapshot(std::span(block).first(size)));
}
