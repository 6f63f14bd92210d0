// Rods that touch strands.

#include "sinew/world.h"
#include "support/worlds.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

using namespace sinew;
using sinew::test::make_world;

namespace {

/// Two bars that are clamped at z = −0.2 and go along z, 0.4 m apart, and a rope.
const std::string kBars =
    "def bar strand(line(0,0,-0.2, 0,0,0.2), segments = 8); radius(8 mm); mass_per_length(0.2); "
    "bend_stiffness(40); damping(0.02); surface(friction = 0.5); end;\n"
    "left = bar translatex(-0.2); right = bar translatex(0.2);\n"
    "def rope rod(line(-0.5,0,0, 0.5,0,0), spans = 16, radius = 5 mm, young = 2e8, density = 1000, "
    "damping = 5 ms); surface(friction = 0.5); end;\n";
const std::string kStep = "simulate(0 sec, 2 sec, step = 1 / 240);\n";

void run(World& world, double until)
{
    for (double t = 0.05; t <= until + 1e-9; t += 0.05)
        REQUIRE_FALSE(world.advance(t).fault);
}

double lowest_node(const World& world)
{
    double lowest = 1e300;
    for (const Vec3& node : world.frame().nodes)
        lowest = std::min(lowest, node.y);
    return lowest;
}

Vec3 force_on(const World& world, const std::string& object)
{
    Vec3 sum = {0, 0, 0};
    for (const ActingForce& force : world.forces())
        if (force.kind == ActingForce::Kind::contact &&
            world.scene().objects[force.object.index].name == object)
            sum += force.force;
    return sum;
}

} // namespace

TEST_CASE("a rope that falls on two strands lies on them, and they carry its weight")
{
    World world = make_world(kBars + "rope translatey(0.05);\nrods(contact = all);\n" + kStep);
    run(world, 2);
    CHECK(world.energy().kinetic < 1e-4);
    const double weight = 1000 * 3.14159265358979 * 25e-6 * 9.81; // of a metre
    CHECK(force_on(world, "rope").y == doctest::Approx(weight).epsilon(0.01));
    REQUIRE(world.contacts().size() == 2);
    for (const Contact& contact : world.contacts()) {
        CHECK(std::abs(contact.gap) < 1e-5);
        CHECK(std::abs(std::abs(contact.place.x) - 0.2) < 0.02);
    }
}

TEST_CASE("rods touch strands by rods(contact = all) alone, in either order of statements")
{
    const auto lowest = [](const std::string& text) {
        World world = make_world(text);
        run(world, 0.6);
        return lowest_node(world);
    };
    CHECK(lowest(kBars + "rope translatey(0.05);\n" + kStep) < -1);
    const double one = lowest(kBars + "rope translatey(0.05);\nrods(contact = all);\n" + kStep);
    const double other =
        lowest(kStep + "rods(contact = all);\n" + kBars + "rope translatey(0.05);\n");
    CHECK(one > -0.3);
    CHECK(one == other);
}

TEST_CASE("a rope that slips over a strand is held by friction, and runs off without")
{
    // Most of the rope hangs on one side: T2/T1 = 1.5 < exp(0.8 pi), and > 1.
    const auto fallen = [](double friction) {
        const std::string mu = std::to_string(friction);
        World world = make_world(
            "def bar strand(line(0,0,-0.2, 0,0,0.2), segments = 8); radius(20 mm); "
            "mass_per_length(1); bend_stiffness(400); damping(0.02); surface(friction = " +
            mu +
            "); end; bar;\n"
            "def rope rod(polyline(-0.0255,-0.4,0, -0.0255,0,0, -0.018,0.018,0, 0,0.0255,0, "
            "0.018,0.018,0, 0.0255,0,0, 0.0255,-0.6,0), spans = 40, radius = 5 mm, young = 2e6, "
            "density = 1000, rest = straight, damping = 5 ms); surface(friction = " +
            mu + "); end; rope;\nrods(contact = all);\n" + kStep);
        run(world, 1.5);
        return lowest_node(world);
    };
    CHECK(fallen(0.8) > -0.75);
    CHECK(fallen(0) < -2);
}

TEST_CASE("a rope thrown at a strand does not pass through it")
{
    for (const double speed : {2.0, 10.0, 30.0}) {
        World world =
            make_world(kBars + "rope translatey(0.3) velocity(0, -" + std::to_string(speed) +
                       ", 0);\nrods(contact = all);\ngravity(0, 0, 0);\n" + kStep);
        const double until = 0.3 / speed + 0.02;
        REQUIRE_FALSE(world.advance(until).fault);
        INFO("speed ", speed);
        for (const Contact& contact : world.contacts())
            CHECK(contact.gap > -3e-3);                  // of 13 mm between the axes
        for (const char* node : {"rope[5]", "rope[11]"}) // above the bars, at x = -0.19 and 0.19
            CHECK(test::row_of(world, node).position.y > -0.25);
        const double high = test::row_of(world, "left[4]").position.y;
        CHECK(high < 0); // the bar has felt it
    }
}

TEST_CASE("a strand that is drawn in the rod it stands on is not pushed along it")
{
    // The end of a piece of the rod would push the tip with 0.9 mm of overlap.
    World world = make_world(
        "def tuft strand(line(0,0,0, 0,0.08,0), segments = 3); radius(3 mm); mass_per_length(0.1); "
        "bend_stiffness(0.01); damping(0.05); end;\n"
        "def rope rod(line(0.85,0.1,0, 1.25,0.263,0), spans = 10, radius = 8 mm, young = 7.6e7, "
        "damping = 5 ms); end;\nr = rope;\ntuft on r at 0.5 along;\n"
        "position_constraint(r at 0 along, point(0.85, 0.1, 0));\n"
        "position_constraint(r at 1 along, point(1.25, 0.263, 0));\nrods(contact = all);\n"
        "gravity(0, 0, 0);\n" +
        kStep);
    const Energy start = world.energy();
    REQUIRE(start.kinetic == 0);
    run(world, 0.2);
    const Energy now = world.energy();
    CHECK(now.kinetic + std::abs(now.potential - start.potential) < 1e-9);
}

TEST_CASE("a rope that is tied to a strand passes through it there, and does not shake")
{
    World world = make_world(
        "def bar strand(line(0,0,0, 0.3,0,0), segments = 6); radius(8 mm); mass_per_length(0.2); "
        "bend_stiffness(4); damping(0.02); end; bar;\n"
        "def rope rod(line(0.3,0,0, 0.3,-0.5,0), spans = 10, radius = 5 mm, young = 2e7, density = "
        "1000, damping = 5 ms); end; rope;\n"
        "fusion(rope at 0 along, bar at 1 along, tangent = free);\nrods(contact = all);\n" +
        kStep);
    run(world, 2);
    CHECK(world.contacts().empty());
    CHECK(world.energy().kinetic < 1e-4);
}
