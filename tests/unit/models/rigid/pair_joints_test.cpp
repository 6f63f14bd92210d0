// Universal joints, screws, gears, racks and locked axes in whole scripts, against closed forms.

#include "sinew/world.h"

#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace sinew;
using sinew::test::make_world;

namespace {

constexpr double kG = 9.81, kPi = std::numbers::pi;

Affine frame_of(const World& world, const std::string& name)
{
    const std::vector<std::string> names = object_names(world.scene());
    const auto found = std::ranges::find(names, name);
    REQUIRE(found != names.end());
    return world.frame().objects[std::size_t(found - names.begin())];
}

double energy_of(const World& world)
{
    const Energy energy = world.energy();
    return energy.kinetic + energy.potential;
}

/// How far an angle is from another, whole turns left out.
double off(double angle, double from) { return std::abs(std::remainder(angle - from, 2 * kPi)); }

/// The angle that a frame has turned about z since it was parallel to the world's.
double turn_about_z(const Affine& frame) { return std::atan2(frame.linear.x.y, frame.linear.x.x); }

/// Wheels of 2 kg, 0.1 m on hinges along z, a torque on the one.
std::string train(const std::string& gear)
{
    return "gravity(0, 0, 0); bodies(sleep = no);\n"
           "def wheel body(mass = 2); cylinder(0.1, 0.05) rotatex(90 deg); end;\n" +
           gear;
}

} // namespace

// [eq. 13]
TEST_CASE("universal joints turn by tan θ₂ = tan θ₁ / cos β at any step")
{
    for (const double step : {1. / 100, 1. / 240, 1. / 1000}) {
        CAPTURE(step);
        World world = make_world(
            "gravity(0, 0, 0); bodies(sleep = no);\n"
            "def shaft body(mass = 1); cylinder(0.05, 1) rotatez(90 deg); end;\n"
            "a = shaft translatex(-0.5);\n"
            "b = shaft rotatey(30 deg) translate(0.5 * cos(30 deg), 0, -0.5 * sin(30 deg));\n"
            "hinge_joint(a, line(0,0,0, 1,0,0), motor = 3);\n"
            "hinge_joint(b, line(0,0,0, cos(30 deg),0,-sin(30 deg)));\n"
            "universal_joint(b, a, line(0,0,0, 0,0,1), line(0,0,0, 0,1,0));\n"
            "simulate(0 sec, 4 sec, step = " +
            std::to_string(step) + ");");
        const Vec3 u = {std::cos(kPi / 6), 0, -std::sin(kPi / 6)}, y = {0, 1, 0};
        for (double t = 0.1; t < 4; t += 0.1) {
            REQUIRE_FALSE(world.advance(t).fault);
            const Vec3 up_a = frame_of(world, "a").linear.y, up_b = frame_of(world, "b").linear.y;
            const double first = std::atan2(up_a.z, up_a.y);
            const double second = std::atan2(dot(up_b, cross(u, y)), dot(up_b, y));
            const double exact = std::atan2(std::sin(first), std::cos(first) * std::cos(kPi / 6));
            CAPTURE(t);
            CHECK(off(second, exact) < 1e-4);
        }
    }
}

// [eq. 14]
TEST_CASE("gears turn with their ratio, against each other or with each other")
{
    for (const double ratio : {3., 0.4, -2., -1.}) {
        CAPTURE(ratio);
        World world = make_world(train("s = wheel; l = wheel translatex(0.4);\n"
                                       "gear_joint(s, l, ratio = " +
                                       std::to_string(ratio) +
                                       ");\n"
                                       "hinge_joint(s, line(0,0,0, 0,0,1));\n"
                                       "hinge_joint(l, line(0.4,0,1, 0.4,0,0));\n"
                                       "torque(s, 0, 0, 0.05);\n"
                                       "simulate(0 sec, 4 sec, step = 0.01);"));
        REQUIRE_FALSE(world.advance(4).fault);
        const double inertia = 0.01 * (1 + 1 / (ratio * ratio)), turned = 0.5 * 0.05 / inertia * 16;
        CHECK(off(turn_about_z(frame_of(world, "s")), turned) < 1e-6 * turned + 1e-9);
        CHECK(off(turn_about_z(frame_of(world, "l")), -turned / ratio) < 1e-6 * turned + 1e-9);
    }
}

