#include "scene/kinematics.h"
#include "support/differences.h"
#include "support/readings.h"
#include "support/scene_builder.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr TransformationKind kKinds[] = {
    TransformationKind::translate_x, TransformationKind::translate_y,
    TransformationKind::translate_z, TransformationKind::rotate_x,
    TransformationKind::rotate_y,    TransformationKind::rotate_z,
    TransformationKind::scale,       TransformationKind::scale_x,
    TransformationKind::scale_y,     TransformationKind::scale_z};

double random_number(double low, double high)
{
    return low + (high - low) * *rc::gen::inRange(0, 1000) / 1000.0;
}

/// A value of moderate size: constant, coordinate, function of time, or made of a place.
Value random_amount(SceneBuilder& builder, const std::vector<Value>& coordinates,
                    std::uint32_t object)
{
    const auto small = [&](Value moving) { // 1 + sin(moving)/3: scales stay away from zero
        return builder.apply(
            Operation::add, {1},
            builder.apply(Operation::divide, builder.apply(Operation::sine, moving), {3}));
    };
    const auto any_object = [&] { return ObjectId{*rc::gen::inRange<std::uint32_t>(0, object)}; };
    switch (*rc::gen::inRange(0, 6)) {
    case 0: return {random_number(0.5, 1.5)};
    case 1: return coordinates[*rc::gen::inRange<std::size_t>(0, coordinates.size())];
    case 2: return small(builder.time());
    case 3:
        return builder.add_track(
            {{{0.5}, -1}, {{1.5}, 2, Easing::slowinout}}); // looked at between the keys
    case 4:
        return small(
            builder.apply(Operation::multiply, builder.time(),
                          coordinates[*rc::gen::inRange<std::size_t>(0, coordinates.size())]));
    default: {
        const ObjectId target = any_object(), frame = any_object();
        return small(builder.position(target, static_cast<Axis>(*rc::gen::inRange(0, 3)), frame));
    }
    }
}

/// A tree of frames with every kind of transformation, some on others, places used in places.
Scene random_scene()
{
    SceneBuilder builder;
    std::vector<Value> coordinates;
    const int coordinate_count = *rc::gen::inRange(1, 5);
    for (int i = 0; i < coordinate_count; ++i)
        coordinates.push_back(
            builder.add_coordinate("q" + std::to_string(i), random_number(0.6, 1.4)));
    const auto count = *rc::gen::inRange<std::uint32_t>(1, 6);
    ObjectId parent{0};
    for (std::uint32_t i = 1; i <= count; ++i) {
        const ObjectId on = *rc::gen::inRange(0, 3) == 0
                                ? ObjectId{*rc::gen::inRange<std::uint32_t>(0, i)}
                                : ObjectId{};
        const ObjectId object = builder.add_object("o" + std::to_string(i), parent, on);
        const int transformations = *rc::gen::inRange(0, 4);
        for (int k = 0; k < transformations; ++k)
            builder.transform(object, kKinds[*rc::gen::inRange(0, 10)],
                              random_amount(builder, coordinates, i));
        if (*rc::gen::arbitrary<bool>())
            parent = object;
    }
    return builder.finish();
}

std::vector<double> start_of(const Scene& scene)
{
    std::vector<double> start;
    for (const Coordinate& coordinate : scene.coordinates)
        start.push_back(coordinate.initial);
    return start;
}

template <class T>
T partial_of(const std::vector<Partial<T>>& partials, std::uint32_t column)
{
    T sum{};
    for (const Partial<T>& partial : partials)
        if (partial.column == column)
            sum = sum + partial.value;
    return sum;
}

