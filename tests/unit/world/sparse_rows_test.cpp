// Islands of many rows: bodies, linkages, rods and strands that touch and hold each other.

#include "sinew/world.h"
#include "support/worlds.h"

#include <cmath>
#include <doctest/doctest.h>

using namespace sinew;
using sinew::test::make_world;

namespace {

const std::string kBricks =
    "def floor obstacle(); plane(0, 1, 0, 0); material(friction = 0.6); end; floor;\n"
    "def brick body(density = 1800); box(0.24, 0.065, 0.115); material(friction = 0.6); lug = "
    "label(); end;\n";

/// A wall of `courses` of six bricks from a height on.
std::string wall(int courses, double height)
{
    return "for r in 0.." + std::to_string(courses - 1) +
           " for i in 0..5 b[6 * r + i] = brick translate((i - 2.5 + 0.25 * mod(r, 2)) * 0.25, " +
           std::to_string(height) + " + 0.0325 + 0.065 * r, 0); end; end;\n";
}

const std::string kTray =
    "dynamic a; a = initial(0, 0); def arm box_mass(20, 1, 0.1, 0.1); tip = label(); end; arm "
    "rotatez(a) translatey(0.5); spring_and_damper(a, 0, 20000, 400);\n"
    "def tray body(mass = 5); box(2.4, 0.04, 0.4); material(friction = 0.6); end; tray "
    "translatey(0.5); fixed_joint(tray, arm.tip);\n";

const std::string kSlowly = "simulate(0 sec, 1 sec, step = 1 / 240);\n";

double height(const World& world, const std::string& name)
{
    return test::row_of(world, name).position.y;
}

} // namespace

TEST_CASE("sparse rows: a wall stands on the tray of a linkage, as firm as on the ground")
{
    World world = make_world(kBricks + kTray + wall(3, 0.52) + kSlowly);
    const double start = height(world, "b[14]");
    const StepReport report = world.advance(0.2);
    CHECK(report.converged);
    CHECK(std::abs(height(world, "b[14]") - start) < 1e-3);
    CHECK(world.energy().kinetic < 1e-4);
}

TEST_CASE("sparse rows: a spring on one brick of a wall leaves the wall alone")
{
    World world = make_world(kBricks + wall(5, 0) +
                             "hook = label() translate(-0.5, 1, 0); spring_and_damper(b[3].lug, "
                             "hook, 0.5, 1, 0.5);\n" +
                             kSlowly);
    const double start = height(world, "b[27]");
    const StepReport report = world.advance(0.1);
    CHECK(report.converged);
    CHECK(std::abs(height(world, "b[27]") - start) < 1e-5);
}

TEST_CASE("sparse rows: the same bits for any thread count and after restore")
{
    const std::string script =
        kBricks + kTray + wall(3, 0.55) +
        "def rope rod(line(0,0,0, 1,0,0), spans = 12, radius = 5 mm, young = 1e7); end; rope "
        "translate(-0.5, 0.76, 0); fusion(rope at 1 along, b[17].lug, tangent = free); "
        "assemble();\n" +
        kSlowly;
    World one = make_world(script, 1), many = make_world(script, 3);
    one.advance(0.05);
    many.advance(0.05);
    const std::vector<std::byte> middle = one.snapshot();
    one.advance(0.1);
    many.advance(0.1);
    CHECK(one.state_hash() == many.state_hash());
    World again = make_world(script, 2);
    REQUIRE(again.restore(middle));
    again.advance(0.1);
    CHECK(again.state_hash() == one.state_hash());
}

TEST_CASE("sparse rows: a tray that swings carries its wall along at any step")
{
    std::string swinging = kTray;
    swinging.replace(swinging.find("initial(0, 0)"), 13, "initial(0, 0.4)");
    const std::string script = kBricks + swinging + wall(3, 0.52);
    double coarse = 0;
    for (const char* step : {"1 / 240", "1 / 960"}) {
        World world = make_world(script + "simulate(0 sec, 1 sec, step = " + step + ");\n");
        bool has_converged = true;
        for (int i = 1; i <= 24; ++i)
            has_converged &= world.advance(i / 240.0).converged;
        CHECK(has_converged);
        const double now = height(world, "b[17]");
        CAPTURE(now);
        if (coarse == 0)
            coarse = now;
        else
            CHECK(std::abs(now - coarse) < 2e-4);
    }
}

TEST_CASE("rows: a spring that is hardly there changes nothing for a crate at rest")
{
    for (const char* stiffness : {"1e-6", "1e-9", "1e-12"}) {
        CAPTURE(stiffness);
        World world = make_world(kBricks +
                                 "b = brick translatey(0.0325); hook = label() "
                                 "translate(0, 1, 0); spring_and_damper(b.lug, hook, "
                                 "0.5, " +
                                 stiffness + ", 0);\nsimulate(0 sec, 1 sec, step = 2 ms);\n");
        const StepReport report = world.advance(0.02);
        CHECK(report.converged);
        CHECK(world.energy().kinetic < 1e-11); // of 3.2 kg
    }
}
