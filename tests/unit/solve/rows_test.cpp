// The contract of Dynamics, kept by the models of the tests.

#include "solve/rows/row_stages.h"
#include "support/model_contract.h"
#include "support/tiny_models.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

TEST_CASE("particles keep the contract of rows")
{
    const Particles model(std::vector<Particles::Particle>{
        {.mass = 0.1, .velocity = {1, 2, 3}},
        {.mass = 7, .position = {1, 0, 2}, .velocity = {0, -1, 0}, .drag = 50}});
    const Site sites[] = {{.block = {0, 0}}, {.block = {0, 1}}, {.block = {0, 1}}};

    for (unsigned seed = 0; seed < 20; ++seed)
        check_model_contract(model, model.start(), sites, {.seed = seed});
}

TEST_CASE("pendulums keep the contract of rows")
{
    const Pendulums model(std::vector<Pendulums::Pendulum>{
        {.mass = {1, 2}, .length = {0.5, 0.3}, .angle = {0.3, -1}, .rate = {2, -3}},
        {.pivot = {1, 2, 3}, .angle = {3, 2.5}, .rate = {-1, 1}}});
    const Site sites[] = {{.block = {4, 0}, .element = 0},
                          {.block = {4, 1}, .element = 1},
                          {.block = {4, 0}, .element = 1}};

    for (unsigned seed = 0; seed < 20; ++seed)
        check_model_contract(model, model.start(), sites, {.theta = 0.01, .seed = seed});
}

TEST_CASE("plates keep the contract of rows")
{
    const Plates model(std::vector<Plates::Plate>{
        {.mass = 2, .inertia = 0.1, .angle = 1, .spin = 4, .points = {{1, 0, 0}, {0, 2, 0}}},
        {.centre = {3, 1, 0}, .velocity = {1, 2, 0}, .points = {{0.1, 0.2, 0}}}});
    const Site sites[] = {{.block = {0, 0}, .element = 1},
                          {.block = {0, 1}, .element = 0},
                          {.block = {0, 0}, .element = 0}};

    for (unsigned seed = 0; seed < 20; ++seed)
        check_model_contract(model, model.start(), sites, {.seed = seed});
}

TEST_CASE("the stages of sdirk2 cover the step: γ, then all of it, and are exact for t and t²")
{
    CHECK(kGamma == doctest::Approx(1 - std::sqrt(0.5)).epsilon(1e-16));
    const double h = 0.3, a = -2, v0 = 1.5, x0 = 0.7; // constant acceleration
    Trial trial;
    trial.state = {.x = {x0}, .v = {v0}, .memory = {}};
    trial.x_start = trial.x_base = {x0};
    trial.v_start = trial.v_base = {v0};
    const BlockShape block = {.x_count = 1, .v_count = 1};

    for (int index = 0; index < stage_count(Scheme::sdirk2); ++index) {
        const Stage stage = make_stage(Scheme::sdirk2, index, 10, h);
        begin_flat_stage(block, stage, trial);
        CHECK(stage.time == doctest::Approx(10 + (index == 0 ? kGamma * h : h)));
        trial.state.v[0] = trial.v_base[0] + stage.theta * a; // solves the stage
        trial.state.x[0] = trial.x_base[0] + stage.theta * trial.state.v[0];
    }

    CHECK(trial.state.v[0] == doctest::Approx(v0 + a * h).epsilon(1e-14));
    CHECK(trial.state.x[0] == doctest::Approx(x0 + v0 * h + 0.5 * a * h * h).epsilon(1e-14));
}
