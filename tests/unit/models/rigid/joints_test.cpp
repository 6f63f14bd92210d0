// Joints: swing, chains, limits, motors, breaking, and what they must keep.

#include "unit/models/rigid/pile_scene.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sinew;
using namespace sinew::pile_tests;

namespace {

const Quat kAxisZ = exp_quat(Vec3{0, -M_PI / 2, 0}); // a joint's x along the world's z

/// A fixed body without a shape, to hang things on.
std::uint32_t add_anchor(TestPile& scene, const Vec3& at = {0, 0, 0})
{
    scene.pile.bodies.push_back({0, {0, 0, 0}, std::uint32_t(scene.pile.shapes.size()), 0});
    scene.start.push_back({.x = at});
    return std::uint32_t(scene.pile.bodies.size()) - 1;
}

JointModel& add_joint(TestPile& scene, JointKind kind, std::uint32_t a, std::uint32_t b,
                      const Vec3& at, const Quat& frame = {})
{
    const auto in_body = [&](std::uint32_t i) -> Pose {
        const BodyState& body = scene.start[i];
        return {conjugate(body.q) * frame, rotate(conjugate(body.q), at - body.x)};
    };
    scene.pile.joints.push_back(
        {.kind = kind, .a = a, .b = b, .in_a = in_body(a), .in_b = in_body(b)});
    return scene.pile.joints.back();
}

/// A rod that hangs on a hinge along z at the origin, turned by `angle` from straight down.
TestPile make_pendulum(double angle, double length = 1)
{
    TestPile scene;
    const std::uint32_t anchor = add_anchor(scene);
    const Quat q = exp_quat(Vec3{0, 0, angle});
    const std::uint32_t rod =
        scene.add_box({0.1, length, 0.1}, 2, {.x = rotate(q, Vec3{0, -0.5 * length, 0}), .q = q});
    add_joint(scene, JointKind::hinge, anchor, rod, {0, 0, 0}, kAxisZ);
    scene.begin();
    return scene;
}

double energy_of(const TestPile& scene, std::uint32_t i)
{
    const BodyState& body = scene.body(i);
    return 0.5 * scene.pile.bodies[i].mass * squared_length(body.v) + scene.turning_energy(i) +
           scene.pile.bodies[i].mass * kGravity * body.x.y;
}

} // namespace

TEST_CASE("a rod on a hinge swings with the period of the closed form")
{
    // I/m about the end of a rod 1 × 0.1: (1 + 0.01)/12 + 1/4; T = 2π √(I/(m g d)) (1 + θ²/16).
    constexpr double kAngle = 0.05;
    const double exact =
        2 * M_PI * std::sqrt((1.01 / 12 + 0.25) / (kGravity * 0.5)) * (1 + kAngle * kAngle / 16);
    TestPile scene = make_pendulum(kAngle);
    double last = kAngle, first_zero = -1, zero = -1;
    int zeros = 0;
    for (int i = 1; i <= 1000; ++i) {
        scene.run(kStep);
        const double now = kAngle + scene.state.joints[0].coordinate;
        if ((last < 0) != (now < 0)) {
            zero = (i - 1 + last / (last - now)) * kStep;
            first_zero = first_zero < 0 ? zero : first_zero;
            ++zeros;
        }
        last = now;
    }
    REQUIRE(zeros > 3);
    CHECK(2 * (zero - first_zero) / (zeros - 1) == doctest::Approx(exact).epsilon(1e-3));
}

TEST_CASE("a wide swing keeps its energy: joints do not brake [notes: rigid, eq. 7]")
{
    TestPile scene = make_pendulum(2.5);
    const double before = energy_of(scene, 1), depth = 2 * kGravity * 0.5 * 2;
    double worst = 0;
    for (int i = 0; i < 1000; ++i) {
        scene.run(kStep);
        worst = std::max(worst, std::abs(energy_of(scene, 1) - before));
    }
    CHECK(worst < 0.01 * depth);
}

