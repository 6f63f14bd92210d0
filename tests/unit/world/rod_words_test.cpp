// Every word that holds a rod, from a script: what it says is so after every frame, and the forces
// are those of mechanics.

#include "sinew/world.h"

#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using test::make_world;

namespace {

/// A cable of one metre along x, 0.1 kg, at rest in gravity when nothing holds it.
std::string cable(const std::string& more = "", const std::string& path = "line(0,0,0, 1,0,0)")
{
    return "def cable rod(" + path + ", spans = 20, radius = 3 mm, young = 1e7, density = 3540, " +
           "damping = 50 ms" + more + "); end; cable;\n";
}

const std::string kTime = "simulate(0 sec, 4 sec, step = 1/240);\n";

/// The frame of something that rides on a place of the cable.
Affine marked(const World& world)
{
    const std::vector<std::string> names = object_names(world.scene());
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == "mark")
            return world.frame().objects[i];
    FAIL("no mark");
    return {};
}

std::string mark_at(const std::string& along)
{
    return "def sign label(); end; mark = sign on cable at " + along + " along;\n";
}

/// Goes on for a second and looks after every frame.
template <class Look>
void watch(World& world, Look&& look)
{
    for (int i = 1; i <= 24; ++i) {
        const StepReport report = world.advance(i / 24.0);
        REQUIRE_FALSE(report.fault);
        look(i / 24.0);
    }
}

} // namespace

TEST_CASE("rods, axis_constraint: a point stays on a line and falls along it")
{
    World world =
        make_world(cable() + mark_at("0.5") +
                   "axis_constraint(cable at 0.5 along, line(0.5,0,0, 0.5,-1,0));\n" + kTime);
    watch(world, [&](double t) {
        const Vec3 x = marked(world).origin;
        CHECK(std::hypot(x.x - 0.5, x.z) < 1e-9);
        CHECK(x.y == doctest::Approx(-0.5 * 9.81 * t * t).epsilon(1e-3));
    });
}

TEST_CASE("rods, circle_constraint: a point stays on a circle, whose radius may move")
{
    World world = make_world(cable() + mark_at("0") +
                             "circle_constraint(cable at 0 along, point(0, 0.2, 0), 0, 0, 1, "
                             "radius = {0.2 at 0 sec slowinout 0.3 at 1 sec});\n" +
                             kTime);
    watch(world, [&](double t) {
        const Vec3 x = marked(world).origin - Vec3{0, 0.2, 0};
        const double s = std::min(t, 1.0), radius = 0.2 + 0.1 * s * s * (3 - 2 * s);
        CHECK(std::abs(x.z) < 1e-9);
        CHECK(length(x) == doctest::Approx(radius).epsilon(1e-6));
    });
}

TEST_CASE("rods, path_constraint: a point stays on a curve")
{
    // A circle by sixteen chords would not do: the point is on the spline itself.
    World world = make_world(cable() + mark_at("0") +
                             "path_constraint(cable at 0 along, line(0,0,0, -1,-1,0));\n" + kTime);
    watch(world, [&](double) {
        const Vec3 x = marked(world).origin;
        CHECK(std::abs(x.x - x.y) < 1e-9);
        CHECK(std::abs(x.z) < 1e-9);
    });
}

TEST_CASE("rods, plane_constraint: in a plane, or on one side of it; above says the same")
{
    World in = make_world(cable() + mark_at("1") +
                          "plane_constraint(cable at 1 along, point(0,0,0), 1, 1, 0);\n"
                          "assemble();\n" +
                          kTime);
    watch(in, [&](double) {
        const Vec3 x = marked(in).origin;
        CHECK(std::abs(x.x + x.y) < 1e-9);
    });
    const auto lowest = [](const std::string& held) {
        World world =
            make_world(cable() + mark_at("1") +
                       "def floor label(); end; low = floor translatey(-0.1);\n" + held + kTime);
        double least = 0;
        watch(world, [&](double) { least = std::min(least, marked(world).origin.y); });
        return least;
    };
    const double side = lowest("plane_constraint(cable at 1 along, point(0,-0.1,0), 0, 1, 0, "
                               "side = above);\n"),
                 above = lowest("above(cable at 1 along, low);\n"), free = lowest("");
    CHECK(free < -4);
    CHECK(side == doctest::Approx(-0.1).epsilon(1e-6));
    CHECK(above == doctest::Approx(-0.1).epsilon(1e-6));
}

