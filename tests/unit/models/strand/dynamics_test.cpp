// Strands under rows keep the contract of every model.

#include "models/strand/rows/dynamics.h"
#include "some_trees.h"
#include "support/model_contract.h"

#include <cmath>
#include <doctest/doctest.h>

namespace sinew::strand {

namespace {

/// A base that swings, turns and accelerates.
struct MovingBase : BaseSource {
    PoseMotion base_at(std::uint32_t tree, double time) const noexcept override
    {
        const Vec3 spin{0.3, 0.5 + 0.1 * tree, -0.2}, velocity{0.2, 0.1, -0.3}, push{1, -2, 0.5};
        PoseMotion m;
        m.pose.rotation = exp_quat(spin * time);
        m.pose.translation = velocity * time + push * (0.5 * time * time);
        m.velocity = velocity + push * time;
        m.acceleration = push;
        m.angular_velocity = spin;
        return m;
    }
    Vec3 gravity_at(double) const noexcept override { return {0, -9.81, 0}; }
};

/// Bent and moving, each number from the seed.
ModelState shaken(const StrandDynamics& model, double bend, double rate)
{
    ModelState state = model.initial_state(0);
    std::mt19937 random(5);
    const auto uniform = [&] { return 2 * (static_cast<double>(random()) / 4294967296.0) - 1; };
    const auto bend_at = [&](std::size_t i) {
        const double a = uniform(), b = uniform(), c = uniform();
        const Quat q = Quat{state.x[i], state.x[i + 1], state.x[i + 2], state.x[i + 3]} *
                       exp_quat(Vec3{a, b, c} * bend);
        state.x[i] = q.x, state.x[i + 1] = q.y, state.x[i + 2] = q.z, state.x[i + 3] = q.w;
    };
    for (const BlockShape& shape : model.blocks())
        for (std::size_t k = 0; k < shape.memory_count / 6; ++k)
            bend_at(shape.x_first + 4 * k);
    for (double& v : state.v)
        v = rate * uniform();
    return state;
}

Site on(std::uint32_t block, std::uint32_t segment, double u) { return {{0, block}, segment, u}; }

} // namespace

TEST_CASE("strands: chains keep the contract of rows [eq. 11]")
{
    const StillBase base;
    const StrandDynamics model({{0, random_tree(12, false, 50, 0, 1)}}, base);
    const std::vector<Site> sites = {on(0, 0, 0.3), on(0, 4, 1), on(0, 11, 1), on(0, 7, 0.5)};
    test::check_model_contract(model, shaken(model, 0.2, 1), sites);
}

TEST_CASE("strands: trees, branched anywhere, dragged, on moving bases keep the contract of rows")
{
    const MovingBase base;
    const StrandDynamics model({{0, random_tree(15, true, 80, 0.3, 2)},
                                {1, random_tree(9, true, 20, 0, 3)},
                                {2, random_tree(6, false, 500, 0.1, 4)}},
                               base);
    const std::vector<Site> sites = {on(0, 14, 0.7), on(0, 3, 0.2), on(0, 9, 1),
                                     on(1, 8, 1),    on(1, 2, 0.4), on(2, 5, 0.9)};
    test::check_model_contract(model, shaken(model, 0.1, 0.5), sites,
                               {.time = 0.2, .theta = 1.0 / 240});
}

/// With springs along the segments, of which some are stretched and moving.
std::vector<SegmentData> elastic(std::vector<SegmentData> segments, double stiffness)
{
    for (SegmentData& s : segments)
        s.stretch = stiffness, s.stretch_damping = 0.01 * stiffness;
    return segments;
}

TEST_CASE("strands: trees whose lengths move, some of them, keep the contract of rows [eq. 26]")
{
    const MovingBase base;
    const StrandDynamics model({{0, random_tree(7, false, 50, 0.2, 7)},
                                {1, elastic(random_tree(15, true, 80, 0.3, 2), 3000)},
                                {2, elastic(random_tree(5, false, 20, 0, 3), 800)}},
                               base);
    const std::vector<Site> sites = {on(0, 6, 1), on(1, 14, 0.7), on(1, 3, 0.2),
                                     on(1, 9, 1), on(2, 4, 0.75), on(2, 1, 0.4)};
    ModelState state = shaken(model, 0.1, 0.5);
    for (const std::uint32_t b : {1u, 2u}) {
        const BlockShape& shape = model.blocks()[b];
        for (std::uint32_t i = 0; i < shape.x_count / 5; ++i) {
            state.x[shape.x_first + 4 * (shape.x_count / 5) + i] *= 1 + 0.02 * (i % 3);
            state.v[shape.v_first + 3 * (shape.v_count / 4) + i] = 0.05 * (i % 4) - 0.05;
        }
    }
    test::check_model_contract(model, state, sites, {.time = 0.2, .theta = 1.0 / 240});
}

TEST_CASE("strands: trees with free bases keep the contract of rows [eqs 30, 31]")
{
    const MovingBase base;
    const std::uint32_t kBase = StrandDynamics::kBase;
    const StrandDynamics model({{0, random_tree(12, false, 50, 0, 1), true},
                                {1, random_tree(9, true, 20, 0.3, 3), true},
                                {2, elastic(random_tree(5, false, 20, 0, 3), 800), true},
                                {3, random_tree(6, false, 500, 0.1, 4)}},
                               base);
    const std::vector<Site> sites = {on(0, kBase, 0), on(0, 4, 1),   on(0, 11, 1),
                                     on(1, kBase, 0), on(1, 8, 0.4), on(2, kBase, 0),
                                     on(2, 4, 0.75),  on(3, 5, 0.9)};
    test::check_model_contract(model, shaken(model, 0.1, 0.5), sites,
                               {.time = 0.2, .theta = 1.0 / 240, .impulse = 1e-4});
}

TEST_CASE("strands: two implicit stages without rows are the step that a strand takes alone")
{
    const MovingBase base;
    const StrandDynamics model({{0, random_tree(8, true, 60, 0.1, 6)}}, base);
    const ModelState start = shaken(model, 0.1, 0.5);
    const double h = 1.0 / 240, gamma = 1 - std::sqrt(0.5);
    Trial trial{start, start.x, start.v, start.x, start.v, model.make_scratch()};
    const std::vector<Member> members = {{.block = 0}};
    const Cohort cohort{members, {}};
    const RowSet rows;
    for (int index = 0; index < 2; ++index) {
        const Stage stage{index == 0 ? gamma * h : h, gamma * h, h, index, 2};
        model.begin_stage(cohort, stage, trial);
        for (int pass = 0; pass < 30; ++pass) {
            model.predict(cohort, rows, stage, trial);
            model.correct(cohort, rows, stage, Part::velocity, trial);
        }
    }
    Trial alone{start, start.x, start.v, start.x, start.v, model.make_scratch()};
    std::vector<BlockReport> reports(1);
    model.advance_alone(cohort, 0, h, alone, reports);
    CHECK(reports[0].reached == h);
    for (std::size_t i = 0; i < start.x.size(); ++i)
        CHECK(trial.state.x[i] == doctest::Approx(alone.state.x[i]).epsilon(1e-7));
}

} // namespace sinew::strand
