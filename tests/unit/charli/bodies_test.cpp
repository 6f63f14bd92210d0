// From the words of bodies to the scene: what each statement adds, whom joints hold, how things
// move at the start.

#include "charli/text/read.h"
#include "scene/objects/bodies.h"
#include "support/files.h"
#include "support/readings.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace sinew;
using namespace sinew::test;

namespace {

const std::string kCrate = "def crate body(density = 400); box(1, 2, 3); end; ";
const std::string kGround = "def ground obstacle(); plane(0, 2, 0, 4); end; ground; ";

/// The unit tetrahedron; its triangles run counter-clockwise seen from outside.
const std::string kTetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                 "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
const std::string kInsideOut = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                               "f 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n";

} // namespace

TEST_CASE("a def with body and shapes is a body, with obstacle an obstacle")
{
    const Posture posture(sound_scene(kCrate + kGround + "crate; heavy = crate translatex(9);"));
    const Scene& scene = posture.scene();

    REQUIRE(scene.bodies.size() == 3);
    CHECK(scene.bodies[0].is_obstacle());
    CHECK(scene.bodies[0].object == posture.object("ground"));
    CHECK_FALSE(scene.bodies[1].is_obstacle());
    CHECK(scene.bodies[1].density == 400);
    CHECK(scene.bodies[2].object == posture.object("heavy"));
    REQUIRE(scene.shapes.size() == 3);
    CHECK(scene.shapes[1].body == posture.object("crate"));
    CHECK(is_near(scene.shapes[1].size, {1, 2, 3}));
}

TEST_CASE("the normal of a plane has unit length, and n·x = d still holds")
{
    const Scene scene = sound_scene(kGround);

    CHECK(is_near(scene.shapes[0].size, {0, 1, 0}));
    CHECK(scene.shapes[0].offset == 2); // 2 y = 4
}

TEST_CASE("every shape has its numbers")
{
    const Scene scene = sound_scene("def all body(mass = 3); sphere(1); capsule(2, 3);"
                                    "cylinder(4, 5); cone(6, 7); end; all;");

    REQUIRE(scene.shapes.size() == 4);
    CHECK(scene.bodies[0].mass == 3);
    CHECK(scene.shapes[0].radius == 1);
    CHECK(scene.shapes[1].kind == ShapeKind::capsule);
    CHECK(scene.shapes[1].radius == 2);
    CHECK(scene.shapes[1].length == 3);
    CHECK(scene.shapes[2].kind == ShapeKind::cylinder);
    CHECK(scene.shapes[2].length == 5);
    CHECK(scene.shapes[3].kind == ShapeKind::cone);
    CHECK(scene.shapes[3].radius == 6);
}

TEST_CASE("a transformed shape sits in a frame of its own, fixed to the body")
{
    const Posture posture(sound_scene("def bell body(density = 1); sphere(1);"
                                      "sphere(1) translatex(2); end; bell translatey(5);"));
    const Scene& scene = posture.scene();
    const ObjectId bell = posture.object("bell");

    REQUIRE(scene.shapes.size() == 2);
    CHECK(scene.shapes[0].frame == bell);
    CHECK(scene.shapes[1].frame != bell);
    CHECK(scene.shapes[1].body == bell);
    const auto frame = find_fixed_frame(scene, scene.shapes[1].frame, bell);
    REQUIRE(frame);
    CHECK(is_near(frame->origin, {2, 0, 0}));
    const MassProperties whole = masses_of_bodies(scene)[0];
    CHECK(whole.volume == doctest::Approx(2 * 4.0 / 3 * std::numbers::pi));
    CHECK(is_near(whole.centre, {1, 0, 0}, 1e-12));
}

TEST_CASE("the reading counts bodies and weighs them")
{
    const ScriptReading reading = read_text(kCrate + kGround +
                                            "crate translatey(5); light = crate translatey(9);"
                                            "ball_joint(crate, light, point(0, 7, 0));");

    REQUIRE(reading.is_sound());
    CHECK(reading.reading.body_count == 2);
    CHECK(reading.reading.obstacle_count == 1);
    CHECK(reading.reading.joint_count == 1);
    REQUIRE(reading.reading.body_masses.size() == 3);
    CHECK(reading.reading.body_masses[0] == 0);
    CHECK(reading.reading.body_masses[1] == doctest::Approx(2400));
}