TEST_CASE("rods, orientation_constraint: the tangent keeps a direction")
{
    World world = make_world(cable() + mark_at("0") +
                             "position_constraint(cable at 0 along, point(0,0,0));\n"
                             "orientation_constraint(cable at 0 along, 1, 0, 0);\n" +
                             kTime);
    watch(world, [&](double) {
        CHECK(length(marked(world).origin) < 1e-9);
        CHECK(length(marked(world).linear.y - Vec3{1, 0, 0}) < 1e-7);
    });
}

TEST_CASE("rods, fusion: free, parallel and fixed to another rod")
{
    const auto angle_at = [](const std::string& tangent) {
        World world = make_world(
            cable() +
            "def arm rod(line(1,0,0, 1.5,0.0,0), spans = 10, radius = 3 mm, damping = 50 ms); end; "
            "arm;\n"
            "position_constraint(cable at 0 along, point(0,0,0));\n"
            "orientation_constraint(cable at 0 along, 1, 0, 0);\n"
            "fusion(cable at 1 along, arm at 0 along, tangent = " +
            tangent +
            ");\n"
            "def sign label(); end; a = sign on cable at 1 along; b = sign on arm at 0 along;\n" +
            kTime);
        double largest = 0;
        watch(world, [&](double) {
            const Frame frame = world.frame();
            const std::vector<std::string> names = object_names(world.scene());
            Affine a, b;
            for (std::size_t i = 0; i < names.size(); ++i)
                (names[i] == "a" ? a : b) = names[i] == "a" || names[i] == "b"
                                                ? frame.objects[i]
                                                : (names[i] == "a" ? a : b);
            CHECK(length(a.origin - b.origin) < 1e-9);
            largest = std::max(largest, length(a.linear.y - b.linear.y));
        });
        return largest;
    };
    CHECK(angle_at("free") > 0.01);
    CHECK(angle_at("parallel") < 1e-7);
    CHECK(angle_at("fixed") < 1e-7);
}

TEST_CASE("rods, oriented_keyhole: the tangent stays along the hole while the rod slides")
{
    World world = make_world(cable() +
                             "oriented_keyhole(cable, point(0.5,0,0), 1, 0, 0, from = 0.5);\n"
                             "gravity(2, 0, 0);\n" +
                             kTime);
    double last = 0;
    watch(world, [&](double t) {
        if (t > 0.6)
            return;
        const std::vector<Vec3> nodes = world.frame().nodes;
        for (const Vec3& node : nodes)
            CHECK(std::hypot(node.y, node.z) < 1e-9);
        last = nodes.front().x;
        CHECK(last == doctest::Approx(0.5 * 2 * t * t).epsilon(1e-3));
    });
    CHECK(last > 0.2);
}

TEST_CASE("rods: a pearl that is clamped where it stops stays there when the rod tips back")
{
    const auto place = [](const std::string& ends) {
        World world =
            make_world(cable(", rest = straight") +
                       "position_constraint(cable at 0 along, point(0,0,0));\n"
                       "position_constraint(cable at 1 along, point(1,0,0));\n"
                       "def bead body(mass = 0.02); sphere(0.01); end; p = bead translatex(0.5);\n"
                       "pearl(p, cable, from = 0.5, low = 0.3, high = 0.7, ends = " +
                       ends +
                       ");\n"
                       "gravity({3 at 0 sec hold -3 at 1 sec}, 0, 0);\n" +
                       kTime);
        REQUIRE_FALSE(world.advance(2.0).fault);
        const std::vector<std::string> names = object_names(world.scene());
        for (std::size_t i = 0; i < names.size(); ++i)
            if (names[i] == "p")
                return world.frame().objects[i].origin.x;
        return 0.0;
    };
    CHECK(place("stop") < 0.35);
    CHECK(place("clamp") == doctest::Approx(0.7).epsilon(0.01));
}

