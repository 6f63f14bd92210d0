// Sleeping: what rests falls asleep, what moves does not, what is touched wakes.

#include "unit/models/rigid/pile_scene.h"

#include <doctest/doctest.h>

using namespace sinew;
using namespace sinew::pile_tests;

namespace {

TestPile make_sleepy_tower()
{
    TestPile scene = tower(5);
    scene.options.may_sleep = true;
    return scene;
}

int count_asleep(const TestPile& scene)
{
    int count = 0;
    for (const RestState& rest : scene.state.rest)
        count += rest.is_asleep;
    return count;
}

} // namespace

TEST_CASE("a tower that rests falls asleep after half a second and costs no sweeps")
{
    TestPile scene = make_sleepy_tower();
    scene.run(0.4);
    CHECK(count_asleep(scene) == 0);
    scene.run(0.4);
    CHECK(count_asleep(scene) == 5);
    const auto before = scene.state.bodies;
    const PileReport report = scene.run(1);
    CHECK(report.sweeps == 0);
    CHECK(scene.state.bodies == before);
}

TEST_CASE("what moves never sleeps, however slowly")
{
    TestPile scene;
    scene.options.may_sleep = true;
    scene.pile.gravity = {0, -9.81, 0};
    scene.add_ground(0);
    const std::uint32_t box =
        scene.add_box({1, 1, 1}, 10, {.x = {0, 0.5, 0}, .v = {2e-4, 0, 0}}, 0);
    scene.begin();
    scene.run(3);
    CHECK(count_asleep(scene) == 0);
    CHECK(scene.body(box).x.x == doctest::Approx(6e-4).epsilon(0.01));
}

TEST_CASE("a leaning tower falls as it does without sleeping")
{
    TestPile awake = tower(5), sleepy = tower(5);
    for (TestPile* scene : {&awake, &sleepy}) {
        for (std::size_t i = 3; i < 6; ++i)
            scene->start[i].x.x += 0.6;
        scene->begin();
    }
    sleepy.options.may_sleep = true;
    awake.run(1.5);
    sleepy.run(1.5);
    CHECK(awake.state.bodies == sleepy.state.bodies);
    CHECK(awake.drift() > 0.5);
}

TEST_CASE("a blow, a force, a velocity and another gravity wake it")
{
    for (const int cause : {0, 1, 2, 3}) {
        TestPile scene = make_sleepy_tower();
        scene.run(1);
        REQUIRE(count_asleep(scene) == 5);
        const std::vector<BodyForce> push = {{5, {100, 0, 0}, {0, 0, 0}}};
        if (cause == 0)
            scene.state.bodies[5].v = {0, 0, 0.1};
        else if (cause == 1)
            scene.options.forces = push;
        else if (cause == 2)
            scene.pile.gravity = {0, -9, 0};
        else
            scene.state.bodies[0].v = {0.1, 0, 0}; // the ground is driven
        scene.run(kStep);
        CHECK(count_asleep(scene) == 0);
    }
}

TEST_CASE("a ball that falls on a sleeping tower wakes it")
{
    TestPile scene = tower(3);
    const std::uint32_t ball = scene.add_ball(0.2, 500, {.x = {0.3, 14, 0}});
    scene.options.may_sleep = true;
    scene.begin();
    scene.run(1.2);
    CHECK(count_asleep(scene) == 3);
    scene.run(0.5);
    CHECK(count_asleep(scene) == 0);
    CHECK(scene.body(ball).x.y > 3);
}
