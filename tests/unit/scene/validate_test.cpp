// One broken scene for each fault that a program can build into its data.

#include "support/readings.h"
#include "support/scene_builder.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <functional>
#include <limits>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kNowhere = 99;

/// A scene with something of everything, sound.
Scene make_scene()
{
    SceneBuilder b;
    b.scene.imports.push_back({.name = "wind"});
    b.scene.parameters.push_back({.name = "size", .value = 1});
    const Value q = b.add_coordinate("q", 1);
    const Value track = b.add_track({{{0}, 0}, {{1}, 1}});
    b.add_track({{{0}, 0}, {{1}, 1}}, true);
    b.apply(Operation::add, q, track);
    b.add_formula({.operation = Operation::imported, .index = 0});
    const ObjectId a = b.add_object("a");
    const ObjectId tip = b.add_object("tip", a);
    const ObjectId c = b.add_object("c", ObjectId{0}, tip);
    b.position(tip, Axis::x, a);
    b.transform(a, TransformationKind::translate_x, q);
    b.transform(tip, TransformationKind::scale, {2});
    b.scene.masses.push_back({a, 1});
    b.scene.box_masses.push_back({c, 1, {1, 1, 1}});
    b.scene.labels.push_back({tip});
    const PathId path = b.add_path(PathKind::line, {{0}, {0}, {0}, {1}, {0}, {0}});
    b.scene.drawings.push_back({DrawingKind::path, a, {}, path});
    b.scene.drawings.push_back({DrawingKind::line, a, {0, 6}});
    b.scene.distance_constraints.push_back({a, ObjectId{0}, {1}});
    b.scene.path_constraints.push_back({a, path});
    b.scene.point_springs.push_back({a, c, {1}, {1}, {1}});
    b.scene.coordinate_springs.push_back({CoordinateId{0}, {1}, {1}, {1}});
    b.scene.forces.push_back({a, ObjectId{0}, {1}, {1}, {1}});
    b.scene.torques.push_back({CoordinateId{0}, {1}});
    b.scene.drags.push_back({a, {1}});
    b.scene.fields.push_back({ObjectId{0}, {1}, {1}, {1}, {a, c}});
    b.scene.colours.push_back({a, {0, 0.5, 1}});
    b.scene.settings.camera = Camera{{0, 0, 5}, {0, 0, 0}, 0.6};
    return b.finish();
}

/// The codes after something was broken.
Codes broken(const std::function<void(Scene&)>& break_it)
{
    Scene scene = make_scene();
    break_it(scene);
    const Problems problems = validate(scene);
    for (const Problem& problem : problems) {
        CHECK(problem.severity == Severity::error);
        CHECK_FALSE(problem.place.file.empty()); // "masses[0]": the element at fault
        CHECK_FALSE(problem.what.empty());
        CHECK_FALSE(problem.hint.empty());
    }
    return codes_in(problems);
}

} // namespace

TEST_CASE("a sound scene has no faults")
{
    CHECK(broken([](Scene&) {}) == Codes{});
    CHECK(codes_in(validate(SceneBuilder().finish())) == Codes{});
}

TEST_CASE("a fault is placed at its element")
{
    Scene scene = make_scene();
    scene.masses.push_back({ObjectId{1}, -2});

    const Problems problems = validate(scene);

    REQUIRE(problems.size() == 1);
    CHECK(to_string(problems[0].place) == "masses[1]");
    CHECK(problems[0].what == "the mass must be positive and finite, is -2");
}

TEST_CASE("a scene has a world") { CHECK(codes_in(validate(Scene{})) == Codes{"no-world"}); }

