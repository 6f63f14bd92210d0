#include "scene/objects/strands.h"

#include "math/functions.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <vector>

using namespace sinew;

namespace {

/// A world with one tree, object 1, to which curves are added.
struct Trees {
    Scene scene;

    Trees()
    {
        scene.objects = {{.name = "world", .end = 2},
                         {.name = "tree", .parent = ObjectId{0}, .end = 2}};
    }

    std::uint32_t add(PathKind kind, const std::vector<Vec3>& points, std::uint32_t segments,
                      std::uint32_t from = StrandCurve::kNone, double along = 0)
    {
        Path path{.kind = kind, .frame = ObjectId{1}};
        path.points = {std::uint32_t(scene.values.size()), std::uint32_t(points.size() * 3)};
        for (const Vec3& p : points)
            for (int i = 0; i < 3; ++i)
                scene.values.push_back({p[i]});
        scene.paths.push_back(path);
        scene.strands.push_back({.tree = ObjectId{1},
                                 .object = ObjectId{1},
                                 .path = PathId{std::uint32_t(scene.paths.size() - 1)},
                                 .segments = segments,
                                 .from = from,
                                 .from_along = along});
        return std::uint32_t(scene.strands.size() - 1);
    }
};

Vec3 axis(const Quat& q, int i) { return rotation_matrix(q)[i]; }

double apart(const Vec3& a, const Vec3& b) { return length(a - b); }

} // namespace

TEST_CASE("a line is sampled at equal lengths, from its first point to its last")
{
    Trees trees;
    trees.add(PathKind::line, {{1, 2, 3}, {1, 0, 3}}, 8);
    const StrandShape shape = sample_strands(trees.scene)[0];
    CHECK(shape.length == doctest::Approx(2).epsilon(1e-15));
    REQUIRE(shape.nodes.size() == 9);
    REQUIRE(shape.segments.size() == 8);
    for (int k = 0; k <= 8; ++k)
        CHECK(apart(shape.nodes[std::size_t(k)], {1, 2 - 0.25 * k, 3}) < 1e-14);
}

TEST_CASE("lengths alone and shapes made on several threads have the same bits")
{
    Trees trees;
    for (int i = 0; i < 100; ++i)
        trees.add(PathKind::spline, {{0, 0, 0}, {0.5, 0.01 * i, 0}, {1, 1, 0}, {2, 0, 0.1 * i}}, 7);
    const std::vector<StrandShape> one = sample_strands(trees.scene),
                                   four = sample_strands(trees.scene, 4);
    const std::vector<double> lengths = measure_strands(trees.scene);
    REQUIRE(lengths.size() == one.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
        CHECK(lengths[i] == one[i].length);
        CHECK(four[i].length == one[i].length);
        CHECK(four[i].nodes == one[i].nodes);
        CHECK(four[i].segments == one[i].segments);
    }
}

