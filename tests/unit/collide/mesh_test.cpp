// Meshes and height fields: against the same surface as a hull or a plane, all triangles tried one
// by one, and floors of many triangles that must feel like one.

#include "collide/manifold.h"
#include "collide/mesh/mesh.h"
#include "unit/collide/dice.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

using namespace sinew;
using namespace sinew::collide_tests;

namespace {

const CollideLengths kLengths = make_lengths(1e-3);

/// A flat square of irregular triangles in y = 0.
TriangleMesh uneven_floor(Dice& dice, int cells, double step)
{
    TriangleMesh mesh;
    for (int j = 0; j <= cells; ++j)
        for (int i = 0; i <= cells; ++i) {
            const Vec3 shake = {dice.number(-0.3, 0.3), 0, dice.number(-0.3, 0.3)};
            mesh.vertices.push_back((Vec3{i - 0.5 * cells, 0, j - 0.5 * cells} + shake) * step);
        }
    for (int j = 0; j < cells; ++j)
        for (int i = 0; i < cells; ++i) {
            const auto a = std::uint32_t(j * (cells + 1) + i), b = a + 1;
            const auto c = a + std::uint32_t(cells + 1), d = c + 1;
            mesh.triangles.push_back({a, c, b});
            mesh.triangles.push_back({b, c, d});
        }
    return mesh;
}

struct Found {
    std::shared_ptr<CollideScratch> scratch = make_collide_scratch();
    std::vector<SubManifold> list;

    void collide(const Placed& a, const Placed& b, const CollideLengths& lengths = kLengths)
    {
        collide_all(a, b, lengths, *scratch, list);
    }
    double lowest() const
    {
        double gap = INFINITY;
        for (const SubManifold& sub : list)
            for (int i = 0; i < sub.manifold.count; ++i)
                gap = std::min(gap, sub.manifold.point[std::size_t(i)].gap);
        return gap;
    }
};

/// Points where the manifold says, unit normals, keys ascending.
void check(const Placed& a, const Placed& b, const Found& found)
{
    for (std::size_t k = 0; k < found.list.size(); ++k) {
        const Manifold& m = found.list[k].manifold;
        REQUIRE(m.count > 0);
        REQUIRE(std::abs(length(m.normal) - 1) < 1e-9);
        if (k > 0)
            REQUIRE(found.list[k].key > found.list[k - 1].key);
        Manifold followed = m;
        update_gaps(a, b, followed);
        for (int i = 0; i < m.count; ++i) {
            const ContactPoint& point = m.point[std::size_t(i)];
            REQUIRE(is_finite(point.on_a));
            REQUIRE(is_finite(point.on_b));
            REQUIRE(std::abs(followed.point[std::size_t(i)].gap - point.gap) < 1e-9);
            for (int j = 0; j < i; ++j)
                REQUIRE(m.point[std::size_t(j)].feature != point.feature);
        }
    }
}

} // namespace

