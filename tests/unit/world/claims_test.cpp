// What is all of one model moves by that model's own solver; anything that ties it to others makes
// rows of it. A tie that hardly pulls must change hardly anything: random islands, both ways.

#include "sinew/names.h"
#include "support/worlds.h"

#include <doctest/doctest.h>
#include <random>

using namespace sinew;
using test::make_world;

namespace {

std::uint32_t find(const World& world, const std::string& name)
{
    const std::vector<std::size_t> found = find_names(object_names(world.scene()), name);
    if (found.size() == 1)
        return static_cast<std::uint32_t>(found.front());
    FAIL("there is no " << name);
    return 0;
}

struct Draw {
    std::mt19937 random;
    std::string operator()(double low, double high)
    {
        return std::to_string(low + (high - low) * double(random() % 10000) / 10000);
    }
};

/// Positions of all that a frame shows.
std::vector<Vec3> seen(const World& world)
{
    const Frame frame = world.frame();
    std::vector<Vec3> places = frame.nodes;
    for (const Affine& object : frame.objects)
        places.push_back(object.origin);
    return places;
}

double farthest(const World& a, const World& b)
{
    const std::vector<Vec3> from = seen(a), to = seen(b);
    REQUIRE(from.size() == to.size());
    double most = 0;
    for (std::size_t i = 0; i < from.size(); ++i)
        most = std::max(most, length(from[i] - to[i]));
    return most;
}

/// How far an object that a hand of 1 µN/m holds is from where it is without.
double held_apart(const std::string& text, const std::string& name, double until)
{
    World alone = make_world(text), held = make_world(text);
    REQUIRE(
        held.set_grabs({{.object = {find(held, name)}, .stiffness = 1e-6, .along = 1}}).empty());
    CHECK_FALSE(alone.advance(until).fault);
    CHECK_FALSE(held.advance(until).fault);
    return farthest(alone, held);
}

} // namespace

TEST_CASE("piles: random bodies that slide and come to rest move as rows would have it")
{
    const std::string weak = "def post label(); end; p = post translate(0, 5, 0);\n"
                             "spring_and_damper(b, p, 5, 0.0001, 0);\n";
    for (unsigned seed = 1; seed <= 4; ++seed) {
        CAPTURE(seed);
        Draw draw{std::mt19937(seed)};
        const std::string text =
            "def floor obstacle(); plane(0, 1, 0, 0); material(friction = " + draw(0.3, 0.9) +
            "); end; floor;\n"
            "def crate body(mass = " +
            draw(0.5, 3) +
            "); box(0.4, 0.2, 0.4); end;\n"
            "def ball body(mass = " +
            draw(0.5, 3) +
            "); sphere(0.1);\n"
            "material(friction = 0.6, rolling = " +
            draw(0.001, 0.02) +
            "); end;\n"
            "b = crate translatey(0.1) velocity(" +
            draw(0.5, 2) + ", 0, " + draw(-1, 1) +
            ");\n"
            "k = ball translate(-2, 0.1, 0) velocity(" +
            draw(-1, 1) + ", 0, " + draw(-1, 1) +
            ");\n"
            "simulate(0 sec, 1 sec, step = 1/480);\n";
        World claimed = make_world(text), rows = make_world(text + weak);
        CHECK_FALSE(claimed.advance(1).fault);
        CHECK_FALSE(rows.advance(1).fault);
        for (const std::string name : {"b", "k"})
            CHECK(length(claimed.frame().objects[find(claimed, name)].origin -
                         rows.frame().objects[find(rows, name)].origin) < 4e-3);
    }
}

TEST_CASE("lanes: random strands swing as rows would have it")
{
    for (unsigned seed = 1; seed <= 4; ++seed) {
        CAPTURE(seed);
        Draw draw{std::mt19937(seed)};
        CHECK(held_apart("def hair strand(line(0, 0, 0, " + draw(0.2, 0.4) + ", " +
                             draw(-0.3, 0.1) +
                             ", 0), segments = 8); end; h = hair;\n"
                             "simulate(0 sec, 1 sec, step = 1/960);\n",
                         "h", 0.5) < 2e-3);
    }
}

TEST_CASE("rods alone: random rods fall and bend as rows would have it")
{
    for (unsigned seed = 1; seed <= 4; ++seed) {
        CAPTURE(seed);
        Draw draw{std::mt19937(seed)};
        CHECK(held_apart("def rope rod(spline(0, 0, 0, 0.3, " + draw(0, 0.2) + ", 0, 0.7, 0, " +
                             draw(0, 0.2) +
                             ", 1, 0, 0), spans = 8, radius = 5 mm); end;\n"
                             "r = rope spin(0, " +
                             draw(-2, 2) + ", " + draw(-2, 2) +
                             ");\n"
                             "simulate(0 sec, 1 sec, step = 1/480);\n",
                         "r", 0.5) < 1e-5);
    }
}

TEST_CASE("linkages alone: random pendulums swing as rows would have it, to the order of the step")
{
    for (unsigned seed = 1; seed <= 4; ++seed) {
        CAPTURE(seed);
        Draw draw{std::mt19937(seed)};
        const std::string swing = "dynamic a, c; a = initial(" + draw(20, 80) +
                                  " deg, 0);\n"
                                  "c = initial(" +
                                  draw(-60, 60) +
                                  " deg, 0);\n"
                                  "def bob mass(" +
                                  draw(0.5, 2) +
                                  "); end;\n"
                                  "b = bob translatey(-1) rotatez(c) translatey(-1) rotatez(a);\n"
                                  "j = bob translatey(-1) rotatez(a);\n";
        const double coarse =
            held_apart(swing + "simulate(0 sec, 1 sec, step = 1/1000);\n", "b", 0.5);
        const double fine =
            held_apart(swing + "simulate(0 sec, 1 sec, step = 1/2000);\n", "b", 0.5);
        CHECK(coarse < 1e-2);
        CHECK(fine < 0.6 * coarse);
    }
}
