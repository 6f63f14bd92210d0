// Strands that begin inside of things: told, eased out, and held by their roots alone.

#include "sinew/world.h"

#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using sinew::test::make_world;

namespace {

constexpr const char* kHair =
    "radius(1 mm); mass_per_length(0.004); bend_stiffness(2e-5); damping(0.08); "
    "surface(friction = 0.3); ";

/// How deep the nodes from `first` on are in a ball of this radius about a centre [m].
double depth_in_ball(const World& world, std::size_t first, const Vec3& centre, double radius)
{
    const std::vector<Vec3> nodes = world.frame().nodes;
    double deepest = 0;
    for (std::size_t i = first; i < nodes.size(); ++i)
        deepest = std::max(deepest, radius + 0.001 - length(nodes[i] - centre));
    return deepest;
}

const Problem* find_note(const World& world, const std::string& code)
{
    for (const Problem& note : world.start_notes())
        if (note.code == code)
            return &note;
    return nullptr;
}

/// A lock whose middle is 20 mm in a ball, away from its root.
std::string through_a_ball()
{
    return std::string("def lock strand(line(0,0,0, 0,-0.3,0), segments = 20); ") + kHair +
           "end;\nlock translate(0.03, 0.15, 0);\n"
           "def ball obstacle(); sphere(0.05); end; ball;\nsimulate(0 sec, 2 sec, step = 1/96);\n";
}

} // namespace

TEST_CASE("strands that start inside something are told with count, names and depth")
{
    const World world = make_world(through_a_ball());

    const Problem* note = find_note(world, "strands-inside");

    REQUIRE(note);
    CHECK(note->severity == Severity::warning);
    CHECK(note->what.find("'lock'") != std::string::npos);
    CHECK(note->what.find("inside 'ball', up to 21 mm deep") != std::string::npos);
}

TEST_CASE("strands that start inside something are eased out and touch from then on")
{
    World world = make_world(through_a_ball());
    CHECK(depth_in_ball(world, 0, {0, 0, 0}, 0.05) > 0.02);
    double fastest = 0;
    for (int i = 1; i <= 30; ++i) {
        const std::vector<Vec3> before = world.frame().nodes;
        REQUIRE_FALSE(world.advance(i / 96.0).fault);
        const std::vector<Vec3> after = world.frame().nodes;
        for (std::size_t k = 0; k < after.size(); ++k)
            fastest = std::max(fastest, length(after[k] - before[k]) * 96);
    }
    CHECK(fastest < 0.5); // 21 mm in a quarter of a second, and what swings on
    for (int i = 31; i <= 96; ++i) {
        REQUIRE_FALSE(world.advance(i / 96.0).fault);
        CHECK(depth_in_ball(world, 0, {0, 0, 0}, 0.05) < 1e-4);
    }
}

TEST_CASE("a strand that a ball leaves and meets again touches it then")
{
    World world =
        make_world(std::string("def cord strand(line(0,0,0, 0,-0.4,0), segments = 20); ") + kHair +
                   "end;\ncord translate(0.001, 0.2, 0.002);\n"
                   "def ball obstacle(); sphere(0.05); end;\n"
                   "ball translatex({0 at 0 sec slowinout 0.3 at 0.6 sec slowinout -0.1 "
                   "at 1.6 sec});\nsimulate(0 sec, 2 sec, step = 1/96);\n");
    for (int i = 1; i <= 192; ++i) {
        REQUIRE_FALSE(world.advance(i / 96.0).fault);
        if (i < 60)
            continue;
        const double t = i / 96.0, s = std::clamp(t - 0.6, 0.0, 1.0);
        const double x = 0.3 - 0.4 * s * s * (3 - 2 * s);
        CHECK(depth_in_ball(world, 0, {x, 0, 0}, 0.05) < 1e-4);
    }
}

TEST_CASE("roots stay under the skin they grow from, without a word")
{
    World world = make_world(
        std::string("def lock strand(line(0,0,0, 0.2,0.02,0), segments = 20); ") + kHair +
        "end;\ndef head obstacle(); sphere(0.1); end; head;\n"
        "lock translate(0.094, 0, 0);\nsimulate(0 sec, 1 sec, step = 1/96);\n");
    CHECK_FALSE(find_note(world, "strands-inside"));
    REQUIRE_FALSE(world.advance(0.5).fault);
    CHECK(length(world.frame().nodes.front() - Vec3{0.094, 0, 0}) < 1e-12);
    CHECK(depth_in_ball(world, 2, {0, 0, 0}, 0.1) < 1e-4);
}

TEST_CASE("what hangs together from a root on the skin through a ball is eased out of it")
{
    World world = make_world(
        std::string("def lock strand(line(0,0,0, 0.02,-0.4,0), segments = 25); ") + kHair +
        "end;\ndef head obstacle(); sphere(0.1); end; head;\n"
        "lock translate(0.01, 0.1, 0.02);\nsimulate(0 sec, 2 sec, step = 1/96);\n");
    CHECK(find_note(world, "strands-inside"));
    REQUIRE_FALSE(world.advance(2).fault);
    CHECK(depth_in_ball(world, 4, {0, 0, 0}, 0.1) < 2e-4);
}

TEST_CASE("a snapshot keeps what is still inside")
{
    World world = make_world(through_a_ball()), other = make_world(through_a_ball());
    REQUIRE_FALSE(world.advance(0.1).fault);
    REQUIRE(other.restore(world.snapshot()));
    CHECK(other.state_hash() == world.state_hash());
    REQUIRE_FALSE(world.advance(0.4).fault);
    REQUIRE_FALSE(other.advance(0.4).fault);
    CHECK(other.state_hash() == world.state_hash());
}
