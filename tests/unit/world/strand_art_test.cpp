// What animators do with strands: blend, freeze, stretch, bounds, angles; strands that touch.

#include "sinew/world.h"

#include "support/files.h"
#include "support/readings.h"
#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using sinew::test::make_world;

namespace {

const std::string kHead = "def head label(); end;\n"
                          "head rotatez({0 at 0 sec slowinout 1 at 0.5 sec}) "
                          "translatex({0 at 0 sec slowinout 0.3 at 0.6 sec});\n";

std::string tail(const std::string& more)
{
    return "def tail strand(line(0,0,0, 0.6,0,0), segments = 12); radius(1 cm); "
           "bend_stiffness(0.02); damping(0.05); " +
           more + " end;\n";
}

/// Nodes as the head sees them.
std::vector<Vec3> local_nodes(const World& world)
{
    const Frame frame = world.frame();
    std::vector<Vec3> nodes;
    for (const Vec3& node : frame.nodes)
        nodes.push_back(transpose(frame.objects[1].linear) * (node - frame.objects[1].origin));
    return nodes;
}

double bend_at(const World& world, std::size_t segment)
{
    const Frame frame = world.frame();
    const Vec3 a = rotate(frame.segments[segment - 1], Vec3{0, 1, 0});
    const Vec3 b = rotate(frame.segments[segment], Vec3{0, 1, 0});
    return std::atan2(length(cross(a, b)), dot(a, b));
}

double length_of(const World& world)
{
    const std::vector<Vec3> nodes = world.frame().nodes;
    double sum = 0;
    for (std::size_t i = 1; i < nodes.size(); ++i)
        sum += length(nodes[i] - nodes[i - 1]);
    return sum;
}

} // namespace

TEST_CASE("a blend shows the shape at rest, the simulation, or what lies between")
{
    const auto at = [&](const std::string& blend) {
        World world = make_world(kHead + tail(blend) + "tail on head;\nsimulate(0 sec, 1 sec);\n");
        CHECK_FALSE(world.advance(0.7).fault);
        return local_nodes(world).back();
    };
    const Vec3 whole = at(""), none = at("blend(0);"), half = at("blend(0.5);");
    CHECK(length(none - Vec3{0.6, 0, 0}) < 1e-9);
    CHECK(length(whole - none) > 0.1);
    CHECK(length(half - none) < length(whole - none));
    CHECK(length(half - whole) < length(whole - none));
    CHECK(at("blend({0 at 0 sec linear 1 at 0.7 sec});") == whole);
}

TEST_CASE("a blend shows the pose where there is one, and what rides goes along")
{
    const std::string posed =
        tail("pose(line(0,0,0, 0,0.6,0), strength = 0); blend(0);") +
        "tail; def lamp label(); end; lamp on tail at 1 along;\nsimulate(0 sec, 1 sec);\n";
    World world = make_world(posed);
    CHECK_FALSE(world.advance(0.5).fault);
    const Frame frame = world.frame();
    CHECK(length(frame.nodes.back() - Vec3{0, 0.6, 0}) < 1e-9);
    CHECK(length(frame.objects.back().origin - frame.nodes.back()) < 1e-9);
}

TEST_CASE("what is frozen goes with its base as it is, and is let go without a jump")
{
    const std::string text = kHead +
                             tail("freeze({0 at 0 sec hold 1 at 0.2 sec hold 0 at 0.4 sec});") +
                             "tail on head;\nsimulate(0 sec, 1 sec, step = 1/96);\n";
    World world = make_world(text);
    world.advance(0.2);
    const std::vector<Vec3> shape = local_nodes(world);
    CHECK(length(shape.back() - Vec3{0.6, 0, 0}) > 0.01);
    for (const double time : {0.25, 0.3125, 0.375}) {
        CHECK_FALSE(world.advance(time).fault);
        const std::vector<Vec3> now = local_nodes(world);
        for (std::size_t i = 0; i < now.size(); ++i)
            CHECK(length(now[i] - shape[i]) < 1e-12);
    }
    world.advance(0.4 + 1.0 / 96);
    CHECK(length(local_nodes(world).back() - shape.back()) < 0.01);
    world.advance(0.7);
    CHECK(length(local_nodes(world).back() - shape.back()) > 0.05);
}