TEST_CASE("curves drawn alike are what each is alone, whatever else is in the list")
{
    const std::vector<Vec3> bow = {{0, 0, 0}, {0.5, 1, 0}, {1, 1, 0.2}, {2, 0, 0.1}};
    std::vector<Vec3> other = bow;
    other[2].z = -0.0;
    std::vector<Vec3> third = other;
    third[2].z = 0.0;
    Trees trees;
    std::uint32_t trunk = 0;
    for (int i = 0; i < 60; ++i) { // trunk and branches, the same again and again, and others
        const std::uint32_t root = trees.add(PathKind::spline, i % 7 == 3 ? other : bow, 9);
        trees.add(PathKind::spline, bow, 5, root, 0.3);
        trees.add(PathKind::spline_through, i % 2 ? third : bow, 5, i % 5 ? root : trunk, 1);
        trunk = i == 40 ? root : trunk; // branches of the first trunk up to the middle of the list
    }
    const std::vector<StrandShape> shapes = sample_strands(trees.scene, 4);
    const std::vector<double> lengths = measure_strands(trees.scene);
    for (std::uint32_t i = 0; i < shapes.size(); i += 3) {
        Trees alone;
        const std::uint32_t from = trees.scene.strands[i + 2].from;
        const auto points = [&](std::uint32_t curve) {
            std::vector<Vec3> found;
            const ValueList list = trees.scene.paths[curve].points;
            for (std::uint32_t k = 0; k < list.count; k += 3)
                found.push_back({trees.scene.values[list.first + k].number,
                                 trees.scene.values[list.first + k + 1].number,
                                 trees.scene.values[list.first + k + 2].number});
            return found;
        };
        alone.add(PathKind::spline, points(from), 9);
        alone.add(PathKind::spline_through, points(i + 2), 5, 0, 1);
        const std::vector<StrandShape> wanted = sample_strands(alone.scene);
        CHECK(shapes[from].nodes == wanted[0].nodes);
        CHECK(shapes[i + 2].nodes == wanted[1].nodes);
        CHECK(shapes[i + 2].segments == wanted[1].segments);
        CHECK(lengths[i + 2] == wanted[1].length);
    }
}

TEST_CASE("corners of a polyline and doubled points change no lengths along it")
{
    Trees trees;
    trees.add(PathKind::polyline,
              {{0, 0, 0}, {3, 0, 0}, {3, 0, 0}, {3, 4, 0}, {3, 4, 0}, {3, 4, 2}}, 9);
    const StrandShape shape = sample_strands(trees.scene)[0];
    CHECK(shape.length == doctest::Approx(9).epsilon(1e-15));
    CHECK(apart(shape.nodes[3], {3, 0, 0}) < 1e-14);
    CHECK(apart(shape.nodes[5], {3, 2, 0}) < 1e-14);
    CHECK(apart(shape.nodes[8], {3, 4, 1}) < 1e-14);
}

TEST_CASE("arc lengths along a parabola are those of its closed form to 1e-12")
{
    // Three points of a spline make the parabola (x, x²) from x = 0 to 1.
    Trees trees;
    trees.add(PathKind::spline, {{0, 0, 0}, {0.5, 0, 0}, {1, 1, 0}}, 64);
    const StrandShape shape = sample_strands(trees.scene)[0];
    const auto arc = [](double x) { // ∫ √(1 + 4x²) dx
        const double r = sqrt(1 + 4 * x * x);
        return x * r / 2 + log(2 * x + r) / 4;
    };
    CHECK(abs(shape.length - arc(1)) < 1e-14);
    for (std::size_t k = 0; k <= 64; ++k) {
        const Vec3& p = shape.nodes[k];
        CHECK(abs(p.y - p.x * p.x) < 1e-14);
        CHECK(abs(arc(p.x) - arc(1) * double(k) / 64) < 1e-12);
    }
}

TEST_CASE("arc lengths of splines agree with a fine polyline, also over a cusp")
{
    const std::vector<std::vector<Vec3>> curves = {
        {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 1}, {-1, 0, 1}, {0, -2, 0}},
        {{0, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1, 0, 0}}, // a cusp in the middle
        {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 1, 0}}};
    for (const PathKind kind : {PathKind::spline, PathKind::spline_through})
        for (const std::vector<Vec3>& points : curves) {
            Trees coarse, fine;
            coarse.add(kind, points, 7);
            fine.add(kind, points, 70000);
            const StrandShape a = sample_strands(coarse.scene)[0],
                              b = sample_strands(fine.scene)[0];
            CHECK(a.length == b.length);
            double sum = 0;
            for (std::size_t k = 1; k < b.nodes.size(); ++k)
                sum += apart(b.nodes[k - 1], b.nodes[k]);
            CHECK(abs(sum - b.length) < 1e-7 * b.length);
            for (std::size_t k = 0; k <= 7; ++k)
                CHECK(apart(a.nodes[k], b.nodes[k * 10000]) < 1e-12);
        }
}