/// Compares partials of `evaluate(kinematics)` (a Vec3) with central differences in every column.
template <class Evaluate, class Partials>
bool agrees_with_differences(const Scene& scene, const Evaluate& evaluate, const Partials& partials)
{
    const std::vector<double> start = start_of(scene);
    const double time = 0.3;
    for (std::uint32_t column = 0; column <= start.size(); ++column) {
        const auto at = [&](double change, int axis) {
            std::vector<double> q = start;
            double t = time;
            (column < start.size() ? q[column] : t) += change;
            return evaluate(Kinematics(scene, q, t))[axis];
        };
        const Vec3 found = partial_of(partials, column);
        for (int axis = 0; axis < 3; ++axis) {
            const auto along = [&](double change) { return at(change, axis); };
            if (!is_close(found[axis], slope_of(along, 0), 1e-6)) // error of the order of step²
                return false;
        }
    }
    return true;
}

} // namespace

TEST_CASE("a frame is the product of its transformations, the first listed innermost")
{
    SceneBuilder builder;
    const ObjectId outer = builder.add_object("outer");
    const ObjectId inner = builder.add_object("inner", outer);
    builder.transform(inner, TransformationKind::scale_x, {2});
    builder.transform(inner, TransformationKind::rotate_z, {0.5});
    builder.transform(inner, TransformationKind::translate_y, {3});
    builder.transform(outer, TransformationKind::rotate_x, {0.25});
    const Scene scene = builder.finish();
    const Kinematics kinematics(scene, {}, 0);

    const Vec3 x{1, 1, 1};
    const Vec3 scaled{2, 1, 1};
    const Vec3 turned{2 * std::cos(0.5) - std::sin(0.5), 2 * std::sin(0.5) + std::cos(0.5), 1};
    const Vec3 moved = turned + Vec3{0, 3, 0};
    const Vec3 wanted{moved.x, moved.y * std::cos(0.25) - moved.z * std::sin(0.25),
                      moved.y * std::sin(0.25) + moved.z * std::cos(0.25)};
    CHECK(is_near(apply(kinematics.frame(inner), x), wanted, 1e-14));
    CHECK(is_near(kinematics.point(inner, x).position, wanted, 1e-14));
    CHECK(scaled.x == 2);
}

TEST_CASE("each kind of transformation moves a point as it says")
{
    const Vec3 x{1, 2, 3};
    const double a = 0.4, c = std::cos(a), s = std::sin(a);
    const Vec3 wanted[] = {{1 + a, 2, 3},
                           {1, 2 + a, 3},
                           {1, 2, 3 + a},
                           {1, 2 * c - 3 * s, 2 * s + 3 * c},
                           {c + 3 * s, 2, -s + 3 * c},
                           {c - 2 * s, s + 2 * c, 3},
                           {a, 2 * a, 3 * a},
                           {a, 2, 3},
                           {1, 2 * a, 3},
                           {1, 2, 3 * a}};
    for (int kind = 0; kind < 10; ++kind) {
        SceneBuilder builder;
        const ObjectId object = builder.add_object("o");
        builder.transform(object, kKinds[kind], {a});
        const Scene scene = builder.finish();
        CAPTURE(kind);

        CHECK(is_near(Kinematics(scene, {}, 0).point(object, x).position, wanted[kind], 1e-15));
    }
}

TEST_CASE("partials of points agree with differences, for all transformations, `on` and places")
{
    CHECK(rc::check("points", [] {
        const Scene scene = random_scene();
        const std::vector<double> start = start_of(scene);
        const Kinematics kinematics(scene, start, 0.3);
        RC_ASSERT(kinematics.is_sound());
        const Vec3 local{0.3, -0.2, 0.5};

        for (std::uint32_t i = 1; i < scene.objects.size(); ++i) {
            const PointMotion motion = kinematics.point(ObjectId{i}, local);
            RC_ASSERT(is_near(motion.position, apply(kinematics.frame(ObjectId{i}), local), 1e-9));
            RC_ASSERT(agrees_with_differences(
                scene, [&](const Kinematics& k) { return k.point(ObjectId{i}, local).position; },
                motion.partials));
        }
    }));
}

