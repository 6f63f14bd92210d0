// Trees pull at what they stand on: bodies, linkages, rods, other trees; and trees with free roots.

#include "sinew/world.h"

#include "sinew/names.h"
#include "support/readings.h"
#include "support/worlds.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;
using sinew::test::make_world;

namespace {

const std::string kSpace = "gravity(0, 0, 0);\n";

/// A strand of 0.3 kg, 0.6 m long, that hangs from the origin of its def.
const std::string kHair = "def hair strand(line(0,0,0, 0,-0.6,0), segments = 12); radius(4 mm); "
                          "mass_per_length(0.5); bend_stiffness(1e-3); damping(0.05); contact(0); "
                          "end;\n";

std::uint32_t find(const World& world, const std::string& name)
{
    const std::vector<std::size_t> found = find_names(object_names(world.scene()), name);
    if (found.size() == 1)
        return static_cast<std::uint32_t>(found.front());
    FAIL("there is no " << name);
    return 0;
}

double height(const World& world, const std::string& name)
{
    return world.frame().objects[find(world, name)].origin.y;
}

World run(const std::string& script, double until, double step = 1.0 / 240)
{
    World world =
        make_world(script + "simulate(0 sec, 100 sec, step = " + std::to_string(step) + ");\n");
    const StepReport report = world.advance(until);
    CHECK_FALSE(report.fault);
    CHECK(report.converged);
    return world;
}

/// Mass times place of everything, strands of 0.5 kg/m and a body of mass m.
Vec3 moment_of(const World& world, double m)
{
    const Frame frame = world.frame();
    Vec3 sum{0, 0, 0};
    std::size_t first = 0;
    for (const StrandCurve& curve : world.scene().strands) {
        for (std::size_t k = first; k < first + curve.segments; ++k)
            sum += (frame.nodes[k] + frame.nodes[k + 1]) *
                   (0.5 * 0.5 * length(frame.nodes[k + 1] - frame.nodes[k]));
        first += curve.segments + 1;
    }
    for (const BodyMotion& body : world.bodies())
        sum += body.pose.translation * m;
    return sum;
}

/// How far the centre of mass is after a second from where `momentum` takes it [kg m].
double strayed(const std::string& script, double m, const Vec3& momentum, double h)
{
    World world =
        make_world(script + "simulate(0 sec, 9 sec, step = " + std::to_string(h) + ");\n");
    const Vec3 first = moment_of(world, m);
    CHECK_FALSE(world.advance(1).fault);
    return length(moment_of(world, m) - first - momentum);
}

/// Turns are of second order in the step, and so are the places that follow from them.
void check_momentum(const std::string& script, double m, const Vec3& momentum)
{
    const double coarse = strayed(script, m, momentum, 1.0 / 240);
    CHECK(coarse < 3e-5);
    CHECK(strayed(script, m, momentum, 1.0 / 480) < 0.35 * coarse);
}

} // namespace

TEST_CASE("every instance of a strand with riders moves alike, whatever rides before it")
{
    const std::string tree = kHair +
                             "def bough strand(line(0,0,0, 1,0.1,0), segments = 10); radius(2 cm); "
                             "density(700); young(3e8); damping(0.05); contact(0); end;\n"
                             "def tree b = bough; c = hair on b at 0.9 along; end;\n";

    const World alone = run(tree + "t = tree;", 0.5);
    const World three =
        run(tree + "one = tree; two = tree translatez(3); three = tree translatez(6);", 0.5);

    const double exact = alone.frame().nodes[10].y;
    CHECK(exact < 0.08); // it bends under what rides on it
    const std::size_t each = alone.frame().nodes.size();
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(three.frame().nodes[i * each + 10].y == doctest::Approx(exact).epsilon(1e-9));
}

TEST_CASE("a strand weighs on the body that it stands on")
{
    // 0.2 kg and 0.3 kg on a spring of 100 N/m: 49.05 mm.
    const std::string crate = "def crate body(mass = 0.2); box(0.1, 0.1, 0.1); end;\ncrate;\n"
                              "peg = label() translatey(1);\n"
                              "spring_and_damper(crate, peg, 1, 100, 4);\n";
    const World world = run(crate + kHair + "hair on crate;\n", 6);
    CHECK(height(world, "crate") == doctest::Approx(-0.5 * 9.81 / 100).epsilon(1e-4));
}

TEST_CASE("a strand weighs on the linkage that it stands on")
{
    const std::string slide = "dynamic y;\ny = initial(0, 0);\ndef slide mass(0.2); end;\n"
                              "slide translatey(y);\nspring_and_damper(y, 0, 100, 4);\n";
    const World world = run(slide + kHair + "hair on slide;\n", 6);
    CHECK(height(world, "slide") == doctest::Approx(-0.5 * 9.81 / 100).epsilon(1e-4));
}

TEST_CASE("a strand on a free body keeps the momentum of both")
{
    const std::string script = kSpace + kHair +
                               "def crate body(mass = 0.2); box(0.1, 0.2, 0.1); end;\n"
                               "crate velocity(0.3, 0, 0) spin(0, 0, 2.1);\n"
                               "hair rotatez(70 deg) translate(0.05, 0, 0.02) on crate;\n";
    // The strand goes with the crate: its middle is 0.05 + 0.3 sin(70 deg) beside, 0.3 cos(70 deg)
    // below, and turns with it.
    const double x = 0.05 + 0.3 * std::sin(70 * 3.14159265358979 / 180),
                 y = -0.3 * std::cos(70 * 3.14159265358979 / 180);
    check_momentum(script, 0.2, Vec3{0.5 * 0.3 - 0.3 * 2.1 * y, 0.3 * 2.1 * x, 0});
}

TEST_CASE("a strand that stands on a strand on a body keeps the momentum of all")
{
    const std::string script = kSpace + kHair +
                               "def crate body(mass = 0.2); box(0.1, 0.2, 0.1); end;\n"
                               "crate velocity(0.4, 0, 0);\n"
                               "low = hair rotatez(70 deg) on crate;\n"
                               "hair rotatez(40 deg) on low at 0.5 along;\n"
                               "def other body(mass = 0.2); sphere(0.1); end;\n"
                               "other translate(0.4, 0.08, 0);\n";
    World world = make_world(script + "simulate(0 sec, 9 sec, step = 1 / 240);\n");
    const Vec3 first = moment_of(world, 0.2);
    CHECK_FALSE(world.advance(1).fault);
    CHECK(length(moment_of(world, 0.2) - first - Vec3{0.4 * 0.8, 0, 0}) < 1e-4);
    CHECK(length(world.bodies()[1].velocity) > 0.05); // the crate has met it
}
