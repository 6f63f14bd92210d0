// Rigid bodies as scripts: slopes, impacts, free turning, collisions in the air, scales. The
// figures of docs/theory/rigid.md are those printed here.

#include "physics/motions.h"
#include "support/readings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double kGravity = 9.81, kDegree = std::numbers::pi / 180;

Motion run(const std::string& text, double until)
{
    Motion motion(sound_scene(text));
    motion.advance_in_frames(until, 100);
    return motion;
}

/// A body's mass and its moments about the axes of its frame, whose origin is its centre.
struct Inertia {
    double mass;
    Vec3 moments;
};

Inertia box_inertia(double mass, const Vec3& s)
{
    return {mass, Vec3{s.y * s.y + s.z * s.z, s.x * s.x + s.z * s.z, s.x * s.x + s.y * s.y} *
                      (mass / 12)};
}

Vec3 angular_momentum(const BodyMotion& body, const Inertia& inertia)
{
    const Vec3 w = rotate(conjugate(body.pose.rotation), body.spin);
    const Vec3 turning{w.x * inertia.moments.x, w.y * inertia.moments.y, w.z * inertia.moments.z};
    return cross(body.pose.translation, body.velocity * inertia.mass) +
           rotate(body.pose.rotation, turning);
}

std::string number(double value) { return std::to_string(value); }

} // namespace

TEST_CASE("a crate on a slope sticks a degree below the friction angle and slides a degree above")
{
    constexpr double kMu = 0.5;
    double worst = 0, crept = 0;
    for (const double heading : {0.0, 30.0, 45.0})
        for (const double offset : {-1.0, 1.0}) {
            const double slope = std::atan(kMu) + offset * kDegree;
            const std::string tilt = " rotatez(" + number(-slope) + ")";
            Motion motion = run("def hill obstacle(); plane(0, 1, 0, 0); end; hill" + tilt +
                                    ";\ndef crate body(density = 500); box(1, 0.5, 1); end;\n" +
                                    "crate rotatey(" + number(heading) + " deg) translatey(0.25)" +
                                    tilt + ";\nsimulate(0 sec, 3 sec, step = 0.01);\n",
                                3);
            const Vec3 start{0.25 * std::sin(slope), 0.25 * std::cos(slope), 0};
            const double slid = length(motion.place("crate") - start);
            const double tilted = std::stod(number(slope)); // as the script has it
            const double exact = 4.5 * kGravity * (std::sin(tilted) - kMu * std::cos(tilted));
            if (offset > 0)
                worst = std::max(worst, std::abs(slid / exact - 1));
            else
                crept = std::max(crept, slid);
        }
    MESSAGE("slides wrong by at most " << 100 * worst << " %, creeps at most " << crept << " m");
    CHECK(worst < 1e-3);
    CHECK(crept < 1e-4);
}

TEST_CASE("balls that meet head on exchange, share or stop as Newton's law of impact says")
{
    double worst = 0;
    for (const double bounce : {0.0, 0.5, 1.0})
        for (const double mass : {1.0, 3.0}) {
            Motion motion = run("gravity(0, 0, 0);\n"
                                "def ball(m) body(mass = m); sphere(0.1); material(bounce = " +
                                    number(bounce) +
                                    "); end;\na = ball(1) translatex(-1) velocity(2, 0, 0);\n"
                                    "b = ball(" +
                                    number(mass) +
                                    ") translatex(1);\n"
                                    "simulate(0 sec, 2 sec, step = 0.01);\n",
                                2);
            const std::vector<BodyMotion> bodies = motion.world.bodies();
            const double common = 2 / (1 + mass);
            worst = std::max({worst, std::abs(bodies[0].velocity.x - common * (1 - bounce * mass)),
                              std::abs(bodies[1].velocity.x - common * (1 + bounce))});
        }
    MESSAGE("velocities after impact wrong by at most " << worst << " m/s");
    CHECK(worst < 1e-9);
}

TEST_CASE("a spun cylinder precesses about its angular momentum at L over its transverse moment")
{
    // Moments of a cylinder of 1 kg, r = 0.5, l = 0.4 along y.
    const double along = 0.5 * 0.25, across = 0.25 * 0.25 + 0.16 / 12;
    const Vec3 spin{2, 10, 0};
    Motion motion = run("gravity(0, 0, 0);\ndef wheel body(mass = 1); cylinder(0.5, 0.4); end;\n"
                        "wheel spin(2, 10, 0);\nsimulate(0 sec, 10 sec, step = 0.01);\n",
                        10);
    const Vec3 momentum{across * spin.x, along * spin.y, 0};
    const double angle = 10 * length(momentum) / across;
    const Vec3 n = normalised(momentum), y{0, 1, 0};
    const Vec3 axis = y * std::cos(angle) + cross(n, y) * std::sin(angle) +
                      n * (dot(n, y) * (1 - std::cos(angle)));
    const Quat turned = motion.world.bodies()[0].pose.rotation;
    const double error = length(rotate(turned, y) - axis);
    MESSAGE("after " << angle / (2 * std::numbers::pi) << " turns the axis is off by " << error
                     << " rad");
    CHECK(error < 2e-2);
}

