// Bodies and linkages in one world: each pulls at the other.

#include "sinew/world.h"

#include "sinew/names.h"
#include "support/readings.h"
#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using sinew::test::make_world;

namespace {

std::uint32_t find(const World& world, const std::string& name)
{
    const std::vector<std::size_t> found = find_names(object_names(world.scene()), name);
    if (found.size() == 1)
        return static_cast<std::uint32_t>(found.front());
    FAIL("there is no " << name);
    return 0;
}

Vec3 place(const World& world, const std::string& name)
{
    return world.frame().objects[find(world, name)].origin;
}

std::string with_step(double h)
{
    return "simulate(0 sec, 10 sec, step = " + std::to_string(h) + ");\n";
}

/// Where `name` is after a second.
Vec3 after_a_second(const std::string& text, const std::string& name, double h)
{
    World world = make_world(text + with_step(h));
    const StepReport report = world.advance(1);
    CHECK_FALSE(report.fault);
    CHECK(report.converged);
    return place(world, name);
}

/// Errors at h and h/2 against the same mechanism made of a linkage alone.
void check_second_order(const std::string& tied, const std::string& alone, const std::string& name,
                        double most)
{
    const Vec3 exact = after_a_second(alone, name, 1.0 / 240);
    const double coarse = length(after_a_second(tied, name, 1.0 / 240) - exact);
    const double fine = length(after_a_second(tied, name, 1.0 / 480) - exact);
    CHECK(coarse < most);
    CHECK(coarse / fine == doctest::Approx(4).epsilon(0.15));
}

const std::string kArm = "dynamic a; a = initial(60 deg, 0);\n"
                         "def bob mass(2); end; bob translatey(-1) rotatez(a);\n";
const std::string kAlone = "dynamic b; b = initial(-30 deg, 0);\n"
                           "def crate box_mass(1, 0.2, 0.3, 0.4); end;\n";
const std::string kBody = "def crate body(mass = 1); box(0.2, 0.3, 0.4); end;\n";
const std::string kAtBob = "point(sin(60 deg), -cos(60 deg), 0)";

const std::string kFloor = "def floor obstacle(); plane(0, 1, 0, 0); end; floor;\n";

} // namespace

TEST_CASE("a body on a pendulum is a double pendulum")
{
    const std::string tied =
        kArm + kBody +
        "crate translatey(-1) rotatez(-30 deg) translatey(-1) rotatez(60 deg);\n"
        "ball_joint(crate, bob, " +
        kAtBob + ");\n";
    const std::string alone =
        kArm + kAlone + "crate translatey(-1) rotatez(b) translatey(-1) rotatez(a);\n";
    check_second_order(tied, alone, "crate", 2e-3);
}

TEST_CASE("a body that is fixed to a linkage is a part of it")
{
    const std::string tied =
        kArm + kBody + "crate translatey(-1.5) rotatez(60 deg);\n" + "fixed_joint(crate, bob);\n";
    const std::string alone = kArm + "def crate box_mass(1, 0.2, 0.3, 0.4); end;\n"
                                     "crate translatey(-1.5) rotatez(a);\n";
    check_second_order(tied, alone, "crate", 2e-3);
}

TEST_CASE("hinge, slider and distance hold a body to a linkage")
{
    const std::string start =
        "crate translatey(-1) rotatez(-30 deg) translatey(-1) rotatez(60 deg);\n";
    const std::string alone =
        kArm + kAlone + "crate translatey(-1) rotatez(b) translatey(-1) rotatez(a);\n";
    check_second_order(kArm + kBody + start +
                           "hinge_joint(crate, bob, line(sin(60 deg), -cos(60 deg), 0, "
                           "sin(60 deg), -cos(60 deg), 1));\n",
                       alone, "crate", 2e-3);
    // a slider along the arm
    check_second_order(
        kArm + kBody + "crate translatey(-1.5) rotatez(60 deg);\n" +
            "slider_joint(crate, bob, line(0, 0, 0, sin(60 deg), -cos(60 deg), 0));\n",
        kArm + "dynamic s; s = initial(1.5, 0);\n"
               "def crate box_mass(1, 0.2, 0.3, 0.4); end;\n"
               "crate translatey(-s) rotatez(a);\n",
        "crate", 2e-3);
    // a distance from the bob to the middle of a ball, which never turns
    check_second_order(kArm + "def ball body(mass = 1); sphere(0.1); end;\n" +
                           "ball translatey(-1) rotatez(-30 deg) translatey(-1) rotatez(60 deg);\n"
                           "dist_constraint(ball, bob, 1);\n",
                       kArm + "dynamic b; b = initial(-30 deg, 0);\n"
                              "def ball mass(1); end;\n"
                              "ball translatey(-1) rotatez(b) translatey(-1) rotatez(a);\n",
                       "ball", 2e-3);
}

