// Closed rods: rings and belts, drawn along a closed_spline. None of what is measured knows where
// the seam is.

#include "sinew/world.h"

#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

using namespace sinew;
using test::make_world;

namespace {

constexpr double kPi = 3.14159265358979323846, kRadius = 0.3;

/// Points of a circle, as arguments of closed_spline.
std::string circle(int count, double radius)
{
    std::string text;
    for (int i = 0; i < count; ++i) {
        const double a = 2 * kPi * i / count;
        text += (i > 0 ? ", " : "") + std::to_string(radius * std::cos(a)) + ", " +
                std::to_string(radius * std::sin(a)) + ", 0";
    }
    return text;
}

std::string ring(const std::string& more, const std::string& motion = "")
{
    return "def hoop rod(closed_spline(" + circle(16, kRadius) +
           "), spans = 24, radius = 4 mm, stretch_stiffness = 2e5, bend_stiffness = 0.5, "
           "twist_stiffness = 0.4, mass_per_length = 0.1, damping = 5 ms); end; r = hoop" +
           motion +
           ";\n"
           "gravity(0, 0, 0);\n" +
           more;
}

/// How much longer a ring becomes between two points of it that are pulled apart [m].
double widening(double held, double pulled, double force)
{
    const double x = std::cos(2 * kPi * pulled), y = std::sin(2 * kPi * pulled);
    World world = make_world(
        ring("position_constraint(r at " + std::to_string(held) + " along, point(" +
             std::to_string(-kRadius * x) + ", " + std::to_string(-kRadius * y) + ", 0));\n" +
             "force(r at " + std::to_string(pulled) + " along, " + std::to_string(force * x) +
             ", " + std::to_string(force * y) + ", 0); settle(); simulate(0 sec, 1 sec);\n"));
    const std::vector<Vec3> nodes = world.frame().nodes;
    return length(nodes[std::size_t(24 * pulled)] - nodes[std::size_t(24 * held)]) - 2 * kRadius;
}

} // namespace

TEST_CASE("closed rods: a ring gives way to two forces as Castigliano's, wherever its seam is")
{
    // δ = (π/4 − 2/π) F R³ / EI for small forces.
    const double due = (kPi / 4 - 2 / kPi) * 0.2 * kRadius * kRadius * kRadius / 0.5;
    CHECK(widening(0.25, 0.75, 0.2) == doctest::Approx(due).epsilon(0.01));
    CHECK(widening(0, 0.5, 0.2) == doctest::Approx(due).epsilon(0.01)); // held at its seam
}

TEST_CASE("closed rods: a spinning ring stays round, with the same tension everywhere")
{
    World world = make_world(ring("simulate(0 sec, 1 sec, step = 1/480);\n", " spin(0, 0, 5)"));
    REQUIRE_FALSE(world.advance(1).fault);
    const Frame frame = world.frame();
    for (std::size_t i = 0; i < frame.nodes.size(); ++i) {
        CHECK(length(frame.nodes[i]) == doctest::Approx(kRadius).epsilon(2e-3));
        CHECK(frame.sections[i].tension ==
              doctest::Approx(frame.sections[7].tension).epsilon(1e-3));
    }
    CHECK(length(frame.nodes.front() - frame.nodes.back()) < 1e-8);
}

TEST_CASE("closed rods: a closed chain hangs in a loop from where it is held")
{
    World world = make_world(
        "def loop rod(closed_spline(" + circle(12, 0.2) +
        "), model = chain, rest = straight, spans = 24, radius = 3 mm, stretch_stiffness = 1e4, "
        "bend_stiffness = 1e-8, mass_per_length = 0.03, "
        "damping = 20 ms, drag_along = 0.1, drag_across = 0.1); end; r = loop;\n"
        "position_constraint(r at 0.25 along, point(0, 0.2, 0)); settle();\n"
        "simulate(0 sec, 1 sec);\n");
    const Frame frame = world.frame();
    const double weight = 0.03 * 2 * kPi * 0.2 * 9.81;
    CHECK(length(frame.nodes.front() - frame.nodes.back()) < 1e-8);
    // Two straight legs, each carrying half.
    CHECK(frame.nodes[18].y == doctest::Approx(0.2 - kPi * 0.2).epsilon(0.02));
    CHECK(frame.sections[8].tension + frame.sections[4].tension ==
          doctest::Approx(weight * 20 / 24).epsilon(0.02));
}

