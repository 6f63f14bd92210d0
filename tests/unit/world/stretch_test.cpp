// Strands whose lengths move under load: closed forms, order, energy, forces, contact, the same
// bits.                                                                        [eqs 24 to 27]

#include "sinew/world.h"

#include "math/functions.h"
#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

using namespace sinew;
using test::make_world;

namespace {

/// 0.1 kg/m, thin, with EA in N.
std::string cord(const std::string& path, int segments, double stiffness,
                 const std::string& more = "")
{
    return "def cord strand(" + path + ", segments = " + std::to_string(segments) +
           "); radius(1 mm); mass_per_length(0.1); stretch_stiffness(" + std::to_string(stiffness) +
           "); " + more + " end; cord;\n";
}

std::string limp(const std::string& more = "")
{
    return "bend_stiffness(0); twist_stiffness(0); " + more;
}

std::string steps(double rate)
{
    return "simulate(0 sec, 9 sec, step = 1/" + std::to_string(int(rate)) + ");\n";
}

double energy_of(const World& world)
{
    const Energy e = world.energy();
    return e.kinetic + e.potential;
}

Vec3 tip_of(const World& world) { return world.frame().nodes.back(); }

/// One uniform segment on a free joint, L and θ with their rates, by fourth-order Runge-Kutta:
/// (m/3)(L̈ − Lθ̇²) = ½mg cos θ − k(L − 1), (m/3)(Lθ̈ + 2L̇θ̇) = −½mg sin θ.
std::array<double, 4> elastic_pendulum(double k, double angle, double until)
{
    using Numbers = std::array<double, 4>;
    const double m = 0.1, g = 9.81;
    const auto slope = [&](const Numbers& y) {
        return Numbers{y[2], y[3],
                       y[0] * y[3] * y[3] + 1.5 * g * std::cos(y[1]) - 3 * k / m * (y[0] - 1),
                       (-1.5 * g * std::sin(y[1]) - 2 * y[2] * y[3]) / y[0]};
    };
    const auto plus = [](Numbers a, const Numbers& b, double s) {
        for (std::size_t i = 0; i < 4; ++i)
            a[i] += b[i] * s;
        return a;
    };
    Numbers y{1, angle, 0, 0};
    const int count = 20000;
    const double h = until / count;
    for (int i = 0; i < count; ++i) {
        const Numbers a = slope(y), b = slope(plus(y, a, h / 2)), c = slope(plus(y, b, h / 2)),
                      d = slope(plus(y, c, h));
        y = plus(plus(plus(plus(y, a, h / 6), b, h / 3), c, h / 3), d, h / 6);
    }
    return y;
}

} // namespace

TEST_CASE("an elastic pendulum goes as its two equations say, with second order")
{
    const double angle = 1.0, k = 20, until = 1.5;
    const std::array<double, 4> exact = elastic_pendulum(k, angle, until);
    const Vec3 there{exact[0] * std::sin(exact[1]), -exact[0] * std::cos(exact[1]), 0};
    const auto error_at = [&](double rate) {
        World world = make_world(cord("line(0,0,0, " + std::to_string(std::sin(angle)) + "," +
                                          std::to_string(-std::cos(angle)) + ",0)",
                                      1, k, limp()) +
                                 steps(rate));
        const StepReport report = world.advance(until);
        CHECK_FALSE(report.fault);
        return length(tip_of(world) - there);
    };
    const double coarse = error_at(240), fine = error_at(480);
    CHECK(fine < 2e-3);
    CHECK(std::log2(coarse / fine) > 1.9);
}