namespace {

/// A chain of a hundred links on balls and sockets, let go at an angle from straight down [rad].
void let_chain_go(double angle)
{
    TestPile scene;
    std::uint32_t last = add_anchor(scene);
    const Quat lean = exp_quat(Vec3{0, 0, -M_PI / 2 + angle});
    const Vec3 along = rotate(lean, Vec3{1, 0, 0});
    for (int i = 0; i < 100; ++i) {
        const std::uint32_t link =
            scene.add_box({0.1, 0.04, 0.04}, 0.1, {.x = along * (0.05 + 0.1 * i), .q = lean});
        add_joint(scene, JointKind::ball, last, link, along * (0.1 * i));
        last = link;
    }
    scene.begin();
    double start_energy = 0, most_energy = -1e300;
    for (std::uint32_t k = 1; k <= 100; ++k)
        start_energy += energy_of(scene, k);
    for (int i = 0; i < 300; ++i) {
        scene.run(kStep);
        double energy = 0;
        for (std::uint32_t k = 1; k <= 100; ++k)
            energy += energy_of(scene, k);
        most_energy = std::max(most_energy, energy);
    }
    const auto meets = [&](std::size_t j) {
        const JointModel& joint = scene.pile.joints[j];
        const BodyState &a = scene.body(joint.a), &b = scene.body(joint.b);
        return length(a.x + rotate(a.q, joint.in_a.translation) - b.x -
                      rotate(b.q, joint.in_b.translation));
    };
    for (std::size_t j = 0; j < 100; ++j)
        CHECK(meets(j) < 1e-3);
    const double depth = 100 * 0.1 * kGravity * 5; // what it can fall [J]
    CHECK(most_energy - start_energy < 0.01 * depth);
    CHECK(is_finite(scene.body(last).x));
}

} // namespace

TEST_CASE("a chain of a hundred balls and sockets swings and keeps its length")
{
    let_chain_go(0.3);
}

TEST_CASE("a chain of a hundred dropped from the horizontal gains no energy")
{
    let_chain_go(M_PI / 2);
}

TEST_CASE("a load of a millionfold mass hangs on light links")
{
    TestPile scene;
    std::uint32_t last = add_anchor(scene);
    for (int i = 0; i < 10; ++i) {
        const std::uint32_t link =
            scene.add_box({0.04, 0.1, 0.04}, i == 9 ? 1e5 : 0.1, {.x = {0, -0.05 - 0.1 * i, 0}});
        add_joint(scene, JointKind::ball, last, link, {0, -0.1 * i, 0});
        last = link;
    }
    scene.begin();
    scene.run(3);
    CHECK(scene.drift() < 1e-4);
    CHECK(scene.state.joints[0].force.y == doctest::Approx((1e5 + 0.9) * kGravity).epsilon(1e-3));
}

TEST_CASE("a door turns to its limit and stays there")
{
    TestPile scene;
    scene.pile.gravity = {0, -9.81, 0};
    const std::uint32_t post = add_anchor(scene);
    const std::uint32_t door =
        scene.add_box({1, 2, 0.05}, 20, {.x = {0.5, 0, 0}, .v = {0, 0, -1}, .w = {0, 2, 0}});
    JointModel& hinge =
        add_joint(scene, JointKind::hinge, post, door, {0, 0, 0}, exp_quat(Vec3{0, 0, M_PI / 2}));
    hinge.low = -0.2;
    hinge.high = 1;
    scene.begin();
    double most = 0;
    for (int i = 0; i < 300; ++i) {
        scene.run(kStep);
        most = std::max(most, scene.state.joints[0].coordinate);
    }
    CHECK(most > 0.99);
    CHECK(most < 1.02);
    CHECK(scene.state.joints[0].coordinate == doctest::Approx(1).epsilon(0.02));
}

TEST_CASE("a motor reaches its speed with the torque it has and holds it")
{
    TestPile scene;
    scene.pile.gravity = {0, 0, 0};
    const std::uint32_t post = add_anchor(scene);
    const std::uint32_t wheel = scene.add_box({1, 1, 0.2}, 12, {});
    JointModel& hinge = add_joint(scene, JointKind::hinge, post, wheel, {0, 0, 0}, kAxisZ);
    hinge.has_motor = true;
    hinge.speed = 3;
    hinge.most_force = 2; // N m; I = 12 (1 + 1)/12 = 2: one second for each rad/s
    scene.begin();
    scene.run(1);
    CHECK(scene.body(wheel).w.z == doctest::Approx(1).epsilon(1e-3));
    CHECK(scene.state.joints[0].drive == doctest::Approx(2).epsilon(1e-6));
    scene.run(3);
    CHECK(scene.body(wheel).w.z == doctest::Approx(3).epsilon(1e-6));
    CHECK(std::abs(scene.state.joints[0].drive) < 1e-3);
}

