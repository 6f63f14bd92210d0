// Strands that are held: at points, in loops, to bodies, for a while.

#include "sinew/world.h"

#include "support/readings.h"
#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using sinew::test::make_world;

namespace {

std::string rope(const std::string& path, int segments, const std::string& more = "")
{
    return "def rope strand(" + path + ", segments = " + std::to_string(segments) +
           "); radius(4 mm); mass_per_length(0.1); bend_stiffness(1e-5); damping(0.05); " + more +
           " end; rope;\n";
}

Vec3 sum_of(const World& world, ActingForce::Kind kind, std::size_t count)
{
    Vec3 sum{0, 0, 0};
    for (const ActingForce& force : world.forces())
        if (force.kind == kind && count-- > 0)
            sum += force.force;
    return sum;
}

} // namespace

TEST_CASE("the end of a strand follows a moving point, and pulls with what it weighs")
{
    // A chain of 1 kg/10 m between two points at one height: each bears half of it.
    World world = make_world(rope("spline(0,0,0, 0.5,-0.3,0, 0.9,0,0)", 20, "air_drag(0.5, 0.5);") +
                             "position_constraint(rope at 1 along, point({0.8 at 0 sec slowinout "
                             "0.5 at 1 sec}, 0, 0));\n"
                             "simulate(0 sec, 9 sec);\n");
    world.advance(0.5);
    CHECK(length(world.frame().nodes.back() - Vec3{0.65, 0, 0}) < 1e-9);
    const StepReport report = world.advance(9);
    CHECK_FALSE(report.fault);
    CHECK(length(world.frame().nodes.back() - Vec3{0.5, 0, 0}) < 1e-9);
    double weight = 0;
    for (std::size_t i = 0; i + 1 < world.frame().nodes.size(); ++i)
        weight += 0.1 * 9.81 * length(world.frame().nodes[i + 1] - world.frame().nodes[i]);
    const Vec3 force = sum_of(world, ActingForce::Kind::constraint, 1);
    CHECK(force.y == doctest::Approx(weight / 2).epsilon(0.02));
}

TEST_CASE("a straight strand that must get shorter bends")
{
    World world = make_world(rope("line(0,0,0, 1,0,0)", 20) +
                             "position_constraint(rope at 1 along, point(0.8, 0, 0));\n");
    const StepReport report = world.advance(1);
    CHECK_FALSE(report.fault);
    CHECK(length(world.frame().nodes.back() - Vec3{0.8, 0, 0}) < 1e-8);
}

TEST_CASE("a closed loop hangs as a pair of catenaries")
{
    // A hexagon of length 1.2 m by its top, flexible: both sides hang straight down as chains do
    // whose ends are in one place; the lowest point is half the length below.
    World world = make_world(
        rope("polyline(0,0,0, 0.2,-0.1,0, 0.2,-0.3,0, 0,-0.4,0, -0.2,-0.3,0, -0.2,-0.1,0, 0,0,0)",
             24, "air_drag(0.3, 0.3);") +
        "fusion(rope at 1 along, rope at 0 along, tangent = free);\nsimulate(0 sec, 8 sec);\n");
    double worst = 0;
    for (int i = 1; i <= 32; ++i) {
        const StepReport report = world.advance(0.25 * i);
        REQUIRE_FALSE(report.fault);
        worst = std::max(worst, length(world.frame().nodes.front() - world.frame().nodes.back()));
    }
    const std::vector<Vec3> nodes = world.frame().nodes;
    const double segment = length(nodes[1] - nodes[0]);
    CHECK(worst < 1e-6 * segment);
    const double lowest = std::ranges::min(nodes, {}, [](const Vec3& node) { return node.y; }).y;
    CHECK(lowest == doctest::Approx(-12 * segment).epsilon(0.02));
}