TEST_CASE("a mesh is read once, however many instances show it, and scaled as it is read")
{
    const Files files{{"cow.obj", kTetrahedron}};
    const Scene scene =
        sound_scene("def cow body(density = 6000); mesh(\"cow.obj\", scale = 2); end;"
                    "def calf body(density = 6000); mesh(\"cow.obj\"); end;"
                    "for i in 1..3 c[i] = cow translatex(3 * i); end; calf;",
                    files);

    CHECK(scene.meshes.size() == 2);
    REQUIRE(scene.shapes.size() == 4);
    CHECK(scene.shapes[0].mesh == scene.shapes[2].mesh);
    const std::vector<MassProperties> solids = masses_of_bodies(scene);
    CHECK(mass_of_body(scene.bodies[0], solids[0]) == doctest::Approx(8000)); // 2³ · 6000 / 6
    CHECK(mass_of_body(scene.bodies[3], solids[3]) == doctest::Approx(1000));
}

TEST_CASE("a mesh that is inside out is turned, with a note")
{
    const ScriptReading reading = read_text(
        "def cow body(density = 6); mesh(\"cow.obj\"); end; cow;", {{"cow.obj", kInsideOut}});

    CHECK(reading.is_sound());
    CHECK(codes_in(reading.problems) == Codes{"mesh-inside-out"});
    CHECK(reading.reading.body_masses[0] == doctest::Approx(1));
}

TEST_CASE("an obstacle may be open")
{
    CHECK(codes_of("def wall obstacle(); mesh(\"wall.obj\"); end; wall;",
                   {{"wall.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"}})
              .empty());
}

TEST_CASE("files are named from the script they stand in")
{
    const Files files{{"animals/cow.charli", "def cow body(density = 1); mesh(\"cow.obj\"); end;"},
                      {"animals/cow.obj", kTetrahedron}};

    CHECK(codes_of("include \"animals/cow.charli\"; cow;", files).empty());
}

TEST_CASE("a hull keeps the corners only")
{
    const Scene scene = sound_scene("def stone body(density = 1);"
                                    "hull(0,0,0, 1,0,0, 0,1,0, 0,0,1, 0.1,0.1,0.1); end;"
                                    "stone; other = stone translatex(3);");

    REQUIRE(scene.meshes.size() == 1);
    CHECK(scene.meshes[0].vertices.size() == 4);
    CHECK(scene.meshes[0].triangles.size() == 4);
    CHECK(scene.shapes[0].kind == ShapeKind::hull);
}

TEST_CASE("heights from numbers and from a file make the same ground")
{
    const Files files{{"h.csv", "# heights\n0, 1, 2\n\n3 4 5\n"}};
    const Scene scene =
        sound_scene("def a obstacle(); height_field(3, 0.5, 0,1,2, 3,4,5); end;"
                    "def b obstacle(); height_field(\"h.csv\", 0.5); end; a; b translatex(9);",
                    files);

    REQUIRE(scene.meshes.size() == 2);
    CHECK(scene.meshes[0] == scene.meshes[1]);
    const TriangleMesh& ground = scene.meshes[0];
    REQUIRE(ground.vertices.size() == 6);
    CHECK(is_near(ground.vertices[0], {-0.5, 0, -0.25})); // centred
    CHECK(is_near(ground.vertices[5], {0.5, 5, 0.25}));
    CHECK(ground.triangles.size() == 4);
    for (const auto& [a, b, c] : ground.triangles)
        CHECK(
            cross(ground.vertices[b] - ground.vertices[a], ground.vertices[c] - ground.vertices[a])
                .y > 0);
    CHECK(is_near(scene.shapes[0].size, {3, 0, 2}));
    CHECK(scene.shapes[0].length == 0.5);
}

TEST_CASE("velocity and spin move an instance as one: v = v0 + w x (x - x0)")
{
    const Scene scene = sound_scene(kCrate + "def pair crate; crate translatex(2); end;"
                                             "pair rotatez(90 deg) translatey(7)"
                                             "velocity(1, 0, 0) spin(0, 0, 3);");

    REQUIRE(scene.bodies.size() == 2);
    CHECK(is_near(scene.bodies[0].velocity, {1, 0, 0}));
    // the second lies 2 m along x of the pair, which is y of the world
    CHECK(is_near(scene.bodies[1].velocity, {1 - 6, 0, 0}));
    CHECK(is_near(scene.bodies[1].spin, {0, 0, 3}));
}

