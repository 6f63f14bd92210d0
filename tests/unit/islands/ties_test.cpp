// Rows couple models that do not know each other.

#include "islands/step.h"
#include "support/tiny_models.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

using namespace sinew;
using test::Particles;
using test::Pendulums;
using Masses = std::vector<Particles::Particle>;

namespace {

Attachment tie(std::uint64_t key, Site a, Site b, Vec3 point_a = {}, Vec3 point_b = {})
{
    return {.key = key,
            .kind = Attachment::Kind::tie,
            .a = a,
            .b = b,
            .point_a = point_a,
            .point_b = point_b};
}

/// A double pendulum whose lower mass m₁ + m is split: m₁ is the pendulum's, m a particle tied to
/// it. The whole is a double pendulum again, with drag on the particle's share.
struct SplitPendulum {
    double h, drag = 0;
    Scheme scheme = Scheme::euler;
    std::array<double, 2> angle = {1.0, 1.6}, rate = {0.5, -1.0}, length = {0.7, 0.4};
    std::array<double, 3> mass = {0.8, 0.3, 0.5}; ///< upper, lower, tied

    Vec3 end() const
    {
        return {length[0] * std::sin(angle[0]) + length[1] * std::sin(angle[1]),
                -length[0] * std::cos(angle[0]) - length[1] * std::cos(angle[1]), 0};
    }
    Vec3 end_velocity() const
    {
        return {length[0] * rate[0] * std::cos(angle[0]) + length[1] * rate[1] * std::cos(angle[1]),
                length[0] * rate[0] * std::sin(angle[0]) + length[1] * rate[1] * std::sin(angle[1]),
                0};
    }

    /// Position of the particle after a second, stepping the two models with three rows between.
    Vec3 coupled() const
    {
        const Pendulums pendulum(std::vector<Pendulums::Pendulum>{{.mass = {mass[0], mass[1]},
                                                                   .length = {length[0], length[1]},
                                                                   .angle = {angle[0], angle[1]},
                                                                   .rate = {rate[0], rate[1]}}});
        const Particles particle(
            Masses{{.mass = mass[2], .position = end(), .velocity = end_velocity(), .drag = drag}});
        Ensemble ensemble;
        ensemble.models = {&pendulum, &particle};
        ensemble.attachments = {tie(1, {.block = {0, 0}, .element = 1}, {.block = {1, 0}})};
        ensemble.settings.scheme = scheme;
        EnsembleState state = {.models = {pendulum.start(), particle.start()}};
        Workspace work = make_workspace(ensemble);
        const int steps = int(std::lround(1 / h));
        for (int i = 0; i < steps; ++i) {
            const CouplingReport report = step(ensemble, state, h, work);
            CHECK(report.converged);
            CHECK(report.substeps == 1);
            CHECK(report.gap < 1e-10);
        }
        return Particles::position(state.models[1], 0);
    }