TEST_CASE("a hanging cord is longer by half its weight over its stiffness")
{
    // ΔL = ρAgL²/2EA, which segments have exactly; at 49 % and at 5 %.
    for (const double stiffness : {1.0, 10.0}) {
        World world = make_world(cord("line(0,0,0, 0,-1,0)", 7, stiffness, "damping(0.1);") +
                                 "settle();\n" + steps(96));
        const double longer = 0.1 * 9.81 / (2 * stiffness);
        CHECK(tip_of(world).y == doctest::Approx(-1 - longer).epsilon(1e-12));
        CHECK_FALSE(world.advance(1).fault);
        CHECK(tip_of(world).y == doctest::Approx(-1 - longer).epsilon(1e-9));
    }
}

TEST_CASE("a cord that bears more than it can is short, and does not vanish")
{
    // Standing upright, stiff against bending: λ = −EA/4T below a half.
    World world = make_world(cord("line(0,0,0, 0,1,0)", 1, 0.5, "bend_stiffness(10);") +
                             "settle();\n" + steps(96));
    const double pushed = 0.5 * 0.1 * 9.81 / 0.5; // T/EA
    REQUIRE(pushed > 0.5);
    CHECK(tip_of(world).y == doctest::Approx(0.25 / pushed).epsilon(1e-9));
    CHECK_FALSE(world.advance(1).fault);
    CHECK(tip_of(world).y == doctest::Approx(0.25 / pushed).epsilon(1e-6));
}

TEST_CASE("a cord's first length-wise period is four times its length by the speed of sound")
{
    // c = √(EA/ρA) = 20 m/s; stretched by its own weight, then gravity is as it was: about that.
    const double period = 4.0 / 20;
    World world = make_world(cord("line(0,0,0, 0,-1,0)", 20, 40) + steps(4800));
    const double middle = -1 - 0.1 * 9.81 / 80;
    double last = tip_of(world).y - middle, from = -1;
    int passes = 0;
    for (int i = 1; i <= 4800 && passes < 5; ++i) {
        world.advance(i / 4800.0);
        const double now = tip_of(world).y - middle;
        if (last * now < 0) {
            ++passes;
            const double at = (i - now / (now - last)) / 4800.0;
            if (passes == 1)
                from = at;
            if (passes == 5)
                CHECK(at - from == doctest::Approx(2 * period).epsilon(0.01));
        }
        last = now;
    }
    CHECK(passes == 5);
}

TEST_CASE("a swinging tree whose lengths move keeps its energy, to second order")
{
    // With a branch in the middle of a segment, which goes with a part of its length.
    const std::string tree =
        "def tree trunk = strand(line(0,0,0, 0.8,0,0), segments = 4);\n"
        "limb = branch(line(0.5,0,0, 0.6,0,0.4), from = trunk at 0.625 along, segments = 3);\n"
        "radius(4 mm); density(1000); bend_stiffness(0.002); stretch_stiffness(6); end; tree;\n";
    const auto drift_at = [&](double rate) {
        World world = make_world(tree + steps(rate));
        const double before = energy_of(world);
        double worst = 0;
        for (int i = 1; i <= 10; ++i) {
            CHECK_FALSE(world.advance(i * 0.05).fault);
            worst = std::max(worst, std::abs(energy_of(world) - before));
        }
        return worst;
    };
    const double coarse = drift_at(240), fine = drift_at(480), finest = drift_at(960);
    CHECK(finest < 1e-5);
    CHECK(std::log2(coarse / fine) > 1.7);
    CHECK(std::log2(fine / finest) > 1.8);
}

TEST_CASE("a cord that is drawn between two points pulls as Hooke says")
{
    World world = make_world("gravity(0, 0, 0);\n" +
                             cord("line(0,0,0, 1,0,0)", 10, 30, limp("damping(0.05);")) +
                             "position_constraint(cord at 1 along, point({1 at 0 sec slowinout 1.5 "
                             "at 1 sec}, 0, 0));\n" +
                             steps(96));
    CHECK_FALSE(world.advance(3).fault);
    CHECK(length(tip_of(world) - Vec3{1.5, 0, 0}) < 1e-9);
    double pull = 0;
    for (const ActingForce& force : world.forces())
        if (force.kind == ActingForce::Kind::constraint)
            pull = length(force.force);
    CHECK(pull == doctest::Approx(0.5 * 30).epsilon(1e-5));
    const std::vector<Vec3>& nodes = world.frame().nodes;
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
        CHECK(length(nodes[i + 1] - nodes[i]) == doctest::Approx(0.15).epsilon(1e-6));
}

