// The step as a whole: threads, faults, halving, what is committed.

#include "base/overload.h"
#include "islands/step.h"
#include "support/tiny_models.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace sinew;
using test::Particles;
using test::Pendulums;
using Masses = std::vector<Particles::Particle>;

namespace {

Attachment on_floor(std::uint64_t key, BlockId a, double friction, double restitution)
{
    return {.key = key,
            .kind = Attachment::Kind::plane,
            .a = {.block = a},
            .point_b = {0, -2, 0},
            .friction = friction,
            .restitution = restitution};
}

/// Forty pendulums: some swing alone, some carry particles, some of those touch a floor or are tied
/// in pairs. Three models, twenty-odd islands.
struct Crowd {
    Pendulums pendulums;
    Particles particles, dust;
    Ensemble ensemble;
    EnsembleState state;

    explicit Crowd(Scheme scheme)
        : pendulums(make_pendulums()), particles(make_particles(pendulums)),
          dust(Masses(50, {.position = {0, -1, 0}, .velocity = {1, 0, 0}, .drag = 0.1}))
    {
        ensemble.models = {&pendulums, &particles, &dust};
        ensemble.settings.scheme = scheme;
        for (std::uint32_t i = 0; i < 30; ++i) {
            ensemble.attachments.push_back({.key = 100 + i,
                                            .kind = Attachment::Kind::tie,
                                            .a = {.block = {0, i}, .element = 1},
                                            .b = {.block = {1, i}}});
            if (i % 3 == 0)
                ensemble.attachments.push_back(on_floor(200 + i, {1, i}, 0.3, 0.4));
        }
        for (std::uint32_t i = 0; i < 25; ++i)
            ensemble.attachments.push_back(on_floor(300 + i, {2, i}, 0.5, 0));
        state.models = {pendulums.start(), particles.start(), dust.start()};
    }

    static std::vector<Pendulums::Pendulum> make_pendulums()
    {
        std::vector<Pendulums::Pendulum> all;
        for (int i = 0; i < 40; ++i)
            all.push_back({.mass = {1, 0.1 + 0.02 * i},
                           .angle = {0.1 * i, 3 - 0.13 * i},
                           .rate = {1, -0.1 * i}});
        return all;
    }

    static Masses make_particles(const Pendulums& pendulums)
    {
        const ModelState start = pendulums.start();
        Masses all;
        for (std::size_t i = 0; i < 30; ++i)
            all.push_back({.mass = 0.5, .position = pendulums.position(start, i, 1)});
        return all;
    }
};

bool has_same_bits(const EnsembleState& a, const EnsembleState& b)
{
    return a == b; // no number in them is NaN or a zero with a sign that matters
}

} // namespace

TEST_CASE("the same bits for one, two, three and four threads, and for a fresh workspace a step")
{
    for (const Scheme scheme : {Scheme::euler, Scheme::sdirk2}) {
        const Crowd crowd(scheme);
        EnsembleState expected = crowd.state;
        Workspace alone = make_workspace(crowd.ensemble);
        for (int i = 0; i < 60; ++i)
            REQUIRE(step(crowd.ensemble, expected, 1.0 / 120, alone).islands == 55);

        for (const int threads : {2, 3, 4}) {
            EnsembleState state = crowd.state;
            Workspace work = make_workspace(crowd.ensemble, threads);
            for (int i = 0; i < 60; ++i)
                step(crowd.ensemble, state, 1.0 / 120, work);
            CHECK(has_same_bits(state, expected));
        }

        EnsembleState state = crowd.state;
        for (int i = 0; i < 60; ++i) {
            Workspace work = make_workspace(crowd.ensemble);
            step(crowd.ensemble, state, 1.0 / 120, work);
        }
        CHECK(has_same_bits(state, expected));
    }
}

TEST_CASE("a copy of the state continues bit for bit")
{
    const Crowd crowd(Scheme::euler);
    EnsembleState state = crowd.state;
    Workspace work = make_workspace(crowd.ensemble);
    for (int i = 0; i < 30; ++i)
        step(crowd.ensemble, state, 1.0 / 120, work);
    EnsembleState snapshot = state;
    for (int i = 0; i < 30; ++i)
        step(crowd.ensemble, state, 1.0 / 120, work);

    Workspace other = make_workspace(crowd.ensemble, 2);
    for (int i = 0; i < 30; ++i)
        step(crowd.ensemble, snapshot, 1.0 / 120, other);

    CHECK(has_same_bits(snapshot, state));
}

