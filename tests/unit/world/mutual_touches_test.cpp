// Strands that touch each other, in lanes: as rows have them, with the same bits for any number of
// threads, and in no more time than others take.

#include "sinew/world.h"

#include "math/functions.h"
#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using test::make_world;

namespace {

/// A rope that falls across a bar, both of which give way. What bounces moves by rows.
std::string rope_and_bar(const std::string& surface)
{
    return "def rope strand(line(0,0,0, 1,0,0), segments = 16); radius(1 cm); "
           "bend_stiffness(1e-3); damping(0.05); air_drag(1, 1); mass_per_length(0.3); " +
           surface +
           " end;\n"
           "def bar strand(line(0,0,-0.5, 0,0,0.5), segments = 10); radius(1 cm); "
           "bend_stiffness(4); damping(0.05); air_drag(1, 1); mass_per_length(0.3); " +
           surface +
           " end;\n"
           "bar translate(0.3, -0.15, 0); rope;\nstrands(touch = each_other);\n"
           "simulate(0 sec, 6 sec, step = 1/96);\n";
}

/// Hanging strands side by side, each of its own stiffness, on a base that goes to and fro.
std::string tuft(int rows, double speed = 1)
{
    const std::string n = std::to_string(rows);
    const auto at = [&](double time) { return std::to_string(time / speed) + " sec"; };
    return "def lock(k) strand(line(0,0,0, 0,-0.15,0), segments = 12); radius(1 mm); "
           "mass_per_length(0.004); bend_stiffness(2e-5 * (1 + k)); damping(0.05); "
           "air_drag(0.001, 0.002); surface(friction = 0.3); end;\n"
           "def head for i in 1.." +
           n + " for j in 1.." + n + " s[" + n +
           " * i + j] = lock(0.9 * sin(2 * i + 3 * j)) translate(0.0027 * i, 0, 0.0027 * j); "
           "end; end; end;\nh = head translatex({0 at 0 sec slowinout 0.1 at " +
           at(0.4) + " slowinout 0 at " + at(0.8) + "}) translatez({0 at 0 sec slowinout 0.05 at " +
           at(0.3) + " slowinout 0 at " + at(0.9) +
           "});\nstrands(touch = each_other);\nsimulate(0 sec, 1 sec, step = 1/96);\n";
}

/// How near the axes of two of the strands come, away from their roots [m].
double nearest_axes(const Frame& frame, std::size_t nodes)
{
    double nearest = 1e9;
    const std::size_t strands = frame.nodes.size() / nodes;
    const auto point = [&](std::size_t strand, std::size_t i) {
        const Vec3* n = &frame.nodes[strand * nodes + i / 4];
        return n[0] + (n[1] - n[0]) * (0.25 * double(i % 4));
    };
    for (std::size_t a = 0; a < strands; ++a)
        for (std::size_t b = a + 1; b < strands; ++b)
            for (std::size_t i = 8; i < 4 * (nodes - 1); ++i)
                for (std::size_t j = 8; j < 4 * (nodes - 1); ++j)
                    nearest = std::min(nearest, length(point(a, i) - point(b, j)));
    return nearest;
}

} // namespace

TEST_CASE("strands: what touches each other in lanes rests as it does by rows")
{
    World lanes = make_world(rope_and_bar("surface(friction = 0);")),
          rows = make_world(rope_and_bar("surface(friction = 0, bounce = 1e-9);"));
    REQUIRE_FALSE(lanes.advance(6).fault);
    REQUIRE_FALSE(rows.advance(6).fault);
    const Frame a = lanes.frame(), b = rows.frame();
    const std::size_t rope = a.nodes[0].x == 0 ? 0 : 11, bar = rope == 0 ? 17 : 0;
    const double sag = -0.15 - a.nodes[bar + 10].y;
    CHECK(sag > 0.01); // the rope lies on it
    double off = 0;
    for (std::size_t i = 0; i < a.nodes.size(); ++i)
        off = std::max(off, length(a.nodes[i] - b.nodes[i]));
    MESSAGE("rows and lanes differ by ", off, " m");
    CHECK(off < 2e-3); // of 0.8 m that the rope hangs down
}

TEST_CASE("strands: a tuft whose strands touch keeps them apart, on any number of threads")
{
    World one = make_world(tuft(4)), three = make_world(tuft(4), 3);
    for (int i = 1; i <= 24; ++i) {
        REQUIRE_FALSE(one.advance(i / 24.0).fault);
        REQUIRE_FALSE(three.advance(i / 24.0).fault);
        CHECK(nearest_axes(one.frame(), 13) > 0.0019);
    }
    CHECK(one.state_hash() == three.state_hash());
}

TEST_CASE("strands: a tuft that is shaken four times as fast passes nothing through")
{
    World world = make_world(tuft(3, 4));
    for (int i = 1; i <= 24; ++i) {
        REQUIRE_FALSE(world.advance(i / 24.0).fault);
        CHECK(nearest_axes(world.frame(), 13) > 0.0015);
    }
}

TEST_CASE("strands: a touch between two goes on from a snapshot with the same bits")
{
    World whole = make_world(tuft(3)), resumed = make_world(tuft(3));
    REQUIRE_FALSE(whole.advance(0.5).fault);
    REQUIRE(resumed.restore(whole.snapshot()));
    REQUIRE_FALSE(whole.advance(1).fault);
    REQUIRE_FALSE(resumed.advance(1).fault);
    CHECK(whole.state_hash() == resumed.state_hash());
}
