// Time scale and local dynamics: what of its base's motion a strand feels.

#include "sinew/world.h"

#include "support/readings.h"
#include "support/worlds.h"

#include <doctest/doctest.h>

using namespace sinew;
using sinew::test::make_world;

namespace {

const std::string kHead =
    "def head label(); end;\n"
    "head translatex({0 at 0 sec slowinout 0.1 at 0.3 sec slowinout -0.1 at 0.6 sec})"
    " translatey({0 at 0 sec slowinout 0.05 at 0.5 sec});\n";

std::string braid(const std::string& direction, const std::string& head = kHead)
{
    return head +
           "def braid strand(line(0,0,0, 0.3,-0.5,0), segments = 12); radius(5 mm); "
           "mass_per_length(0.1); bend_stiffness(0.01); damping(0.02); " +
           direction + " end; braid on head;\nsettle();\nsimulate(0 sec, 1 sec);\n";
}

/// How far the tip goes from its place at rest, seen from the base.
double wander(const std::string& text)
{
    World world = make_world(text);
    const std::vector<Vec3> start = world.frame().nodes;
    double largest = 0;
    for (int i = 1; i <= 24; ++i) {
        CHECK_FALSE(world.advance(i / 24.0).fault);
        const std::vector<Vec3> nodes = world.frame().nodes;
        largest = std::max(largest,
                           length((nodes.back() - nodes.front()) - (start.back() - start.front())));
    }
    return largest;
}

} // namespace

TEST_CASE("[Hadap06, eq. 19] what feels nothing of its base stays at rest")
{
    CHECK(wander(braid("")) > 0.05);
    CHECK(wander(braid("time_scale(0);")) < 1e-9);
    CHECK(wander(braid("local_dynamics(1);")) < 1e-9);
    CHECK(wander(braid("local_dynamics(1, head);")) < 1e-9);
    CHECK(wander(braid("time_scale({0 at 0 sec linear 0 at 2 sec});")) < 1e-9);
}

TEST_CASE("[Hadap06, eq. 19] a time scale that goes through 0 leaves what is at rest at rest")
{
    const std::string still = "def head label(); end;\nhead;\n";
    CHECK(wander(braid("time_scale({1 at 0 sec linear -1 at 1 sec});", still)) < 1e-9);
    // The head goes while the scale is 0.
    const std::string later = "def head label(); end;\n"
                              "head translatex({0 at 0.4 sec slowinout 0.2 at 0.6 sec});\n";
    const std::string scale =
        "time_scale({1 at 0 sec linear 0 at 0.3 sec linear 0 at 0.7 sec linear 1 at 0.9 sec});";
    CHECK(wander(braid("", later)) > 0.05);
    CHECK(wander(braid(scale, later)) < 1e-9);
}

TEST_CASE("[Hadap06, eq. 19] half of the motion moves it less, twice as much more")
{
    const double whole = wander(braid(""));
    CHECK(wander(braid("time_scale(0.5);")) < 0.8 * whole);
    CHECK(wander(braid("time_scale(2);")) > 1.2 * whole);
}

TEST_CASE("a scale of nearly one is nearly nothing, turning too")
{
    const std::string turning =
        "def head label(); end;\n"
        "head translatex(0.3) rotatez({0 at 0 sec slowinout 2 at 0.5 sec}) "
        "rotatey({0 at 0 sec slowinout 1 at 0.4 sec});\n"
        "def braid strand(line(0,0,0, 0.3,-0.5,0), segments = 12); radius(5 mm); end;\n";
    const auto last = [&](const std::string& scale, const std::string& more) {
        std::string text = turning;
        text.insert(text.rfind("end;"), scale);
        World world = make_world(text + "braid on head;\n" + more + "simulate(0 sec, 1 sec);\n");
        CHECK_FALSE(world.advance(0.8).fault);
        return world.frame().nodes.back();
    };
    CHECK(length(last("", "") - last("time_scale(1 + 1e-9);", "")) < 1e-5);
    const std::string floor = "def floor obstacle(); plane(0, 1, 0, -0.3); end; floor;\n";
    CHECK(length(last("", floor) - last("time_scale(1 + 1e-9);", floor)) < 1e-3);
}

TEST_CASE("motion of everything together changes nothing in a frame without gravity")
{
    const auto tips = [&](const std::string& carrier, const std::string& direction) {
        World world = make_world(
            "gravity(0, 0, 0); def cart label(); end;\n" + carrier +
            "def braid strand(line(0,0,0, 0.3,-0.5,0), segments = 12); radius(5 mm); "
            "bend_stiffness(0.01); " +
            direction + " end; braid rotatez({0 at 0 sec slowinout 1 at 0.4 sec}) on cart;\n");
        CHECK_FALSE(world.advance(0.8).fault);
        const Frame frame = world.frame();
        const Affine& cart = frame.objects[1];
        return transpose(cart.linear) * (frame.nodes.back() - cart.origin);
    };
    const Vec3 still = tips("cart;\n", "");
    const Vec3 moved = tips("cart rotatey({0 at 0 sec slowinout 2 at 0.5 sec}) "
                            "translatex({0 at 0 sec slowinout 3 at 0.7 sec});\n",
                            "local_dynamics(1, cart);");
    CHECK(length(still - moved) < 1e-10);
    const Vec3 shifted = tips("cart translatex({-3 at -1 sec linear 3 at 1 sec});\n", "");
    CHECK(length(still - shifted) < 1e-9);
}

TEST_CASE(
    "[Hadap06, §6.5] a strong pose is the shape that is seen, the error falls with the strength")
{
    const auto error_at = [&](double strength) {
        World world = make_world(
            "def ear strand(line(0,0,0, 0.3,0,0), segments = 10); radius(5 mm); "
            "bend_stiffness(0.002); damping(0.05); air_drag(0.5, 0.5);\n"
            "pose(line(0,0,0, 0.3 * cos(0.5),{0.3 * sin(0.5) at 0 sec linear 0.3 * sin(0.5) at 1 "
            "sec},0), strength = " +
            std::to_string(strength) + ", damping = 1); end; ear;\nsimulate(0 sec, 3 sec);\n");
        CHECK_FALSE(world.advance(3).fault);
        return length(world.frame().nodes.back() -
                      Vec3{0.3 * 0.8775825618903728, 0.3 * 0.479425538604203, 0});
    };
    const double weak = error_at(10), strong = error_at(1e3), rigid = error_at(1e7);
    CHECK(weak > 2 * strong);
    CHECK(strong < 1e-2);
    CHECK(rigid < 1e-6);
}

TEST_CASE("a pose that is wrong is told")
{
    const std::string strand = "def ear strand(line(0,0,0, 1,0,0), segments = 4); ";
    CHECK(test::codes_of(strand + "pose(point(0, 0, 0), 1); end; ear;") ==
          test::Codes{"strand-of-one-point"});
    CHECK(test::codes_of("def ear label(); pose(line(0,0,0, 1,0,0), 1); end; ear;") ==
          test::Codes{"not-a-curve"});
    CHECK(test::codes_of(strand + "time_scale(ear_x); end; ear;") ==
          test::Codes{"property-not-known"});
}
