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