TEST_CASE("nothing feels the triangles of a flat floor")
{
    Dice dice(31);
    const CollisionShape floor = make_mesh(uneven_floor(dice, 24, 0.25));
    const Placed ground{&floor, {0, 0, 0}, Mat3::identity()};
    const Mat3 lying = rotation_matrix(rotation_about(Vec3{1, 0, 0}, M_PI / 2));
    struct Thing {
        CollisionShape shape;
        Mat3 R;
        double height;
        int points;
        double area;
    };
    const Thing things[] = {
        {make_sphere(0.3), Mat3::identity(), 0.3, 1, 0},
        {make_sphere(0.02), Mat3::identity(), 0.02, 1, 0},
        {make_box({0.8, 0.4, 0.6}), Mat3::identity(), 0.2, 4, 0.48},
        {make_convex(make_box({0.8, 0.4, 0.6}).hull), Mat3::identity(), 0.2, 4, 0.48},
        {make_cylinder(0.3, 0.5), Mat3::identity(), 0.25, 4, 0.18},
        {make_cylinder(0.3, 0.5), lying, 0.3, 2, 0},
        {make_capsule(0.2, 0.7), lying, 0.2, 2, 0},
        {make_cone(0.3, 0.5), Mat3::identity(), 0.25, 4, 0.18},
    };
    Found found;
    for (const Thing& thing : things)
        for (int step = 0; step < 400; ++step) {
            const double way = 0.0073 * step;
            const Mat3 turn = rotation_matrix(rotation_about(Vec3{0, 1, 0}, 0.01 * step));
            const double depth = step % 3 == 0 ? 1e-2 : step % 3 == 1 ? 1e-4 : -1e-3;
            const Placed b{
                &thing.shape, {way - 1.4, thing.height - depth, 0.31 * way - 0.5}, turn * thing.R};
            found.collide(ground, b);
            check(ground, b, found);
            CAPTURE(step);
            CAPTURE(&thing - things);
            REQUIRE(found.list.size() == 1);
            const Manifold& m = found.list[0].manifold;
            CHECK(length(m.normal - Vec3{0, 1, 0}) < 1e-9);
            CHECK(std::abs(found.lowest() + depth) < 1e-9);
            REQUIRE(m.count >= thing.points);
            if (thing.area > 0)
                CHECK(patch_area(ground, m) > 0.85 * thing.area);
            found.collide(b, ground);
            REQUIRE(found.list.size() == 1);
            CHECK(length(found.list[0].manifold.normal + Vec3{0, 1, 0}) < 1e-9);
        }
}

TEST_CASE("a closed convex mesh is touched as the hull it is")
{
    Dice dice(32);
    Found found;
    int touching = 0, differs = 0;
    for (int round = 0; round < 3000; ++round) {
        const CollisionShape hull = dice.hull(10);
        const CollisionShape mesh = make_mesh(triangles_of(hull.hull));
        const CollisionShape other = dice.convex(round);
        const Placed a{&hull, dice.vector(1), dice.rotation()};
        Placed b{&other, a.x + normalised(dice.vector(1)) * 2.5, dice.rotation()};
        Manifold m;
        const CollideLengths far = {
            .reach = 10, .clip = 1e-4, .face_bias = 1e-5, .edge_bias = 1e-4};
        collide(a, b, far, m); // bring it near
        if (m.count == 0)
            continue;
        double gap = INFINITY;
        for (int i = 0; i < m.count; ++i)
            gap = std::min(gap, m.point[std::size_t(i)].gap);
        b.x -= m.normal * (gap - dice.number(-0.002, 0.01));
        collide(a, b, kLengths, m);
        if (m.count == 0)
            continue;
        gap = INFINITY;
        for (int i = 0; i < m.count; ++i)
            gap = std::min(gap, m.point[std::size_t(i)].gap);
        Placed c = a;
        c.shape = &mesh;
        found.collide(c, b);
        check(c, b, found);
        CHECK(!found.list.empty());
        touching += !found.list.empty();
        differs += std::abs(found.lowest() - gap) > 2e-3;
    }
    CHECK(touching > 2000);
    MESSAGE("of ", touching, " touching the gaps differ in ", differs); // at needles' tips
    CHECK(differs * 200 < touching);
}

TEST_CASE("the tree of boxes finds what trying all finds")
{
    Dice dice(33);
    const CollisionMesh mesh = make_collision_mesh(uneven_floor(dice, 20, 0.3), false);
    CHECK(mesh.triangles.size() == 800);
    std::vector<std::uint32_t> found;
    for (int round = 0; round < 300; ++round) {
        const Vec3 middle = dice.vector(3), half = Vec3{1, 1, 1} * dice.number(0.01, 1);
        const Box box = {middle - half, middle + half};
        find_triangles(mesh, box, found);
        const std::set<std::uint32_t> all(found.begin(), found.end());
        CHECK(all.size() == found.size());
        for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
            const auto& [p, q, r] = mesh.triangles[t].corner;
            Box own = {p, p};
            for (const Vec3& x : {q, r})
                for (int i = 0; i < 3; ++i) {
                    own.low[i] = std::min(own.low[i], x[i]);
                    own.high[i] = std::max(own.high[i], x[i]);
                }
            if (do_overlap(own, box))
                CHECK(all.contains(t));
        }
    }
}

