// Joints that hold exactly: structures at rest, mass ratios, energy, forces, momentum.

#include "unit/models/rigid/pile_scene.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sinew;
using namespace sinew::pile_tests;

namespace {

const Quat kAxisZ = exp_quat(Vec3{0, -M_PI / 2, 0}); // a joint's x along the world's z

/// A fixed body without a shape, to hang things on.
std::uint32_t add_anchor(TestPile& scene)
{
    scene.pile.bodies.push_back({0, {0, 0, 0}, std::uint32_t(scene.pile.shapes.size()), 0});
    scene.start.push_back({});
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

double kinetic_energy(const TestPile& scene)
{
    double sum = 0;
    for (std::uint32_t i = 0; i < scene.pile.bodies.size(); ++i)
        if (scene.pile.bodies[i].is_free())
            sum += 0.5 * scene.pile.bodies[i].mass * squared_length(scene.body(i).v) +
                   scene.turning_energy(i);
    return sum;
}

double energy_of(const TestPile& scene)
{
    double sum = kinetic_energy(scene);
    for (std::uint32_t i = 0; i < scene.pile.bodies.size(); ++i)
        sum -= scene.pile.bodies[i].mass * dot(scene.pile.gravity, scene.body(i).x);
    return sum;
}

/// Pieces of 1 kg welded to each other and, at the left, to the world.
TestPile make_cantilever(int pieces)
{
    TestPile scene;
    std::uint32_t last = add_anchor(scene);
    for (int i = 0; i < pieces; ++i) {
        const auto piece = scene.add_box({0.2, 0.05, 0.05}, 1, {.x = {0.1 + 0.2 * i, 0, 0}});
        add_joint(scene, JointKind::fixed, last, piece, {0.2 * i, 0, 0});
        last = piece;
    }
    scene.begin();
    return scene;
}

} // namespace

TEST_CASE("a welded cantilever of a hundred pieces rests to rounding [notes: rigid, eq. 8]")
{
    for (const double h : {0.01, 0.001}) {
        TestPile scene = make_cantilever(100);
        double most = 0;
        for (int i = 0; i < 50; ++i) {
            const PileReport report =
                step_pile(scene.pile, scene.options, h, scene.state, *scene.work);
            CHECK(report.residual < 1e-8);
            most = std::max(most, kinetic_energy(scene));
        }
        CHECK(most < 1e-12);
        CHECK(scene.drift() < 1e-9);
    }
}

TEST_CASE("the root of a welded beam bears its weight and moment, and breaks just above")
{
    TestPile scene = make_cantilever(20);
    scene.run(0.5);
    const Vec3 force = scene.state.joints[0].force;
    CHECK(force.y == doctest::Approx(20 * kGravity).epsilon(1e-6));
    CHECK(std::abs(force.x) < 1e-4);

    for (const double share : {0.99, 1.01}) {
        TestPile other = make_cantilever(20);
        other.pile.joints[0].breaks = share * 20 * kGravity;
        other.run(0.5);
        CHECK(other.state.joints[0].is_broken == (share < 1));
    }
}

TEST_CASE("a hanging chain of a hundred links holds a million times their mass")
{
    for (const double mass : {1e3, 1e6}) {
        TestPile scene;
        std::uint32_t last = add_anchor(scene);
        for (int i = 0; i < 100; ++i) {
            const auto link = scene.add_box({0.04, 0.1, 0.04}, 1, {.x = {0, -0.05 - 0.1 * i, 0}});
            add_joint(scene, JointKind::ball, last, link, {0, -0.1 * i, 0});
            last = link;
        }
        const auto weight = scene.add_box({1, 1, 1}, mass, {.x = {0, -10.5, 0}});
        add_joint(scene, JointKind::ball, last, weight, {0, -10, 0});
        scene.begin();
        scene.run(1);
        CHECK(scene.drift() < 1e-6);
    }
}

TEST_CASE("chains of jointed bodies cost in proportion to their length")
{
    const auto cost_of = [](int pieces) {
        TestPile scene = make_cantilever(pieces);
        return step_pile(scene.pile, scene.options, kStep, scene.state, *scene.work).factors;
    };
    CHECK(cost_of(20) == cost_of(200)); // one factorisation each, of a tree
}

namespace {

/// A hanging bridge of forty planks on hinges, and a crate above its middle.
TestPile make_bridge(double crate_mass)
{
    constexpr double kTurn = 0.039346;
    const auto place = [](int i) {
        const double chord = 0.25 * std::sin(i * kTurn / 2) / std::sin(kTurn / 2);
        const double angle = (i / 2.0 - 20) * kTurn;
        return Vec3{chord * std::cos(angle), chord * std::sin(angle), 0};
    };
    TestPile scene;
    const std::uint32_t anchor = add_anchor(scene);
    std::uint32_t last = anchor;
    for (int i = 0; i < 40; ++i) {
        const auto plank = scene.add_box(
            {0.24, 0.04, 1}, 1,
            {.x = (place(i) + place(i + 1)) * 0.5, .q = exp_quat(Vec3{0, 0, (i - 19.5) * kTurn})},
            0.6);
        add_joint(scene, JointKind::hinge, last, plank, place(i), kAxisZ);
        last = plank;
    }
    add_joint(scene, JointKind::hinge, last, anchor, place(40), kAxisZ);
    scene.add_box({0.8, 0.8, 0.8}, crate_mass, {.x = place(20) + Vec3{0, 0.5, 0}}, 0.6);
    scene.begin();
    return scene;
}

} // namespace

TEST_CASE("a loaded bridge never gains energy, at any load and step")
{
    for (const double mass : {1e3, 1e5})
        for (const double h : {1.0 / 24, 1.0 / 30, 1.0 / 60, 0.01, 1.0 / 120, 1.0 / 240}) {
            TestPile scene = make_bridge(mass);
            const double before = energy_of(scene);
            double most = -1e300;
            for (int i = 0; i < int(3 / h); ++i) {
                scene.run(h, h);
                most = std::max(most, energy_of(scene));
            }
            CAPTURE(mass);
            CAPTURE(h);
            CHECK(most <= before + 1e-6 * mass * kGravity);
            CHECK(scene.body(41).x.y > -8); // it does not fall through
        }
}

namespace {

/// A wheel on a ball joint 0.2 m beside its middle, spinning about its axis, released level.
TestPile make_gyroscope(double spin)
{
    TestPile scene;
    const std::uint32_t anchor = add_anchor(scene);
    const double mass = 2000 * M_PI * 0.15 * 0.15 * 0.03;
    const double own = 0.5 * mass * 0.15 * 0.15;
    const double across = mass * (3 * 0.15 * 0.15 + 0.03 * 0.03) / 12;
    const auto wheel =
        scene.add(make_cylinder(0.15, 0.03), mass, {across, own, across},
                  {.x = {0.2, 0, 0}, .q = exp_quat(Vec3{0, 0, M_PI / 2}), .w = {spin, 0, 0}});
    add_joint(scene, JointKind::ball, anchor, wheel, {0, 0, 0});
    scene.begin();
    return scene;
}

struct Precession {
    double dip = 0, energy = 0; ///< largest [rad]; largest error [J]
};

Precession precess(double spin, double h, double seconds)
{
    TestPile scene = make_gyroscope(spin);
    const double before = energy_of(scene);
    Precession worst;
    for (int i = 0; i < int(std::lround(seconds / h)); ++i) {
        scene.run(h, h);
        worst.dip = std::max(worst.dip, -std::asin(scene.body(1).x.y / 0.2));
        worst.energy = std::max(worst.energy, std::abs(energy_of(scene) - before));
    }
    return worst;
}

/// Where the dip turns, sin² + 2 u sin − 1 = 0: spin, vertical momentum and energy are kept.
double exact_dip(double spin)
{
    const double mass = 2000 * M_PI * 0.15 * 0.15 * 0.03, own = 0.5 * mass * 0.15 * 0.15;
    const double about = mass * ((3 * 0.15 * 0.15 + 0.03 * 0.03) / 12 + 0.2 * 0.2);
    const double u = own * own * spin * spin / (4 * about * mass * kGravity * 0.2);
    return std::asin(-u + std::sqrt(u * u + 1));
}

} // namespace

TEST_CASE("a gyroscope dips as far as theory says, at every step [notes: rigid, eq. 7]")
{
    CHECK(exact_dip(150) * 180 / M_PI == doctest::Approx(3.6).epsilon(0.01));
    for (const double spin : {60.0, 150.0, 400.0})
        for (const double h : {1.0 / 60, 0.01, 1.0 / 240, 1.0 / 480}) {
            const Precession seen = precess(spin, h, 4);
            CAPTURE(spin);
            CAPTURE(h);
            CHECK(seen.dip == doctest::Approx(exact_dip(spin)).epsilon(0.02));
            CHECK(seen.energy < 0.05); // of the 8.3 J that a fall to straight down would give
        }
}

TEST_CASE("what swings is of second order [notes: rigid, eq. 7]")
{
    const Precession coarse = precess(150, 1.0 / 600, 1), fine = precess(150, 1.0 / 1200, 1);
    MESSAGE("dip off by " << (coarse.dip - exact_dip(150)) * 180 / M_PI << " deg, halved "
                          << (fine.dip - exact_dip(150)) * 180 / M_PI << ", energy "
                          << coarse.energy << " J, halved " << fine.energy);
    CHECK(fine.energy < 0.3 * coarse.energy);
}

namespace {

/// A cone of 2000 kg/m³ on its tip, leaning by 0.3 rad.
TestPile make_top(double spin)
{
    constexpr double kRadius = 0.05, kHeight = 0.1, kLean = 0.3;
    const double mass = 2000 * M_PI * kRadius * kRadius * kHeight / 3;
    const double own = 0.3 * mass * kRadius * kRadius;
    const double across = 0.15 * mass * kRadius * kRadius + 0.0375 * mass * kHeight * kHeight;
    const Quat lean = exp_quat(Vec3{0, 0, -kLean}) * exp_quat(Vec3{M_PI, 0, 0});
    const Vec3 up = rotate(lean, Vec3{0, -1, 0});
    TestPile scene;
    scene.add_ground(1);
    const auto top = scene.add(make_cone(kRadius, kHeight), mass, {across, own, across},
                               {.x = up * (0.75 * kHeight), .q = lean, .w = up * spin}, 1);
    // The middle of the shape is half its height above the tip, the centre of mass three quarters.
    scene.pile.shapes[scene.pile.bodies[top].first_shape].place.translation = {0, 0.25 * kHeight,
                                                                               0};
    scene.begin();
    return scene;
}

} // namespace

TEST_CASE("a top turns on its tip and keeps its energy [notes: rigid, eq. 7]")
{
    for (const double h : {1.0 / 60, 0.01, 1.0 / 240, 1.0 / 480}) {
        TestPile scene = make_top(500);
        const double before = energy_of(scene);
        double low = 1, worst = 0;
        for (int i = 0; i < int(std::lround(2 / h)); ++i) {
            scene.run(h, h);
            low = std::min(low, scene.body(1).x.y);
            worst = std::max(worst, std::abs(energy_of(scene) - before));
        }
        CAPTURE(h);
        CHECK(worst < 0.01 * before);
        CHECK(low > 0.06); // it leans no further than at the start, but for its nutation
    }
}

TEST_CASE("jointed bodies in the air keep their angular momentum")
{
    TestPile scene;
    scene.pile.gravity = {0, 0, 0};
    std::uint32_t last = 0;
    for (int i = 0; i < 6; ++i) {
        const auto link =
            scene.add_box({0.2, 0.05, 0.08}, 1 + i,
                          {.x = {0.2 * i, 0, 0}, .v = {0, 0.3 * i, 0.1}, .w = {1, 2, -3}});
        if (i > 0)
            add_joint(scene, i % 2 ? JointKind::hinge : JointKind::ball, last, link,
                      {0.2 * i - 0.1, 0, 0}, kAxisZ);
        last = link;
    }
    scene.begin();
    const auto momentum = [&] {
        Vec3 sum{0, 0, 0};
        for (std::uint32_t i = 0; i < 6; ++i)
            sum += cross(scene.body(i).x, scene.body(i).v) * scene.pile.bodies[i].mass +
                   scene.angular_momentum(i);
        return sum;
    };
    const Vec3 before = momentum();
    scene.run(2);
    CHECK(length(momentum() - before) < 1e-9 * length(before));
}
