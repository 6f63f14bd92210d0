// Rigid bodies: flight, spin, impact, friction and stacks, and what must not change.

#include "unit/models/rigid/pile_scene.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;
using namespace sinew::pile_tests;

TEST_CASE("free flight is the parabola, whatever the step")
{
    for (const double h : {0.01, 0.1}) {
        TestPile scene;
        const std::uint32_t ball = scene.add_ball(0.1, 2, {.x = {1, 2, 3}, .v = {3, 4, -5}});
        scene.begin();
        scene.run(2, h);
        const Vec3 expected{1 + 3 * 2, 2 + 4 * 2 - 0.5 * kGravity * 4, 3 - 5 * 2};
        CHECK(length(scene.body(ball).x - expected) < 1e-11);
    }
}

TEST_CASE("a free spin keeps its angular momentum to rounding and its energy to order 4")
{
    double last = 0;
    for (const double h : {0.02, 0.01, 0.005}) {
        TestPile scene;
        scene.pile.gravity = {0, 0, 0};
        const std::uint32_t brick = scene.add_box({1, 2, 3}, 5, {.w = {4, 0.5, 1}});
        scene.begin();
        const Vec3 momentum = scene.angular_momentum(brick);
        const double energy = scene.turning_energy(brick);
        scene.run(10, h);
        CHECK(length(scene.angular_momentum(brick) - momentum) < 1e-11 * length(momentum));
        const double error = std::abs(scene.turning_energy(brick) / energy - 1);
        CHECK(error < 1e-4);
        if (last > 0)
            CHECK(error < last / 10);
        last = error;
    }
}

TEST_CASE("a racket spun about its middle axis turns over, about the others it does not")
{
    const auto turns_over = [](const Vec3& spin) {
        TestPile scene;
        scene.pile.gravity = {0, 0, 0};
        const std::uint32_t brick =
            scene.add_box({1, 2, 3}, 5, {.w = spin + Vec3{1e-3, 1e-3, 1e-3}});
        scene.begin();
        bool has_turned = false;
        for (int i = 0; i < 3000; ++i) {
            scene.run(kStep);
            const Vec3 local = rotate(conjugate(scene.body(brick).q), scene.body(brick).w);
            has_turned = has_turned || dot(local, spin) < 0;
        }
        return has_turned;
    };
    CHECK_FALSE(turns_over({5, 0, 0}));
    CHECK(turns_over({0, 5, 0}));
    CHECK_FALSE(turns_over({0, 0, 5}));
}

TEST_CASE("two bodies that collide in the air keep momentum to rounding")
{
    for (const double bounce : {0.0, 0.5, 1.0}) {
        TestPile scene;
        scene.pile.gravity = {0, 0, 0};
        const std::uint32_t a = scene.add_ball(0.5, 2, {.x = {-2, 0, 0}, .v = {3, 0, 0}}, bounce);
        const std::uint32_t b = scene.add_ball(0.5, 1, {.x = {2, 0.2, 0}, .v = {-1, 0, 0}}, bounce);
        scene.begin();
        scene.run(3);
        const Vec3 momentum = scene.body(a).v * 2 + scene.body(b).v;
        CHECK(length(momentum - Vec3{5, 0, 0}) < 1e-13);
        const Vec3 n = normalised(Vec3{std::sqrt(1 - 0.04), 0.2, 0}); // at contact, radii 0.5
        const double leaving = dot(n, scene.body(b).v - scene.body(a).v);
        CHECK(leaving == doctest::Approx(bounce * 4 * n.x).epsilon(0.02));
        const double energy =
            squared_length(scene.body(a).v) + 0.5 * squared_length(scene.body(b).v);
        CHECK(energy <= 9.5 * (1 + 1e-12));
    }
}

TEST_CASE("a dropped ball returns to e² of its height")
{
    for (const double bounce : {0.5, 1.0}) {
        TestPile scene;
        scene.add_ground(0.5, 0);
        const std::uint32_t ball = scene.add_ball(0.1, 1, {.x = {0, 1.1, 0}}, bounce);
        scene.begin();
        double highest = 0;
        for (int i = 0; i < 120; ++i) {
            scene.run(kStep);
            if (i > 50)
                highest = std::max(highest, scene.body(ball).x.y - 0.1);
        }
        CHECK(highest == doctest::Approx(bounce * bounce).epsilon(0.03));
    }
}

