// Rods that touch: bodies, obstacles, each other, themselves.

#include "sinew/language.h"
#include "sinew/world.h"
#include "support/worlds.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

using namespace sinew;
using sinew::test::make_world;

namespace {

Vec3 place_of(const World& world, const std::string& name)
{
    return test::row_of(world, name).position;
}

void run(World& world, double until, double frame = 0.05)
{
    for (int i = 1; i * frame <= until + 1e-9; ++i) {
        if (i * frame <= world.time())
            continue;
        const StepReport report = world.advance(i * frame);
        REQUIRE_FALSE(report.fault);
    }
}

Vec3 sum_of(const World& world, ActingForce::Kind kind)
{
    Vec3 sum = {0, 0, 0};
    for (const ActingForce& force : world.forces())
        if (force.kind == kind)
            sum += force.force;
    return sum;
}

/// A script with a text in the places of `%`.
std::string fill(std::string script, const std::string& text)
{
    for (std::size_t at = script.find('%'); at != std::string::npos; at = script.find('%', at))
        script.replace(at, 1, text);
    return script;
}

std::string fill(const std::string& script, double number)
{
    return fill(script, std::to_string(number));
}

const char* const kFloor = "def ground obstacle(); plane(0, 1, 0); end; ground;\n";

} // namespace

TEST_CASE("rod contact: a rope falls on a floor, lies there, and the floor carries its weight")
{
    World world = make_world(
        std::string("def rope rod(spline(-0.5,0.2,0, -0.2,0.3,0.2, 0.2,0.3,-0.2, 0.5,0.2,0), spans "
                    "= 20, radius = 5 mm, young = 1e7, rest = straight, damping = 5 ms); end; "
                    "rope;\n") +
        kFloor);
    run(world, 2);
    for (const Vec3& node : world.frame().nodes)
        CHECK(node.y == doctest::Approx(0.005).epsilon(1e-4).scale(0.005));
    CHECK(world.energy().kinetic < 1e-9);
    const double weight =
        1000 * 3.14159265358979 * 25e-6 * 9.81 * 1.04; // about: its length is a little above 1 m
    CHECK(sum_of(world, ActingForce::Kind::contact).y == doctest::Approx(weight).epsilon(0.03));
    CHECK(world.contacts().size() >= 10);
}

TEST_CASE(
    "rod contact: a straight rope on a slope sticks below the angle of friction, slides above")
{
    const auto slid = [](double slope) {
        World world = make_world(
            fill("def rope rod(line(0,0,0, 0.5,0,0), spans = 8, radius = 5 mm, young = 1e8); "
                 "surface(friction = 0.4); end; rope translatey(0.005);\n"
                 "def ground obstacle(); plane(0, 1, 0); material(friction = 0.4); end; ground;\n"
                 "gravity(% * 9.81, -9.81, 0);\nsimulate(0 sec, 1 sec, step = 1 / 240);\n",
                 slope));
        run(world, 0.1);
        const double before = place_of(world, "rope[4]").x;
        run(world, 0.5);
        return place_of(world, "rope[4]").x - before;
    };
    CHECK(std::abs(slid(0.399)) < 1e-6);
    // Gravity along and across the floor: a = g (slope − μ).
    CHECK(slid(0.5) == doctest::Approx(0.5 * 9.81 * 0.1 * (0.25 - 0.01)).epsilon(0.02));
}

TEST_CASE("rod contact: the capstan, T2/T1 = exp(mu theta), from contact with a drum")
{
    // A rope lies half round a drum; one end is pulled with 5 N, the other drawn slowly.
    constexpr double kPi = 3.14159265358979;
    std::string arc = "-0.102,-0.4,0";
    for (int i = 0; i <= 60; ++i) {
        const double angle = kPi * (1 - i / 60.0), radius = 0.10204;
        arc += ", " + std::to_string(radius * std::cos(angle)) + "," +
               std::to_string(radius * std::sin(angle)) + ",0";
    }
    arc += ", 0.102,-0.4,0";
    for (const double friction : {0.15, 0.3}) {
        World world = make_world(
            fill("def rope rod(polyline(%), spans = 60, radius = 2 mm, young = 5e7, rest = "
                 "straight, "
                 "damping = 5 ms); ",
                 arc) +
            fill(
                "surface(friction = %); end;\n"
                "def drum obstacle(); cylinder(0.1, 0.2) rotatex(90 deg); material(friction = %); "
                "end;\nrope; drum; gravity(0, 0, 0);\nforce(rope at 0 along, 0, -5, 0);\n"
                "position_constraint(rope at 1 along, point(0.102, {-0.4 at 0 sec linear -0.5 at 1 "
                "sec}, 0));\nsimulate(0 sec, 1 sec, step = 1 / 480);\n",
                friction));
        run(world, 0.5);

        double pull = 0;
        for (int i = 1; i <= 10; ++i) { // over some spans that come up to the drum and leave it
            world.advance(0.5 + 0.04 * i);
            pull += 0.1 * length(sum_of(world, ActingForce::Kind::constraint));
        }
        CHECK(pull / 5 == doctest::Approx(std::exp(friction * kPi)).epsilon(0.03));
        // Friction acts at the surface, a radius off the line of the pull: its moment is carried by
        // a shear force, which takes the share r/(R + r) of it back.
        CHECK(pull / 5 == doctest::Approx(std::exp(friction * kPi * 0.1 / 0.102)).epsilon(0.005));
        for (const Contact& contact : world.contacts())
            CHECK(contact.gap > -1e-5);
    }
}

