// Random scenes of jointed, turning and bouncing bodies: none gains energy, none falls through.

#include "unit/models/rigid/pile_scene.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

using namespace sinew;
using namespace sinew::pile_tests;

namespace {

double energy_of(const TestPile& scene)
{
    double sum = 0;
    for (std::uint32_t i = 0; i < scene.pile.bodies.size(); ++i) {
        const double mass = scene.pile.bodies[i].mass;
        if (mass > 0)
            sum += 0.5 * mass * squared_length(scene.body(i).v) + scene.turning_energy(i) +
                   mass * kGravity * scene.body(i).x.y;
    }
    return sum;
}

struct Dice {
    std::mt19937_64 random;

    double number(double low, double high)
    {
        return low + (high - low) * double(random() >> 11) * 0x1p-53;
    }
};

/// A branching string of boxes in the air, each jointed to an earlier one.
TestPile make_scene(Dice& dice)
{
    TestPile scene;
    const bool bounces = dice.number(0, 1) < 0.5, turns = dice.number(0, 1) < 0.5;
    const bool is_heavy = dice.number(0, 1) < 0.3;
    scene.add_ground(dice.number(0, 1), bounces ? dice.number(0.2, 1) : 0);
    const int count = 2 + int(dice.number(0, 10));
    for (int i = 0; i < count; ++i) {
        BodyState at{.x = {0.5 * i, dice.number(1, 3), dice.number(-0.2, 0.2)}};
        at.q = exp_quat(Vec3{dice.number(-3, 3), dice.number(-3, 3), dice.number(-3, 3)});
        if (turns)
            at.w = {dice.number(-30, 30), dice.number(-30, 30), dice.number(-30, 30)};
        const double mass = is_heavy && i + 1 == count ? 1e4 : dice.number(0.5, 2);
        const auto body = scene.add_box(
            {dice.number(0.1, 0.4), dice.number(0.1, 0.4), dice.number(0.1, 0.4)}, mass, at);
        if (i == 0 || dice.number(0, 1) < 0.3)
            continue;
        constexpr JointKind kKinds[] = {JointKind::ball, JointKind::hinge, JointKind::fixed};
        const auto other = body - 1;
        const Vec3 place = (scene.start[other].x + at.x) * 0.5;
        const auto in_body = [&](std::uint32_t k) -> Pose {
            const BodyState& s = scene.start[k];
            return {conjugate(s.q), rotate(conjugate(s.q), place - s.x)};
        };
        scene.pile.joints.push_back({.kind = kKinds[std::size_t(dice.number(0, 3))],
                                     .a = other,
                                     .b = body,
                                     .in_a = in_body(other),
                                     .in_b = in_body(body)});
    }
    scene.begin();
    return scene;
}

} // namespace

TEST_CASE("random jointed scenes: none gains energy, none through the floor")
{
    // The whole campaign: SINEW_SCENES=10000.
    const char* wish = std::getenv("SINEW_SCENES");
    const int count = wish ? std::atoi(wish) : 60;
    int unsolved = 0;
    for (int seed = 0; seed < count; ++seed) {
        Dice dice{std::mt19937_64(std::uint64_t(seed))};
        TestPile scene = make_scene(dice);
        // The first step makes velocities that fit the joints: that only takes energy.
        const double before = energy_of(scene);
        double most = -1e300;
        bool is_told = true;
        for (int i = 0; i < 150; ++i) {
            const PileReport report =
                step_pile(scene.pile, scene.options, kStep, scene.state, *scene.work);
            most = std::max(most, energy_of(scene));
            unsolved += report.worst.has_value();
            is_told =
                is_told && (report.worst || report.joint_gap <= 0.11 * kGravity * kStep * kStep);
        }
        CAPTURE(seed);
        CHECK(most <= before * 1.01);
        CHECK(is_told);
        for (const BodyState& body : scene.state.bodies) {
            CHECK(is_finite(body.x));
            CHECK(body.x.y > -0.1);
        }
    }
    MESSAGE(count << " jointed scenes of 150 steps, " << unsolved
                  << " steps with joints that do not hold, all told");
}
