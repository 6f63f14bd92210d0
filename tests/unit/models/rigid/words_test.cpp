// What scripts say of bodies and their joints, each against a closed form.

#include "sinew/world.h"

#include "sinew/names.h"
#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using sinew::test::make_world;

namespace {

constexpr double kG = 9.81;

const std::string kGround = "def ground obstacle(); plane(0, 1, 0, 0); end; ground;\n";
const std::string kBall = "def ball body(mass = 1); sphere(0.1); end;\n";

ObjectId find(const World& world, const std::string& name)
{
    const std::vector<std::size_t> found = find_names(object_names(world.scene()), name);
    if (found.size() == 1)
        return {static_cast<std::uint32_t>(found.front())};
    FAIL("there is no " << name);
    return {};
}

Vec3 place(const World& world, const std::string& name)
{
    return world.frame().objects[find(world, name).index].origin;
}

BodyMotion motion(const World& world, const std::string& name)
{
    const std::vector<BodyMotion> bodies = world.bodies();
    const auto found = std::ranges::find(bodies, find(world, name), &BodyMotion::object);
    REQUIRE(found != bodies.end());
    return *found;
}

std::vector<ContactEvent> events_until(World& world, double end, double step)
{
    std::vector<ContactEvent> events;
    for (double t = step; t < end + 0.5 * step; t += step) {
        const StepReport report = world.advance(t);
        REQUIRE_FALSE(report.fault);
        events.insert(events.end(), report.events.begin(), report.events.end());
    }
    return events;
}

} // namespace

TEST_CASE("touches: what passes through falls on, in either order, also a whole group")
{
    for (const char* said :
         {"touches(b, lid, no);", "touches(lid, b, no);", "touches(pair, lid, no);",
          "touches(b, lid, yes); touches(b, lid, no);"}) {
        CAPTURE(said);
        World world = make_world(kBall +
                                 "def slab obstacle(); box(1, 0.05, 1); end; lid = slab;\n"
                                 "def two ball translatex(-0.35); ball translatex(0.35); end;\n"
                                 "pair = two translatey(1); b = ball translatey(2);\n" +
                                 said);
        world.advance(1);
        const bool is_pair = std::string(said).find("pair") != std::string::npos;
        const double free = 2 - 0.5 * kG;
        if (is_pair)
            CHECK(place(world, "b").y > 0.1);
        else
            CHECK(place(world, "b").y == doctest::Approx(free).epsilon(1e-9));
    }
}

TEST_CASE("touches with sense: they pass, and the meeting is noted once")
{
    World world = make_world(kBall + "def slab obstacle(); box(1, 0.1, 1); end; gate = slab;\n"
                                     "b = ball translatey(1);\n"
                                     "touches(b, gate, sense);");
    const std::vector<ContactEvent> events = events_until(world, 1, 1.0 / 240);
    CHECK(place(world, "b").y == doctest::Approx(1 - 0.5 * kG).epsilon(1e-9));
    REQUIRE(events.size() == 1);
    CHECK(events[0].is_sensed);
    CHECK(events[0].impulse == 0);
    // the ball's foot is 0.85 m above the slab
    CHECK(events[0].time == doctest::Approx(std::sqrt(2 * 0.85 / kG)).epsilon(0.02));
}

TEST_CASE("contact events: time, place, speed and impulse of a ball that bounces")
{
    for (const double bounce : {0.0, 0.5, 1.0}) {
        CAPTURE(bounce);
        World world = make_world("bodies(sleep = no);\n" + kGround +
                                 "def ball body(mass = 2); sphere(0.1); material(bounce = " +
                                 std::to_string(bounce) + "); end; b = ball translatey(1.1);");
        const std::vector<ContactEvent> events = events_until(world, 0.6, 1.0 / 240);
        REQUIRE(events.size() == 1);
        const double speed = std::sqrt(2 * kG * 1.0);
        CHECK(events[0].time == doctest::Approx(speed / kG).epsilon(0.02));
        CHECK(events[0].speed == doctest::Approx(speed).epsilon(0.02));
        CHECK(events[0].impulse == doctest::Approx(2 * (1 + bounce) * speed).epsilon(0.03));
        CHECK(std::abs(events[0].place.y) < 0.02);
        CHECK(std::abs(events[0].normal.y) == doctest::Approx(1));
        CHECK(events[0].slip < 1e-9);
    }
}

