// Limp ropes that run through holes and pearls, against closed forms, at few spans and 1/240 s.

#include "sinew/world.h"

#include "support/worlds.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace sinew;
using test::make_world;

namespace {

const std::string kStep = "simulate(0 sec, 3 sec, step = 1/240);\nrods(contact = none);\n";
constexpr double kPi = 3.14159265358979323846, kGravity = 9.81;

Vec3 place_of(const World& world, const std::string& name)
{
    return test::row_of(world, name).position;
}

/// Pull of a hand that draws a rope over a hole which turns it by a right angle; its tail pulls
/// with 2 N.
struct Pull {
    double mean = 0, least = 1e9, most = 0;
};
Pull draw_over_hole(int spans, const std::string& hole)
{
    World world = make_world(
        "def rope rod(polyline(-1,0,0, 0,0,0, 0,-1,0), spans = " + std::to_string(spans) +
        ", radius = 2 mm, young = 1e8, density = 500, damping = 5 ms, rest = "
        "straight); end; rope;\n"
        "keyhole(rope, point(0,0,0), from = 0.5" +
        hole +
        ");\ngravity(0, 0, 0);\nforce(rope at 1 along, 0, -2, 0);\n"
        "position_constraint(rope at 0 along, point(-1 - 0.2*time, 0, 0));\n" +
        kStep);
    Pull pull;
    int count = 0;
    for (int i = 0; i < 480; ++i) {
        REQUIRE_FALSE(world.advance(world.time() + 1.0 / 240).fault);
        if (i < 120)
            continue;
        const double force = -world.frame().loads[1].force.x;
        pull.mean += force;
        pull.least = std::min(pull.least, force);
        pull.most = std::max(pull.most, force);
        ++count;
    }
    pull.mean /= count;
    return pull;
}

} // namespace

TEST_CASE("eyes: a limp rope runs over a hole with the pull of its tail [notes: rods, eq. 10]")
{
    for (const int spans : {10, 20}) {
        const Pull pull = draw_over_hole(spans, "");
        CHECK(pull.mean == doctest::Approx(2).epsilon(0.01));
        CHECK(pull.least > 1.9);
        CHECK(pull.most < 2.1);
    }
}

TEST_CASE(
    "eyes: friction of a hole is that of the angle it turns the rope by [notes: rods, eq. 12]")
{
    const Pull pull = draw_over_hole(16, ", friction = 0.3");
    CHECK(pull.mean == doctest::Approx(2 * std::exp(0.3 * kPi / 2)).epsilon(0.01));
}

TEST_CASE("eyes: two weights on a limp rope that is folded over a hole are Atwood's machine")
{
    World world = make_world(
        "def rope rod(polyline(-0.02,-1,0, 0,0,0, 0.02,-1,0), spans = 16, radius = 2 mm, "
        "young = 1e9, density = 1000, rest = straight); end; rope;\n"
        "keyhole(rope, point(0,0,0), from = 0.5);\n"
        "def one body(mass = 1); sphere(10 mm); end; light = one translate(-0.02,-1,0);\n"
        "def two body(mass = 1.2); sphere(10 mm); end; heavy = two translate(0.02,-1,0);\n"
        "fusion(rope at 0 along, light);\nfusion(rope at 1 along, heavy);\n" +
        kStep);
    REQUIRE_FALSE(world.advance(0.6).fault);
    const double line = 1000 * kPi * 4e-6, mass = 2.2 + 2 * line;
    // ẍ = g (Δm + 2 line x) / mass
    const double rate = std::sqrt(2 * kGravity * line / mass);
    const double due = 0.2 / (2 * line) * (std::cosh(rate * 0.6) - 1);
    CHECK(-1 - place_of(world, "heavy").y == doctest::Approx(due).epsilon(0.01));
    CHECK(place_of(world, "light").y + 1 == doctest::Approx(due).epsilon(0.01));
}

TEST_CASE("eyes: a bead on a limp string swings along an ellipse")
{
    const double half = 0.55, focus = 0.5, deep = std::sqrt(half * half - focus * focus);
    const double x = 0.05, y = -deep * std::sqrt(1 - x * x / (half * half));
    const auto text = [](double number) { return std::to_string(number); };
    const double before = std::hypot(x + focus, y);
    World world = make_world(
        "def string rod(polyline(-0.5,0,0, " + text(x) + "," + text(y) +
        ",0, 0.5,0,0), spans = 20, radius = 0.5 mm, young = 1e9, rest = straight); end; string;\n"
        "position_constraint(string at 0 along, point(-0.5,0,0));\n"
        "position_constraint(string at 1 along, point(0.5,0,0));\n"
        "def bead body(mass = 0.1); sphere(5 mm); end; b = bead translate(" +
        text(x) + "," + text(y) + ",0);\npearl(b, string, from = " + text(before / (2 * half)) +
        ");\n" + kStep);
    // From one side to the other is half a period.
    const double period = 2 * kPi / std::sqrt(kGravity * deep / (half * half));
    double crossed = 0;
    while (crossed == 0 && world.time() < 2) {
        const double from = place_of(world, "b").x;
        REQUIRE_FALSE(world.advance(world.time() + 1.0 / 240).fault);
        const double to = place_of(world, "b").x;
        if (to < 0)
            crossed = world.time() - to / (to - from) / 240;
    }
    CHECK(crossed == doctest::Approx(period / 4).epsilon(0.01));
}

TEST_CASE("eyes: a rod that cannot run through eyes says how many spans its holes need")
{
    const auto notes = [](int spans) {
        const World world =
            make_world("def rope rod(line(-1,0,0, 1,0,0), spans = " + std::to_string(spans) +
                       ", radius = 5 mm, young = 1e7); end; rope;\n"
                       "oriented_keyhole(rope, point(0,0,0), 1, 0, 0, from = 0.5);\n" +
                       kStep);
        for (const Problem& note : world.start_notes())
            if (note.code == "rod-hole-coarse")
                return note.hint;
        return std::string();
    };
    // EI = 4.91e-3 N m², weight 1.54 N: bends within 56 mm, so that 2 m need 71 spans.
    CHECK(notes(20).starts_with("give it 71 spans"));
    CHECK(notes(72).empty());
}

TEST_CASE("rods: a rope drawn through uneven points starts with the energy of its bend")
{
    // Two straight leads of three points each, and many points on half a circle between them.
    const double radius = 0.1;
    std::string points;
    const auto add = [&](double x, double y) {
        points += (points.empty() ? "" : ", ") + std::to_string(x) + "," + std::to_string(y) + ",0";
    };
    for (const double y : {-0.6, -0.4, -0.2})
        add(-radius, y);
    for (int i = 0; i <= 24; ++i)
        add(-radius * std::cos(kPi * i / 24), radius * std::sin(kPi * i / 24));
    for (const double y : {-0.2, -0.4, -0.6})
        add(radius, y);
    World world = make_world("def rope rod(spline_through(" + points +
                             "), spans = 60, radius = 5 mm, young = 1e7, rest = straight); end; "
                             "rope;\ngravity(0, 0, 0);\n" +
                             kStep);
    const double bending = 1e7 * kPi * std::pow(0.005, 4) / 4;
    CHECK(world.energy().potential == doctest::Approx(0.5 * bending * kPi / radius).epsilon(0.05));
}