TEST_CASE("a spring between a linkage and a body pulls at both")
{
    const std::string start = "ball translate(1.5, -1.2, 0.3);\n"
                              "spring_and_damper(bob, ball, 0.5, 40, 0.3);\n";
    check_second_order(kArm + "def ball body(mass = 1); sphere(0.1); end;\n" + start,
                       kArm + "dynamic x, y, z; x = initial(1.5, 0); y = initial(-1.2, 0); "
                              "z = initial(0.3, 0);\n"
                              "def ball mass(1); end; ball translate(x, y, z);\n"
                              "spring_and_damper(bob, ball, 0.5, 40, 0.3);\n",
                       "ball", 5e-3);
}

TEST_CASE("a spring from the world holds a body by a label")
{
    World world = make_world("def crate body(mass = 2); box(0.2, 0.2, 0.2);\n"
                             "  lug = label() translatey(0.1); end;\n"
                             "crate translatey(-1);\n"
                             "def hook label(); end; hook;\n"
                             "spring_and_damper(hook, crate.lug, 0.5, 100, 20);\n");
    CHECK_FALSE(world.advance(8).fault);
    CHECK(place(world, "lug").y == doctest::Approx(-0.5 - 2 * 9.81 / 100).epsilon(1e-4));
}

TEST_CASE("what ties gives to one it takes from the other")
{
    // A free point of a linkage and a turning body, no gravity.
    World world = make_world("gravity(0, 0, 0);\n"
                             "dynamic x, y, z; x = initial(0, 1); y = initial(0, -2); "
                             "z = initial(0, 0.5);\n"
                             "def bob mass(0.7); end; bob translate(x, y, z);\n"
                             "def crate body(mass = 1.3); box(0.3, 0.5, 0.8); end;\n"
                             "crate translate(0.4, 0.2, 0.1) spin(1, 3, -2);\n"
                             "ball_joint(crate, bob, point(0, 0, 0));\n");
    const auto momentum = [&] {
        const BodyMotion body = world.bodies()[0];
        const std::span<const double> x = world.coordinates(), v = world.rates();
        const Vec3 p = Vec3{v[0], v[1], v[2]} * 0.7 + body.velocity * 1.3;
        const Mat3 R = rotation_matrix(body.pose.rotation);
        const Vec3 I =
            Vec3{0.5 * 0.5 + 0.8 * 0.8, 0.3 * 0.3 + 0.8 * 0.8, 0.3 * 0.3 + 0.5 * 0.5} * (1.3 / 12);
        const Vec3 L = cross(Vec3{x[0], x[1], x[2]}, Vec3{v[0], v[1], v[2]} * 0.7) +
                       cross(body.pose.translation, body.velocity * 1.3) +
                       R * (Mat3::diagonal(I) * (transpose(R) * body.spin));
        return std::pair(p, L);
    };
    world.advance(0.1); // the first step makes the velocities agree
    const auto before = momentum();
    const double energy = world.energy().kinetic;
    CHECK_FALSE(world.advance(3).fault);
    const auto after = momentum();
    CHECK(length(after.first - before.first) < 1e-10);
    CHECK(length(after.second - before.second) < 1e-4 * length(before.second));
    CHECK(world.energy().kinetic == doctest::Approx(energy).epsilon(1e-3));
}