TEST_CASE("bevel gears turn with their ratio about axes at a right angle")
{
    World world = make_world(train("s = wheel; l = wheel rotatey(90 deg) translate(0.1, 0, 0.1);\n"
                                   "hinge_joint(s, line(0,0,0, 0,0,1));\n"
                                   "hinge_joint(l, line(0,0,0.1, 1,0,0.1));\n"
                                   "gear_joint(s, l, ratio = 2);\n"
                                   "torque(s, 0, 0, 0.05);\n"
                                   "simulate(0 sec, 2 sec, step = 0.01);"));
    REQUIRE_FALSE(world.advance(2).fault);
    const double turned = 0.5 * 0.05 / (0.01 * 1.25) * 4;
    const Affine s = frame_of(world, "s"), l = frame_of(world, "l");
    CHECK(off(turn_about_z(s), turned) < 1e-5);
    CHECK(off(std::atan2(l.linear.y.z, l.linear.y.y), -0.5 * turned) < 1e-5);
}

TEST_CASE("a planet wheel turns by 1 + ρ while its arm turns once about a sun that stands")
{
    World world =
        make_world(train("def arm body(mass = 1); box(0.4, 0.02, 0.02); end;\n"
                         "sun = wheel; planet = wheel translatex(0.4); c = arm translatex(0.2);\n"
                         "hinge_joint(sun, line(0,0,0, 0,0,1), motor = 0);\n"
                         "hinge_joint(c, line(0,0,0, 0,0,1), motor = 1);\n"
                         "hinge_joint(planet, c, line(0.4,0,0, 0.4,0,1));\n"
                         "gear_joint(planet, sun, ratio = 1.5);\n"
                         "simulate(0 sec, 5 sec, step = 0.01);"));
    REQUIRE_FALSE(world.advance(5).fault);
    const double arm = turn_about_z(frame_of(world, "c"));
    CHECK(off(arm, 5) < 0.05);
    const double turned = arm + 2 * kPi * std::round((5 - arm) / (2 * kPi));
    CHECK(off(turn_about_z(frame_of(world, "planet")), 2.5 * turned) < 1e-3);
}

TEST_CASE("gears that run by themselves keep their energy and never slip")
{
    World world = make_world(train("s = wheel spin(0, 0, 37); l = wheel translatex(0.4);\n"
                                   "hinge_joint(s, line(0,0,0, 0,0,1));\n"
                                   "hinge_joint(l, line(0.4,0,0, 0.4,0,1));\n"
                                   "gear_joint(s, l, ratio = 1.618);\n"
                                   "simulate(0 sec, 60 sec, step = 0.01);"));
    REQUIRE_FALSE(world.advance(0.1).fault);
    const double start = energy_of(world);
    double small = 0, large = 0, last_s = turn_about_z(frame_of(world, "s")),
           last_l = turn_about_z(frame_of(world, "l"));
    for (double t = 0.11; t < 20; t += 0.01) {
        REQUIRE_FALSE(world.advance(t).fault);
        const double s = turn_about_z(frame_of(world, "s")), l = turn_about_z(frame_of(world, "l"));
        small += std::remainder(s - last_s, 2 * kPi);
        large += std::remainder(l - last_l, 2 * kPi);
        last_s = s, last_l = l;
    }
    CHECK(energy_of(world) == doctest::Approx(start).epsilon(1e-9));
    CHECK(small > 100);
    CHECK(std::abs(large + small / 1.618) < 1e-6);
}

