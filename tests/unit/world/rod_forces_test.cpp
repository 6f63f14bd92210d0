// Forces of constraints are the impulse of the step over its length, whatever the step, and places
// that tracks move are felt with their true velocity.

#include "sinew/world.h"

#include "islands/rows/row_geometry.h"
#include "support/worlds.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace sinew;
using test::make_world;

namespace {

constexpr double kMass = 1000 * 3.14159265358979323846 * 25e-6, kGravity = 9.81; // of 1 m, 5 mm

std::string text_of(double number) { return std::to_string(number); }

/// The largest force of the first constraint from one time to another.
double largest_load(World& world, double from, double until, double step)
{
    double largest = 0;
    REQUIRE_FALSE(world.advance(from).fault);
    while (world.time() < until - 0.5 * step) {
        REQUIRE_FALSE(world.advance(world.time() + step).fault);
        largest = std::max(largest, length(world.frame().loads[0].force));
    }
    return largest;
}

/// A rod as stiff as steel, released level: at the bottom it pulls with 2.5 times its weight.
std::string pendulum(double step, const std::string& release)
{
    return "def rope rod(line(0,0,0, 1,0,0), spans = 4, young = 1e11); end; rope;\n"
           "position_constraint(rope at 0 along, point(0,0,0)" +
           release + ");\nsimulate(0 sec, 1 sec, step = " + text_of(step) + ");\n";
}

} // namespace

TEST_CASE(
    "forces: a hand that lifts a rope feels weight and inertia at every step [notes: rows, eq. 9]")
{
    for (const double step : {0.01, 0.005, 0.0005}) {
        World world = make_world("def rope rod(line(0,0,0, 0,-1,0), spans = 10, young = 1e9, "
                                 "damping = 10 ms); end; rope;\n"
                                 "position_constraint(rope at 0 along, point(0, 1.5*time*time, "
                                 "0));\nsimulate(0 sec, 1 sec, step = " +
                                 text_of(step) + ");\n");
        REQUIRE_FALSE(world.advance(0.3).fault);
        CHECK(world.frame().loads[0].force.y ==
              doctest::Approx(kMass * (kGravity + 3)).epsilon(1e-4));
    }
}

TEST_CASE("forces: a stiff pendulum pulls as a rigid one, and `breaks` where it does")
{
    const double due = 2.5 * kMass * kGravity;
    for (const double step : {0.01, 0.005, 0.002}) {
        World world = make_world(pendulum(step, ""));
        CHECK(largest_load(world, 0.1, 0.6, step) == doctest::Approx(due).epsilon(0.01));
        for (const double share : {0.98, 1.02}) {
            World loaded = make_world(pendulum(step, ", breaks = " + text_of(share * due)));
            REQUIRE_FALSE(loaded.advance(0.6).fault);
            const bool has_broken = loaded.frame().loads[0].force == Vec3{0, 0, 0};
            CHECK(has_broken == (share < 1));
        }
    }
}

TEST_CASE("forces: the ground moves with the velocities of both ends of a step")
{
    const Vec3 way{1, 2, 3}, begin{4, 0, -1}, end{0.5, 7, 2};
    const double h = 0.1;
    const CubicWay cubic = CubicWay::between(way, begin, end, h);
    CHECK(length(cubic.at(-h) + way) < 1e-14);
    CHECK(length(cubic.at(0)) == 0);
    CHECK(length(cubic.rate_at(-h) - begin) < 1e-13);
    CHECK(length(cubic.rate_at(0) - end) < 1e-14);
}
