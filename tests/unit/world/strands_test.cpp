// Strands in the world: from a script to motion, carried, blown at, settled, snapped and restored.

#include "sinew/world.h"

#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace sinew;
using sinew::test::make_world;

namespace {

/// Heavy cantilever of unit length with Γ = ρgAL³/EI.
std::string cantilever(int segments, double gamma, const std::string& more)
{
    const double weight = 0.01 * 9.81; // per metre, of 0.01 kg/m
    return "def rod strand(line(0,0,0, 1,0,0), segments = " + std::to_string(segments) +
           "); radius(1 mm); mass_per_length(0.01); bend_stiffness(" +
           std::to_string(weight / gamma) + "); " + more + " end; rod;\n";
}

const std::string kForest =
    "def tree trunk = strand(line(0,0,0, 0,2,0), segments = 8);\n"
    "limb = branch(line(0,1.2,0, 1,1.8,0), from = trunk at 0.6 along, segments = 5);\n"
    "radius(1 cm); density(700); young(1e8); damping(0.01); air_drag(0.1, 1); end;\n"
    "for i in 1..7 t[i] = tree translatex(2 * i) rotatey({0 at 0 sec slowinout 1 at 1 sec}); end;\n"
    "turbulence(strength = 3, size = 2, period = 1) on t[1], t[2], t[3];\n"
    "simulate(0 sec, 1 sec, step = 1/96);\n";

Vec3 last_node(const World& world) { return world.frame().nodes.back(); }

} // namespace

TEST_CASE("strands that depend on nothing go through a frame's steps in a row, with the same bits")
{
    // A mass on a wire beside them: then all wait for all after every step. One track has a corner.
    const std::string wire =
        "dynamic r; r = initial(1, 0);\ndef bead mass(1); end; bead translatex(r);\n";
    const std::string cornered =
        kForest + "u = tree translatex({0 at 0 sec linear 1 at 0.3 sec linear 0 at 1 sec});\n";
    for (const int threads : {1, 3}) {
        World alone = make_world(cornered, threads), beside = make_world(cornered + wire, threads);
        for (int frame = 1; frame <= 12; ++frame) {
            const StepReport a = alone.advance(frame / 24.0), b = beside.advance(frame / 24.0);
            CHECK(a.stages == b.stages);
            CHECK(a.solves == b.solves);
            CHECK(alone.frame().nodes == beside.frame().nodes);
            CHECK(alone.frame().segments == beside.frame().segments);
        }
    }
}

TEST_CASE("a rod settles into the shape of a heavy cantilever")
{
    // The discrete truth for twenty links at Γ = 10.
    const World world = make_world(cantilever(20, 10, "") + "settle();\n");
    CHECK(last_node(world).x == doctest::Approx(0.656028474609952).epsilon(1e-6));
    CHECK(last_node(world).y == doctest::Approx(-0.701201162769572).epsilon(1e-6));
}

TEST_CASE("what has settled stays where it is")
{
    World world = make_world(cantilever(20, 10, "damping(0.01);") + "settle();\n");
    const Vec3 before = last_node(world);
    world.advance(1);
    CHECK(length(last_node(world) - before) < 1e-9);
}

TEST_CASE("a strand with a zero-gravity rest shape hangs as it is drawn")
{
    World world = make_world(cantilever(20, 3, "zero_gravity_rest();"));
    world.advance(1);
    CHECK(length(last_node(world) - Vec3{1, 0, 0}) < 1e-8);
}

TEST_CASE("a strand falls freely as a pendulum when it has no stiffness")
{
    // One rigid link of length 1: period 2π √(2L/3g) for small swings.
    World world = make_world("def stick strand(line(0,0,0, 0.01,-1,0), segments = 1); "
                             "bend_stiffness(0); twist_stiffness(0); radius(1 mm); end; stick;\n"
                             "simulate(0 sec, 5 sec, step = 1/480);\n");
    const double x0 = last_node(world).x;
    const double period = 2 * 3.14159265358979 * std::sqrt(2.0 / 3 / 9.81);
    world.advance(period);
    CHECK(last_node(world).x == doctest::Approx(x0).epsilon(1e-3));
    world.advance(1.5 * period);
    CHECK(last_node(world).x == doctest::Approx(-x0).epsilon(1e-3));
}

