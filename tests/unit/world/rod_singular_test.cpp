// Rods where equations lose their direction, repeat or contradict each other.

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
                           "position_constraint(cable at 0 along, point(0, 0, 0));\n";

} // namespace

TEST_CASE("rod: two that lie parallel are assembled at any angle")
{
    for (const double wanted : {40.0, 90.0, 170.0}) {
        const std::string degrees = std::to_string(int(wanted));
        World world = make_world(
            "def rope rod(line(0,0,0, 1,0,0), spans = 20, radius = 8 mm, young = 1e8, density = "
            "1000); end; rope velocity(0,1,0);\n"
            "def twig rod(line(0,0,0, 0.6,0,0), spans = 20, radius = 8 mm, young = 1e8, density = "
            "1000); end; twig translate(0.5,0,0.1);\n"
            "gravity(0,0,0); rods(contact = none); assemble();\n"
            "fusion(twig at 0 along, rope at 0.5 along, angle = " +
            degrees + " deg);");
        CHECK(length(node(world, "twig[0]") - node(world, "rope[10]")) < 1e-9);
        const auto tangent = [&](const std::string& at) {
            return rotate(test::row_of(world, at).rotation, Vec3{0, 1, 0});
        };
        const double angle = std::acos(dot(tangent("twig[0]"), tangent("rope[10]")));
        // Nodes have the frame of the middle of a span: a little farther along.
        CHECK(angle * 180 / 3.141592653589793 == doctest::Approx(wanted).epsilon(0.05));
        world.advance(0.1);
        CHECK(length(node(world, "twig[0]") - node(world, "rope[10]")) < 1e-9);
    }
}

TEST_CASE("rod: a distance may come to zero, stay there, and go on through it")
{
    const auto held = [](const std::string& track) {
        return make_world(kCable +
                          "def hook label(); end; hook translate(0.6,0.3,0);\n"
                          "dist_constraint(cable at 1 along, hook, " +
                          track + ");\n");
    };
    const auto apart = [](const World& world) {
        return length(node(world, "cable[20]") - Vec3{0.6, 0.3, 0});
    };
    World meets = held("{0.5 at 0 sec linear 0 at 0.4 sec}");
    meets.advance(0.2);
    CHECK(std::abs(apart(meets) - 0.25) < 1e-9);
    meets.advance(0.6);
    CHECK(apart(meets) < 1e-9);

    World passes = held("{0.5 at 0 sec linear -0.5 at 0.8 sec}");
    passes.advance(0.4);
    CHECK(apart(passes) < 1e-9);
    passes.advance(0.6);
    CHECK(std::abs(apart(passes) - 0.25) < 1e-9);

    World begins = held("{0.5 at 0 sec linear 0 at 0.4 sec linear 0.3 at 0.8 sec}");
    begins.advance(0.8);
    CHECK(std::abs(apart(begins) - 0.3) < 1e-9);
}

TEST_CASE("rod: in a band redundant and contradictory constraints do what they do otherwise")
{
    const std::string twice = kCable + "position_constraint(cable at 1 along, point(1, 0, 0));\n"
                                       "position_constraint(cable at 1 along, point(1, ";
    for (const char* place : {"0, 0));\n", "0.005, 0));\n"}) {
        World fast = make_world(twice + place);
        World banded = make_world(twice + place + "rods(solver = banded);\n");
        fast.advance(0.2);
        banded.advance(0.2);
        for (const char* name : {"cable[5]", "cable[10]", "cable[20]"})
            CHECK(length(node(fast, name) - node(banded, name)) < 1e-6);
    }
}