TEST_CASE("what islands do does not depend on who else is there")
{
    const Crowd crowd(Scheme::euler);
    Ensemble fewer = crowd.ensemble; // one island, the others have no rows
    std::erase_if(fewer.attachments,
                  [](const Attachment& a) { return a.key != 109 && a.key != 209; });
    EnsembleState all = crowd.state, one = crowd.state;
    Workspace work = make_workspace(crowd.ensemble);

    for (int i = 0; i < 60; ++i) {
        step(crowd.ensemble, all, 1.0 / 120, work);
        step(fewer, one, 1.0 / 120, work);
    }

    CHECK(Particles::position(all.models[1], 9) == Particles::position(one.models[1], 9));
    CHECK(all.models[0].x[18] == one.models[0].x[18]);
}

TEST_CASE("blocks that no row touches move by their own integrator")
{
    const Particles particles(Masses{{.velocity = {1, 2, 3}}, {}});
    Ensemble ensemble;
    ensemble.models = {&particles};
    ensemble.attachments = {on_floor(1, {0, 1}, 0, 0)};
    EnsembleState state = {.models = {particles.start()}};
    Workspace work = make_workspace(ensemble);

    const CouplingReport report = step(ensemble, state, 0.5, work);

    CHECK(report.islands == 1);
    CHECK(report.steps == 1);
    CHECK(length(Particles::position(state.models[0], 0) - Vec3{0.5, 1 - 9.81 / 8, 1.5}) <
          1e-15); // the parabola
    CHECK(state.time == 0.5);
}

TEST_CASE("a source of rows is asked at every step")
{
    struct Floor final : RowSource {
        void add_attachments(std::span<const Trial> trials, double, double,
                             std::vector<Attachment>& found) const noexcept override
        {
            if (trials[0].state.x[1] < -1.9)
                found.push_back(on_floor(1, {0, 0}, 0, 0));
        }
    } floor;
    const Particles particles(Masses{{}});
    Ensemble ensemble;
    ensemble.models = {&particles};
    ensemble.sources = {&floor};
    EnsembleState state = {.models = {particles.start()}};
    Workspace work = make_workspace(ensemble);
    int without = 0;

    for (int i = 0; i < 240; ++i)
        without += step(ensemble, state, 1.0 / 240, work).rows == 0;

    CHECK(without > 100);
    CHECK(Particles::position(state.models[0], 0).y == doctest::Approx(-2).epsilon(1e-12));
}

