// Pearls that begin elsewhere than they are drawn: on a rope that is drawn straight between ends 2
// % nearer than its length, and on a limp one, which runs through them as through eyes.

#include "support/worlds.h"

#include <doctest/doctest.h>

#include <fmt/core.h>

using namespace sinew;
using sinew::test::make_world;
using sinew::test::row_of;

namespace {

std::string necklace(int count, double friction)
{
    std::string text =
        "def rope rod(line(0,0,0, 9.8,0,0), spans = 100, radius = 5 mm, young = 1e8, "
        "damping = 5 ms); end;\nrope;\n"
        "position_constraint(rope at 0 along, point(0,0,0));\n"
        "position_constraint(rope at 1 along, point(9.604,0,0));\n"
        "def bead body(mass = 0.01); sphere(1 cm); end;\n";
    for (int i = 0; i < count; ++i)
        text += fmt::format("b{0} = bead translatex({1}); pearl(b{0}, rope, from = {2}, friction = "
                            "{3});\n",
                            i, 9.8 * (i + 0.5) / count, (i + 0.5) / count, friction);
    return text + "rods(contact = none);\nassemble();\nsimulate(0 sec, 0.25 sec, step = 4 ms);\n";
}

} // namespace

TEST_CASE("pearls: assemble() puts beads where they begin on the rope, and the necklace runs")
{
    for (const double friction : {0.0, 0.1}) {
        CAPTURE(friction);
        World world = make_world(necklace(50, friction));
        for (int i = 0; i < 50; ++i) { // a hundredth nearer the middle at either end
            const Vec3 bead = row_of(world, fmt::format("b{}", i)).position;
            CHECK(bead.x == doctest::Approx(9.604 * (i + 0.5) / 50).epsilon(0.01));
            CHECK(std::abs(bead.y) < 1e-3);
        }
        for (int step = 1; step <= 60; ++step) {
            const StepReport report = world.advance(step * 0.004);
            REQUIRE_FALSE(report.fault);
        }
        CHECK(row_of(world, "b25").position.y < -0.1);
    }
}

TEST_CASE("pearls: assemble() puts beads on limp ropes too, wherever they are drawn")
{
    for (const double down : {0.3, 0.0}) { // drawn as it can hang, and straight, 2 % too long
        CAPTURE(down);
        const double end = down > 0 ? 1 : 0.98;
        World world = make_world(
            "def bead body(density = 1000); sphere(0.02); end;\n"
            "def rope rod(polyline(0,0,0, 0.5," +
            std::to_string(-down) +
            ",0, 1,0,0), spans = 20, radius = 4 mm, young = 1e6, density = 900, damping = 0.02); "
            "end;\n"
            "rope;\n"
            "for i in 1..4 b[i] = bead translate(0.5, 0.2, 0.01); pearl(b[i], rope, from = 0.2 * "
            "i, friction = 0.1); end;\n"
            "position_constraint(rope at 0 along, point(0,0,0));\n"
            "position_constraint(rope at 1 along, point(" +
            std::to_string(end) + ",0,0));\nassemble();\nsimulate(0 sec, 1 sec);\n");
        for (const Problem& note : world.start_notes())
            CHECK(note.code != "bodies-overlap"); // they do where they are drawn
        const double length = 2 * std::hypot(0.5, down);
        const std::vector<Vec3> nodes = world.frame().nodes;
        double drawn = 0;
        for (std::size_t i = 1; i < nodes.size(); ++i)
            drawn += sinew::length(nodes[i] - nodes[i - 1]);
        CHECK(drawn == doctest::Approx(length).epsilon(0.02));
        for (int i = 1; i <= 4; ++i) {
            const Vec3 bead = row_of(world, fmt::format("b[{}]", i)).position;
            CHECK(sinew::length(bead - nodes[std::size_t(4 * i)]) < 1e-3);
        }
        for (int step = 1; step <= 24; ++step)
            REQUIRE_FALSE(world.advance(step / 24.0).fault);
        for (int i = 1; i <= 4; ++i)
            CHECK(row_of(world, fmt::format("b[{}]", i)).position.y > -0.6);
    }
}
