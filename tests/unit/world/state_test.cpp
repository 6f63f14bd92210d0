// Everything that changes, in one place: bytes, hashes, keys.

#include "islands/keys.h"
#include "support/worlds.h"

#include <doctest/doctest.h>

using namespace sinew;
using test::make_world;

namespace {

/// Bodies that touch, a strand that begins to be held on the way, a rod on a hole, a linkage.
const std::string kAll =
    "dynamic a; a = initial(60 deg, 0);\n"
    "def bob mass(2); end; b = bob translatey(-1) rotatez(a);\n"
    "def floor obstacle(); plane(0, 1, 0, -3); end; floor;\n"
    "def crate body(mass = 1); box(0.2, 0.3, 0.4); end; c = crate translate(1, -2.85, 0);\n"
    "def rope rod(line(0, 0, 0, 1, 0, 0), spans = 8, radius = 5 mm); end; r = rope;\n"
    "position_constraint(r at 0 along, point(0, 0, 0), active = {0 at 0 sec hold 1 at 0.1 sec});\n"
    "def hair strand(line(3, 0, 0, 3, -0.5, 0), segments = 6); end; h = hair;\n"
    "position_constraint(h at 1 along, point(3.1, -0.45, 0),\n"
    "                    active = {0 at 0 sec hold 1 at 0.1 sec});\n"
    "simulate(0 sec, 1 sec, step = 1/120);\n";

} // namespace

TEST_CASE("a snapshot in the middle of everything goes on bit for bit")
{
    World world = make_world(kAll);
    CHECK_FALSE(world.advance(0.15).fault);
    const std::vector<std::byte> kept = world.snapshot();
    CHECK_FALSE(world.advance(0.4).fault);
    const std::uint64_t hash = world.state_hash();
    World other = make_world(kAll);
    REQUIRE(other.restore(kept));
    CHECK(other.snapshot() == kept);
    CHECK_FALSE(other.advance(0.4).fault);
    CHECK(other.state_hash() == hash);
}

TEST_CASE("bytes that are not all of a state are refused, and change nothing")
{
    World world = make_world(kAll);
    world.advance(0.15);
    const std::vector<std::byte> kept = world.snapshot();
    const std::uint64_t hash = world.state_hash();
    for (std::size_t size = 0; size < kept.size(); size += 8)
        CHECK_FALSE(world.restore(std::span(kept).first(size)));
    std::vector<std::byte> longer = kept;
    longer.resize(longer.size() + 8);
    CHECK_FALSE(world.restore(longer));
    CHECK(world.state_hash() == hash);
}

TEST_CASE("keys of attachments stand in snapshots: their bits never change")
{
    const auto bits = [](KeySource source) { return AttachmentKey(source, 5).bits() - 5; };
    constexpr std::uint64_t kOne = 1;
    CHECK(bits(KeySource::body_contact) == kOne << 60);
    CHECK(bits(KeySource::body_joint) == kOne << 61);
    CHECK(bits(KeySource::body_spring) == std::uint64_t(3) << 60);
    CHECK(bits(KeySource::carried_frame) == kOne << 62);
    CHECK(bits(KeySource::rod_constraint) == std::uint64_t(5) << 60);
    CHECK(bits(KeySource::rod_body_contact) == (std::uint64_t(5) << 60) + (kOne << 59));
    CHECK(bits(KeySource::rod_rod_contact) == (std::uint64_t(5) << 60) + (std::uint64_t(3) << 58));
    CHECK(bits(KeySource::strand_body_contact) == std::uint64_t(6) << 60);
    CHECK(bits(KeySource::strand_constraint) == std::uint64_t(7) << 60);
    CHECK(bits(KeySource::strand_joint) == (std::uint64_t(7) << 60) + (kOne << 58));
    CHECK(bits(KeySource::strand_strand_contact) == (std::uint64_t(7) << 60) + (kOne << 59));
    CHECK(bits(KeySource::grab) == kOne << 63);

    const AttachmentKey point = body_pair_key(KeySource::strand_body_contact, 1234, 17).after(3);
    CHECK(point.source() == KeySource::strand_body_contact);
    CHECK(pair_of(point) == body_pair_key(KeySource::strand_body_contact, 1234, 17));
    CHECK(point.index() == (std::uint64_t(1234) << 30) + 17 * 64 + 3);
}
