// Functions of time with kinks and jumps drive linkages as the tracks do that say the same; lengths
// that touch zero.

#include "physics/motions.h"
#include "support/readings.h"

#include <doctest/doctest.h>

using namespace sinew;
using namespace sinew::test;

namespace {

/// A pendulum whose pivot moves along x.
Vec3 bob_after(const std::string& pivot, double seconds, double fps,
               const std::string& method = "automatic")
{
    Motion motion(sound_scene("var p; dynamic th; p = " + pivot +
                              "; th = initial(-90 deg, 0);\n"
                              "bob = mass(1) translatex(1) rotatez(th) translatex(p);\n"
                              "linkages(method = " +
                              method + "); simulate(0 sec, 10 sec, step = 1 ms);\n"));
    motion.advance_in_frames(seconds, fps);
    return motion.place("bob");
}

/// A mass on the x axis at a distance from the origin.
double place_after(const std::string& distance, double seconds, double fps)
{
    Motion motion(sound_scene("var f; dynamic x; f = " + distance +
                              "; x = initial(1, -1); o = label(); b = mass(1) translatex(x);\n"
                              "dist_constraint(o, b, f); gravity(0, 0, 0);\n"
                              "simulate(0 sec, 10 sec);\n"));
    motion.advance_in_frames(seconds, fps);
    return motion.place("b").x;
}

} // namespace

TEST_CASE("min, max, abs, sign, mod and comparisons of time have the blow of the track that says "
          "the same")
{
    const struct {
        const char *formula, *track;
    } same[] = {
        {"2 * min(time, 1)", "{0 at 0 sec linear 2 at 1 sec}"},
        {"max(0, time - 1.3) / 2", "{0 at 0 sec linear 0 at 1.3 sec linear 4.35 at 10 sec}"},
        {"1 - abs(1 - time)", "{0 at 0 sec linear 1 at 1 sec linear -8 at 10 sec}"},
        {"1 + sign(1 - time) * (time - 1)", "{0 at 0 sec linear 1 at 1 sec linear -8 at 10 sec}"},
        {"min(time, 0.3) + abs(time - 0.1 - 0.2)", // two kinks a rounding apart
         "{0.3 at 0 sec linear 0.3 at 0.3 sec linear 10 at 10 sec}"},
        {"time < 1 ? 2 * time : 2", "{0 at 0 sec linear 2 at 1 sec}"},
        {"abs(mod(time, 2) - 1)",
         "{1 at 0 sec linear 0 at 1 sec linear 1 at 2 sec linear 0 at 3 sec linear 1 at 4 sec}"},
        {"min(time, 1) * max(1, time) / (1 + floor(time) * 0)",
         "{0 at 0 sec linear 1 at 1 sec linear 10 at 10 sec}"},
    };
    for (const auto& [formula, track] : same)
        for (const double fps : {24, 25, 60}) {
            CAPTURE(formula);
            CHECK(length(bob_after(formula, 3, fps) - bob_after(track, 3, fps)) < 1e-9);
        }
    CHECK(length(bob_after("2 * min(time, 1)", 3, 24, "fixed") -
                 bob_after("{0 at 0 sec linear 2 at 1 sec}", 3, 24, "fixed")) < 1e-9);
}

TEST_CASE("a distance that touches zero lets its ends pass where that needs no blow")
{
    for (const double fps : {24, 25, 30, 50, 60, 100, 120}) {
        CHECK(place_after("{1 at 0 sec linear 0 at 1 sec linear 1 at 2 sec}", 2, fps) ==
              doctest::Approx(-1).epsilon(1e-9));
        CHECK(place_after("abs(1 - time)", 2, fps) == doctest::Approx(-1).epsilon(1e-9));
        CHECK(place_after("{1 at 0 sec linear -1 at 2 sec}", 2, fps) ==
              doctest::Approx(-1).epsilon(1e-9));
    }
}

TEST_CASE("kinks of the state have the blow of a key, at every frame rate")
{
    // A mass that nothing pushes keeps its speed, however it is counted.
    const std::string kinked = "max(a, 2 * a)";
    // Two masses, one of which goes three times as far on one side: m (ȧ⁺ − ȧ⁻) + 3 M (3 ȧ⁺ − ȧ⁻) =
    // 0.
    const double m = 2, M = 5, after = (m + 3 * M) / (m + 9 * M);
    for (const double fps : {24, 25, 30, 50, 60, 100, 120}) {
        CAPTURE(fps);
        Motion free(sound_scene("dynamic a = initial(1.1, -1); b = mass(1) translatex(" + kinked +
                                "); gravity(0, 0, 0); simulate(0 sec, 10 sec);"));
        free.advance_in_frames(3, fps);
        CHECK(std::abs(free.place("b").x - (2.2 - 6)) < 1e-9);
        Motion geared(sound_scene("dynamic a = initial(-0.7, 1); b = mass(2) translatex(a);"
                                  "c = mass(5) translatex(a < 0 ? a : 3 * a) translatey(1);"
                                  "gravity(0, 0, 0); simulate(0 sec, 10 sec);"));
        geared.advance_in_frames(2, fps);
        CHECK(std::abs(geared.coordinate("a") - 1.3 * after) < 1e-9);
        Motion pushed(sound_scene("dynamic a = initial(-0.7, 1), y = initial(0.3, 1);"
                                  "b = mass(2) translatex(a); c = mass(5) translatex(y);"
                                  "p = label() translatex(max(a, 3 * a));"
                                  "dist_constraint(p, c, 1); gravity(0, 0, 0);"
                                  "simulate(0 sec, 10 sec);"));
        pushed.advance_in_frames(2, fps);
        CHECK(std::abs(pushed.coordinate("a") - 1.3 * after) < 1e-9);
        CHECK(std::abs(pushed.coordinate("y") - (1 + 3.9 * after)) < 1e-9);
    }
}

TEST_CASE("what reaches the end of a formula's range turns back with its energy")
{
    for (const double fps : {24, 60}) {
        Motion motion(sound_scene("dynamic a = initial(1, 0); b = mass(1) translatey(abs(a));"
                                  "simulate(0 sec, 10 sec);"));
        motion.advance_in_frames(1, fps); // falls for 0.4515 s, and rises as long
        const double fall = std::sqrt(2 / 9.81), t = 1 - 2 * fall;
        CHECK(std::abs(motion.place("b").y - (1 - 9.81 / 2 * t * t)) < 1e-9);
    }
}
