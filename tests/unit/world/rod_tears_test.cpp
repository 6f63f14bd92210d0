// Ropes that tear where they are pulled hardest, and weak points, against closed forms.

#include "sinew/world.h"

#include "support/worlds.h"

#include <doctest/doctest.h>

#include <string>

using namespace sinew;
using test::make_world;

namespace {

constexpr double kPi = 3.14159265358979323846, kGravity = 9.81;
constexpr double kMass = 1000 * kPi * 25e-6; // of 1 m, 5 mm

/// A rope that is pulled down by 50 N more every second.
std::string pulled(const std::string& more)
{
    return "def rope rod(line(0,0,0, 0,-1,0), spans = 10, young = 1e8, damping = 5 ms); end; "
           "rope; settle();\nposition_constraint(rope at 0 along, point(0,0,0));\n"
           "force(rope at 1 along, 0, -50*time, 0);\n" +
           more + "simulate(0 sec, 2 sec, step = 1/240);\n";
}

/// Runs until something tears, or to the end; what was said of it.
std::string tear(World& world, double until)
{
    while (world.time() < until - 1e-9) {
        const StepReport report = world.advance(world.time() + 1.0 / 240);
        REQUIRE_FALSE(report.fault);
        for (const Problem& problem : report.warnings)
            if (problem.code == "rod-constraint-broken")
                return problem.what;
    }
    return "";
}

} // namespace

TEST_CASE("tears: a rope tears when and where the force in it is highest")
{
    World world = make_world(pulled("cut(rope, breaks = 20);\n"));
    // The highest weak point carries the pull and four fifths of the rope.
    const double due = (20 - 0.8 * kMass * kGravity) / 50;
    const std::string told = tear(world, 1);
    CHECK(world.time() == doctest::Approx(due).epsilon(0.01));
    CHECK(told.starts_with("'rope' tore at 0.2 along after 0.3"));
}

TEST_CASE("tears: it tears once, and the pieces go on")
{
    World world = make_world(pulled("cut(rope, breaks = 20);\n"));
    REQUIRE(tear(world, 1) != "");
    const double torn = world.time(), from = test::row_of(world, "rope.piece[2][0]").position.y;
    REQUIRE_FALSE(world.advance(torn + 0.5).fault);
    CHECK(tear(world, torn + 0.8) == "");
    // What is left hangs and carries its own weight.
    CHECK(world.frame().sections[0].tension ==
          doctest::Approx(0.2 * kMass * kGravity).epsilon(0.02));
    CHECK(test::row_of(world, "rope.piece[2][0]").position.y < from - 1);
}

TEST_CASE("tears: a weak point tears there, and what is weaker before what is stronger")
{
    World world = make_world(pulled("cut(rope at 0.7 along, breaks = 20);\n"
                                    "cut(rope at 0.3 along, breaks = 30);\n"));
    const std::string told = tear(world, 1);
    CHECK(told.starts_with("'rope' tore at 0.7 along"));
    CHECK(world.time() == doctest::Approx((20 - 0.3 * kMass * kGravity) / 50).epsilon(0.01));
}

TEST_CASE("tears: until it tears a rope hangs as a whole one")
{
    const auto sag = [](const std::string& more, const std::string& hold) {
        World world = make_world(
            "def rope rod(line(0,0,0, 1,0,0), spans = 20, young = 1e8, damping = 5 ms); end; "
            "rope; assemble;\nposition_constraint(rope at 0 along, point(0,0,0));\n"
            "position_constraint(rope at 1 along, point(0.8,0,0));\n" +
            more + "simulate(0 sec, 1 sec, step = 1/240);\n");
        REQUIRE_FALSE(world.advance(1).fault);
        return test::row_of(world, hold).load->force;
    };
    const Vec3 whole = sag("", "rope.position_constraint#2"),
               weak = sag("cut(rope, breaks = 1000);\n", "rope.piece[10].position_constraint");
    CHECK(weak.x == doctest::Approx(whole.x).epsilon(0.002));
    CHECK(weak.y == doctest::Approx(whole.y).epsilon(0.002));
}
