// Heavy things that land on many light ones: every step is solved, whatever the ratio of masses.

#include "sinew/world.h"

#include "support/worlds.h"

#include <doctest/doctest.h>

using namespace sinew;
using sinew::test::make_world;

TEST_CASE("steps in which a heavy letter lands on a tray of pearls are solved")
{
    World world = make_world(R"(
def ground obstacle(); plane(0, 1, 0, 0); end;
def ball body(density = 1200); sphere(4.2 cm); material(friction = 0.3, rolling = 2 mm); end;
def letter body(density = 8400);
  box(0.36, 0.2, 0.08) translatez(-0.26); box(0.18, 0.2, 0.08) rotatey(90 deg) translate(-0.14, 0, -0.13);
  box(0.36, 0.2, 0.08); box(0.18, 0.2, 0.08) rotatey(90 deg) translate(0.14, 0, 0.13); box(0.36, 0.2, 0.08) translatez(0.26);
end;
def board(l) obstacle(); box(l, 0.34, 0.09); end;
ground;
board(1.1) translate(0, 0.17, 0.545); board(1.1) translate(0, 0.17, -0.545);
board(1.1) rotatey(90 deg) translate(0.545, 0.17, 0); board(1.1) rotatey(90 deg) translate(-0.545, 0.17, 0);
for k in 0..329
  b[k] = ball translate(-0.44 + 0.0878 * mod(k, 11), 0.0425 + 0.0855 * floor(k / 110), -0.42 + 0.093 * mod(floor(k / 11), 10));
end;
l = letter rotatex(2 deg) translatey(0.56) velocity(0, -2, 0);
simulate(0 sec, 0.6 sec, step = 1 / 240);
)");
    int unsolved = 0;
    for (int k = 1; k <= 48; ++k) {
        const StepReport report = world.advance(k / 240.0);
        REQUIRE_FALSE(report.fault);
        unsolved += report.converged ? 0 : 1;
    }
    CHECK(unsolved == 0);
}