TEST_CASE("what rides on a strand's point goes with it")
{
    World world =
        make_world("def rope strand(line(0,0,0, 1,0,0), segments = 10); radius(5 mm); end;\n"
                   "def lamp label(); end; rope; lantern = lamp on rope at 1 along;\n");
    world.advance(0.3);
    const Frame frame = world.frame();
    CHECK(frame.nodes.back().y < -0.1);
    const std::vector<std::string> names = object_names(world.scene());
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == "lantern")
            CHECK(length(frame.objects[i].origin - frame.nodes.back()) < 1e-12);
}

TEST_CASE("a strand on what tracks move goes with it, velocity and acceleration exact")
{
    // A stiff rod on a base that swings as a track does: against the same motion in its base.
    World world = make_world("def rod strand(line(0,0,0, 0,-0.2,0), segments = 6); radius(2 mm); "
                             "young(1e11); density(1000); end;\n"
                             "rod translatex({0 at 0 sec slowinout 1 at 1 sec});\n"
                             "simulate(0 sec, 1 sec, step = 1/240);\n");
    world.advance(0.5);
    CHECK(world.frame().nodes.front().x == doctest::Approx(0.5));
    CHECK(last_node(world).x == doctest::Approx(0.5).epsilon(1e-3));
}

TEST_CASE("strands: the same bits for any number of threads")
{
    const auto hash_with = [](int threads) {
        World world = make_world(kForest, threads);
        world.advance(0.5);
        return world.state_hash();
    };
    const std::uint64_t hash = hash_with(1);
    for (const int threads : {2, 3, 4})
        CHECK(hash_with(threads) == hash);
}

TEST_CASE("strands: the same bits after a snapshot is restored")
{
    World straight = make_world(kForest), other = make_world(kForest);
    straight.advance(0.25);
    const std::vector<std::byte> kept = straight.snapshot();
    straight.advance(0.5);
    REQUIRE(other.restore(kept));
    other.advance(0.5);
    CHECK(other.state_hash() == straight.state_hash());
    CHECK(other.frame() == straight.frame());
}

TEST_CASE("strands: float is near to double")
{
    World wide = make_world(kForest),
          narrow = make_world(kForest + "strands(precision = float);\n");
    wide.advance(0.5);
    narrow.advance(0.5);
    const Frame a = wide.frame(), b = narrow.frame();
    double apart = 0;
    for (std::size_t i = 0; i < a.nodes.size(); ++i)
        apart = std::max(apart, length(a.nodes[i] - b.nodes[i]));
    CHECK(apart < 2e-3); // of trees two metres high
    CHECK(apart > 0);
}

TEST_CASE("strands: energy of a swinging rope is kept to the error of the method")
{
    const std::string text =
        "def rope strand(line(0,0,0, 0.6,-0.8,0), segments = 12); radius(8 mm); "
        "young(1e8); end; rope;\nsimulate(0 sec, 2 sec, step = 1/960);\n";
    World world = make_world(text);
    const Energy start = world.energy();
    world.advance(1);
    const Energy end = world.energy();
    CHECK(end.kinetic + end.potential ==
          doctest::Approx(start.kinetic + start.potential).epsilon(2e-3));
}

TEST_CASE("strands: turbulence in lanes is what it is node by node")
{
    // A weight that is said along the curve takes the way through every node by itself.
    const auto with_weight = [](const std::string& weight) {
        return "def tree trunk = strand(line(0,0,0, 0,2,0), segments = 8);\n"
               "limb = branch(line(0,1.2,0, 1,1.8,0), from = trunk at 0.55 along, segments = 5);\n"
               "radius(1 cm); young(1e8); air_drag(0.1, 1); end;\n"
               "for i in 1..5 t[i] = tree translatex(2 * i); end;\n"
               "turbulence(strength = 3, size = 2, period = 1" +
               weight + ") on t[1], t[2], t[5];\nsimulate(0 sec, 1 sec, step = 1/96);\n";
    };
    World lanes = make_world(with_weight("")),
          nodes = make_world(with_weight(", weight = {1 at 0 along linear 1 at 1 along}"));
    const Frame start = lanes.frame();
    lanes.advance(0.25);
    nodes.advance(0.25);
    const Frame a = lanes.frame(), b = nodes.frame();
    double apart = 0, moved = 0;
    for (std::size_t i = 0; i < a.nodes.size(); ++i) {
        apart = std::max(apart, length(a.nodes[i] - b.nodes[i]));
        moved = std::max(moved, length(a.nodes[i] - start.nodes[i]));
    }
    CHECK(moved > 1e-3);
    CHECK(apart < 1e-9);
}

