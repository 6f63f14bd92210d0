// Trees that are eliminated into the bodies they stand on [notes: strands, eqs 33 to 36]: both
// ways, whatever the masses, the step, the order of statements and the threads.

#include "sinew/world.h"

#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

using namespace sinew;
using sinew::test::make_world;

namespace {

const std::string kSpace = "gravity(0, 0, 0);\n";

/// A strand of 0.6 m that hangs from the origin of its def, `heavy` kg/m.
std::string hair(double heavy, const std::string& more = "contact(0);", double bend = 1e-3)
{
    return "def hair strand(line(0,0,0, 0,-0.6,0), segments = 12); radius(0.1 mm); "
           "mass_per_length(" +
           std::to_string(heavy) + "); bend_stiffness(" + std::to_string(bend) +
           "); damping(0.05); " + more + " end;\n";
}

std::string simulate(double step)
{
    return "simulate(0 sec, 100 sec, step = " + std::to_string(step) + ");\n";
}

World run(const std::string& script, double until)
{
    World world = make_world(script);
    const StepReport report = world.advance(until);
    CHECK_FALSE(report.fault);
    CHECK(report.converged);
    return world;
}

/// Momentum of all, and its moment about the origin; bodies of one mass and of balls' inertia.
struct Momenta {
    Vec3 linear = {0, 0, 0}, angular = {0, 0, 0};
};

Momenta momenta_of(const World& world, double mass, double inertia, double heavy)
{
    Momenta sum;
    const Frame frame = world.frame();
    const Velocities velocities = world.velocities();
    const auto add = [&](const Vec3& place, const Vec3& v, double m) {
        sum.linear += v * m;
        sum.angular += cross(place, v) * m;
    };
    std::size_t first = 0;
    for (const StrandCurve& curve : world.scene().strands) {
        for (std::size_t k = first; k < first + curve.segments; ++k) {
            // A rod of even mass: a sixth at either end, two thirds in the middle.
            const Vec3 &a = frame.nodes[k], &b = frame.nodes[k + 1];
            const Vec3 &va = velocities.nodes[k], &vb = velocities.nodes[k + 1];
            const double m = heavy * length(b - a);
            add(a, va, m / 6), add(b, vb, m / 6), add((a + b) * 0.5, (va + vb) * 0.5, m * 2 / 3);
        }
        first += curve.segments + 1;
    }
    for (const BodyMotion& body : world.bodies()) {
        add(body.pose.translation, body.velocity, mass);
        sum.angular += body.spin * inertia;
    }
    return sum;
}

/// A ball of 0.2 kg with five hairs of 0.06 kg each, thrown and spun.
std::string thrown(double step)
{
    std::string script = kSpace + hair(0.1) +
                         "def ball body(mass = 0.2); sphere(0.1); end;\n"
                         "ball velocity(0.3, 0.1, 0) spin(0.5, 1, 2.1);\n";
    for (int i = 0; i < 5; ++i)
        script += "hair translatey(-0.1) rotatez(" + std::to_string(70 * i) + " deg) rotatex(" +
                  std::to_string(25 * i) + " deg) on ball;\n";
    return script + simulate(step);
}

constexpr double kBall = 0.4 * 0.2 * 0.1 * 0.1;

} // namespace

TEST_CASE("hair weighs on its body at any frame rate, in any order, in any number [eqs 33, 34]")
{
    const std::string crate = "def crate body(mass = 0.2); box(0.1, 0.1, 0.1); end;\n";
    const std::string peg = "peg = label() translatey(1);\n"
                            "spring_and_damper(crate, peg, 1, 100, 4);\n";
    for (const int fps : {24, 30, 60, 97}) {
        CAPTURE(fps);
        const std::string end = "frame_rate(" + std::to_string(fps) +
                                " fps);\nsimulate(0 sec, 9 sec, step = 1 / 240);\n";
        const std::string one = hair(0.5) + crate + "crate;\n" + peg + "hair on crate;\n" + end,
                          other = crate + hair(0.5) + "crate;\nhair on crate;\n" + peg + end,
                          two = hair(0.25) + crate + "crate;\nhair on crate;\nhair on crate;\n" +
                                peg + end;
        for (const std::string& script : {one, other, two}) {
            World world = make_world(script);
            for (int frame = 1; frame <= 5 * fps; ++frame)
                CHECK_FALSE(world.advance(double(frame) / fps).fault);
            CHECK(world.bodies()[0].pose.translation.y ==
                  doctest::Approx(-0.5 * 9.81 / 100).epsilon(1e-4));
        }
    }
}

