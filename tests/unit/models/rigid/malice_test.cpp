// What nobody should ask for: each has a defined outcome.

#include "unit/models/rigid/pile_scene.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <limits>
#include <random>

using namespace sinew;
using namespace sinew::pile_tests;

namespace {

bool is_whole(const TestPile& scene)
{
    for (const BodyState& body : scene.state.bodies)
        if (!is_finite(body.x) || !is_finite(body.q) || !is_finite(body.v) || !is_finite(body.w))
            return false;
    return true;
}

double lowest(const TestPile& scene)
{
    double least = 1e300;
    for (std::size_t i = 1; i < scene.state.bodies.size(); ++i)
        least = std::min(least, scene.state.bodies[i].x.y);
    return least;
}

} // namespace

TEST_CASE("a body that is not finite is named and nothing moves")
{
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    TestPile scene = tower(4);
    scene.run(0.1);
    const auto before = scene.state.bodies;
    scene.state.bodies[2].v.x = kNaN;
    PileReport report = step_pile(scene.pile, {}, kStep, scene.state, *scene.work);
    CHECK(report.fault_body == 2u);
    CHECK(scene.state.bodies[1] == before[1]);
    scene.state.bodies = before;
    const std::vector<BodyForce> push = {{3, {0, kNaN, 0}, {0, 0, 0}}};
    PileOptions options;
    options.forces = push;
    report = step_pile(scene.pile, options, kStep, scene.state, *scene.work);
    CHECK(report.fault_body == 3u);
    CHECK(scene.state.bodies == before);
}

TEST_CASE("a needle with moments of inertia 1e8 apart comes to rest")
{
    TestPile scene;
    scene.add_ground();
    scene.add(make_box({1, 0.001, 0.001}), 1, {1e-9, 0.1, 0.1},
              {.x = {0, 0.5, 0}, .q = exp_quat(Vec3{0.1, 0.2, 0.4})});
    scene.begin();
    scene.run(5);
    CHECK(is_whole(scene));
    CHECK(lowest(scene) > -0.01);
    CHECK(length(scene.body(1).v) < 0.05);
}

TEST_CASE("bodies that start within each other part without an explosion")
{
    TestPile scene;
    scene.add_ground();
    for (int i = 0; i < 8; ++i)
        scene.add_box({1, 1, 1}, 100, {.x = {0.1 * i, 0.4 + 0.2 * i, 0.05 * i}});
    scene.begin();
    double fastest = 0;
    for (int i = 0; i < 500; ++i) {
        scene.run(kStep);
        for (const BodyState& body : scene.state.bodies)
            fastest = std::max(fastest, length(body.v));
    }
    CHECK(is_whole(scene));
    CHECK(fastest < 15); // of a fall of some metres, not of a blast
    CHECK(lowest(scene) > 0.3);
}

TEST_CASE("the same body twice in the same place: they part or stay, finite")
{
    TestPile scene;
    scene.add_ground();
    for (int i = 0; i < 2; ++i)
        scene.add_box({1, 1, 1}, 100, {.x = {0, 0.5, 0}});
    for (int i = 0; i < 2; ++i)
        scene.add_ball(0.5, 100, {.x = {5, 0.5, 0}});
    scene.begin();
    scene.run(3);
    CHECK(is_whole(scene));
    CHECK(lowest(scene) > 0.3);
}

TEST_CASE("a grain of 1 mm beside a block of 1 km, masses 1e18 apart")
{
    TestPile scene;
    scene.add_ground();
    scene.add_box({1000, 1000, 1000}, 1e12, {.x = {0, 500, 0}});
    scene.add_box({0.001, 0.001, 0.001}, 1e-6, {.x = {0, 1000.0006, 0}});
    scene.begin();
    scene.run(1);
    CHECK(is_whole(scene));
    CHECK(scene.body(2).x.y > 1000);
    CHECK(scene.body(2).x.y < 1000.002);
}

TEST_CASE("a body squeezed where it cannot go stays finite and does not shoot out")
{
    TestPile scene; // a slit of 0.8 m for a cube of 1 m
    scene.add_ground();
    scene.add(make_box({1, 4, 4}), 0, {0, 0, 0}, {.x = {-0.9, 2, 0}});
    scene.add(make_box({1, 4, 4}), 0, {0, 0, 0}, {.x = {0.9, 2, 0}});
    const std::uint32_t cube = scene.add_box({1, 1, 1}, 100, {.x = {0, 2, 0}});
    scene.begin();
    double fastest = 0;
    for (int i = 0; i < 300; ++i) {
        scene.run(kStep);
        fastest = std::max(fastest, length(scene.body(cube).v));
    }
    CHECK(is_whole(scene));
    CHECK(fastest < 10);
}

