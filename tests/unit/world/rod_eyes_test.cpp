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

TEST_CASE("eyes: a node that passes a hole throws no weights about, without any damping")
{
    // 13 spans: the hole begins in the middle of one, and a node passes it at 0.3 s.
    World world = make_world(
        "def rope rod(polyline(-0.02,-0.7,0, 0,0,0, 0.02,-0.7,0), spans = 13, radius = 2 mm, "
        "young = 2e9, density = 1000); end; rope;\nkeyhole(rope, point(0,0,0), from = 0.5);\n"
        "def one body(mass = 2); sphere(10 mm); end; light = one translate(-0.02,-0.7,0);\n"
        "def two body(mass = 2.6); sphere(10 mm); end; heavy = two translate(0.02,-0.7,0);\n"
        "fusion(rope at 0 along, light);\nfusion(rope at 1 along, heavy);\n" +
        kStep);
    REQUIRE_FALSE(world.advance(0.5).fault);
    const double due = 0.5 * kGravity * 0.6 / 4.6 * 0.25;
    CHECK(-0.7 - place_of(world, "heavy").y == doctest::Approx(due).epsilon(0.1));
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

TEST_CASE("eyes: a bead swings on and on without any damping, wherever nodes pass it")
{
    // A node begins next to the bead at 13 and 20 spans, and goes to and fro through it.
    const double half = 0.55, focus = 0.5, deep = std::sqrt(half * half - focus * focus);
    const double x = 0.05, y = -deep * std::sqrt(1 - x * x / (half * half));
    const auto text = [](double number) { return std::to_string(number); };
    for (const int spans : {10, 13, 15, 20}) {
        World world =
            make_world("def string rod(polyline(-0.5,0,0, " + text(x) + "," + text(y) +
                       ",0, 0.5,0,0), spans = " + std::to_string(spans) +
                       ", radius = 0.5 mm, young = 1e9, rest = straight); end; string;\n"
                       "position_constraint(string at 0 along, point(-0.5,0,0));\n"
                       "position_constraint(string at 1 along, point(0.5,0,0));\n"
                       "def bead body(mass = 0.1); sphere(5 mm); end; b = bead translate(" +
                       text(x) + "," + text(y) + ",0);\npearl(b, string, from = " +
                       text(std::hypot(x + focus, y) / (2 * half)) + ");\n" + kStep);
        double crossed = 0;
        int crossings = 0;
        while (world.time() < 3 - 1e-6) {
            const double from = place_of(world, "b").x;
            REQUIRE_FALSE(world.advance(world.time() + 1.0 / 240).fault);
            const double to = place_of(world, "b").x;
            if (from * to < 0) {
                ++crossings;
                crossed = world.time() - to / (to - from) / 240;
            }
        }
        CAPTURE(spans);
        // At ¼, ¾, 1¼ ... of a period.
        const double period = 2 * kPi / std::sqrt(kGravity * deep / (half * half));
        REQUIRE(crossings == 3);
        CHECK(crossed == doctest::Approx(1.25 * period).epsilon(0.01));
    }
}

TEST_CASE("eyes: hangers without friction slide to the middle of a clothes line")
{
    struct Line {
        int spans, count;
        double from, apart, mass, viscous, seconds;
    };
    for (const Line& line : {Line{20, 6, -0.5, 0.15, 0.2, 1, 6}, Line{12, 3, -0.1, 0.3, 0.5, 1, 10},
                             Line{16, 2, 0.2, 0.4, 0.3, 0.6, 8}}) {
        std::string script =
            "def cord rod(polyline(-1,0,0, 1,0,0), spans = " + std::to_string(line.spans) +
            ", radius = 2 mm, young = 1e8, density = 1000, length = 2.2, damping = 5 ms); end; "
            "cord;\nposition_constraint(cord at 0 along, point(-1,0,0));\n"
            "position_constraint(cord at 1 along, point(1,0,0));\n"
            "def hanger body(mass = " +
            std::to_string(line.mass) + "); sphere(10 mm); end;\n" + kStep;
        for (int i = 0; i < line.count; ++i) {
            const double x = line.from + line.apart * i;
            const std::string name = "h[" + std::to_string(i) + "]";
            script += name + " = hanger translatex(" + std::to_string(x) + "); pearl(" + name +
                      ", cord, from = " + std::to_string((x + 1) / 2) +
                      ", viscous = " + std::to_string(line.viscous) + ");\n";
        }
        World world = make_world(script);
        REQUIRE_FALSE(world.advance(line.seconds).fault);
        double middle = 0;
        for (int i = 0; i < line.count; ++i)
            middle += place_of(world, "h[" + std::to_string(i) + "]").x / line.count;
        CHECK(std::abs(middle) < 0.005);
    }
}

TEST_CASE("eyes: a limp rope runs through any number of holes that stand apart")
{
    // 20 holes in zigzag, four spans from one to the next.
    const int count = 20;
    std::string points = "0,0,0", holes;
    double along = 0, x = 0, y = 0;
    std::vector<double> at;
    for (int i = 0; i < count; ++i) {
        const double to_x = 0.2 + 0.1 * i, to_y = i % 2 == 0 ? -0.02 : 0.02;
        along += std::hypot(to_x - x, to_y - y);
        x = to_x;
        y = to_y;
        at.push_back(along);
        points += ", " + std::to_string(x) + "," + std::to_string(y) + ",0";
    }
    const double length = along + std::hypot(0.2, y);
    for (int i = 0; i < count; ++i)
        holes += "keyhole(rope, point(" + std::to_string(0.2 + 0.1 * i) + "," +
                 (i % 2 == 0 ? "-0.02" : "0.02") +
                 ",0), from = " + std::to_string(at[std::size_t(i)] / length) + ");\n";
    World world = make_world(
        "def rope rod(polyline(" + points + ", " + std::to_string(x + 0.2) +
        ",0,0), spans = 96, radius = 1 mm, young = 1e8, density = 1000, damping = 5 ms); end; "
        "rope;\n" +
        holes + "gravity(0, 0, 0);\nforce(rope at 0 along, -2, 0, 0);\n" +
        "position_constraint(rope at 1 along, point(" + std::to_string(x + 0.2) +
        " + 0.1*time, 0, 0));\n" + kStep);
    REQUIRE_FALSE(world.advance(0.4).fault);
    double mean = 0;
    for (int i = 0; i < 24; ++i) {
        REQUIRE_FALSE(world.advance(world.time() + 1.0 / 240).fault);
        mean += world.frame().loads.back().force.x / 24;
    }
    CHECK(mean == doctest::Approx(2).epsilon(0.01));
}

TEST_CASE("eyes: hangers that fall into a slack line do not stop the run")
{
    // 3 hangers, 20 spans, 1/120 s: the rope comes taut within a step.
    World world = make_world(
        "def cord rod(polyline(-1,0,0, 1,0,0), spans = 20, radius = 0.5 mm, young = 1e8, "
        "density = 1000, length = 2.3, damping = 5 ms); end; cord;\n"
        "position_constraint(cord at 0 along, point(-1,0,0));\n"
        "position_constraint(cord at 1 along, point(1,0,0));\n"
        "def hanger body(mass = 0.18); sphere(10 mm); end;\nrods(contact = none);\n"
        "a = hanger translatex(-0.6); b = hanger translatex(0.1); c = hanger translatex(0.5);\n"
        "pearl(a, cord, from = 0.2, viscous = 0.036, friction = 0.3);\n"
        "pearl(b, cord, from = 0.55, viscous = 0.036, friction = 0.3);\n"
        "pearl(c, cord, from = 0.75, viscous = 0.036, friction = 0.3);\n"
        "simulate(0 sec, 3 sec, step = 1/120);\n");
    for (int i = 1; i <= 90; ++i)
        REQUIRE_FALSE(world.advance(i / 30.0).fault);
    for (const char* name : {"a", "b", "c"})
        CHECK(place_of(world, name).y > -0.8);
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

TEST_CASE("eyes: many holes that say not where they are on the rope are told, or held as a spline")
{
    std::string text = "def rope rod(line(0,0,0, 16,0,0), spans = 60, radius = 2 mm, young = 1e8, "
                       "density = 500, damping = 5 ms); end; rope;\n";
    for (int i = 0; i < 18; ++i)
        text += "keyhole(rope, point(" + std::to_string(0.5 + 0.85 * i) + ", 0, 0));\n";
    Result<World> world = World::create(test::sound_scene(text + kStep));
    if (world)
        world->advance(1.0 / 24);
    for (const Problem& problem : world.problems())
        CHECK(!problem.what.empty());
}
