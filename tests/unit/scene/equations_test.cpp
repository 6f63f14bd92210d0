#include "math/spline.h"
#include "scene/reading/equations.h"
#include "support/differences.h"
#include "support/readings.h"
#include "support/scene_builder.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

std::vector<double> start_of(const Scene& scene)
{
    std::vector<double> start;
    for (const Coordinate& coordinate : scene.coordinates)
        start.push_back(coordinate.initial);
    return start;
}

double gradient_of(const Equation& equation, std::uint32_t column)
{
    double sum = 0;
    for (const Partial<double>& partial : equation.gradient)
        sum += partial.column == column ? partial.value : 0;
    return sum;
}

/// Compares the gradients and time rates of all equations with central differences of residuals.
void check_against_differences(const Scene& scene, double time = 0.3)
{
    const std::vector<double> start = start_of(scene);
    const std::vector<Equation> equations = make_equations(scene, Kinematics(scene, start, time));
    for (std::uint32_t column = 0; column <= start.size(); ++column)
        for (std::size_t i = 0; i < equations.size(); ++i) {
            const auto residual = [&](double change) {
                std::vector<double> q = start;
                double t = time;
                (column < start.size() ? q[column] : t) += change;
                return make_equations(scene, Kinematics(scene, q, t)).at(i).residual;
            };
            const double found =
                column < start.size() ? gradient_of(equations[i], column) : equations[i].time_rate;
            CAPTURE(i);
            CAPTURE(column);
            CHECK(is_close(found, slope_of(residual, 0), 1e-6)); // error of the order of step²
        }
}

/// A free point and, on an arm that turns and is turned, another one.
struct Pair {
    SceneBuilder builder = {};
    ObjectId free = {}, turning = {};
    Value angle = {};

    explicit Pair(const Vec3& place)
    {
        free = builder.add_object("free");
        const char* names[] = {"x", "y", "z"};
        for (int axis = 0; axis < 3; ++axis)
            builder.transform(free, static_cast<TransformationKind>(axis),
                              builder.add_coordinate(names[axis], place[axis]));
        angle = builder.add_coordinate("angle", 0.4);
        const ObjectId arm = builder.add_object("arm");
        turning = builder.add_object("turning", arm);
        builder.transform(turning, TransformationKind::translate_x, {2});
        builder.transform(turning, TransformationKind::rotate_y, angle);
        builder.transform(arm, TransformationKind::rotate_z, builder.time());
        builder.transform(arm, TransformationKind::translate_x, {0.5});
    }
};

std::vector<Value> values_of(const std::vector<Vec3>& points)
{
    std::vector<Value> values;
    for (const Vec3& point : points)
        for (int axis = 0; axis < 3; ++axis)
            values.push_back({point[axis]});
    return values;
}

const std::vector<Vec3> kCurve = {{0, 0, 0}, {1, 2, 0.5}, {3, 1, 1}, {4, -1, 0}, {6, 0, 2}};

/// A curve of a kind at u, by the mathematics of curves.
Vec3 place_on(PathKind kind, const std::vector<Vec3>& points, double u)
{
    if (kind == PathKind::point)
        return points[0];
    if (kind == PathKind::spline)
        return evaluate_bspline(points, u).point;
    if (kind == PathKind::spline_through) {
        std::vector<Vec3> moments(points.size());
        update_moments(points, moments);
        return evaluate_through(points, moments, u).point;
    }
    return evaluate_polyline(points, u).point;
}

std::vector<Vec3> points_for(PathKind kind)
{
    const std::size_t count = kind == PathKind::point ? 1 : kind == PathKind::line ? 2 : 5;
    return {kCurve.begin(), kCurve.begin() + static_cast<std::ptrdiff_t>(count)};
}

constexpr PathKind kPathKinds[] = {PathKind::point, PathKind::line, PathKind::spline,
                                   PathKind::spline_through, PathKind::polyline};

} // namespace