TEST_CASE("rods, rest_path: a rod that is drawn straight curls up to its shape at rest")
{
    // A quarter of a circle of length 1: the chord is √2 · 2/π.
    World world = make_world(
        cable(", rest_path = spline_through(0,0,0, 0.2436,0.0485,0, 0.4502,0.1865,0, "
              "0.5881,0.3930,0, 0.6366,0.6366,0)") +
        "gravity(0, 0, 0);\nposition_constraint(cable at 0.5 along, point(0.5,0,0));\nsettle();\n" +
        kTime);
    const std::vector<Vec3> nodes = world.frame().nodes;
    CHECK(length(nodes.back() - nodes.front()) == doctest::Approx(0.9003).epsilon(2e-3));
}

TEST_CASE("rods(stepping = quasi_static): at rest at the end of every step, wherever hands lead")
{
    const auto shape_at = [](const std::string& more, double time) {
        World world = make_world(cable(", drag_along = 0.3, drag_across = 0.3") +
                                 "position_constraint(cable at 0 along, point(0,0,0));\n"
                                 "position_constraint(cable at 1 along, point({0.95 at 0 sec "
                                 "slowinout 0.6 at 1 sec}, 0, 0));\nassemble();\n" +
                                 more + "simulate(0 sec, 30 sec, step = 1/120);\n");
        REQUIRE_FALSE(world.advance(time).fault);
        return world.frame().nodes;
    };
    const auto apart = [](const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
        double largest = 0;
        for (std::size_t i = 0; i < a.size(); ++i)
            largest = std::max(largest, length(a[i] - b[i]));
        return largest;
    };
    const std::vector<Vec3> calm = shape_at("", 25);
    CHECK(apart(shape_at("rods(stepping = quasi_static);\n", 2), calm) < 1e-4);
    CHECK(apart(shape_at("", 1.05), calm) > 1e-3);
}

TEST_CASE("rods: constraints that move hold what they say at the start, not a step later")
{
    World world = make_world(cable() +
                             "def post label(); end; far = post translatey(1);\n"
                             "dist_constraint(cable at 0.5 along, far, {1.118033988749895 at 0 sec "
                             "linear 2 at 1 sec});\n"
                             "assemble();\n" +
                             mark_at("0.5") + kTime);
    CHECK(length(marked(world).origin - Vec3{0, 1, 0}) ==
          doctest::Approx(1.118033988749895).epsilon(1e-9));
}

TEST_CASE("rods(iterations = 1) and model = chain go on and keep what holds them")
{
    for (const std::string& more : {std::string("rods(iterations = 1);\n"), std::string()}) {
        World world = make_world(cable(more.empty() ? ", model = chain" : "") +
                                 "position_constraint(cable at 0 along, point(0,0,0));\n" +
                                 mark_at("0") + more + kTime);
        double lowest = 0;
        watch(world, [&](double) {
            CHECK(length(marked(world).origin) < 1e-3);
            lowest = std::min(lowest, world.frame().nodes.back().y);
        });
        CHECK(lowest < -0.9);
    }
}

TEST_CASE("rods, dist_constraint: a point stays on a sphere about a point that may move")
{
    World world = make_world(cable() + mark_at("0") +
                             "dist_constraint(cable at 0 along, point(0, {0.2 at 0 sec slowinout "
                             "0.3 at 1 sec}, 0), 0.2);\n" +
                             kTime);
    watch(world, [&](double t) {
        const double s = std::min(t, 1.0), height = 0.2 + 0.1 * s * s * (3 - 2 * s);
        const double apart = length(marked(world).origin - Vec3{0, height, 0});
        CHECK(apart == doctest::Approx(0.2).epsilon(1e-9));
    });
}