TEST_CASE("a slider carries a lift: motor against gravity, stopped by its limit")
{
    TestPile scene;
    const std::uint32_t post = add_anchor(scene);
    const std::uint32_t lift = scene.add_box({1, 0.2, 1}, 10, {.x = {0.5, 0, 0}});
    JointModel& slider =
        add_joint(scene, JointKind::slider, post, lift, {0, 0, 0}, exp_quat(Vec3{0, 0, M_PI / 2}));
    slider.has_motor = true;
    slider.speed = 0.5;
    slider.high = 0.75;
    scene.begin();
    scene.run(1);
    CHECK(scene.body(lift).x.y == doctest::Approx(0.5).epsilon(0.01));
    CHECK(scene.state.joints[0].drive == doctest::Approx(10 * kGravity).epsilon(1e-3));
    scene.run(2);
    CHECK(scene.body(lift).x.y == doctest::Approx(0.75).epsilon(1e-3));
    CHECK(scene.body(lift).x.x == doctest::Approx(0.5).epsilon(1e-6));
}

TEST_CASE("a joint breaks above its force and not below, for good")
{
    for (const double share : {0.99, 1.01}) {
        TestPile scene;
        const std::uint32_t post = add_anchor(scene);
        const std::uint32_t load = scene.add_box({0.2, 0.2, 0.2}, 5, {.x = {0, -0.5, 0}});
        add_joint(scene, JointKind::fixed, post, load, {0, 0, 0}).breaks = 5 * kGravity / share;
        scene.begin();
        scene.run(1);
        CHECK(scene.state.joints[0].is_broken == (share > 1));
        const double fallen = -0.5 - scene.body(load).x.y;
        if (share > 1)
            CHECK(fallen > 0.5 * kGravity * 0.9);
        else
            CHECK(std::abs(fallen) < 1e-6);
    }
}

TEST_CASE("jointed bodies hit in the air keep momentum to rounding")
{
    TestPile scene;
    scene.pile.gravity = {0, 0, 0};
    const std::uint32_t a = scene.add_box({1, 0.2, 0.2}, 2, {.x = {-0.5, 0, 0}});
    const std::uint32_t b = scene.add_box({1, 0.2, 0.2}, 3, {.x = {0.5, 0, 0}});
    const std::uint32_t ball = scene.add_ball(0.2, 1, {.x = {0.8, 2, 0}, .v = {0, -4, 0.5}});
    add_joint(scene, JointKind::ball, a, b, {0, 0, 0});
    scene.begin();
    const auto momentum = [&] {
        return scene.body(a).v * 2 + scene.body(b).v * 3 + scene.body(ball).v;
    };
    const auto turning = [&] {
        Vec3 L{0, 0, 0};
        for (const std::uint32_t i : {a, b, ball})
            L += scene.angular_momentum(i) +
                 cross(scene.body(i).x, scene.body(i).v * scene.pile.bodies[i].mass);
        return L;
    };
    const Vec3 p = momentum(), L = turning();
    scene.run(2);
    CHECK(length(scene.body(b).v) > 0.1);
    CHECK(length(momentum() - p) < 1e-12 * length(p));
    // The joint's closing moves bodies a little, against their momenta.
    CHECK(length(turning() - L) < 2e-3 * length(L));
}

TEST_CASE("a rope with a longest length is slack below it and taut at it")
{
    TestPile scene;
    const std::uint32_t post = add_anchor(scene);
    const std::uint32_t load = scene.add_ball(0.1, 1, {.x = {0, -0.5, 0}});
    JointModel& rope = add_joint(scene, JointKind::distance, post, load, {0, 0, 0});
    rope.in_b.translation = {0, 0, 0};
    rope.low = 0;
    rope.high = 1;
    scene.begin();
    scene.run(0.2);
    CHECK(scene.body(load).x.y == doctest::Approx(-0.5 - 0.5 * kGravity * 0.04).epsilon(1e-6));
    scene.run(2);
    CHECK(scene.body(load).x.y == doctest::Approx(-1).epsilon(1e-3));
}

TEST_CASE("joints and contacts live in one island, the same bits from a copy of the state")
{
    const auto make = [] {
        TestPile scene;
        scene.add_ground();
        const std::uint32_t a = scene.add_box({1, 1, 1}, 100, {.x = {0, 0.5, 0}});
        const std::uint32_t b = scene.add_box({0.2, 1, 0.2}, 5, {.x = {0.6, 1.5, 0}});
        add_joint(scene, JointKind::hinge, a, b, {0.5, 1, 0}, kAxisZ);
        scene.begin();
        return scene;
    };
    TestPile one = make(), two = make();
    one.run(1);
    for (int i = 0; i < 10; ++i) {
        two.run(0.1);
        two.work = make_pile_work();
    }
    CHECK(one.state.bodies == two.state.bodies);
    CHECK(one.state.joints == two.state.joints);
}
