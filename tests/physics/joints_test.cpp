// Joints of three dimensions, stops, friction and motors of coordinates, against closed forms and
// tables of an independent integration (reference/joints.py).

#include "physics/motions.h"
#include "support/readings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double kG = 9.81;
constexpr double kRates[] = {24, 25, 30, 50, 60, 100, 120};

/// The largest error against a table at any of the frame rates.
double worst_error(const std::string& name)
{
    const Scene scene = repository_scene("tests/physics/scripts/" + name + ".charli");
    const ReferenceTable table = read_reference_table(name);
    double worst = 0;
    for (const double fps : kRates)
        worst = std::max(worst, largest_error(scene, table, fps));
    return worst;
}

Motion motion_of(const std::string& script)
{
    return Motion(sound_scene(script + " simulate(0 sec, 100 sec);"));
}

} // namespace

TEST_CASE("a tumbling block, a top and a rag doll move as an independent integration has them "
          "[notes: linkages, eq. 7], [notes: linkages, eq. 8], [notes: linkages, eq. 9]")
{
    CHECK(worst_error("tumbling_box") < 1e-9);
    CHECK(worst_error("ball_top") < 1e-9);
    CHECK(worst_error("ragdoll") < 1e-9);
}

TEST_CASE("a gyroscope in free fall precesses about its angular momentum")
{
    // A square plate: I along y is A, across it C. R = exp(L t / C) exp(spin left over about y).
    const double A = 1. / 12 * 2 * 0.16, C = 1. / 12 * (0.16 + 0.01);
    const Vec3 w{2, 30, 0}, L{C * w.x, A * w.y, 0};
    const double over = w.y - L.y / C;
    for (const double fps : kRates) {
        Motion motion = motion_of("dynamic ball q = initial((0, 0, 0), (2, 30, 0)); dynamic y;"
                                  "def plate box_mass(1, 0.4, 0.1, 0.4); end;"
                                  "p = plate free(q, 0, y, 0); r = label() translatex(1) on p;");
        motion.advance_in_frames(3, fps);
        const Quat turn = exp_quat(L * (3 / C)) * exp_quat(Vec3{0, over * 3, 0});
        const Vec3 expected = rotate(turn, Vec3{1, 0, 0}) + Vec3{0, -kG * 4.5, 0};
        CHECK(length(motion.place("r") - expected) < 1e-9);
    }
}

TEST_CASE("a ball joint keeps energy for 100 s, and no turn is singular")
{
    const Scene scene = repository_scene("tests/physics/scripts/ball_top.charli");
    Motion motion(scene);
    const double start = motion.energy();
    motion.advance_in_frames(100, 24);
    CHECK(std::abs(motion.energy() - start) < 1e-8 * motion.kinetic);
    // A block that three angles stop at 90 deg (gimbal lock) goes on as a ball.
    Motion block = motion_of("dynamic ball q = initial((0, 0, 0), (0, 1, 0));"
                             "def crate box_mass(1, 1, 0.5, 0.2); end;"
                             "c = crate ball(q); t = label() translatex(1) on c;");
    block.advance_in_frames(4, 25);
    CHECK(length(block.place("t") - Vec3{std::cos(4.), 0, -std::sin(4.)}) < 1e-10);
}

TEST_CASE("a spring and a torque of a ball about one axis are those of an angle "
          "[notes: linkages, eq. 10]")
{
    const double inertia = 1. / 12 * (1 + 0.04), k = 2;
    Motion motion = motion_of("dynamic ball q = initial((0, 0, 0.8), (0, 0, 0));"
                              "def bar box_mass(1, 1, 0.2, 0.2); end; gravity(0, 0, 0);"
                              "b = bar ball(q); t = label() translatex(1) on b;"
                              "spring_and_damper(q, 2, 0); torque(q, 0, 0, 0.5);");
    motion.advance_in_frames(2, 24);
    const double angle = 0.25 + 0.55 * std::cos(std::sqrt(k / inertia) * 2);
    CHECK(length(motion.place("t") - Vec3{std::cos(angle), std::sin(angle), 0}) < 1e-9);
}

