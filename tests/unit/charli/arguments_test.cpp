#include "support/readings.h"

#include <doctest/doctest.h>

using namespace sinew;
using namespace sinew::test;

namespace {

const std::string kTwo = "def bob mass(1); end; a = bob; b = bob translatex(2); ";

double number_at(const Scene& scene, ValueList list, std::uint32_t i)
{
    return scene.values[list.first + i].number;
}

} // namespace

// --- what each statement adds

TEST_CASE("masses, blocks and labels are added to their def")
{
    const Posture posture(sound_scene("def bob mass(2.5); end; def crate box_mass(5, 1, 2, 3); end;"
                                      "def tip label(); end; bob; crate; tip;"));
    const Scene& scene = posture.scene();

    REQUIRE(scene.masses.size() == 1);
    CHECK(scene.masses[0].mass == 2.5);
    CHECK(scene.masses[0].object == posture.object("bob"));
    REQUIRE(scene.box_masses.size() == 1);
    CHECK(scene.box_masses[0].mass == 5);
    CHECK(is_near(scene.box_masses[0].size, {1, 2, 3}));
    REQUIRE(scene.labels.size() == 1);
    CHECK(scene.labels[0].object == posture.object("tip"));
}

TEST_CASE("as a statement a line draws, right of = it is a path")
{
    const Scene scene = sound_scene("line(0,0,0, 1,2,3); var p; p = line(4,5,6, 7,8,9); path(p);"
                                    "polygon(0,0,0, 1,0,0, 1,1,0); path(point(1,2,3));"
                                    "path(polyline(0,0,0, 1,0,0, 2,1,0));"
                                    "path(spline_through(0,0,0, 1,0,0, 2,1,0));");

    REQUIRE(scene.drawings.size() == 6); // drawing order is that of the script
    CHECK(scene.drawings[0].kind == DrawingKind::line);
    CHECK(number_at(scene, scene.drawings[0].points, 4) == 2);
    CHECK(scene.drawings[1].kind == DrawingKind::path);
    CHECK(scene.drawings[2].kind == DrawingKind::polygon);
    CHECK(scene.drawings[2].points.count == 9);
    const auto kind = [&](std::size_t i) { return scene.paths[scene.drawings[i].path.index].kind; };
    CHECK(kind(1) == PathKind::line);
    CHECK(kind(3) == PathKind::point);
    CHECK(kind(4) == PathKind::polyline);
    CHECK(kind(5) == PathKind::spline_through);
}

TEST_CASE("constraints name objects, and a distance may move")
{
    const Scene scene = sound_scene(kTwo + "dist_constraint(a, b, 2);"
                                           "dist_constraint(b, a, {2 at 0 sec hold 2 at 1 sec});"
                                           "path_constraint(b, line(0,0,0, 1,0,0));");

    REQUIRE(scene.distance_constraints.size() == 2);
    CHECK(scene.distance_constraints[0].distance.number == 2);
    CHECK(scene.distance_constraints[1].a == scene.distance_constraints[0].b);
    CHECK_FALSE(scene.distance_constraints[1].distance.is_constant());
    REQUIRE(scene.path_constraints.size() == 1);
    CHECK(scene.path_constraints[0].point == scene.distance_constraints[0].b);
}

TEST_CASE("a spring has five arguments between points, four along a coordinate")
{
    const Scene scene =
        sound_scene(kTwo + "dynamic q; q = initial(1, 0); bob translatey(q);"
                           "spring_and_damper(a, b, 1, 2, 3); spring_and_damper(q, 4, 5, 6);"
                           "spring_and_damper(a, b, damping = 7, stiffness = 8, rest_length = 9);");

    REQUIRE(scene.point_springs.size() == 2);
    CHECK(scene.point_springs[0].rest_length.number == 1);
    CHECK(scene.point_springs[0].stiffness.number == 2);
    CHECK(scene.point_springs[0].damping.number == 3);
    CHECK(scene.point_springs[1].rest_length.number == 9);
    CHECK(scene.point_springs[1].stiffness.number == 8);
    CHECK(scene.point_springs[1].damping.number == 7);
    REQUIRE(scene.coordinate_springs.size() == 1);
    CHECK(scene.coordinate_springs[0].coordinate == CoordinateId{0});
    CHECK(scene.coordinate_springs[0].rest_length.number == 4);
    CHECK(scene.coordinate_springs[0].stiffness.number == 5);
    CHECK(scene.coordinate_springs[0].damping.number == 6);
    CHECK(codes_of(kTwo + "spring_and_damper(a, b, 1);") == Codes{"wrong-argument-count"});
    CHECK(codes_of(kTwo + "spring_and_damper(a, b, 1, 2, 3, 4, 5, 6, 1, 1, 1);") ==
          Codes{"wrong-argument-count"});
    CHECK(codes_of(kTwo + "spring_and_damper(a, 1, 1, 1);") == Codes{"object-as-number"});
}

