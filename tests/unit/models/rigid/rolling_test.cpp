// Rolling resistance: how far a ball rolls, and on which slope it stays.

#include "unit/models/rigid/pile_scene.h"

#include <doctest/doctest.h>

using namespace sinew;
using namespace sinew::pile_tests;

namespace {

constexpr double kRadius = 0.2, kArm = 0.005;

TestPile make_rolling_ball(double speed, double slope)
{
    TestPile scene;
    scene.add_ground(0.8);
    const double moment = 0.4 * 3 * kRadius * kRadius;
    scene.add(make_sphere(kRadius), 3, {moment, moment, moment},
              {.x = {0, kRadius, 0}, .v = {speed, 0, 0}, .w = {0, 0, -speed / kRadius}}, 0.8);
    for (BodyShape& shape : scene.pile.shapes)
        shape.rolling = kArm;
    scene.pile.gravity = Vec3{std::sin(slope), -std::cos(slope), 0} * kGravity;
    scene.begin();
    return scene;
}

} // namespace

TEST_CASE("a ball rolls as far as its resistance lets it")
{
    // 7/5 m a r = m g ρ: s = v² / (2a).
    const double a = kGravity * kArm / (1.4 * kRadius), exact = 1 / (2 * a);
    TestPile scene = make_rolling_ball(1, 0);
    scene.run(1 / a + 1);
    CHECK(scene.body(1).x.x == doctest::Approx(exact).epsilon(0.01));
    CHECK(length(scene.body(1).v) < 1e-4);
}

TEST_CASE("a ball stays on a slope below ρ/r and rolls above")
{
    const double limit = std::atan(kArm / kRadius);
    TestPile below = make_rolling_ball(0, 0.9 * limit), above = make_rolling_ball(0, 1.1 * limit);
    below.run(3);
    above.run(3);
    CHECK(below.drift() < 1e-4);
    const double a =
        kGravity * (std::sin(1.1 * limit) - std::cos(1.1 * limit) * kArm / kRadius) / 1.4;
    CHECK(above.drift() == doctest::Approx(0.5 * a * 9).epsilon(0.02));
}