TEST_CASE("ties hold at ratios of mass of a thousand either way")
{
    for (const double heavy : {2000.0, 0.002}) {
        World world = make_world(kArm + "def crate body(mass = " + std::to_string(heavy) +
                                 "); box(0.2, 0.3, 0.4); end;\n"
                                 "crate translatey(-1) rotatez(-30 deg) translatey(-1) "
                                 "rotatez(60 deg);\n"
                                 "ball_joint(crate, bob, " +
                                 kAtBob + ");\n");
        const double energy = world.energy().kinetic + world.energy().potential;
        StepReport report = world.advance(3);
        CHECK_FALSE(report.fault);
        CHECK(report.converged);
        CHECK(report.residual < 1e-8);
        const double scale = 9.81 * (heavy + 2);
        const double change = world.energy().kinetic + world.energy().potential - energy;
        CHECK(change < 1e-6 * scale); // what is too fast for the step is damped, never driven
        CHECK(change > -0.05 * scale);
    }
}

namespace {

/// A crate hangs on a crane's rope, and is let down by its winch on another.
const std::string kCrane =
    kFloor + "def crate body(mass = 50); box(0.5, 0.5, 0.5); material(friction = 0.6); end;\n"
             "dynamic a; a = initial(0, 0);\n"
             "def tip mass(20); end; tip translate(3, 4, 0) rotatey(a);\n"
             "spring_and_damper(a, 0, 400, 200);\n"
             "below = crate translate(3, 0.25, 0);\n"
             "load = crate translate(3, 1.6, 0);\n"
             "var rope; rope = {2.4 at 0 sec slowinout 3.6 at 3 sec};\n"
             "dist_joint(load, tip, rope);\n";

} // namespace

TEST_CASE("a crate on a crane is put on another, and stands there when the rope is slack")
{
    World world = make_world(kFloor + "def crate body(mass = 50); box(0.5, 0.5, 0.5); end;\n"
                                      "dynamic a; a = initial(0, 0);\n"
                                      "def tip mass(20); end; tip translate(3, 4, 0) rotatey(a);\n"
                                      "below = crate translate(3, 0.25, 0);\n"
                                      "load = crate translate(3, 1.2, 0);\n"
                                      "dist_joint(load, tip, high = 3.4);\n");
    CHECK_FALSE(world.advance(3).fault);
    CHECK(place(world, "load").y == doctest::Approx(0.75).epsilon(1e-3));
    CHECK(place(world, "below").y == doctest::Approx(0.25).epsilon(1e-3));
    CHECK(std::hypot(place(world, "load").x - 3, place(world, "load").z) < 1e-3);
    CHECK(world.energy().kinetic < 1e-6);
}

TEST_CASE("a world of bodies and linkages continues bit for bit, for any number of threads")
{
    World one = make_world(kCrane), four = make_world(kCrane, 4);
    CHECK_FALSE(one.advance(1.5).fault);
    const std::vector<std::byte> middle = one.snapshot();
    CHECK_FALSE(one.advance(3).fault);
    four.advance(1.5);
    four.advance(3);
    CHECK(one.state_hash() == four.state_hash());

    World other = make_world(kCrane);
    REQUIRE(other.restore(middle));
    other.advance(3);
    CHECK(other.state_hash() == one.state_hash());
}

TEST_CASE("a tie that is pulled too hard breaks, and the body falls")
{
    World world = make_world(kArm + kBody +
                             "crate translatey(-1) translatey(-1) rotatez(60 deg);\n"
                             "ball_joint(crate, bob, " +
                             kAtBob + ", breaks = 12);\n");
    const StepReport report = world.advance(3);
    CHECK_FALSE(report.fault);
    REQUIRE(report.warnings.size() == 1);
    CHECK(report.warnings[0].code == "joint-broken");
    CHECK(place(world, "crate").y < -2.5);
}

