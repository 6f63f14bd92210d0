// Friction of strands against what mechanics says: round a drum, and under the tip of a rod that
// is pressed on a floor until it buckles and slips.

#include "sinew/world.h"

#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

using namespace sinew;
using sinew::test::make_world;

namespace {

constexpr double kPi = 3.14159265358979;

Vec3 force_of_contacts(const World& world)
{
    Vec3 sum{0, 0, 0};
    for (const ActingForce& force : world.forces())
        if (force.kind == ActingForce::Kind::contact)
            sum += force.force;
    return sum;
}

std::string corner(double x, double y)
{
    return std::to_string(x) + "," + std::to_string(y) + ",0, ";
}

/// A cord half round a drum of 10 cm, drawn at its root and pulled with 5 N at its tip.
std::string round_a_drum(double friction)
{
    std::string path = corner(-0.10102, -0.4);
    for (int i = 0; i <= 60; ++i)
        path += corner(-0.1012 * std::cos(kPi * i / 60), 0.1012 * std::sin(kPi * i / 60));
    const std::string mu = std::to_string(friction);
    return "def cord strand(polyline(" + path +
           "0.10102,-0.4,0), segments = 120); radius(1 mm); density(1000); young(1e5); "
           "damping(0.05); surface(friction = " +
           mu +
           "); end;\nc = cord translatey({0 at 0 sec linear -0.1 at 1 sec});\n"
           "def drum obstacle(); cylinder(0.1, 0.2) rotatex(90 deg); material(friction = " +
           mu +
           "); end; drum;\ngravity(0, 0, 0);\nforce(c at 1 along, 0, -5, 0);\n"
           "simulate(0 sec, 1 sec, step = 1 / 480);\n";
}

/// An elastica of length 1 and stiffness 1 from a clamp at (0, 0) that points up, with the force
/// (h, −v) on its end: θ″ = −v sin θ − h cos θ, x′ = sin θ, y′ = cos θ.
std::array<double, 4> elastica(double v, double h, double bend)
{
    std::array<double, 4> at = {0, bend, 0, 0}; // θ, θ′, x, y
    const auto slope = [&](const std::array<double, 4>& a) {
        return std::array{a[1], -v * std::sin(a[0]) - h * std::cos(a[0]), std::sin(a[0]),
                          std::cos(a[0])};
    };
    constexpr int kSteps = 200;
    const auto ahead = [&](const std::array<double, 4>& k, double s) {
        std::array<double, 4> to = at;
        for (std::size_t i = 0; i < 4; ++i)
            to[i] += k[i] * s / kSteps;
        return to;
    };
    for (int i = 0; i < kSteps; ++i) {
        const auto a = slope(at), b = slope(ahead(a, 0.5)), c = slope(ahead(b, 0.5)),
                   d = slope(ahead(c, 1));
        for (std::size_t k = 0; k < 4; ++k)
            at[k] += (a[k] + 2 * b[k] + 2 * c[k] + d[k]) / (6 * kSteps);
    }
    return at;
}

/// h/v that holds the end of such a rod, free to turn, at (x, y): by Newton's method.
double share_across(double x, double y)
{
    std::array<double, 3> z = {20.5, 2, 2}; // v, h, θ′(0)
    const auto miss = [&](const std::array<double, 3>& p) {
        const auto end = elastica(p[0], p[1], p[2]);
        return Vec3{end[1], end[2] - x, end[3] - y};
    };
    for (int i = 0; i < 30; ++i) {
        const Vec3 at = miss(z);
        Mat3 slopes;
        for (int k = 0; k < 3; ++k) {
            std::array<double, 3> next = z;
            next[std::size_t(k)] += 1e-6;
            slopes[k] = (miss(next) - at) / 1e-6;
        }
        const Vec3 step = inverse(slopes) * at;
        for (int k = 0; k < 3; ++k)
            z[std::size_t(k)] -= std::clamp(step[k], -0.5, 0.5);
    }
    CHECK(length(miss(z)) < 1e-9);
    return z[1] / z[0];
}

/// A wire of 30 cm above a floor, drawn as bent as 0.2 % of that, and lowered slowly.
std::string pressed_wire(double friction)
{
    std::string path;
    for (int i = 0; i <= 60; ++i)
        path += (i > 0 ? ", " : "") + std::to_string(0.0003 * (1 - std::cos(kPi * i / 30))) + "," +
                std::to_string(0.3 * (1 - i / 60.0)) + ",0";
    const std::string mu = std::to_string(friction);
    return "def wire strand(polyline(" + path +
           "), segments = 40); radius(1 mm); mass_per_length(1e-3); bend_stiffness(1e-3); "
           "damping(0.05); surface(friction = " +
           mu +
           "); end;\nwire translatey({0.00101 at 0 sec linear -0.05899 at 4 sec});\n"
           "def ground obstacle(); plane(0, 1, 0); material(friction = " +
           mu + "); end; ground;\ngravity(0, 0, 0);\nsimulate(0 sec, 4 sec, step = 1 / 240);\n";
}

} // namespace

TEST_CASE("strands: the capstan, T2/T1 = exp(mu theta), from contact with a drum")
{
    for (const double friction : {0.15, 0.3}) {
        World world = make_world(round_a_drum(friction));
        world.advance(0.3);
        double ratio = 0;
        for (int i = 1; i <= 10; ++i) { // over some segments that come up to the drum and leave it
            world.advance(0.3 + 0.02 * i);
            ratio += 0.1 * (force_of_contacts(world).y - 5) / 5; // what the root pulls with
        }
        CHECK(ratio == doctest::Approx(std::exp(friction * kPi)).epsilon(0.01));
        for (const Contact& contact : world.contacts())
            CHECK(contact.gap > -5e-5);
    }
}

TEST_CASE("strands: the tip of a buckled rod sticks as the elastica pushes it, and slips at mu")
{
    for (const double friction : {0.1, 0.2}) {
        CAPTURE(friction);
        World world = make_world(pressed_wire(friction));
        double before = 0, share = 0, stuck = 0;
        bool has_slipped = false;
        for (int i = 1; i <= 240 && !has_slipped; ++i) {
            REQUIRE_FALSE(world.advance(i / 60.0).fault);
            const std::vector<Vec3> nodes = world.frame().nodes;
            const Vec3 end = (nodes.back() - nodes.front()) / 0.3;
            const Vec3 force = force_of_contacts(world);
            has_slipped = i > 40 && std::abs(end.x - before) > 3e-4;
            before = end.x;
            if (i < 40 || has_slipped || -end.y > 0.99)
                continue;
            share = share_across(end.x, -end.y);
            CHECK(force.x / force.y == doctest::Approx(share).epsilon(0.03));
            stuck += 1;
        }
        CHECK(has_slipped);
        CHECK(stuck > 10);
        CHECK(share == doctest::Approx(friction).epsilon(0.03)); // the last that held
    }
}
