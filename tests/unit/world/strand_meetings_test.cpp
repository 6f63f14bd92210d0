// Strands of every kind that meet something: on bodies of their own, directed, elastic, with two
// coefficients of friction; and poses and constraints that come from far.

#include "sinew/world.h"

#include "math/functions.h"
#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using test::make_world;

namespace {

const std::string kCurtain =
    "def cords for i in 1..6 s[i] = strand(line(0.03*i,0,0, 0.03*i,-1,0), segments = 20); end; "
    "radius(3 mm); mass_per_length(0.05); bend_stiffness(1e-4); damping(0.05); ";
const std::string kBall =
    " end; cords;\ndef ball obstacle(); sphere(0.1); end;\n"
    "ball translate(0.1, -0.6, {-0.45 at 0 sec linear 0.45 at 0.3 sec linear -0.45 at 0.6 sec});\n"
    "simulate(0 sec, 1 sec, step = 1/96);\n";

/// Depth of axes and surface in the ball at the ends of frames [m].
double depth_of(const std::string& more)
{
    World world = make_world(kCurtain + more + kBall);
    double deepest = 0;
    for (int i = 1; i <= 14; ++i) {
        REQUIRE_FALSE(world.advance(i / 24.0).fault);
        const Frame frame = world.frame();
        const std::vector<std::string> names = object_names(world.scene());
        const std::size_t ball = std::size_t(std::ranges::find(names, "ball") - names.begin());
        for (const Vec3& node : frame.nodes)
            deepest = std::max(deepest, 0.103 - length(node - frame.objects[ball].origin));
    }
    return deepest;
}

} // namespace

TEST_CASE("strands: directed ones are no deeper in a ball at 3 m/s than others")
{
    CHECK(depth_of("") < 1e-4);
    CHECK(depth_of("time_scale(0.5);") < 1e-4);
    CHECK(depth_of("local_dynamics(0.5);") < 1e-4);
}

TEST_CASE("strands: hair that stands in a free body lies on it, and does not push it about")
{
    // In free fall, turning: the ball goes straight down whatever its hair does.
    World world =
        make_world("def hair strand(line(0,0.08,0, 0,0.4,0), segments = 7); radius(2 mm); "
                   "mass_per_length(0.02); bend_stiffness(0.001); damping(0.05); end;\n"
                   "def ball body(mass = 1); sphere(0.1); end;\n"
                   "b = ball translatey(0.5) spin(0,0,3); hair on b;\n"
                   "simulate(0 sec, 0.5 sec, step = 1/96);\n");
    const std::vector<std::string> names = object_names(world.scene());
    const std::size_t ball = std::size_t(std::ranges::find(names, "b") - names.begin());
    for (int i = 1; i <= 48; ++i) {
        const double t = i / 96.0;
        REQUIRE_FALSE(world.advance(t).fault);
        const Vec3 at = world.frame().objects[ball].origin;
        CHECK(std::abs(at.x) < 1e-9);
        CHECK(at.y == doctest::Approx(0.5 - 0.5 * 9.81 * t * t).epsilon(0.02));
        for (const Vec3& node : world.frame().nodes)
            CHECK(length(node - at) < 0.42);
    }
}

TEST_CASE("strands: what sticks needs more than what slides")
{
    // A belt slides under a strand that stands in a wall: it pulls with what slides.
    const auto pull = [](const std::string& surface, const std::string& speed) {
        World world =
            make_world("def cord strand(line(0,0.01,0, 1,0.01,0), segments = 10); radius(1 cm); "
                       "mass_per_length(0.5); bend_stiffness(1e-3); damping(0.05); " +
                       surface +
                       " end; cord;\n"
                       "def belt obstacle(); box(20, 0.2, 2); material(friction = 0.5); end;\n"
                       "belt translatey(-0.1) translatex(" +
                       speed +
                       ");\n"
                       "simulate(0 sec, 4 sec, step = 1/96);\n");
        REQUIRE_FALSE(world.advance(2).fault);
        double along = 0;
        for (const ActingForce& force : world.forces())
            if (force.kind == ActingForce::Kind::contact)
                along += force.force.x;
        return along;
    };
    const std::string belt = "{0 at 0 sec linear 4 at 4 sec}";
    const double same = pull("surface(friction = 0.5);", belt),
                 less = pull("surface(friction = 0.5, sliding = 0.125);", belt);
    CHECK(same > 1);
    CHECK(less == doctest::Approx(0.5 * same).epsilon(0.05)); // √(0.125 · 0.5) is half of 0.5
}

TEST_CASE("strands: a pose that goes through infinity ends the run with a message")
{
    World world = make_world(
        "def c strand(line(0,0,0, 1,0,0), segments = 4); pose(line(0,0,0, 1/(time-0.5),0,0), "
        "strength = 10); end; c; simulate(0 sec, 1 sec, step = 1/96);\n");
    CHECK(world.advance(1).fault);
    for (const Vec3& node : world.frame().nodes)
        CHECK(std::isfinite(length(node)));
}

TEST_CASE("strands: a point that is put above a plane goes there without a jump")
{
    World world = make_world(
        "def tail strand(line(0,0,0, 1,0,0), segments = 12); radius(1 cm); mass_per_length(0.1); "
        "bend_stiffness(0.05); damping(0.05); end; tail;\n"
        "def level label(); end; p = level translatey(-0.1);\n"
        "above(tail at 1 along, p, active = {0 at 0 sec hold 1 at 0.2 sec});\nsettle();\n"
        "simulate(0 sec, 2 sec, step = 1/480);\n");
    REQUIRE(world.frame().nodes.back().y < -0.2);
    Vec3 last = world.frame().nodes.back(), speed{0, 0, 0};
    double jump = 0;
    for (int i = 1; i <= 220; ++i) { // before it falls on the plane again
        REQUIRE_FALSE(world.advance(i / 480.0).fault);
        const Vec3 now = world.frame().nodes.back(), next = (now - last) * 480.0;
        jump = std::max(jump, length(next - speed));
        speed = next, last = now;
    }
    CHECK(jump < 0.5); // it is lifted by 0.7 m in 0.25 s
    CHECK(last.y > -0.1 - 1e-6);
}
