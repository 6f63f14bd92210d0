// Motions of linkages against what was derived and computed apart from the engine: the tables of
// tests/physics/reference, each with its script in tests/physics/scripts.

#include "physics/motions.h"
#include "support/files.h"
#include "support/readings.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

/// Two methods agree on these tables to 1e-11 and better; what is left is the engine's.
constexpr double kTolerance = 1e-8;

double error_of_reference(const std::string& script, const std::string& table)
{
    const Scene scene = repository_scene("tests/physics/reference/" + script + ".charli");
    return largest_error(scene, read_reference_table(table), 100);
}

/// The angle from the lowest point of a pendulum released level, as the books have it:
/// sin(θ/2) = k sn(K − ω₀t, k²), k = sin(π/4). sn by descending Landen steps.
double pendulum_angle(double time, double length)
{
    const double k = std::sqrt(0.5);
    double a[12] = {1}, c[12] = {k}, b = std::sqrt(1 - k * k);
    for (int i = 1; i < 12; ++i) {
        a[i] = (a[i - 1] + b) / 2;
        c[i] = (a[i - 1] - b) / 2;
        b = std::sqrt(a[i - 1] * b);
    }
    const double pi = std::acos(-1.0), quarter = pi / (2 * a[11]);
    double phi = 2048 * a[11] * (quarter - std::sqrt(9.81 / length) * time);
    for (int i = 11; i > 0; --i)
        phi = (phi + std::asin(c[i] / a[i] * std::sin(phi))) / 2;
    return 2 * std::asin(k * std::sin(phi));
}

} // namespace

TEST_CASE("the motions of the paper's figures are those of its equations")
{
    CHECK(error_of_reference("fig03_triple_transforms", "a_triple_pendulum") < kTolerance);
    CHECK(error_of_reference("fig04_triple_constraints", "a_triple_pendulum") < kTolerance);
    CHECK(error_of_reference("fig14_double", "d_double_pendulum") < kTolerance);
    CHECK(error_of_reference("fig09_pulled_spring", "b_pulled_spring_slowin_quadratic") <
          kTolerance);
}

TEST_CASE("a spring pulled evenly stretches and swings back when its end stops")
{
    std::string text = read_repository_file("tests/physics/reference/fig09_pulled_spring.charli");
    for (std::size_t at = 0; (at = text.find("slowin", at)) != std::string::npos;)
        text.replace(at, 6, "linear");

    CHECK(largest_error(sound_scene(text), read_reference_table("b_pulled_spring_linear"), 100) <
          kTolerance);
}

TEST_CASE("a bead on a turning wire flies out like a hyperbolic cosine")
{
    const Scene scene = repository_scene("tests/physics/reference/e1_bead_rotating_line.charli");
    ReferenceTable table = read_reference_table("e1_bead_rotating_line");
    table.columns = {"bead.x", "bead.y"};
    const double reach = std::hypot(table.rows.back()[0], table.rows.back()[1]);

    CHECK(largest_error(scene, table, 100) < kTolerance * reach);
}

TEST_CASE("a pendulum keeps the time of the elliptic functions for 100 s")
{
    Motion motion(repository_scene("tests/physics/reference/g_A01_simple_pendulum.charli"));
    double worst = 0;
    for (int second = 1; second <= 100; ++second) {
        motion.advance_in_frames(second, 24);
        const double angle = pendulum_angle(second, 1);
        const Vec3 place = motion.place("P1");
        worst = std::max(worst, std::hypot(place.x - std::sin(angle), place.y + std::cos(angle)));
    }

    CHECK(worst < 1e-9);
    CHECK(motion.residual < 1e-10);
}

TEST_CASE("loops with one freedom move as their crank's equation says")
{
    check_against_table("slider_crank", kTolerance);
    check_against_table("four_bar", kTolerance);
    check_against_table("watt", kTolerance);
    check_against_table("trammel", kTolerance);
    check_against_table("spatial_four_bar", kTolerance);
}

TEST_CASE("a bar too many changes nothing") { check_against_table("parallelogram", kTolerance); }

TEST_CASE("a braced parallelogram passes its flat position, where no constraint holds it")
{
    check_against_table("parallelogram", kTolerance, "parallelogram_turning", {{"spin", "8"}});
}

TEST_CASE("a row of four-bar loops passes the flat position where it has a freedom for each loop")
{
    check_against_table("row_of_four_bars", kTolerance);
}

TEST_CASE("Bricard's loop moves although counting says it cannot")
{
    check_against_table("bricard", kTolerance);
}

TEST_CASE("a governor on stiff springs settles as one on rigid rods")
{
    check_against_table("governor", kTolerance);
    check_against_table("governor", kTolerance, "governor_stiffer", {{"k", "8e7"}, {"c", "4e6"}});
}

TEST_CASE("Andrews' squeezing mechanism ends where it is published to end [HairerWanner96, §VII.7]")
{
    const std::map<std::string, double> published = {
        {"beta", 1.581077119629904e+01},   {"theta", -1.575637105984298e+01},
        {"gamma", 4.082224013073101e-02},  {"phi", -5.347301163226948e-01},
        {"delta", 5.244099658805304e-01},  {"omega", 5.347301163226948e-01},
        {"epsilon", 1.048080741042263e+00}};
    for (double fps : {100.0, 1000.0}) {
        Motion motion(repository_scene("tests/physics/scripts/squeezer.charli"));
        motion.advance_in_frames(0.03, fps);

        for (const auto& [name, value] : published)
            CHECK(std::abs(motion.coordinate(name) - value) <
                  2e-9 * std::max(1.0, std::abs(value)));
        CHECK(motion.residual < 1e-12);
    }
}

TEST_CASE("beads follow paths that are shaken, that turn, that have knots")
{
    check_against_table("shaken_parabola", kTolerance);
    check_against_table("turning_parabola", kTolerance);
    check_against_table("hoop", kTolerance);
    check_against_table("roller_coaster", kTolerance);
    check_against_table("cart_pendulum", kTolerance);
    check_against_table("hung_wire", kTolerance);
}

TEST_CASE("a winch does to a rope what it does to an arm")
{
    check_against_table("winch", kTolerance);
}

TEST_CASE("coordinates may be shared, be lengths, sizes, or come from positions")
{
    check_against_table("gears", kTolerance);
    check_against_table("follower", kTolerance);
    check_against_table("breathing_arm", kTolerance);
}

TEST_CASE("in space, angles and distances give one motion")
{
    check_against_table("spherical_pendulum", kTolerance);
    check_against_table("double_pendulum_3d", kTolerance);
}

TEST_CASE("a top precesses and nods as its Lagrangian says")
{
    check_against_table("top", kTolerance);
}

TEST_CASE("a label without mass carries what hangs on it")
{
    check_against_table("hung_label", kTolerance);
}

TEST_CASE("forces, torques, drag, fields and gravity may follow tracks and jump at keys")
{
    check_against_table("pushed_oscillator", kTolerance);
    check_against_table("fading_gravity", kTolerance);
}
