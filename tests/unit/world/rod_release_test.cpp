// What lets go of rods, what they come on to afterwards, and rods without inertia that jump.

#include "sinew/world.h"

#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using test::make_world;

namespace {

Vec3 place_of(const World& world, const std::string& name)
{
    return test::row_of(world, name).position;
}

const std::string kWire =
    "def wire rod(line(0,0,0, 1,0,0), spans = 20, radius = 2 mm, young = 1e9, density = 2000, "
    "length = 0.99); end; wire;\n"
    "position_constraint(wire at 0 along, point(0,0,0));\n"
    "position_constraint(wire at 1 along, point(1,0,0));\n"
    "def bead body(mass = 0.1); sphere(15 mm); end; b = bead translatex(0.5);\n";

} // namespace

TEST_CASE("rods: what is let go of falls freely, though rod and body are in each other")
{
    const auto fall = [](const std::string& hold) {
        World world = make_world(kWire + hold + "simulate(0 sec, 1 sec, step = 1/240);\n");
        REQUIRE_FALSE(world.advance(0.1).fault);
        const double from = place_of(world, "b").y;
        REQUIRE_FALSE(world.advance(0.6).fault);
        return place_of(world, "b").y - from;
    };
    const double free = fall("pearl(b, wire, from = 0.5, until = 0.1);\nrods(contact = none);\n");
    CHECK(free < -0.9 * 0.5 * 9.81 * 0.25);
    CHECK(fall("pearl(b, wire, from = 0.5, until = 0.1);\n") ==
          doctest::Approx(free).epsilon(0.01));
    CHECK(fall("fusion(wire at 0.5 along, b, until = 0.1);\n") ==
          doctest::Approx(free).epsilon(0.02));
}

TEST_CASE("rods: what was let go of and comes back lies on the rod")
{
    World world = make_world(
        "def wire rod(line(-0.5,0,0, 0.5,0,0), spans = 20, radius = 5 mm, young = 1e9, density = "
        "2000, length = 0.99, damping = 5 ms); end; wire;\n"
        "position_constraint(wire at 0 along, point(-0.5,0,0));\n"
        "position_constraint(wire at 1 along, point(0.5,0,0));\n"
        "def plank body(mass = 0.2); box(0.1, 0.02, 0.4); end; b = plank;\n"
        "fusion(wire at 0.5 along, b, until = 0.01);\n"
        "force(b, 0, {20 at 0 sec hold 0 at 0.1 sec}, 0);\n"
        "simulate(0 sec, 2 sec, step = 1/480);\n");
    double highest = -1, lowest = 1;
    for (int i = 1; i <= 40; ++i) {
        REQUIRE_FALSE(world.advance(i / 40.0).fault);
        highest = std::max(highest, place_of(world, "b").y);
        if (i < 36) // then it may have tipped over
            lowest = std::min(lowest, place_of(world, "b").y);
    }
    CHECK(highest > 0.1);
    CHECK(lowest > -0.06); // it comes back at 0.5 s and is caught
}

TEST_CASE("rods: `breaks` feels all that a constraint pushes with")
{
    const auto holds = [](const std::string& script) {
        World world = make_world(script + "simulate(0 sec, 1 sec, step = 1/240);\n");
        double broken = 0;
        for (int i = 1; i <= 24; ++i) {
            const StepReport report = world.advance(i / 24.0);
            REQUIRE_FALSE(report.fault);
            for (const Problem& problem : report.warnings)
                broken += problem.code == "rod-constraint-broken";
        }
        return broken == 0;
    };
    const std::string cable =
        "def cable rod(line(0,0,0, 1,0,0), spans = 16, radius = 3 mm, young = 1e7, density = 3540, "
        "damping = 50 ms); end; cable;\nposition_constraint(cable at 0 along, point(0,0,0));\n";
    // Across the circle's plane half the weight, which only the row of the plane bears.
    const std::string circle = "circle_constraint(cable at 1 along, point(1, 0, 0.2), 0, 1, 0, "
                               "radius = 0.2, breaks = ";
    CHECK_FALSE(holds(cable + circle + "0.1);\n"));
    CHECK(holds(cable + circle + "50);\n"));
    // A pearl on its stop weighs 0.98 N along the rod.
    const std::string pearl =
        "def pole rod(line(0,1,0, 0,0,0), spans = 10, radius = 5 mm, young = 1e9); end; pole;\n"
        "position_constraint(pole at 0 along, point(0,1,0));\n"
        "position_constraint(pole at 1 along, point(0,0,0));\n"
        "def bead body(mass = 0.1); sphere(15 mm); end; b = bead translatey(0.45);\n"
        "pearl(b, pole, from = 0.55, high = 0.56, breaks = ";
    CHECK_FALSE(holds(pearl + "0.5);\n"));
    CHECK(holds(pearl + "500);\n"));
}

