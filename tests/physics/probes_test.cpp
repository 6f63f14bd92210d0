// What probes, forces and conditions may ask for besides places: velocities, forces of constraints
// and contacts, energies; against closed forms.

#include "physics/motions.h"
#include "support/readings.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

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

/// The rates of two coordinates.
Vec3 rate_of(const std::string& x, const std::string& y, const Motion& motion)
{
    Vec3 rate{0, 0, 0};
    const std::vector<Coordinate>& all = motion.world.scene().coordinates;
    for (std::size_t i = 0; i < all.size(); ++i)
        (all[i].name == x ? rate.x : all[i].name == y ? rate.y : rate.z) = motion.world.rates()[i];
    rate.z = 0;
    return rate;
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
    const auto time_of = [](const std::string& condition, double fps) {
        Motion motion(sound_scene("dynamic x = initial(1, 0), y; o = label();"
                                  "b = mass(2) translate(x, y, 0); bar = dist_constraint(o, b, 1);"
                                  "when " +
                                  condition +
                                  " as seen end; probe(\"p\", seen, y); simulate(0 sec, 2 sec);"));
        motion.advance_in_frames(1, fps);
        return motion.coordinate("seen");
    };
    for (const double fps : {24, 60, 100}) {
        const double located = time_of("b_y < -0.5", fps);
        CHECK(time_of("rate(b.at).y < -1.5 or b_y < -0.5", fps) < located);
        for (const std::string condition :
             {"length(constraint_force(b)) > 1.5 * 2 * 9.81", "kinetic_energy() > 9.81",
              "potential_energy() < -9.81", "length(constraint_force(bar)) > 1.5 * 2 * 9.81",
              "tension(bar) > 1.5 * 2 * 9.81"}) {
            CAPTURE(condition);
            CHECK(std::abs(time_of(condition, fps) - located) < 1e-9);
        }
    }
}

TEST_CASE("an event by a force switches at its time: the motion does not depend on the frame rate")
{
    // The bar lets go where its tension passes 2 m g; from there a parabola.
    std::vector<Vec3> places;
    for (const double fps : {24, 25, 30, 50, 60, 100, 120}) {
        Motion motion(sound_scene("dynamic x = initial(1, 0), y; o = label();"
                                  "b = mass(2) translate(x, y, 0);"
                                  "when tension(bar) > 2 * 2 * 9.81 as torn end;"
                                  "bar = dist_constraint(o, b, 1, active = not torn);"
                                  "simulate(0 sec, 2 sec);"));
        motion.advance_in_frames(1, fps);
        places.push_back(motion.place("b"));
    }
    // sin a = 2 / 3 below the level: v² = 2 g sin a; the time of the fall is that of the event.
    Motion event(
        sound_scene("dynamic x = initial(1, 0), y; o = label();"
                    "b = mass(2) translate(x, y, 0); when b_y < -2 / 3 as torn end;"
                    "dist_constraint(o, b, 1, active = not torn); simulate(0 sec, 2 sec);"));
    event.advance_in_frames(1, 24);
    for (const Vec3& place : places)
        CHECK(length(place - event.place("b")) < 1e-9);
}

TEST_CASE("a condition that what it begins undoes does not stop time")
{
    // Above 2 m g of tension a drag holds the speed where the tension is just that.
    Motion motion(sound_scene("dynamic x = initial(1, 0), y; o = label();"
                              "b = mass(1) translate(x, y, 0); bar = dist_constraint(o, b, 1);"
                              "whenever tension(bar) > 2 * 9.81 drag(b, 8); end;"
                              "probe(\"t\", tension(bar)); simulate(0 sec, 1 sec);"));
    motion.advance_in_frames(0.45, 24);
    CHECK(std::abs(probed(motion).x - 2 * kG) < 0.5);
}

