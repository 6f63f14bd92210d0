// Cylinders and cones: against fine polyhedra, certificates of optimality, known patches at rest,
// and what must not change under exchange, motion and scale.

#include "collide/manifold.h"
#include "collide/pairs/convex.h"
#include "collide/pairs/separation.h"
#include "collide/touch.h"
#include "unit/collide/dice.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;
using namespace sinew::collide_tests;

namespace {

const CollideLengths kLengths = make_lengths(1e-3);
const CollideLengths kAll = {.reach = 100, .clip = 1e-3, .face_bias = 1e-4, .edge_bias = 1e-3};

/// Many-sided, within the round shape.
CollisionShape polygonal(const CollisionShape& round, int sides)
{
    std::vector<Vec3> points;
    for (int i = 0; i < sides; ++i) {
        const double turn = 2 * M_PI * i / sides;
        const Vec3 out{round.radius * std::cos(turn), 0, round.radius * std::sin(turn)};
        points.push_back(out - Vec3{0, round.half.y, 0});
        if (round.kind == CollisionKind::cylinder)
            points.push_back(out + Vec3{0, round.half.y, 0});
    }
    if (round.kind == CollisionKind::cone)
        points.push_back({0, round.half.y, 0});
    return make_convex(*make_hull(points));
}

double separation(const Placed& a, const Placed& b, const Vec3& world_normal)
{
    return separation_along(seen_from(a, a), seen_from(a, b), transpose(a.R) * world_normal);
}

double lowest_gap(const Manifold& m)
{
    double lowest = INFINITY;
    for (int i = 0; i < m.count; ++i)
        lowest = std::min(lowest, m.point[std::size_t(i)].gap);
    return lowest;
}

} // namespace

TEST_CASE("round shapes are as far apart as fine polyhedra")
{
    Dice dice(21);
    int deep = 0, apart = 0, worse = 0;
    for (int round = 0; round < 300; ++round) {
        const double height = dice.number(0.3, 2), radius = dice.number(0.2, 1);
        const CollisionShape p =
            round % 2 ? make_cylinder(radius, height) : make_cone(radius, height);
        const CollisionShape q = round % 3 == 0   ? dice.box()
                                 : round % 3 == 1 ? dice.hull(8)
                                                  : make_cylinder(0.4, 1.2);
        constexpr int kSides = 96;
        const CollisionShape fine_p = polygonal(p, kSides);
        const CollisionShape fine_q = round % 3 == 2 ? polygonal(q, kSides) : q;
        const Placed a{&p, dice.vector(1), dice.rotation()};
        const Placed b{&q, a.x + dice.vector(1.3), dice.rotation()};
        const Placed fine_a{&fine_p, a.x, a.R}, fine_b{&fine_q, b.x, b.R};
        const double tolerance = 2.2 * 2 * (1 - std::cos(M_PI / kSides)); // of both radii
        const SeparatingAxis fine = find_axis(fine_a, fine_b, 1e9, 0, 0);
        Manifold m;
        collide(a, b, kAll, m);
        REQUIRE(m.count > 0);
        CHECK(length(m.normal) == doctest::Approx(1));
        const double found = separation(a, b, m.normal);
        CHECK(lowest_gap(m) == doctest::Approx(found).epsilon(1e-5));
        if (fine.separation > 0) {
            CHECK(found >= fine.separation - tolerance); // corners may be nearer than faces say
            ++apart;
        } else {
            CHECK(found <= fine.separation + tolerance);
            worse += found < fine.separation - tolerance;
            ++deep;
        }
    }
    CHECK(deep > 60);
    CHECK(apart > 60);
    MESSAGE("deep ", deep, ", of which not the best direction: ", worse);
    CHECK(worse * 25 <= deep);
}

TEST_CASE("apart, the nearest places certify the distance")
{
    Dice dice(22);
    int found = 0;
    for (int round = 0; round < 600; ++round) {
        const double height = dice.number(0.3, 2), radius = dice.number(0.2, 1);
        const CollisionShape p =
            round % 2 ? make_cylinder(radius, height) : make_cone(radius, height);
        const CollisionShape q = dice.convex(round / 2);
        const Placed a{&p, dice.vector(1), dice.rotation()};
        const Placed b{&q, a.x + normalised(dice.vector(1)) * 3.5, dice.rotation()};
        Manifold m;
        collide(a, b, kAll, m);
        REQUIRE(m.count > 0);
        const double along = separation(a, b, m.normal);
        if (along <= 0)
            continue;
        ++found;
        // A point of each at that distance, and a plane between them that no point crosses.
        int best = 0;
        for (int i = 1; i < m.count; ++i)
            if (m.point[std::size_t(i)].gap < m.point[std::size_t(best)].gap)
                best = i;
        const ContactPoint& point = m.point[std::size_t(best)];
        const double distance = length(b.to_world(point.on_b) - a.to_world(point.on_a));
        CHECK(distance == doctest::Approx(along).epsilon(1e-6));
    }
    CHECK(found > 400);
}

