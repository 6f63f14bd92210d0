// Trees and loops of joints: rest at any shape, energy, and cradles that hang.

#include "models/rigid/joints/joint_tree.h"

#include "unit/models/rigid/pile_scene.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sinew;
using namespace sinew::pile_tests;

namespace {

const Quat kAxisZ = exp_quat(Vec3{0, -M_PI / 2, 0}); // a joint's x along the world's z

std::uint32_t add_anchor(TestPile& scene)
{
    scene.pile.bodies.push_back({0, {0, 0, 0}, std::uint32_t(scene.pile.shapes.size()), 0});
    scene.start.push_back({});
    return std::uint32_t(scene.pile.bodies.size()) - 1;
}

void add_joint(TestPile& scene, JointKind kind, std::uint32_t a, std::uint32_t b, const Vec3& at)
{
    const auto in_body = [&](std::uint32_t i) -> Pose {
        const BodyState& body = scene.start[i];
        return {conjugate(body.q) * kAxisZ, rotate(conjugate(body.q), at - body.x)};
    };
    scene.pile.joints.push_back(
        {.kind = kind, .a = a, .b = b, .in_a = in_body(a), .in_b = in_body(b)});
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

/// Largest energy while it runs, against that of the start.
double gain_of(TestPile& scene, double seconds, double h)
{
    const double before = energy_of(scene);
    double most = 0;
    for (int i = 0; i < int(std::lround(seconds / h)); ++i) {
        scene.run(h, h);
        most = std::max(most, energy_of(scene) - before);
    }
    return most;
}

/// A binary tree of welded pieces, each 0.3 m below the one before and up to 2.4 m beside it.
TestPile make_tree(int levels)
{
    TestPile scene;
    add_anchor(scene);
    std::vector<Vec3> place = {{}, {0, -0.1, 0}};
    for (std::size_t i = 1; i < std::size_t(1) << levels; ++i) {
        if (i > 1) {
            double wide = 0.3;
            for (std::size_t k = i; k < std::size_t(1) << (levels - 1); k *= 2)
                wide *= 2;
            place.push_back(place[i / 2] + Vec3{i % 2 == 1 ? wide : -wide, -0.3, 0});
        }
        const auto piece = scene.add_box({0.05, 0.2, 0.05}, 1, {.x = place[i]});
        add_joint(scene, JointKind::fixed, std::uint32_t(i / 2), piece, {});
    }
    scene.begin();
    return scene;
}

/// A ring of links, the first of which hangs on a joint; a load at the lowest.
TestPile make_ring(int links, JointKind kind, double load)
{
    TestPile scene;
    const double radius = 0.1 / std::sin(M_PI / links);
    const auto corner = [&](int i) {
        const double angle = 2 * M_PI * i / links;
        return Vec3{radius * std::sin(angle), radius * std::cos(angle), 0};
    };
    const std::uint32_t anchor = add_anchor(scene);
    for (int i = 0; i < links; ++i) {
        const Vec3 way = corner(i + 1) - corner(i);
        scene.add_box({0.16, 0.02, 0.02}, 1,
                      {.x = (corner(i) + corner(i + 1)) * 0.5,
                       .q = exp_quat(Vec3{0, 0, std::atan2(way.y, way.x)})});
    }
    for (int i = 0; i < links; ++i)
        add_joint(scene, kind, i == 0 ? std::uint32_t(links) : std::uint32_t(i),
                  std::uint32_t(i + 1), corner(i));
    add_joint(scene, JointKind::ball, anchor, 1, corner(0));
    if (load > 0) {
        const Vec3 low = corner(links / 2);
        const auto ball = scene.add_ball(0.01, load, {.x = low + Vec3{0, 0, 0.05}});
        add_joint(scene, JointKind::ball, std::uint32_t(links / 2 + 1), ball, low);
    }
    scene.begin();
    return scene;
}

} // namespace

TEST_CASE("a joint's own body comes before its rows, the rest of a loop before what closes it")
{
    using Joint = JointedFactor::Joint;
    constexpr std::uint32_t kFixed = JointedFactor::kFixed;
    // 0 is fixed; 1 and 2 hang on it, 3 on both; 4 and 5 fly as a pair.
    const std::vector<Joint> joints = {{kFixed, 0, 6}, {0, 1, 5}, {2, 0, 5},
                                       {1, 3, 5},      {3, 2, 5}, {4, 5, 3}};
    const JointTree tree(6, joints);
    const auto order = tree.order();
    const auto place = [&](std::uint32_t vertex) {
        return std::ranges::find(order, vertex) - order.begin();
    };
    REQUIRE(order.size() == 12);
    for (std::uint32_t v = 0; v < 12; ++v)
        CHECK(place(v) < 12);
    CHECK(place(1) < place(6 + 1));
    CHECK(place(6 + 1) < place(0));
    CHECK(place(2) < place(6 + 2));
    CHECK(place(3) < place(6 + 3));
    CHECK(place(6 + 2) < place(6 + 4)); // it closes the loop of 0, 1, 3 and 2
    CHECK(place(6 + 4) < place(0));
    CHECK(place(0) < place(6));
    const auto needs = tree.needs();
    REQUIRE(needs.size() == 12);
    CHECK(needs[6 + 5] == std::vector<std::uint32_t>{5});
    CHECK(needs[6 + 4].size() == 3);
}

TEST_CASE("a welded tree rests to rounding [notes: rigid, eq. 8]")
{
    for (const int levels : {3, 4, 5, 7})
        for (const double h : {0.01, 0.001}) {
            TestPile scene = make_tree(levels);
            scene.run(50 * h, h);
            CAPTURE(levels);
            CHECK(kinetic_energy(scene) < 1e-12);
            CHECK(scene.drift() < 1e-9);
        }
}

TEST_CASE("rings of joints gain no energy, though planar hinges say much twice")
{
    for (const JointKind kind : {JointKind::hinge, JointKind::ball})
        for (const double load : {0.0, 1000.0})
            for (const double h : {1.0 / 24, 0.01}) {
                TestPile scene = make_ring(12, kind, load);
                CAPTURE(load);
                CAPTURE(h);
                CHECK(gain_of(scene, 1, h) < 1e-3 * (12 + load) * kGravity);
            }
    TestPile scene = make_ring(30, JointKind::hinge, 0);
    CHECK(gain_of(scene, 0.5, 0.01) < 1e-3 * 30 * kGravity);
}

TEST_CASE("heavy loads that swing on chains gain no energy")
{
    for (const double load : {1.0, 1e3, 1e5}) {
        TestPile scene;
        std::uint32_t last = add_anchor(scene);
        for (int i = 0; i < 10; ++i) {
            const auto link = scene.add_box({0.2, 0.04, 0.04}, 1, {.x = {0.1 + 0.2 * i, 0, 0}});
            add_joint(scene, JointKind::ball, last, link, {0.2 * i, 0, 0});
            last = link;
        }
        const auto ball = scene.add_ball(0.03, load, {.x = {2, 0, 0}});
        add_joint(scene, JointKind::ball, last, ball, {2, 0, 0});
        scene.begin();
        CAPTURE(load);
        CHECK(gain_of(scene, 2, 0.01) < 2e-3 * (10 + load) * kGravity);
    }
}

TEST_CASE("a cradle on joints passes its energy on")
{
    for (const int count : {3, 5, 7})
        for (const double h : {0.01, 1.0 / 240}) {
            TestPile scene;
            const std::uint32_t anchor = add_anchor(scene);
            for (int i = 0; i < count; ++i) {
                const double angle = i == 0 ? -0.5 : 0;
                const Vec3 at = {0.1 * i + std::sin(angle), -std::cos(angle), 0};
                const auto ball = scene.add_ball(0.05, 1, {.x = at}, 1);
                add_joint(scene, JointKind::ball, anchor, ball, {0.1 * i, 0, 0});
            }
            scene.begin();
            const double before = energy_of(scene), lowest = -kGravity * count;
            double right = 0;
            for (int i = 0; i < int(std::lround(1.2 / h)); ++i) {
                scene.run(h, h);
                right = std::max(right, scene.body(std::uint32_t(count)).x.x - 0.1 * (count - 1));
                CHECK(energy_of(scene) - before < 1e-6 * (before - lowest));
            }
            CAPTURE(count);
            CAPTURE(h);
            CHECK(right == doctest::Approx(std::sin(0.5)).epsilon(0.01));
        }
}