TEST_CASE("a racket turns over and keeps energy and angular momentum")
{
    Motion motion(sound_scene("gravity(0, 0, 0);\n"
                              "def racket body(mass = 5); box(1, 2, 3); end;\n"
                              "racket spin(0.001, 5, 0.001);\n"
                              "simulate(0 sec, 30 sec, step = 0.01);\n"));
    const Inertia inertia = box_inertia(5, {1, 2, 3});
    const double energy = motion.energy();
    const Vec3 momentum = angular_momentum(motion.world.bodies()[0], inertia);
    double lost = 0, strayed = 0, lowest = 1;
    for (int i = 1; i <= 300; ++i) {
        motion.advance(0.1 * i);
        const BodyMotion body = motion.world.bodies()[0];
        lost = std::max(lost, std::abs(motion.energy() / energy - 1));
        strayed = std::max(strayed, length(angular_momentum(body, inertia) - momentum));
        lowest = std::min(lowest, rotate(body.pose.rotation, Vec3{0, 1, 0}).y);
    }
    MESSAGE("in 30 s energy strays by " << lost << ", angular momentum by "
                                        << strayed / length(momentum));
    CHECK(lowest < -0.9);
    CHECK(lost < 1e-4);
    CHECK(strayed < 1e-11 * length(momentum));
}

TEST_CASE("boxes that collide spinning in the air keep both momenta")
{
    // Where a step is longer than contacts reach, boxes overlap when they are first seen to touch;
    // parting them must not cost momentum either.
    for (const double part : {0.1, 1.0}) {
        const auto scaled = [&](const char* word, const Vec3& v) {
            return std::string(" ") + word + "(" + number(v.x * part) + ", " + number(v.y * part) +
                   ", " + number(v.z * part) + ")";
        };
        Motion motion(sound_scene(
            "gravity(0, 0, 0);\n"
            "def a body(mass = 2); box(1, 0.5, 0.8); material(friction = 0.6, bounce = 0.4); end;\n"
            "def b body(mass = 3); box(0.6, 1.2, 0.5); material(friction = 0.6); end;\n"
            "a rotatez(20 deg) translate(-1.5, 0.1, 0)" +
            scaled("velocity", {3, 0, 0.2}) + scaled("spin", {1, 2, 3}) +
            ";\nb rotatex(35 deg) translate(1.5, 0, 0.1)" + scaled("velocity", {-1, 0.1, 0}) +
            scaled("spin", {-2, 0, 1}) + ";\nsimulate(0 sec, 20 sec, step = 0.01);\n"));
        const Inertia a = box_inertia(2, {1, 0.5, 0.8}), b = box_inertia(3, {0.6, 1.2, 0.5});
        const auto linear = [&] {
            const std::vector<BodyMotion> bodies = motion.world.bodies();
            return bodies[0].velocity * a.mass + bodies[1].velocity * b.mass;
        };
        const auto angular = [&] {
            const std::vector<BodyMotion> bodies = motion.world.bodies();
            return angular_momentum(bodies[0], a) + angular_momentum(bodies[1], b);
        };
        const Vec3 p = linear(), l = angular();
        const double energy = motion.energy(), speed = motion.world.bodies()[0].velocity.x;
        motion.advance_in_frames(2 / part, 100);
        MESSAGE("at " << 4 * part << " m/s momentum strays by " << length(linear() - p) / length(p)
                      << ", angular momentum by " << length(angular() - l) / length(l)
                      << ", overlap " << motion.residual << " m");
        CHECK(motion.world.bodies()[0].velocity.x < speed - part); // they did meet
        CHECK(length(linear() - p) < 1e-14 * length(p));
        CHECK(length(angular() - l) < 1e-11 * length(l));
        CHECK(motion.energy() < energy);
    }
}

TEST_CASE("a millimetre, a metre and a kilometre behave alike, time scaled by the root")
{
    const auto places = [](double size) {
        const std::string s = number(size * 1e6) + " / 1000000";
        Motion motion(sound_scene(
            "param s = " + s + ";\ndef floor obstacle(); plane(0, 1, 0, 0); end; floor;\n" +
            "def crate body(density = 500); box(s, s, s); material(friction = 0.4); end;\n"
            "a = crate translatey(0.5 * s);\nb = crate translate(0.3 * s, 1.5 * s, 0);\n"
            "c = crate rotatez(20 deg) rotatex(10 deg) translate(-0.1 * s, 3.5 * s, 0.1 * s)"
            " velocity(0.5 * sqrt(s), 0, 0);\n"
            "simulate(0 sec, 100 sec, step = 0.01 * sqrt(s));\nbodies(sleep = no);\n"));
        for (int i = 1; i <= 100; ++i)
            motion.advance(0.01 * i * std::sqrt(size));
        std::vector<Vec3> list;
        for (const char* name : {"a", "b", "c"})
            list.push_back(motion.place(name) / size);
        return list;
    };
    const std::vector<Vec3> metre = places(1);
    double worst = 0;
    for (const double size : {1e-3, 1e3}) {
        const std::vector<Vec3> other = places(size);
        for (std::size_t i = 0; i < metre.size(); ++i)
            worst = std::max(worst, length(other[i] - metre[i]));
    }
    MESSAGE("a second (times the root of the scale) after the start places differ by " << worst
                                                                                       << " sizes");
    CHECK(worst < 1e-2); // the solver stops at a tolerance; tumbling does the rest
}

TEST_CASE("a wall of 2,025 bricks stands for two seconds")
{
    Motion motion(
        repository_scene("examples/brick_wall.charli", {{"rows", "50"}, {"columns", "41"}}));
    const std::vector<BodyMotion> start = motion.world.bodies();
    motion.advance_in_frames(2, 24);
    const std::vector<BodyMotion> end = motion.world.bodies();
    double drift = 0;
    for (std::size_t i = 0; i < start.size(); ++i)
        drift = std::max(drift, length(end[i].pose.translation - start[i].pose.translation));
    MESSAGE(start.size() << " bricks drift by at most " << drift << " m, overlap "
                         << motion.residual << " m");
    CHECK(start.size() == 2025);
    CHECK(drift < 1e-4);
    CHECK(motion.residual < 1e-4);
}