TEST_CASE("a cylinder or cone standing on its cap touches with four spread points")
{
    const CollisionShape floor = make_box({10, 1, 10}), plane = make_plane();
    const CollisionShape slab = make_convex(make_box({10, 1, 10}).hull);
    const CollisionShape wide = make_cylinder(3, 1);
    for (const CollisionShape& round : {make_cylinder(0.4, 1.2), make_cone(0.4, 1.2)})
        for (const CollisionShape* ground : {&floor, &slab, &wide, &plane}) {
            const double top = ground == &plane ? 0 : 0.5;
            const Placed a{ground, {0, 0, 0}, Mat3::identity()};
            const Mat3 turn = rotation_matrix(rotation_about(Vec3{0, 1, 0}, 0.7));
            const Placed b{&round, {0.3, top + 0.6 - 1e-5, -0.2}, turn};
            for (const bool is_turned : {false, true}) {
                Manifold m;
                collide(is_turned ? b : a, is_turned ? a : b, kLengths, m);
                REQUIRE(m.count == 4);
                CHECK(length(m.normal - Vec3{0, is_turned ? -1.0 : 1.0, 0}) < 1e-12);
                for (int i = 0; i < 4; ++i)
                    CHECK(std::abs(m.point[std::size_t(i)].gap + 1e-5) < 1e-12);
                CHECK(patch_area(is_turned ? b : a, m) == doctest::Approx(2 * 0.4 * 0.4));
            }
        }
}

TEST_CASE("of a cap that hangs over, only what is above the face touches")
{
    const CollisionShape floor = make_box({2, 1, 2}), can = make_cylinder(0.4, 1);
    const Placed a{&floor, {0, 0, 0}, Mat3::identity()};
    const Placed b{&can, {1.1, 1, 0}, Mat3::identity()};
    Manifold m;
    collide(a, b, kLengths, m);
    REQUIRE(m.count == 4);
    double area = 0, farthest = -1;
    for (int i = 0; i < 4; ++i) {
        farthest = std::max(farthest, m.point[std::size_t(i)].on_a.x);
        CHECK(std::abs(m.point[std::size_t(i)].gap) < 1e-12);
    }
    area = patch_area(a, m);
    CHECK(farthest == doctest::Approx(1));
    const double segment = 0.4 * 0.4 * std::acos(0.25) - 0.1 * std::sqrt(0.15);
    CHECK(area < segment);
    CHECK(area > 0.7 * segment);
}

TEST_CASE("a lying cylinder touches along a line, exactly and alike while it rolls")
{
    const CollisionShape floor = make_box({20, 1, 20}), plane = make_plane(),
                         can = make_cylinder(0.3, 1), cone = make_cone(0.3, 1);
    for (const CollisionShape* ground : {&floor, &plane}) {
        const double top = ground == &floor ? 0.5 : 0;
        const Placed a{ground, {0, 0, 0}, Mat3::identity()};
        Manifold first;
        for (int step = 0; step < 500; ++step) {
            const double turn = 0.0137 * step;
            const Mat3 lying = rotation_matrix(rotation_about(Vec3{1, 0, 0}, M_PI / 2));
            const Mat3 rolled = rotation_matrix(rotation_about(Vec3{0, 0, 1}, -turn)) * lying;
            const Placed b{&can, {0.3 * turn, top + 0.3 - 1e-6, 0}, rolled};
            Manifold m;
            collide(a, b, kLengths, m);
            REQUIRE(m.count == 2);
            if (step == 0)
                first = m;
            CHECK(length(m.normal - Vec3{0, 1, 0}) < 1e-14);
            for (std::size_t i = 0; i < 2; ++i) {
                CHECK(std::abs(m.point[i].gap + 1e-6) < 1e-12);
                CHECK(m.point[i].feature == first.point[i].feature);
                CHECK(std::abs(m.point[i].on_a.x - 0.3 * turn) < 1e-12);
            }
        }
    }
    // a cone on its side: from rim to tip
    const double tilt = std::atan2(0.3, 1);
    const Placed a{&floor, {0, 0, 0}, Mat3::identity()};
    const Mat3 R = rotation_matrix(rotation_about(Vec3{0, 0, 1}, -(M_PI / 2 + tilt)));
    const Placed b{&cone, {0, 0.5 + 0.5 * std::sin(tilt), 0}, R};
    Manifold m;
    collide(a, b, kLengths, m);
    REQUIRE(m.count == 2);
    CHECK(std::abs(m.point[0].gap) < 1e-12);
    CHECK(std::abs(m.point[1].gap) < 1e-12);
}