TEST_CASE("lengths are animated, and the mass stays")
{
    World world = make_world(tail("stretch({1 at 0 sec slowinout 1.5 at 1 sec});") +
                             "tail;\nsimulate(0 sec, 2 sec);\n");
    CHECK(length_of(world) == doctest::Approx(0.6));
    world.advance(0.5);
    CHECK(length_of(world) == doctest::Approx(0.75));
    const std::vector<std::byte> half = world.snapshot();
    world.advance(1.5);
    CHECK(length_of(world) == doctest::Approx(0.9));
    REQUIRE(world.restore(half));
    CHECK(length_of(world) == doctest::Approx(0.75));
}

TEST_CASE("a strand bends no further than its least radius")
{
    const std::string soft = "def soft strand(line(0,0,0, 0.6,0,0), segments = 20); radius(5 mm); "
                             "bend_stiffness(1e-4); damping(0.05); ";
    const auto largest = [&](const std::string& more) {
        World world = make_world(soft + more + " end; soft;\nsimulate(0 sec, 2 sec, step = 1/96);");
        double most = 0;
        for (int i = 1; i <= 48; ++i) {
            CHECK_FALSE(world.advance(i / 24.0).fault);
            for (std::size_t k = 1; k < 20; ++k)
                most = std::max(most, bend_at(world, k));
        }
        return most;
    };
    CHECK(largest("") > 0.5);
    CHECK(largest("least_radius(10 cm);") < 0.03 / 0.1 + 1e-6);
}

TEST_CASE("a joint follows an animated angle, or stays between two")
{
    World bent = make_world(
        tail("") + "tail;\njoint_constraint(tail at 0.5 along, x, angle = {0 at 0 sec slowinout "
                   "0.6 at 1 sec});\nsimulate(0 sec, 2 sec, step = 1/96);\n");
    bent.advance(1.5);
    // Node 6 is the tip of segment 5, whose joint is before it. About z it is free.
    const Frame frame = bent.frame();
    const Quat between = conjugate(frame.segments[4]) * frame.segments[5];
    CHECK(2 * std::atan2(between.x, between.w) == doctest::Approx(0.6).epsilon(1e-6));

    const auto largest = [&](const std::string& more) {
        World world =
            make_world(tail("") + "tail;\n" + more + "simulate(0 sec, 1 sec, step = 1/96);");
        double most = 0;
        for (int i = 1; i <= 24; ++i) {
            world.advance(i / 24.0);
            most = std::max(most, bend_at(world, 5));
        }
        return most;
    };
    CHECK(largest("") > 0.15);
    CHECK(largest("joint_constraint(tail at 0.5 along, z, low = -0.05, high = 0.05);\n") <
          0.05 + 1e-6);
    const Result<World> root = World::create(
        test::sound_scene(tail("") + "tail;\njoint_constraint(tail at 0 along, x, angle = 1);\n"));
    REQUIRE_FALSE(bool(root));
    CHECK(root.problems().front().code == "joint-of-root");
}

TEST_CASE("a constraint that begins or ends to hold makes no jump of velocity")
{
    World world = make_world(
        tail("") +
        "tail;\nposition_constraint(tail at 1 along, point(0.4, 0.1, 0), active = {0 at 0 "
        "sec hold 1 at 0.3 sec hold 0 at 0.9 sec});\nsimulate(0 sec, 2 sec, step = "
        "1/480);\n");
    const double h = 1.0 / 480;
    std::vector<Vec3> ways;
    Vec3 last = world.frame().nodes.back();
    for (int i = 1; i <= 600; ++i) {
        CHECK_FALSE(world.advance(i * h).fault);
        const Vec3 now = world.frame().nodes.back();
        ways.push_back((now - last) / h);
        last = now;
    }
    double largest = 0, usual = 0;
    for (std::size_t i = 1; i < ways.size(); ++i) {
        const double jump = length(ways[i] - ways[i - 1]);
        const double time = double(i) * h;
        const bool is_switch = std::abs(time - 0.3) < 3 * h || std::abs(time - 0.9) < 3 * h;
        (is_switch ? largest : usual) = std::max(is_switch ? largest : usual, jump);
    }
    MESSAGE("velocity of the tip: largest change in a step when it switches ", largest,
            " m/s, elsewhere ", usual, " m/s");
    CHECK(largest < 2 * usual);
    CHECK(largest < 0.6);
}