TEST_CASE("universal and screw joints are the rotations and moves they stand for")
{
    Motion universal = motion_of("dynamic a = initial(0.3, 1), b = initial(-0.2, 2);"
                                 "def bar box_mass(1, 1, 0.2, 0.3); end; u = bar universal(a, b);"
                                 "t = label() translate(1, 1, 1) on u;");
    Motion apart = motion_of("dynamic a = initial(0.3, 1), b = initial(-0.2, 2);"
                             "def bar box_mass(1, 1, 0.2, 0.3); end; u = bar rotatex(a) rotatey(b);"
                             "t = label() translate(1, 1, 1) on u;");
    universal.advance_in_frames(2, 24);
    apart.advance_in_frames(2, 24);
    CHECK(length(universal.place("t") - apart.place("t")) < 1e-13);
    // A nut on an upright screw: m g p = (I + m p²) a for the way p of a radian.
    const double p = 0.1 / 6.283185307179586, inertia = 1. / 12 * 2 * 0.04;
    Motion nut = motion_of("dynamic a; def block box_mass(1, 0.2, 0.2, 0.2); end;"
                           "n = block screw(a, 0.1, axis = y);");
    nut.advance_in_frames(1, 24);
    const double turned = -kG * p / (inertia + p * p) / 2;
    CHECK(nut.coordinate("a") == doctest::Approx(turned).epsilon(1e-10));
    CHECK(nut.place("n").y == doctest::Approx(turned * p).epsilon(1e-10));
}

TEST_CASE("what falls on a stop bounces and comes to rest [notes: linkages, eq. 12]")
{
    // From 1 m: the first fall takes T, each bounce e times as long up and down.
    const double T = std::sqrt(2 / kG), e = 0.5;
    for (const double fps : kRates) {
        Motion motion = motion_of("dynamic y = initial(1, 0); m = mass(2) translatey(y);"
                                  "limits(y, 0, 5, bounce = 0.5);");
        motion.advance_in_frames(1, fps);
        const double since = 1 - T - 2 * e * T; // in the second flight
        const double v = e * e * kG * T;
        REQUIRE(since > 0);
        CHECK(std::abs(motion.place("m").y - (v * since - kG * since * since / 2)) < 1e-9);
        motion.advance_in_frames(3, fps);
        CHECK(std::abs(motion.place("m").y) < 1e-9);
    }
}

TEST_CASE("a stop hits the whole linkage, and lets go of what is pulled away")
{
    // Two masses on a rail joined by a rod: the stop of one stops both.
    Motion motion = motion_of("dynamic x = initial(0, 1); a = mass(1) translatex(x);"
                              "b = mass(3) translatex(x + 1); gravity(0, 0, 0);"
                              "limits(x, -1, 0.5, bounce = 1);");
    motion.advance_in_frames(2, 24);
    CHECK(motion.place("b").x == doctest::Approx(0).epsilon(1e-9));
    Motion pulled = motion_of("dynamic x = initial(0, 1); a = mass(1) translatex(x);"
                              "gravity(0, 0, 0); limits(x, -1, 0.5);"
                              "torque(x, {0 at 0 sec hold -2 at 1 sec});");
    pulled.advance_in_frames(0.9, 25);
    CHECK(pulled.place("a").x == doctest::Approx(0.5).epsilon(1e-12));
    pulled.advance_in_frames(1.5, 25);
    CHECK(pulled.place("a").x == doctest::Approx(0.5 - 0.25).epsilon(1e-9));
}

TEST_CASE("dry friction slows down, holds, and slips when pushed harder")
{
    for (const double fps : kRates) {
        // 2 m/s² slow it from 1 m/s in 0.5 s after 0.25 m; the push reaches 2 N at 2 s.
        Motion motion = motion_of("dynamic x = initial(0, 1); a = mass(1) translatex(x);"
                                  "gravity(0, 0, 0); friction(x, 2);"
                                  "torque(x, time);");
        motion.advance_in_frames(0.25, fps);
        // ẍ = t − 2: x = t³/6 − t² + t, until ẋ = t²/2 − 2 t + 1 = 0.
        CHECK(std::abs(motion.place("a").x - (0.015625 / 6 - 0.0625 + 0.25)) < 1e-9);
        const double stop = 2 - std::sqrt(2.);
        const double place = stop * stop * stop / 6 - stop * stop + stop;
        motion.advance_in_frames(2, fps);
        CHECK(std::abs(motion.place("a").x - place) < 1e-9);
        motion.advance_in_frames(3, fps);
        CHECK(std::abs(motion.place("a").x - (place + 1. / 6)) < 1e-9);
    }
}

TEST_CASE("a motor follows its track with bounded force [notes: linkages, eq. 11]")
{
    Motion motion = motion_of("dynamic x = initial(0, 2); a = mass(1) translatex(x);"
                              "gravity(0, 0, 0); motor(x, 2 * time, 100, 20);");
    motion.advance_in_frames(3, 24);
    CHECK(motion.place("a").x == doctest::Approx(6).epsilon(1e-12));
    // Far from its target it pushes with all it may: 4 N on 1 kg for half a second.
    Motion bounded = motion_of("dynamic x; a = mass(1) translatex(x);"
                               "gravity(0, 0, 0); motor(x, 100, 1e4, 1, most = 4);");
    bounded.advance_in_frames(0.5, 24);
    CHECK(bounded.place("a").x == doctest::Approx(0.5).epsilon(1e-12));
}