TEST_CASE("the first frame has y along the curve and x near the axis least along it")
{
    const Quat down = first_frame({0, -1, 0});
    CHECK(apart(axis(down, 0), {1, 0, 0}) < 1e-15);
    CHECK(apart(axis(down, 1), {0, -1, 0}) < 1e-15);
    const Quat sideways = first_frame({1, 0, 0});
    CHECK(apart(axis(sideways, 0), {0, 1, 0}) < 1e-15);
    const Quat rounded = first_frame(normalised(Vec3{1e-12, 1, 0}));
    CHECK(apart(axis(rounded, 0), {1, 0, 0}) < 1e-11);
}

TEST_CASE("frames are carried along a curve without turning about it")
{
    Trees trees;
    std::vector<Vec3> helix;
    for (int i = 0; i <= 24; ++i)
        helix.push_back({cos(i * 0.5), -0.1 * i, sin(i * 0.5)});
    trees.add(PathKind::spline_through, helix, 60);
    const StrandShape shape = sample_strands(trees.scene)[0];
    for (std::size_t k = 0; k < 60; ++k) {
        const Vec3 direction = normalised(shape.nodes[k + 1] - shape.nodes[k]);
        CHECK(apart(axis(shape.segments[k], 1), direction) < 1e-14);
        if (k == 0)
            continue;
        const Quat turn = shape.segments[k] * conjugate(shape.segments[k - 1]);
        const Vec3 before = axis(shape.segments[k - 1], 1);
        CHECK(abs(dot(turn.vector(), before + direction)) < 1e-14); // no turn about the curve
        CHECK(abs(turn.w) > 0.9);                                   // no flip
    }
}

TEST_CASE("a curve that turns straight back keeps its x")
{
    Trees trees;
    trees.add(PathKind::polyline, {{0, 0, 0}, {0, -1, 0}, {0, 0, 0}}, 2);
    const StrandShape shape = sample_strands(trees.scene)[0];
    CHECK(apart(axis(shape.segments[0], 0), axis(shape.segments[1], 0)) < 1e-15);
    CHECK(apart(axis(shape.segments[1], 1), {0, 1, 0}) < 1e-15);
}

TEST_CASE("a branch starts on its parent, with its parent's frame carried over")
{
    Trees trees;
    const std::uint32_t trunk = trees.add(PathKind::line, {{0, 0, 0}, {0, 2, 0}}, 20);
    trees.add(PathKind::line, {{7, 7, 7}, {7, 8, 8}}, 4, trunk, 0.6);
    const std::vector<StrandShape> shapes = sample_strands(trees.scene);
    CHECK(apart(shapes[1].nodes[0], {0, 1.2, 0}) < 1e-15);
    CHECK(apart(shapes[1].nodes[4], {0, 2.2, 1}) < 1e-14);
    CHECK(apart(axis(shapes[1].segments[0], 0), {1, 0, 0}) < 1e-15);
}

TEST_CASE("a place along a strand is on the segment before a node, whatever the rounding")
{
    CHECK(place_on_strand(20, 0.6).segment == 11);
    CHECK(place_on_strand(20, 0.6).fraction == 1);
    CHECK(place_on_strand(10, 0.1 * 3).segment == 2); // 3.0000000000000004 segments
    CHECK(place_on_strand(10, 0.1 * 3).fraction == 1);
    CHECK(place_on_strand(20, 0).segment == 0);
    CHECK(place_on_strand(20, 0).fraction == 0);
    CHECK(place_on_strand(20, 1).segment == 19);
    CHECK(place_on_strand(20, 1).fraction == 1);
    CHECK(place_on_strand(10, 0.25).segment == 2);
    CHECK(place_on_strand(10, 0.25).fraction == doctest::Approx(0.5));
    CHECK(place_on_strand(3, 7).fraction == 1);
}