TEST_CASE("a light body under a falling mass of 1e4 kg is not driven through the floor")
{
    for (int k = 0; k < 60; ++k) {
        TestPile scene;
        scene.add_ground();
        const Vec3 turn{0.1 * k, 0.37 * k, 0.23 * k};
        scene.add_box({0.8, 0.3 + 0.01 * k, 0.5}, 1, {.x = {0, 0.6, 0}, .q = exp_quat(turn)});
        scene.add_ball(0.45, 1e4, {.x = {0.004 * k, 1.8, 0.1}, .v = {0, -25, 0}});
        scene.begin();
        double deepest = 0;
        for (int i = 0; i < 150; ++i) {
            scene.run(kStep);
            deepest = std::min(deepest, lowest(scene));
        }
        CAPTURE(k);
        CHECK(is_whole(scene));
        CHECK(deepest > -0.5);
        CHECK(lowest(scene) > 0);
    }
}

TEST_CASE("a box that slides at 130 m/s lies on its lowest corners")
{
    for (int k = 0; k < 20; ++k) {
        TestPile scene;
        scene.add_ground(0.2);
        const Vec3 turn{0.3 * k, 0.1 * k, 0.7 * k};
        scene.add_box({0.9, 0.4, 0.7}, 1,
                      {.x = {0, 0.8, 0}, .q = exp_quat(turn), .v = {130, 0, 44}}, 0.2);
        scene.begin();
        scene.run(1.5);
        CAPTURE(k);
        CHECK(lowest(scene) > 0.19); // half its least side
    }
}

TEST_CASE("islands on several threads: the same bits as on one")
{
    const auto run = [](int threads) {
        TestPile scene;
        scene.options.threads = threads;
        scene.add_ground();
        for (int k = 0; k < 7; ++k)
            for (int i = 0; i < 4; ++i)
                scene.add_box({1, 1, 1}, 100,
                              {.x = {4.0 * k + 0.3 * (i % 2) * (k % 3), 0.5 + i, 0.1 * k * i}});
        scene.begin();
        scene.run(1);
        return scene.state.bodies;
    };
    const auto one = run(1);
    for (const int threads : {2, 3, 4})
        CHECK(run(threads) == one);
}

TEST_CASE("random scenes: no body through the floor, none not finite")
{
    // The whole campaign: SINEW_SCENES=10000.
    const char* wish = std::getenv("SINEW_SCENES");
    const int count = wish ? std::atoi(wish) : 300;
    int stacks = 0, slides = 0, fast = 0, heavy = 0;
    for (int seed = 0; seed < count; ++seed) {
        std::mt19937_64 random(static_cast<std::uint64_t>(seed));
        const auto number = [&](double low, double high) {
            return low + (high - low) * double(random() >> 11) * 0x1p-53;
        };
        TestPile scene;
        scene.add_ground(number(0, 1), number(0, 0.8));
        const bool is_stack = number(0, 1) < 0.4, is_sliding = number(0, 1) < 0.3;
        const bool is_fast = number(0, 1) < 0.3, is_heavy = number(0, 1) < 0.3;
        stacks += is_stack, slides += is_sliding, fast += is_fast, heavy += is_heavy;
        const int bodies = 2 + int(number(0, 7));
        double size = 0;
        for (int i = 0; i < bodies; ++i) {
            BodyState at;
            const double edge = number(0.3, 1);
            size = std::max(size, edge);
            at.x = is_stack ? Vec3{number(-0.05, 0.05), 0.5 + 1.05 * i, number(-0.05, 0.05)}
                            : Vec3{number(-2, 2), number(0.7, 4), number(-2, 2)};
            if (!is_stack)
                at.q = exp_quat(Vec3{number(-3, 3), number(-3, 3), number(-3, 3)});
            if (is_sliding)
                at.v = {number(-3, 3), 0, number(-3, 3)};
            if (is_fast)
                at.v += Vec3{number(-20, 20), number(-30, 5), number(-20, 20)};
            const double mass = is_heavy && i + 1 == bodies ? 1e4 : number(0.5, 2);
            if (number(0, 1) < 0.6)
                scene.add_box({edge, number(0.3, 1), number(0.3, 1)}, mass, at, number(0, 1));
            else
                scene.add_ball(0.5 * edge, mass, at, number(0, 0.9));
        }
        scene.begin();
        // A blow may press a light body a little into the floor; it must come out again.
        double deepest = 0;
        for (int i = 0; i < 150; ++i) {
            scene.run(kStep);
            deepest = std::min(deepest, lowest(scene));
        }
        CAPTURE(seed);
        CHECK(is_whole(scene));
        CHECK(deepest > -1);
        CHECK(lowest(scene) > 0);
    }
    MESSAGE(count, " scenes: ", stacks, " stacks, ", slides, " sliding, ", fast, " fast, ", heavy,
            " with heavy bodies");
    for (const int share : {stacks, slides, fast, heavy})
        CHECK(10 * share >= count);
}