TEST_CASE("rods: distances, paths and springs let go by time, force and distance")
{
    // Held at one end the cable swings down; when the other is let go, that falls.
    const std::string start = "position_constraint(cable at 0 along, point(0,0,0));\n"
                              "def post label(); end; p = post translate(1, 0.3, 0);\n";
    const auto lowest = [&](const std::string& hold) {
        World world = make_world(cable() + mark_at("1") + start + hold + kTime);
        double height = 0;
        watch(world, [&](double) { height = std::min(height, marked(world).origin.y); });
        return height;
    };
    struct Case {
        std::string hold, release;
    };
    for (const auto& [hold, release] :
         {Case{"dist_constraint(cable at 1 along, p, 0.3", ", until = 0.3"},
          Case{"dist_constraint(cable at 1 along, p, 0.3", ", breaks = 0.1"},
          Case{"dist_constraint(cable at 1 along, p, {0.3 at 0 sec linear 0.5 at 1 sec}",
               ", beyond = 0.35"},
          Case{"dist_constraint(cable at 1 along, point(1, 0.3, 0), 0.3", ", until = 0.3"},
          Case{"dist_constraint(cable at 1 along, p, 0.3",
               ", active = {1 at 0 sec hold 0 at 0.3 sec}"},
          Case{"path_constraint(cable at 1 along, spline(1,0,0, 0.9,-0.05,0, 0.8,0,0)",
               ", until = 0.3"},
          Case{"path_constraint(cable at 1 along, spline(1,0,0, 0.9,-0.05,0, 0.8,0,0)",
               ", breaks = 0.1"},
          Case{"path_constraint(cable at 1 along, spline(1,0,0, 0.9,-0.05,0, 0.8,0,0)",
               ", beyond = 0.02"},
          Case{"spring_and_damper(cable at 1 along, p, 0.3, 50, 1", ", until = 0.3"},
          Case{"spring_and_damper(cable at 1 along, p, 0.3, 50, 1", ", breaks = 0.2"},
          Case{"spring_and_damper(cable at 1 along, p, 0.3, 5, 1", ", beyond = 0.31"},
          Case{"spring_and_damper(cable at 1 along, p, 0.3, 50, 1",
               ", active = {1 at 0 sec hold 0 at 0.3 sec}"}}) {
        INFO(hold << release);
        CHECK(lowest(hold + ");\n") > -0.35);
        CHECK(lowest(hold + release + ");\n") < -0.7);
    }
}

TEST_CASE("strands: distances and springs come and go")
{
    const auto height = [](const std::string& active) {
        World world =
            make_world("def cord strand(line(0,0,0, 1,0,0), segments = 10); radius(5 mm); "
                       "mass_per_length(0.1); bend_stiffness(1e-3); damping(0.05); end; cord;\n"
                       "def post label(); end; p = post translate(1, 0.3, 0);\n"
                       "dist_constraint(cord at 1 along, p, 0.3" +
                       active + ");\n" + kTime);
        double lowest = 0;
        watch(world, [&](double) { lowest = std::min(lowest, world.frame().nodes.back().y); });
        return lowest;
    };
    CHECK(height("") > -0.35);
    CHECK(height(", active = {1 at 0 sec hold 0 at 0.3 sec}") < -0.7);
}

TEST_CASE("rods: a mass that rides on a cable weighs on it, in fields too")
{
    // M v̇ with M = ∫ ρA bᵢ bⱼ ds + Σ m bᵢ bⱼ: what holds one end carries all.
    for (const std::string model : {"", ", model = chain"}) {
        World world = make_world(cable(model, "line(0,0,0, 0,-1,0)") +
                                 "def lamp mass(0.5); end; lamp on cable at 0.77 along;\n"
                                 "position_constraint(cable at 0 along, point(0,0,0));\n"
                                 "field(0, -2, 0) on cable;\nsettle();\n" +
                                 kTime);
        REQUIRE_FALSE(world.advance(0.5).fault);
        REQUIRE(world.frame().loads.size() == 1);
        const double mass = 3540 * 3.14159265358979 * 9e-6 + 0.5;
        CHECK(world.frame().loads[0].force.y == doctest::Approx(mass * 11.81).epsilon(1e-3));
    }
}

TEST_CASE("rods: a mass at the end of a beam swings as 3EI / (L³ (m + 33/140 μL)) says")
{
    World world = make_world(
        "def beam rod(line(0,0,0, 1,0,0), spans = 20, radius = 1 cm, young = 1e9, density = 700); "
        "end; beam;\ndef lamp mass(0.5); end; mark = lamp on beam at 1 along;\n"
        "position_constraint(beam at 0 along, point(0,0,0));\n"
        "orientation_constraint(beam at 0 along, 1, 0, 0);\n"
        "gravity(0, 0, 0);\nforce(mark, 0, {1 at 0 sec hold 0 at 0.05 sec}, 0);\n"
        "simulate(0 sec, 6 sec, step = 1/240);\n");
    constexpr double kPi = 3.14159265358979, bend = 1e9 * kPi * 1e-8 / 4,
                     mass = 0.5 + 33.0 / 140 * 700 * kPi * 1e-4;
    double before = 0, first = 0, last = 0;
    int crossings = 0;
    for (int i = 1; i <= 1440; ++i) {
        REQUIRE_FALSE(world.advance(i / 240.0).fault);
        const double y = marked(world).origin.y, t = i / 240.0;
        if (before < 0 && y >= 0) {
            last = t - (y / (y - before)) / 240;
            first = crossings++ == 0 ? last : first;
        }
        before = y;
    }
    REQUIRE(crossings > 3);
    CHECK((crossings - 1) / (last - first) ==
          doctest::Approx(std::sqrt(3 * bend / mass) / (2 * kPi)).epsilon(0.01));
}

