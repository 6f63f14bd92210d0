// Sweeps over large piles against the obvious ones.

#include "models/rigid/islands/pile_sweeps.h"

#include "models/rigid/contacts/contacts.h"
#include "unit/models/rigid/pile_scene.h"

#include <doctest/doctest.h>

#include <random>

using namespace sinew;
using namespace sinew::pile_tests;

namespace {

/// Balls, and boxes when asked for, on each other and on the ground, with the patches of their
/// contacts, velocities and impulses at random.
struct RandomPatches {
    TestPile scene;
    std::vector<Patch> patches;
    std::vector<SolverBody> bodies;

    explicit RandomPatches(bool has_boxes)
    {
        std::mt19937 random(7);
        const auto number = [&](double low, double high) {
            return low + (high - low) * double(random()) * 0x1p-32;
        };
        scene.add_ground();
        for (int i = 0; i < 60; ++i) {
            const BodyState at{.x = {0.9 * (i % 4), 0.5 + 0.9 * (i / 16), 0.9 * (i / 4 % 4)},
                               .v = {number(-1, 1), number(-3, 1), number(-1, 1)},
                               .w = {number(-1, 1), number(-1, 1), number(-1, 1)}};
            const double mass = number(0.5, 4);
            if (has_boxes && i % 3 == 0)
                scene.add_box({0.9, 1, 0.9}, mass, at);
            else
                scene.add(make_sphere(0.5), mass, Vec3{0.1, 0.1, 0.1} * mass, at, 0.5);
        }
        scene.begin();
        const StepLengths lengths(scene.pile, kStep);
        ContactWork work;
        update_contacts(scene.pile, 1, lengths, scene.state, work);
        for (std::size_t i = 0; i < scene.pile.bodies.size(); ++i) {
            bodies.push_back({scene.state.bodies[i].v, scene.state.bodies[i].w});
            set_response(scene.pile.bodies[i], scene.state.bodies[i].q, bodies.back());
        }
        for (ContactState& contact : scene.state.contacts) {
            if (contact.manifold.count == 0)
                continue;
            for (int k = 0; k < contact.manifold.count; ++k)
                contact.impulse[std::size_t(k)] = number(0, 0.1);
            make_patch(scene.pile, contact, patches.emplace_back());
            update_patch(contact, lengths, patches.back());
        }
    }
    std::vector<Patch*> list()
    {
        std::vector<Patch*> all;
        for (Patch& p : patches)
            all.push_back(&p);
        return all;
    }
    double residual() const
    {
        double worst = 0;
        for (const Patch& p : patches)
            worst = std::max(worst, residual_of(p, bodies[p.a], bodies[p.b]));
        return worst;
    }
};

} // namespace

TEST_CASE("a sweep over balls is a sweep over their patches")
{
    RandomPatches fast(false), plain(false);
    REQUIRE(fast.patches.size() > 100);
    PileSweeps sweeps;
    sweeps.start(fast.list(), fast.scene.state.bodies, fast.bodies, 1);
    CHECK(sweeps.ball_count() == fast.patches.size());
    sweeps.sweep_plainly(3);
    sweeps.finish();

    for (const Patch& p : plain.patches)
        apply_impulses(p, plain.bodies[p.a], plain.bodies[p.b]);
    for (const bool is_backward : {false, true, false})
        for (std::size_t i = 0; i < plain.patches.size(); ++i) {
            Patch& p = plain.patches[is_backward ? plain.patches.size() - 1 - i : i];
            relax(p, plain.bodies[p.a], plain.bodies[p.b]);
        }

    for (std::size_t i = 0; i < fast.bodies.size(); ++i) {
        CHECK(length(fast.bodies[i].v - plain.bodies[i].v) < 1e-12);
        CHECK(length(fast.bodies[i].w - plain.bodies[i].w) < 1e-12);
    }
    CHECK(sweeps.residual() == doctest::Approx(plain.residual()).epsilon(1e-9));
}

TEST_CASE("conjugate sweeps end in the contacts' laws, sooner than plain ones [Silcowitz10]")
{
    for (const bool has_boxes : {false, true}) {
        RandomPatches conjugate(has_boxes), plain(has_boxes);
        PileSweeps sweeps;
        sweeps.start(conjugate.list(), conjugate.scene.state.bodies, conjugate.bodies, 1);
        CHECK(sweeps.solve(0, 0, 1, 40) == 40);
        const double left = sweeps.residual();
        sweeps.finish();
        CHECK(conjugate.residual() == doctest::Approx(left).epsilon(1e-9));

        PileSweeps others;
        others.start(plain.list(), plain.scene.state.bodies, plain.bodies, 1);
        others.sweep_plainly(40);
        CHECK(left < 0.2 * others.residual());

        // Impulses and velocities belong together: momentum is exact.
        RandomPatches anew(has_boxes);
        for (const Patch& p : conjugate.patches)
            apply_impulses(p, anew.bodies[p.a], anew.bodies[p.b]);
        for (std::size_t i = 0; i < anew.bodies.size(); ++i)
            CHECK(length(anew.bodies[i].v - conjugate.bodies[i].v) < 1e-11);
    }
}

namespace {

/// Balls that fall into a shaft, a few boxes among them when asked for.
TestPile shaft(int balls, bool has_boxes)
{
    TestPile scene;
    scene.add_ground();
    for (const Vec3& out : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 0, 1}, Vec3{0, 0, -1}})
        scene.add_box({1 + 4 * abs(out.z), 30, 1 + 4 * abs(out.x)}, 0,
                      {.x = out * 1.7 + Vec3{0, 15, 0}});
    for (int i = 0; i < balls; ++i) {
        const BodyState at{.x = {0.57 * (i % 4) - 0.85 + 0.01 * (i % 7), 0.3 + 0.55 * (i / 16),
                                 0.57 * (i / 4 % 4) - 0.85 + 0.01 * (i % 5)}};
        if (has_boxes && i % 5 == 0)
            scene.add_box({0.4, 0.4, 0.4}, 10, at);
        else
            scene.add(make_sphere(0.25), 10, Vec3{0.25, 0.25, 0.25}, at, 0.4);
    }
    scene.begin();
    return scene;
}

} // namespace

TEST_CASE("a pile that lands does not sink into itself")
{
    TestPile scene = shaft(320, false);
    // What is left of the law in a step moves things by half of what they fall in it: |g| h².
    CHECK(scene.run(4).overlap < 3 * kGravity * kStep * kStep);
}

TEST_CASE("one large pile on several threads: the same bits as on one")
{
    for (const bool has_boxes : {false, true}) {
        const auto run = [&](int threads) {
            TestPile scene = shaft(640, has_boxes);
            scene.options.threads = threads;
            scene.run(1.2);
            return scene.state;
        };
        const PileState one = run(1);
        CHECK(one.contacts.size() > 1200); // several slabs
        for (const int threads : {2, 3, 4})
            CHECK(run(threads).bodies == one.bodies);
    }
}
