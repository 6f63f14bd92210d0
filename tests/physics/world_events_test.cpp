// Events, stops and friction where linkages meet bodies and rods: against closed forms.

#include "physics/motions.h"
#include "support/readings.h"
#include "support/worlds.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double kStep = 1.0 / 240;

Motion motion_of(const std::string& script, const std::string& step = "1/240")
{
    return Motion(sound_scene(script + " simulate(0 sec, 100 sec, step = " + step + ");"));
}

/// A ball that falls from 2 m, with a floor at 0.
const std::string kFalling = "def floor obstacle(); plane(0, 1, 0, 0); end; floor;"
                             "def ball body(mass = 1); sphere(0.1); end; b = ball translatey(2);";
/// A wheel without weight on a hinge.
const std::string kWheel =
    "dynamic a; def wheel box_mass(1, 1, 1, 0.1); end; w = wheel rotatez(a);";

} // namespace

TEST_CASE("an event sees where a body is, and comes at the end of the step")
{
    const double fall = std::sqrt(2 * 1 / 9.81); // through 1 m
    for (const double fps : {24.0, 30.0, 50.0}) {
        Motion motion = motion_of(kFalling + kWheel + "when b_y < 1 as low set_rate(a, 5); end;");
        motion.advance_in_frames(1.5, fps);
        const double low = motion.coordinate("low");
        CHECK(low >= fall - 1e-3 * kStep);
        CHECK(low < fall + 1.01 * kStep);
        CHECK(motion.coordinate("a") == doctest::Approx(5 * (1.5 - low)).epsilon(1e-9));
    }
}

TEST_CASE("an event sees a contact, and another comes a time after it")
{
    const double fall = std::sqrt(2 * 1.9 / 9.81);
    Motion motion = motion_of(kFalling + kWheel +
                              "when contact_force(b, floor) > 0 as landed end;"
                              "when since(landed) > 0.2 as later torque(a, 1); end;");
    motion.advance_in_frames(1.5, 24);
    CHECK(std::abs(motion.coordinate("landed") - fall) < 2 * kStep);
    const double later = motion.coordinate("later"), inertia = 1.0 / 6;
    CHECK(std::abs(later - motion.coordinate("landed") - 0.2) < 1.01 * kStep);
    CHECK(motion.coordinate("a") ==
          doctest::Approx(0.5 / inertia * (1.5 - later) * (1.5 - later)).epsilon(1e-3));
}

TEST_CASE("what repeats ends and comes again, and a group is touched in its parts")
{
    Motion motion =
        motion_of("def floor obstacle(); plane(0, 1, 0, 0); material(bounce = 1); end; floor;"
                  "def ball body(mass = 1); sphere(0.1); material(bounce = 1, friction = 0); end;"
                  "def two p = ball translatey(1.1); q = ball translate(3, 40, 0); end; t = two;"
                  "whenever contact_force(t) > 0 as hit end;");
    const double fall = std::sqrt(2 / 9.81);
    std::vector<double> hits;
    for (int i = 1; i * kStep < 4 * fall; ++i) {
        motion.advance(i * kStep);
        if (const double hit = motion.coordinate("hit");
            hit < kNever && (hits.empty() || hits.back() != hit))
            hits.push_back(hit);
    }
    REQUIRE(hits.size() == 2);
    CHECK(std::abs(hits[0] - fall) < 2 * kStep);
    CHECK(std::abs(hits[1] - 3 * fall) < 4 * kStep);
    CHECK(motion.coordinate("hit") == kNever);
}