TEST_CASE("rod contact: a rope thrown fast at a thin plate does not go through")
{
    for (const double speed : {5.0, 20.0, 60.0}) {
        World world = make_world(fill(
            "def rope rod(line(-0.3,0.5,0, 0.3,0.5,0), spans = 12, radius = 5 mm, young = 1e7, "
            "damping = 5 ms); end; rope velocity(0, %, 0);\n"
            "def plate obstacle(); box(2, 0.02, 2); end; plate;\n"
            "simulate(0 sec, 1 sec, step = 1 / 240);\n",
            -speed));
        double lowest = 1;
        for (int i = 1; i <= 60; ++i) {
            REQUIRE_FALSE(world.advance(0.01 * i).fault);
            for (const Vec3& node : world.frame().nodes)
                lowest = std::min(lowest, node.y);
        }
        CHECK(lowest > 0.015 - 5e-4); // of a plate 10 mm above its middle and a radius of 5 mm
    }
}

TEST_CASE("rod contact: two taut ropes carry a crate, and feel its weight")
{
    World world =
        make_world("def rope rod(line(-0.6,0,0, 0.6,0,0), spans = 24, radius = 6 mm, young = 2e8, "
                   "damping = 10 "
                   "ms); end;\n"
                   "left = rope translatez(-0.1); right = rope translatez(0.1);\n"
                   "def crate body(mass = 3); box(0.3, 0.2, 0.3); end; crate translatey(0.11);\n"
                   "position_constraint(left at 0 along, point(-0.6, 0, -0.1));\n"
                   "position_constraint(left at 1 along, point(0.6, 0, -0.1));\n"
                   "position_constraint(right at 0 along, point(-0.6, 0, 0.1));\n"
                   "position_constraint(right at 1 along, point(0.6, 0, 0.1));\n"
                   "simulate(0 sec, 3 sec, step = 1 / 240);\n");
    run(world, 3);
    const Vec3 crate = place_of(world, "crate");
    CHECK(crate.y < 0.1);
    CHECK(crate.y > -0.1);
    Vec3 held = {0, 0, 0};
    for (const ActingForce& force : world.forces())
        if (force.kind == ActingForce::Kind::constraint)
            held += force.force;
    const double ropes = 2 * 1000 * 3.14159265 * 36e-6 * 1.2;
    CHECK(held.y == doctest::Approx((3 + ropes) * 9.81).epsilon(0.02));
}

TEST_CASE("rod contact: a body falls on a rope and takes it along, momentum kept")
{
    World world = make_world(
        "def rope rod(line(-0.3,0,0, 0.3,0,0), spans = 12, radius = 5 mm, young = 1e7, damping = 5 "
        "ms); end; rope;\n"
        "def ball body(mass = 0.2); sphere(0.05); end; ball translatey(0.1) velocity(0, -2, 0);\n"
        "gravity(0, 0, 0);\nsimulate(0 sec, 1 sec, step = 1 / 480);\n");
    run(world, 0.1, 0.01);
    const double rope = 1000 * 3.14159265 * 25e-6 * 0.6;
    const Frame before = world.frame();
    const double y = place_of(world, "ball").y;
    world.advance(0.101);
    const double ball_speed = (place_of(world, "ball").y - y) / 0.001;
    double rope_speed = 0;
    const Frame after = world.frame();
    for (std::size_t k = 0; k < after.nodes.size(); ++k) // trapezoidal: the ends count half
        rope_speed += (after.nodes[k].y - before.nodes[k].y) / 0.001 / 12 *
                      (k == 0 || k + 1 == after.nodes.size() ? 0.5 : 1);
    CHECK(rope_speed < -0.2);
    CHECK(0.2 * ball_speed + rope * rope_speed == doctest::Approx(-0.4).epsilon(0.03));
}

TEST_CASE("rod contact: a rope passes through its pearl, and through what its def says it does")
{
    World pearl = make_world(
        "def string rod(line(-0.5,0,0, 0.5,0,0), spans = 20, radius = 2 mm, young = 1e8); end; "
        "string;\ndef bead body(mass = 0.05); sphere(0.02); end; bead;\n"
        "pearl(bead, string, from = 0.5);\nposition_constraint(string at 0 along, point(-0.5,0,0));"
        "\nposition_constraint(string at 1 along, point(0.5,0,0));\n"
        "simulate(0 sec, 1 sec, step = 1 / 240);\n");
    pearl.advance(0.2);
    CHECK(pearl.contacts().empty());

    for (const char* never : {"contact(0);", ""}) {
        World ghost = make_world(
            fill("def rope rod(line(-0.3,0.1,0, 0.3,0.1,0), spans = 6); % end; rope;\n", never) +
            kFloor + (*never ? "" : "rods(contact = none);"));
        ghost.advance(0.5);
        CHECK(place_of(ghost, "rope[3]").y < -0.5);
    }
}

