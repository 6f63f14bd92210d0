// Bodies as data: which faults are found in scenes made by programs.

#include "scene/objects/bodies.h"

#include "support/readings.h"
#include "support/scene_builder.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <limits>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A crate and a ball, a hull on the ground, a hinge between the first two.
Scene make_scene()
{
    SceneBuilder builder;
    const ObjectId crate = builder.add_object("crate");
    const ObjectId lid = builder.add_object("lid", crate);
    const ObjectId ball = builder.add_object("ball");
    const ObjectId ground = builder.add_object("ground");
    builder.transform(lid, TransformationKind::translate_y, {0.5});
    builder.transform(ball, TransformationKind::translate_x, {3});
    Scene& s = builder.scene;
    s.bodies = {{.object = crate, .density = 2}, {.object = ball, .mass = 5}, {.object = ground}};
    s.meshes = {{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                 {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}}};
    s.shapes = {{.kind = ShapeKind::box, .body = crate, .frame = crate, .size = {1, 1, 1}},
                {.kind = ShapeKind::hull, .body = crate, .frame = lid, .mesh = 0},
                {.kind = ShapeKind::sphere, .body = ball, .frame = ball, .radius = 1},
                {.kind = ShapeKind::plane, .body = ground, .frame = ground, .size = {0, 1, 0}}};
    s.materials = {{.object = crate}};
    s.material_pairs = {{.a = crate, .b = ground}};
    s.joints = {
        {.kind = JointKind::hinge, .a = crate, .b = ball, .frame = ObjectId{0}, .axis = {0, 1, 0}}};
    return builder.finish();
}

/// The codes found after a change.
template <class Change>
Codes after(Change change)
{
    Scene scene = make_scene();
    change(scene);
    return codes_in(validate(scene));
}

const Codes kRange = {"out-of-range"};

} // namespace

TEST_CASE("a sound scene of bodies has no faults, and its bodies weigh what they should")
{
    const Scene scene = make_scene();

    REQUIRE(validate(scene).empty());
    const std::vector<double> masses = read_scene(scene).body_masses;
    REQUIRE(masses.size() == 3);
    CHECK(masses[0] == doctest::Approx(2 * (1 + 1.0 / 6)));
    CHECK(masses[1] == 5);
    CHECK(masses[2] == 0);
}

TEST_CASE("references that lead nowhere are found")
{
    const Codes kNone = {"no-such-object"};
    const ObjectId none{99};

    CHECK(after([&](Scene& s) { s.bodies[0].object = none; }) == kNone);
    CHECK(after([&](Scene& s) { s.shapes[0].frame = none; }) == kNone);
    CHECK(after([&](Scene& s) { s.shapes[0].body = none; }) == kNone);
    CHECK(after([&](Scene& s) { s.shapes[1].mesh = 7; }) == kNone);
    CHECK(after([&](Scene& s) { s.shapes[1].mesh = Shape::kNoMesh; }) == kNone);
    CHECK(after([&](Scene& s) { s.materials[0].object = none; }) == kNone);
    CHECK(after([&](Scene& s) { s.material_pairs[0].b = {}; }) == kNone);
    CHECK(after([&](Scene& s) { s.joints[0].a = none; }) == kNone);
    CHECK(after([&](Scene& s) { s.joints[0].frame = {}; }) == kNone);
    CHECK(after([&](Scene& s) { s.joints[0].motor = Value{0, 5}; }) == kNone);
    CHECK(after([&](Scene& s) { s.meshes[0].triangles[0][1] = 4; }) == Codes{"bad-mesh"});
    CHECK(after([&](Scene& s) { s.meshes[0].vertices[0].x = kNaN; }) == Codes{"bad-mesh"});
}

TEST_CASE("numbers out of range are found")
{
    CHECK(after([](Scene& s) { s.bodies[0].density = -1; }) == kRange);
    CHECK(after([](Scene& s) { s.bodies[0].mass = 1; }) == kRange);
    CHECK(after([](Scene& s) { s.bodies[0].velocity.y = kNaN; }) == kRange);
    CHECK(after([](Scene& s) { s.shapes[0].size.z = 0; }) == kRange);
    CHECK(after([](Scene& s) { s.shapes[2].radius = -1; }) == kRange);
    CHECK(after([](Scene& s) { s.shapes[3].size = {0, 2, 0}; }) == kRange);
    CHECK(after([](Scene& s) { s.shapes[3].offset = kNaN; }) == kRange);
    CHECK(after([](Scene& s) { s.materials[0].bounce = 1.5; }) == kRange);
    CHECK(after([](Scene& s) { s.material_pairs[0].friction = -1; }) == kRange);
    CHECK(after([](Scene& s) { s.joints[0].axis = {0, 0, 0}; }) == kRange);
    CHECK(after([](Scene& s) { s.joints[0].low = kNaN; }) == kRange);
    CHECK(after([](Scene& s) { s.joints[0].breaks = -1.0; }) == kRange);
    CHECK(after([](Scene& s) { s.joints[0].motor = Value{kNaN}; }) == kRange);
    CHECK(after([](Scene& s) { s.settings.bodies.substeps = 0; }) == kRange);
}

