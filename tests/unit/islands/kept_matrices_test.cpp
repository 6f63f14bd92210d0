// Passes that go on with the matrix of the stage's first, against a matrix of each pass.

#include "islands/step.h"
#include "support/tiny_models.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using test::Pendulums;
using test::Plates;

namespace {

constexpr std::uint32_t kCount = 14;

/// Plates that slide over a floor, each tied to the end of a swinging pendulum by a distance, and
/// to the next plate by a tie: more rows than are solved by a dense matrix.
struct Scene {
    Plates plates{make_plates()};
    Pendulums pendulums{make_pendulums()};
    Ensemble ensemble;
    EnsembleState state;

    static std::vector<Plates::Plate> make_plates()
    {
        std::vector<Plates::Plate> made;
        for (std::uint32_t i = 0; i < kCount; ++i)
            made.push_back(
                {.mass = 1 + 0.3 * (i % 3),
                 .inertia = 0.02,
                 .centre = {0.5 * i, 0.1, 0},
                 .velocity = {i % 2 ? 0.4 : 0.2, 0, 0},
                 .points = {{-0.2, -0.1, 0}, {0.2, -0.1, 0}, {0.25, 0, 0}, {-0.25, 0, 0}}});
        return made;
    }
    static std::vector<Pendulums::Pendulum> make_pendulums()
    {
        std::vector<Pendulums::Pendulum> made;
        for (std::uint32_t i = 0; i < kCount; ++i)
            made.push_back({.pivot = {0.5 * i, 2.5, 0},
                            .length = {0.8, 0.7},
                            .angle = {0.2, 0.5},
                            .rate = {1 + 0.2 * (i % 4), -2}});
        return made;
    }

    Scene()
    {
        std::uint64_t key = 1;
        const auto site = [](std::uint32_t model, std::uint32_t block, std::uint32_t element) {
            return Site{.block = {model, block}, .element = element};
        };
        for (std::uint32_t i = 0; i < kCount; ++i) {
            for (const std::uint32_t corner : {0u, 1u})
                add({.key = key++,
                     .kind = Attachment::Kind::plane,
                     .a = site(0, i, corner),
                     .friction = 0.3});
            if (i > 0)
                add({.key = key++,
                     .kind = Attachment::Kind::pull,
                     .a = site(0, i - 1, 2),
                     .b = site(0, i, 3),
                     .stiffness = 200,
                     .damping = 1,
                     .length = 0.05});
            const Vec3 end = pendulums.position(pendulums.start(), i, 1);
            const Vec3 centre{0.5 * i + 0.25, 0.1, 0};
            add({.key = key++,
                 .kind = Attachment::Kind::distance,
                 .a = site(0, i, 2),
                 .b = site(1, i, 1),
                 .length = length(end - centre)});
        }
        ensemble.models = {&plates, &pendulums};
        ensemble.settings.scheme = Scheme::sdirk2;
        state.models = {plates.start(), pendulums.start()};
    }
    void add(const Attachment& made) { ensemble.attachments.push_back(made); }
};

struct Run {
    std::vector<double> places;
    int passes = 0, iterations = 0, rows = 0;
};

Run run(bool renews, double h)
{
    Scene scene;
    scene.ensemble.settings.limits.renews_matrices = renews;
    Workspace work = make_workspace(scene.ensemble);
    Run done;
    for (int i = 0; i * h < 0.25; ++i) {
        const CouplingReport report = step(scene.ensemble, scene.state, h, work);
        CAPTURE(i);
        CHECK(report.converged);
        CHECK(report.faults.empty());
        done.passes = std::max(done.passes, report.passes);
        done.iterations += report.iterations;
        done.rows = report.rows;
    }
    for (const ModelState& model : scene.state.models)
        done.places.insert(done.places.end(), model.x.begin(), model.x.end());
    return done;
}

} // namespace

TEST_CASE("passes with a kept matrix end where those with a matrix of their own do")
{
    for (const double h : {1.0 / 240}) {
        const Run kept = run(false, h), fresh = run(true, h);
        CAPTURE(h);
        CHECK(kept.rows > 96);
        CHECK(kept.passes >= 2);
        double largest = 0;
        for (std::size_t i = 0; i < kept.places.size(); ++i)
            largest = std::max(largest, std::abs(kept.places[i] - fresh.places[i]));
        MESSAGE("largest difference ", largest, ", passes ", kept.passes, " and ", fresh.passes,
                ", iterations ", kept.iterations, " and ", fresh.iterations);
        CHECK(largest < 1e-6); // 60 steps, each to 1e-6 m/s
        CHECK(largest > 0);    // the kept path was taken
    }
}
