// What rods carry along them against closed forms: tension, bending and twist moments at nodes, in
// tables, probes and conditions.

#include "sinew/world.h"

#include "support/worlds.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace sinew;
using test::make_world;

namespace {

constexpr double kPi = 3.14159265358979323846, kGravity = 9.81;
constexpr double kMass = 1000 * kPi * 25e-6; // of 1 m, 5 mm

const std::string kRope = "def rope rod(line(0,0,0, 0,-1,0), spans = 10, young = 1e9, damping = "
                          "10 ms%); end; rope;\n";

std::string rope(const std::string& more)
{
    std::string text = kRope;
    return text.replace(text.find('%'), 1, more);
}

/// A bar of 1 m without weight, clamped at its left end.
const std::string kBar =
    "def bar rod(line(0,0,0, 1,0,0), spans = 20, young = 1e9); end; bar; gravity(0, 0, 0);\n"
    "def wall obstacle(); box(0.1, 0.1, 0.1); end; w = wall translatex(-0.05);\n"
    "rods(contact = none); fusion(bar at 0 along, w, tangent = fixed); settle();\n"
    "simulate(0 sec, 1 sec);\n";

} // namespace

TEST_CASE("sections: a hanging rope carries at each node what hangs below it")
{
    for (const std::string more : {"", ", model = chain"}) {
        const World world = make_world(
            rope(more) + "position_constraint(rope at 0 along, point(0,0,0)); settle();\n"
                         "simulate(0 sec, 1 sec);\n");
        const Frame frame = world.frame();
        REQUIRE(frame.sections.size() == 11);
        for (std::size_t k = 0; k <= 10; ++k)
            CHECK(frame.sections[k].tension ==
                  doctest::Approx(kMass * kGravity * (1 - 0.1 * double(k)))
                      .epsilon(0.007) // of second order in the spans
                      .scale(kMass * kGravity));
    }
}

TEST_CASE("sections: in motion the tension is that of weight, inertia and damping")
{
    World world =
        make_world(rope("") + "position_constraint(rope at 0 along, point(0, 1.5*time*time, 0));\n"
                              "simulate(0 sec, 1 sec, step = 1/240);\n");
    REQUIRE_FALSE(world.advance(0.3).fault);
    const Frame frame = world.frame();
    CHECK(frame.sections[0].tension == doctest::Approx(kMass * (kGravity + 3)).epsilon(0.01));
    CHECK(frame.sections[5].tension == doctest::Approx(kMass * (kGravity + 3) / 2).epsilon(0.002));
}

TEST_CASE(
    "sections: a cantilever bends by P (L - x), and a bar is twisted by the moment at its end")
{
    const Frame bent = make_world(kBar + "force(bar at 1 along, 0, -0.01, 0);\n").frame();
    for (std::size_t k = 0; k <= 20; ++k) // the moment of a cubic is of second order in the spans
        CHECK(bent.sections[k].bending ==
              doctest::Approx(0.01 * (1 - double(k) / 20)).epsilon(0.002).scale(0.01));
    const Frame twisted = make_world(kBar + "torque(bar at 1 along, 0.02, 0, 0);\n").frame();
    for (std::size_t k = 0; k <= 20; ++k) {
        CHECK(twisted.sections[k].twist == doctest::Approx(0.02).epsilon(1e-3));
        CHECK(twisted.sections[k].bending < 1e-6);
    }
}

TEST_CASE("sections: friction adds up over wheels that share a path [notes: rods, eq. 11]")
{
    World world = make_world(
        "def rope rod(polyline(-0.1,-1,0, -0.1,0.1,0, 0.5,0.1,0, 0.5,-1,0), spans = 6, radius = "
        "1 mm, young = 1e10, damping = 20 ms); end; rope; gravity(0, 0, 0);\n"
        "pulley(rope, point(0,0,0), radius = 0.1, friction = 0.3);\n"
        "pulley(rope, point(0.4,0,0), radius = 0.1, friction = 0.3);\n"
        "force(rope at 0 along, 0, -10, 0);\n"
        "position_constraint(rope at 1 along, point(0.5, -1 - 0.1*time, 0));\n"
        "simulate(0 sec, 2 sec, step = 1/240);\n");
    REQUIRE_FALSE(world.advance(2).fault);
    const Frame frame = world.frame();
    const double between = 10 * std::exp(0.3 * kPi / 2), behind = 10 * std::exp(0.3 * kPi);
    CHECK(frame.sections[0].tension == doctest::Approx(10).epsilon(0.005));
    CHECK(frame.sections[6].tension == doctest::Approx(behind).epsilon(0.005));
    // The rope pushes each wheel with both its tensions.
    CHECK(std::abs(frame.loads[0].force.x) == doctest::Approx(between).epsilon(0.01));
    CHECK(std::abs(frame.loads[0].force.y) == doctest::Approx(10).epsilon(0.005));
    CHECK(std::abs(frame.loads[1].force.y) == doctest::Approx(behind).epsilon(0.005));
}

TEST_CASE("sections: probes and conditions ask for them, at a point or at most")
{
    World world = make_world(rope("") +
                             "position_constraint(rope at 0 along, point(0,0,0));\n"
                             "force(rope at 1 along, 0, {0 at 0 sec linear -10 at 1 sec}, 0);\n"
                             "probe(\"middle\", tension(rope at 0.5 along), tension(rope));\n"
                             "when tension(rope) > 5 as taut end;\nprobe(\"since\", since(taut));\n"
                             "settle(); simulate(0 sec, 1 sec, step = 1/240);\n");
    REQUIRE_FALSE(world.advance(0.8).fault);
    const double weight = kMass * kGravity;
    CHECK(test::row_of(world, "middle").position.x ==
          doctest::Approx(8 + weight / 2).epsilon(0.005));
    CHECK(test::row_of(world, "middle").position.y == doctest::Approx(8 + weight).epsilon(0.005));
    CHECK(test::row_of(world, "since").position.x ==
          doctest::Approx(0.8 - (5 - weight) / 10).epsilon(0.02));
}

TEST_CASE("sections: tables have them for the nodes of rods alone")
{
    const World world = make_world(
        rope("") + "def crate body(mass = 1); box(0.1, 0.1, 0.1); end; c = crate translatex(1);\n"
                   "simulate(0 sec, 1 sec);\n");
    CHECK(table_head(world.scene()) ==
          "time,name,x,y,z,qx,qy,qz,qw,tension [N],bending [N m],twist [N m]\n");
    CHECK(test::row_of(world, "rope[3]").section);
    CHECK_FALSE(test::row_of(world, "c").section);
}