TEST_CASE("half a million attachments are taken, one more is refused with the number")
{
    struct Many final : RowSource {
        std::uint64_t count = 0;
        void add_attachments(std::span<const Trial>, double, double,
                             std::vector<Attachment>& found) const noexcept override
        {
            for (std::uint64_t key = 0; key < count; ++key)
                found.push_back(on_floor(key, {0, 0}, 0, 0));
        }
    } many;
    const Particles particles(Masses{{.driven = true}});
    Ensemble ensemble;
    ensemble.models = {&particles};
    ensemble.sources = {&many};
    for (const std::uint64_t count : {500'000, 500'001}) {
        many.count = count;
        EnsembleState state = {.models = {particles.start()}};
        Workspace work = make_workspace(ensemble);
        const OverloadScope overload;
        step(ensemble, state, 1.0 / 240, work);
        REQUIRE(overload.found().has_value() == (count > 500'000));
        if (overload.found())
            CHECK(make_too_many(*overload.found(), "s.charli").what.find("more than 500000") !=
                  std::string::npos);
    }
}

TEST_CASE("a stage that does not converge is done again in halves")
{
    const Pendulums pendulum(
        std::vector<Pendulums::Pendulum>{{.mass = {1, 1}, .angle = {1.5, 0}, .rate = {30, -30}}});
    const Particles particle(
        Masses{{.position = {std::sin(1.5), -std::cos(1.5) - 1, 0},
                .velocity = {30 * std::cos(1.5) - 30, 30 * std::sin(1.5), 0}}});
    Ensemble ensemble;
    ensemble.models = {&pendulum, &particle};
    ensemble.attachments = {{.key = 1,
                             .kind = Attachment::Kind::tie,
                             .a = {.block = {0, 0}, .element = 1},
                             .b = {.block = {1, 0}}}};
    EnsembleState state = {.models = {pendulum.start(), particle.start()}};
    Workspace work = make_workspace(ensemble);
    const double before = pendulum.energy(state.models[0]) + particle.energy(state.models[1]);

    const CouplingReport report = step(ensemble, state, 1.0 / 60, work);

    const double after = pendulum.energy(state.models[0]) + particle.energy(state.models[1]);
    CHECK(report.converged);
    CHECK(report.substeps > 1);
    CHECK(after == doctest::Approx(before).epsilon(0.05)); // first order, half a radian a step
    CHECK(report.gap < 1e-9);
}

TEST_CASE("what is not a number is put back, frozen and named; everything else goes on")
{
    Pendulums pendulums(std::vector<Pendulums::Pendulum>{{.angle = {1, 1}}, {.angle = {1, 1}}});
    pendulums.broken = 1;
    const Particles particles(
        Masses{{.position = pendulums.position(pendulums.start(), 1, 1)}, {}});
    Ensemble ensemble;
    ensemble.models = {&pendulums, &particles};
    EnsembleState state = {.models = {pendulums.start(), particles.start()}};
    const EnsembleState start = state;
    Workspace work = make_workspace(ensemble);
    SUBCASE("in an island")
    {
        ensemble.attachments = {{.key = 1,
                                 .kind = Attachment::Kind::tie,
                                 .a = {.block = {0, 1}, .element = 1},
                                 .b = {.block = {1, 0}}}};
    }
    SUBCASE("alone") {}

    const CouplingReport report = step(ensemble, state, 0.01, work);

    REQUIRE(report.faults.size() == 1);
    CHECK(report.is_committed);
    CHECK(report.faults[0].block == BlockId{0, 1});
    CHECK(report.faults[0].problem.what == "its motion is not finite");
    CHECK(state.frozen == std::vector<BlockId>{{0, 1}});
    CHECK(state.models[0].x[2] == start.models[0].x[2]);
    CHECK(state.models[0].x[0] != start.models[0].x[0]);  // the other swings
    CHECK(Particles::position(state.models[1], 1).y < 0); // the other falls

    for (int i = 0; i < 10; ++i)
        CHECK(step(ensemble, state, 0.01, work).faults.empty());
    CHECK(state.models[0].x[2] == start.models[0].x[2]);
    if (!ensemble.attachments.empty()) // what is tied to it hangs there
        CHECK(length(Particles::position(state.models[1], 0) -
                     pendulums.position(start.models[0], 1, 1)) < 1e-9);
}

TEST_CASE("what does not converge at last is accepted and reported, or frozen if energy rises")
{
    Pendulums pendulum(std::vector<Pendulums::Pendulum>{{.angle = {1, 1}}});
    const Particles particle(Masses{{.position = pendulum.position(pendulum.start(), 0, 1)}});
    Ensemble ensemble;
    ensemble.models = {&pendulum, &particle};
    ensemble.attachments = {{.key = 1,
                             .kind = Attachment::Kind::tie,
                             .a = {.block = {0, 0}, .element = 1},
                             .b = {.block = {1, 0}}}};
    EnsembleState state = {.models = {pendulum.start(), particle.start()}};
    const EnsembleState start = state;
    Workspace work = make_workspace(ensemble);

    SUBCASE("accepted")
    {
        pendulum.overshoot = 2;
        const CouplingReport report = step(ensemble, state, 0.01, work);
        CHECK_FALSE(report.converged);
        CHECK(report.faults.empty());
        CHECK(report.substeps == 16);
        CHECK(state.time == 0.01);
    }
    SUBCASE("frozen")
    {
        pendulum.overshoot = 2.05;
        const CouplingReport report = step(ensemble, state, 0.01, work);
        CHECK_FALSE(report.converged);
        REQUIRE(report.faults.size() == 1);
        CHECK(report.faults[0].block == BlockId{0, 0});
        CHECK(report.faults[0].problem.what ==
              "what it is tied to or touches cannot be solved without gaining energy");
        CHECK(state.models == start.models); // all of the island went back
        CHECK(state.frozen == std::vector<BlockId>{{0, 0}});
    }
}

TEST_CASE("a model's own fault keeps the step from being committed")
{
    Particles particles(Masses{{}, {}});
    particles.stops_at = 0.25;
    Ensemble ensemble;
    ensemble.models = {&particles};
    EnsembleState state = {.models = {particles.start()}};
    const EnsembleState start = state;
    Workspace work = make_workspace(ensemble);

    const CouplingReport report = step(ensemble, state, 1, work);

    CHECK_FALSE(report.is_committed);
    REQUIRE(report.faults.size() == 2);
    CHECK(report.faults[0].reached == 0.25);
    CHECK(state == start);
    CHECK(step(ensemble, state, report.faults[0].reached - state.time, work).is_committed);
    CHECK(state.time == 0.25);
}
