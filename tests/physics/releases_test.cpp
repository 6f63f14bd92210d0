// Constraints of linkages that let go: by time, by a condition, by force, by distance. Behind it a
// mass flies on a parabola that closed forms know.

#include "physics/motions.h"
#include "support/readings.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double kG = 9.81;
/// From horizontal rest to the bottom: K(sin 45°) / √g, for a pendulum of one metre.
const double kToBottom = 1.8540746773013719 / std::sqrt(kG);

/// A mass that starts at rest at (1, 0) and is kept one metre from the origin.
Motion released(const std::string& how, const std::string& more = "")
{
    return Motion(sound_scene("dynamic x = initial(1, 0), y; o = label();"
                              "b = mass(2) translatex(x) translatey(y);" +
                              more + "dist_constraint(o, b, 1, " + how +
                              "); simulate(0 sec, 3 sec);"));
}

/// Where a mass is that flies for a time.
Vec3 flown(Vec3 x, Vec3 v, double t) { return x + v * t + Vec3{0, -kG, 0} * (t * t / 2); }

} // namespace

TEST_CASE("a pendulum that is let go by a condition flies from there, at every frame rate")
{
    const Vec3 expected = flown({0, -1, 0}, {-std::sqrt(2 * kG), 0, 0}, 1 - kToBottom);
    for (const double fps : {24, 25, 60, 100}) {
        Motion motion = released("active = b_x > 0");
        motion.advance_in_frames(1, fps);
        CHECK(length(motion.place("b") - expected) < 2e-9);
    }
}

TEST_CASE("a pendulum that is let go at a time flies from where it is then")
{
    for (const double fps : {24, 60}) {
        Motion motion = released("until = " + std::to_string(0.5));
        Motion held = released("until = 9");
        held.advance_in_frames(0.5, fps);
        motion.advance_in_frames(0.5, fps);
        const Vec3 x = motion.place("b");
        CHECK(length(x - held.place("b")) < 1e-12);
        motion.advance_in_frames(1, fps);
        held.advance_in_frames(1, fps);
        CHECK(length(held.place("b")) == doctest::Approx(1).epsilon(1e-12));
        CHECK(length(motion.place("b")) > 1.05);
        // Energy from (1, 0) at rest gives the speed; it is tangential.
        const double speed = std::sqrt(-2 * kG * x.y);
        const Vec3 v = Vec3{x.y, -x.x, 0} * speed;
        CHECK(length(motion.place("b") - flown(x, v, 0.5)) < 1e-8);
    }
}

TEST_CASE("a rod breaks above its force")
{
    // The pull is 3 m g cos, measured from the vertical: 2.5 m g where cos = 2.5 / 3.
    const double c = 2.5 / 3, s = std::sqrt(1 - c * c), speed = std::sqrt(2 * kG * c);
    Motion motion = released("breaks = " + std::to_string(2.5 * 2 * kG));
    motion.advance_in_frames(0.45, 60);
    CHECK(length(motion.place("b")) == doctest::Approx(1).epsilon(1e-12));
    motion.advance_in_frames(1, 60);
    const Vec3 now = motion.place("b");
    // The parabola from the place of the break passes where the mass is.
    const double t = (s - now.x) / (speed * c);
    CHECK(t > 0.1);
    CHECK(std::abs(now.y - flown({s, -c, 0}, {-speed * c, -speed * s, 0}, t).y) < 1e-5);
}

TEST_CASE("what goes too far apart lets go")
{
    Motion motion(
        sound_scene("dynamic x = initial(1, 1); o = label(); b = mass(1) translatex(x);"
                    "dist_constraint(o, b, {1 at 0 sec linear 3 at 2 sec linear 3 at 9 sec},"
                    " beyond = 1.75); gravity(0, 0, 0); simulate(0 sec, 9 sec);"));
    motion.advance_in_frames(4, 24);
    CHECK(motion.place("b").x == doctest::Approx(5).epsilon(1e-9)); // not stopped at 3
}

