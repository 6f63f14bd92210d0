// Bodies in motion, whole scripts: cradles, closed loops, riders, what moves slowly.

#include "sinew/world.h"

#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using sinew::test::make_world;

namespace {

constexpr double kG = 9.81;

double energy_of(const World& world)
{
    const Energy energy = world.energy();
    return energy.kinetic + energy.potential;
}

/// Least and largest energy while a script runs, frame by frame.
std::pair<double, double> energy_range(World& world, double seconds, double frame)
{
    double low = energy_of(world), high = low;
    for (double t = frame; t < seconds; t += frame) {
        REQUIRE_FALSE(world.advance(t).fault);
        low = std::min(low, energy_of(world));
        high = std::max(high, energy_of(world));
    }
    return {low, high};
}

Vec3 place_of(const World& world, const std::string& name)
{
    const std::vector<std::string> names = object_names(world.scene());
    const auto found = std::ranges::find(names, name);
    REQUIRE(found != names.end());
    return world.frame().objects[std::size_t(found - names.begin())].origin;
}

/// Elastic balls of these masses that hang beside each other, the first raised by an angle.
std::string cradle_of(const std::vector<double>& masses, double angle)
{
    std::string script = "bodies(sleep = no);\ndef ball(m) body(mass = m); sphere(0.05); "
                         "material(bounce = 1, friction = 0); end;\n";
    for (std::size_t i = 0; i < masses.size(); ++i) {
        const std::string n = std::to_string(i), x = std::to_string(0.1 * double(i));
        const double raised = i == 0 ? angle : 0;
        script += "b" + n + " = ball(" + std::to_string(masses[i]) + ") translate(" +
                  std::to_string(0.1 * double(i) - std::sin(raised)) + ", " +
                  std::to_string(1 - std::cos(raised)) + ", 0);\nball_joint(b" + n + ", point(" +
                  x + ", 1, 0));\n";
    }
    return script;
}

/// A parallelogram of bars on hinges, which passes through its flat posture.
std::string parallelogram(double angle)
{
    const std::string x = std::to_string(0.5 * std::cos(angle)),
                      y = std::to_string(0.5 * std::sin(angle)), turn = std::to_string(angle);
    return "bodies(sleep = no);\nvar x, y; x = " + x + "; y = " + y +
           ";\ndef bar(l) body(mass = 1); box(l, 0.02, 0.02); end;\n"
           "a = bar(0.5) rotatez(" +
           turn +
           ") translate(x / 2, y / 2, 0);\n"
           "c = bar(1) translate(x + 0.5, y, 0);\n"
           "d = bar(0.5) rotatez(" +
           turn +
           ") translate(1 + x / 2, y / 2, 0);\n"
           "hinge_joint(a, line(0,0,0, 0,0,1));\n"
           "hinge_joint(c, a, line(x,y,0, x,y,1));\n"
           "hinge_joint(d, c, line(1+x,y,0, 1+x,y,1));\n"
           "hinge_joint(d, line(1,0,0, 1,0,1));\n";
}

} // namespace

TEST_CASE("hanging cradles of unequal masses keep their energy")
{
    const std::vector<std::vector<double>> cradles = {
        {1, 2, 1}, {1, 0.1, 1}, {1, 1, 5}, {1, 3, 7}, {2, 0.4, 3, 1, 0.7}, {0.5, 3, 0.3, 2.2, 1}};
    for (const auto& masses : cradles)
        for (const double step : {0.01, 1.0 / 240}) {
            CAPTURE(masses[1]);
            CAPTURE(step);
            World world = make_world(cradle_of(masses, 1.0) + "simulate(0 sec, 3 sec, step = " +
                                     std::to_string(step) + ");");
            const double raised = masses[0] * kG * (1 - std::cos(1.0));
            const auto [low, high] = energy_range(world, 3, 1.0 / 37);
            CHECK(low > 0.96 * raised);        // up to 80 % was lost
            CHECK(high < raised * (1 + 1e-4)); // it swings with the square of the step
        }
}

TEST_CASE("slow impacts of what hangs side by side bounce too")
{
    World world = make_world(cradle_of({1, 1}, 0.05) + "simulate(0 sec, 2 sec, step = 0.01);");
    const double raised = kG * (1 - std::cos(0.05));
    REQUIRE_FALSE(world.advance(1.0).fault); // 0.16 m/s, where gravity brings 0.1 m/s in a step
    CHECK(place_of(world, "b1").x > 0.1 + 0.9 * 0.05 * std::abs(std::sin(std::sqrt(kG))));
    CHECK(energy_of(world) == doctest::Approx(raised).epsilon(0.02));
}

TEST_CASE("a parallelogram on hinges keeps its energy, of second order")
{
    for (const double angle : {0.3, 1.0, 2.0}) {
        std::vector<double> off;
        for (const double step : {0.01, 0.005}) {
            World world = make_world(parallelogram(angle) + "simulate(0 sec, 3 sec, step = " +
                                     std::to_string(step) + ");");
            const double before = energy_of(world);
            const auto [low, high] = energy_range(world, 3, 1.0 / 31);
            off.push_back(std::max(high - before, before - low));
            CHECK(off.back() < 0.02); // of some 9 J that it moves; 11 J were lost
        }
        CHECK(off[1] < 0.4 * off[0]);
    }
}