TEST_CASE("rods: a second statement of `rods` leaves what the first said")
{
    const Scene scene = test::sound_scene(
        "def c rod(line(0,0,0, 1,0,0)); end; c;\nrods(iterations = 3, tolerance = 1e-4);\n"
        "rods(stepping = quasi_static);\nrods(contact = all);\n");
    CHECK(scene.settings.rods.iterations == 3);
    CHECK(scene.settings.rods.tolerance == 1e-4);
    CHECK(scene.settings.rods.is_quasi_static);
    CHECK(scene.settings.rods.contact == RodContact::all);
}

TEST_CASE("rods(stepping = quasi_static): what jumps comes to rest again")
{
    const std::string start =
        "def cable rod(line(0,0,0, 1,0,0), spans = 24, radius = 3 mm, young = 1e7, density = 1200, "
        "length = 1.1, damping = 10 ms); end; cable;\n"
        "position_constraint(cable at 0 along, point(0,0,0));\n";
    const std::string end = "position_constraint(cable at 1 along, point(1,0,0)",
                      calm = "rods(stepping = quasi_static, contact = none);\n";
    for (const std::string& jump :
         {end + ");\ncut(cable at 0.5 along, when = 0.5);\n", end + ", until = 0.5);\n",
          end + ");\nforce(cable at 0.5 along, 0, {0 at 0 sec hold 0.2 at 0.5 sec}, 0);\n",
          end + ", active = {1 at 0 sec hold 0 at 0.5 sec});\n",
          std::string("position_constraint(cable at 1 along, point({1 at 0 sec linear 0.8 at 1 "
                      "sec},0,0));\n") +
              "keyhole(cable, point(0.5,-0.1,0), from = 0.5);\nassemble();\n"}) {
        INFO(jump);
        World world = make_world(start + jump + calm + "simulate(0 sec, 2 sec, step = 1/60);\n");
        CHECK_FALSE(world.advance(2).fault);
    }
}

TEST_CASE("rods: the end of one that touches another at any angle lies on it")
{
    for (const double degrees : {8.0, 20.0, 30.0, 45.0, 90.0}) {
        INFO(degrees);
        const double angle = degrees * 3.14159265358979 / 180, x = std::cos(angle),
                     y = std::sin(angle);
        const auto number = [](double v) { return std::to_string(v); };
        World world = make_world(
            "def bar rod(line(-0.5,0,0, 0.5,0,0), spans = 10, radius = 1 cm, young = 1e9); end; "
            "bar;\nfor i in 0..4 position_constraint(bar at i / 4 along, point(i / 4 - 0.5,0,0)); "
            "end;\n"
            "def stick rod(line(0,0,0, " +
            number(-0.6 * x) + "," + number(0.6 * y) +
            ",0), spans = 10, radius = 1 cm, young = 1e9); end; stick translatey(0.03);\n"
            "force(stick at 0 along, 0, -3, 0);\n"
            "orientation_constraint(stick at 0.5 along, " +
            number(-x) + ", " + number(y) + ", 0);\naxis_constraint(stick at 0.5 along, line(" +
            number(-0.3 * x) + "," + number(0.03 + 0.3 * y) + ",0, " + number(-0.3 * x) + "," +
            number(0.3 * y - 1) +
            ",0));\ngravity(0, -1, 0);\nrods(contact = all);\n"
            "simulate(0 sec, 1 sec, step = 1/240);\n");
        REQUIRE_FALSE(world.advance(1).fault);
        double nearest = 1;
        const Frame frame = world.frame();
        for (const Vec3& node : frame.nodes)
            if (node.y > 0.005)
                nearest = std::min(nearest, node.y);
        CHECK(nearest > 0.0195);
        CHECK(nearest < 0.0215);
    }
}