TEST_CASE("share of gravity and damping: v = g/c (1 - exp(-c t)), spin dies down")
{
    World world = make_world("def crate body(mass = 3, gravity = 0.5, damping = 2, spin_damping = "
                             "3); box(1, 1, 1); end; c = crate spin(0, 4, 0);\n"
                             "def up body(mass = 3, gravity = -1); box(1, 1, 1); end;\n"
                             "u = up translatex(5);");
    world.advance(0.5);
    CHECK(motion(world, "c").velocity.y ==
          doctest::Approx(-0.5 * kG / 2 * (1 - std::exp(-1.0))).epsilon(1e-9));
    CHECK(motion(world, "c").spin.y == doctest::Approx(4 * std::exp(-1.5)).epsilon(1e-9));
    CHECK(place(world, "u").y == doctest::Approx(0.5 * kG * 0.25).epsilon(1e-9));
}

TEST_CASE("a torque turns a body: w = T t / I")
{
    World world = make_world("gravity(0, 0, 0); def crate body(mass = 6); box(1, 1, 1); end;\n"
                             "c = crate; torque(c, 0, 2, 0);");
    world.advance(0.5);
    CHECK(motion(world, "c").spin.y == doctest::Approx(2 * 0.5 / 1).epsilon(1e-9));
}

TEST_CASE("own centre of mass and moments: a physical pendulum, a spin")
{
    World world = make_world("gravity(0, 0, 0);\n"
                             "def handle body(mass = 1); sphere(0.2); centre_of_mass(0.1, 0, 0);\n"
                             "moments_of_inertia(0.01, 0.02, 0.03); end; h = handle;\n"
                             "torque(h, 0, 0, 0.3);");
    world.advance(0.25);
    const BodyMotion now = motion(world, "h");
    CHECK(now.spin.z == doctest::Approx(0.3 * 0.25 / 0.03).epsilon(1e-9));
    // the centre stays where it is
    const Vec3 centre = now.pose.translation + rotate(now.pose.rotation, Vec3{0.1, 0, 0});
    CHECK(length(centre - Vec3{0.1, 0, 0}) < 1e-9);
}

TEST_CASE("a belt carries what lies on it: a = mu g until it is as fast")
{
    World world = make_world("def conveyor obstacle(); box(20, 0.2, 1); material(friction = 0.5);\n"
                             "belt(2, 0, 0); end; conveyor;\n"
                             "def crate body(mass = 1); box(0.4, 0.2, 0.4); material(friction = "
                             "0.5); end; c = crate translate(-5, 0.2, 0);");
    world.advance(0.2);
    CHECK(motion(world, "c").velocity.x == doctest::Approx(0.5 * kG * 0.2).epsilon(0.02));
    world.advance(1);
    CHECK(motion(world, "c").velocity.x == doctest::Approx(2).epsilon(1e-6));
}

TEST_CASE("sliding friction: a = g (sin - mu_s cos) of what slides, what rests stays")
{
    const std::string slope = "bodies(sleep = no);\n"
                              "def slope obstacle(); plane(0, 1, 0, 0); material(friction = 0.6, "
                              "sliding = 0.3); end; slope rotatez(-25 deg);\n"
                              "def crate body(mass = 1); box(0.4, 0.2, 0.4); material(friction = "
                              "0.6, sliding = 0.3); end;\n";
    const double angle = 25 * M_PI / 180;
    World rests = make_world(slope + "c = crate translatey(0.1) rotatez(-25 deg);");
    rests.advance(1);
    CHECK(length(motion(rests, "c").velocity) < 1e-3);
    World slides = make_world(slope + "c = crate translatey(0.1) rotatez(-25 deg) velocity(" +
                              std::to_string(std::cos(angle)) + ", " +
                              std::to_string(-std::sin(angle)) + ", 0);");
    slides.advance(1);
    const double a = kG * (std::sin(angle) - 0.3 * std::cos(angle));
    CHECK(length(motion(slides, "c").velocity) == doctest::Approx(1 + a).epsilon(0.01));
}