    /// The same by the classical Runge-Kutta method with steps of 1e-4, from Lagrange's equations.
    Vec3 exact() const
    {
        using State = std::array<double, 4>;
        const double m = mass[1] + mass[2], M = mass[0] + m, g = 9.81;
        const auto slope = [&](const State& s) {
            const double l = length[0] * length[1], c = std::cos(s[0] - s[1]),
                         sine = std::sin(s[0] - s[1]);
            const double vx = length[0] * s[2] * std::cos(s[0]) + length[1] * s[3] * std::cos(s[1]);
            const double vy = length[0] * s[2] * std::sin(s[0]) + length[1] * s[3] * std::sin(s[1]);
            const auto torque = [&](double q, double r) {
                return -drag * r * (vx * std::cos(q) + vy * std::sin(q));
            };
            const double a = M * length[0] * length[0], b = m * l * c,
                         d = m * length[1] * length[1];
            const double f0 = -m * l * sine * s[3] * s[3] - M * g * length[0] * std::sin(s[0]) +
                              torque(s[0], length[0]);
            const double f1 = m * l * sine * s[2] * s[2] - m * g * length[1] * std::sin(s[1]) +
                              torque(s[1], length[1]);
            const double det = a * d - b * b;
            return State{s[2], s[3], (d * f0 - b * f1) / det, (a * f1 - b * f0) / det};
        };
        State y = {angle[0], angle[1], rate[0], rate[1]};
        const double dt = 1e-4;
        for (int i = 0; i < 10000; ++i) {
            const auto along = [&](const State& k, double f) {
                State s = y;
                for (std::size_t n = 0; n < 4; ++n)
                    s[n] += f * k[n];
                return s;
            };
            const State k1 = slope(y), k2 = slope(along(k1, dt / 2)), k3 = slope(along(k2, dt / 2)),
                        k4 = slope(along(k3, dt));
            for (std::size_t n = 0; n < 4; ++n)
                y[n] += dt / 6 * (k1[n] + 2 * k2[n] + 2 * k3[n] + k4[n]);
        }
        SplitPendulum last = *this;
        last.angle = {y[0], y[1]};
        return last.end();
    }
};

} // namespace

TEST_CASE("two tied particles conserve momentum to rounding, and stay together")
{
    const Particles pair(Masses{{.mass = 2, .velocity = {1, 2, 3}},
                                {.mass = 0.001, .position = {0, 0, 0}, .velocity = {-5, 0, 1}}},
                         {});
    Ensemble ensemble;
    ensemble.models = {&pair};
    ensemble.attachments = {tie(7, {.block = {0, 0}}, {.block = {0, 1}})};
    EnsembleState state = {.models = {pair.start()}};
    Workspace work = make_workspace(ensemble);
    const Vec3 before = Vec3{1, 2, 3} * 2 + Vec3{-5, 0, 1} * 0.001;

    for (int i = 0; i < 1000; ++i)
        step(ensemble, state, 0.01, work);

    const Vec3 v[] = {Particles::velocity(state.models[0], 0),
                      Particles::velocity(state.models[0], 1)};
    CHECK(length(v[0] * 2 + v[1] * 0.001 - before) < 1e-13);
    CHECK(length(v[0] - v[1]) < 1e-13);
    CHECK(length(Particles::position(state.models[0], 0) -
                 Particles::position(state.models[0], 1)) < 1e-10);
}

TEST_CASE("a chain of ties and a loop of them hold; redundant ties change nothing")
{
    for (const bool is_redundant : {false, true}) {
        Masses masses;
        for (int i = 0; i < 6; ++i)
            masses.push_back({.mass = i % 2 ? 1.0 : 1000.0, .position = {0, 0, 0}});
        const Particles model(masses);
        Ensemble ensemble;
        ensemble.models = {&model};
        for (std::uint32_t i = 0; i < 6; ++i) // a ring, one tie more than it needs
            ensemble.attachments.push_back(tie(i, {.block = {0, i}}, {.block = {0, (i + 1) % 6}}));
        if (is_redundant)
            for (std::uint32_t i = 0; i < 6; ++i)
                ensemble.attachments.push_back(
                    tie(10 + i, {.block = {0, i}}, {.block = {0, (i + 3) % 6}}));
        EnsembleState state = {.models = {model.start()}};
        state.models[0].v[0] = 1; // jolted

        Workspace work = make_workspace(ensemble);
        for (int i = 0; i < 100; ++i) {
            const CouplingReport report = step(ensemble, state, 0.01, work);
            CHECK(report.converged);
            CHECK(report.gap < 1e-10);
        }

        for (std::uint32_t i = 0; i < 6; ++i)
            CHECK(length(Particles::velocity(state.models[0], i) - Vec3{1000.0 / 3003, -9.81, 0}) <
                  1e-9);
    }
}