TEST_CASE("a limp cord between two points hangs as the elastic catenary")
{
    // x(s) = H s/EA + (H/w) asinh(ws/H), y(s) = w s²/2EA + (H/w)(√(1 + (ws/H)²) − 1), s from the
    // middle, by the length at rest.
    const double w = 0.1 * 9.81, EA = 4, half = 0.5, span = 0.9;
    double low = 1e-3, high = 10;
    const auto reach = [&](double H) { return H * half / EA + H / w * std::asinh(w * half / H); };
    for (int i = 0; i < 200; ++i) {
        const double H = (low + high) / 2;
        (reach(H) < span / 2 ? low : high) = H;
    }
    const double H = low, sag = w * half * half / (2 * EA) +
                                H / w * (std::sqrt(1 + w * half / H * w * half / H) - 1);
    const auto error_of = [&](int segments) {
        World world = make_world(
            cord("line(0,0,0, 1,0,0)", segments, EA, limp("damping(0.05); air_drag(1, 1);")) +
            "position_constraint(cord at 1 along, point({1 at 0 sec slowinout 0.9 at 1 sec}, 0, "
            "0));\nsimulate(0 sec, 30 sec, step = 1/48);\n");
        CHECK_FALSE(world.advance(12).fault);
        return std::abs(world.frame().nodes[std::size_t(segments) / 2].y + sag);
    };
    const double coarse = error_of(10), fine = error_of(20);
    CHECK(fine < 1e-3);
    CHECK(std::log2(coarse / fine) > 1.8);
}

TEST_CASE("a cord with a zero-gravity rest hangs as it is drawn, lengths too")
{
    World world = make_world(cord("spline(0,0,0, 0.3,-0.5,0, 0.2,-1,0)", 12, 2,
                                  "bend_stiffness(0.05); zero_gravity_rest();") +
                             steps(96));
    const std::vector<Vec3> before = world.frame().nodes;
    CHECK_FALSE(world.advance(1).fault);
    for (std::size_t i = 0; i < before.size(); ++i)
        CHECK(length(world.frame().nodes[i] - before[i]) < 1e-7);
}

TEST_CASE("a load on a cord is let down by its weight over the stiffness")
{
    World world = make_world(cord("line(0,0,0, 0,-1,0)", 8, 50, "damping(0.2);") +
                             "def weight body(mass = 0.5); box(0.05, 0.05, 0.05); end; load = "
                             "weight translate(0, -1, 0);\n"
                             "position_constraint(cord at 1 along, load);\n" +
                             steps(96));
    CHECK_FALSE(world.advance(8).fault);
    CHECK(tip_of(world).y == doctest::Approx(-1 - 9.81 * (0.5 + 0.05) / 50).epsilon(1e-5));
}

TEST_CASE("a cord that falls on the ground lies on it")
{
    World world =
        make_world(cord("line(0,0.3,0, 1,0.3,0)", 12, 5, "damping(0.05);") +
                   "def ground obstacle(); plane(0, 1, 0, 0); end; ground;\n" + steps(192));
    double deepest = 0, longest = 0;
    for (int i = 1; i <= 48; ++i) {
        CHECK_FALSE(world.advance(i / 24.0).fault);
        const std::vector<Vec3> nodes = world.frame().nodes;
        for (std::size_t k = 1; k < nodes.size(); ++k) {
            deepest = std::max(deepest, 1e-3 - nodes[k].y);
            longest = std::max(longest, length(nodes[k] - nodes[k - 1]));
        }
    }
    CHECK(deepest < 1e-4);
    CHECK(longest > 1.01 / 12);
}

