// Rigid plates: rows with levers, through the whole step.

#include "islands/step.h"
#include "support/tiny_models.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;
using test::Particles;
using test::Plates;

namespace {

Attachment on_floor(std::uint64_t key, std::uint32_t element, double friction,
                    double restitution = 0)
{
    return {.key = key,
            .kind = Attachment::Kind::plane,
            .a = {.block = {0, 0}, .element = element},
            .friction = friction,
            .restitution = restitution};
}

struct Run {
    Ensemble ensemble;
    EnsembleState state;
    Workspace work;

    Run(std::vector<const Dynamics*> models, std::vector<ModelState> start,
        std::vector<Attachment> attachments)
    {
        ensemble.models = std::move(models);
        ensemble.attachments = std::move(attachments);
        state.models = std::move(start);
        work = make_workspace(ensemble);
    }
    CouplingReport advance(double h) { return step(ensemble, state, h, work); }
};

Vec3 tilted_gravity(double tangent)
{
    const double cosine = 1 / std::sqrt(1 + tangent * tangent);
    return {9.81 * tangent * cosine, -9.81 * cosine, 0};
}

} // namespace

TEST_CASE("a disc on an incline rolls with two thirds of the slope's pull, and slips above 3 μ")
{
    const double mass = 2, r = 0.3, mu = 0.2, h = 1.0 / 240;
    for (const double tangent : {0.1, 0.59, 0.61, 1.5}) {
        const Plates disc(
            std::vector<Plates::Plate>{
                {.mass = mass, .inertia = mass * r * r / 2, .centre = {0, r, 0}}},
            tilted_gravity(tangent));
        Attachment floor = on_floor(1, 0, mu);
        floor.radius = r;
        Run run({&disc}, {disc.start()}, {floor});

        for (int i = 0; i < 240; ++i)
            run.advance(h);

        const Vec3 g = tilted_gravity(tangent);
        const double v = run.state.models[0].v[0], spin = run.state.models[0].v[2];
        if (tangent < 3 * mu) {
            CHECK(v == doctest::Approx(g.x * 2 / 3).epsilon(1e-9));
            CHECK(v + spin * r == doctest::Approx(0).epsilon(1e-9)); // does not slip
        } else {
            CHECK(v == doctest::Approx(g.x + mu * g.y).epsilon(1e-9));
            CHECK(spin == doctest::Approx(2 * mu * g.y / r).epsilon(1e-9));
        }
    }
}

TEST_CASE("a plate on two corners stands still, and does not creep down a slope it can hold")
{
    const Plates plate(std::vector<Plates::Plate>{{.mass = 3,
                                                   .inertia = 0.5,
                                                   .centre = {0, 0.5, 0},
                                                   .points = {{-0.5, -0.5, 0}, {0.5, -0.5, 0}}}},
                       tilted_gravity(0.3));
    Run run({&plate}, {plate.start()}, {on_floor(1, 0, 0.4), on_floor(2, 1, 0.4)});

    for (int i = 0; i < 2400; ++i)
        CHECK(run.advance(1.0 / 240).passes <= 2);

    const std::vector<double>& x = run.state.models[0].x;
    CHECK(std::abs(x[0]) < 1e-11);
    CHECK(std::abs(x[1] - 0.5) < 1e-11);
    CHECK(std::abs(x[2]) < 1e-11);
}

TEST_CASE("overlap is pushed out along the normal, without friction")
{
    const Plates plate(
        std::vector<Plates::Plate>{
            {.inertia = 0.1, .centre = {0, 0.499, 0}, .points = {{0.5, -0.5, 0}}}},
        {});
    Run run({&plate}, {plate.start()}, {on_floor(1, 0, 10)});

    run.advance(1.0 / 240);

    const std::vector<double>& x = run.state.models[0].x;
    CHECK(std::abs(x[0]) < 1e-15); // nothing pushed it sideways
    CHECK(x[1] == doctest::Approx(0.499 + 0.001 / (1 + 0.25 / 0.1)).epsilon(1e-5));
    CHECK(x[2] == doctest::Approx(0.001 * 5 / (1 + 0.25 / 0.1)).epsilon(1e-2));
}

