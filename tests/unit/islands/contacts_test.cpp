// Contacts of point masses with planes, through the whole step.

#include "islands/step.h"
#include "support/tiny_models.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <random>

using namespace sinew;
using test::Particles;
using test::Pendulums;
using Masses = std::vector<Particles::Particle>;

namespace {

constexpr double kStep = 1.0 / 240;

/// Particle i above the floor y = 0.
Attachment on_floor(std::uint32_t i, double friction = 0, double restitution = 0)
{
    return {.key = i,
            .kind = Attachment::Kind::plane,
            .a = {.block = {0, i}},
            .friction = friction,
            .restitution = restitution};
}

struct Run {
    const Particles& particles;
    Ensemble ensemble;
    EnsembleState state;
    Workspace work;

    Run(const Particles& model, std::vector<Attachment> attachments) : particles(model)
    {
        ensemble.models = {&model};
        ensemble.attachments = std::move(attachments);
        state.models = {model.start()};
        work = make_workspace(ensemble);
    }

    CouplingReport advance(double h = kStep) { return step(ensemble, state, h, work); }
    Vec3 position(std::size_t i = 0) const { return Particles::position(state.models[0], i); }
    Vec3 velocity(std::size_t i = 0) const { return Particles::velocity(state.models[0], i); }
    double energy() const { return particles.energy(state.models[0]); }
};

/// A force in the direction of gravity, as an incline feels it.
Vec3 tilted_gravity(double tangent, double g = 9.81)
{
    const double cosine = 1 / std::sqrt(1 + tangent * tangent);
    return {g * tangent * cosine, -g * cosine, 0};
}

} // namespace

TEST_CASE("a ball at rest on the floor stays where it is, for an hour")
{
    const Particles ball(Masses{{.mass = 3}}, {0.5, -9.81, -1});
    Run run(ball, {on_floor(0, 0.5)});

    for (int i = 0; i < 3600 * 12; ++i)
        REQUIRE(run.advance(1.0 / 12).passes <= 2);

    CHECK(length(run.position()) < 1e-12);
    CHECK(length(run.velocity()) < 1e-13);
    CHECK(run.state.held[0].force[0] == doctest::Approx(3 * 9.81).epsilon(1e-12));
}

TEST_CASE("a ball that falls without restitution lands exactly and stays; energy never rises")
{
    for (const double height : {0.0, 1e-4, 0.01, 0.3, 2.0}) {
        const Particles ball(
            Masses{{.mass = 2, .position = {0, height, 0}, .velocity = {1, -0.5, 0}}});
        Run run(ball, {on_floor(0)});
        double energy = run.energy();

        for (int i = 0; i < 480; ++i) {
            const CouplingReport report = run.advance();
            CHECK(report.converged);
            CHECK(report.gap < 1e-10);
            CHECK(run.energy() <= energy + 1e-13);
            energy = run.energy();
        }

        CHECK(std::abs(run.position().y) < 1e-12);
        CHECK(std::abs(run.velocity().y) < 1e-12);
        CHECK(run.velocity().x == doctest::Approx(1).epsilon(1e-14)); // no friction
    }
}

TEST_CASE("a ball bounces with its restitution, and energy never rises")
{
    for (const double e : {0.2, 0.5, 0.9, 1.0})
        for (const double speed : {3.0, 0.7}) {
            const Particles ball(Masses{{.position = {0, 1, 0}, .velocity = {0, -speed, 0}}});
            Run run(ball, {on_floor(0, 0, e)});
            double energy = run.energy(), before = 0;

            while (run.velocity().y <= 0) {
                before = run.velocity().y;
                run.advance();
                CHECK(run.energy() <= energy + 1e-13);
                energy = run.energy();
            }

            // Gravity has acted for one step since the impact.
            CHECK(run.velocity().y == doctest::Approx(-e * before - 9.81 * kStep).epsilon(1e-9));
            for (int i = 0; i < 2000; ++i) {
                run.advance();
                CHECK(run.energy() <= energy + 1e-13);
                energy = run.energy();
            }
        }
}

TEST_CASE("the height of a bounce is e² of the fall, to first order in the step")
{
    double error[2];
    for (int halved = 0; halved < 2; ++halved) {
        const double h = halved ? 1.0 / 4800 : 1.0 / 2400, e = 0.7;
        const Particles ball(Masses{{.position = {0, 1, 0}}});
        Run run(ball, {on_floor(0, 0, e)});

        while (run.velocity().y <= 0)
            run.advance(h);
        while (run.velocity().y > 0)
            run.advance(h);

        error[halved] = std::abs(run.position().y - e * e);
        CHECK(error[halved] < 4 * h);
    }
    CHECK(error[1] < 0.8 * error[0]);
}