TEST_CASE("strands: a base whose velocity jumps gives a blow")
{
    // A hanging stick of length 1 whose end is taken away at 1 m/s turns at 3/2 rad/s: its tip goes
    // back at half the speed.
    World world =
        make_world("def stick strand(line(0,0,0, 0,-1,0), segments = 1); radius(1 mm); "
                   "bend_stiffness(0); twist_stiffness(0); end;\n"
                   "stick translatex({0 at 0 sec linear 0 at 0.1 sec linear 1 at 1.1 sec});\n"
                   "simulate(0 sec, 1 sec, step = 1/960);\n");
    world.advance(0.1);
    CHECK(std::abs(last_node(world).x) < 1e-12);
    world.advance(0.12);
    CHECK(world.frame().nodes.front().x == doctest::Approx(0.02));
    CHECK(last_node(world).x == doctest::Approx(-0.01).epsilon(0.03));
}

TEST_CASE("strands: a turning base's velocity and acceleration are felt")
{
    // A stiff rod that stands out from a base turning at 10 rad/s keeps standing out, stretched by
    // nothing but turned with it; a soft one without gravity stays straight too: pulled outwards.
    World world =
        make_world("gravity(0, 0, 0);\n"
                   "def rope strand(line(0.1,0,0, 0.6,0,0), segments = 10); radius(3 mm); "
                   "young(1e5); end;\nrope rotatey(10 * time);\n"
                   "simulate(0 sec, 2 sec, step = 1/960);\n");
    world.advance(1);
    const Vec3 tip = last_node(world);
    CHECK(length(tip) == doctest::Approx(0.6).epsilon(1e-6));
    CHECK(std::abs(tip.y) < 1e-9);
}

TEST_CASE("strands that leave the numbers in a step stand where it began")
{
    World world = make_world(kForest);
    REQUIRE_FALSE(world.advance(0.1).fault);
    const std::vector<std::byte> good = world.snapshot();
    int faults = 0;
    for (std::size_t at = 16; at + 8 <= good.size(); at += 8) { // behind its head
        std::vector<std::byte> wild = good;
        const double huge = 1e200;
        std::memcpy(&wild[at], &huge, sizeof huge);
        if (!world.restore(wild))
            continue;
        const std::uint64_t before = world.state_hash();
        const double time = world.time();
        if (!world.advance(time + 1.0 / 96).fault)
            continue;
        ++faults;
        CHECK(world.time() == time);
        CHECK(world.state_hash() == before);
        REQUIRE(world.restore(good));
    }
    CHECK(faults > 0);
    REQUIRE(world.restore(good));
    World other = make_world(kForest);
    REQUIRE_FALSE(other.advance(0.1).fault);
    CHECK_FALSE(world.advance(0.2).fault);
    CHECK_FALSE(other.advance(0.2).fault);
    CHECK(world.state_hash() == other.state_hash());
}

TEST_CASE(
    "what nothing moves is placed once, and what rides on tracks, bodies and strands goes with it")
{
    const std::string still = "def ball body(density = 900); sphere(0.1); end;\n"
                              "def mark label(); end;\n"
                              "def post mark translate(0, 1, 0); end;\n"
                              "p = post rotatez(30 deg) translate(1, 2, 3);\n"
                              "q = post translatex({0 at 0 sec linear 1 at 1 sec});\n"
                              "b = ball translate(5, 5, 5);\n" +
                              kForest;
    World world = make_world(still, 2);
    const Frame begin = world.frame();
    REQUIRE_FALSE(world.advance(0.5).fault);
    const Frame end = world.frame();
    const std::vector<std::string> names = object_names(world.scene());
    const auto went = [&](const char* name) {
        const auto found = std::ranges::find(names, name);
        REQUIRE(found != names.end());
        const auto i = static_cast<std::size_t>(found - names.begin());
        return length(end.objects[i].origin - begin.objects[i].origin);
    };
    CHECK(went("p") == 0);
    CHECK(went("q") == doctest::Approx(0.5));
    CHECK(went("b") > 1);
}
