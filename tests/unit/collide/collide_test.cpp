// How shapes touch: against the obvious search, certificates of optimality, known patches, and
// what must not change under motion, scale and exchange.

#include "collide/manifold.h"
#include "collide/pairs/separation.h"
#include "unit/collide/dice.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace sinew;
using namespace sinew::collide_tests;

namespace {

constexpr double kReach = 0.02;
const CollideLengths kLengths = make_lengths(1e-3);

double support(const Placed& placed, const Vec3& n)
{
    double farthest = -INFINITY;
    for (const Vec3& vertex : placed.shape->hull.vertices)
        farthest = std::max(farthest, dot(n, placed.to_world(vertex)));
    return farthest;
}

double separation_along(const Placed& a, const Placed& b, const Vec3& n)
{
    return -support(b, -n) - support(a, n);
}

/// The best of every face's normal and every two edges' cross product, without any pruning.
double obvious_separation(const Placed& a, const Placed& b)
{
    double best = -INFINITY;
    for (const Hull::Face& face : a.shape->hull.faces)
        best = std::max(best, separation_along(a, b, a.R * face.normal));
    for (const Hull::Face& face : b.shape->hull.faces)
        best = std::max(best, separation_along(a, b, -(b.R * face.normal)));
    const auto direction = [](const Placed& p, const Hull::Edge& e) {
        return p.R * (p.shape->hull.vertices[e.b] - p.shape->hull.vertices[e.a]);
    };
    for (const Hull::Edge& e : a.shape->hull.edges)
        for (const Hull::Edge& f : b.shape->hull.edges) {
            const Vec3 n = cross(direction(a, e), direction(b, f));
            if (length(n) < 2e-2 * length(direction(a, e)) * length(direction(b, f)))
                continue;
            for (const double sign : {1.0, -1.0})
                best = std::max(best, separation_along(a, b, normalised(n) * sign));
        }
    return best;
}

/// Every point on both surfaces, gaps along the normal, the normal a unit vector.
void check_points(const Placed& a, const Placed& b, const Manifold& m, double tolerance)
{
    CHECK(length(m.normal) == doctest::Approx(1));
    for (int i = 0; i < m.count; ++i) {
        const ContactPoint& point = m.point[std::size_t(i)];
        const Vec3 pa = a.to_world(point.on_a), pb = b.to_world(point.on_b);
        CHECK(std::abs(dot(m.normal, pb - pa) - point.gap) < tolerance);
        CHECK(length(pb - pa - m.normal * dot(m.normal, pb - pa)) < tolerance + kLengths.clip);
        for (int k = 0; k < i; ++k)
            CHECK(m.point[std::size_t(k)].feature != point.feature);
    }
}

} // namespace

TEST_CASE("the separating axis is the best of all candidates")
{
    Dice dice(5);
    int found = 0, edges = 0;
    for (int round = 0; round < 400; ++round) {
        const bool are_boxes = round % 3 == 0;
        const CollisionShape p = are_boxes ? dice.box() : dice.hull(4 + round % 9);
        const CollisionShape q = are_boxes        ? dice.box()
                                 : round % 3 == 1 ? dice.box()
                                                  : dice.hull(6);
        const Placed a{&p, dice.vector(1), dice.rotation()};
        const Placed b{&q, a.x + dice.vector(1.2), dice.rotation()};
        const double expected = obvious_separation(a, b);
        const SeparatingAxis axis = find_axis(a, b, 1e9, 0, 0);
        REQUIRE(axis.kind != SeparatingAxis::Kind::none);
        CHECK(separation_along(a, b, axis.normal) ==
              doctest::Approx(axis.separation).epsilon(1e-9));
        if (expected <= 0) // apart, two corners may be nearest: no face of the difference
            CHECK(axis.separation == doctest::Approx(expected).epsilon(1e-9));
        else
            CHECK((axis.separation > 0 && axis.separation <= expected + 1e-9));
        CHECK((find_axis(a, b, kReach, 0, 0).kind == SeparatingAxis::Kind::none) ==
              (axis.separation > kReach));
        found += expected <= 0;
        edges += axis.kind == SeparatingAxis::Kind::edges;
    }
    CHECK(found > 100);
    CHECK(edges > 40);
}

TEST_CASE("boxes by fifteen axes and as hulls touch alike")
{
    Dice dice(6);
    for (int round = 0; round < 300; ++round) {
        const CollisionShape p = dice.box(), q = dice.box();
        const CollisionShape hull_p = make_convex(p.hull), hull_q = make_convex(q.hull);
        const Placed a{&p, dice.vector(1), dice.rotation()}, b{&q, dice.vector(1), dice.rotation()};
        Placed c = a, d = b;
        c.shape = &hull_p;
        d.shape = &hull_q;
        const SeparatingAxis fast = find_axis(a, b, 1e9, 0, 0), slow = find_axis(c, d, 1e9, 0, 0);
        CHECK(fast.separation == doctest::Approx(slow.separation).epsilon(1e-9));
        if (fast.kind == slow.kind)
            CHECK(length(fast.normal - slow.normal) < 1e-7);
    }
}