TEST_CASE("formulas refer to what there is")
{
    const auto with = [](const Formula& formula) {
        return broken([&](Scene& s) { s.formulas.push_back(formula); });
    };

    CHECK(with({.operation = Operation::track, .index = kNowhere}) == Codes{"bad-formula"});
    CHECK(with({.operation = Operation::coordinate, .index = kNowhere}) == Codes{"bad-formula"});
    CHECK(with({.operation = Operation::imported, .index = kNowhere}) == Codes{"bad-formula"});
    CHECK(with({.operation = Operation::position, .index = kNowhere, .frame = ObjectId{0}}) ==
          Codes{"bad-formula"});
    CHECK(with({.operation = Operation::position, .index = 0}) == Codes{"bad-formula"});
    CHECK(with({.operation = Operation::add, .a = {0, kNowhere}}) == Codes{"bad-formula"});
    CHECK(with({.operation = Operation::add, .b = {kNaN}}) == Codes{"bad-formula"});
}

TEST_CASE("formulas do not lead back to themselves")
{
    CHECK(broken([](Scene& s) {
              const auto last = static_cast<std::uint32_t>(s.formulas.size());
              s.formulas.push_back({.operation = Operation::sine, .a = {0, last}});
          }) == Codes{"depends-on-itself"});
    CHECK(broken([](Scene& s) {
              s.tracks[0].keys[1].value = {0, 1};
          }) == Codes{"depends-on-itself"}); // the formula of that very track
}

TEST_CASE("tracks have keys, in order, and ramps keep to the curve")
{
    CHECK(broken([](Scene& s) { s.tracks[0].keys.clear(); }) == Codes{"no-keys"});
    CHECK(broken([](Scene& s) { s.tracks[0].keys[1].at = 0; }) == Codes{"keys-out-of-order"});
    CHECK(broken([](Scene& s) { s.tracks[0].keys[1].at = kNaN; }) == Codes{"keys-out-of-order"});
    CHECK(broken([](Scene& s) { s.tracks[0].keys[1].at = kInfinity; }) ==
          Codes{"keys-out-of-order"});
    CHECK(broken([](Scene& s) { s.tracks[1].keys[1].at = 1.5; }) == Codes{"key-off-curve"});
    CHECK(broken([](Scene& s) { s.tracks[1].keys[0].at = -0.5; }) == Codes{"key-off-curve"});
    CHECK(broken([](Scene& s) { s.tracks[0].keys[0].value = {kNaN}; }) == Codes{"not-finite"});
    CHECK(broken([](Scene& s) {
              s.tracks[0].keys[0].value = {0, kNowhere};
          }) == Codes{"not-finite"});
}

TEST_CASE("objects stand in order behind their parents")
{
    CHECK(broken([](Scene& s) { s.objects[2].parent = ObjectId{kNowhere}; }) ==
          Codes{"bad-object"});
    CHECK(broken([](Scene& s) { s.objects[2].parent = ObjectId{3}; }) == Codes{"bad-object"});
    CHECK(broken([](Scene& s) { s.objects[2].parent = ObjectId{2}; }) == Codes{"bad-object"});
    CHECK(broken([](Scene& s) { s.objects[2].parent = {}; }) == Codes{"bad-object"});
    CHECK(broken([](Scene& s) { s.objects[0].parent = ObjectId{1}; }) == Codes{"bad-object"});
    CHECK(broken([](Scene& s) { s.objects[3].parent = ObjectId{1}; }) ==
          Codes{"bad-object"}); // not one of its descendants
    CHECK(broken([](Scene& s) { s.objects[3].end = kNowhere; }) == Codes{"bad-object"});
    CHECK(broken([](Scene& s) { s.objects[3].end = 3; }) == Codes{"bad-object"});
    CHECK(broken([](Scene& s) { s.objects[2].end = 4; }) ==
          Codes{"bad-object", "bad-object"}); // beyond its parent's end, and around a stranger
    CHECK(broken([](Scene& s) { s.objects[3].on = ObjectId{kNowhere}; }) == Codes{"bad-object"});
    CHECK(broken([](Scene& s) { s.objects[3].first_transformation = kNowhere; }) ==
          Codes{"bad-object"});
    CHECK(broken([](Scene& s) { s.objects[3].transformation_count = kNowhere; }) ==
          Codes{"bad-object"});
}