TEST_CASE("forces act in the frame of the def they are written in")
{
    const Posture posture(sound_scene("def bob mass(1); end; dynamic q; q = initial(0, 0);"
                                      "def arm bob translatex(q); force(bob, 1, time, 3);"
                                      " field(1, 2, 3) on bob; end;"
                                      "arm rotatez(90 deg); torque(q, 4); drag(bob, 5);"
                                      "gravity(0, {0 at 0 sec linear -9 at 1 sec}, 1);"));
    const Scene& scene = posture.scene();

    REQUIRE(scene.forces.size() == 1);
    CHECK(scene.forces[0].object == posture.object("bob"));
    CHECK(scene.forces[0].frame == posture.object("arm"));
    CHECK(scene.forces[0].x.number == 1);
    CHECK_FALSE(scene.forces[0].y.is_constant());
    REQUIRE(scene.fields.size() == 1);
    CHECK(scene.fields[0].on == std::vector<ObjectId>{posture.object("bob")});
    CHECK(scene.fields[0].frame == posture.object("arm"));
    CHECK(scene.torques[0].value.number == 4);
    CHECK(scene.drags[0].coefficient.number == 5);
    CHECK(scene.settings.gravity_z.number == 1);
    CHECK_FALSE(scene.settings.gravity_y.is_constant());
}

TEST_CASE("settings are those of the script, or their defaults")
{
    const Settings plain = sound_scene("label();").settings;
    const Settings set =
        sound_scene("label(); simulate(1 sec, 2 sec, step = 1 ms); frame_rate(30 fps);"
                    "assemble; linkages(method = charli);"
                    "camera(0, 1, 6, 0, 2, 0, fov = 35 deg);")
            .settings;

    CHECK(plain.gravity_y.number == -9.81);
    CHECK(plain.frame_rate == 24);
    CHECK(plain.start == 0);
    CHECK(plain.end == 10);
    CHECK(plain.step == doctest::Approx(1.0 / 240));
    CHECK_FALSE(plain.assemble);
    CHECK(plain.linkage_method == LinkageMethod::automatic);
    CHECK_FALSE(plain.camera.has_value());
    CHECK(set.start == 1);
    CHECK(set.end == 2);
    CHECK(set.step == 0.001);
    CHECK(set.frame_rate == 30);
    CHECK(set.assemble);
    CHECK(set.linkage_method == LinkageMethod::charli);
    REQUIRE(set.camera.has_value());
    CHECK(is_near(set.camera->position, {0, 1, 6}));
    CHECK(is_near(set.camera->target, {0, 2, 0}));
    CHECK(set.camera->field_of_view == doctest::Approx(0.6108652381980153));
}

TEST_CASE("a colour belongs to its def")
{
    const Posture posture(sound_scene("def bob colour(0.1, 0.2, 0.3); mass(1); end; bob;"));

    REQUIRE(posture.scene().colours.size() == 1);
    CHECK(posture.scene().colours[0].object == posture.object("bob"));
    CHECK(is_near(posture.scene().colours[0].rgb, {0.1, 0.2, 0.3}));
}

// --- how arguments are given

TEST_CASE("arguments are given in order, by name, or first in order and then by name")
{
    const auto step = [](const std::string& arguments) {
        return sound_scene("label(); simulate(" + arguments + ");").settings;
    };

    CHECK(step("1, 2").end == 2);
    CHECK(step("to = 2, from = 1").start == 1);
    CHECK(step("1, step = 0.5, to = 2").end == 2);
    CHECK(step("from = 1, 2, 0.25").step == 0.25); // behind a name the order goes on
    CHECK(codes_of("label(); simulate(1, 2, from = 0);") == Codes{"argument-twice"});
    CHECK(codes_of("label(); simulate(1, until = 2);") == Codes{"unknown-argument"});
    CHECK(codes_of("label(); simulate(1);") == Codes{"missing-argument"});
    CHECK(codes_of("label(); simulate(1, 2, 3, 4);") == Codes{"too-many-arguments"});
}