TEST_CASE("a particle tied to a point of the ground hangs still; the force is its weight")
{
    const Particles particle(Masses{{.mass = 4, .position = {1, 2, 3}}});
    Ensemble ensemble;
    ensemble.models = {&particle};
    ensemble.attachments = {tie(3, {.block = {0, 0}}, {}, {}, {1, 2, 3})};
    EnsembleState state = {.models = {particle.start()}};
    Workspace work = make_workspace(ensemble);

    for (int i = 0; i < 100; ++i)
        step(ensemble, state, 0.01, work);

    CHECK(length(Particles::position(state.models[0], 0) - Vec3{1, 2, 3}) < 1e-12);
    CHECK(state.held[0].force[1] == doctest::Approx(4 * 9.81).epsilon(1e-12));
}

TEST_CASE("a particle tied to a driven one follows it")
{
    const Particles model(
        Masses{{.mass = 4, .velocity = {1, 0, 0}}, {.velocity = {1, 0.5, 0}, .driven = true}});
    Ensemble ensemble;
    ensemble.models = {&model};
    ensemble.attachments = {tie(3, {.block = {0, 0}}, {.block = {0, 1}})};
    EnsembleState state = {.models = {model.start()}};
    Workspace work = make_workspace(ensemble);

    for (int i = 0; i < 100; ++i)
        step(ensemble, state, 0.01, work);

    CHECK(length(Particles::position(state.models[0], 0) - Vec3{1, 0.5, 0}) < 1e-10);
    CHECK(length(Particles::velocity(state.models[0], 0) - Vec3{1, 0.5, 0}) < 1e-10);
}

TEST_CASE("ties that contradict each other are reported; what they hold stays between")
{
    const Particles model(Masses{{.mass = 4},
                                 {.velocity = {1, 0, 0}, .driven = true},
                                 {.velocity = {-1, 0, 0}, .driven = true}},
                          {});
    Ensemble ensemble;
    ensemble.models = {&model};
    ensemble.attachments = {tie(1, {.block = {0, 0}}, {.block = {0, 1}}),
                            tie(2, {.block = {0, 0}}, {.block = {0, 2}})};
    EnsembleState state = {.models = {model.start()}};
    Workspace work = make_workspace(ensemble);

    for (int i = 0; i < 10; ++i) {
        const CouplingReport report = step(ensemble, state, 0.01, work);
        CHECK_FALSE(report.converged);
        CHECK(report.row_residual == doctest::Approx(1));
        CHECK(report.gap == doctest::Approx(0.01 * (i + 1)));
        CHECK(report.faults.empty());
    }
    CHECK(length(Particles::position(state.models[0], 0)) < 1e-9);
}

TEST_CASE("a pendulum and a particle tied to it move as one heavier pendulum: euler is of order 1")
{
    for (const double drag : {0.0, 0.4}) {
        const Vec3 exact = SplitPendulum{.h = 0, .drag = drag}.exact();
        const double coarse = length(SplitPendulum{.h = 1.0 / 800, .drag = drag}.coupled() - exact);
        const double fine = length(SplitPendulum{.h = 1.0 / 1600, .drag = drag}.coupled() - exact);

        INFO("euler, errors after 1 s: " << coarse << ", " << fine);
        CHECK(fine < 0.02);
        CHECK(std::log2(coarse / fine) == doctest::Approx(1).epsilon(0.15));
    }
}

TEST_CASE("a pendulum and a particle tied to it: sdirk2 is of order 2")
{
    for (const double drag : {0.0, 0.4}) {
        SplitPendulum split = {.h = 1.0 / 100, .drag = drag, .scheme = Scheme::sdirk2};
        const Vec3 exact = split.exact();
        const double coarse = length(split.coupled() - exact);
        split.h = 1.0 / 200;
        const double fine = length(split.coupled() - exact);

        INFO("sdirk2, errors after 1 s: " << coarse << ", " << fine);
        CHECK(fine < 1e-3);
        CHECK(std::log2(coarse / fine) == doctest::Approx(2).epsilon(0.15));
    }
}