TEST_CASE("an event lets go of a joint of bodies, and drives its motor")
{
    Motion motion =
        motion_of(kFalling + "c = ball translate(1, 2, 0); when b_y < 1.5 as low end;"
                             "ball_joint(c, point(1, 2, 0), active = not low);"
                             "def door body(mass = 1); box(1, 1, 0.1); end;"
                             "d = door translate(5.5, 2, 0);"
                             "hinge_joint(d, line(5, 2, 0, 5, 3, 0), motor = 2 * low);");
    motion.advance_in_frames(0.6, 60);
    const double low = motion.coordinate("low"), left = 0.6 - low;
    CHECK(motion.place("c").y == doctest::Approx(2 - 0.5 * 9.81 * left * left).epsilon(5e-3));
    const Vec3 door = motion.place("d") - Vec3{5, 2, 0};
    CHECK(std::abs(std::abs(std::atan2(door.z, door.x)) - 2 * left) < 2 * 1.01 * kStep);
}

TEST_CASE("an event that only a probe looks at comes too, without bodies")
{
    Motion motion = motion_of("dynamic x = initial(0, 1); b = mass(1) translatex(x);"
                              "gravity(0, 0, 0); when time > 0.5 as late end; probe(\"p\", late);");
    motion.advance_in_frames(0.4, 24);
    CHECK(row_of(motion.world, "p").position.x == 0);
    motion.advance_in_frames(0.6, 24);
    CHECK(row_of(motion.world, "p").position.x == 1);
    CHECK(std::abs(motion.coordinate("late") - 0.5) < 1.01 * kStep);
}

TEST_CASE("an event lets go of a rope")
{
    World world = make_world(kFalling + "when b_y < 1.5 as low end;"
                                        "def rope rod(line(0, 5, 0, 1, 5, 0), spans = 4); end;"
                                        "k = rope translatez(3);"
                                        "for u in 0..4 position_constraint(k at u / 4 along,"
                                        "    point(u / 4, 5, 3), active = not low); end;"
                                        "simulate(0 sec, 2 sec, step = 1/240);");
    world.advance(0.9);
    const double left = 0.9 - world.coordinates()[0], fallen = 0.5 * 9.81 * left * left;
    const Frame frame = world.frame();
    REQUIRE(!frame.nodes.empty());
    for (const Vec3& node : frame.nodes)
        CHECK(5 - node.y == doctest::Approx(fallen).epsilon(0.03)); // within a step of the event
}

TEST_CASE("a stop holds a linkage that carries a body, and its bounce is that of both")
{
    // 1 kg of the linkage and 3 kg of the body fall together from y = 0 onto the stop at -1.
    const std::string script =
        "dynamic y; def block box_mass(1, 0.1, 0.1, 0.1); end; m = block translatey(y);"
        "def weight body(mass = 3); sphere(0.1); end; w = weight translatey(-0.5);"
        "ball_joint(w, m, point(0, 0, 0)); limits(y, -1, 5, bounce = 0.5);";
    Motion motion = motion_of(script);
    const double fall = std::sqrt(2 / 9.81), speed = 9.81 * fall;
    motion.advance_in_frames(fall + 0.5 * 0.5 * speed / 9.81, 1 / kStep);
    CHECK(motion.coordinate("y") > -1 + 0.15); // on its way up again, to -0.75
    double highest = -1;
    for (int i = 0; i < 60; ++i) {
        motion.advance(motion.world.time() + kStep);
        highest = std::max(highest, motion.coordinate("y"));
    }
    CHECK(highest == doctest::Approx(-0.75).epsilon(0.03));
    motion.advance_in_frames(6, 24);
    CHECK(motion.coordinate("y") == doctest::Approx(-1).epsilon(1e-6));
}

TEST_CASE("dry friction holds a linkage that a body pulls, up to its most, and slides above")
{
    // A weight of 1 kg under a block of 2 kg on a line that is steep as sin = 1: 29.43 N in all.
    const auto fallen = [](const std::string& most) {
        Motion motion = motion_of(
            "dynamic y; def block box_mass(2, 0.1, 0.1, 0.1); end; m = block translatey(y);"
            "def weight body(mass = 1); sphere(0.1); end; w = weight translatey(-0.5);"
            "ball_joint(w, m, point(0, 0, 0)); friction(y, " +
            most + ");");
        motion.advance_in_frames(1, 24);
        return -motion.coordinate("y");
    };
    CHECK(std::abs(fallen("29.5")) < 1e-6);
    CHECK(fallen("14.43") == doctest::Approx(0.5 * 15 / 3).epsilon(1e-3)); // (29.43 - 14.43) / 3 kg
}

