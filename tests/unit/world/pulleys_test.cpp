// Ropes round pulleys and on winches against closed forms, whole scripts at 16 to 20 spans and
// 1/240 s.

#include "sinew/world.h"

#include "support/worlds.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace sinew;
using test::make_world;

namespace {

const std::string kStep = "simulate(0 sec, 5 sec, step = 1/240);\nrods(contact = none);\n";
constexpr double kPi = 3.14159265358979323846, kGravity = 9.81;

Vec3 place_of(const World& world, const std::string& name)
{
    return test::row_of(world, name).position;
}

const ConstraintLoad& load_of(const Frame& frame, std::size_t i) { return frame.loads[i]; }

/// Two weights on a rope over a wheel of 0.1 m.
std::string atwood(const std::string& wheel)
{
    return "def rope rod(polyline(-0.1,-1,0, -0.1,0,0, 0.1,0,0, 0.1,-1,0), spans = 16, "
           "radius = 2 mm, young = 1e9, density = 1000); end; rope;\n" +
           wheel +
           "def one body(mass = 1); sphere(10 mm); end; light = one translate(-0.1,-1,0);\n"
           "def two body(mass = 1.2); sphere(10 mm); end; heavy = two translate(0.1,-1,0);\n"
           "fusion(rope at 0 along, light);\nfusion(rope at 1 along, heavy);\n" +
           kStep;
}

/// How far the heavy weight falls: ẍ = g (Δm + 2 line x) / mass, `extra` being I/r² of the wheel.
double atwood_due(double time, double extra)
{
    const double line = 1000 * kPi * 4e-6, length = 2 + 0.1 * kPi;
    const double mass = 2.2 + line * length + extra, rate = std::sqrt(2 * kGravity * line / mass);
    return 0.2 / (2 * line) * (std::cosh(rate * time) - 1);
}

/// How far the rope has run: what it is stretched by lets both weights down.
double moved(const World& world)
{
    return (place_of(world, "light").y - place_of(world, "heavy").y) / 2;
}

} // namespace

TEST_CASE("pulleys: two weights on a rope over a wheel are Atwood's machine [notes: rods, eq. 13]")
{
    World world = make_world(atwood("pulley(rope, point(0,0,0), radius = 0.1);\n"));
    REQUIRE_FALSE(world.advance(0.8).fault);
    CHECK(moved(world) == doctest::Approx(atwood_due(0.8, 0)).epsilon(0.01));
}

TEST_CASE(
    "pulleys: the inertia of a wheel counts, a = Δm g / (m₁ + m₂ + I/r²) [notes: rods, eq. 13]")
{
    World world = make_world(
        atwood("def wheel body(mass = 2); cylinder(0.1, 0.02) rotatex(90 deg); end; disc = wheel;\n"
               "hinge_joint(disc, line(0,0,0, 0,0,1));\n"
               "pulley(rope, disc, radius = 0.1, friction = 2);\n"));
    REQUIRE_FALSE(world.advance(0.4).fault);
    // It turns with the rope: down on the right.
    const Quat turned = test::row_of(world, "disc").rotation;
    CHECK(-2 * std::atan2(turned.z, turned.w) ==
          doctest::Approx(atwood_due(0.4, 1) / 0.1).epsilon(0.02));
    REQUIRE_FALSE(world.advance(0.8).fault);
    CHECK(moved(world) == doctest::Approx(atwood_due(0.8, 1)).epsilon(0.01)); // I = m r²/2
}

TEST_CASE("pulleys: nodes pass a wheel whose arc is shorter than a span")
{
    std::string script = atwood("pulley(rope, point(0,0,0), radius = 0.1);\n");
    script.replace(script.find("spans = 16"), 10, "spans = 6");
    World world = make_world(script);
    REQUIRE_FALSE(world.advance(1).fault);
    CHECK(moved(world) == doctest::Approx(atwood_due(1, 0)).epsilon(0.01));
}

TEST_CASE("pulleys: a wheel may be a frame of a linkage")
{
    World world = make_world(atwood("dynamic turn; turn = initial(0, 0);\ndef wheel box_mass(1.2, "
                                    "0.22360679775, 0.22360679775, 0.01); end;\n"
                                    "disc = wheel rotatez(turn);\n"
                                    "pulley(rope, disc, radius = 0.1, friction = 2);\n"));
    REQUIRE_FALSE(world.advance(0.8).fault);
    CHECK(moved(world) == doctest::Approx(atwood_due(0.8, 1)).epsilon(0.01));
}

TEST_CASE("pulleys: tensions differ by exp(μθ) [notes: rods, eq. 12]")
{
    for (const double turns : {0.0, 1.0}) {
        World world =
            make_world("def rope rod(polyline(-1,0.1,0, 0,0.1,0, 0.1,0,0, 0.1,-1,0), spans = 20, "
                       "radius = 2 mm, young = 1e8, density = 500, damping = 5 ms); end; rope;\n"
                       "pulley(rope, point(0,0,0), radius = 0.1, friction = 0.3, turns = " +
                       std::to_string(int(turns)) +
                       ");\ngravity(0,0,0);\nforce(rope at 1 along, 0, -2, 0);\n"
                       "position_constraint(rope at 0 along, point(-1 - 0.2*time, 0.1, 0));\n" +
                       kStep);
        double mean = 0;
        for (int i = 0; i < 480; ++i) {
            REQUIRE_FALSE(world.advance(world.time() + 1.0 / 240).fault);
            mean += i < 240 ? 0 : -load_of(world.frame(), 1).force.x / 240;
        }
        CHECK(mean == doctest::Approx(2 * std::exp(0.3 * kPi * (0.5 + 2 * turns))).epsilon(0.005));
    }
}

