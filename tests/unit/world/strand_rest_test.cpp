// Strands that settle on what is in their way.

#include "sinew/world.h"

#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using sinew::test::make_world;

namespace {

std::string on_a_ball(const std::string& more)
{
    return "def ball obstacle(); sphere(0.1); end; ball translate(0.06, -0.08, 0);\n"
           "def lock strand(line(0,0.07,0, 0.4,0.07,0), segments = 25); radius(1 mm); "
           "mass_per_length(0.004); bend_stiffness(2e-5); end; lock;\n"
           "settle();\n" +
           more + "simulate(0 sec, 2 sec, step = 1/96);\n";
}

double depth(const World& world)
{
    double deepest = -1;
    for (const Vec3& node : world.frame().nodes)
        deepest = std::max(deepest, 0.101 - length(node - Vec3{0.06, -0.08, 0}));
    return deepest;
}

double moved(const std::vector<Vec3>& a, const std::vector<Vec3>& b)
{
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        most = std::max(most, length(a[i] - b[i]));
    return most;
}

} // namespace

TEST_CASE("settle() lays strands on obstacles, where they stay")
{
    for (const std::string more : {"", "strands(precision = float);\n"}) {
        CAPTURE(more);
        World world = make_world(on_a_ball(more));
        CHECK(depth(world) < 1e-4);
        CHECK(depth(world) > -1e-3); // and it lies on it
        const std::vector<Vec3> start = world.frame().nodes;

        REQUIRE_FALSE(world.advance(1).fault);

        CHECK(moved(start, world.frame().nodes) < 2e-4);
        CHECK(depth(world) < 1e-4);
    }
}

TEST_CASE("settle() lets friction bear strands on a slope")
{
    World world = make_world(
        "def slope obstacle(); plane(0.3, 1, 0, 0); material(friction = 0.6); end; slope;\n"
        "def lock strand(line(0,0,0, 0.3,-0.06,0), segments = 15); radius(1 mm); "
        "mass_per_length(0.004); bend_stiffness(2e-5); surface(friction = 0.6); end;\n"
        "lock translate(0, 0.01, 0);\nsettle();\nsimulate(0 sec, 1 sec, step = 1/96);\n");
    const std::vector<Vec3> start = world.frame().nodes;
    CHECK(world.start_notes().empty());

    REQUIRE_FALSE(world.advance(1).fault);

    CHECK(moved(start, world.frame().nodes) < 2e-4);
}

TEST_CASE("what hangs as it is drawn is told to be unstable beyond Greenhill's height")
{
    // An upright stem bears itself up to L³ = 7.837 EI / (ρ A g): of 1 m and 2 mm, 1.25 GPa.
    const auto warns = [](const std::string& young) {
        const World world =
            make_world("def stem strand(line(0,0,0, 0,1,0), segments = 20); radius(2 mm); "
                       "density(1000); young(" +
                       young + "); zero_gravity_rest(); end; stem; simulate(0 sec, 1 sec);\n");
        return std::ranges::any_of(world.start_notes(), [](const Problem& problem) {
            return problem.code == "rest-not-stable";
        });
    };
    CHECK(warns("1.2e9"));
    CHECK(!warns("1.3e9"));
}