TEST_CASE("a constraint of a linkage that holds a body lets go by time, by an event, by its force")
{
    const auto make = [](const std::string& release) {
        return motion_of("dynamic x, y = initial(-1, 0); nail = label();"
                         "def block box_mass(1, 0.1, 0.1, 0.1); end; m = block translate(x, y, 0);"
                         "def weight body(mass = 3); sphere(0.1); end; w = weight translatey(-1.5);"
                         "ball_joint(w, m, point(0, -1, 0)); when w_y < -50 as never end;"
                         "dist_constraint(m, nail, 1, " +
                         release + ");");
    };
    for (const char* release : {"until = 0.5 sec", "active = time < 0.5"}) {
        Motion motion = make(release);
        motion.advance_in_frames(1, 24);
        CHECK(motion.coordinate("y") ==
              doctest::Approx(-1 - 0.5 * 9.81 * 0.25).epsilon(0.02)); // within a step of 0.5 s
    }
    Motion holds = make("breaks = 39.3"), breaks = make("breaks = 39.1"); // 4 kg: 39.24 N
    holds.advance_in_frames(1, 24);
    breaks.advance_in_frames(1, 24);
    CHECK(holds.coordinate("y") == doctest::Approx(-1).epsilon(1e-9));
    CHECK(breaks.coordinate("y") < -5);
}

TEST_CASE("what a body brings along is caught")
{
    // 1 kg with a body of 1 kg at 3 m/s meets 2 kg at rest: together at 1.5 m/s.
    Motion motion =
        motion_of("dynamic x = initial(0, 3), z = initial(2, 0);"
                  "def block box_mass(1, 0.1, 0.1, 0.1); end; m = block translatex(x);"
                  "def other box_mass(2, 0.1, 0.1, 0.1); end; n = other translatex(z);"
                  "def rider body(mass = 1); sphere(0.1); end; r = rider velocity(3, 0, 0);"
                  "fixed_joint(r, m); gravity(0, 0, 0);"
                  "when n_x - m_x < 0.5 dist_constraint(m, n, 0.5); end;");
    motion.advance_in_frames(1.5, 24);
    CHECK(motion.place("n").x - motion.place("m").x == doctest::Approx(0.5).epsilon(1e-9));
    CHECK(motion.place("n").x == doctest::Approx(2 + 1.5).epsilon(0.01)); // from 0.5 s on
}

TEST_CASE("events of the world are part of the state: snapshots, threads")
{
    const std::string text =
        kFalling + kWheel +
        "when b_y < 1 as low set_rate(a, 5); end; whenever contact_force(b) > 0 as hit end;"
        "simulate(0 sec, 2 sec, step = 1/240);";
    World one = make_world(text), two = make_world(text, 2);
    one.advance(0.5);
    two.advance(0.5);
    World other = make_world(text);
    REQUIRE(other.restore(one.snapshot()));
    for (World* world : {&one, &two, &other})
        world->advance(1.5);
    CHECK(one.state_hash() == two.state_hash());
    CHECK(one.state_hash() == other.state_hash());
    CHECK(one.coordinates()[1] < kNever);
}

TEST_CASE("a contact is for conditions only, and a rate that follows a body is refused")
{
    CHECK(codes_of(kFalling + kWheel + "when time > 1 set_rate(a, b_y); end;") ==
          Codes{"linkage-follows-body"});
    CHECK(codes_of(kFalling + "force(b, contact_force(b, floor), 0, 0);") ==
          Codes{"contact-out-of-place"});
}