TEST_CASE("a constraint with a name tells its force, its tension, its length and its error")
{
    const std::string scene = "dynamic x = initial(1, 0), y; o = label();"
                              "b = mass(2) translate(x, y, 0); bar = dist_constraint(o, b, 1);"
                              "dynamic u = initial(2, 0), w; c = mass(1) translate(u, w, 0);"
                              "band = spring_and_damper(o, c, 1.5, 40, 0.7);"
                              "dynamic s = initial(0, 1), r; d = mass(3) translate(s, r, 5);"
                              "wire = path_constraint(d, line(0, 0, 5, 1, 0, 5));"
                              "probe(\"force\", constraint_force(bar));"
                              "probe(\"bar\", tension(bar), constraint_length(bar),"
                              "  constraint_error(bar));"
                              "probe(\"band\", tension(band), constraint_length(band));"
                              "probe(\"wire\", tension(wire), constraint_error(wire));"
                              "simulate(0 sec, 2 sec);";
    Motion motion(sound_scene(scene));
    motion.advance_in_frames(0.4, 60);
    const std::vector<Vec3> points = motion.world.frame().points;
    const Vec3 b = motion.place("b"), c = motion.place("c");
    const double pull = 3 * 2 * kG * -b.y;      // m v² / l + m g cos, from rest at the level
    CHECK(length(points[0] - b * pull) < 1e-7); // on its first end, towards the second
    CHECK(std::abs(points[1].x - pull) < 1e-7);
    CHECK(std::abs(points[1].y - 1) < 1e-10);
    CHECK(points[1].z < 1e-10);
    const Vec3 v = rate_of("u", "w", motion);
    CHECK(std::abs(points[2].x - (40 * (length(c) - 1.5) + 0.7 * dot(v, c) / length(c))) < 1e-7);
    CHECK(std::abs(points[2].y - length(c)) < 1e-12);
    CHECK(std::abs(points[3].x - 3 * kG) < 1e-8);
    CHECK(points[3].y < 1e-10);
}

TEST_CASE("names of constraints are found as those of objects are, and have no place")
{
    Motion motion(sound_scene("def swing(l) dynamic a = initial(1, 0), b; o = label();"
                              "  m = mass(2) translate(a, b, 0); bar = dist_constraint(o, m, l);"
                              "  probe(\"t\", constraint_length(bar)); end;"
                              "left = swing(1); right = swing(1) translatex(3);"
                              "for i in 0..1 n[i] = mass(1); p[i] = mass(1) translatex(i + 1);"
                              "  rod[i] = dist_constraint(n[i], p[i], i + 1); end;"
                              "probe(\"all\", constraint_length(left.bar), "
                              "constraint_length(right.bar) + constraint_length(rod[1]));"
                              "simulate(0 sec, 1 sec);"));
    CHECK(length(motion.world.frame().points[2] - Vec3{1, 3, 0}) < 1e-9);
    for (const Object& object : motion.world.scene().objects)
        CHECK((object.name != "bar" || object.is_anonymous));

    const std::string bar = "dynamic x = initial(1, 0), y; o = label(); b = mass(2) "
                            "translate(x, y, 0); bar = dist_constraint(o, b, 1); ";
    CHECK(codes_of(bar + "drag(bar, 1);") == Codes{"names-constraint"});
    CHECK(codes_of(bar + "dist_constraint(bar, b, 1);") == Codes{"names-constraint"});
    CHECK(codes_of(bar + "probe(\"p\", bar_x);") == Codes{"names-constraint"});
    CHECK(codes_of(bar + "probe(\"p\", constraint_error(b));") == Codes{"wants-constraint"});
    CHECK(codes_of(bar + "probe(\"p\", tension(rope));") == Codes{"unknown-object"});
    CHECK(codes_of(bar + "bar = dist_constraint(o, b, 1);") == Codes{"named-twice"});
    CHECK(codes_of(bar + "force(b, tension(bar), 0, 0);") == Codes{"contact-out-of-place"});
    CHECK(codes_of(bar + "force(b, constraint_length(bar), 0, 0);") == Codes{});
    CHECK(codes_of("dynamic x = initial(1, 0); b = mass(1) translatex(x);"
                   "s = spring_and_damper(x, 0, 5, 0);") == Codes{"no-ends"});
    CHECK(codes_of("dynamic x = initial(1, 0); b = mass(1) translatex(x);"
                   "w = path_constraint(b, line(0, 0, 0, 1, 0, 0));"
                   "probe(\"p\", constraint_length(w));") == Codes{"constraint-cannot-tell"});
}

TEST_CASE("constraints of bodies, strands and rods have names too")
{
    Motion motion(sound_scene(
        "def crate body(mass = 3); box(0.2, 0.2, 0.2); end; c = crate translatey(-1);"
        "hook = ball_joint(c, point(0, 0, 0));"
        "def rope rod(line(2,0,0, 2,-1,0), spans = 8, radius = 4 mm, young = 1e7); end; r = rope;"
        "top = position_constraint(r at 0 along, point(2, 0, 0));"
        "probe(\"hook\", tension(hook)); probe(\"top\", tension(top), constraint_error(top));"
        "simulate(0 sec, 1 sec, step = 1 / 240);"));
    motion.advance_in_frames(1, 24);
    const std::vector<Vec3> points = motion.world.frame().points;
    CHECK(points[0].x == doctest::Approx(3 * kG).epsilon(1e-3));
    CHECK(points[1].x == doctest::Approx(length(motion.world.frame().loads[0].force)));
    CHECK(points[1].y < 1e-4);
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
