// Rods in the midst of what they touch and slide on go on from a snapshot with the same bits.

#include "support/worlds.h"

using namespace sinew;
using sinew::test::make_world;

namespace {

/// At rest on a round obstacle and slipping off it, held by friction alone.
const std::string kLying =
    "def rope rod(line(-0.35,0.16,0, 0.45,0.16,0), spans = 16, radius = 5 mm, young = 1e6, rest = "
    "straight, damping = 5 ms); surface(friction = 0.4, bounce = 0); end;\nrope;\n"
    "def log obstacle(); cylinder(0.15, 1); material(friction = 0.5); end;\nlog rotatex(90 deg);\n"
    "def ground obstacle(); plane(0, 1, 0, -0.25); material(friction = 0.5); end;\nground;\n"
    "simulate(0 sec, 2 sec, step = 1 / 240);\n";

/// Pearls that run together, each touching the next.
const std::string kNecklace =
    "def thread rod(polyline(-0.3,0,0, 0,-0.25,0, 0.3,0,0), spans = 16, radius = 1 mm, young = "
    "4e8, density = 1100, rest = straight, damping = 2 ms); end;\nthread;\n"
    "position_constraint(thread at 0 along, point(-0.3, {0 at 0 sec slowinout 0.1 at 1 sec}, 0));\n"
    "position_constraint(thread at 1 along, point(0.3, 0, 0));\n"
    "def bead body(density = 2600); sphere(18 mm); material(friction = 0.2, bounce = 0.3); end;\n"
    "for i in 0..4\n  pearls[i] = bead translate(-0.3 + 0.6 * (0.3 + 0.1 * i), -0.5 * min(0.3 + "
    "0.1 * i, 0.7 - 0.1 * i), 0);\n  pearl(pearls[i], thread, from = 0.3 + 0.1 * i, friction = "
    "0.05);\nend;\nsimulate(0 sec, 2 sec, step = 1 / 240);\n";

/// A rope that runs through a hole with Coulomb's friction, drawn by a weight.
const std::string kKeyhole =
    "def rope rod(line(-0.8,0,0, 0.2,0,0), spans = 16, radius = 3 mm, young = 1e7, rest = "
    "straight, "
    "damping = 5 ms); end;\nrope;\nkeyhole(rope, point(0, 0, 0), from = 0.8, friction = 0.3);\n"
    "keyhole(rope, point(-0.4, 0, 0), from = 0.4, friction = 0.2, viscous = 2);\n"
    "def load body(mass = 0.05); sphere(0.02); end;\nload translatex(0.2);\n"
    "fusion(rope at 1 along, load);\nsimulate(0 sec, 2 sec, step = 1 / 240);\n";

/// Everything that can be seen and told, at the end of a run from `kept` on.
void check_again(const std::string& script, const std::vector<std::byte>& kept, int first,
                 const World& wanted, int threads)
{
    World world = make_world(script, threads);
    REQUIRE(world.restore(kept));
    for (int i = first; i <= 24; ++i)
        world.advance(i / 24.0);
    CHECK(world.state_hash() == wanted.state_hash());
    CHECK(world.frame() == wanted.frame());
    CHECK(world.snapshot() == wanted.snapshot());
}

/// Runs to 1 s; from each of some frames on, on one thread and on two, it ends alike.
World check_all(const std::string& script)
{
    World world = make_world(script), two = make_world(script, 2);
    std::vector<std::vector<std::byte>> kept;
    for (int i = 1; i <= 24; ++i) {
        REQUIRE_FALSE(world.advance(i / 24.0).fault);
        two.advance(i / 24.0);
        kept.push_back(world.snapshot());
    }
    CHECK(two.frame() == world.frame());
    CHECK(two.snapshot() == world.snapshot());
    for (const int at : {4, 11, 17})
        for (const int threads : {1, 2})
            check_again(script, kept[std::size_t(at) - 1], at + 1, world, threads);
    return world;
}

} // namespace

TEST_CASE("rods again: a rope on an obstacle, held by friction")
{
    const World world = check_all(kLying);
    CHECK(world.contacts().size() > 2);
}

TEST_CASE("rods again: a necklace whose pearls touch each other")
{
    const World world = check_all(kNecklace);
    CHECK(world.contacts().size() >= 1);
}

TEST_CASE("rods again: a rope in keyholes with Coulomb's friction")
{
    const World world = check_all(kKeyhole);
    CHECK(test::row_of(world, "rope[16]").position.y < -0.05); // it runs
}