TEST_CASE("a bead that flies onto a wire slides on from the place where it meets it")
{
    const std::string bead = "gravity(0, 0, 0); dynamic x = initial(0, 1), y = initial(0, 2);"
                             "b = mass(1) translate(x, y, 0);";
    const std::string wire = "path_constraint(b, line(-1, 0.5, 0, 1, 0.5, 0)";
    for (const std::string& script :
         {bead + "when b_y > 0.5 " + wire + "); end;",
          bead + "when b_y > 0.5 as met end;" + wire + ", active = met);"})
        for (const double fps : {24, 60}) {
            Motion motion(sound_scene(script + "simulate(0 sec, 2 sec);"));
            motion.advance_in_frames(1, fps);
            CHECK(length(motion.place("b") - Vec3{1, 0.5, 0}) < 1e-10);
        }
}

TEST_CASE("a bead leaves its wire")
{
    Motion motion(
        sound_scene("dynamic x = initial(0, 1), y; b = mass(1) translatex(x) translatey(y);"
                    "path_constraint(b, line(0,0,0, 1,0,0), active = b_x < 0.5);"
                    "simulate(0 sec, 3 sec);"));
    motion.advance_in_frames(0.4, 24);
    CHECK(std::abs(motion.place("b").y) < 1e-12);
    motion.advance_in_frames(1, 24);
    CHECK(length(motion.place("b") - flown({0.5, 0, 0}, {1, 0, 0}, 0.5)) < 1e-8);
}

TEST_CASE("a spring that ends at a time, or by a condition, leaves the mass its speed")
{
    for (const std::string how : {"until = 0.25", "active = time < 0.25"}) {
        Motion motion(
            sound_scene("dynamic x = initial(1, 0); o = label(); b = mass(1) translatex(x);"
                        "spring_and_damper(o, b, 0, 4, 0, " +
                        how + "); gravity(0, 0, 0); simulate(0 sec, 3 sec);"));
        motion.advance_in_frames(1.25, 24);
        const double expected = std::cos(0.5) - 2 * std::sin(0.5) * 1.0;
        CHECK(motion.place("b").x == doctest::Approx(expected).epsilon(1e-9));
    }
}

TEST_CASE("a bead on a closed wire goes round and round")
{
    // Points on a circle: the periodic spline keeps speed, and comes back where it began.
    std::string points;
    for (int i = 0; i < 12; ++i)
        points += (i ? ", " : "") + std::to_string(std::cos(i * 0.5235987755982988)) + "," +
                  std::to_string(std::sin(i * 0.5235987755982988)) + ",0";
    Motion motion(sound_scene("dynamic x = initial(1, 0), y = initial(0, 3); assemble;"
                              "b = mass(1) translatex(x) translatey(y); gravity(0, 0, 0);"
                              "path_constraint(b, closed_spline(" +
                              points + ")); simulate(0 sec, 9 sec);"));
    motion.advance_in_frames(8, 24);
    const Vec3 b = motion.place("b");
    CHECK(length(b) == doctest::Approx(1).epsilon(1e-3));
    CHECK(std::abs(std::remainder(std::atan2(b.y, b.x) - 24, 6.283185307179586)) < 0.05);
}

TEST_CASE("a force may depend on a rate, and a probe tells it")
{
    // v' = -v |v|: v = 1 / (1 + t), x = ln(1 + t).
    Motion motion(sound_scene("dynamic x = initial(0, 1); b = mass(1) translatex(x);"
                              "torque(x, -rate(x) * abs(rate(x))); gravity(0, 0, 0);"
                              "probe(\"speed\", rate(x), b_x); simulate(0 sec, 9 sec);"));
    motion.advance_in_frames(2, 24);
    CHECK(motion.place("b").x == doctest::Approx(std::log(3.)).epsilon(1e-9));
    const std::vector<TableRow> rows = table_rows(motion.world.scene(), motion.world.frame());
    CHECK(rows.back().name == "speed");
    CHECK(rows.back().position.x == doctest::Approx(1. / 3).epsilon(1e-9));
    CHECK(rows.back().position.y == doctest::Approx(std::log(3.)).epsilon(1e-9));
}

TEST_CASE("tables tell how masses are turned")
{
    Motion motion(sound_scene("dynamic a = initial(0, 1); b = mass(1) translatex(1) rotatez(a);"
                              "gravity(0, 0, 0); simulate(0 sec, 9 sec);"));
    motion.advance_in_frames(1, 24);
    const std::vector<TableRow> rows = table_rows(motion.world.scene(), motion.world.frame());
    CHECK(rows.back().rotation.z == doctest::Approx(std::sin(0.5)).epsilon(1e-9));
}
