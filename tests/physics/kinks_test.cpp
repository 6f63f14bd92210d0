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

TEST_CASE("min, max, abs and mod of time have the blow of the track that says the same")
{
    const struct {
        const char *formula, *track;
    } same[] = {
        {"2 * min(time, 1)", "{0 at 0 sec linear 2 at 1 sec}"},
        {"max(0, time - 1.3) / 2", "{0 at 0 sec linear 0 at 1.3 sec linear 4.35 at 10 sec}"},
        {"1 - abs(1 - time)", "{0 at 0 sec linear 1 at 1 sec linear -8 at 10 sec}"},
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