// [eq. 15]
TEST_CASE("a rack that falls turns its pinion as its mass and inertia say")
{
    for (const double side : {-1., 1.}) {
        CAPTURE(side);
        const std::string x = std::to_string(0.15 * side), at = std::to_string(0.1 * side);
        World world =
            make_world("bodies(sleep = no);\n"
                       "def wheel body(mass = 2); cylinder(0.1, 0.05) rotatex(90 deg); end;\n"
                       "def bar body(mass = 0.5); box(0.1, 1, 0.05); end;\n"
                       "p = wheel; r = bar translatex(" +
                       x +
                       ");\n"
                       "hinge_joint(p, line(0,0,0, 0,0,1));\n"
                       "slider_joint(r, line(" +
                       at + ",0,0, " + at +
                       ",1,0));\n"
                       "rack_joint(r, p, radius = 0.1);\n"
                       "simulate(0 sec, 2 sec, step = 0.01);");
        const double start = energy_of(world);
        REQUIRE_FALSE(world.advance(1).fault);
        const double fallen = 0.5 * kG * 0.5 / (0.5 + 0.01 / 0.01); // I / r² = 1 kg
        CHECK(frame_of(world, "r").origin.y == doctest::Approx(-fallen).epsilon(1e-6));
        CHECK(off(turn_about_z(frame_of(world, "p")), -side * fallen / 0.1) < 1e-5);
        CHECK(energy_of(world) == doctest::Approx(start).epsilon(1e-6));
    }
}

TEST_CASE("a nut runs down a screw as its pitch and inertia say")
{
    for (const double pitch : {0.1, -0.05}) {
        CAPTURE(pitch);
        World world = make_world("bodies(sleep = no);\n"
                                 "def nut body(mass = 1); cylinder(0.1, 0.05); end;\n"
                                 "n = nut;\n"
                                 "screw_joint(n, line(0,0,0, 0,1,0), pitch = " +
                                 std::to_string(pitch) +
                                 ");\n"
                                 "simulate(0 sec, 2 sec, step = 0.01);");
        const double start = energy_of(world), k = pitch / (2 * kPi);
        REQUIRE_FALSE(world.advance(2).fault);
        const double fallen = 0.5 * kG / (1 + 0.005 / (k * k)) * 4;
        const Affine nut = frame_of(world, "n");
        CHECK(nut.origin.y == doctest::Approx(-fallen).epsilon(1e-6));
        CHECK(off(std::atan2(nut.linear.x.z, nut.linear.x.x), fallen / k) < 1e-5);
        CHECK(std::abs(energy_of(world) - start) < 1e-6);
    }
}

TEST_CASE("what locks a body's axes holds through falls, bounces and friction")
{
    World world =
        make_world("def floor obstacle(); plane(0, 1, 0, 0); end; floor;\n"
                   "def puck body(mass = 1); box(0.4, 0.3, 0.1); material(bounce = 0.5); end;\n"
                   "p = puck rotatez(20 deg) translatey(1) velocity(1, 0, 0.5) spin(1, 2, 3);\n"
                   "lock_axes(p, z = yes, turn_x = yes, turn_y = yes);\n"
                   "simulate(0 sec, 3 sec, step = 0.01);");
    for (double t = 0.1; t < 3; t += 0.1) {
        REQUIRE_FALSE(world.advance(t).fault);
        const Affine puck = frame_of(world, "p");
        CHECK(std::abs(puck.origin.z) < 1e-6);
        CHECK(std::abs(puck.linear.z.z - 1) < 1e-9);
    }
    CHECK(frame_of(world, "p").origin.x > 0.2);
}

TEST_CASE("a body whose rotations are locked falls and slides without turning")
{
    World world = make_world("def floor obstacle(); plane(0, 1, 0, 0); end; floor;\n"
                             "def man body(mass = 70); capsule(0.2, 1.4); end;\n"
                             "m = man translatey(2) velocity(2, 0, 0) spin(0, 0, 4);\n"
                             "lock_axes(m, turn_x = yes, turn_y = yes, turn_z = yes);\n"
                             "simulate(0 sec, 3 sec, step = 0.01);");
    REQUIRE_FALSE(world.advance(3).fault);
    const Affine man = frame_of(world, "m");
    CHECK(std::abs(man.linear.y.y - 1) < 1e-9);
    CHECK(man.origin.y == doctest::Approx(0.9).epsilon(1e-3));
}