TEST_CASE("what rides on a turntable stays at its radius")
{
    for (const bool rider_first : {false, true})
        for (const double step : {0.01, 1.0 / 240}) {
            const std::string table = "d = disc rotatey(time);\n",
                              rider = "b = crate translate(0.3, 0.1, 0) velocity(0, 0, -0.3) "
                                      "spin(0, 1, 0);\n";
            World world = make_world(
                "bodies(sleep = no);\ndef disc obstacle(); cylinder(1, 0.1); end;\n"
                "def crate body(mass = 1); box(0.1, 0.1, 0.1); material(friction = 0.9); end;\n" +
                (rider_first ? rider + table : table + rider) +
                "simulate(0 sec, 13 sec, step = " + std::to_string(step) + ");");
            REQUIRE_FALSE(world.advance(12.6).fault); // twice round: it drifted out by 10 %
            const Vec3 at = place_of(world, "b");
            CHECK(std::hypot(at.x, at.z) == doctest::Approx(0.3).epsilon(1e-3));
        }
}

TEST_CASE("slow sliding is never frozen: 1e-5 above the angle of friction")
{
    World world = make_world(
        "var a; a = atan(0.5) + 1e-5;\ndef slope obstacle(); plane(0, 1, 0, 0); end;\n"
        "def crate body(mass = 1); box(0.2, 0.2, 0.2); material(friction = 0.5); end;\n"
        "slope; c = crate translatey(0.1);\n"
        "gravity(9.81 * sin(a), -9.81 * cos(a), 0);\nsimulate(0 sec, 10 sec, step = 0.01);");
    REQUIRE_FALSE(world.advance(10).fault);
    // g (sin a − 0.5 cos a) t² / 2
    const double a = std::atan(0.5) + 1e-5;
    const double way = 0.5 * kG * (std::sin(a) - 0.5 * std::cos(a)) * 100;
    CHECK(place_of(world, "c").x == doctest::Approx(way).epsilon(0.02));
}

TEST_CASE("a hinge to something fixed holds its line, whichever is named first")
{
    for (const std::string joint : {"hinge_joint(peg, door, line(1,0,0, 1,0,1));",
                                    "hinge_joint(door, peg, line(1,0,0, 1,0,1));"}) {
        World world = make_world("def panel body(mass = 1); box(1, 0.1, 0.1); end;\n"
                                 "peg = label() translatex(2);\ndoor = panel translatex(1.5);\n" +
                                 joint + "\nsimulate(0 sec, 1 sec, step = 0.01);");
        REQUIRE_FALSE(world.advance(0.7).fault);
        const Vec3 at = place_of(world, "door");
        CHECK(std::hypot(at.x - 1, at.y) == doctest::Approx(0.5).epsilon(1e-6));
    }
}

TEST_CASE("wind moves a body through its drag: v = u (1 - exp(-c t / m))")
{
    for (const bool wind_first : {false, true}) {
        const std::string wind = "wind(3, 0, 0) on b;\n", drag = "drag(b, 0.5);\n";
        World world = make_world("gravity(0, 0, 0);\ndef ball body(mass = 2); sphere(0.1); end;\n"
                                 "b = ball; c = ball translatey(1);\ndrag(c, 0.5);\n" +
                                 (wind_first ? wind + drag : drag + wind) +
                                 "simulate(0 sec, 40 sec, step = 0.01);");
        REQUIRE_FALSE(world.advance(4.03).fault); // between two frames
        const double gone = 1 - std::exp(-0.5 * 4.03 / 2);
        CHECK(place_of(world, "b").x ==
              doctest::Approx(3 * (4.03 - gone * 2 / 0.5)).epsilon(0.005)); // of first order
        CHECK(place_of(world, "c").x == 0);                                 // no wind is on it
        REQUIRE_FALSE(world.advance(40).fault);
        const std::vector<BodyMotion> bodies = world.bodies();
        CHECK(bodies[0].velocity.x == doctest::Approx(3).epsilon(1e-4));
    }
}

TEST_CASE("a vortex carries a body round, and what it cannot do on bodies is refused in words")
{
    const std::string ball = "gravity(0, 0, 0);\ndef ball body(mass = 1); sphere(0.1); end;\n"
                             "b = ball translatex(0.5);\ndrag(b, 2);\n";
    World world = make_world(ball + "vortex(line(0,0,0, 0,1,0), 1, size = 1) on b;\n"
                                    "simulate(0 sec, 1 sec, step = 1/240);");
    REQUIRE_FALSE(world.advance(0.5).fault);
    CHECK(world.bodies()[0].velocity.z < -0.2); // ω × r, about y
    const auto tells = [](const std::string& script, const std::string& code) {
        const sinew::test::Codes codes = sinew::test::codes_of(script);
        return std::ranges::find(codes, code) != codes.end();
    };
    CHECK(tells(ball + "wake(b, size = 0.5) on b;", "air-on-body"));
    CHECK(tells(ball + "wind(here_y, 0, 0) on b;", "air-of-place"));
    CHECK(tells("def ball body(mass = 1); sphere(0.1); end; b = ball; wind(1, 0, 0) on b;",
                "no-strand"));
}