TEST_CASE("contacts and friction of tied bodies are those of the others")
{
    // A rope that never gets taut ties the crate to a linkage: rows move it instead of the pile.
    const auto slid = [](const std::string& tie) {
        World world = make_world(
            "def slope obstacle(); plane(0, 1, 0, 0); material(friction = 0.3); end;\n"
            "slope rotatez(-25 deg);\n"
            "def crate body(mass = 5); box(0.4, 0.2, 0.4); material(friction = 0.3); end;\n"
            "crate translatey(0.1) rotatez(-25 deg);\n"
            "dynamic s; s = initial(0, 0);\n"
            "def bob mass(1); end; bob translate(s, 5, 0); spring_and_damper(s, 0, 100, 1);\n" +
            tie);
        CHECK_FALSE(world.advance(1).fault);
        return length(place(world, "crate"));
    };
    const double exact = 0.5 * 9.81 * (std::sin(0.4363323) - 0.3 * std::cos(0.4363323));
    CHECK(slid("dist_joint(crate, bob, high = 20);\n") ==
          doctest::Approx(std::hypot(exact, 0.1)).epsilon(1e-3));
    CHECK(slid("dist_joint(crate, bob, high = 20);\n") == doctest::Approx(slid("")).epsilon(0.002));
}

TEST_CASE("a stack that a tied body stands in stays up")
{
    World world =
        make_world(kFloor + "def crate body(mass = 5); box(0.5, 0.5, 0.5); end;\n"
                            "for i in 0..4 b[i] = crate translatey(0.25 + 0.5 * i); end;\n"
                            "dynamic s; s = initial(0, 0);\n"
                            "def bob mass(1); end; bob translate(s, 5, 0);\n"
                            "spring_and_damper(s, 0, 100, 1);\n"
                            "dist_joint(b[4], bob, high = 20);\n");
    const StepReport report = world.advance(2);
    CHECK_FALSE(report.fault);
    CHECK(report.converged);
    CHECK(place(world, "b[4]").y == doctest::Approx(2.25).epsilon(1e-3));
    CHECK(world.energy().kinetic < 1e-8);
}

TEST_CASE("an obstacle on a linkage meets a body with the linkage's mass")
{
    World world = make_world(
        "dynamic a; a = initial(-80 deg, 0);\n"
        "def arm mass(5); end; tip = arm translatey(-1) rotatez(a);\n"
        "def paddle obstacle(); box(0.1, 0.4, 0.4); material(friction = 0); end; paddle on tip;\n"
        "def ball body(mass = 50); sphere(0.2); material(friction = 0); end;\n"
        "def table obstacle(); plane(0, 1, 0, -1.2); end; table; ball translatey(-1);\n");
    const double start = world.energy().kinetic + world.energy().potential;
    CHECK_FALSE(world.advance(1.2).fault);
    // 5 kg at 3.95 m/s and 50 kg at rest go on together with 0.36 m/s, and part at the lowest
    // point, 32 mm further down: 0.36² + 2 · 5 · 9.81 · 0.032 / 55 = 0.43².
    CHECK(world.bodies()[0].velocity.x == doctest::Approx(0.432).epsilon(0.02));
    CHECK(world.energy().kinetic + world.energy().potential < start);
    CHECK(length(place(world, "paddle") - place(world, "tip")) < 1e-12);
}

TEST_CASE("a body hangs on what tracks move")
{
    World world = make_world("var x; x = {0 at 0 sec slowinout 1 at 2 sec};\n"
                             "def trolley label(); end; trolley translatex(x);\n"
                             "def crate body(mass = 5); box(0.2, 0.2, 0.2); end;\n"
                             "crate translatey(-1);\n"
                             "ball_joint(crate, trolley, point(0, 0, 0));\n");
    CHECK_FALSE(world.advance(4).fault);
    CHECK(length(place(world, "crate") - Vec3{1, 0, 0}) == doctest::Approx(1).epsilon(1e-3));
    CHECK(std::abs(place(world, "crate").x - 1) < 0.6);
}