TEST_CASE("partials of a place seen from another frame agree with differences")
{
    CHECK(rc::check("relative", [] {
        const Scene scene = random_scene();
        const std::vector<double> start = start_of(scene);
        const Kinematics kinematics(scene, start, 0.3);
        const auto count = static_cast<std::uint32_t>(scene.objects.size());
        const ObjectId object{*rc::gen::inRange<std::uint32_t>(0, count)};
        const ObjectId frame{*rc::gen::inRange<std::uint32_t>(0, count)};

        const PointMotion motion = kinematics.relative(object, frame);

        const Vec3 back = apply(kinematics.frame(frame), motion.position);
        RC_ASSERT(is_near(back, kinematics.frame(object).origin, 1e-9));
        RC_ASSERT(agrees_with_differences(
            scene, [&](const Kinematics& k) { return k.relative(object, frame).position; },
            motion.partials));
    }));
}

TEST_CASE("partials of values agree with differences")
{
    CHECK(rc::check("values", [] {
        const Scene scene = random_scene();
        const std::vector<double> start = start_of(scene);
        const Kinematics kinematics(scene, start, 0.3);

        for (const Transformation& transformation : scene.transformations) {
            const ValueMotion motion = kinematics.value(transformation.amount);
            std::vector<Partial<Vec3>> partials;
            for (const Partial<double>& partial : motion.partials)
                partials.push_back({partial.column, {partial.value, 0, 0}});
            RC_ASSERT(agrees_with_differences(
                scene,
                [&](const Kinematics& k) {
                    return Vec3{k.value(transformation.amount).value, 0, 0};
                },
                partials));
        }
    }));
}

TEST_CASE("an object on another moves with it and not with its parent")
{
    SceneBuilder builder;
    const Value q = builder.add_coordinate("q", 1), p = builder.add_coordinate("p", 2);
    const ObjectId parent = builder.add_object("parent");
    const ObjectId child = builder.add_object("child", parent);
    const ObjectId carrier = builder.add_object("carrier");
    builder.transform(parent, TransformationKind::translate_x, q);
    builder.transform(carrier, TransformationKind::translate_y, p);
    builder.scene.objects[child.index].on = carrier;
    const Scene scene = builder.finish();
    const std::vector<double> start = {1, 2};

    const PointMotion motion = Kinematics(scene, start, 0).point(child);

    CHECK(is_near(motion.position, {0, 2, 0}));
    CHECK(is_near(partial_of(motion.partials, 0), {0, 0, 0}));
    CHECK(is_near(partial_of(motion.partials, 1), {0, 1, 0}));
}

TEST_CASE("places that depend on one another in a circle are found")
{
    SceneBuilder builder;
    const ObjectId a = builder.add_object("a"), b = builder.add_object("b");
    builder.transform(a, TransformationKind::translate_x,
                      builder.position(b, Axis::x, ObjectId{0}));
    builder.transform(b, TransformationKind::translate_x,
                      builder.position(a, Axis::x, ObjectId{0}));
    const Scene scene = builder.finish();

    const Kinematics kinematics(scene, {}, 0);

    CHECK_FALSE(kinematics.is_sound());
    CHECK(kinematics.faulty_object().is_valid());
}

TEST_CASE("a place may use that of an object listed later")
{
    SceneBuilder builder;
    const ObjectId a = builder.add_object("a"), b = builder.add_object("b");
    builder.transform(a, TransformationKind::translate_x,
                      builder.position(b, Axis::y, ObjectId{0}));
    builder.transform(b, TransformationKind::translate_y, {5});
    const Scene scene = builder.finish();

    const Kinematics kinematics(scene, {}, 0);

    REQUIRE(kinematics.is_sound());
    CHECK(is_near(kinematics.frame(a).origin, {5, 0, 0}));
}

TEST_CASE("imports are unknown before the run and count as zero")
{
    SceneBuilder builder;
    builder.scene.imports.push_back({.name = "f"});
    const ObjectId a = builder.add_object("a");
    builder.transform(a, TransformationKind::translate_x,
                      builder.apply(Operation::add,
                                    builder.add_formula({.operation = Operation::imported}), {2}));
    const Scene scene = builder.finish();

    CHECK(is_near(Kinematics(scene, {}, 0).frame(a).origin, {2, 0, 0}));
}