TEST_CASE("a height field is as large as its mesh says")
{
    const auto field = [](double columns) {
        return after([&](Scene& s) {
            s.shapes[3] = {.kind = ShapeKind::height_field,
                           .body = ObjectId{4},
                           .frame = ObjectId{4},
                           .size = {columns, 0, 2},
                           .length = 1,
                           .mesh = 0};
        });
    };
    CHECK(field(2).empty());
    CHECK(field(3) == kRange);
}

TEST_CASE("joints and pairs name bodies")
{
    CHECK(after([](Scene& s) { s.joints[0].b = ObjectId{2}; }) == Codes{"joint-holds-nothing"});
    CHECK(after([](Scene& s) { s.joints[0].b = ObjectId{0}; }).empty());
    CHECK(after([](Scene& s) { s.joints[0].b = s.joints[0].a; }) == Codes{"joint-holds-nothing"});
    CHECK(after([](Scene& s) { s.material_pairs[0].a = ObjectId{2}; }) == Codes{"no-body"});
    CHECK(after([](Scene& s) { s.materials[0].object = ObjectId{2}; }) ==
          Codes{"material-without-body"});
    CHECK(after([](Scene& s) {
              s.distance_constraints = {{.a = ObjectId{1}, .b = ObjectId{4}, .distance = {1}}};
          }) == Codes{"constraint-on-body"});
}

TEST_CASE("a frame that rides on another body belongs to that one")
{
    Scene scene = make_scene();
    scene.objects[2].on = ObjectId{3}; // the lid on the ball

    const BodyMap map = make_body_map(scene);

    CHECK(map.around[2] == ObjectId{3});
    CHECK(map.is_in_moved(ObjectId{2}));
    CHECK_FALSE(map.is_in_moved(ObjectId{4}));
    CHECK_FALSE(map.around[0].is_valid());
    CHECK(codes_in(validate(scene)) == Codes{"shape-without-body"});
}

TEST_CASE("the frame between two objects is fixed only where nothing moves")
{
    SceneBuilder builder;
    const ObjectId outer = builder.add_object("outer");
    const ObjectId inner = builder.add_object("inner", outer);
    builder.transform(outer, TransformationKind::translate_x, builder.time());
    builder.transform(inner, TransformationKind::translate_y, {2});
    const Scene scene = builder.finish();

    REQUIRE(find_fixed_frame(scene, inner, outer));
    CHECK(is_near(find_fixed_frame(scene, inner, outer)->origin, {0, 2, 0}));
    CHECK_FALSE(find_fixed_frame(scene, inner, ObjectId{0}));
    CHECK_FALSE(find_fixed_frame(scene, outer, inner)); // not inside it
}

TEST_CASE("no damage to the lists of bodies goes through to the reading")
{
    const auto any_index = [] { return *rc::gen::inRange<std::uint32_t>(0, 7); };
    const auto any_object = [&] { return ObjectId{any_index()}; };
    const auto any_number = [] { return *rc::gen::element(0.0, 1.0, -1.0, 1e300, kNaN); };
    const auto any_vector = [&] { return Vec3{any_number(), any_number(), any_number()}; };
    CHECK(rc::check("after random damage", [&] {
        Scene s = make_scene();
        const int blows = *rc::gen::inRange(1, 4);
        for (int i = 0; i < blows; ++i)
            switch (*rc::gen::inRange(0, 12)) {
            case 0: s.bodies[any_index() % 3].object = any_object(); break;
            case 1: s.bodies[any_index() % 3].density = any_number(); break;
            case 2: s.shapes[any_index() % 4].body = any_object(); break;
            case 3: s.shapes[any_index() % 4].frame = any_object(); break;
            case 4: s.shapes[any_index() % 4].mesh = any_index() % 2; break;
            case 5:
                s.shapes[any_index() % 4].kind = static_cast<ShapeKind>(*rc::gen::inRange(0, 9));
                break;
            case 6: s.shapes[any_index() % 4].size = any_vector(); break;
            case 7: s.meshes[0].triangles[any_index() % 4][0] = any_index(); break;
            case 8: s.meshes[0].vertices[any_index() % 4] = any_vector(); break;
            case 9: s.joints[0].b = any_object(); break;
            case 10: s.joints[0].axis = any_vector(); break;
            default: s.objects[1 + any_index() % 4].on = any_object();
            }

        if (!has_errors(validate(s))) {
            const Reading reading = read_scene(s);
            RC_ASSERT(reading.body_masses.size() == 3u);
        }
    }));
}
