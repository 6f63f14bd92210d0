// Laws with a closed form, and what must be conserved.

#include "physics/motions.h"
#include "support/readings.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

/// Where the masses of through_zero and meeting are: 1 kg and 3 kg in free flight, `f` apart.
double flight_error(const Motion& motion, double f)
{
    const double t = motion.world.time(), slope = 0.7;
    const Vec3 centre{0.3 * t, 2 * t - 9.81 * t * t / 2, 0};
    const Vec3 apart{f * std::cos(slope), f * std::sin(slope), 0};
    return std::max(length(motion.place("A") - (centre - 0.75 * apart)),
                    length(motion.place("B") - (centre + 0.25 * apart)));
}

} // namespace

TEST_CASE("masses that a track draws through each other fly on along their line")
{
    Motion motion(repository_scene("tests/physics/scripts/through_zero.charli"));
    double worst = 0;
    for (int frame = 1; frame <= 72; ++frame) {
        const double t = frame / 24.0;
        motion.advance(t);
        worst = std::max(worst, flight_error(motion, t < 2 ? 1 - t : -1));
    }

    // The angle at zero distance is only as good as rounding over the shortest distance, 1e-6 m.
    CHECK(worst < 1e-7);
    CHECK(motion.residual < 1e-10);
}

TEST_CASE("masses drawn together stay together")
{
    Motion motion(repository_scene("tests/physics/scripts/meeting.charli"));
    double worst = 0;
    for (int frame = 1; frame <= 240; ++frame) {
        const double t = frame / 24.0, s = std::min(t / 2, 1.0);
        motion.advance(t);
        worst = std::max(worst, flight_error(motion, 1 - s * s * (3 - 2 * s)));
    }

    CHECK(worst < 1e-8);
    CHECK(motion.residual < 1e-10);
}

TEST_CASE("a distance through zero on a line is the line's coordinate")
{
    Motion motion(sound_scene("dynamic x; x = initial(1, -1); def O label(); end; O;"
                              "def A mass(1); end; A translatex(x);"
                              "dist_constraint(O, A, {1 at 0 sec linear -1 at 2 sec});"));
    for (int frame = 1; frame <= 72; ++frame) {
        motion.advance(frame / 24.0);
        const double x = std::max(1 - frame / 24.0, -1.0);
        CHECK(std::abs(std::abs(motion.place("A").x) - std::abs(x)) < 1e-12);
    }
    CHECK(motion.place("A").x < 0);
}

TEST_CASE("a spring oscillates as a cosine, and its rest length may jump")
{
    Motion motion(sound_scene("dynamic x; x = initial(1, 0); def A mass(1); end; A translatex(x);"
                              "spring_and_damper(x, {0 at 0 sec hold 1 at 2 sec}, 4, 0);"));
    for (int frame = 1; frame <= 120; ++frame) {
        const double t = frame / 24.0;
        motion.advance(t);
        const double after =
            1 + (std::cos(4.0) - 1) * std::cos(2 * (t - 2)) - std::sin(4.0) * std::sin(2 * (t - 2));
        CHECK(std::abs(motion.place("A").x - (t <= 2 ? std::cos(2 * t) : after)) < 1e-11);
    }
}

TEST_CASE("a force in a turning frame drives like a rocket, drag slows exponentially")
{
    const std::string head = "dynamic th; gravity(0, 0, 0); def A mass(1); end;";
    Motion rocket(sound_scene(head + "def arm A translatex(1); force(A, 0, 0.5, 0); end;"
                                     "arm rotatez(th);"));
    Motion dragged(sound_scene(head + "th = initial(0, 1); A translatex(2) rotatez(th);"
                                      "drag(A, 0.5);"));
    rocket.advance_in_frames(10, 24);
    dragged.advance_in_frames(10, 24);

    CHECK(std::abs(rocket.coordinate("th") - 25) < 1e-11);
    CHECK(std::abs(dragged.coordinate("th") - 2 * (1 - std::exp(-5.0))) < 1e-12);
}

