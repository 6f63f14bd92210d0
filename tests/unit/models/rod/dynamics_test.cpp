// Rods under rows keep the contract of every model.

#include "models/rod/dynamics.h"
#include "some_rods.h"
#include "support/model_contract.h"

#include <doctest/doctest.h>

namespace sinew::rod {

namespace {

const Material kCable{.radius = 0.01, .young = 2e6, .poisson = 0.4, .density = 1100};

ModelState shaken(const RodDynamics& model, double size, double rate)
{
    ModelState state = model.initial_state();
    Dice dice(3);
    for (std::size_t i = 0; i < state.x.size(); ++i) {
        state.x[i] += size * dice();
        state.v[i] = rate * dice();
    }
    // Frames come along, as at the start of every step.
    Trial trial;
    trial.state = state;
    trial.x_start = trial.x_base = state.x;
    trial.v_start = trial.v_base = state.v;
    trial.scratch = model.make_scratch();
    std::vector<Member> all(model.rod_count());
    for (std::uint32_t i = 0; i < all.size(); ++i)
        all[i].block = i;
    model.begin_stage({all, {}}, {.theta = 1e-3, .step = 1e-3}, trial);
    state.memory = trial.state.memory;
    return state;
}

/// Torques that do not turn a thin rod round and round.
const test::ContractOptions kGently{.impulse = 1e-6};

/// Of a contract, with weight.
test::ContractOptions under_gravity(const RodDynamics& model)
{
    static const RodInput input{.loads = {2, Loads{.gravity = {0, -9.81, 0}}}};
    test::ContractOptions options = kGently;
    options.prepare = [&model](Trial& trial) { model.prepare(input, trial); };
    return options;
}

Site on(std::uint32_t block, double u) { return {{0, block}, 0, u}; }

} // namespace

TEST_CASE("rods: keep the contract of rows [notes: rods, eq. 6]")
{
    std::vector<Made> rods;
    rods.push_back(make_plan(straight(1, 6, kCable)));
    rods.push_back(make_plan(helix(8, kCable)));
    RodDynamics model(std::move(rods));
    const std::vector<Site> sites = {on(0, 0), on(0, 0.37), on(0, 1), on(1, 0.5), on(1, 0.81)};
    test::check_model_contract(model, shaken(model, 1e-3, 0.1), sites, under_gravity(model));
}

TEST_CASE("rods: damped and dragged ones keep the contract of rows")
{
    Material honey = kCable;
    honey.damping = 0.05;
    honey.drag_along = 0.1;
    honey.drag_across = 0.3;
    std::vector<Made> rods;
    rods.push_back(make_plan(straight(1, 6, honey)));
    RodDynamics model(std::move(rods));
    const std::vector<Site> sites = {on(0, 0.2), on(0, 0.9)};
    test::check_model_contract(model, shaken(model, 1e-3, 0.1), sites, under_gravity(model));
}

TEST_CASE("rods: chains keep the contract of rows")
{
    std::vector<Made> rods;
    Drawing chain = straight(1, 8, kCable);
    chain.is_chain = true;
    rods.push_back(make_plan(chain));
    RodDynamics model(std::move(rods));
    const std::vector<Site> sites = {on(0, 0.2), on(0, 1)};
    test::check_model_contract(model, shaken(model, 1e-3, 0.1), sites, under_gravity(model));
}

} // namespace sinew::rod
