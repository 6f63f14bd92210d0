// From the words of strands to the scene: curves in their order, properties, points, air.

#include "charli/text/read.h"
#include "physics/motions.h"
#include "scene/objects/strand_section.h"
#include "scene/objects/strands.h"
#include "support/files.h"
#include "support/readings.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sinew;
using namespace sinew::test;

namespace {

const std::string kTree = "def tree trunk = strand(line(0,0,0, 0,2,0), segments = 20);"
                          "limb = branch(line(0,0,0, 1,0,0), from = trunk at 0.6 along, "
                          "segments = 8); ";

} // namespace

TEST_CASE("a def with strand and branch is a tree")
{
    const Posture posture(sound_scene(kTree + "end; tree translatex(3);"));
    const Scene& scene = posture.scene();

    REQUIRE(scene.trees.size() == 1);
    CHECK(scene.trees[0].object == posture.object("tree"));
    REQUIRE(scene.strands.size() == 2);
    CHECK(scene.strands[0].object == posture.object("trunk"));
    CHECK(scene.strands[0].tree == posture.object("tree"));
    CHECK(scene.strands[0].segments == 20);
    CHECK(scene.strands[0].from == StrandCurve::kNone);
    CHECK(scene.strands[1].from == 0);
    CHECK(scene.strands[1].from_along == 0.6);
    CHECK(strand_names(scene) == std::vector<std::string>{"tree.trunk", "tree.limb"});
}

TEST_CASE("a branch written before its parent comes behind it")
{
    const Scene scene =
        sound_scene("def tree b = branch(line(0,0,0, 1,0,0), from = a at 1 along);"
                    "a = branch(line(0,0,0, 0,0,1), from = trunk at 0.5 along);"
                    "trunk = strand(line(0,0,0, 0,2,0)); end; tree; other = tree translatex(1);");

    REQUIRE(scene.strands.size() == 6);
    CHECK(scene.strands[1].from == 0);
    CHECK(scene.strands[2].from == 1);
    CHECK(scene.strands[3].from == StrandCurve::kNone);
    CHECK(scene.strands[5].from == 4);
    CHECK(strand_names(scene)[5] == "other.b");
}

TEST_CASE("every property has its numbers, for all strands of a def or for one")
{
    const Scene scene = sound_scene(
        kTree + "radius({2 cm at 0 along linear 5 mm at 1 along}); density(700); young(1e9);"
                "poisson(0.4); bend_stiffness(0.8, 0.4) on limb; twist_stiffness(0.2) on limb;"
                "damping(0.1, 0.2); air_drag(0.01, 0.1); mass_per_length(0.5) on limb; end; tree;");

    const StrandSection trunk = StrandSections(scene, 0, 2).at(0, 0.5);
    const StrandSection limb = StrandSections(scene, 1, 1).at(0, 0);
    CHECK(trunk.radius == doctest::Approx(0.0125));
    CHECK(trunk.mass_per_length == doctest::Approx(700 * 3.14159265 * 0.0125 * 0.0125));
    CHECK(limb.bend_x == 0.8);
    CHECK(limb.bend_z == 0.4);
    CHECK(limb.twist == 0.2);
    CHECK(limb.mass_per_length == 0.5);
    CHECK(limb.damping_twist == 0.2);
    CHECK(limb.drag_across == 0.1);
}

TEST_CASE("hinges, rest without gravity, settings")
{
    const Scene scene =
        sound_scene("def a strand(line(0,0,0, 0,1,0)); hinge(z); zero_gravity_rest(); end;"
                    "a; settle(); strands(method = ida, precision = float, tolerance = 1e-6);");

    CHECK(StrandSections(scene, 0, 1).hinge() == Axis::z);
    CHECK(scene.trees[0].has_zero_gravity_rest);
    CHECK(scene.settings.settle);
    CHECK(scene.settings.strands.method == StrandMethod::ida);
    CHECK(scene.settings.strands.is_float);
    CHECK(scene.settings.strands.tolerance == 1e-6);
}

TEST_CASE("a strand moves at the start as one with its instance")
{
    const Scene scene = sound_scene("def a strand(line(0,0,0, 0,1,0)); end;"
                                    "def two a translatex(1); end;"
                                    "two translatey(5) velocity(1, 0, 0) spin(0, 0, 2);");

    CHECK(is_near(scene.trees[0].velocity, {1, 2, 0}));
    CHECK(is_near(scene.trees[0].spin, {0, 0, 2}));
}

TEST_CASE("a point of a strand is a frame that others ride on, at rest where the strand is")
{
    const Posture posture(
        sound_scene("def garland strand(polyline(0,0,0, 1,0,0, 1,-1,0), segments = 20); end;"
                    "def lantern line(0,0,0, 0,-0.1,0); end;"
                    "garland translatex(3) rotatez(90 deg); lantern translatex(0.1) on garland at "
                    "0.75 along;"));
    const Scene& scene = posture.scene();

    REQUIRE(scene.strand_sites.size() == 1);
    CHECK(scene.strand_sites[0].along == 0.75);
    CHECK(scene.objects[posture.object("lantern").index].on == scene.strand_sites[0].object);
    // The strand's point (4, -0.5, 0) turned to (0.5, 4, 0); y of its frame leads along it.
    const Affine site = posture.kinematics().frame(scene.strand_sites[0].object);
    CHECK(is_near(site.origin, {0.5, 4, 0}));
    CHECK(is_near(site.linear.y, {1, 0, 0}));
}