TEST_CASE("a valley touches on both sides, a ridge in between")
{
    // y = |x| and y = −|x|, in two triangles each side
    const auto roof = [](double slope) {
        return TriangleMesh{.vertices = {{-2, 2 * slope, -2},
                                         {-2, 2 * slope, 2},
                                         {0, 0, -2},
                                         {0, 0, 2},
                                         {2, 2 * slope, -2},
                                         {2, 2 * slope, 2}},
                            .triangles = {{0, 1, 2}, {2, 1, 3}, {2, 3, 4}, {4, 3, 5}}};
    };
    const CollisionShape valley = make_mesh(roof(1)), ridge = make_mesh(roof(-1));
    const CollisionShape ball = make_sphere(0.5), can = make_cylinder(0.5, 1),
                         box = make_box({1, 1, 1});
    const Mat3 lying = rotation_matrix(rotation_about(Vec3{1, 0, 0}, M_PI / 2));
    Found found;
    const double root = std::sqrt(0.5);
    for (const CollisionShape* shape : {&ball, &can}) {
        const Placed a{&valley, {0, 0, 0}, Mat3::identity()};
        const Placed b{shape, {0, 0.5 / root - 1e-4, 0.1}, lying};
        found.collide(a, b);
        check(a, b, found);
        REQUIRE(found.list.size() == 2);
        CHECK(std::abs(found.lowest() + 1e-4 * root) < 1e-9);
        for (const SubManifold& sub : found.list)
            CHECK(std::abs(std::abs(sub.manifold.normal.x) - root) < 1e-9);
    }
    for (const CollisionShape* shape : {&ball, &can, &box}) {
        const Placed a{&ridge, {0, 0, 0}, Mat3::identity()};
        const Placed b{shape, {0, 0.5 - 1e-4, 0.1}, lying};
        found.collide(a, b);
        check(a, b, found);
        REQUIRE(found.list.size() == 1);
        CHECK(length(found.list[0].manifold.normal - Vec3{0, 1, 0}) < 1e-6);
        CHECK(std::abs(found.lowest() + 1e-4) < 1e-9);
    }
}

TEST_CASE("keys stay while a body slides, and differ between the sides of a box")
{
    Dice dice(34);
    const CollisionShape floor = make_mesh(uneven_floor(dice, 10, 0.5)), box = make_box({1, 1, 1});
    const Placed a{&floor, {0, 0, 0}, Mat3::identity()};
    Found found;
    std::uint32_t key = 0;
    for (int step = 0; step < 100; ++step) {
        const Placed b{&box, {0.01 * step - 0.5, 0.5, 0}, Mat3::identity()};
        found.collide(a, b);
        REQUIRE(found.list.size() == 1);
        if (step > 0)
            CHECK(found.list[0].key == key);
        key = found.list[0].key;
    }
}

TEST_CASE("what has sunk into a height field comes out on top")
{
    std::vector<double> heights(21 * 11);
    for (std::size_t i = 0; i < heights.size(); ++i)
        heights[i] = 0.02 * std::sin(0.7 * double(i % 21)) + 0.02 * std::cos(0.9 * double(i / 21));
    const CollisionShape field = make_height_field(heights, 21, 0.5);
    CHECK(field.mesh->triangles.size() == 2 * 20 * 10);
    const Placed a{&field, {0, 0, 0}, Mat3::identity()};
    Dice dice(35);
    Found found;
    for (int round = 0; round < 500; ++round) {
        const CollisionShape shape = dice.convex(round);
        const Placed b{&shape,
                       {dice.number(-3, 3), dice.number(-0.03, 0.05), dice.number(-1, 1)},
                       dice.rotation()};
        found.collide(a, b);
        check(a, b, found);
        REQUIRE(!found.list.empty());
        for (const SubManifold& sub : found.list)
            CHECK(sub.manifold.normal.y > 0.3);
    }
}

