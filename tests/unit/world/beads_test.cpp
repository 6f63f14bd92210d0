// Pearls on a rope that is drawn straight between ends 2 % nearer than its length.

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