TEST_CASE("a plate that falls on its corners tumbles without gaining energy or sinking in")
{
    for (const double e : {0.0, 0.5, 0.9})
        for (int trial = 0; trial < 8; ++trial) {
            const Plates plate(std::vector<Plates::Plate>{
                {.mass = 1,
                 .inertia = 1.0 / 6,
                 .centre = {0, 1.2, 0},
                 .velocity = {1 - 0.3 * trial, -1, 0},
                 .angle = 0.4 * trial,
                 .spin = 3.0 - trial,
                 .points = {{-0.5, -0.5, 0}, {0.5, -0.5, 0}, {0.5, 0.5, 0}, {-0.5, 0.5, 0}}}});
            std::vector<Attachment> corners;
            for (std::uint32_t i = 0; i < 4; ++i)
                corners.push_back(on_floor(i, i, 0.3, e));
            Run run({&plate}, {plate.start()}, corners);
            double energy = plate.energy(run.state.models[0]);

            for (int i = 0; i < 1200; ++i) {
                const CouplingReport report = run.advance(1.0 / 240);
                CHECK(report.converged);
                CHECK(report.gap < 1e-6);
                // Tipping over a corner, euler and the projection gain h² a step; a bounce nothing.
                CHECK(plate.energy(run.state.models[0]) <= energy + 1e-4);
                energy = plate.energy(run.state.models[0]);
            }

            CHECK(std::abs(std::sin(2 * run.state.models[0].x[2])) < 1e-6); // on a side
            CHECK(run.state.models[0].x[1] == doctest::Approx(0.5).epsilon(1e-6));
        }
}

TEST_CASE("plates and a particle tied in flight conserve momentum; angular momentum to order h")
{
    const Plates plates(std::vector<Plates::Plate>{{.mass = 2,
                                                    .inertia = 0.3,
                                                    .centre = {-1, 0, 0},
                                                    .velocity = {0, 1, 0},
                                                    .spin = 1,
                                                    .points = {{1, 0, 0}, {-1, 0, 0}}},
                                                   {.mass = 0.5,
                                                    .inertia = 0.1,
                                                    .centre = {0.7, 0, 0},
                                                    .spin = -2,
                                                    .points = {{-0.7, 0, 0}}}},
                        {});
    const Particles particle(std::vector<Particles::Particle>{{.mass = 3, .position = {-2, 0, 0}}},
                             {});
    const auto momenta = [](const EnsembleState& state) {
        const std::vector<double>&x = state.models[0].x, &v = state.models[0].v;
        const std::vector<double>&y = state.models[1].x, &w = state.models[1].v;
        return Vec3{2 * v[0] + 0.5 * v[3] + 3 * w[0], 2 * v[1] + 0.5 * v[4] + 3 * w[1],
                    2 * (x[0] * v[1] - x[1] * v[0]) + 0.5 * (x[3] * v[4] - x[4] * v[3]) +
                        3 * (y[0] * w[1] - y[1] * w[0]) + 0.3 * v[2] + 0.1 * v[5]};
    };
    double lost[2];
    for (int halved = 0; halved < 2; ++halved) {
        const int steps = halved ? 480 : 240;
        Run run({&plates, &particle}, {plates.start(), particle.start()},
                {{.key = 1, .a = {{0, 0}, 0}, .b = {{0, 1}, 0}},
                 {.key = 2, .a = {{0, 0}, 1}, .b = {{1, 0}, 0}}});
        const Vec3 before = momenta(run.state);

        for (int i = 0; i < steps; ++i)
            CHECK(run.advance(1.0 / steps).gap < 1e-10);

        const Vec3 after = momenta(run.state);
        CHECK(std::abs(after.x - before.x) < 1e-13);
        CHECK(std::abs(after.y - before.y) < 1e-13);
        lost[halved] = std::abs(after.z - before.z);
    }
    CHECK(lost[0] < 2e-3);
    CHECK(lost[1] < 0.6 * lost[0]);
}