TEST_CASE("a hand holds a tied body by a point")
{
    World world = make_world(kArm + kBody + "crate translatey(-2) rotatez(60 deg);\n" +
                             "ball_joint(crate, bob, " + kAtBob + ");\n");
    const Grab hand{.object = {find(world, "crate")},
                    .target = {0.5, -1.5, 0},
                    .stiffness = 3000,
                    .damping = 100,
                    .point = {0, -0.15, 0}};
    REQUIRE(world.set_grabs({hand}).empty());
    CHECK_FALSE(world.advance(5).fault);
    const Affine crate = world.frame().objects[find(world, "crate")];
    CHECK(length(apply(crate, hand.point) - hand.target) < 0.02);
    CHECK(world.energy().kinetic < 1e-3);
}

TEST_CASE("forces of ties are told: a crate's weight at the label it hangs on")
{
    World world = make_world("dynamic a; a = initial(0, 0);\n"
                             "def bob mass(2); end; bob translatey(-1) rotatez(a);\n" +
                             kBody +
                             "crate translatey(-2);\n"
                             "ball_joint(crate, bob, point(0, -1, 0));\n");
    CHECK_FALSE(world.advance(0.5).fault);
    Vec3 sum{0, 0, 0};
    for (const ActingForce& force : world.forces())
        if (force.kind == ActingForce::Kind::constraint && force.object.index == find(world, "bob"))
            sum += force.force;
    CHECK(length(sum - Vec3{0, -9.81, 0}) < 1e-6);
}

TEST_CASE("the paper's scheme knows no bodies")
{
    const Scene scene = test::sound_scene("linkages(method = charli);\n" + kArm + kBody +
                                          "crate translatey(-2) rotatez(60 deg);\n"
                                          "ball_joint(crate, bob, " +
                                          kAtBob + ");\n");
    const Result<World> world = World::create(scene);
    REQUIRE_FALSE(bool(world));
    CHECK(world.problems()[0].code == "tied-to-charli");
}

// ---------------------------------------------------------------- linkages on bodies (rows, eq. 8)

namespace {

const std::string kFree = "gravity(0, 0, 0);\n";
const std::string kBob = "dynamic b; b = initial(70 deg, 0);\n"
                         "def bob mass(0.5); end;\n";

/// Momentum of a crate of 1 kg that carries a bob of half a kilogram: by differences of places.
Vec3 momentum_of(const std::string& text, double h, double time)
{
    World world = make_world(text + with_step(h));
    world.advance(time - h);
    const auto sum = [&] { return place(world, "crate") + 0.5 * place(world, "bob"); };
    const Vec3 before = sum();
    world.advance(time + h);
    return (sum() - before) / (2 * h);
}

} // namespace

TEST_CASE("a pendulum on a free crate moves it: both as one linkage")
{
    const std::string hangs = kBob + "bob translatey(-0.6) rotatez(b) on crate;\n";
    const std::string tied = kBody + "crate;\n" + hangs;
    const std::string alone = "dynamic x, y, a;\n"
                              "def crate box_mass(1, 0.2, 0.3, 0.4); end;\n"
                              "crate rotatez(a) translatex(x) translatey(y);\n" +
                              hangs;
    const std::string torque = "spring_and_damper(b, 0, 3, 0);\n"; // it turns the crate as well
    for (const std::string& name : {std::string("crate"), std::string("bob")}) {
        check_second_order(tied + torque, alone + torque, name, 2e-3);
        check_second_order(kFree + tied + torque, kFree + alone + torque, name, 2e-3);
    }
}