TEST_CASE("the same laws hold where bodies move in rows with springs, whatever the frame rate")
{
    // A stiff spring at the centre of a wheel does nothing to it, but moves it into an island.
    const std::string spring =
        "def hook label(); end; h = hook translate(0, 3, 0); spring_and_damper(h, p, 3, 1e5, 0);\n";
    for (const double fps : {24., 47.3, 120.}) {
        CAPTURE(fps);
        const std::string end =
            "frame_rate(" + std::to_string(fps) + "); simulate(0 sec, 1 sec, step = 0.005);";
        World gears =
            make_world(train("p = wheel; l = wheel translatex(0.4);\n" + spring +
                             "gear_joint(p, l, ratio = 3);\nhinge_joint(p, line(0,0,0, 0,0,1));\n"
                             "hinge_joint(l, line(0.4,0,0, 0.4,0,1));\ntorque(p, 0, 0, 0.05);\n" +
                             end));
        REQUIRE_FALSE(gears.advance(1).fault);
        const double turned = 0.5 * 0.05 / (0.01 * (1 + 1. / 9));
        CHECK(off(turn_about_z(frame_of(gears, "p")), turned) < 1e-4);
        CHECK(off(turn_about_z(frame_of(gears, "l")), -turned / 3) < 1e-4);

        World rack =
            make_world("bodies(sleep = no);\n"
                       "def wheel body(mass = 2); cylinder(0.1, 0.05) rotatex(90 deg); end;\n"
                       "def bar body(mass = 0.5); box(0.1, 1, 0.05); end;\n"
                       "p = wheel; r = bar translatex(0.15);\n" +
                       spring +
                       "rack_joint(r, p, radius = 0.1);\nslider_joint(r, line(0.1,0,0, 0.1,1,0));\n"
                       "hinge_joint(p, line(0,0,0, 0,0,1));\n" +
                       end);
        REQUIRE_FALSE(rack.advance(1).fault);
        CHECK(frame_of(rack, "r").origin.y == doctest::Approx(-kG / 6).epsilon(1e-4));
        CHECK(off(turn_about_z(frame_of(rack, "p")), -kG / 0.6) < 1e-3);
    }
}

TEST_CASE("screws, crosses and locked axes hold in rows with springs")
{
    const std::string spring = "def hook label(); end; h = hook translate(0, 3, 0); "
                               "spring_and_damper(h, w, 3, 2000, 0);\n";
    World nut = make_world("bodies(sleep = no); gravity(0, 0, 0);\n"
                           "def nut body(mass = 1); cylinder(0.1, 0.05); end;\n"
                           "w = nut velocity(0, 0.5, 0);\n" +
                           spring +
                           "screw_joint(w, line(0,0,0, 0,1,0), pitch = 0.3);\n"
                           "simulate(0 sec, 2 sec, step = 0.005);");
    const double k = 0.3 / (2 * kPi);
    for (double t = 0.1; t < 2; t += 0.1) {
        REQUIRE_FALSE(nut.advance(t).fault);
        const Affine w = frame_of(nut, "w");
        CHECK(off(std::atan2(-w.linear.x.z, w.linear.x.x), w.origin.y / k) < 1e-5);
        CHECK(std::abs(w.origin.x) + std::abs(w.origin.z) < 1e-7);
    }
    World puck = make_world("bodies(sleep = no);\n"
                            "def puck body(mass = 1); box(0.4, 0.3, 0.1); end;\n"
                            "w = puck velocity(1, 0, 0.5) spin(1, 2, 3);\n" +
                            spring +
                            "lock_axes(w, z = yes, turn_x = yes, turn_y = yes);\n"
                            "simulate(0 sec, 2 sec, step = 0.005);");
    REQUIRE_FALSE(puck.advance(2).fault);
    CHECK(std::abs(frame_of(puck, "w").origin.z) < 1e-6);
    CHECK(std::abs(frame_of(puck, "w").linear.z.z - 1) < 1e-9);
    World cross = make_world("bodies(sleep = no);\n"
                             "def bob body(mass = 1); box(0.1, 0.6, 0.1) translatey(-0.3); end;\n"
                             "w = bob rotatex(30 deg) spin(0, 0, 2);\n" +
                             spring +
                             "universal_joint(w, line(0,0,0, 1,0,0), line(0,0,0, 0,0,1));\n"
                             "simulate(0 sec, 2 sec, step = 0.005);");
    REQUIRE_FALSE(cross.advance(2).fault);
    const Affine w = frame_of(cross, "w"); // the arm that is fixed to w began along z
    const double s = std::sin(kPi / 6), c = std::cos(kPi / 6);
    CHECK(length(w.origin) < 1e-6);
    CHECK(std::abs(w.linear.z.x * c + w.linear.y.x * s) < 1e-6);
}