TEST_CASE("rod contact: a rope falls over a taut rope and hangs there, only where rods touch rods")
{
    const std::string script =
        "def wire rod(line(-0.3,0,0, 0.3,0,0), spans = 12, radius = 4 mm, young = 1e9, damping = 5 "
        "ms); end; wire;\n"
        "def rope rod(line(0,0.05,-0.2, 0,0.05,0.2), spans = 16, radius = 5 mm, young = 1e6, "
        "damping "
        "= 20 ms); surface(friction = 0.6); end; rope;\n"
        "position_constraint(wire at 0 along, point(-0.3, 0, 0));\n"
        "position_constraint(wire at 1 along, point(0.3, 0, 0));\n"
        "simulate(0 sec, 1 sec, step = 1 / 240);\n";
    World caught = make_world(script + "rods(contact = all);");
    World falls = make_world(script);
    run(caught, 1);
    run(falls, 1);
    CHECK(place_of(falls, "rope[8]").y < -1);
    const Vec3 middle = place_of(caught, "rope[8]"), below = place_of(caught, "wire[6]");
    CHECK(middle.y - below.y == doctest::Approx(0.009).epsilon(0.02));
    CHECK(place_of(caught, "rope[0]").y < middle.y - 0.1);
}

TEST_CASE("rod contact: an overhand knot tightens and holds; what passes through itself is slack")
{
    // The long trefoil (t³ − 3t, t⁴ − 4t², t⁵/5 − 2t).
    const auto script = [](const char* contact) {
        std::string points;
        for (int i = 0; i <= 20; ++i) {
            const double t = -2.3 + 0.23 * i, t2 = t * t;
            for (const double number :
                 {0.05 * t * (t2 - 3), 0.04 * t2 * (t2 - 4), 0.03 * t * (t2 * t2 / 5 - 2)})
                points += (points.empty() ? "" : ", ") + std::to_string(number);
        }
        return fill("def rope rod(spline_through(%), spans = 48, radius = 8 mm, young = 1e6, "
                    "density = 900, rest = straight, damping = 30 ms, drag_along = 0.05, "
                    "drag_across = 0.3); surface(friction = 0.4); end; rope;\n",
                    points) +
               "rods(contact = " + contact +
               ");\ngravity(0, 0, 0);\n"
               "position_constraint(rope at 0 along, point({-0.26335 at 0 sec slowinout -0.75 at 2 "
               "sec}, 0.273, -0.2482));\n"
               "position_constraint(rope at 1 along, point({0.26335 at 0 sec slowinout 0.75 at 2 "
               "sec}, 0.273, 0.2482));\nassemble();\nsimulate(0 sec, 3 sec, step = 1 / 120);\n";
    };
    const auto width = [](const World& world) { // of the rope across the way it is pulled
        double low = 1, high = -1;
        for (const Vec3& node : world.frame().nodes) {
            low = std::min(low, node.y);
            high = std::max(high, node.y);
        }
        return high - low;
    };
    World tied = make_world(script("all")), free = make_world(script("bodies"));
    run(tied, 2.5);
    run(free, 2.5);
    const auto pull = [](const World& world) {
        double most = 0;
        for (const ActingForce& force : world.forces())
            if (force.kind == ActingForce::Kind::constraint)
                most = std::max(most, length(force.force));
        return most;
    };
    CHECK(pull(free) < 0.1 * pull(tied)); // it passed through itself, and is slack
    CHECK(width(tied) > 0.025);           // some three diameters of a knot
    CHECK(width(tied) < 0.12);
    for (const Contact& contact : tied.contacts())
        CHECK(contact.gap > -1e-3); // of 16 mm
    CHECK(tied.contacts().size() >= 4);
}

TEST_CASE("rod contact: the same bits for any thread count, after restore, and with bodies")
{
    const std::string script =
        "def rope rod(spline(-0.3,0.1,0, -0.1,0.2,0.1, 0.1,0.2,-0.1, 0.3,0.1,0), spans = 12, "
        "radius "
        "= 5 mm, young = 1e7, rest = straight, damping = 5 ms); surface(friction = 0.5, bounce = "
        "0.3); end;\na = rope; b = rope translatey(0.06) rotatey(70 deg);\n"
        "def ball body(mass = 0.1); sphere(0.04); end; ball translatey(0.4);\n" +
        std::string(kFloor) + "rods(contact = all);\nsimulate(0 sec, 1 sec, step = 1 / 240);\n";
    World one = make_world(script, 1), many = make_world(script, 4);
    run(one, 0.25);
    run(many, 0.25);
    CHECK(one.contacts().size() > 0);
    const std::vector<std::byte> middle = one.snapshot();
    one.advance(0.4);
    many.advance(0.4);
    CHECK(one.state_hash() == many.state_hash());
    World again = make_world(script, 2);
    REQUIRE(again.restore(middle));
    again.advance(0.4);
    CHECK(again.state_hash() == one.state_hash());
}