TEST_CASE("a word that an argument expects is looked up before the script's names")
{
    const Settings settings = sound_scene("var charli; charli = 3; label() translatex(charli);"
                                          "linkages(method = charli);")
                                  .settings;

    CHECK(settings.linkage_method == LinkageMethod::charli);
    CHECK(codes_of("label(); linkages(method = fast);") == Codes{"unknown-choice"});
    CHECK(codes_of("label(); linkages(charli);") == Codes{});
    CHECK(codes_of("label(); linkages();") == Codes{});
    CHECK(codes_of("label(); linkages(method = \"charli\");") == Codes{"unknown-choice"});
}

TEST_CASE("arguments have to be of their kind")
{
    CHECK(codes_of("def bob mass(time); end; bob;") == Codes{"must-be-constant"});
    CHECK(codes_of(kTwo + "dist_constraint(a, 2, 1);") == Codes{"expected-object"});
    CHECK(codes_of(kTwo + "path_constraint(a, 2);") == Codes{"not-a-path"});
    CHECK(codes_of(kTwo + "path_constraint(a, b);") == Codes{"object-as-number"});
    CHECK(codes_of(kTwo + "torque(2, 1);") == Codes{"not-a-coordinate"});
    CHECK(codes_of(kTwo + "torque(a, 1);") == Codes{"object-as-number"});
    CHECK(codes_of("dynamic q; q = initial(1, 0); mass(1) translatex(q); torque(2 * q, 1);") ==
          Codes{"not-a-coordinate"});
    CHECK(codes_of("label() translatex(\"far\");") == Codes{"not-a-number"});
}

TEST_CASE("numbers have to lie in their range; what moves is trusted")
{
    CHECK(codes_of("def bob mass(0); end; bob;") == Codes{"out-of-range"});
    CHECK(codes_of("def bob mass(-1 gram); end; bob;") == Codes{"out-of-range"});
    CHECK(codes_of("def bob box_mass(1, 1, 0, 1); end; bob;") == Codes{"out-of-range"});
    CHECK(codes_of("label(); frame_rate(-24);") == Codes{"out-of-range"});
    CHECK(codes_of("label(); simulate(0, 1, step = 0);") == Codes{"out-of-range"});
    CHECK(codes_of("colour(0, 1, 1.01);") == Codes{"out-of-range"});
    CHECK(codes_of(kTwo + "spring_and_damper(a, b, 1, -1, 0);") == Codes{"out-of-range"});
    CHECK(codes_of(kTwo + "spring_and_damper(a, b, 0, 0, 0);") == Codes{});
    CHECK(codes_of(kTwo + "drag(b, 1 - time);") == Codes{});
}

TEST_CASE("points are triples, as many as the word takes")
{
    CHECK(codes_of("line(0,0,0, 1,1);") == Codes{"points-not-triples"});
    CHECK(codes_of("line(0,0,0);") == Codes{"too-few-points"});
    CHECK(codes_of("line(0,0,0, 1,1,1, 2,2,2);") == Codes{"too-many-points"});
    CHECK(codes_of("polygon();") == Codes{"missing-points"});
    CHECK(codes_of("path(spline(0,0,0));") == Codes{"too-few-points"});
    CHECK(codes_of("path(point(0,0));") == Codes{"missing-argument"});
    CHECK(codes_of("line(0,0,0, x = 1,1,1);") == Codes{"unknown-argument"});
}

TEST_CASE("a unit of another kind gets a warning, also behind a sign or in brackets")
{
    CHECK(codes_of("label() rotatez(2 cm);") == Codes{"unit-mismatch"});
    CHECK(codes_of("label() rotatez(-(2 cm));") == Codes{"unit-mismatch"});
    CHECK(codes_of("line(0,0,0, 1,1,1 kg);") == Codes{"unit-mismatch"});
    CHECK(codes_of("label(); frame_rate(24 fps); simulate(0 ms, 10 sec);") == Codes{});
    CHECK(codes_of(kTwo + "spring_and_damper(a, b, 1 cm, 5 kg, 1);") == Codes{}); // N/m: not known
}

TEST_CASE("what has no place can be neither named, moved nor put on something")
{
    CHECK(codes_of(kTwo + "c = dist_constraint(a, b, 2);") == Codes{}); // to ask for its force
    CHECK(codes_of(kTwo + "c = gravity(0, 0, 0);") == Codes{"no-place"});
    CHECK(codes_of(kTwo + "dist_constraint(a, b, 2) translatex(1);") == Codes{"no-place"});
    CHECK(codes_of(kTwo + "gravity(0, 0, 0) on a;") == Codes{"no-place"});
    CHECK(codes_of(kTwo + "field(1, 0, 0);") == Codes{"missing-on"});
    CHECK(codes_of(kTwo + "field(1, 0, 0) on a, b;") == Codes{});
}