TEST_CASE("motions of instances inside one another add up, each along its own axes")
{
    const Scene scene = sound_scene(kCrate + "def lot crate velocity(1, 0, 0); end;"
                                             "lot rotatez(90 deg) velocity(0, 0, 5);");

    CHECK(is_near(scene.bodies[0].velocity, {0, 1, 5}));
}

TEST_CASE("materials stand with their body; a pair of instances is every pair in them")
{
    const Scene scene = sound_scene(
        kGround + "def crate body(density = 1); box(1, 1, 1); material(friction = 1, rolling = 2);"
                  "end; def pile crate; crate translatey(2); end; pile;"
                  "contact_material(pile, ground, bounce = 0.5);");

    REQUIRE(scene.materials.size() == 2);
    CHECK(scene.materials[0].friction == 1);
    CHECK(scene.materials[0].bounce == 0);
    CHECK(scene.materials[0].rolling == 2);
    REQUIRE(scene.material_pairs.size() == 2);
    CHECK(scene.material_pairs[0].a == scene.bodies[1].object);
    CHECK(scene.material_pairs[1].a == scene.bodies[2].object);
    CHECK(scene.material_pairs[1].b == scene.bodies[0].object);
    CHECK(scene.material_pairs[1].bounce == 0.5);
    CHECK(scene.material_pairs[1].friction == 0.5);
}

TEST_CASE("joints hold two bodies, or a body and the world")
{
    const Posture posture(sound_scene(
        kCrate + "door = crate; wall = crate translatex(3); var axis; axis = line(1,0,0, 1,0,5);"
                 "hinge_joint(door, wall, axis, low = 0, high = 90 deg, motor = 2, breaks = 500);"
                 "slider_joint(door, axis, 0, 0.4, motor = time, motor_force = 7);"
                 "ball_joint(door, point(1, 2, 3), breaks = 9); fixed_joint(wall);"
                 "fixed_joint(door, wall, breaks = 3); dist_joint(door, wall);"));
    const Scene& scene = posture.scene();

    REQUIRE(scene.joints.size() == 6);
    const Joint& hinge = scene.joints[0];
    CHECK(hinge.kind == JointKind::hinge);
    CHECK(hinge.a == posture.object("door"));
    CHECK(hinge.b == posture.object("wall"));
    CHECK(is_near(hinge.point, {1, 0, 0}));
    CHECK(is_near(hinge.axis, {0, 0, 1}));
    CHECK(*hinge.high == doctest::Approx(std::numbers::pi / 2));
    CHECK(hinge.motor->number == 2);
    CHECK(*hinge.breaks == 500);
    const Joint& slider = scene.joints[1];
    CHECK(slider.b.index == 0);
    CHECK(*slider.low == 0);
    CHECK(*slider.high == 0.4);
    CHECK_FALSE(slider.motor->is_constant());
    CHECK(slider.motor_force == 7);
    CHECK(is_near(scene.joints[2].point, {1, 2, 3}));
    CHECK(*scene.joints[2].breaks == 9);
    CHECK(scene.joints[3].b.index == 0);
    CHECK(*scene.joints[4].breaks == 3);
    CHECK_FALSE(scene.joints[5].distance);
}

TEST_CASE("a line passed to a def is no second body")
{
    const Scene scene = sound_scene(
        kCrate + "var axis; axis = line(1,0,0, 1,0,5); crate;"
                 "def hang(l) hinge_joint(crate, l, 0, 1); hinge_joint(crate, l, breaks = 5); end;"
                 "hang(axis);");

    REQUIRE(scene.joints.size() == 2);
    CHECK(scene.joints[0].b.index == 0);
    CHECK(*scene.joints[0].high == 1);
    CHECK(*scene.joints[1].breaks == 5);
}

TEST_CASE("a joint named from the fixed side is the same joint seen from the other")
{
    const Posture posture(
        sound_scene(kCrate + "def post label(); end; crate; post translatex(2);"
                             "hinge_joint(post, crate, line(0,0,0, 0,1,0), low = 0, high = 1);"));
    const Joint& hinge = posture.scene().joints[0];

    CHECK(hinge.a == posture.object("crate"));
    CHECK(hinge.b.index == 0);
    CHECK(is_near(hinge.axis, {0, -1, 0}));
}

