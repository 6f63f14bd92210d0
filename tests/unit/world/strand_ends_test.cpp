// Ends and seams of strands: second order in the number of segments, like everything else.

#include "sinew/world.h"

#include "support/worlds.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

using namespace sinew;
using sinew::test::make_world;

namespace {

/// Radius 1 mm, 0.3 m, EI for ρgAL³/EI = 10 where weight bends it.
std::string beam(int segments, const std::string& path, const std::string& more = "")
{
    return "strand(" + path + ", segments = " + std::to_string(segments) +
           "); radius(1 mm); mass_per_length(4 gram); bend_stiffness(" +
           std::to_string(0.004 * 9.81 * 0.027 / 10) + "); twist_stiffness(1e-4); " + more;
}

Vec3 tip_of(const std::string& text) { return make_world(text).frame().nodes.back(); }

/// How fast something falls with the number of segments: its order.
double order_of(double coarse, double fine) { return std::log2(coarse / fine); }

} // namespace

TEST_CASE("a strand and a branch at its tip bend as one strand does [notes: strands, eq. 32]")
{
    const auto apart = [](int n) {
        const Vec3 one =
            tip_of("def a " + beam(8 * n, "line(0,0,0, 0.3,0,0)") + "end; a; settle();\n");
        const Vec3 two = tip_of("def a s = " + beam(n, "line(0,0,0, 0.15,0,0)") +
                                "branch(line(0.15,0,0, 0.3,0,0), from = s at 1 along, segments = " +
                                std::to_string(n) + "); end; a; settle();\n");
        return length(one - two) / 0.3;
    };
    const double coarse = apart(10), fine = apart(20);
    CHECK(coarse < 1.5e-3); // 3.9e-3 with half a segment missing
    CHECK(order_of(coarse, fine) > 1.8);
}

TEST_CASE("a tip that is held with its direction bends with second order [notes: strands, eq. 32]")
{
    const std::string path = "spline(0,0,0, 0.05,0,0, 0.1,0.1,0, 0.2,0.1,0, 0.25,0,0, 0.3,0,0)";
    const auto shape = [&](int n) {
        World world = make_world("def s a = strand(" + path + ", segments = " + std::to_string(n) +
                                 "); radius(1 mm); mass_per_length(4 gram); bend_stiffness(1e-4); "
                                 "damping(1); end;\ndef e label(); end;\nx = s; "
                                 "y = e translate(0.3,0,0);\n"
                                 "fusion(x.a at 1 along, y, tangent = fixed);\n"
                                 "simulate(0 sec, 8 sec, step = 1/24);\n");
        REQUIRE_FALSE(world.advance(6).fault);
        const std::vector<Vec3> nodes = world.frame().nodes;
        return std::array<Vec3, 3>{nodes[nodes.size() / 5], nodes[nodes.size() / 2],
                                   nodes[nodes.size() * 4 / 5]};
    };
    const auto coarse = shape(10), fine = shape(20), best = shape(80);
    for (int i = 0; i < 3; ++i) {
        CAPTURE(i);
        CHECK(length(fine[i] - best[i]) < 2.4e-4); // 4.7e-4 with half a segment missing
        CHECK(order_of(length(coarse[i] - best[i]), length(fine[i] - best[i])) > 1.6);
    }
}

TEST_CASE("a torque at the tip turns a cross bar as far as the strand twists")
{
    const auto angle = [](int n) {
        World world = make_world(
            "gravity(0,0,0);\ndef a s = " + beam(n, "line(0,0,0, 0,-0.3,0)") +
            "left = branch(line(0,-0.3,0, -0.05,-0.3,0), from = s at 1 along, segments = 1);\n"
            "right = branch(line(0,-0.3,0, 0.05,-0.3,0), from = s at 1 along, segments = 1);\n"
            "bend_stiffness(1); twist_stiffness(1) on left, right; end;\nr = a;\n"
            "force(r.left at 1 along, 0, 0, -1e-4); force(r.right at 1 along, 0, 0, 1e-4);\n"
            "settle();\n");
        const std::vector<Vec3> nodes = world.frame().nodes;
        const Vec3 bar = nodes.back() - nodes[nodes.size() - 2];
        return std::atan2(std::abs(bar.z), std::abs(bar.x));
    };
    const double due = 1e-5 * 0.3 / 1e-4; // ML/GJ
    for (const int n : {5, 10})
        CHECK(angle(n) == doctest::Approx(due).epsilon(2e-3)); // -10 and -5 % before
}

TEST_CASE("a curved strand weighs what its path is long, for any number of segments")
{
    const auto lifted = [](int n, const std::string& to) {
        return make_world(
                   "def c " +
                   beam(n, "spline_through(0,0,0, 0.1,0.1,0, 0.2,0,0, 0.1,-0.1,0, 0,-0.3,0)") +
                   "end; c translatey(" + to + ");\n")
            .energy()
            .potential;
    };
    const double weight = lifted(200, "1") - lifted(200, "0");
    for (const int n : {3, 6, 12})
        CHECK(lifted(n, "1") - lifted(n, "0") == doctest::Approx(weight).epsilon(1e-5));
}
