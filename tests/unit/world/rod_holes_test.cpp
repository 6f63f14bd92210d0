// Rods in holes: drawn through them, stopped by them, through what has them.

#include "support/worlds.h"

#include <cmath>
#include <doctest/doctest.h>

using namespace sinew;
using sinew::test::make_world;

namespace {

Vec3 node(const World& world, const std::string& name)
{
    return test::row_of(world, name).position;
}

const std::string kCable = "def cable rod(line(0,0,0, 1,0,0), spans = 20, radius = 4 mm, young = "
                           "1e8, density = 1000, damping = 5 ms); end; cable;\n"
                           "gravity(0, 0, 0);\n";

} // namespace

TEST_CASE("rod in a hole: `slide` draws it through at that speed, also one that changes")
{
    World steady = make_world(kCable + "keyhole(cable, point(0.5,0,0), from = 0.5, slide = 1);");
    steady.advance(0.1); // what the sudden start shakes has come to rest
    const double before = node(steady, "cable[10]").x;
    steady.advance(0.3);
    CHECK(std::abs(node(steady, "cable[10]").x - before - 0.2) < 1e-9);

    World back = make_world(kCable + "keyhole(cable, point(0.5,0,0), from = 0.5, slide = {0 at 0 "
                                     "sec linear 1 at 0.1 sec linear -1 at 0.3 sec});");
    back.advance(0.4); // 0.05 forth, and as far there as back: −1 until 0.4
    CHECK(node(back, "cable[10]").x == doctest::Approx(0.45).epsilon(5e-3)); // first order
}

TEST_CASE("rod in a hole: one that is drawn through comes to a stop and no farther")
{
    const auto place = [](const std::string& hole, double until, const char* name) {
        World world = make_world(kCable + hole);
        world.advance(until);
        return node(world, name).x;
    };
    const std::string keyhole = "keyhole(cable, point(0.5,0,0), from = 0.5, ";
    CHECK(std::abs(place(keyhole + "slide = 1, low = 0.3);", 0.5, "cable[6]") - 0.5) < 1e-9);
    CHECK(std::abs(place(keyhole + "slide = -1, high = 0.7);", 0.5, "cable[14]") - 0.5) < 1e-9);
    CHECK(std::abs(place(keyhole + "slide = 1);", 0.8, "cable[0]") - 0.5) < 1e-9); // its end
    const std::string turned = "slide = {1 at 0 sec hold -1 at 0.4 sec}, low = 0.3);";
    CHECK(std::abs(place(keyhole + turned, 0.6, "cable[10]") - 0.5) < 0.01); // and back again
}

TEST_CASE("rod in a hole: it does not feel the body or obstacle that has the hole")
{
    const std::string taut = kCable + "position_constraint(cable at 0 along, point(0,0,0));\n"
                                      "position_constraint(cable at 1 along, point(1,0,0));\n";
    const std::string ring = "def ring body(mass = 0.1); sphere(0.03); end;\n"
                             "ring translate(0.5,0,0) velocity(0.4,0,0);\n";
    for (const char* hole : {"keyhole(cable, ring, from = 0.5);", "pearl(ring, cable, from = 0.5);",
                             "oriented_keyhole(cable, ring, 1,0,0, from = 0.5);"}) {
        World world = make_world(taut + ring + hole);
        world.advance(0.5); // over four spans
        CHECK(std::abs(node(world, "ring").x - 0.7) < 1e-9);
    }
    const std::string ram = kCable + "def ram obstacle(); sphere(0.05); end;\n"
                                     "ram translatex({0.5 at 0 sec linear 0.7 at 0.5 sec});\n"
                                     "keyhole(cable, ram, from = 0.5);";
    World moved = make_world(ram);
    moved.advance(0.5);
    CHECK(std::abs(node(moved, "cable[0]").x) < 1e-9); // it is not taken along

    // What has left the hole lies on the body.
    World fallen = make_world("def rope rod(line(0,0.07,0, 0,1.27,0), spans = 24, radius = 8 mm, "
                              "young = 1e6, damping = 5 ms); end; rope;\n"
                              "def block obstacle(); box(0.8,0.1,0.8); end; block;\n"
                              "keyhole(rope, block, from = 0, slide = 0);");
    fallen.advance(1);
    for (int i = 4; i <= 24; ++i)
        CHECK(node(fallen, "rope[" + std::to_string(i) + "]").y > 0.05);
}

TEST_CASE("rod in a hole: one that is kept along a direction slides bent without gaining energy")
{
    const std::string script =
        "def cable rod(line(-0.5,0.5,0, 0.5,0.5,0), spans = 10, radius = 4 mm, young = 1e8, "
        "density = 1000); end; cable velocity(0.5,0,0);\n"
        "oriented_keyhole(cable, point(0,0.5,0), 1,0,0, from = 0.5);\n"
        "simulate(0 sec, 0.5 sec, step = 1 / 960);\n";
    const auto total = [](const World& world) {
        const Energy energy = world.energy();
        return energy.kinetic + energy.potential;
    };
    World world = make_world(script);
    const double before = total(world), kinetic = world.energy().kinetic;
    double most = 0;
    for (int i = 1; i <= 50; ++i) {
        const StepReport report = world.advance(0.01 * i);
        CHECK(report.warnings.empty());
        most = std::max(most, std::abs(total(world) - before));
    }
    CHECK(most < 0.03 * kinetic); // half the step, a fifth of it
}
