// The energy of a world counts springs whatever they hold.

#include "support/worlds.h"

#include <doctest/doctest.h>

using namespace sinew;
using sinew::test::make_world;

namespace {

const std::string kThings =
    "gravity(0, 0, 0);\n"
    "def ball body(mass = 0.4); sphere(0.1); end;\n"
    "def rope rod(line(0,0,0, 1,0,0), spans = 8, radius = 5 mm, young = 1e7); end;\n"
    "def hair strand(line(0,0,0, 0.6,0,0), segments = 6); bend_stiffness(0.02); end;\n";

double stored_at_start(const std::string& text)
{
    const World world = make_world(kThings + text + "simulate(0 sec, 1 sec);\n");
    return world.energy().potential;
}

} // namespace

TEST_CASE("springs of bodies, rods and strands count in the energy of a world")
{
    const double stored = 0.5 * 40 * 0.3 * 0.3; // k = 40 N/m, 0.5 m apart, 0.2 m at rest
    CHECK(stored_at_start("a = ball; b = ball translate(0.5,0,0); "
                          "spring_and_damper(a, b, 0.2, 40, 0);\n") ==
          doctest::Approx(stored).epsilon(1e-9));
    CHECK(stored_at_start("r = rope; b = ball translate(1,0.5,0); "
                          "spring_and_damper(r at 1 along, b, 0.2, 40, 0);\n") ==
          doctest::Approx(stored).epsilon(1e-9));
    CHECK(stored_at_start("r = rope; s = hair translate(0.4,0.5,0); "
                          "spring_and_damper(r at 1 along, s at 1 along, 0.2, 40, 0);\n") ==
          doctest::Approx(stored).epsilon(1e-9));
    CHECK(stored_at_start("s = hair; b = ball translate(0.6,0.5,0); "
                          "spring_and_damper(s at 1 along, b, 0.2, 40, 0);\n") ==
          doctest::Approx(stored).epsilon(1e-9));
}

TEST_CASE("a ball that a spring holds to a rope's end keeps the energy of both")
{
    World world = make_world(
        kThings + "r = rope; b = ball translate(1,0.5,0); "
                  "spring_and_damper(r at 1 along, b, 0.2, 40, 0);\n"
                  "rods(contact = none);\nsimulate(0 sec, 1 sec, step = 1 / 960 * 1 sec);\n");
    const auto total = [&] { return world.energy().kinetic + world.energy().potential; };
    const double start = total();
    double fastest = 0;
    for (int i = 1; i <= 24; ++i) {
        CHECK_FALSE(world.advance(i / 48.0).fault);
        fastest = std::max(fastest, world.energy().kinetic);
        CHECK(total() < start * (1 + 1e-9));
    }
    CHECK(fastest > 0.5 * start);
    CHECK(total() > 0.4 * start); // the scheme damps what a rope trembles with
}