namespace {

/// Four parts of a rope carry a block of 8 kg; `pull` is what its end hangs on.
std::string tackle(const std::string& pull)
{
    return "def rope rod(polyline(-0.15,0,0, -0.15,-1,0, -0.05,-1,0, -0.05,0,0, 0.05,0,0, "
           "0.05,-1,0, 0.15,-1,0, 0.15,0,0, 0.25,0,0, 0.25,-0.5,0), spans = 20, radius = 2 mm, "
           "young = 1e9, density = 100, damping = 5 ms); end; rope;\n"
           "def sheave label(); end;\n"
           "def block body(mass = 8); sphere(20 mm) translatey(-0.3); left = sheave "
           "translatex(-0.1); "
           "right = sheave translatex(0.1); end;\nload = block translatey(-1);\n"
           "position_constraint(rope at 0 along, point(-0.15,0,0));\n"
           "pulley(rope, load.left, radius = 0.05);\npulley(rope, point(0,0,0), radius = 0.05);\n"
           "pulley(rope, load.right, radius = 0.05);\npulley(rope, point(0.2,0,0), radius = "
           "0.05);\n" +
           pull + kStep;
}

} // namespace

TEST_CASE("pulleys: a tackle of four parts needs a quarter of the force and four times the way")
{
    World world = make_world(tackle("position_constraint(rope at 1 along, "
                                    "point(0.25, -0.5 - 0.2*time, 0));\n"));
    REQUIRE_FALSE(world.advance(1).fault);
    double mean = 0;
    const double from = place_of(world, "load").y;
    for (int i = 0; i < 240; ++i) {
        REQUIRE_FALSE(world.advance(world.time() + 1.0 / 240).fault);
        mean += -load_of(world.frame(), 5).force.y / 240;
    }
    CHECK(mean == doctest::Approx(8 * kGravity / 4).epsilon(0.01));
    CHECK(place_of(world, "load").y - from == doctest::Approx(0.2 / 4).epsilon(0.01));
}

namespace {

std::string winch(const std::string& drive)
{
    return "def rope rod(line(0.1,2,0, 0.1,0.5,0), spans = 20, radius = 4 mm, young = 1e9, "
           "density = 100, damping = 5 ms); end; rope;\n"
           "winch(rope, point(0,2,0), radius = 0.1" +
           drive +
           ");\ndef weight body(mass = 10); sphere(50 mm); end; load = weight "
           "translate(0.1,0.5,0);\n"
           "fusion(rope at 1 along, load);\n" +
           kStep;
}

} // namespace

TEST_CASE("winches: lift with the speed asked for, and the torque is r T")
{
    World world = make_world(winch(", speed = -0.25"));
    REQUIRE_FALSE(world.advance(2).fault);
    const double from = place_of(world, "load").y;
    REQUIRE_FALSE(world.advance(4).fault);
    CHECK((place_of(world, "load").y - from) / 2 == doctest::Approx(0.25).epsilon(1e-6));
    const double rope = 100 * kPi * 16e-6 * (1.5 - 0.25 * 4), tension = (10 + rope) * kGravity;
    CHECK(std::abs(load_of(world.frame(), 0).torque.z) ==
          doctest::Approx(0.1 * tension).epsilon(0.01));
    CHECK(length(load_of(world.frame(), 0).force) == doctest::Approx(tension).epsilon(0.01));
}

TEST_CASE("winches: pay out what they have stored, and no more")
{
    World world = make_world(winch(", speed = 0.5, stored = 1"));
    REQUIRE_FALSE(world.advance(1).fault);
    // The load hangs lower by what 2 m of rope are stretched by it, 3.9 mm.
    CHECK(std::abs(place_of(world, "load").y + 0.0039) < 0.001);
    REQUIRE_FALSE(world.advance(4).fault);
    CHECK(place_of(world, "load").y == doctest::Approx(-0.5).epsilon(0.005));
}

TEST_CASE("winches: a torque M pulls with M/r")
{
    World world = make_world(winch(", torque = 12, stored = 1"));
    REQUIRE_FALSE(world.advance(0.5).fault);
    // The rope that hangs is lifted too: 0.5 % of the load at most.
    const double due = 0.5 * (12 / (0.1 * 10) - kGravity) * 0.25;
    CHECK(place_of(world, "load").y - 0.5 == doctest::Approx(due).epsilon(0.03));
    CHECK(length(load_of(world.frame(), 0).force) == doctest::Approx(120).epsilon(1e-6));
}