TEST_CASE("a joint lets go at `until`, while `active`, and holds again as it stands then")
{
    World world = make_world(kBall + "b = ball translatey(2); fixed_joint(b, until = 0.5);");
    world.advance(0.5);
    CHECK(place(world, "b").y == doctest::Approx(2).epsilon(1e-9));
    world.advance(1);
    CHECK(place(world, "b").y == doctest::Approx(2 - 0.5 * kG * 0.25).epsilon(1e-9));

    World again = make_world(
        kBall + "b = ball translatey(9);\n"
                "fixed_joint(b, active = {0 at 0 sec hold 1 at 0.5 sec hold 0 at 1 sec});");
    again.advance(0.5);
    const double held = 9 - 0.5 * kG * 0.25;
    CHECK(place(again, "b").y == doctest::Approx(held).epsilon(1e-2));
    const double before = place(again, "b").y;
    again.advance(0.9);
    CHECK(std::abs(place(again, "b").y - before) < 0.03);
    again.advance(1.5);
    CHECK(place(again, "b").y < before - 1);
}

TEST_CASE("a body follows a track until it is let go, and flies on with its speed")
{
    World world =
        make_world("gravity(0, 0, 0);\n" + kBall +
                   "def hand label(); end; h = hand translatex({0 at 0 sec linear 2 at 1 sec});\n"
                   "b = ball translatey(0); fixed_joint(b, h, until = 0.5);");
    world.advance(0.5);
    CHECK(place(world, "b").x == doctest::Approx(1).epsilon(1e-6));
    world.advance(1);
    CHECK(place(world, "b").x == doctest::Approx(2).epsilon(1e-6));
}

TEST_CASE("a joint breaks by torque")
{
    // a bar of 1 kg, its centre 0.5 m from the wall: 4.905 N m
    for (const double bears : {4.85, 4.96}) {
        CAPTURE(bears);
        World world = make_world("def bar body(mass = 1); box(1, 0.1, 0.1); end;\n"
                                 "b = bar translatex(0.5);\n"
                                 "fixed_joint(b, breaks_torque = " +
                                 std::to_string(bears) + ");");
        world.advance(0.5);
        CHECK((place(world, "b").y < -0.5) == (bears < 4.905));
    }
}

namespace {

/// A cube whose moment of inertia is 1 kg m², on a hinge through its centre.
std::string on_hinge(const std::string& how, const std::string& start = "")
{
    return "gravity(0, 0, 0); bodies(sleep = no);\n"
           "def cube body(mass = 6); box(1, 1, 1); end; c = cube" +
           start + ";\nhinge_joint(c, line(0, 0, 0, 0, 0, 1), " + how + ");";
}

double angle_of(const World& world, const std::string& name)
{
    const Quat q = motion(world, name).pose.rotation;
    return 2 * std::atan2(q.z, q.w);
}

} // namespace

TEST_CASE("a spring in a hinge: q = q0 (1 - cos wt), and its energy stays")
{
    World world = make_world(on_hinge("target = 0.3, stiffness = 40"));
    const double period = 2 * M_PI / std::sqrt(40.0);
    for (int k = 0; k < 10; ++k) {
        world.advance((k + 0.5) * period);
        CHECK(angle_of(world, "c") == doctest::Approx(0.6).epsilon(2e-3));
        world.advance((k + 1) * period);
        CHECK(std::abs(angle_of(world, "c")) < 5e-3);
    }
}

TEST_CASE("a spring in a slider comes to rest where it carries the weight: m g / k")
{
    for (const double stiffness : {100.0, 1e5, 1e8}) {
        CAPTURE(stiffness);
        World world = make_world(kBall +
                                 "b = ball; slider_joint(b, line(0, 0, 0, 0, 1, 0), "
                                 "stiffness = " +
                                 std::to_string(stiffness) + ", damping = 20);");
        world.advance(4);
        CHECK(place(world, "b").y == doctest::Approx(-kG / stiffness).epsilon(1e-3));
    }
}