TEST_CASE("a box on a box touches in the whole common face")
{
    const CollisionShape large = make_box({2, 1, 2}), small = make_box({0.6, 0.4, 0.8});
    for (const double turn : {0.0, 0.3, 0.785}) {
        const Placed a{&large, {0, 0, 0}, Mat3::identity()};
        const Placed b{
            &small, {0.2, 0.7 - 1e-5, -0.1}, rotation_matrix(rotation_about(Vec3{0, 1, 0}, turn))};
        Manifold m;
        collide(a, b, kLengths, m);
        REQUIRE(m.count == 4);
        check_points(a, b, m, 1e-12);
        CHECK(length(m.normal - Vec3{0, 1, 0}) < 1e-12);
        CHECK(patch_area(a, m) == doctest::Approx(0.6 * 0.8));
        for (int i = 0; i < 4; ++i)
            CHECK(m.point[std::size_t(i)].gap == doctest::Approx(-1e-5));
        Manifold turned;
        collide(b, a, kLengths, turned);
        CHECK(turned.count == 4);
        CHECK(length(turned.normal + Vec3{0, 1, 0}) < 1e-12);
    }
    // overhanging: the patch is what is common
    const Placed a{&large, {0, 0, 0}, Mat3::identity()};
    const Placed b{&small, {1.1, 0.7, 0}, Mat3::identity()};
    Manifold m;
    collide(a, b, kLengths, m);
    REQUIRE(m.count == 4);
    CHECK(patch_area(a, m) == doctest::Approx(0.2 * 0.8));
}

TEST_CASE("crossed edges touch in one point")
{
    const CollisionShape p = make_box({2, 0.2, 0.2}), q = make_box({0.2, 0.2, 2});
    const Mat3 a45 = rotation_matrix(rotation_about(Vec3{1, 0, 0}, M_PI / 4));
    const Mat3 b45 = rotation_matrix(rotation_about(Vec3{0, 0, 1}, M_PI / 4));
    const double height = std::sqrt(2) * 0.2 - 0.003;
    const Placed a{&p, {0, 0, 0}, a45}, b{&q, {0.1, height, 0.2}, b45};
    Manifold m;
    collide(a, b, kLengths, m);
    REQUIRE(m.count == 1);
    check_points(a, b, m, 1e-12);
    CHECK(m.point[0].gap == doctest::Approx(-0.003));
    CHECK(length(m.normal - Vec3{0, 1, 0}) < 1e-9);
    CHECK(length(a.to_world(m.point[0].on_a) - Vec3{0.1, std::sqrt(2) * 0.1, 0}) < 1e-9);
}

TEST_CASE("a sphere's contact with a hull is certified by a plane between them")
{
    Dice dice(8);
    int outside = 0;
    for (int round = 0; round < 500; ++round) {
        const CollisionShape shape = round % 2 ? dice.box() : dice.hull(12);
        const CollisionShape ball = make_sphere(dice.number(0.05, 0.6));
        const Placed a{&shape, dice.vector(1), dice.rotation()};
        const Placed b{&ball, a.x + dice.vector(1.4), dice.rotation()};
        Manifold m, turned;
        collide(a, b, {.reach = 10, .clip = 0, .face_bias = 0, .edge_bias = 0}, m);
        REQUIRE(m.count == 1);
        check_points(a, b, m, 1e-12);
        // the hull is behind the plane through the point, the ball in front of it
        const double plane = dot(m.normal, a.to_world(m.point[0].on_a));
        CHECK(support(a, m.normal) <= plane + 1e-9);
        CHECK(dot(m.normal, b.x) - ball.radius - plane == doctest::Approx(m.point[0].gap));
        outside += m.point[0].gap > -ball.radius;
        collide(b, a, {.reach = 10, .clip = 0, .face_bias = 0, .edge_bias = 0}, turned);
        REQUIRE(turned.count == 1);
        CHECK(length(turned.normal + m.normal) < 1e-12);
        CHECK(turned.point[0].gap == doctest::Approx(m.point[0].gap));
    }
    CHECK(outside > 200);
}