TEST_CASE("a loop that is held in two places hangs as two catenaries, one in the other")
{
    // 2 m of chain, closed, over 0.5 m: 0.6 m of it above, 1.4 m below. A catenary of length s over
    // the span d has s = 2a sinh(d/2a), and hangs a (cosh(d/2a) − 1) deep.
    const int count = 80;
    World world = make_world(
        rope("polyline(0,0,0, 0.25,-0.165,0, 0.5,0,0, 0.6,-0.3,0, 0.25,-0.6,0, -0.1,-0.3,0, "
             "0,0,0)",
             count, "air_drag(0.2, 0.4);") +
        "fusion(rope at 1 along, rope at 0 along, tangent = free);\n"
        "position_constraint(rope at 0.3 along, point({0.5 at 0 sec linear 0.5 at 1 sec}, 0, 0));\n"
        "simulate(0 sec, 8 sec);\n");
    REQUIRE_FALSE(world.advance(8).fault);
    const std::vector<Vec3> nodes = world.frame().nodes;
    double total = 0;
    for (std::size_t i = 1; i < nodes.size(); ++i)
        total += length(nodes[i] - nodes[i - 1]);
    const double span = length(nodes[24] - nodes[0]);
    const auto depth_of = [&](double s) {
        double low = 0.01, high = 10;
        for (int i = 0; i < 200; ++i) {
            const double a = 0.5 * (low + high);
            (2 * a * std::sinh(span / (2 * a)) > s ? low : high) = a;
        }
        return low * (std::cosh(span / (2 * low)) - 1);
    };
    const auto lowest = [&](std::size_t first, std::size_t last) {
        double y = 0;
        for (std::size_t i = first; i <= last; ++i)
            y = std::min(y, nodes[i].y);
        return -y;
    };
    CHECK(length(nodes.back() - nodes.front()) < 1e-6 * total / count);
    CHECK(span == doctest::Approx(0.5).epsilon(1e-4));
    CHECK(lowest(0, 24) == doctest::Approx(depth_of(0.3 * total)).epsilon(0.01));
    CHECK(lowest(24, 80) == doctest::Approx(depth_of(0.7 * total)).epsilon(0.01));
}

TEST_CASE("a strand and a body hold each other")
{
    // 0.5 kg on a massless-looking rope of 1 m: a pendulum that keeps its energy.
    World world = make_world(
        "def hook label(); end; def ball body(mass = 0.5); sphere(0.1); hook translatey(0.1); "
        "end;\n"
        "ball translatey(-1.1) rotatez(40 deg);\n"
        "def rope strand(line(0,0,0, 0,-1,0), segments = 10); radius(5 mm); mass_per_length(0.1); "
        "bend_stiffness(1e-3); end; rope rotatez(40 deg);\n"
        "fusion(rope at 1 along, ball.hook, tangent = free);\n");
    const double before = world.energy().kinetic + world.energy().potential;
    const StepReport report = world.advance(2);
    CHECK_FALSE(report.fault);
    CHECK(report.converged);
    const double after = world.energy().kinetic + world.energy().potential;
    CHECK(after == doctest::Approx(before).epsilon(0.01));
    const Frame frame = world.frame();
    CHECK(length(frame.nodes.back() - frame.objects[2].origin) < 1e-8);
}

TEST_CASE("a strand and a rod that are tied feel each other, whoever is named first")
{
    const auto middle_of = [](const std::string& tie) {
        World world = make_world(
            "def cord rod(line(-0.5,0,0, 0.5,0,0), spans = 20, radius = 4 mm, young = 1e6, "
            "rest = straight, damping = 5 ms); end;\n"
            "c = cord;\n"
            "position_constraint(c at 0 along, point(-0.5, 0, 0));\n"
            "position_constraint(c at 1 along, point(0.5, 0, 0));\n"
            "def hair strand(line(0,0.3,0, 0,0,0), segments = 8); radius(2 mm); "
            "mass_per_length(0.01); bend_stiffness(1e-5); damping(0.05); air_drag(0.05, 0.1); "
            "end;\nh = hair;\n" +
            tie + "simulate(0 sec, 3 sec, step = 1 / 240);\n");
        std::vector<std::byte> kept;
        for (int i = 1; i <= 72; ++i) {
            REQUIRE_FALSE(world.advance(i / 24.0).fault);
            if (i == 36)
                kept = world.snapshot();
        }
        const std::vector<Vec3> nodes = world.frame().nodes; // of strands, then of rods
        const std::uint64_t hash = world.state_hash();
        REQUIRE(world.restore(kept));
        for (int i = 37; i <= 72; ++i)
            REQUIRE_FALSE(world.advance(i / 24.0).fault);
        CHECK(world.state_hash() == hash);
        REQUIRE(nodes.size() == 9 + 21);
        if (!tie.empty())
            CHECK(length(nodes[8] - nodes[9 + 10]) < 1e-6);
        return nodes[9 + 10].y;
    };
    const double free = middle_of("");
    CHECK(free < -0.01);
    const double first = middle_of("fusion(h at 1 along, c at 0.5 along, tangent = free);\n");
    const double second = middle_of("fusion(c at 0.5 along, h at 1 along, tangent = free);\n");
    CHECK(std::abs(first) < 0.1 * std::abs(free)); // it hangs on the hair
    CHECK(first == second);
}