TEST_CASE("what closes slower than two steps of gravity rests, whatever its restitution")
{
    for (const double speed : {0.01, 0.05, 0.08, 0.083}) { // 2 |g| h = 0.0818
        const Particles ball(Masses{{.velocity = {0, -speed, 0}}});
        Run run(ball, {on_floor(0, 0, 1)});

        run.advance();

        CHECK((run.velocity().y < 1e-12) == (speed < 0.0818));
    }
}

TEST_CASE("a gap is closed by the end of the step, in sdirk2 with the same speed in both stages")
{
    const double gap = 0.25 * 9.81 * kStep * kStep; // half of what a step falls
    const Particles ball(Masses{{.position = {0, gap, 0}}});
    Run run(ball, {on_floor(0)});
    run.ensemble.settings.scheme = Scheme::sdirk2;

    run.advance();

    CHECK(run.velocity().y == doctest::Approx(-gap / kStep).epsilon(1e-9));
    CHECK(std::abs(run.position().y) < 1e-15);
}

TEST_CASE("a ball with restitution comes to rest")
{
    const Particles ball(Masses{{.position = {0, 0.1, 0}}});
    Run run(ball, {on_floor(0, 0, 0.5)});

    for (int i = 0; i < 480; ++i)
        run.advance();

    CHECK(std::abs(run.velocity().y) < 1e-12);
    CHECK(std::abs(run.position().y) < 1e-12);
}

TEST_CASE("a ball on an incline sticks below tan α = μ and slides above")
{
    const double mu = 0.3, seconds = 1;
    SUBCASE("sticks")
    {
        for (const double tangent : {0.1, 0.299, 0.29999}) {
            const Particles ball(Masses{{.mass = 2}}, tilted_gravity(tangent));
            Run run(ball, {on_floor(0, mu)});
            for (int i = 0; i < 240; ++i)
                run.advance();
            CHECK(length(run.position()) < 1e-12);
        }
    }
    SUBCASE("slides, and as far as it should: euler is wrong by h/t")
    {
        for (const double tangent : {0.301, 0.5, 2.0}) {
            const Particles ball(Masses{{.mass = 2}}, tilted_gravity(tangent));
            Run run(ball, {on_floor(0, mu)});
            for (int i = 0; i < 240; ++i)
                run.advance();
            const Vec3 g = tilted_gravity(tangent);
            const double distance = 0.5 * (g.x + mu * g.y) * seconds * seconds;
            CHECK(run.position().x / distance ==
                  doctest::Approx(1 + kStep / seconds).epsilon(1e-9));
            CHECK(std::abs(run.position().y) < 1e-12);
            CHECK(std::abs(run.position().z) < 1e-12);
        }
    }
    SUBCASE("slides, with sdirk2 exactly")
    {
        const Particles ball(Masses{{.mass = 2}}, tilted_gravity(0.5));
        Run run(ball, {on_floor(0, mu)});
        run.ensemble.settings.scheme = Scheme::sdirk2;
        for (int i = 0; i < 240; ++i)
            run.advance();
        const Vec3 g = tilted_gravity(0.5);
        CHECK(run.position().x == doctest::Approx(0.5 * (g.x + mu * g.y)).epsilon(1e-11));
    }
    SUBCASE("stops where friction has used up its speed")
    {
        const Particles ball(Masses{{.velocity = {0.6, 0, 0.8}}});
        Run run(ball, {on_floor(0, mu)});
        double energy = run.energy();
        for (int i = 0; i < 240; ++i) {
            run.advance();
            CHECK(run.energy() <= energy + 1e-15);
            energy = run.energy();
        }
        const double distance = 1 / (2 * mu * 9.81);
        CHECK(length(run.velocity()) < 1e-12);
        CHECK(length(run.position()) == doctest::Approx(distance).epsilon(2 * kStep / 0.34));
        CHECK(run.position().x / run.position().z == doctest::Approx(0.75)); // straight
    }
}

TEST_CASE("a plane that is driven carries what lies on it")
{
    const Particles model(
        Masses{{.position = {0, 0, 0}, .velocity = {0, 0, 0}},
               {.position = {0, 0, 0}, .velocity = {0.3, 0.2, 0}, .driven = true}});
    Attachment lift = on_floor(0, 0.9);
    lift.b = {.block = {0, 1}};
    Run run(model, {lift});

    for (int i = 0; i < 240; ++i)
        run.advance();

    CHECK(run.velocity().y == doctest::Approx(0.2).epsilon(1e-9));
    CHECK(run.position().y == doctest::Approx(0.2).epsilon(1e-9));
    CHECK(run.velocity().x == doctest::Approx(0.3).epsilon(1e-9)); // friction has caught up
}