TEST_CASE("cords: the same bits for any number of threads, and after a restore")
{
    const std::string text = cord("line(0,0.3,0, 1,0.3,0)", 12, 5, "damping(0.05);") +
                             "other = cord translatez({0 at 0 sec slowinout 0.2 at 1 sec});\n"
                             "def stiff strand(line(0,0.3,1, 1,0.3,1), segments = 6); end; stiff;\n"
                             "def ground obstacle(); plane(0, 1, 0, 0); end; ground;\n" +
                             steps(96);
    World one = make_world(text, 1), two = make_world(text, 2);
    one.advance(0.5), two.advance(0.5);
    CHECK(one.frame().nodes == two.frame().nodes);
    const std::vector<std::byte> snapshot = one.snapshot();
    World again = make_world(text, 1);
    REQUIRE(again.restore(snapshot));
    one.advance(1), again.advance(1), two.advance(1);
    CHECK(one.frame().nodes == again.frame().nodes);
    CHECK(one.frame().nodes == two.frame().nodes);
}

TEST_CASE("problems of lengths that move are told")
{
    CHECK(test::codes_of(cord("line(0,0,0, 1,0,0)", 4, 5) + "strands(method = ida);\n") ==
          test::Codes{"stretch-with-ida"});
    CHECK(test::codes_of("def c strand(line(0,0,0, 1,0,0), segments = 4); stretch_stiffness(-1); "
                         "end; c;\n") == test::Codes{"out-of-range"});
}

TEST_CASE("cords in lanes move as cords under rows do, and come to lie as they do")
{
    // A pose without strength makes a tree a block of an island; nothing else differs.
    const std::string path = "line(0,0.3,0, 0.8,0.5,0.1)",
                      pose = "pose(" + path + ", strength = 0);";
    const auto apart = [&](const std::string& more, const std::string& rest, double until) {
        World lanes = make_world(cord(path, 10, 3, more) + rest),
              rows = make_world(cord(path, 10, 3, more + pose) + rest);
        CHECK_FALSE(lanes.advance(until).fault);
        CHECK_FALSE(rows.advance(until).fault);
        double largest = 0;
        for (std::size_t i = 0; i < lanes.frame().nodes.size(); ++i)
            largest = std::max(largest, length(lanes.frame().nodes[i] - rows.frame().nodes[i]));
        return largest;
    };
    CHECK(apart("damping(0.03);", steps(960), 1.0 / 960) < 1e-9);
    CHECK(apart("damping(0.03);", steps(960), 0.3) < 1e-5);
    CHECK(apart("damping(0.2); air_drag(0.3, 0.3); surface(friction = 0);",
                "def ground obstacle(); plane(0, 1, 0, 0); end; ground;\n" + steps(96), 8) < 1e-4);
}

TEST_CASE("cords: what is seen is blended with the lengths as drawn")
{
    World world =
        make_world(cord("line(0,0,0, 0,-1,0)", 10, 1, "damping(0.05); blend(0);") + steps(96));
    CHECK_FALSE(world.advance(1).fault);
    CHECK(length(tip_of(world) - Vec3{0, -1, 0}) < 1e-12);
}

TEST_CASE("cords: the length that they spring back to is animated")
{
    World world = make_world(
        cord("line(0,0,0, 1,0,0)", 4, 5,
             "damping(0.05); air_drag(1, 1); stretch({1 at 0 sec slowinout 0.1 at 1 sec});") +
        steps(96));
    CHECK_FALSE(world.advance(6).fault);
    double size = 0;
    const std::vector<Vec3> nodes = world.frame().nodes;
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
        size += length(nodes[i + 1] - nodes[i]);
    CHECK(size == doctest::Approx(0.1 * (1 + 0.1 * 9.81 / 10)).epsilon(0.02));
}