TEST_CASE("cylinders beside each other touch along their sides, crossed in one point")
{
    const CollisionShape can = make_cylinder(0.2, 1);
    const Placed a{&can, {0, 0, 0}, Mat3::identity()};
    const Placed beside{&can, {0.395, 0.3, 0}, rotation_matrix(rotation_about(Vec3{0, 1, 0}, 1.0))};
    Manifold m;
    collide(a, beside, kLengths, m);
    REQUIRE(m.count == 2);
    CHECK(std::abs(m.point[0].gap + 0.005) < 1e-10);
    CHECK(std::abs(std::abs(m.point[0].on_a.y - m.point[1].on_a.y) - 0.7) < 1e-9);
    const Placed crossed{
        &can, {0.1, 0.1, 0.401}, rotation_matrix(rotation_about(Vec3{0, 0, 1}, 1.2))};
    collide(a, crossed, kLengths, m);
    REQUIRE(m.count == 1);
    CHECK(std::abs(m.point[0].gap - 0.001) < 1e-10);
    CHECK(length(m.normal - Vec3{0, 0, 1}) < 1e-7);
}

TEST_CASE("a sphere against a cylinder or cone is exact")
{
    Dice dice(23);
    for (int round = 0; round < 2000; ++round) {
        const CollisionShape p = round % 2 ? make_cylinder(0.5, 1.4) : make_cone(0.5, 1.4);
        const CollisionShape ball = make_sphere(dice.number(0.05, 0.5));
        const Placed a{&p, dice.vector(1), dice.rotation()};
        const Placed b{&ball, a.x + dice.vector(1.3), dice.rotation()};
        Manifold m, turned;
        collide(a, b, kAll, m);
        collide(b, a, kAll, turned);
        REQUIRE(m.count == 1);
        REQUIRE(turned.count == 1);
        CHECK(length(m.normal + turned.normal) < 1e-14);
        CHECK(separation(a, b, m.normal) == doctest::Approx(m.point[0].gap).epsilon(1e-10));
        // stationary: no near direction is better
        for (int i = 0; i < 5; ++i) {
            const Vec3 near = normalised(m.normal + dice.vector(1e-3));
            CHECK(separation(a, b, near) <= m.point[0].gap + 1e-9);
        }
    }
}

TEST_CASE("exchange, motion and scale change nothing but places and lengths")
{
    Dice dice(24);
    for (int round = 0; round < 300; ++round) {
        const double scale = std::pow(10, round % 7 - 3);
        const double r = dice.number(0.2, 0.6), l = dice.number(0.3, 1.5);
        const auto make = [&](double s) {
            return round % 2 ? make_cylinder(r * s, l * s) : make_cone(r * s, l * s);
        };
        const CollisionShape p = make(1), P = make(scale);
        const CollisionShape q = make_box({0.7, 0.9, 0.5}),
                             Q = make_box(Vec3{0.7, 0.9, 0.5} * scale);
        const Placed a{&p, dice.vector(0.4), dice.rotation()},
            b{&q, a.x + dice.vector(0.7), dice.rotation()};
        const Mat3 R = dice.rotation();
        const Vec3 shift = dice.vector(3);
        const Placed A{&P, (R * a.x + shift) * scale, R * a.R};
        const Placed B{&Q, (R * b.x + shift) * scale, R * b.R};
        Manifold m, M, turned;
        collide(a, b, make_lengths(1e-3), m);
        collide(A, B, make_lengths(1e-3 * scale), M);
        collide(b, a, make_lengths(1e-3), turned);
        REQUIRE((m.count > 0) == (M.count > 0));
        REQUIRE((m.count > 0) == (turned.count > 0));
        if (m.count == 0)
            continue;
        CHECK(lowest_gap(M) / scale == doctest::Approx(lowest_gap(m)).epsilon(1e-6));
        if (lowest_gap(m) > -0.02) // deeper, there are several directions nearly as good
            CHECK(separation(b, a, turned.normal) ==
                  doctest::Approx(separation(a, b, m.normal)).epsilon(1e-4));
    }
}

TEST_CASE("ten thousand random pairs give finite contacts")
{
    Dice dice(25);
    int touching = 0;
    for (int round = 0; round < 10000; ++round) {
        const CollisionShape p = dice.convex(round), q = dice.convex(round / 7);
        const Placed a{&p, dice.vector(1), dice.rotation()};
        const bool is_same = round % 50 == 0;
        const Placed b{&q, is_same ? a.x : a.x + dice.vector(1.2), is_same ? a.R : dice.rotation()};
        Manifold m;
        collide(a, b, kLengths, m);
        touching += m.count > 0;
        if (m.count == 0)
            continue;
        REQUIRE(std::abs(length(m.normal) - 1) < 1e-9);
        for (int i = 0; i < m.count; ++i) {
            const ContactPoint& point = m.point[std::size_t(i)];
            REQUIRE(is_finite(point.on_a));
            REQUIRE(is_finite(point.on_b));
            REQUIRE(std::abs(dot(m.normal, b.to_world(point.on_b) - a.to_world(point.on_a)) -
                             point.gap) < 1e-9);
        }
    }
    CHECK(touching > 3000);
}
