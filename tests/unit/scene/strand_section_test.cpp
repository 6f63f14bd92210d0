#include "scene/objects/strand_section.h"

#include <doctest/doctest.h>

#include <numbers>

using namespace sinew;

namespace {

using Kind = StrandPropertyKind;

/// One tree with two curves of one metre.
Scene two_curves()
{
    Scene scene;
    scene.objects = {{.name = "world", .end = 2},
                     {.name = "tree", .parent = ObjectId{0}, .end = 2}};
    for (int i = 0; i < 2; ++i)
        scene.strands.push_back(
            {.tree = ObjectId{1}, .object = ObjectId{1}, .path = PathId{0}, .segments = 10});
    return scene;
}

void say(Scene& scene, Kind kind, double a, double b, std::uint32_t curve = StrandCurve::kNone)
{
    scene.strand_properties.push_back(
        {.kind = kind, .tree = ObjectId{1}, .curve = curve, .a = {a}, .b = {b}});
}

StrandSection section(const Scene& scene, std::uint32_t curve, double along = 0.5)
{
    return StrandSections(scene, curve, 1).at(0, along);
}

} // namespace

TEST_CASE("a strand of which nothing is said is a strand of soft rubber")
{
    const Scene scene = two_curves();
    const StrandSection s = section(scene, 0);
    const double pi = std::numbers::pi;
    CHECK(s.radius == 5e-3);
    CHECK(s.mass_per_length == doctest::Approx(1000 * pi * 25e-6));
    CHECK(s.bend_x == doctest::Approx(1e6 * pi * 625e-12 / 4));
    CHECK(s.bend_z == s.bend_x);
    CHECK(s.twist == doctest::Approx(s.bend_x / 1.3));
    CHECK(s.damping_bend == 0);
    CHECK(s.drag_across == 0);
}

TEST_CASE("stiffness and mass follow from Young's modulus, Poisson's ratio, density and radius")
{
    Scene scene = two_curves();
    say(scene, Kind::radius, 0.01, 0.01);
    say(scene, Kind::young, 2e9, 2e9);
    say(scene, Kind::poisson, 0.25, 0.25);
    say(scene, Kind::density, 700, 700);
    const StrandSection s = section(scene, 0);
    const double I = std::numbers::pi * 1e-8 / 4;
    CHECK(s.bend_x == doctest::Approx(2e9 * I));
    CHECK(s.twist == doctest::Approx(2e9 / (2 * 1.25) * 2 * I)); // G J
    CHECK(s.mass_per_length == doctest::Approx(700 * std::numbers::pi * 1e-4));
}

TEST_CASE("what is said of one curve holds for it alone, wherever it stands; else the last holds")
{
    Scene scene = two_curves();
    say(scene, Kind::bend_stiffness, 0.4, 0.2);
    say(scene, Kind::bend_stiffness, 0.8, 0.8, 1);
    say(scene, Kind::bend_stiffness, 0.4, 0.2);
    say(scene, Kind::damping, 0.7, 0.7);
    say(scene, Kind::damping, 0.1, 0.3);
    CHECK(section(scene, 0).bend_x == 0.4);
    CHECK(section(scene, 0).bend_z == 0.2);
    CHECK(section(scene, 0).twist == doctest::Approx(0.3 / 1.3));
    CHECK(section(scene, 1).bend_x == 0.8);
    CHECK(section(scene, 1).damping_twist == 0.3);
}

TEST_CASE("no stiffness is a chain; a stiffness beyond all measure is rigid and finite")
{
    Scene scene = two_curves();
    say(scene, Kind::mass_per_length, 0.1, 0.1);
    say(scene, Kind::bend_stiffness, 0, 0);
    CHECK(section(scene, 0).bend_x == 0);
    CHECK(section(scene, 0).twist == 0);
    say(scene, Kind::bend_stiffness, 1e30, 1e30);
    CHECK(section(scene, 0).bend_x == doctest::Approx(1e11));
}

TEST_CASE("ramps along, tracks in time")
{
    Scene scene = two_curves();
    scene.tracks.push_back({.along = true, .keys = {{{0.02}, 0}, {{0.01}, 1}}});
    scene.tracks.push_back({.along = false, .keys = {{{1}, 0}, {{3}, 2}}});
    scene.formulas.push_back({.operation = Operation::track, .index = 0});
    scene.formulas.push_back({.operation = Operation::track, .index = 1});
    scene.strand_properties.push_back(
        {.kind = Kind::mass_per_length, .tree = ObjectId{1}, .a = {0, 0}, .b = {0, 0}});
    StrandSections sections(scene, 0, 2);
    CHECK(sections.at(0, 0.5).mass_per_length == doctest::Approx(0.015));
    CHECK(sections.mass(0) == doctest::Approx(0.03));
    CHECK(!sections.changes_in_time());
    scene.strand_properties[0].a = scene.strand_properties[0].b = {0, 1};
    CHECK(StrandSections(scene, 0, 2).at(1, 0.5).mass_per_length == doctest::Approx(2));
    CHECK(StrandSections(scene, 0, 2).changes_in_time());
}