TEST_CASE("forces push points of strands, springs and distances hold them")
{
    const std::string braid = "def braid strand(line(0,0,0, 0,-1,0)); end; braid;"
                              "def nail label(); end; nail translatex(1);";
    const Scene scene = sound_scene(braid + "force(braid at 0.5 along, 1, 0, 0);");
    REQUIRE(scene.strand_sites.size() == 1);
    CHECK(scene.forces[0].object == scene.strand_sites[0].object);
    const Scene held = sound_scene(braid + "spring_and_damper(nail, braid at 1 along, 1, 10, 0.1);"
                                           "dist_constraint(braid at 1 along, nail, 2);"
                                           "position_constraint(braid at 0.5 along, nail);");
    REQUIRE(held.strand_constraints.size() == 3);
    CHECK(held.point_springs.empty());
    CHECK(held.distance_constraints.empty());
    CHECK(held.rod_constraints.empty());
    for (const StrandConstraint& c : held.strand_constraints)
        CHECK(held.objects[c.b.index].name == "nail");
}

TEST_CASE("air is on trees, on all trees in an instance, or on one strand")
{
    const Posture posture(sound_scene(
        kTree + "air_drag(0.01, 0.1); end;"
                "def wood for i in 1..3 t[i] = tree translatex(i); end; end; wood; tree;"
                "wind(1, 0, 0, weight = {0 at 0 along linear 1 at 1 along}) on wood;"
                "turbulence(3, size = 0.5, period = 0.2, seed = 7) on tree;"
                "vortex(line(0,0,0, 0,2,0), 4, size = 0.3) on tree.limb;"
                "wake(tree, size = 0.2) on wood; noise(2) on wood;"));
    const Scene& scene = posture.scene();

    REQUIRE(scene.airs.size() == 5);
    CHECK(scene.airs[0].on.size() == 3);
    CHECK_FALSE(scene.airs[0].weight.is_constant());
    CHECK(scene.airs[1].strength.number == 3);
    CHECK(scene.airs[1].seed == 7);
    CHECK(is_near(scene.airs[2].axis, {0, 1, 0}));
    CHECK(scene.airs[2].on.size() == 1);
    CHECK(scene.airs[3].strength.number == 1);
    CHECK(scene.airs[4].kind == AirKind::noise);
}

TEST_CASE("here_x in a field is the place acted at, unless an object has the name")
{
    const Scene scene = sound_scene("def a strand(line(0,0,0, 0,1,0)); end; a;"
                                    "field(-here_x, 2 * here_y, 0) on a;");
    const auto count = [](const Scene& s) {
        return std::count_if(s.formulas.begin(), s.formulas.end(),
                             [](const Formula& f) { return f.operation == Operation::here; });
    };
    CHECK(count(scene) == 2);
    const Scene named = sound_scene("def a strand(line(0,0,0, 0,1,0)); end; a;"
                                    "def spot label(); end; here = spot translatex(2);"
                                    "field(-here_x, 0, 0) on a;");
    CHECK(count(named) == 0);
}

TEST_CASE("the reading counts strands, segments, joint coordinates and mass")
{
    const ScriptReading reading = read_text(
        kTree + "mass_per_length(0.1); hinge(x) on limb; end; tree; b = tree translatex(1);");
    REQUIRE(reading.is_sound());
    CHECK(reading.reading.tree_count == 2);
    CHECK(reading.reading.strand_count == 4);
    CHECK(reading.reading.segment_count == 56);
    CHECK(reading.reading.joint_coordinate_count == 2 * (60 + 8));
    CHECK(reading.reading.strand_masses[0] == doctest::Approx(0.2));
}

TEST_CASE("a path written elsewhere is taken in the frame of the def")
{
    const Scene scene = sound_scene("var p; p = line(0,0,0, 0,-1,0);"
                                    "def lock(q) strand(q, segments = 4); end;"
                                    "lock(p) translatex(1);");
    CHECK(scene.paths[scene.strands[0].path.index].frame == scene.strands[0].tree);
}

TEST_CASE("a groom grows on a surface: so many strands, in the frame of the def")
{
    const std::map<std::string, std::string> files = {
        {"scalp.obj", "v 0 0 0\nv 1 0 0\nv 0 0 -1\nf 1 2 3\n"}};
    const auto grown = [&](const std::string& more) {
        const ScriptReading reading = read_script(
            "t.charli",
            "def fur groom(\"scalp.obj\", count = 30, segments = 6, length = 10 cm, scale = 2" +
                more + "); end; fur translatey(1);",
            files_in_memory(files));
        REQUIRE_MESSAGE(reading.is_sound(), problems_text(reading.problems, false));
        return reading.scene;
    };
    const Scene scene = grown("");
    CHECK(scene.trees.size() == 1);
    REQUIRE(scene.strands.size() == 30);
    for (const StrandShape& shape : sample_strands(scene)) {
        CHECK(shape.nodes.size() == 7);
        CHECK(shape.length == doctest::Approx(0.1)); // lengths are metres, whatever the file's unit
        CHECK(shape.nodes[0].y == doctest::Approx(0));
        CHECK(shape.nodes[0].x + -shape.nodes[0].z <= 2 + 1e-9);
    }
    const auto first = [](const Scene& s) { return sample_strands(s)[0].nodes[0]; };
    CHECK(length(first(grown(", vary = 0.5")) - first(scene)) < 1e-12);
    CHECK(length(first(grown(", seed = 2")) - first(scene)) > 1e-3);
}

TEST_CASE("a groom on a mesh that moves stands on its skin")
{
    const Scene scene = repository_scene("examples/mane.charli");
    REQUIRE(scene.skins.size() == 1);
    CHECK(scene.skins[0].times.size() > 30);
    CHECK(scene.strand_roots.size() == scene.strands.size());
    for (const StrandCurve& curve : scene.strands)
        CHECK(curve.root != StrandCurve::kNone);
}
