// Belts: a rope whose ends are one, around two wheels, by contact with friction.

#include "sinew/world.h"

#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace sinew;
using test::make_world;

namespace {

constexpr double kPi = 3.14159265358979323846, kRope = 0.004, kBig = 0.1, kSmall = 0.05;

/// A wheel of 0.1 m that turns by 10 rad/s drives one of 0.05 m, 0.4 m beside it. The belt is one
/// per cent shorter than it is drawn.
std::string drive(const std::string& more)
{
    return "def loop rod(spline_through(0.2099,0.0784,0, 0.4068,0.0536,0, 0.4308,0.0443,0, "
           "0.4479,0.0250,0, 0.4540,0,0, 0.4479,-0.0250,0, 0.4308,-0.0443,0, 0.4068,-0.0536,0, "
           "0.2099,-0.0784,0, 0.0130,-0.1032,0, -0.0306,-0.0994,0, -0.0688,-0.0780,0, "
           "-0.0948,-0.0428,0, -0.1040,0,0, -0.0948,0.0428,0, -0.0688,0.0780,0, "
           "-0.0306,0.0994,0, 0.0130,0.1032,0, 0.2099,0.0784,0), spans = 36, radius = 4 mm, "
           "stretch_stiffness = 4000, bend_stiffness = 2e-4, twist_stiffness = 1e-3, "
           "mass_per_length = 0.02, damping = 10 ms, length = 1.2896);\n"
           "surface(friction = 0.3); end; belt = loop;\n"
           "fusion(belt at 0 along, belt at 1 along, tangent = fixed);\n"
           "def big obstacle(); cylinder(0.1, 0.04) rotatex(90 deg); material(friction = 0.3); "
           "end;\na = big rotatez({0 at 0 sec slowin -1 at 0.2 sec linear -31 at 3.2 sec});\n"
           "def small body(mass = 0.5); cylinder(0.05, 0.04) rotatex(90 deg); "
           "material(friction = 0.3); end; b = small translate(0.4, 0, 0);\n"
           "hinge_joint(b, line(0.4,0,0, 0.4,0,1)); gravity(0, 0, 0); assemble();\n"
           "simulate(0 sec, 3 sec, step = 1/240);\n" +
           more;
}

/// How fast the small wheel turns [rad/s].
double speed_at(World& world, double time)
{
    constexpr double kMoment = 0.05;
    const auto angle_at = [&](double t) {
        REQUIRE_FALSE(world.advance(t).fault);
        const Quat turned = test::row_of(world, "b").rotation;
        return 2 * std::atan2(turned.z, turned.w);
    };
    const double before = angle_at(time - kMoment), after = angle_at(time);
    return std::remainder(after - before, 2 * kPi) / kMoment;
}

} // namespace

TEST_CASE("belts: wheels turn as their radii to the middle of the belt")
{
    World world = make_world(drive(""));
    CHECK(speed_at(world, 0.5) ==
          doctest::Approx(-10 * (kBig + kRope) / (kSmall + kRope)).epsilon(0.01));
}

TEST_CASE("belts: a belt carries a moment up to the capstan's, and slips above it")
{
    // T₁ + T₂ = 2 T₀ and T₁/T₂ = exp(μθR/(R + r)) at the wheel that it lies on the less.
    const double wrap = kPi - 2 * std::asin(0.05 / 0.4),
                 grip = std::exp(0.3 * wrap * kSmall / (kSmall + kRope));
    const double most = 2 * 40 * kSmall * (grip - 1) / (grip + 1);
    const auto run = [&](double moment) {
        return make_world(drive("torque(b, 0, 0, {0 at 0.3 sec slowinout " +
                                std::to_string(moment) + " at 0.5 sec});\n"));
    };
    World holds = run(0.85 * most), slips = run(1.25 * most);
    CHECK(speed_at(holds, 0.7) < -18);
    CHECK(speed_at(slips, 0.7) > 0); // the brake turns it back
    // Either straight part is three tenths of the belt: the middles of what is pulled least and
    // most.
    std::vector<SectionForce> sections = slips.frame().sections;
    std::ranges::sort(sections, {}, &SectionForce::tension);
    const double loose = sections[sections.size() * 15 / 100].tension,
                 tight = sections[sections.size() * 85 / 100].tension;
    CHECK(tight / loose == doctest::Approx(grip).epsilon(0.07));
}
