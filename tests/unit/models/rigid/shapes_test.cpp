// Ellipsoids and capsules between two points, against closed forms and shapes that are the same.

#include "sinew/world.h"

#include "collide/manifold.h"
#include "geometry/mass_properties.h"
#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace sinew;
using sinew::test::make_world;

namespace {

constexpr double kPi = std::numbers::pi;

Affine frame_of(const World& world, const std::string& name)
{
    const std::vector<std::string> names = object_names(world.scene());
    const auto found = std::ranges::find(names, name);
    REQUIRE(found != names.end());
    return world.frame().objects[std::size_t(found - names.begin())];
}

/// The gap of an ellipsoid that is turned about z above a box, and where it touches.
Manifold above_box(double angle, double height)
{
    const CollisionShape egg = make_ellipsoid({0.3, 0.2, 0.1}), box = make_box({2, 2, 2});
    const Vec3 x = {std::cos(angle), std::sin(angle), 0},
               y = {-std::sin(angle), std::cos(angle), 0};
    const Placed a = {&egg, {0.1, 1 + height, 0.2}, Mat3{x, y, {0, 0, 1}}};
    const Placed b = {&box, {0, 0, 0}, Mat3::identity()};
    Manifold manifold;
    collide(a, b, make_lengths(0.01), manifold);
    return manifold;
}

} // namespace

TEST_CASE("an ellipsoid has the volume and the moments of its radii")
{
    const MassProperties egg = ellipsoid_mass({0.3, 0.2, 0.1});
    CHECK(egg.volume == doctest::Approx(4. / 3 * kPi * 0.006));
    CHECK(egg.inertia(0, 0) == doctest::Approx(egg.volume / 5 * (0.04 + 0.01)));
    CHECK(egg.inertia(1, 1) == doctest::Approx(egg.volume / 5 * (0.09 + 0.01)));
    CHECK(egg.inertia(2, 2) == doctest::Approx(egg.volume / 5 * (0.09 + 0.04)));
    CHECK(ellipsoid_mass({0.3, 0.3, 0.3}).inertia(1, 1) ==
          doctest::Approx(sphere_mass(0.3).inertia(1, 1)));
}

TEST_CASE("an ellipsoid above a face is as far from it as its support says")
{
    for (const double angle : {0., 0.3, 1.1, 2.}) {
        const double s = std::sin(angle), c = std::cos(angle);
        const double low = std::sqrt(0.09 * s * s + 0.04 * c * c);
        for (const double gap : {0.05, 1e-6, -1e-4, -0.02}) {
            CAPTURE(angle);
            CAPTURE(gap);
            const Manifold m = above_box(angle, low + gap);
            REQUIRE(m.count == 1);
            CHECK(std::abs(m.point[0].gap - gap) < 1e-9);
            CHECK(m.normal.y == doctest::Approx(-1));
            const Vec3 on_box = m.point[0].on_b;
            CHECK(std::abs(on_box.x - (0.1 + (0.04 - 0.09) * s * c / low)) < 1e-6);
            CHECK(std::abs(on_box.z - 0.2) < 1e-6);
        }
    }
}

TEST_CASE("two ellipsoids touch where spheres would")
{
    const CollisionShape a = make_ellipsoid({0.3, 0.3, 0.3}), b = make_ellipsoid({0.2, 0.2, 0.2});
    for (const double gap : {0.01, 0., -0.003}) {
        const Vec3 way = normalised(Vec3{1, 2, -0.5});
        Manifold m;
        collide({&a, {0, 0, 0}, Mat3::identity()}, {&b, way * (0.5 + gap), Mat3::identity()},
                make_lengths(0.01), m);
        REQUIRE(m.count == 1);
        CHECK(std::abs(m.point[0].gap - gap) < 1e-7);
        CHECK(length(m.normal - way) < 1e-3);
    }
}

TEST_CASE("an egg comes to rest on its flattest side, on a plane and on a box")
{
    for (const std::string ground : {"plane(0, 1, 0, 0);", "box(20, 1, 20) translatey(-0.5);"}) {
        CAPTURE(ground);
        World world = make_world("def floor obstacle(); " + ground +
                                 " end; floor;\n"
                                 "def egg body(density = 1000); ellipsoid(0.3, 0.2, 0.1); "
                                 "material(rolling = 0.001); end;\n"
                                 "e = egg rotatez(40 deg) rotatex(25 deg) translatey(0.5);\n"
                                 "simulate(0 sec, 12 sec, step = 1/120);");
        REQUIRE_FALSE(world.advance(12).fault);
        const Affine egg = frame_of(world, "e");
        CHECK(egg.origin.y == doctest::Approx(0.1).epsilon(2e-2));
        CHECK(std::abs(egg.linear.z.y) > 0.98);
    }
}

TEST_CASE("a round ellipsoid rolls down a slope as a sphere does")
{
    const auto rolled = [](const std::string& shape) {
        World world = make_world("def floor obstacle(); plane(0, 1, 0, 0); end;\n"
                                 "floor rotatez(-10 deg);\n"
                                 "def ball body(density = 1000); " +
                                 shape +
                                 "; end;\n"
                                 "b = ball translate(0.1 * sin(10 deg), 0.1 * cos(10 deg), 0);\n"
                                 "simulate(0 sec, 2 sec, step = 1/240);");
        REQUIRE_FALSE(world.advance(2).fault);
        return frame_of(world, "b").origin;
    };
    const Vec3 sphere = rolled("sphere(0.1)"), egg = rolled("ellipsoid(0.1, 0.1, 0.1)");
    CHECK(length(sphere - egg) < 0.02 * length(sphere));
}

TEST_CASE("a capsule between two points is the capsule that lies there")
{
    const auto fallen = [](const std::string& shape) {
        World world = make_world("def floor obstacle(); plane(0, 1, 0, 0); end; floor;\n"
                                 "def pill body(density = 500); box(0.1, 0.1, 0.1); " +
                                 shape +
                                 " end;\n"
                                 "q = pill translatey(1) spin(0.3, 0.2, 0.1);\n"
                                 "simulate(0 sec, 2 sec, step = 0.01);");
        REQUIRE_FALSE(world.advance(1.5).fault);
        return frame_of(world, "q");
    };
    const Affine moved = fallen("capsule(0.05, 0.5) rotatez(-90 deg) translate(0.35, 0.2, 0.1);");
    const Affine drawn = fallen("capsule(0.05, 0.1,0.2,0.1, 0.6,0.2,0.1);");
    CHECK(length(moved.origin - drawn.origin) < 1e-6);
    CHECK(length(moved.linear.x - drawn.linear.x) < 1e-6);
}

TEST_CASE("each instance has its own capsule between points")
{
    World world = make_world("def bone body(mass = 1); capsule(0.05, 0,0,0, 0,0.4,0.3); end;\n"
                             "a = bone; b = bone translatex(2);\n"
                             "simulate(0 sec, 1 sec, step = 0.01);");
    REQUIRE_FALSE(world.advance(1).fault);
    const Affine a = frame_of(world, "a"), b = frame_of(world, "b");
    CHECK(length(b.origin - a.origin - Vec3{2, 0, 0}) < 1e-9);
    CHECK(a.origin.y == doctest::Approx(-0.5 * 9.81).epsilon(1e-9));
}