namespace {

/// Largest turn of a tangent in a step, and where it points in the end.
struct Turned {
    double fastest = 0;
    Vec3 last = {0, 0, 0};
};

Turned turn_to(const std::string& script, const std::string& hold, double degrees)
{
    const double angle = degrees * 3.14159265358979 / 180;
    World world = make_world(script + hold + std::to_string(std::cos(angle)) + ", " +
                             std::to_string(std::sin(angle)) +
                             ", 0, active = {0 at 0 sec hold 1 at 0.25 sec}, ease = 0.5);\n"
                             "gravity(0, 0, 0);\nsimulate(0 sec, 2 sec, step = 1/240);\n");
    Turned turned;
    Vec3 before = world.frame().nodes[1] - world.frame().nodes[0];
    for (int i = 1; i <= 240; ++i) {
        REQUIRE_FALSE(world.advance(i / 240.0).fault);
        const Vec3 now = world.frame().nodes[1] - world.frame().nodes[0];
        turned.fastest = std::max(
            turned.fastest, std::acos(std::min(1.0, dot(normalised(before), normalised(now)))));
        before = now;
    }
    turned.last = normalised(before);
    return turned;
}

} // namespace

TEST_CASE("an orientation that begins to hold turns the nearest way, from however far")
{
    // Eased as 3s² − 2s³ over half a second: at most 3/2 of the mean pace.
    const std::string rope = "def cable rod(line(0,0,0, 1,0,0), spans = 12, radius = 2 mm, young = "
                             "1e8, density = 1000, damping = 20 ms); end; cable;\n"
                             "position_constraint(cable at 0 along, point(0,0,0));\n"
                             "orientation_constraint(cable at 0 along, ";
    const std::string cord =
        "def cord strand(line(0,0,0, 1,0,0), segments = 10); radius(5 mm); mass_per_length(0.1); "
        "bend_stiffness(0.2); damping(0.05); end; cord;\n"
        "orientation_constraint(cord at 0.05 along, ";
    for (const double degrees : {30.0, 80.0, 120.0, 150.0, 175.0}) {
        INFO(degrees);
        const double angle = degrees * 3.14159265358979 / 180;
        const Vec3 wanted{std::cos(angle), std::sin(angle), 0};
        for (const std::string& script : {rope, cord}) {
            const Turned turned = turn_to(script, "", degrees);
            CHECK(turned.fastest < 1.6 * 1.5 * angle / 120);
            CHECK(length(turned.last - wanted) < 0.1);
        }
    }
}