TEST_CASE("closed rods: uneven points of a closed_spline hardly make it overshoot")
{
    // A stadium: points close together on its two ends, a metre apart between them. With equal
    // parameters for all, the ends would swing out by 15 mm.
    std::string points;
    for (int end = 0; end < 2; ++end)
        for (int k = 0; k <= 12; ++k) {
            const double a = kPi * (end - 0.5 + k / 12.0);
            points += (points.empty() ? "" : ", ") +
                      std::to_string((end == 0 ? 0.5 : -0.5) + 0.1 * std::cos(a)) + ", " +
                      std::to_string(0.1 * std::sin(a)) + ", 0";
        }
    World world = make_world("def belt rod(closed_spline(" + points +
                             "), spans = 60, radius = 3 mm, rest = straight); end; belt;\n"
                             "gravity(0,0,0); simulate(0 sec, 1 sec);\n");
    for (const Vec3& node : world.frame().nodes) {
        CHECK(std::abs(node.y) < 0.125);
        CHECK(std::abs(node.x) < 0.602);
    }
}

TEST_CASE("closed rods: three wheels turn as their radii to the middle of the belt")
{
    constexpr double kBelt = 0.006;
    World world = make_world(
        "def loop rod(closed_spline(-0.1347,0.09708,0, -0.1643,0.0234,0, -0.1564,-0.05565,0, "
        "-0.1126,-0.1219,0, -0.04307,-0.1603,0, 0.03636,-0.162,0, 0.1564,-0.135,0, "
        "0.3966,-0.08111,0, 0.5166,-0.05415,0, 0.5499,-0.03734,0, 0.5711,-0.006748,0, "
        "0.5753,0.03027,0, 0.5614,0.06482,0, 0.4924,0.1592,0, 0.3546,0.3481,0, 0.2856,0.4425,0, "
        "0.2479,0.4746,0, 0.1997,0.486,0, 0.1516,0.4743,0, 0.114,0.442,0, 0.05185,0.3558,0, "
        "-0.07249,0.1833,0), spans = 48, radius = 6 mm, rest = straight, "
        "stretch_stiffness = 8000, bend_stiffness = 4e-4, twist_stiffness = 1e-3, "
        "mass_per_length = 0.04, damping = 10 ms, length = 2.1174);\n"
        "surface(friction = 0.4); end; belt = loop;\n"
        "def wheel(r) body(mass = 1); cylinder(r, 0.04) rotatex(90 deg); "
        "material(friction = 0.4); end;\n"
        "def big obstacle(); cylinder(0.16, 0.04) rotatex(90 deg); material(friction = 0.4); end;\n"
        "a = big rotatez({0 at 0 sec slowin -0.5 at 0.3 sec linear -11 at 3 sec});\n"
        "b = wheel(0.07) translate(0.5, 0.02, 0); c = wheel(0.1) translate(0.2, 0.38, 0);\n"
        "hinge_joint(b, line(0.5,0.02,0, 0.5,0.02,1)); hinge_joint(c, line(0.2,0.38,0, "
        "0.2,0.38,1));\ngravity(0, 0, 0); simulate(0 sec, 2 sec, step = 1/240);\n");
    const auto angles_at = [&](double t) {
        REQUIRE_FALSE(world.advance(t).fault);
        const Quat b = test::row_of(world, "b").rotation, c = test::row_of(world, "c").rotation;
        return std::array{2 * std::atan2(b.z, b.w), 2 * std::atan2(c.z, c.w)};
    };
    const auto before = angles_at(1), behind = angles_at(1.05);
    const double driver = -10.5 / 2.7 * (0.16 + kBelt);
    const auto rate = [&](int i) {
        return std::remainder(behind[std::size_t(i)] - before[std::size_t(i)], 2 * kPi) / 0.05;
    };
    CHECK(rate(0) == doctest::Approx(driver / (0.07 + kBelt)).epsilon(0.01));
    CHECK(rate(1) == doctest::Approx(driver / (0.1 + kBelt)).epsilon(0.01));
}

TEST_CASE("closed rods: a necklace with no end carries its pearls")
{
    // A limp closed rope through two beads runs as a chain, which bends freely at its seam.
    World world = make_world(
        "def loop rod(closed_spline(" + circle(12, 0.2) +
        "), spans = 24, radius = 2 mm, stretch_stiffness = 2e4, bend_stiffness = 1e-6, "
        "mass_per_length = 0.01, damping = 10 ms, rest = straight, drag_across = 0.05, "
        "drag_along = 0.05); end; r = loop;\n"
        "def pearl_ body(mass = 0.1); sphere(0.02); end;\n"
        "left = pearl_ translate(-0.1414, -0.1414, 0); right = pearl_ translate(0.1414, -0.1414, "
        "0);\npearl(left, r, from = 0.625); pearl(right, r, from = 0.875);\n"
        "position_constraint(r at 0.25 along, point(0, 0.2, 0)); rods(contact = none);\n"
        "simulate(0 sec, 6 sec, step = 1/240);\n");
    REQUIRE_FALSE(world.advance(6).fault);
    CHECK(length(world.frame().nodes.front() - world.frame().nodes.back()) < 1e-6);
    CHECK(test::row_of(world, "left").position.y < 0.2 - 0.9 * kPi * 0.2 * 0.9);
}
