// Strands that touch: they lie, slide, wrap and carry as they should.

#include "sinew/world.h"

#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace sinew;
using sinew::test::make_world;

namespace {

/// A flexible strand across a slope, free to turn about its end.
std::string on_slope(double slope, const std::string& more = "")
{
    const std::string angle = "atan(" + std::to_string(slope) + ")";
    return "def rope strand(line(0,0,0, 0.3,0,0), segments = 10); radius(5 mm); "
           "mass_per_length(0.1); bend_stiffness(0); twist_stiffness(1); "
           "surface(friction = 0.3); end; rope;\n"
           "def slope obstacle(); box(10, 0.2, 10); material(friction = 0.3); end;\n"
           "slope translatey(-0.105);\n"
           "gravity(0, -9.81 * cos(" +
           angle + "), 9.81 * sin(" + angle + "));\n" + more;
}

double slip_after_a_second(const std::string& text)
{
    World world = make_world(text);
    CHECK_FALSE(world.advance(1).fault);
    return length(world.frame().nodes.back() - Vec3{0.3, 0, 0});
}

} // namespace

TEST_CASE("a strand on a slope sticks below the angle of friction and slides above it")
{
    CHECK(slip_after_a_second(on_slope(0.295)) < 1e-4);
    // Turning about its end: the tip's acceleration is 3/2 of a free body's.
    const double tan = 0.31, free = 9.81 * std::cos(std::atan(tan)) * (tan - 0.3);
    CHECK(slip_after_a_second(on_slope(tan)) == doctest::Approx(0.75 * free).epsilon(0.05));
}

TEST_CASE("a bristle that is pressed end on sticks where it stands [notes: strands, eq. 22]")
{
    for (const double friction : {0.1, 0.5}) {
        const std::string mu = std::to_string(friction);
        World world = make_world(
            "gravity(0, 0, 0);\ndef floor obstacle(); plane(0, 1, 0, -1.001); material(friction "
            "= " +
            mu +
            "); end;\ndef bristle strand(spline(0,0,0, 0.02,-0.5,0, 0,-1,0), segments = 20); "
            "mass_per_length(0.01); bend_stiffness(0.01); damping(0.05); radius(1 mm); "
            "surface(friction = " +
            mu +
            "); end;\nfloor; bristle translatey({0 at 0 sec slowin -0.1 at 20 sec});\n"
            "simulate(0 sec, 4 sec, step = 1/240);\n");
        double way = 0;
        for (int i = 1; i <= 96; ++i) {
            REQUIRE_FALSE(world.advance(i / 24.0).fault);
            way = std::max(way, std::abs(world.frame().nodes.back().x));
        }
        CAPTURE(friction);
        CHECK(way < 5e-4); // 31 mm with one stiffness for all directions
    }
}

TEST_CASE("friction along one direction, as in the paper, holds on the slope too")
{
    CHECK(slip_after_a_second(on_slope(0.29, "strands(friction = hadap);\n")) < 1e-3);
    CHECK(slip_after_a_second(on_slope(0.4, "strands(friction = hadap);\n")) > 0.1);
}

TEST_CASE("forces of contact bear the strand, friction stays within its bound")
{
    World world = make_world("def rope strand(line(0,0,0, 0.6,0,0), segments = 12); radius(5 mm); "
                             "mass_per_length(0.1); bend_stiffness(1e-4); damping(0.05); end;\n"
                             "rope translatey(0.1);\n"
                             "def floor obstacle(); plane(0, 1, 0, 0); end; floor;\n"
                             "simulate(0 sec, 4 sec);\n");
    CHECK_FALSE(world.advance(4).fault);
    const std::vector<Contact> contacts = world.contacts();
    REQUIRE(contacts.size() > 3);
    double borne = 0;
    for (const Contact& contact : contacts) {
        CHECK(contact.force > 0);
        CHECK(contact.gap > -1e-6);
        borne += contact.force;
    }
    CHECK(borne < 0.06 * 9.81);
    CHECK(borne > 0.4 * 0.06 * 9.81); // the rest hangs on the root
    for (const ActingForce& force : world.forces())
        if (force.kind == ActingForce::Kind::contact)
            CHECK(std::hypot(force.force.x, force.force.z) <= 0.5 * force.force.y * (1 + 1e-6));
    for (const Vec3& node : world.frame().nodes)
        CHECK(node.y > 0.005 - 1e-5);
}