TEST_CASE("rods: what rests settles without a word, taut wires and hanging decks too")
{
    const auto settled = [](const std::string& script) {
        World world = make_world(script + "settle();\nsimulate(0 sec, 1 sec, step = 1/240);\n");
        for (const Problem& note : world.start_notes())
            CHECK(note.code != "rods-not-settled");
        return world;
    };
    for (const double young : {2e9, 2e10, 2e11})
        for (const int spans : {10, 20, 33}) {
            const double due = young * 3.14159265358979 * 0.25e-6 * (1 / 0.995 - 1);
            World wire =
                settled("def wire rod(line(0,0,0, 1,0,0), spans = " + std::to_string(spans) +
                        ", radius = 0.5 mm, young = " + std::to_string(young) +
                        ", density = 7800, length = 0.995); end; wire;\n"
                        "position_constraint(wire at 0 along, point(0,0,0));\n"
                        "position_constraint(wire at 1 along, point(1,0,0));\n");
            REQUIRE_FALSE(wire.advance(1.0 / 240).fault);
            CHECK(std::abs(wire.frame().loads[0].force.x) == doctest::Approx(due).epsilon(0.001));
        }
    // A deck on 19 hangers, which together carry what its own ends do not.
    World deck = settled(
        "def cable rod(spline_through(0,0,0, 2,-0.6,0, 4,-0.8,0, 6,-0.6,0, 8,0,0), spans = 40, "
        "radius = 5 mm, young = 2e9, density = 1000, rest = straight); end; cable;\n"
        "position_constraint(cable at 0 along, point(0,0,0));\n"
        "position_constraint(cable at 1 along, point(8,0,0));\n"
        "def deck rod(line(0,-2,0, 8,-2,0), spans = 40, radius = 30 mm, young = 1e9, "
        "density = 3000); end; deck;\nposition_constraint(deck at 0 along, point(0,-2,0));\n"
        "position_constraint(deck at 1 along, point(8,-2,0));\nfor i in 1..19\n"
        "dist_joint(cable at i/20 along, deck at i/20 along, "
        "high = 2 - 0.8*(1-(i/10-1)*(i/10-1)));\nend;\n");
    REQUIRE_FALSE(deck.advance(1.0 / 240).fault);
    const Frame frame = deck.frame();
    double length_of_cable = 0, pull = 0;
    for (std::size_t i = 0; i < 40; ++i)
        length_of_cable += length(frame.nodes[i + 1] - frame.nodes[i]);
    for (std::size_t i = 0; i < 4; ++i) // what holds the four ends
        pull += frame.loads[i].force.y;
    const double of_cable = 1000 * 3.14159265358979 * 25e-6,
                 of_deck = 3000 * 3.14159265358979 * 9e-4;
    CHECK(pull ==
          doctest::Approx(9.81 * (of_cable * length_of_cable + of_deck * 8)).epsilon(0.002));
    for (std::size_t i = 5; i < 22; ++i) // all hangers pull
        CHECK(frame.loads[i].force.y < -30);
}

TEST_CASE("rods: a pearl is a body, or part of a linkage")
{
    const auto faults_of = [](const std::string& pearl) {
        return test::codes_of(
            "def rope rod(line(-1,0,0, 1,0,0)); end; rope;\ndef tag label(); end; tag;\n"
            "def ball body(mass = 1); sphere(0.1); end; ball;\nmoved = tag translatex({0 at 0 sec "
            "linear 1 at 1 sec});\npearl(" +
            pearl + ", rope);\nsimulate(0 sec, 1 sec);\n");
    };
    CHECK(faults_of("rope at 0.5 along") == test::Codes{"pearl-on-rod"});
    CHECK(faults_of("tag") == test::Codes{"pearl-stands"});
    CHECK(faults_of("moved").empty());
    CHECK(faults_of("ball").empty());
}

TEST_CASE("rods(stepping = quasi_static): a ring that is twisted keeps its length and its ends")
{
    std::string points;
    for (int i = 0; i <= 32; ++i) {
        const double a = 2 * 3.14159265358979 * i / 32;
        points += (i > 0 ? ", " : "") + std::to_string(0.2 * std::cos(a)) + "," +
                  std::to_string(0.2 * std::sin(a)) + "," + std::to_string(1e-4 * std::sin(2 * a));
    }
    World world = make_world(
        "def ring rod(spline_through(" + points +
        "), spans = 48, radius = 2 mm, young = 1e8, density = 1000, damping = 5 ms, rest = "
        "straight); end; ring;\ndef h label(); end; a = h translate(0.2,0,0);\n"
        "b = h rotatey({0 at 0 sec linear 15.6 at 3 sec}) translate(0.2,0,0);\n"
        "fusion(ring at 0 along, a, tangent = fixed);\n"
        "fusion(ring at 1 along, b, tangent = fixed);\ngravity(0, 0, 0);\n"
        "rods(contact = none, stepping = quasi_static);\nsimulate(0 sec, 4 sec, step = 1/50);\n");
    const auto length_now = [&] {
        const Frame frame = world.frame();
        double sum = 0;
        for (std::size_t i = 0; i < 48; ++i)
            sum += length(frame.nodes[i + 1] - frame.nodes[i]);
        return sum;
    };
    const double begin = length_now();
    for (int i = 1; i <= 100; ++i) {
        const StepReport report = world.advance(i / 25.0);
        REQUIRE_FALSE(report.fault);
        CHECK(report.warnings.empty());
        CHECK(length_now() == doctest::Approx(begin).epsilon(0.01));
    }
}