TEST_CASE("overlap goes by two millimetres a step, positions only")
{
    const Particles ball(Masses{{.position = {0, -0.01, 0}}});
    Run run(ball, {on_floor(0)});

    for (int i = 1; i <= 6; ++i) {
        const CouplingReport report = run.advance();
        CHECK(run.position().y == doctest::Approx(std::min(0.0, -0.01 + 0.002 * i)).epsilon(1e-9));
        CHECK(report.gap == doctest::Approx(-run.position().y));
        CHECK(run.state.held[0].force[0] == doctest::Approx(9.81)); // not the projection's
        CHECK(length(run.velocity()) < 1e-14);
    }
}

TEST_CASE("a ball between two planes that leave no room is reported, not thrown about")
{
    const Particles ball(Masses{{}});
    Attachment ceiling = on_floor(1);
    ceiling.a = {.block = {0, 0}};
    ceiling.point_b = {0, -0.001, 0};
    ceiling.normal = {0, -1, 0};
    Run run(ball, {on_floor(0), ceiling});

    for (int i = 0; i < 20; ++i) {
        const CouplingReport report = run.advance();
        CHECK(report.gap < 0.0011);
        CHECK(length(run.velocity()) < 1e-9);
    }
}

TEST_CASE("in any funnel, with any friction and restitution: no overlap, and energy never rises")
{
    CHECK(rc::check("planes around a ball", [] {
        const auto number = [](double size) { return size * *rc::gen::inRange(-100, 101) / 100; };
        const Particles ball(Masses{{.mass = 0.5,
                                     .position = {number(0.1), 0.8 + number(0.3), number(0.1)},
                                     .velocity = {number(4), number(4), number(4)}}});
        std::vector<Attachment> planes;
        for (int i = *rc::gen::inRange(1, 6); i > 0; --i) {
            Attachment plane = on_floor(std::uint32_t(i), 0.01 * *rc::gen::inRange(0, 100),
                                        0.01 * *rc::gen::inRange(0, 101));
            plane.a = {.block = {0, 0}};
            plane.normal = normalised(Vec3{number(1), 1, number(1)});
            planes.push_back(plane);
        }
        Run run(ball, planes);
        run.ensemble.settings.scheme = *rc::gen::element(Scheme::euler, Scheme::sdirk2);
        double energy = run.energy();

        for (int i = 0; i < 400; ++i) {
            const CouplingReport report = run.advance(1.0 / 120);
            RC_ASSERT(report.converged);
            RC_ASSERT(report.gap < 1e-9);
            RC_ASSERT(run.energy() <= energy + 1e-9); // the weight times the tolerance of a gap
            energy = run.energy();
        }
    }));
}

TEST_CASE("a double pendulum that strikes the floor gains no energy by Newton's restitution")
{
    // Restitution of the normal velocity with friction can gain energy where links couple the two
    // directions [KaneLevinson85]; then the bounce is made weaker.
    std::mt19937 engine(3);
    const auto number = [&](double size) { return size * (double(engine()) / 2147483648.0 - 1); };
    const double h = 1e-5; // so short that only the impact counts
    int bounces = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        const Pendulums pendulum(
            std::vector<Pendulums::Pendulum>{{.mass = {1, 1},
                                              .length = {1, 1},
                                              .angle = {number(1.5), number(1.5)},
                                              .rate = {number(3), number(3)}}});
        Ensemble ensemble;
        ensemble.models = {&pendulum};
        EnsembleState state;
        state.models = {pendulum.start()};
        ensemble.attachments = {on_floor(0, 0.8, 0.7)};
        ensemble.attachments[0].a.element = 1;
        ensemble.attachments[0].point_b = pendulum.position(state.models[0], 0, 1);
        Workspace work = make_workspace(ensemble);
        const double before = pendulum.energy(state.models[0]);
        const double height = pendulum.position(state.models[0], 0, 1).y;

        step(ensemble, state, h, work);

        const double after = pendulum.energy(state.models[0]);
        bounces += pendulum.position(state.models[0], 0, 1).y > height + 1e-7;
        CHECK(after <= before + 1e-3);
    }
    CHECK(bounces > 500);
}