namespace {

/// A cord between two points and a hair that hangs above its middle, tied by what is given.
const std::string kCordAndHair =
    "def cord rod(line(-0.5,0,0, 0.5,0,0), spans = 20, radius = 4 mm, young = 1e6, "
    "rest = straight, damping = 5 ms); end;\nc = cord;\n"
    "position_constraint(c at 0 along, point(-0.5, 0, 0));\n"
    "position_constraint(c at 1 along, point(0.5, 0, 0));\n"
    "def hair strand(line(0,0.3,0, 0,0.1,0), segments = 8); radius(2 mm); "
    "mass_per_length(0.01); bend_stiffness(1e-5); damping(0.05); air_drag(0.05, 0.1); end;\n"
    "h = hair;\nsimulate(0 sec, 3 sec, step = 1 / 240);\n";

struct TiedEnds {
    Vec3 hair, cord;
    ConstraintLoad load; ///< on the hair

    bool operator==(const TiedEnds&) const = default;
};

/// After three seconds, and the same bits from the middle on, on another number of threads.
TiedEnds run_tied(const std::string& tie)
{
    World world = make_world(kCordAndHair + tie), again = make_world(kCordAndHair + tie, 2);
    REQUIRE(world.scene().strand_constraints.size() == 1);
    for (int i = 1; i <= 72; ++i) {
        REQUIRE_FALSE(world.advance(i / 24.0).fault);
        if (i == 36)
            REQUIRE(again.restore(world.snapshot()));
    }
    for (int i = 37; i <= 72; ++i)
        REQUIRE_FALSE(again.advance(i / 24.0).fault);
    const Frame frame = world.frame();
    CHECK(again.frame() == frame);
    CHECK(again.state_hash() == world.state_hash());
    return {frame.nodes[8], frame.nodes[9 + 10], frame.loads[0]};
}

constexpr double kLeastPull = 0.05; // [N] of the cord, which weighs 0.5 N

} // namespace

TEST_CASE("a strand is tied to a rod by position, whoever is named first")
{
    const TiedEnds ends =
        run_tied("position_constraint(h at 1 along, c at 0.5 along);\nassemble();\n");
    CHECK(length(ends.hair - ends.cord) < 1e-6);
    CHECK(ends.load.force.y < -kLeastPull); // the cord pulls the hair down
    CHECK(run_tied("position_constraint(c at 0.5 along, h at 1 along);\nassemble();\n") == ends);
}

TEST_CASE("a strand is tied to a rod by a distance, whoever is named first")
{
    const TiedEnds ends = run_tied("dist_constraint(h at 1 along, c at 0.5 along, 0.1);\n");
    CHECK(length(ends.hair - ends.cord) == doctest::Approx(0.1).epsilon(1e-6));
    CHECK(ends.load.force.y < -kLeastPull);
    CHECK(length(ends.load.force - ends.load.force.y * Vec3{0, 1, 0}) < 1e-6); // they hang
    const TiedEnds turned = run_tied("dist_constraint(c at 0.5 along, h at 1 along, 0.1);\n");
    CHECK(length(turned.hair - ends.hair) < 1e-9);
    CHECK(length(turned.load.force - ends.load.force) < 1e-6);
}