TEST_CASE("a distance constraint is one equation: how much too far apart")
{
    Pair pair({1, 2, 2});
    pair.builder.scene.distance_constraints.push_back({pair.free, ObjectId{0}, {2}});
    pair.builder.scene.distance_constraints.push_back({ObjectId{0}, pair.free, {-2}});
    const Scene scene = pair.builder.finish();
    const std::vector<double> start = start_of(scene);

    const auto equations = make_equations(scene, Kinematics(scene, start, 0));

    REQUIRE(equations.size() == 2);
    CHECK(equations[0].residual == doctest::Approx(1)); // |(1, 2, 2)| − 2
    CHECK(equations[1].residual == doctest::Approx(1)); // a negative distance counts as its size
    CHECK(gradient_of(equations[0], 0) == doctest::Approx(1.0 / 3));
    CHECK(gradient_of(equations[0], 2) == doctest::Approx(2.0 / 3));
    CHECK(equations[0].statement == 0);
    CHECK(equations[1].statement == 1);
}

TEST_CASE("gradients of distances agree with differences, also of moving ones")
{
    Pair pair({1, 2, 2});
    SceneBuilder& b = pair.builder;
    const Value track = b.add_track({{{1}, 0}, {{3}, 1, Easing::slowin}});
    const Value of_coordinate = b.apply(Operation::add, {2}, b.apply(Operation::sine, pair.angle));
    b.scene.distance_constraints = {{pair.free, pair.turning, {1}},
                                    {pair.free, pair.turning, track},
                                    {pair.turning, pair.free, b.apply(Operation::negate, track)},
                                    {pair.free, ObjectId{0}, of_coordinate}};

    check_against_differences(b.finish());
}

TEST_CASE("a distance of zero is three equations: the two coincide")
{
    Pair pair({1, 2, 2});
    pair.builder.scene.distance_constraints = {{pair.turning, pair.free, {0}}};
    const Scene scene = pair.builder.finish();

    const std::vector<double> start = start_of(scene);
    CHECK(make_equations(scene, Kinematics(scene, start, 0)).size() == 3);
    check_against_differences(scene);
}

TEST_CASE("a track that reaches zero makes three equations there, and one elsewhere")
{
    Pair pair({1, 2, 2});
    const Value track = pair.builder.add_track({{{2}, 0}, {{0}, 1}});
    pair.builder.scene.distance_constraints = {{pair.turning, pair.free, track}};
    const Scene scene = pair.builder.finish();
    const std::vector<double> start = start_of(scene);

    CHECK(make_equations(scene, Kinematics(scene, start, 0.5)).size() == 1);
    CHECK(make_equations(scene, Kinematics(scene, start, 1)).size() == 3);
}

TEST_CASE("a point on a path violates nothing, and its gradients agree with differences")
{
    for (const PathKind kind : kPathKinds)
        for (const double u : {0.13, 0.55, 0.9, 1.2}) { // beyond its end a path goes on
            const std::vector<Vec3> points = points_for(kind);
            Pair pair(place_on(kind, points, u));
            const PathId path = pair.builder.add_path(kind, values_of(points));
            pair.builder.scene.path_constraints = {{pair.free, path}};
            const Scene scene = pair.builder.finish();
            const std::vector<double> start = start_of(scene);
            CAPTURE(static_cast<int>(kind));
            CAPTURE(u);

            const auto equations = make_equations(scene, Kinematics(scene, start, 0.3));

            REQUIRE(equations.size() == (kind == PathKind::point ? 3 : 2));
            for (const Equation& equation : equations)
                CHECK(std::abs(equation.residual) < 1e-9);
            check_against_differences(scene);
        }
}