TEST_CASE("a crate that tumbles with a pendulum passes every direction and keeps its momentum")
{
    const std::string text = kFree +
                             "def crate body(mass = 1); box(0.2, 0.3, 0.4); end;\n"
                             "crate spin(1, 9, 2) velocity(0.3, 0, 0);\n" +
                             kBob + "bob translatey(-0.6) rotatez(b) on crate;\n";
    World world = make_world(text + with_step(1.0 / 480));
    const Energy start = world.energy();
    const double first = start.kinetic + start.potential;
    for (int i = 1; i <= 20; ++i) {
        const StepReport report = world.advance(0.1 * i);
        REQUIRE_FALSE(report.fault);
        const Energy now = world.energy();
        CHECK(now.kinetic + now.potential == doctest::Approx(first).epsilon(0.01));
    }
    const auto drift = [&](double h) {
        return length(momentum_of(text, h, 1.9) - momentum_of(text, h, 0.1));
    };
    const double coarse = drift(1.0 / 240), fine = drift(1.0 / 480);
    CHECK(fine < 3e-4); // of 2.7 kg m/s that bob and crate exchange
    CHECK(coarse / fine > 3);
}

TEST_CASE("a bead on a wire that is fixed to a body slides along it, and both answer")
{
    const std::string bead = "dynamic u; u = initial(0.1, 2);\n"
                             "def bead mass(0.5); end;\n";
    const std::string crate = kFree + kBody + "crate rotatez(40 deg) spin(0, 0, 3);\n";
    const std::string alone = kFree + "dynamic x, y, a; a = initial(40 deg, 3);\n"
                                      "def crate box_mass(1, 0.2, 0.3, 0.4); end;\n"
                                      "crate rotatez(a) translatex(x) translatey(y);\n";
    const std::string rides = bead + "bead translatex(u) on crate;\n";
    check_second_order(crate + rides, alone + rides, "bead", 5e-3);
    const std::string wire = kFree + "def bead mass(0.5); end;\n"
                                     "def crate body(mass = 1); box(0.2, 0.3, 0.4); dynamic p, q;\n"
                                     "p = initial(0.1, 2); q = initial(0, 0);\n"
                                     "bead translatex(p) translatey(q);\n"
                                     "path_constraint(bead, line(-9, 0, 0, 9, 0, 0)); end;\n"
                                     "crate rotatez(40 deg) spin(0, 0, 3);\n";
    const Vec3 exact = after_a_second(alone + rides, "bead", 1.0 / 240);
    CHECK(length(after_a_second(wire, "bead", 1.0 / 240) - exact) < 5e-3);
}

TEST_CASE("a crate with a pendulum lands, rests, and is the same after a restore")
{
    const std::string text = kFloor +
                             "def crate body(mass = 1); box(0.4, 0.2, 0.4); end;\n"
                             "crate translatey(0.3);\n" +
                             kBob +
                             "bob translatey(0.5) rotatez(b) on crate;\n"
                             "spring_and_damper(b, 0, 20, 0.5);\n" +
                             with_step(1.0 / 120);
    World world = make_world(text);
    world.advance(1);
    const std::vector<std::byte> kept = world.snapshot();
    world.advance(3);
    const std::uint64_t hash = world.state_hash();
    CHECK(place(world, "crate").y == doctest::Approx(0.1).epsilon(0.01));
    REQUIRE(world.restore(kept));
    world.advance(3);
    CHECK(world.state_hash() == hash);
    World threads = make_world(text, 4);
    threads.advance(1);
    threads.advance(3);
    CHECK(threads.state_hash() == hash);
}

TEST_CASE("a mass that nothing moves against its body is the body's own affair")
{
    CHECK(test::codes_of(kBody + "crate; def bob mass(1); end; bob translatey(1) on crate;") ==
          test::Codes{"mass-in-body"});
}

namespace {

/// A ball that rolls on a floor for two seconds; `more` ties it to something.
double rolled(const std::string& rolling, const std::string& more)
{
    World world =
        make_world("def floor obstacle(); plane(0, 1, 0, 0); material(friction = 0.8); end;\n"
                   "def ball body(density = 500); sphere(0.1);\n"
                   "material(friction = 0.8, rolling = " +
                   rolling +
                   "); end;\n"
                   "floor; b = ball translatey(0.1) velocity(2, 0, 0) spin(0, 0, -20);\n"
                   "def post label(); end; p = post translate(0, 0.1, 0);\n" +
                   more + "simulate(0 sec, 2 sec, step = 1/240);\n");
    const StepReport report = world.advance(2);
    CHECK_FALSE(report.fault);
    CHECK(report.converged);
    return place(world, "b").x;
}

const std::string kWeak = "spring_and_damper(b, p, 0, 0.001, 0);\n"; // pulls with 4 mN at most

} // namespace