TEST_CASE("transformations are finite and leave something")
{
    CHECK(broken([](Scene& s) { s.transformations[0].amount = {kInfinity}; }) ==
          Codes{"not-finite"});
    CHECK(broken([](Scene& s) {
              s.transformations[0].amount = {0, kNowhere};
          }) == Codes{"not-finite"});
    CHECK(broken([](Scene& s) { s.transformations[1].amount = {0}; }) ==
          Codes{"scaled-to-nothing"});
    CHECK(broken([](Scene& s) { s.transformations[0].amount = {0}; }) == Codes{});
}

TEST_CASE("frames do not ride on themselves, nor on endless towers")
{
    CHECK(broken([](Scene& s) { s.objects[3].on = ObjectId{3}; }) == Codes{"rides-on-itself"});
    CHECK(broken([](Scene& s) { s.objects[1].on = ObjectId{3}; }) == Codes{"rides-on-itself"});
    SceneBuilder tower;
    ObjectId top = tower.add_object("0");
    for (int i = 1; i < 10'000; ++i)
        top = tower.add_object(std::to_string(i), ObjectId{0}, top);
    CHECK(codes_in(validate(tower.finish())) == Codes{"frames-too-deep"});
}

TEST_CASE("settings are positive and finite, and the end is behind the start")
{
    for (const double bad : {0.0, -1.0, kNaN, kInfinity}) {
        CHECK(broken([&](Scene& s) { s.settings.frame_rate = bad; }) == Codes{"out-of-range"});
        CHECK(broken([&](Scene& s) { s.settings.step = bad; }) == Codes{"out-of-range"});
    }
    CHECK(broken([](Scene& s) { s.settings.end = s.settings.start; }) == Codes{"out-of-range"});
    CHECK(broken([](Scene& s) { s.settings.end = kNaN; }) == Codes{"out-of-range"});
    CHECK(broken([](Scene& s) { s.settings.start = -kInfinity; }) == Codes{"out-of-range"});
    CHECK(broken([](Scene& s) { s.settings.gravity_y = {kNaN}; }) == Codes{"not-finite"});
    CHECK(broken([](Scene& s) { s.settings.gravity_x = {0, kNowhere}; }) == Codes{"not-finite"});
    CHECK(broken([](Scene& s) { s.settings.camera->field_of_view = 4; }) == Codes{"out-of-range"});
    CHECK(broken([](Scene& s) { s.settings.camera->target.z = kNaN; }) == Codes{"out-of-range"});
    CHECK(broken([](Scene& s) { s.parameters[0].value = kNaN; }) == Codes{"not-finite"});
}

TEST_CASE("masses are positive and finite")
{
    for (const double bad : {0.0, -1.0, kNaN, kInfinity}) {
        CHECK(broken([&](Scene& s) { s.masses[0].mass = bad; }) == Codes{"out-of-range"});
        CHECK(broken([&](Scene& s) { s.box_masses[0].mass = bad; }) == Codes{"out-of-range"});
        CHECK(broken([&](Scene& s) { s.box_masses[0].size.y = bad; }) == Codes{"out-of-range"});
    }
}

TEST_CASE("springs and drags have no negative constants, colours no strange ones")
{
    CHECK(broken([](Scene& s) { s.point_springs[0].rest_length = {-1}; }) == Codes{"out-of-range"});
    CHECK(broken([](Scene& s) { s.point_springs[0].stiffness = {-1}; }) == Codes{"out-of-range"});
    CHECK(broken([](Scene& s) { s.point_springs[0].damping = {-1}; }) == Codes{"out-of-range"});
    CHECK(broken([](Scene& s) { s.coordinate_springs[0].rest_length = {-1}; }) == Codes{});
    CHECK(broken([](Scene& s) { s.coordinate_springs[0].stiffness = {-1}; }) ==
          Codes{"out-of-range"});
    CHECK(broken([](Scene& s) { s.drags[0].coefficient = {-1}; }) == Codes{"out-of-range"});
    CHECK(broken([](Scene& s) { s.colours[0].rgb.x = 1.5; }) == Codes{"out-of-range"});
    CHECK(broken([](Scene& s) { s.colours[0].rgb.x = kNaN; }) == Codes{"out-of-range"});
}

TEST_CASE("every value is finite")
{
    const Value nan{kNaN};

    CHECK(broken([&](Scene& s) { s.coordinates[0].initial = kNaN; }) == Codes{"not-finite"});
    CHECK(broken([&](Scene& s) { s.coordinates[0].initial_rate = kInfinity; }) ==
          Codes{"not-finite"});
    CHECK(broken([&](Scene& s) { s.distance_constraints[0].distance = nan; }) ==
          Codes{"not-finite"});
    CHECK(broken([&](Scene& s) { s.point_springs[0].stiffness = nan; }) == Codes{"not-finite"});
    CHECK(broken([&](Scene& s) { s.coordinate_springs[0].damping = nan; }) == Codes{"not-finite"});
    CHECK(broken([&](Scene& s) { s.forces[0].z = nan; }) == Codes{"not-finite"});
    CHECK(broken([&](Scene& s) { s.torques[0].value = nan; }) == Codes{"not-finite"});
    CHECK(broken([&](Scene& s) { s.drags[0].coefficient = nan; }) == Codes{"not-finite"});
    CHECK(broken([&](Scene& s) { s.fields[0].x = nan; }) == Codes{"not-finite"});
    CHECK(broken([&](Scene& s) { s.values[4] = nan; }) ==
          Codes{"not-finite", "not-finite"}); // of the path and of the line that shares its points
}

TEST_CASE("everything refers to objects, coordinates and paths that exist")
{
    const ObjectId nobody{kNowhere};
    const std::function<void(Scene&)> lost_objects[] = {
        [&](Scene& s) { s.masses[0].object = nobody; },
        [&](Scene& s) { s.box_masses[0].object = nobody; },
        [&](Scene& s) { s.labels[0].object = nobody; },
        [&](Scene& s) { s.paths[0].frame = nobody; },
        [&](Scene& s) { s.drawings[0].object = nobody; },
        [&](Scene& s) { s.distance_constraints[0].a = nobody; },
        [&](Scene& s) { s.distance_constraints[0].b = nobody; },
        [&](Scene& s) { s.path_constraints[0].point = nobody; },
        [&](Scene& s) { s.point_springs[0].a = nobody; },
        [&](Scene& s) { s.point_springs[0].b = nobody; },
        [&](Scene& s) { s.forces[0].object = nobody; },
        [&](Scene& s) { s.forces[0].frame = nobody; },
        [&](Scene& s) { s.drags[0].object = nobody; },
        [&](Scene& s) { s.fields[0].frame = nobody; },
        [&](Scene& s) { s.fields[0].on[1] = nobody; },
        [&](Scene& s) { s.colours[0].object = {}; },
    };
    for (const auto& break_it : lost_objects)
        CHECK(broken(break_it) == Codes{"no-such-object"});

    const CoordinateId none{kNowhere};
    CHECK(broken([&](Scene& s) { s.coordinate_springs[0].coordinate = none; }) ==
          Codes{"no-such-coordinate"});
    CHECK(broken([&](Scene& s) { s.torques[0].coordinate = {}; }) == Codes{"no-such-coordinate"});
    CHECK(broken([&](Scene& s) { s.drawings[0].path = {}; }) == Codes{"no-such-path"});
    CHECK(broken([&](Scene& s) { s.path_constraints[0].path = PathId{kNowhere}; }) ==
          Codes{"no-such-path"});
}

TEST_CASE("points are whole triples of the scene's values")
{
    CHECK(broken([](Scene& s) { s.paths[0].points.count = 5; }) == Codes{"bad-points"});
    CHECK(broken([](Scene& s) { s.paths[0].points.count = 3; }) == Codes{"bad-points"});
    CHECK(broken([](Scene& s) { s.paths[0].points.first = 1; }) == Codes{"bad-points"});
    CHECK(broken([](Scene& s) { s.paths[0].points.first = kNowhere; }) == Codes{"bad-points"});
    CHECK(broken([](Scene& s) { s.paths[0].points.count = 0xfffffffc; }) == Codes{"bad-points"});
    CHECK(broken([](Scene& s) { s.drawings[1].points.count = 0; }) == Codes{"bad-points"});
}

TEST_CASE("a constraint or spring needs two objects")
{
    CHECK(broken([](Scene& s) { s.distance_constraints[0].b = s.distance_constraints[0].a; }) ==
          Codes{"same-object"});
    CHECK(broken([](Scene& s) { s.point_springs[0].b = s.point_springs[0].a; }) ==
          Codes{"same-object"});
}

TEST_CASE("all faults are told at once")
{
    CHECK(broken([](Scene& s) {
              s.masses[0].mass = -1;
              s.colours[0].object = {};
              s.settings.step = 0;
          }) == Codes{"out-of-range", "out-of-range", "no-such-object"});
}

TEST_CASE("whatever passes validation can be looked at")
{
    const auto any_index = [] {
        return *rc::gen::element<std::uint32_t>(0, 1, 2, 3, 4, 7, 99, 0xffffffff);
    };
    const auto any_number = [] {
        return *rc::gen::element(0.0, 1.0, -1.0, 1e-300, 1e300, kNaN, kInfinity);
    };
    const auto any_value = [&] {
        return *rc::gen::arbitrary<bool>() ? Value{any_number()} : Value{0, any_index()};
    };
    CHECK(rc::check("after random damage", [&] {
        Scene s = make_scene();
        const int blows = *rc::gen::inRange(1, 4);
        for (int i = 0; i < blows; ++i)
            switch (*rc::gen::inRange(0, 22)) {
            case 0: s.objects[1 + any_index() % 3].parent = ObjectId{any_index()}; break;
            case 1: s.objects[1 + any_index() % 3].on = ObjectId{any_index()}; break;
            case 2: s.objects[any_index() % 4].end = any_index(); break;
            case 3: s.objects[any_index() % 4].first_transformation = any_index(); break;
            case 4: s.objects[any_index() % 4].transformation_count = any_index(); break;
            case 5: s.transformations[any_index() % 2].amount = any_value(); break;
            case 6: s.formulas[any_index() % s.formulas.size()].a = any_value(); break;
            case 7: s.formulas[any_index() % s.formulas.size()].index = any_index(); break;
            case 8:
                s.formulas[any_index() % s.formulas.size()].frame = ObjectId{any_index()};
                break;
            case 9:
                s.formulas[any_index() % s.formulas.size()].operation =
                    static_cast<Operation>(any_index() % 27);
                break;
            case 10: s.tracks[any_index() % 2].keys[any_index() % 2].value = any_value(); break;
            case 11: s.tracks[any_index() % 2].keys[any_index() % 2].at = any_number(); break;
            case 12: s.paths[0].points = {any_index(), any_index()}; break;
            case 13: s.paths[0].kind = static_cast<PathKind>(any_index() % 5); break;
            case 14: s.distance_constraints[0].distance = any_value(); break;
            case 15: s.distance_constraints[0].b = ObjectId{any_index()}; break;
            case 16: s.path_constraints[0].path = PathId{any_index()}; break;
            case 17: s.values[any_index() % 6] = any_value(); break;
            case 18: s.coordinates[0].initial = any_number(); break;
            case 19: s.masses[0] = {ObjectId{any_index()}, any_number()}; break;
            case 20: s.drawings[1].points = {any_index(), any_index()}; break;
            default:
                s.transformations[any_index() % 2].kind =
                    static_cast<TransformationKind>(any_index() % 10);
            }

        const Problems problems = validate(s);

        if (!has_errors(problems)) {
            const Reading reading = read_scene(s);
            RC_ASSERT(reading.coordinate_count == 1);
        }
    }));
}
