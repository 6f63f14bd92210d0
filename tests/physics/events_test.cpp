// Events: `when` and `whenever` in linkages, against closed forms, at every frame rate.

#include "physics/motions.h"
#include "support/readings.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double kRates[] = {24, 25, 30, 50, 60, 100, 120};

Motion motion_of(const std::string& script)
{
    return Motion(sound_scene(script + " simulate(0 sec, 100 sec);"));
}

} // namespace

TEST_CASE("an event starts a force where a place is reached")
{
    // 2 m/s up to x = 1 at 0.5 s, then a = 3.
    for (const double fps : kRates) {
        Motion motion =
            motion_of("dynamic x = initial(0, 2); b = mass(2) translatex(x);"
                      "gravity(0, 0, 0); when b_x > 1 as reached force(b, 6, 0, 0); end;");
        motion.advance_in_frames(1.5, fps);
        CHECK(std::abs(motion.place("b").x - (1 + 2 + 1.5)) < 1e-9);
        CHECK(std::abs(motion.coordinate("reached") - 0.5) < 1e-11);
    }
}

TEST_CASE("an event sets a rate, and another comes a time after it")
{
    for (const double fps : kRates) {
        Motion motion = motion_of("dynamic x = initial(0, 1); b = mass(1) translatex(x);"
                                  "gravity(0, 0, 0);"
                                  "when b_x > 0.5 as hit set_rate(x, -2 * rate(x)); end;"
                                  "when since(hit) > 0.25 torque(x, 8); end;");
        motion.advance_in_frames(1.25, fps);
        // back at -2 m/s for 0.75 s, the last 0.5 s with 8 m/s².
        CHECK(std::abs(motion.place("b").x - (0.5 - 1.5 + 1)) < 1e-9);
    }
}

TEST_CASE("what is caught is held from then on, with the momentum of both")
{
    for (const double fps : kRates) {
        Motion motion = motion_of("dynamic x = initial(0, 3), y = initial(2, 0);"
                                  "a = mass(1) translatex(x); b = mass(2) translatex(y);"
                                  "gravity(0, 0, 0);"
                                  "when b_x - a_x < 0.5 dist_constraint(a, b, 0.5); end;");
        motion.advance_in_frames(1.5, fps); // together at 0.5 s, 1 m/s
        CHECK(std::abs(motion.place("a").x - 2.5) < 1e-9);
        CHECK(std::abs(motion.place("b").x - 3.0) < 1e-9);
    }
}

TEST_CASE("a constraint that does not hold yet does not pull the start together")
{
    Motion motion = motion_of("dynamic x, y = initial(5, 0); a = mass(1) translatex(x);"
                              "b = mass(1) translatex(y); gravity(0, 0, 0);"
                              "when time > 50 dist_constraint(a, b, 1); end;");
    motion.advance_in_frames(1, 24);
    CHECK(motion.place("b").x == 5);
}

TEST_CASE("a clock's escapement keeps its swing: an impulse at every passage of the middle")
{
    // ẍ = −ω² x − 2 d ẋ, and ẋ is set to v at every passage from below. The swing is the same each
    // time: a period of 2π / √(ω² − d²).
    const double omega = 6.283185307179586, d = 0.2, nu = std::sqrt(omega * omega - d * d);
    for (const double fps : kRates) {
        Motion motion = motion_of("dynamic x = initial(0, 1); b = mass(1) translatex(x);"
                                  "gravity(0, 0, 0); spring_and_damper(x, 0, 4 * pi * pi, 0.4);"
                                  "whenever b_x > 0 set_rate(x, 1); end;");
        motion.advance_in_frames(20, fps);
        const double period = 2 * 3.14159265358979323846 / nu;
        const double t = 20 - std::floor(20 / period) * period;
        const double expected = std::exp(-d * t) * std::sin(nu * t) / nu;
        CHECK(std::abs(motion.place("b").x - expected) < 1e-9);
    }
}

TEST_CASE("what stands in `whenever` acts while the condition holds")
{
    // A bead in a field of 2 m/s² between x = 1 and x = 2.
    Motion motion = motion_of("dynamic x = initial(0, 1); b = mass(1) translatex(x);"
                              "gravity(0, 0, 0);"
                              "whenever b_x > 1 and b_x < 2 force(b, 2, 0, 0); end;");
    const double v = std::sqrt(1 + 4.0), through = (v - 1) / 2;
    motion.advance_in_frames(3, 24);
    CHECK(std::abs(motion.place("b").x - (2 + v * (2 - through))) < 1e-9);
}

TEST_CASE("what lets go holds again where it is back in its place")
{
    // Held in the first half of every second; between, a force moves one mass away and back: 7 cos
    // 4πt leaves neither way nor speed after half a second. Held, both have a third of it.
    for (const double fps : kRates) {
        Motion motion = motion_of("dynamic x = initial(0, 0.3), y = initial(1, 0.3);"
                                  "a = mass(1) translatex(x); b = mass(2) translatex(y);"
                                  "gravity(0, 0, 0); force(a, 7 * cos(4 * pi * time), 0, 0);"
                                  "whenever mod(time, 1) < 0.5 dist_constraint(a, b, 1); end;");
        const double pi = 3.14159265358979323846, w = 4 * pi;
        motion.advance_in_frames(2.75, fps); // free since 2.5 s
        const double alone = 7 / (w * w) * (1 - std::cos(w * 0.25));
        CHECK(std::abs(motion.place("a").x - (0.3 * 2.75 + alone)) < 1e-9);
        CHECK(std::abs(motion.place("b").x - (1 + 0.3 * 2.75)) < 1e-9);
        motion.advance_in_frames(3.25, fps); // held since 3 s
        CHECK(std::abs(motion.place("a").x - (0.3 * 3.25 + alone / 3)) < 1e-9);
        CHECK(std::abs(motion.place("b").x - (1 + 0.3 * 3.25 + alone / 3)) < 1e-9);
    }
}

TEST_CASE("a run goes on from a snapshot between events as if it had not stopped")
{
    const std::string script = "dynamic x = initial(0, 2); b = mass(2) translatex(x);"
                               "gravity(0, 0, 0); when b_x > 1 force(b, 6, 0, 0); end;"
                               "limits(x, -1, 3, bounce = 0.5);";
    Motion whole = motion_of(script), parts = motion_of(script);
    whole.advance_in_frames(2, 10);
    parts.advance_in_frames(1, 10);
    Motion later = motion_of(script);
    REQUIRE(later.world.restore(parts.world.snapshot()));
    later.advance_in_frames(2, 10);
    CHECK(later.place("b").x == whole.place("b").x);
}

TEST_CASE("a trebuchet throws as an independent integration has it")
{
    // reference/trebuchet.py: the sling lets go where the stone is level with the tip.
    const Scene scene = repository_scene("tests/physics/scripts/thrown_stone.charli");
    const ReferenceTable table = read_reference_table("thrown_stone");
    for (const double fps : kRates)
        CHECK(largest_error(scene, table, fps) < 1e-9);
}

TEST_CASE("dominoes of events: what begins at one may be what another waits for")
{
    Motion motion = motion_of("dynamic a = initial(0, 1), b, c; m = mass(1) translatex(a);"
                              "n = mass(1) translatey(b); o = mass(1) translatez(c);"
                              "gravity(0, 0, 0);"
                              "when m_x > 1 force(n, 0, 2, 0); end;"
                              "when n_y > 1 force(o, 0, 0, 2); end;");
    motion.advance_in_frames(3, 24);
    CHECK(motion.place("o").z == doctest::Approx(1).epsilon(1e-9));
}