TEST_CASE("a weak spring leaves rolling resistance as it is")
{
    const double alone = rolled("0.01", "");
    CHECK(alone == doctest::Approx(2.6).epsilon(0.01));
    CHECK(rolled("0.01", kWeak) == doctest::Approx(alone).epsilon(0.005));
    CHECK(rolled("0", kWeak) == doctest::Approx(4).epsilon(0.005));
}

TEST_CASE("rolling resistance of a tied ball is a torque of the normal force times its arm")
{
    // With a = ρ g / (r (1 + 2/5)) the ball stops after v² / (2 a).
    const double a = 0.04 * 9.81 / (0.1 * 1.4), stops = 2 * 2 / (2 * a);
    CHECK(rolled("0.04", kWeak) == doctest::Approx(stops).epsilon(0.01));
}

TEST_CASE("settings of rods are for islands with rods: others keep their bits")
{
    const std::string tied = "dynamic a; a = initial(60 deg, 0);\n"
                             "def bob mass(2); end; b = bob translatey(-1) rotatez(a);\n" +
                             kBody + "c = crate translatey(-2) rotatez(60 deg);\n" +
                             "ball_joint(c, b, " + kAtBob + ");\n" + with_step(1.0 / 120);
    const std::string far = "def far rod(line(100, 0, 0, 101, 0, 0), spans = 4); end; f = far;\n";
    World alone = make_world(tied);
    alone.advance(1);
    for (const std::string settings :
         {"", "rods(iterations = 1);", "rods(iterations = 3);", "rods(tolerance = 1e-3);"}) {
        CAPTURE(settings);
        World beside = make_world(tied + far + settings);
        beside.advance(1);
        CHECK(place(beside, "c") == place(alone, "c"));
        CHECK(place(beside, "b") == place(alone, "b"));
    }
}

TEST_CASE("a wire that is fixed with its direction to a linkage turns with it")
{
    World world =
        make_world("gravity(0, 0, 0); dynamic a; a = initial(0, 2);\n"
                   "def beam box_mass(100, 2, 0.1, 0.1); tip = label() translatex(1); end;\n"
                   "arm = beam rotatez(a);\n"
                   "def cable rod(line(1,0,0, 1.5,0,0), spans = 4, radius = 0.01, "
                   "young = 1e9, damping = 10 ms); end;\n"
                   "wire = cable; def mark label(); end; far = mark on wire at 1 along;\n"
                   "fusion(wire at 0 along, arm.tip, tangent = fixed);\n"
                   "simulate(0 sec, 10 sec);\n");
    REQUIRE_FALSE(world.advance(0.5).fault);
    const Vec3 tip = place(world, "tip"), end = place(world, "far");
    CHECK(std::abs(std::atan2(tip.y, tip.x)) > 0.9);
    CHECK(length((end - tip) / length(end - tip) - tip / length(tip)) < 1e-3);
}

TEST_CASE("energy counts the springs of bodies: two crates on one spring keep theirs")
{
    World world = make_world("gravity(0, 0, 0);\n"
                             "def crate body(mass = 2); box(0.2, 0.2, 0.2); end;\n"
                             "a = crate; b = crate translatex(1.5);\n"
                             "spring_and_damper(a, b, 1, 100, 0);\n"
                             "simulate(0 sec, 2 sec, step = 1 / 960);\n");
    const double start = world.energy().potential;
    CHECK(start == doctest::Approx(0.5 * 100 * 0.25));
    double largest = 0;
    for (int i = 1; i <= 40; ++i) {
        REQUIRE_FALSE(world.advance(0.05 * i).fault);
        const Energy now = world.energy();
        largest = std::max(largest, now.kinetic);
        CHECK(std::abs(now.kinetic + now.potential - start) < 1e-3 * start);
    }
    CHECK(largest > 0.9 * start);
}