TEST_CASE("every shape stops a strand that falls on it")
{
    for (const std::string shape :
         {"sphere(0.2)", "box(0.4, 0.4, 0.4)", "capsule(0.2, 0.3)", "cylinder(0.2, 0.4)",
          "cone(0.3, 0.4)", "hull(-0.2,0.2,-0.2, 0.2,0.2,-0.2, 0,0.2,0.2, 0,-0.2,0)",
          "height_field(3, 0.3, 0,0,0, 0,0.2,0, 0,0,0)", "plane(0, 1, 0, 0.2)"}) {
        CAPTURE(shape);
        World world =
            make_world("def rope strand(line(0,0,0, 1,0,0), segments = 16); radius(5 mm); "
                       "mass_per_length(0.1); bend_stiffness(1e-3); damping(0.05); end;\n"
                       "rope translate(-0.5, 0.5, 0.01);\n"
                       "def thing obstacle(); " +
                       shape + "; end; thing;\nsimulate(0 sec, 2 sec);\n");
        bool has_touched = false; // off the tip of a cone it slips
        for (int i = 1; i <= 48; ++i) {
            REQUIRE_FALSE(world.advance(i / 24.0).fault);
            has_touched = has_touched || !world.contacts().empty();
        }
        CHECK(has_touched);
        double highest = -1;
        for (const Vec3& node : world.frame().nodes)
            if (std::abs(node.x) < 0.12)
                highest = std::max(highest, node.y);
        if (shape.substr(0, 4) != "cone")
            CHECK(highest > 0.1);
    }
}

TEST_CASE("a fast obstacle does not pass through a strand")
{
    World world =
        make_world("def rope strand(line(0,0,0, 0,-0.6,0), segments = 16); radius(2 mm); "
                   "mass_per_length(0.02); bend_stiffness(1e-4); damping(0.05); end; rope;\n"
                   "def head obstacle(); sphere(0.1); end;\n"
                   "head translate(0, -0.4, 0) translatex({-1 at 0 sec linear 1 at 0.1 sec});\n"
                   "simulate(0 sec, 0.1 sec);\n"); // 20 m/s
    double deepest = 0;
    for (int i = 1; i <= 24; ++i) {
        REQUIRE_FALSE(world.advance(i / 240.0).fault);
        const Frame frame = world.frame();
        for (const Vec3& node : frame.nodes)
            deepest = std::max(deepest, 0.102 - length(node - frame.objects[2].origin));
    }
    CHECK(deepest < 2e-3);
}

TEST_CASE("a ball rests in a basket of strands")
{
    World world = make_world(
        "def cord strand(spline(-0.3,0,0, -0.15,-0.18,0, 0.15,-0.18,0, 0.3,0,0), segments = 8); "
        "radius(8 mm); mass_per_length(0.2); bend_stiffness(0.02); damping(0.1); end;\n"
        "def rim label(); end;\n"
        "for i in 0..3 c[i] = cord rotatey(45 deg * i); e[i] = rim translatex(0.3) rotatey(45 deg "
        "* "
        "i); fusion(c[i] at 1 along, e[i]); end;\n"
        "for i in 1..3 fusion(c[i] at 0.5 along, c[0] at 0.5 along); end;\n"
        "def ball body(mass = 0.4); sphere(0.09); end; ball translatey(0.1);\n"
        "simulate(0 sec, 3 sec);\n");
    CHECK_FALSE(world.advance(2).fault);
    const BodyMotion ball = world.bodies()[0];
    CHECK(ball.pose.translation.y > -0.2);
    CHECK(length(ball.velocity) < 0.05);
    double borne = 0;
    for (const ActingForce& force : world.forces())
        if (force.kind == ActingForce::Kind::contact)
            borne -= force.force.y; // on the strands
    CHECK(borne == doctest::Approx(0.4 * 9.81).epsilon(0.1));
}

TEST_CASE("a strand without anything near moves with the bits it always had")
{
    const std::string text = "def rope strand(line(0,0,0, 0.4,0,0), segments = 8); radius(4 mm); "
                             "end; rope translatey(5);\n";
    World alone = make_world(text);
    World above = make_world(text + "def floor obstacle(); plane(0, 1, 0, 0); end; floor;\n");
    alone.advance(0.3);
    above.advance(0.3);
    CHECK(alone.frame().nodes == above.frame().nodes);
}