TEST_CASE("gradients on moving paths agree with differences")
{
    for (const PathKind kind : kPathKinds) {
        const std::vector<Vec3> points = points_for(kind);
        const double u = 0.37, time = 0.3;
        Pair pair({0, 0, 0});
        SceneBuilder& b = pair.builder;
        // Every point wanders along y with time and along z with the angle, in a turning frame.
        std::vector<Value> values = values_of(points);
        const Value wave = b.apply(Operation::sine, b.time());
        for (std::size_t i = 0; i < points.size(); ++i) {
            values[3 * i + 1] = b.apply(Operation::add, values[3 * i + 1], wave);
            values[3 * i + 2] = b.apply(Operation::add, values[3 * i + 2], pair.angle);
        }
        const ObjectId frame = b.add_object("frame");
        b.transform(frame, TransformationKind::scale, {1.5});
        b.transform(frame, TransformationKind::rotate_x, pair.angle);
        b.transform(frame, TransformationKind::translate_y, b.time());
        b.scene.path_constraints = {{pair.free, b.add_path(kind, values, frame)}};
        // Start on the path.
        std::vector<Vec3> moved = points;
        for (Vec3& point : moved)
            point = point + Vec3{0, std::sin(time), 0.4};
        const std::vector<double> anywhere = start_of(b.finish());
        const Scene draft = b.finish();
        const Vec3 place =
            apply(Kinematics(draft, anywhere, time).frame(frame), place_on(kind, moved, u));
        for (int axis = 0; axis < 3; ++axis)
            b.scene.coordinates[static_cast<std::size_t>(axis)].initial = place[axis];
        CAPTURE(static_cast<int>(kind));

        check_against_differences(b.finish(), time);
    }
}

TEST_CASE("the nearest place of a path is found among all its valleys")
{
    CHECK(rc::check("against many samples", [] {
        const auto kind = *rc::gen::element(PathKind::line, PathKind::spline,
                                            PathKind::spline_through, PathKind::polyline);
        const auto number = [] { return 0.01 * *rc::gen::inRange(-500, 500); };
        std::vector<Vec3> points;
        const int count = kind == PathKind::line ? 2 : *rc::gen::inRange(2, 7);
        for (int i = 0; i < count; ++i)
            points.push_back({number(), number(), number()});
        SceneBuilder builder;
        const PathId path = builder.add_path(kind, values_of(points));
        const Scene scene = builder.finish();
        const Kinematics kinematics(scene, {}, 0);
        const Vec3 x{number(), number(), number()};

        const PathPoint nearest = find_nearest(scene, kinematics, scene.paths[path.index], x);

        double best = 1e9;
        for (int i = 0; i <= 2000; ++i)
            best = std::min(best, length(place_on(kind, points, i / 2000.0) - x));
        const double found = length(nearest.point.position - x);
        RC_ASSERT(is_near(nearest.point.position, place_on(kind, points, nearest.u), 1e-9));
        RC_ASSERT(found <= best + 1e-6);
    }));
}

TEST_CASE("a point on a polyline is on it, however near to a corner")
{
    const std::vector<Vec3> corners = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {2, 1, 0}};
    for (const double s : {0.9, 0.99, 0.999, 1.0, 1.001, 1.01, 1.9, 2.01, -0.5, 3.5}) {
        SceneBuilder builder;
        const PathId path = builder.add_path(PathKind::polyline, values_of(corners));
        const Scene scene = builder.finish();
        const Vec3 x = place_on(PathKind::polyline, corners, s / 3);
        CAPTURE(s);

        const PathPoint nearest =
            find_nearest(scene, Kinematics(scene, {}, 0), scene.paths[path.index], x);

        CHECK(nearest.u == doctest::Approx(s / 3));
        CHECK(is_near(nearest.point.position, x, 1e-14));
    }
}

TEST_CASE("equations say which statement they come from")
{
    Pair pair({1, 2, 2});
    SceneBuilder& b = pair.builder;
    b.scene.distance_constraints = {{pair.free, pair.turning, {1}, {}, {}, {0, 10, 1}}};
    const PathId path = b.add_path(PathKind::line, values_of({{0, 0, 0}, {1, 0, 0}}));
    b.scene.path_constraints = {{pair.free, path, {}, {0, 20, 1}},
                                {pair.turning, path, {}, {0, 30, 1}}};
    const Scene scene = b.finish();
    const std::vector<double> start = start_of(scene);

    const auto equations = make_equations(scene, Kinematics(scene, start, 0));

    std::vector<std::uint32_t> offsets;
    for (const Equation& equation : equations)
        offsets.push_back(statement_origin(scene, equation.statement).offset);
    CHECK(offsets == std::vector<std::uint32_t>{10, 20, 20, 30, 30});
}