TEST_CASE("a thrown ball with hair keeps its momentum, and its moment nearly [eqs 35, 36]")
{
    double before = 0;
    for (const double step : {1.0 / 240, 1.0 / 480, 1.0 / 960}) {
        World world = make_world(thrown(step));
        const Momenta first = momenta_of(world, 0.2, kBall, 0.1);
        CHECK_FALSE(world.advance(1).fault);
        const Momenta now = momenta_of(world, 0.2, kBall, 0.1);
        CHECK(length(now.linear - first.linear) < 1e-8); // velocities are seen to that
        const double off = length(now.angular - first.angular) / length(first.angular);
        MESSAGE("step " << step << ": angular momentum off by " << off);
        CHECK(off < 2e-3);
        CHECK((before == 0 || off < 0.4 * before));
        before = off;
    }
}

/// Two hairs to the sides of a block that a ball meets from below: when their motion has died away
/// all move as one, and of the momentum nothing is lost in hundreds of steps.
TEST_CASE("momentum is kept to rounding [eq. 35]")
{
    const std::string script =
        kSpace +
        "def hair strand(line(0,0,0, 0.3,0,0), segments = 8); radius(4 mm); mass_per_length(0.5); "
        "bend_stiffness(0.05); damping(0.2); contact(0); end;\n"
        "def block body(mass = 0.2); box(0.2, 0.2, 0.2); end;\nblock;\n"
        "hair translatex(0.1) on block;\nhair rotatey(180 deg) translatex(-0.1) on block;\n"
        "def ball body(mass = 0.3); box(0.1, 0.1, 0.1); end;\n"
        "ball translatey(-0.3) velocity(0, 2, 0);\n" +
        simulate(1.0 / 240);
    const World world = run(script, 20);
    const double momentum = world.bodies()[1].velocity.y * 0.3 + world.bodies()[0].velocity.y * 0.5;
    CHECK(std::abs(momentum - 0.6) < 1e-12);
    CHECK(world.bodies()[0].velocity.y == doctest::Approx(0.75).epsilon(0.01));
}

TEST_CASE("hair on a free body never gains energy")
{
    World world = make_world(thrown(1.0 / 240));
    const auto total = [&] { return world.energy().kinetic + world.energy().potential; };
    const double first = total();
    double last = first;
    for (int i = 1; i <= 96; ++i) {
        CHECK_FALSE(world.advance(i / 48.0).fault);
        CHECK(total() < last + 1e-5 * first);
        last = std::min(last, total());
    }
}

TEST_CASE("hair of a hundred times its head's mass, and of a millionth, hangs and swings")
{
    // 1 g on 100 g, held by a soft spring; a simple check of the weight at rest.
    const std::string head = "def head body(mass = 0.001); sphere(0.02); end;\nhead;\n"
                             "peg = label() translatey(1);\n"
                             "spring_and_damper(head, peg, 1, 20, 2);\n";
    const World light = run(hair(0.1 / 0.6) + head + "hair on head;\n" + simulate(1.0 / 240), 8);
    CHECK(light.bodies()[0].pose.translation.y ==
          doctest::Approx(-0.101 * 9.81 / 20).epsilon(1e-3));
    const World heavy = run(kSpace + hair(0.001 / 0.6) +
                                "def head body(mass = 1000); sphere(0.3); end;\n"
                                "head velocity(1, 0, 0);\nhair rotatez(60 deg) on head;\n" +
                                simulate(1.0 / 240),
                            2);
    CHECK(heavy.bodies()[0].velocity.x == doctest::Approx(1).epsilon(1e-6));
}

TEST_CASE("a crate with a crest stands on others and takes the crest's weight down to the ground")
{
    const std::string tower = "def ground obstacle(); plane(0, 1, 0, 0); end;\nground;\n"
                              "def crate body(mass = 1); box(0.3, 0.3, 0.3); end;\n"
                              "for i in 0..3 tower[i] = crate translatey(0.15 + 0.3 * i); end;\n";
    const World world =
        run(hair(0.05, "contact(0);", 1e-2) + tower +
                "hair rotatez(180 deg) translatey(0.15) on tower[3];\n" + simulate(1.0 / 240),
            2);
    for (int i = 0; i < 4; ++i)
        CHECK(world.bodies()[std::size_t(i)].pose.translation.y ==
              doctest::Approx(0.15 + 0.3 * i).epsilon(1e-3));
}

TEST_CASE("threads and copies change no bit of hair on free bodies")
{
    const std::string script = thrown(1.0 / 240);
    World one = make_world(script);
    World two = make_world(script, 4);
    CHECK_FALSE(one.advance(0.25).fault);
    CHECK_FALSE(two.advance(0.25).fault);
    World three = make_world(script);
    REQUIRE(three.restore(one.snapshot()));
    for (World* world : {&one, &two, &three})
        CHECK_FALSE(world->advance(0.5).fault);
    CHECK(one.state_hash() == two.state_hash());
    CHECK(one.state_hash() == three.state_hash());
}