TEST_CASE("a strand is tied to a rod by a spring, and both feel its force")
{
    const TiedEnds ends =
        run_tied("spring_and_damper(h at 1 along, c at 0.5 along, 0.05, 10, 0.2);\n");
    const double pull = 10 * (length(ends.hair - ends.cord) - 0.05);
    CHECK(pull > kLeastPull);
    CHECK(ends.load.force.y == doctest::Approx(-pull).epsilon(1e-3));
    const TiedEnds turned =
        run_tied("spring_and_damper(c at 0.5 along, h at 1 along, 0.05, 10, 0.2);\n");
    CHECK(length(turned.hair - ends.hair) < 1e-9);
    CHECK(length(turned.cord - ends.cord) < 1e-9);
}

TEST_CASE("a rod keeps its direction against a strand without being tied to it")
{
    // The hair's frame has y along it, which is down: the bar hangs on its end and stays level.
    World world = make_world(
        kCordAndHair +
        "def bar rod(line(0.6,0,0, 0.8,0,0), spans = 4, radius = 2 mm, young = 1e9, damping = "
        "5 ms); end;\nb = bar;\nposition_constraint(b at 0 along, point(0.6, 0, 0));\n"
        "orientation_constraint(b at 0 along, 0, 1, 0, b = h at 0.5 along);\nassemble();\n");
    CHECK(world.scene().strand_constraints.empty());
    CHECK(world.scene().rod_constraints.size() == 4);
    for (int i = 1; i <= 24; ++i)
        REQUIRE_FALSE(world.advance(i / 24.0).fault);
    const Frame frame = world.frame();
    const auto bar = frame.nodes.end() - 5;
    CHECK(length(frame.nodes[8] - Vec3{0, 0.1, 0}) < 1e-6); // the hair is left alone
    CHECK(normalised(bar[1] - bar[0]).y < -0.99);           // and the bar goes where it goes
}

TEST_CASE("a spring on a strand hangs by its force")
{
    World world = make_world(rope("line(0,0,0, 0.6,0,0)", 12, "air_drag(1, 1);") +
                             "def nail label(); end; nail translate(0.5, 0.4, 0);\n"
                             "spring_and_damper(rope at 1 along, nail, 0.1, 20, 1);\n"
                             "simulate(0 sec, 9 sec);\n");
    CHECK_FALSE(world.advance(8).fault);
    const Frame frame = world.frame();
    const double stretch = length(frame.nodes.back() - Vec3{0.5, 0.4, 0}) - 0.1;
    const Vec3 force = sum_of(world, ActingForce::Kind::spring, 1);
    CHECK(length(force) == doctest::Approx(20 * stretch).epsilon(1e-3));
}

TEST_CASE("constraints come and go without a jump of velocity")
{
    World world = make_world(
        rope("line(0,0,0, 0.3,-0.8,0)", 16) +
        "position_constraint(rope at 1 along, point(0.4, -0.6, 0), active = {0 at 0 sec hold 1 at "
        "0.5 sec hold 0 at 1.2 sec}, ease = 0.4);\nsimulate(0 sec, 2 sec, step = 1/480);\n");
    Vec3 last = world.frame().nodes.back(), speed{0, 0, 0};
    double largest = 0, usual = 0;
    for (int i = 1; i <= 960; ++i) {
        REQUIRE_FALSE(world.advance(i / 480.0).fault);
        const Vec3 now = world.frame().nodes.back(), v = (now - last) * 480.0;
        const double jump = length(v - speed);
        const bool switches = std::abs(i - 240) <= 2 || std::abs(i - 576) <= 2;
        double& most = switches ? largest : usual;
        if (i > 1)
            most = std::max(most, jump);
        last = now, speed = v;
        if (i == 500)
            CHECK(length(now - Vec3{0.4, -0.6, 0}) < 1e-8);
    }
    CHECK(largest < 1.5 * usual); // [m/s] in a step of 2 ms
    CHECK(largest < 0.2);
}