namespace {

/// What a world says that cannot be made.
std::string refusal(const std::string& script)
{
    const Result<World> world = World::create(test::sound_scene(script), {});
    return world ? "" : world.problems()[0].what;
}

} // namespace

TEST_CASE("wheels: what a rope cannot do is refused in words")
{
    const std::string rope = "def rope rod(polyline(-0.1,-1,0, -0.1,0,0, 0.1,0,0, 0.1,-1,0), "
                             "spans = 16, radius = 2 mm); end; rope;\n";
    CHECK(refusal(rope + "pulley(rope, point(0,0,0), radius = 0.1);").empty());
    CHECK(refusal(rope + "pulley(rope, point(0,1,0), radius = 0.1);")
              .find("m from the middle of this wheel") != std::string::npos);
    CHECK(refusal(rope + "winch(rope, point(-0.1,-1,0), radius = 0.1, speed = 1);") ==
          "the rope is drawn through the middle of this wheel");
    CHECK(refusal(rope + "pulley(rope, point(0,0,0), radius = 0.1);\n"
                         "oriented_keyhole(rope, point(0.1,-0.5,0), 0, 1, 0, from = 0.8);") != "");
}

TEST_CASE("wheels: a rope with a free end is pulled over its wheel")
{
    World world = make_world(
        "def rope rod(polyline(0.75,1.35,0, 1.6,2.1,0, 1.8,2.1,0, 1.83,1.25,0), "
        "spans = 24, radius = 6 mm, young = 5e7, density = 900, damping = 0.02); end;\n"
        "rope;\npulley(rope, point(1.75,2.05,0), radius = 0.08);\n"
        "def weight body(mass = 6.4); box(0.2, 0.2, 0.2); lug = label() translatey(0.1); "
        "end;\nweight translate(1.83,1.15,0);\nfusion(rope at 1 along, weight.lug);\n" +
        kStep);
    const StepReport report = world.advance(0.45); // the free end comes to the wheel at 0.3 s
    CHECK(!report.fault);
    CHECK(place_of(world, "weight").y < 0.6); // it falls, from 1.15 m
    CHECK(std::isfinite(place_of(world, "rope[0]").y));
}

TEST_CASE("rods: stiffness, mass and damping are as given")
{
    // A cantilever: tip load P bends it by P L³/3EI, whatever its section.
    World bent =
        make_world("def bar rod(line(0,0,0, 1,0,0), spans = 20, radius = 1 cm, "
                   "bend_stiffness = 2, stretch_stiffness = 1e5, damping = 0.1); end; bar;\n"
                   "position_constraint(bar at 0 along, point(0,0,0));\n"
                   "orientation_constraint(bar at 0 along, 1, 0, 0);\ngravity(0,0,0);\n"
                   "force(bar at 1 along, 0, -0.06, 0);\nsettle();\n" +
                   kStep);
    CHECK(test::row_of(bent, "bar[20]").position.y == doctest::Approx(-0.01).epsilon(0.001));
    World hung = make_world("def rope rod(line(0,0,0, 0,-1,0), spans = 10, radius = 1 mm, "
                            "stretch_stiffness = 1000, mass_per_length = 2); end; rope;\n"
                            "position_constraint(rope at 0 along, point(0,0,0));\nsettle();\n" +
                            kStep);
    // m g L²/2EA
    CHECK(test::row_of(hung, "rope[10]").position.y ==
          doctest::Approx(-1 - 2 * kGravity / 2000).epsilon(0.0005));
}

TEST_CASE("rods: a torque at an end bends a rod to an arc and twists it [notes: rods, eq. 6]")
{
    const std::string bar =
        "def bar rod(line(0,0,0, 1,0,0), spans = 20, radius = 1 cm, bend_stiffness = 2, "
        "twist_stiffness = 1.5, stretch_stiffness = 1e6, mass_per_length = 1); end; bar;\n"
        "def wall label(); end; wall;\nfusion(bar at 0 along, wall, tangent = fixed);\n"
        "gravity(0,0,0);\nsettle();\n" +
        kStep;
    // M = 2 N m: κ = 1/m, so that the tip is at sin 1, 1 − cos 1.
    World bent = make_world(bar + "torque(bar at 1 along, 0, 0, 2);\n");
    for (int k = 0; k < 2; ++k) {
        const Vec3 tip = place_of(bent, "bar[20]");
        CHECK(tip.x == doctest::Approx(std::sin(1.0)).epsilon(0.001));
        CHECK(tip.y == doctest::Approx(1 - std::cos(1.0)).epsilon(0.001));
        REQUIRE_FALSE(bent.advance(0.2).fault); // and stays there
    }
    CHECK(std::abs(load_of(bent.frame(), 0).torque.z) == doctest::Approx(2).epsilon(0.001));
    // τ = M/GJ
    World twisted = make_world(bar + "torque(bar at 1 along, 1.2, 0, 0);\n");
    const Quat from = test::row_of(twisted, "bar[0]").rotation,
               to = test::row_of(twisted, "bar[10]").rotation;
    const Quat by = to * conjugate(from);
    CHECK(2 * std::atan2(std::abs(by.x), std::abs(by.w)) == doctest::Approx(0.4).epsilon(0.001));
}