TEST_CASE("strands touch each other when they are to, with friction and without passing")
{
    const std::string two =
        "def rope strand(line(0,0,0, 1,0,0), segments = 16); radius(1 cm); bend_stiffness(1e-3); "
        "damping(0.05); air_drag(0.1, 0.1); end;\n"
        "def bar strand(line(0,0,-0.5, 0,0,0.5), segments = 10); radius(1 cm); "
        "bend_stiffness(1e3); end;\n"
        "bar translate(0.3, -0.15, 0); rope;\n";
    const auto height = [&](const std::string& more) {
        World world = make_world(two + more + "simulate(0 sec, 2 sec, step = 1/96);\n");
        CHECK_FALSE(world.advance(2).fault);
        const Frame frame = world.frame();
        const std::size_t kRope = frame.nodes[0].x == 0 ? 0 : 11; // its first node
        const Vec3 bar = frame.nodes[(kRope == 0 ? 17 : 0) + 5];  // its middle
        double nearest = 1e9; // of the rope's axis to that of the bar
        for (std::size_t k = kRope; k < kRope + 16; ++k)
            for (int part = 0; part <= 10; ++part) {
                const Vec3 x =
                    frame.nodes[k] + (frame.nodes[k + 1] - frame.nodes[k]) * (0.1 * part);
                nearest = std::min(nearest, std::hypot(x.x - bar.x, x.y - bar.y));
            }
        return std::pair(nearest, frame.nodes[kRope + 16].y);
    };
    const auto [apart, low] = height("strands(touch = each_other);\n");
    CHECK(apart > 0.02 - 1e-4);
    CHECK(low > height("").second + 0.05);
}

TEST_CASE("hair that feels its neighbours spreads, and comes to rest together")
{
    const auto width = [&](const std::string& more) {
        World world = make_world(
            "gravity(0, 0, 0);\n"
            "def tuft for i in 0..5 for j in 0..5 s[10 * i + j] = strand(line(0.002 * i,0,0.002 * "
            "j, 0.002 * i,-0.2,0.002 * j), segments = 8); end; end;\n"
            "radius(0.5 mm); mass_per_length(0.001); bend_stiffness(1e-6); damping(0.05); "
            "air_drag(0.002, 0.002); end;\ntuft;\n" +
            more + "simulate(0 sec, 1 sec, step = 1/96);\n");
        CHECK_FALSE(world.advance(1).fault);
        const std::vector<Vec3> nodes = world.frame().nodes;
        double low = 1, high = -1;
        for (std::size_t i = 8; i < nodes.size(); i += 9) {
            low = std::min(low, nodes[i].x);
            high = std::max(high, nodes[i].x);
        }
        return high - low;
    };
    const double alone = width("");
    CHECK(alone == doctest::Approx(0.01).epsilon(0.01));
    CHECK(width("continuum(1 cm, density = 20, pressure = 20) on tuft;\n") > 2 * alone);
    CHECK(width("continuum(1 cm, density = 1e6, pressure = 20) on tuft;\n") ==
          doctest::Approx(alone));
}

TEST_CASE("a skin that stands changes nothing, one that goes takes its hair along")
{
    const std::string text = tail("") + "tail;\nsimulate(0 sec, 1 sec, step = 1/96);\n";
    const auto tip = [&](double way) {
        Scene scene = test::sound_scene(text);
        if (way >= 0) {
            scene.skins.push_back({.triangles = {{0, 1, 2}}, .times = {0, 0.5, 1}});
            for (int k = 0; k < 3; ++k)
                for (const Vec3& corner : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 0, -1}})
                    scene.skins[0].vertices.push_back(corner + Vec3{0, 0, way * k * k});
            scene.strand_roots.push_back({.u = 0.25, .v = 0.25});
            scene.strands[0].root = 0;
        }
        World world = make_world(scene);
        CHECK_FALSE(world.advance(1).fault);
        const std::vector<Vec3> nodes = world.frame().nodes;
        return std::pair(nodes.front(), nodes.back());
    };
    const auto [root, plain] = tip(-1);
    const auto [stood, same] = tip(0);
    CHECK(length(root - stood) < 1e-12);
    CHECK(length(plain - same) < 1e-9);
    const auto [went, behind] = tip(0.5); // faster and faster
    CHECK(length(went - Vec3{0, 0, 2}) < 1e-12);
    CHECK(length(behind - plain - Vec3{0, 0, 2}) > 0.01);
}