TEST_CASE("a distance between points of bodies is a joint, its ends in the bodies' own frames")
{
    const Posture posture(
        sound_scene("def crate body(density = 1); box(1, 1, 1); tip = label() translatex(0.5); end;"
                    "def post label(); end; a = crate translatey(3); b = crate translatex(5);"
                    "post translatez(7);"
                    "dist_constraint(a.tip, b, 2); dist_constraint(post, b.tip, {3 at 0 sec linear "
                    "1 at 2 sec});"));
    const Scene& scene = posture.scene();

    CHECK(scene.distance_constraints.empty());
    REQUIRE(scene.joints.size() == 2);
    CHECK(is_near(scene.joints[0].point, {0.5, 0, 0}));
    CHECK(is_near(scene.joints[0].other, {0, 0, 0}));
    CHECK(scene.joints[0].distance->number == 2);
    CHECK(scene.joints[1].a == posture.object("b"));
    CHECK(is_near(scene.joints[1].point, {0.5, 0, 0}));
    CHECK(scene.joints[1].b.index == 0);
    CHECK(is_near(scene.joints[1].other, {0, 0, 7}));
    CHECK_FALSE(scene.joints[1].distance->is_constant());
}

TEST_CASE("a distance from a linkage to an obstacle stays with the linkage")
{
    const Scene scene =
        sound_scene("dynamic x; def bob mass(1); end; def wall obstacle(); box(1, 1, 1); end;"
                    "bob translatey(-2) translatex(x); wall; dist_constraint(bob, wall, 2);");

    CHECK(scene.distance_constraints.size() == 1);
    CHECK(scene.joints.empty());
}

TEST_CASE("tracks move obstacles")
{
    CHECK(codes_of("def wall obstacle(); box(1, 1, 1); end;"
                   "wall rotatez(time) translatex({0 at 0 sec linear 1 at 2 sec});")
              .empty());
}

TEST_CASE("how bodies are computed")
{
    const BodySettings set = sound_scene("bodies(method = erleben, iterations = 50, shock = no,"
                                         "smoothing = 3, substeps = 2, sleep = no);")
                                 .settings.bodies;

    CHECK(set.method == BodyMethod::erleben);
    CHECK(set.iterations == 50);
    CHECK_FALSE(set.has_shock);
    CHECK(set.smoothing == 3);
    CHECK(set.substeps == 2);
    CHECK_FALSE(set.may_sleep);
    CHECK(sound_scene("").settings.bodies.method == BodyMethod::automatic);
}

TEST_CASE("a def of bodies that nothing instances leaves nothing behind")
{
    const Scene scene = sound_scene("def cow body(density = 1); hull(0,0,0, 1,0,0, 0,1,0, 0,0,1);"
                                    "material(); end;"
                                    "def herd cow velocity(1, 0, 0); fixed_joint(cow); end;"
                                    "def tip label(); end; tip;");

    CHECK(scene.bodies.empty());
    CHECK(scene.shapes.empty());
    CHECK(scene.meshes.empty());
    CHECK(scene.materials.empty());
    CHECK(scene.joints.empty());
}

TEST_CASE("meshes and pairs without end are refused")
{
    charli::Limits limits;
    limits.triangle_count = 3;
    limits.pair_count = 3;
    const auto codes = [&](const std::string& text) {
        return codes_in(charli::read("t.charli", text, no_files(), {}, limits, nullptr).problems);
    };

    CHECK(codes("def stone body(density = 1); hull(0,0,0, 1,0,0, 0,1,0, 0,0,1); end; stone;") ==
          Codes{"too-many-triangles"});
    CHECK(codes("def ball body(density = 1); sphere(1); end;"
                "def two ball; ball translatex(3); end; a = two; b = two translatey(3);"
                "contact_material(a, b);") == Codes{"too-many-pairs"});
}

TEST_CASE("what decides the motion of bodies decides the fingerprint")
{
    const std::string text = "def crate body(density = 400); box(1, 1, 1); material(friction = 1);"
                             "end; crate velocity(1, 0, 0); ball_joint(crate, point(0, 1, 0));";
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string other = text;
        other.replace(other.find(from), from.size(), to);
        return fingerprint(sound_scene(other));
    };
    const std::uint64_t own = fingerprint(sound_scene(text));

    CHECK(changed("400", " 400 ") == own);
    CHECK(changed("400", "401") != own);
    CHECK(changed("box(1", "box(2") != own);
    CHECK(changed("friction = 1", "friction = 2") != own);
    CHECK(changed("velocity(1", "velocity(2") != own);
    CHECK(changed("point(0", "point(1") != own);
    CHECK(changed("crate vel", "bodies(substeps = 2); crate vel") != own);
}