TEST_CASE("a direction, a rope and a floor hold a strand")
{
    const std::string drag = "air_drag(1, 1);";
    World turned = make_world(rope("line(0,0,0, 0.5,0,0)", 10, drag) +
                              "orientation_constraint(rope at 0.5 along, 0.6, -0.8, 0);\n");
    CHECK_FALSE(turned.advance(2).fault);
    const std::vector<Vec3> nodes = turned.frame().nodes;
    CHECK(length(normalised(nodes[5] - nodes[4]) - Vec3{0.6, -0.8, 0}) < 1e-7);

    World roped = make_world(rope("line(0,0,0, 0.5,0,0)", 10, drag) +
                             "def nail label(); end; nail translate(0.5, 0, 0);\n"
                             "dist_joint(rope at 1 along, nail, high = 0.2);\n");
    CHECK_FALSE(roped.advance(2).fault);
    CHECK(length(roped.frame().nodes.back() - Vec3{0.5, 0, 0}) < 0.2 + 1e-6);

    World floored = make_world(rope("line(0,0,0, 0.5,0,0)", 10, drag) +
                               "def sill label(); end; sill translatey(-0.1);\n"
                               "above(rope at 1 along, sill);\n");
    CHECK_FALSE(floored.advance(2).fault);
    CHECK(floored.frame().nodes.back().y == doctest::Approx(-0.1).epsilon(1e-6));
}

TEST_CASE("held strands: same bits for any number of threads, and after restore")
{
    const std::string text =
        "def rope strand(line(0,0,0, 0.5,-0.2,0), segments = 8); radius(4 mm); end;\n"
        "for i in 1..5 r[i] = rope translatez(0.1 * i); end;\n"
        "for i in 1..4 fusion(r[i] at 1 along, r[i + 1] at 0.5 along, tangent = free); end;\n"
        "def floor obstacle(); plane(0, 1, 0, -0.4); end; floor;\n";
    World one = make_world(text), two = make_world(text, 3);
    CHECK_FALSE(one.advance(0.4).fault);
    two.advance(0.4);
    CHECK(one.state_hash() == two.state_hash());
    const std::vector<std::byte> bytes = one.snapshot();
    one.advance(0.8);
    REQUIRE(two.restore(bytes));
    two.advance(0.8);
    CHECK(one.state_hash() == two.state_hash());
}

TEST_CASE("what cannot be held is told")
{
    const std::string strand = rope("line(0,0,0, 1,0,0)", 4);
    using test::codes_of;
    CHECK(codes_of("def a label(); end; a; b = a translatex(1); above(a, b);\n" + strand) ==
          test::Codes{"holds-no-strand"});
    CHECK(codes_of(strand + "position_constraint(rope at 1 along, line(0,0,0, 1,0,0));\n") ==
          test::Codes{"position-not-a-point"});
    Scene scene = test::sound_scene(strand + "fusion(rope at 1 along, rope at 0 along);\n");
    scene.strand_constraints[0].b = scene.strand_constraints[0].a;
    CHECK(validate(scene).front().code == "held-to-itself");
    scene.strand_constraints[0].b = ObjectId{99};
    CHECK(validate(scene).front().code == "no-such-object");
    scene.strand_constraints[0].b = ObjectId{0};
    scene.strand_constraints[0].ease = -1;
    CHECK(validate(scene).front().code == "out-of-range");
    scene.strand_constraints[0].ease = 0;
    scene.strand_constraints[0].kind = StrandConstraintKind::spring;
    CHECK(validate(scene).front().code == "spring-without-length");
    Scene spring = test::sound_scene(strand + "fusion(rope at 1 along, rope at 0 along);\n");
    spring.point_springs.push_back({.a = spring.strand_sites[0].object, .b = ObjectId{0}});
    CHECK(validate(spring).front().code == "constraint-on-strand");
    Scene stretched = test::sound_scene(strand);
    stretched.strand_properties[0].kind = StrandPropertyKind::stretch;
    stretched.strand_properties[0].a = stretched.strand_properties[0].b = {-1};
    CHECK(validate(stretched).front().code == "out-of-range");
}