TEST_CASE("degenerate triangles and ten thousand random pairs do no harm")
{
    Dice dice(36);
    TriangleMesh crumpled;
    for (int i = 0; i < 60; ++i)
        crumpled.vertices.push_back(dice.vector(1));
    crumpled.vertices[7] = crumpled.vertices[8];
    for (int i = 0; i < 100; ++i)
        crumpled.triangles.push_back({std::uint32_t(dice.number(0, 60)),
                                      std::uint32_t(dice.number(0, 60)),
                                      std::uint32_t(dice.number(0, 60))});
    crumpled.triangles.push_back({1, 1, 2});
    crumpled.triangles.push_back({7, 8, 9});
    const CollisionShape mesh = make_mesh(crumpled);
    const CollisionShape empty = make_mesh({});
    Found found;
    int touching = 0;
    for (int round = 0; round < 10000; ++round) {
        const CollisionShape shape = dice.convex(round);
        const Placed a{&mesh, dice.vector(0.2), dice.rotation()};
        const Placed b{&shape, a.x + dice.vector(1.5), dice.rotation()};
        found.collide(a, b);
        check(a, b, found);
        touching += !found.list.empty();
        if (round % 100 == 0) {
            found.collide({&empty, {0, 0, 0}, Mat3::identity()}, b);
            CHECK(found.list.empty());
        }
    }
    CHECK(touching > 5000);
}

TEST_CASE("triangles that only share places are neighbours too")
{
    Dice dice(37);
    const TriangleMesh floor = uneven_floor(dice, 6, 0.5);
    TriangleMesh loose; // as STL files have it
    for (const auto& [a, b, c] : floor.triangles) {
        const auto n = std::uint32_t(loose.vertices.size());
        for (const std::uint32_t i : {a, b, c})
            loose.vertices.push_back(floor.vertices[i]);
        loose.triangles.push_back({n, n + 1, n + 2});
    }
    const CollisionMesh whole = make_collision_mesh(floor, false),
                        joined = make_collision_mesh(loose, false);
    REQUIRE(whole.triangles.size() == joined.triangles.size());
    int inner = 0;
    for (std::size_t t = 0; t < whole.triangles.size(); ++t) {
        CHECK(whole.triangles[t].bend == joined.triangles[t].bend);
        inner += whole.triangles[t].bend[0] == CollisionMesh::Bend::inner;
        CHECK(joined.triangles[t].region == 0);
    }
    CHECK(inner > 40);
}

TEST_CASE("a thin wall is touched from the side on which a body is")
{
    const CollisionShape wall = make_mesh(triangles_of(make_box({4, 4, 0.02}).hull));
    const CollisionShape box = make_box({1, 1, 1}), ball = make_sphere(0.5),
                         can = make_cylinder(0.5, 1);
    const Placed a{&wall, {0, 0, 0}, Mat3::identity()};
    Found found;
    for (const CollisionShape* shape : {&box, &ball, &can})
        for (const double side : {-1.0, 1.0})
            for (const double depth : {-0.005, 0.0, 0.004, 0.015}) {
                const Placed b{shape, {0.3, -0.2, side * (0.51 - depth)}, Mat3::identity()};
                found.collide(a, b);
                check(a, b, found);
                REQUIRE(found.list.size() == 1);
                CHECK(length(found.list[0].manifold.normal - Vec3{0, 0, side}) < 1e-9);
                CHECK(std::abs(found.lowest() + depth) < 1e-9);
            }
}