TEST_CASE("a capsule is no farther from a hull than any of its balls")
{
    Dice dice(9);
    for (int round = 0; round < 300; ++round) {
        const CollisionShape shape = round % 2 ? dice.box() : dice.hull(12);
        const CollisionShape pill = make_capsule(0.2, 1.5), ball = make_sphere(0.2);
        const Placed a{&shape, dice.vector(1), dice.rotation()};
        const Placed b{&pill, a.x + dice.vector(2), dice.rotation()};
        const CollideLengths all = {.reach = 10, .clip = 0, .face_bias = 0, .edge_bias = 0};
        Manifold m, one;
        collide(a, b, all, m);
        REQUIRE(m.count >= 1);
        check_points(a, b, m, 1e-9);
        double nearest = INFINITY;
        for (int i = 0; i <= 200; ++i) {
            const Placed at{&ball, b.to_world({0, -0.75 + 1.5 * i / 200, 0}), Mat3::identity()};
            collide(a, at, all, one);
            nearest = std::min(nearest, one.point[0].gap);
        }
        double gap = INFINITY;
        for (int i = 0; i < m.count; ++i)
            gap = std::min(gap, m.point[std::size_t(i)].gap);
        CHECK(gap <= nearest + 1e-9);
        CHECK(gap >= nearest - 0.01);
    }
}

TEST_CASE("capsules and spheres against each other, lying beside and crossed")
{
    const CollisionShape pill = make_capsule(0.1, 1), ball = make_sphere(0.3);
    const Placed a{&pill, {0, 0, 0}, Mat3::identity()};
    const Placed beside{&pill, {0.19, 0.4, 0}, Mat3::identity()};
    Manifold m;
    collide(a, beside, kLengths, m);
    REQUIRE(m.count == 2);
    check_points(a, beside, m, 1e-12);
    CHECK(m.point[0].gap == doctest::Approx(-0.01));
    CHECK(std::abs(m.point[0].on_a.y - m.point[1].on_a.y) == doctest::Approx(0.6));
    const Placed across{
        &pill, {0, 0.2, 0.205}, rotation_matrix(rotation_about(Vec3{0, 0, 1}, M_PI / 2))};
    collide(a, across, kLengths, m);
    REQUIRE(m.count == 1);
    CHECK(m.point[0].gap == doctest::Approx(0.005));
    CHECK(length(m.normal - Vec3{0, 0, 1}) < 1e-9);
    const Placed above{&ball, {0, 0.5 + 0.4, 0}, Mat3::identity()};
    collide(a, above, kLengths, m);
    REQUIRE(m.count == 1);
    CHECK(std::abs(m.point[0].gap) < 1e-12);
    const Placed same{&pill, {0, 0, 0}, Mat3::identity()}; // one in the other: some direction
    collide(a, same, kLengths, m);
    CHECK(m.count >= 1);
    CHECK(length(m.normal) == doctest::Approx(1));
    CHECK(std::abs(m.normal.y) < 1e-9);
}

TEST_CASE("a plane holds the lowest corners of everything")
{
    const CollisionShape plane = make_plane(), box = make_box({1, 2, 3}), ball = make_sphere(0.5),
                         pill = make_capsule(0.2, 1);
    const Mat3 tilt = rotation_matrix(rotation_about(Vec3{0, 0, 1}, 0.2));
    const Placed ground{&plane, {5, 1, 0}, tilt};
    const auto on_ground = [&](const CollisionShape& shape, double height) {
        return Placed{&shape, ground.x + tilt.y * height + tilt.x * 3, tilt};
    };
    Manifold m;
    const Placed b = on_ground(box, 1 - 1e-4);
    collide(ground, b, kLengths, m);
    REQUIRE(m.count == 4);
    check_points(ground, b, m, 1e-12);
    CHECK(patch_area(ground, m) == doctest::Approx(3));
    CHECK(length(m.normal - tilt.y) < 1e-12);
    Placed rolled = on_ground(pill, 0.2);
    rolled.R = tilt * rotation_matrix(rotation_about(Vec3{0, 0, 1}, M_PI / 2));
    collide(rolled, ground, kLengths, m);
    REQUIRE(m.count == 2);
    check_points(rolled, ground, m, 1e-12);
    CHECK(length(m.normal + tilt.y) < 1e-12);
    collide(ground, on_ground(ball, 0.6), kLengths, m);
    CHECK(m.count == 0);
}

TEST_CASE("motion and scale change nothing but places and lengths")
{
    Dice dice(10);
    for (int round = 0; round < 200; ++round) {
        const double scale = std::pow(10, round % 7 - 3);
        const CollisionShape p = dice.box(), q = dice.box();
        const CollisionShape P = make_box(p.half * (2 * scale)), Q = make_box(q.half * (2 * scale));
        const Placed a{&p, dice.vector(0.5), dice.rotation()},
            b{&q, dice.vector(0.5), dice.rotation()};
        const Mat3 R = dice.rotation();
        const Vec3 shift = dice.vector(3);
        const Placed A{&P, (R * a.x + shift) * scale, R * a.R};
        const Placed B{&Q, (R * b.x + shift) * scale, R * b.R};
        Manifold m, M;
        collide(a, b, make_lengths(1e-3), m);
        collide(A, B, make_lengths(1e-3 * scale), M);
        REQUIRE(m.count == M.count);
        for (int i = 0; i < m.count; ++i) {
            CHECK(M.point[std::size_t(i)].feature == m.point[std::size_t(i)].feature);
            CHECK(M.point[std::size_t(i)].gap / scale ==
                  doctest::Approx(m.point[std::size_t(i)].gap).epsilon(1e-7));
        }
    }
}