TEST_CASE("an incline holds below the friction angle and slides as it must above")
{
    constexpr double kMu = 0.5, kDegree = M_PI / 180;
    for (const double heading : {0.0, 30.0, 45.0})
        for (const double offset : {-1.0, 1.0}) {
            const double slope = std::atan(kMu) + offset * kDegree, d = heading * kDegree;
            TestPile scene;
            scene.add_ground(kMu);
            const std::uint32_t box = scene.add_box({1, 0.5, 1}, 500, {.x = {0, 0.25, 0}}, kMu);
            scene.pile.gravity = Vec3{std::sin(slope) * std::cos(d), -std::cos(slope),
                                      std::sin(slope) * std::sin(d)} *
                                 kGravity;
            scene.begin();
            scene.run(3);
            const double slid = length(scene.body(box).x - scene.start[box].x);
            const double exact = 0.5 * kGravity * (std::sin(slope) - kMu * std::cos(slope)) * 9;
            if (offset < 0)
                CHECK(slid < 1e-5);
            else
                CHECK(slid == doctest::Approx(exact).epsilon(1e-3));
        }
}

TEST_CASE("a tower rests, also under a millionfold load")
{
    for (const double top : {1e3, 1e6, 1e9}) {
        TestPile scene = tower(10, top);
        const PileReport report = scene.run(3);
        CHECK(scene.drift() < 1e-3);
        CHECK(report.overlap < 1e-4);
        for (const BodyState& body : scene.state.bodies)
            CHECK(length(body.v) < 1e-4);
    }
}

TEST_CASE("a wall of which nothing is known is solved in few factorisations")
{
    constexpr int kCourses = 10, kBricks = 8;
    TestPile scene;
    scene.add_ground();
    for (int course = 0; course < kCourses; ++course)
        for (int i = 0; i + course % 2 < kBricks; ++i)
            scene.add_box({1, 0.5, 0.5}, 500,
                          {.x = {1.02 * i + 0.51 * (course % 2), 0.25 + 0.5 * course, 0}});
    scene.begin();
    const PileReport first = step_pile(scene.pile, scene.options, kStep, scene.state, *scene.work);
    CHECK(first.factors <= 4); // from nothing it took 12
    CHECK(first.residual < scene.options.tolerance);
    const PileReport second = step_pile(scene.pile, scene.options, kStep, scene.state, *scene.work);
    CHECK(second.factors == 0);
}

TEST_CASE("planks overhang to the harmonic limit and no farther")
{
    const auto drift = [](double share) {
        TestPile scene;
        scene.add_ground();
        scene.add(make_box({10, 5, 10}), 0, {0, 0, 0}, {.x = {-5, 2.5, 0}});
        double edge = 0; // of what is below, from the top down
        std::vector<double> reach;
        for (int i = 6; i >= 1; --i)
            reach.push_back(share / (2.0 * i));
        for (std::size_t i = 0; i < 6; ++i) {
            edge += reach[i];
            scene.add_box({1, 0.1, 0.5}, 50, {.x = {edge - 0.5, 5.05 + 0.1 * double(i), 0}});
        }
        scene.begin();
        scene.run(2);
        return scene.drift();
    };
    CHECK(drift(0.99) < 1e-3);
    CHECK(drift(1.01) > 0.01);
}

TEST_CASE("a scene and its model behave alike")
{
    TestPile large = tower(5), small = tower(5, 1000, 1e-3), huge = tower(5, 1000, 1e3);
    for (TestPile* scene : {&large, &small, &huge}) { // the second box starts aside and topples
        const double size = scene == &large ? 1 : scene == &small ? 1e-3 : 1e3;
        for (std::size_t i = 3; i < 6; ++i)
            scene->start[i].x.x += 0.45 * size;
        scene->begin();
        scene->run(1.5 * std::sqrt(size), kStep * std::sqrt(size));
    }
    for (std::uint32_t i = 1; i < 6; ++i) {
        CHECK(length(small.body(i).x * 1e3 - large.body(i).x) < 1e-3);
        CHECK(length(huge.body(i).x * 1e-3 - large.body(i).x) < 1e-3);
    }
}

TEST_CASE("the state is all there is: the same bits from a copy with nothing else kept")
{
    TestPile a = tower(6), b = tower(6);
    for (TestPile* scene : {&a, &b}) {
        for (std::size_t i = 4; i < 7; ++i)
            scene->start[i].x.x += 0.3;
        scene->begin();
    }
    a.run(1);
    for (int i = 0; i < 10; ++i) {
        b.run(0.1);
        b.work = make_pile_work();
    }
    CHECK(a.state.bodies == b.state.bodies);
}