TEST_CASE("a damper in a hinge: w = w0 exp(-c t / I); dry friction: w = w0 - T t / I")
{
    World damped = make_world(on_hinge("damping = 2", " spin(0, 0, 5)"));
    damped.advance(1);
    CHECK(motion(damped, "c").spin.z == doctest::Approx(5 * std::exp(-2.0)).epsilon(1e-3));
    World rubs = make_world(on_hinge("friction = 3", " spin(0, 0, 5)"));
    rubs.advance(1);
    CHECK(motion(rubs, "c").spin.z == doctest::Approx(2).epsilon(1e-6));
    rubs.advance(3);
    CHECK(std::abs(motion(rubs, "c").spin.z) < 1e-9);
}

TEST_CASE("a servo follows its target, as hard as its motor allows")
{
    World exact = make_world(on_hinge("target = {0 at 0 sec slowinout 1 at 1 sec}"));
    exact.advance(0.5);
    CHECK(angle_of(exact, "c") == doctest::Approx(0.5).epsilon(1e-3));
    exact.advance(1.2);
    CHECK(angle_of(exact, "c") == doctest::Approx(1).epsilon(1e-6));
    World weak = make_world(on_hinge("target = 3, motor_force = 2"));
    weak.advance(1);
    CHECK(angle_of(weak, "c") == doctest::Approx(0.5 * 2).epsilon(0.01));
}

TEST_CASE("a cone stops the swing of a ball joint, a twist its turn, either way")
{
    for (const double side : {1.0, -1.0}) {
        CAPTURE(side);
        World world =
            make_world("gravity(" + std::to_string(side * kG) +
                       ", 0, 0); bodies(sleep = no);\n"
                       "def bar body(mass = 1, spin_damping = 4); box(0.1, 1, 0.1); end;\n"
                       "b = bar translatey(-0.5);\n"
                       "ball_joint(b, point(0, 0, 0), cone = 30 deg, twist = 40 deg);\n"
                       "torque(b, 0, " +
                       std::to_string(side) + ", 0);");
        world.advance(5);
        const Quat q = motion(world, "b").pose.rotation;
        const Vec3 down = rotate(q, Vec3{0, -1, 0});
        CHECK(std::acos(-down.y) * 180 / M_PI == doctest::Approx(30).epsilon(0.01));
        CHECK(down.x * side > 0);
        const double twist = 2 * std::atan2(q.y, q.w) * 180 / M_PI;
        CHECK(twist == doctest::Approx(40 * side).epsilon(0.01));
    }
}

TEST_CASE("what sleeps from the start hangs until something wakes it")
{
    World world = make_world("def crate body(mass = 1, asleep = yes); box(1, 1, 1); end;\n" +
                             kBall + "c = crate translatey(5); b = ball translatey(7);");
    world.advance(0.4);
    CHECK(place(world, "c").y == 5);
    world.advance(1.2);
    CHECK(place(world, "c").y < 4.9);
}

TEST_CASE("words of bodies in another order, twice, and at odd rates are the same")
{
    const std::string parts[] = {
        "def tumbler centre_of_mass(0, -0.05, 0); sphere(0.1); body(mass = 1); end;\n",
        "def tumbler body(mass = 1); sphere(0.1); centre_of_mass(0, -0.05, 0); end;\n"};
    std::vector<Vec3> ends;
    for (const std::string& part : parts) {
        World world = make_world(kGround + part +
                                 "t = tumbler rotatez(80 deg) translatey(0.1);\n"
                                 "u = tumbler rotatez(80 deg) translate(5, 0.1, 0);");
        world.advance(1.0 / 7);
        world.advance(2);
        ends.push_back(place(world, "t"));
        CHECK(length(place(world, "u") - place(world, "t") - Vec3{5, 0, 0}) < 1e-9);
    }
    CHECK(ends[0] == ends[1]);
}

TEST_CASE("a snapshot keeps joints that are off, and what is sensed")
{
    const std::string script =
        kBall + "def slab obstacle(); box(1, 0.2, 1); end; gate = slab translatey(6.9);\n"
                "b = ball translatey(7); touches(b, gate, sense);\n"
                "fixed_joint(b, active = {1 at 0 sec hold 0 at 0.1 sec hold 1 at 0.3 sec});";
    World one = make_world(script), other = make_world(script);
    one.advance(0.2);
    REQUIRE(other.restore(one.snapshot()));
    one.advance(0.5);
    other.advance(0.5);
    CHECK(place(one, "b") == place(other, "b"));
    CHECK(one.state_hash() == other.state_hash());
}
