// What probes, forces and conditions may ask for besides places: velocities, forces of constraints
// and contacts, energies; against closed forms.

#include "physics/motions.h"
#include "support/readings.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double kG = 9.81;

/// The numbers of a scene's only probe.
Vec3 probed(const Motion& motion)
{
    const Frame frame = motion.world.frame();
    REQUIRE(frame.points.size() == 1);
    return frame.points[0];
}

/// A bar pendulum of one metre and 2 kg that starts level, and one probe.
Motion pendulum(const std::string& probe)
{
    return Motion(sound_scene("dynamic x = initial(1, 0), y; o = label();"
                              "b = mass(2) translate(x, y, 0); dist_constraint(o, b, 1);"
                              "probe(\"p\", " +
                              probe + "); simulate(0 sec, 3 sec);"));
}

} // namespace

TEST_CASE("the rate of a position is a velocity, and that of a formula its slope")
{
    for (const double fps : {24, 60}) {
        Motion velocity = pendulum("rate(b.at)"), speed = pendulum("length(rate(b.at))"),
               product = pendulum("rate(x * b_y + time)");
        for (const double t : {0.25, 0.5, 1.0}) {
            velocity.advance_in_frames(t, fps);
            speed.advance_in_frames(t, fps);
            product.advance_in_frames(t, fps);
            const Vec3 at = velocity.place("b"), v = probed(velocity);
            CHECK(std::abs(dot(v, v) + 2 * kG * at.y) < 1e-8);
            CHECK(std::abs(dot(v, at)) < 1e-8);
            CHECK(std::abs(probed(speed).x - length(v)) < 1e-8);
            CHECK(std::abs(probed(product).x - (v.x * at.y + at.x * v.y + 1)) < 1e-8);
        }
    }
}

TEST_CASE("a force against the rate of a position is a drag, with every method")
{
    for (const std::string method : {"automatic", "fixed", "charli"}) {
        CAPTURE(method);
        const auto motion = [&](const std::string& drag) {
            return Motion(sound_scene("dynamic a = initial(1, 0), c;"
                                      "u = mass(1) translatey(-1) rotatez(a);"
                                      "b = mass(1) translatey(-1) rotatez(c) translatey(-1) "
                                      "rotatez(a); linkages(method = " +
                                      method + ");" + drag + "simulate(0 sec, 2 sec);"));
        };
        Motion by_word = motion("drag(b, 0.3);"), by_rate = motion("force(b, -0.3 * rate(b.at));"),
               by_formula = motion("force(b, -0.3 * rate(b_x), -0.3 * rate(b_y + 0), 0);");
        by_word.advance_in_frames(2, 30);
        by_rate.advance_in_frames(2, 30);
        by_formula.advance_in_frames(2, 30);
        CHECK(length(by_word.place("b") - by_rate.place("b")) < 1e-9);
        CHECK(length(by_word.place("b") - by_formula.place("b")) < 1e-9);
    }
}

TEST_CASE("the force of a bar is its tension, that of a wire its push")
{
    Motion bar = pendulum("constraint_force(b)"), tension = pendulum("length(constraint_force(b))");
    for (const double t : {0.2, 0.4, 0.9}) {
        bar.advance_in_frames(t, 60);
        tension.advance_in_frames(t, 60);
        const Vec3 at = bar.place("b");
        const double expected = 3 * 2 * kG * -at.y; // m v² / l + m g cos, from rest at the level
        CHECK(length(probed(bar) + at * expected) < 1e-8);
        CHECK(std::abs(probed(tension).x - std::abs(expected)) < 1e-8);
    }
    Motion wire(sound_scene("dynamic x = initial(0, 1), y; b = mass(2) translate(x, y, 0);"
                            "path_constraint(b, line(0, 0, 0, 1, 0, 0));"
                            "probe(\"p\", constraint_force(b)); simulate(0 sec, 1 sec);"));
    wire.advance_in_frames(0.5, 24);
    CHECK(length(probed(wire) - Vec3{0, 2 * kG, 0}) < 1e-9);
}

TEST_CASE("energies are those of the world, and of bodies too")
{
    for (const std::string scene :
         {"dynamic a = initial(1, 0), x; b = mass(2) translatey(-1) rotatez(a) translatex(x);"
          "m = mass(1) translatex(x); spring_and_damper(x, 0.3, 20, 0);",
          "def ball body(mass = 2); sphere(0.1); end; ball translatey(3) velocity(1, 2, 0);"}) {
        Motion motion(sound_scene(scene + "probe(\"e\", kinetic_energy(), potential_energy(),"
                                          "kinetic_energy() + potential_energy());"
                                          "simulate(0 sec, 1 sec);"));
        motion.advance_in_frames(0.5, 24);
        const Energy energy = motion.world.energy();
        CHECK(energy.kinetic > 0.1);
        CHECK(length(probed(motion) - Vec3{energy.kinetic, energy.potential,
                                           energy.kinetic + energy.potential}) < 1e-12);
    }
}

TEST_CASE("a probe tells with what a body lies on the floor")
{
    Motion motion(sound_scene("def floor obstacle(); plane(0, 1, 0, 0); end; floor;"
                              "def crate body(mass = 3); box(1, 1, 1); end;"
                              "c = crate translatey(0.5);"
                              "probe(\"p\", contact_force(c), contact_force(c, floor), rate(c_y));"
                              "simulate(0 sec, 1 sec);"));
    motion.advance(1);
    CHECK(length(probed(motion) - Vec3{3 * kG, 3 * kG, 0}) < 1e-3);
}

TEST_CASE("conditions look at velocities, at forces of constraints and at energies")
{
    // From level rest the tension is 3 m g cos: above 1.5 m g from 60 degrees off the vertical on.
    const auto time_of = [](const std::string& condition) {
        Motion motion(sound_scene("dynamic x = initial(1, 0), y; o = label();"
                                  "b = mass(2) translate(x, y, 0); dist_constraint(o, b, 1);"
                                  "when " +
                                  condition +
                                  " as seen end; probe(\"p\", seen, y);"
                                  "simulate(0 sec, 2 sec, step = 1 / 1000);"));
        motion.advance_in_frames(1, 1000);
        return motion.coordinate("seen");
    };
    const double located = time_of("b_y < -0.5"),
                 by_speed = time_of("rate(b.at).y < -1.5 or b_y < -0.5");
    const double by_force = time_of("length(constraint_force(b)) > 1.5 * 2 * 9.81"),
                 by_energy = time_of("kinetic_energy() > 9.81"),
                 by_fall = time_of("potential_energy() < -9.81");
    CHECK(by_speed < located);
    for (const double later : {by_force, by_energy, by_fall}) {
        CHECK(later >= located - 1e-9);
        CHECK(later <= located + 0.001 + 1e-9);
    }
}

TEST_CASE("what pushes a body does not know how fast a place changes")
{
    CHECK(codes_of("def ball body(mass = 1); sphere(0.1); end; b = ball translatey(1);"
                   "force(b, -rate(b_x), 0, 0);") == Codes{"rate-of-value"});
    CHECK(codes_of("dynamic x; b = mass(1) translatex(x); probe(\"p\", rate(rate(x)));") ==
          Codes{"no-rate"});
    CHECK(codes_of("dynamic x; b = mass(1) translatex(x); force(b, kinetic_energy(), 0, 0);") ==
          Codes{"contact-out-of-place"});
}