TEST_CASE("features stay while a box slides, and gaps follow without a new search")
{
    const CollisionShape floor = make_box({10, 1, 10}), box = make_box({1, 1, 1});
    const Placed a{&floor, {0, -0.5, 0}, Mat3::identity()};
    Placed b{&box, {0, 0.5, 0}, Mat3::identity()};
    Manifold first, m;
    collide(a, b, kLengths, first);
    for (int i = 0; i < 50; ++i) {
        b.x += Vec3{0.01, 1e-5, 0.003};
        collide(a, b, kLengths, m);
        Manifold followed = first;
        update_gaps(a, b, followed);
        REQUIRE(m.count == 4);
        for (int k = 0; k < 4; ++k) {
            CHECK(m.point[std::size_t(k)].feature == first.point[std::size_t(k)].feature);
            CHECK(followed.point[std::size_t(k)].gap ==
                  doctest::Approx(m.point[std::size_t(k)].gap).epsilon(1e-9));
        }
    }
}

TEST_CASE("a sphere that has rolled on touches with another place of it")
{
    const CollisionShape ball = make_sphere(0.5), block = make_box({4, 1, 4});
    const CollideLengths lengths = make_lengths(1e-3);
    const Placed below{&block, {0, -0.5, 0}, Mat3::identity()};
    for (const bool is_on_ball : {false, true}) {
        const Placed other = is_on_ball ? Placed{&ball, {0, -0.5, 0}, Mat3::identity()} : below;
        const Placed before{&ball, {0, 0.501, 0}, Mat3::identity()};
        Manifold m;
        collide(other, before, lengths, m);
        REQUIRE(m.count == 1);
        const Placed after{&ball, {0.02, 0.5, 0}, rotation_matrix(exp_quat(Vec3{0, 0.3, -0.8}))};
        update_gaps(other, after, m);
        Manifold found;
        collide(other, after, lengths, found);
        CHECK(m.point[0].gap == doctest::Approx(found.point[0].gap).epsilon(1e-9));
        CHECK(length(m.normal - found.normal) < 1e-12);
    }
}

TEST_CASE("however far it reaches, a plane holds the lowest corners")
{
    const CollisionShape plane = make_plane(), box = make_box({1, 0.4, 0.7});
    const Placed ground{&plane, {0, 0, 0}, Mat3::identity()};
    CollideLengths far = make_lengths(1e-3);
    far.reach = 2; // a body of 200 m/s
    Dice dice(3);
    for (int k = 0; k < 200; ++k) {
        const Placed b{&box, {0, 0.3, 0}, dice.rotation()};
        Manifold m;
        collide(ground, b, far, m);
        REQUIRE(m.count == 4);
        double highest = -1e300;
        for (const ContactPoint& point : m.point)
            highest = std::max(highest, point.gap);
        int lower = 0;
        for (const Vec3& v : box.hull.vertices)
            lower += b.to_world(v).y < highest - far.clip;
        CHECK(lower < 4);
    }
}

TEST_CASE("the deepest corner of a patch is among those kept")
{
    // Two boxes of a bin that settled: an edge of the lower one leaves the upper one 4.2 mm inside.
    const CollisionShape lower = make_box(Vec3{0.235626, 0.133306, 0.166802} * 2);
    const CollisionShape upper = make_box(Vec3{0.255620, 0.222915, 0.323980} * 2);
    const Placed a{&lower,
                   {0.992707767, 0.873148943, 1.549295752},
                   rotation_matrix(Quat{-0.010387275, 0.011279377, -0.507614263, 0.861447990})};
    const Placed b{&upper,
                   {1.020646014, 0.999025460, 2.039712410},
                   rotation_matrix(Quat{-0.016258094, 0.030871277, -0.260845426, 0.964749865})};
    for (const bool is_swapped : {false, true}) {
        Manifold manifold;
        collide(is_swapped ? b : a, is_swapped ? a : b, make_lengths(9.81e-4), manifold);
        double deepest = 0;
        for (std::size_t i = 0; i < std::size_t(manifold.count); ++i)
            deepest = std::min(deepest, manifold.point[i].gap);
        CHECK(manifold.count == 4);
        CHECK(deepest == doctest::Approx(-4.22e-3).epsilon(0.02));
    }
}
