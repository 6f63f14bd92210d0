// The paper's method: what shock propagation does, layers of known stacks, convergence recorded.

#include "models/rigid/paper/layers.h"
#include "unit/models/rigid/pile_scene.h"

#include <doctest/doctest.h>

using namespace sinew;
using namespace sinew::pile_tests;

namespace {

TestPile make_paper_tower(int count, bool has_shock)
{
    TestPile scene = tower(count);
    scene.options.method = BodyMethod::erleben;
    scene.options.has_shock = has_shock;
    scene.options.iterations = 5;
    return scene;
}

/// How far the top has sunk after a while.
double sinking(TestPile& scene)
{
    scene.run(1);
    const std::size_t top = scene.start.size() - 1;
    return scene.start[top].x.y - scene.state.bodies[top].x.y;
}

} // namespace

TEST_CASE("shock propagation holds a tower that few iterations let sink [Erleben04]")
{
    TestPile with = make_paper_tower(10, true), without = make_paper_tower(10, false);
    const double held = sinking(with), sunk = sinking(without);
    MESSAGE("sunk in 1 s: with shock propagation ", held, " m, without ", sunk, " m");
    CHECK(std::abs(held) < 2e-3);
    CHECK(sunk > 10 * std::abs(held));
}

TEST_CASE("layers of a tower count up from the ground, of a pyramid by rows [Erleben04]")
{
    TestPile scene;
    scene.add_ground();
    for (int row = 0; row < 3; ++row)
        for (int i = 0; i < 3 - row; ++i)
            scene.add_box({1, 1, 1}, 10, {.x = {1.1 * (i + 0.5 * row), 0.5 + row, 0}});
    const std::uint32_t flying = scene.add_ball(0.1, 1, {.x = {0, 9, 0}});
    scene.begin();
    scene.run(kStep);
    const std::vector<int> layers = compute_layers(scene.pile, scene.state, 1e-3);
    CHECK(layers == std::vector<int>{0, 1, 1, 1, 2, 2, 3, -1});
    CHECK(flying == 7);
}

TEST_CASE("theta falls with the iterations and is recorded when asked for [Erleben04]")
{
    TestPile scene = tower(5);
    scene.options.method = BodyMethod::erleben;
    scene.options.iterations = 200;
    scene.options.records_theta = true;
    const PileReport report = step_pile(scene.pile, scene.options, kStep, scene.state, *scene.work);
    REQUIRE(report.theta.size() == 200);
    CHECK(report.theta[199] < 0.05 * report.theta[0]);
    CHECK(report.residual >= 0);
}

TEST_CASE("the paper's friction is a box: an incline holds below its angle")
{
    TestPile scene;
    scene.options.method = BodyMethod::erleben;
    scene.add_ground(0.5);
    const std::uint32_t box = scene.add_box({1, 0.5, 1}, 500, {.x = {0, 0.25, 0}}, 0.5);
    const double slope = std::atan(0.5) - M_PI / 180;
    scene.pile.gravity = Vec3{std::sin(slope), -std::cos(slope), 0} * kGravity;
    scene.begin();
    scene.run(1);
    CHECK(length(scene.body(box).x - scene.start[box].x) < 1e-3);
}