TEST_CASE("a chain of arms on arms moves as the same chain of distances")
{
    const std::string count = "param n = 25;";
    Motion arms(sound_scene(count + "def link(i) dynamic a; if i == 1 a = initial(-0.3, 0); end;"
                                    "def bob mass(0.2); end; bob translatex(0.1) rotatez(a);"
                                    "if i < n link(i + 1) on bob; end; end; link(1);"));
    Motion distances(sound_scene(
        count + "def O label(); end; O; def bob mass(0.2); end; for i in 1..n dynamic x, y;"
                "x = initial(0.1 * i * cos(0.3), 0); y = initial(-0.1 * i * sin(0.3), 0);"
                "b[i] = bob translate(x, y, 0);"
                "if i > 1 dist_constraint(b[i - 1], b[i], 0.1);"
                "else dist_constraint(O, b[1], 0.1); end; end;"));
    arms.advance_in_frames(1, 24);
    distances.advance_in_frames(1, 24);

    const std::vector<TableRow> rows = table_rows(arms.world.scene(), arms.world.frame());
    const Vec3 tip = distances.place("b[25]");
    double nearest = 1;
    for (const TableRow& row : rows)
        nearest = std::min(nearest, length(row.position - tip));
    CHECK(nearest < 1e-9);
}

TEST_CASE("instances of one def move each for itself")
{
    const std::string def = "def pend(a) dynamic th; th = initial(a, 0); def bob mass(1); end;"
                            "bob translatex(1) rotatez(th); end;";
    Motion many(sound_scene(def + "for i in 1..20 p[i] = pend(-i / 10) translatex(i); end;"));
    Motion one(sound_scene(def + "p = pend(-7 / 10) translatex(7);"));
    many.advance_in_frames(5, 24);
    one.advance_in_frames(5, 24);

    CHECK(length(many.place("p[7].bob") - one.place("bob")) == 0);
}

TEST_CASE("energy is kept for 100 s")
{
    for (const char* name : {"slider_crank", "four_bar", "watt", "bricard", "parallelogram", "top",
                             "double_pendulum_3d", "spherical_pendulum", "breathing_arm",
                             "hung_label", "roller_coaster"}) {
        CAPTURE(name);
        const Scene scene =
            repository_scene("tests/physics/scripts/" + std::string(name) + ".charli");
        CHECK(energy_drift(scene, 100) < 1e-8);
    }
    for (const char* name : {"fig03_triple_transforms", "fig04_triple_constraints", "fig14_double",
                             "g_A01_simple_pendulum"}) {
        CAPTURE(name);
        const Scene scene =
            repository_scene("tests/physics/reference/" + std::string(name) + ".charli");
        CHECK(energy_drift(scene, 100) < 1e-8);
    }
}

TEST_CASE("what is small, large, light, heavy, early or late moves alike")
{
    // Lengths scaled by s, times by √s: the same angles.
    const auto script = [](const std::string& length, const std::string& heavy) {
        return "param l = " + length + "; param m = " + heavy +
               "; dynamic a, b; def A mass(1); end; def B mass(m); end;"
               "def lower B translatex(l) rotatez(b); A; end; lower translatex(l) rotatez(a);";
    };
    const auto angle_after = [&](const std::string& length, const std::string& heavy, double time) {
        Motion motion(sound_scene(script(length, heavy)));
        motion.advance(time);
        return motion.coordinate("b");
    };
    const double metre = angle_after("1", "2", 1);
    CHECK(std::abs(angle_after("1e-6", "2", 1e-3) - metre) < 1e-8);
    CHECK(std::abs(angle_after("1e6", "2", 1e3) - metre) < 1e-8);
    CHECK(std::isfinite(angle_after("1", "1e6", 1)));
    CHECK(std::isfinite(angle_after("1", "1e-6", 1)));

    Scene early = sound_scene(script("1", "2"));
    early.settings.start = -5;
    early.settings.end = 5;
    Motion motion(early);
    CHECK(motion.world.time() == -5);
    motion.advance(-4);
    CHECK(std::abs(motion.coordinate("b") - metre) < 1e-11);
    motion.advance_in_frames(5, 24);
}
