// Bodies as blocks of an island: the contract of every model, and what their stages keep.

#include "models/rigid/blocks.h"

#include "models/rigid/contacts/patch.h"
#include "pile_scene.h"
#include "solve/rows/row_stages.h"
#include "support/model_contract.h"

#include <doctest/doctest.h>

using namespace sinew;
using pile_tests::TestPile;

namespace {

const Quat kTilted = normalised(Quat{0.2, -0.4, 0.1, 0.9});

TestPile make_pile()
{
    TestPile scene;
    scene.add_ground();
    scene.add_box({0.4, 0.2, 0.9}, 3,
                  {.x = {0.3, 1, -0.2}, .q = kTilted, .v = {0.4, -1, 0.2}, .w = {2, -3, 5}});
    scene.add_ball(0.2, 0.5, {.x = {2, 1, 0}, .v = {0, 1, 0}, .w = {0, 0, 4}});
    return scene;
}

/// A free flight of the first box in stages, as the world would run them.
BodyState flown(const TestPile& scene, double h, int steps)
{
    RigidBlocks blocks(scene.pile);
    Trial trial;
    trial.state = blocks.make_state(scene.start);
    trial.scratch = blocks.make_scratch();
    trial.x_base = trial.state.x;
    trial.v_base = trial.state.v;
    const std::vector<Member> members = {{.block = 1}};
    const RowSet rows;
    for (int i = 0; i < steps; ++i) {
        trial.x_start = trial.state.x;
        trial.v_start = trial.state.v;
        for (int index = 0; index < 2; ++index) {
            const Stage stage = make_stage(Scheme::sdirk2, index, i * h, h);
            blocks.begin_stage({members, {}}, stage, trial);
            for (int pass = 0; pass < 30; ++pass) {
                blocks.predict({members, {}}, rows, stage, trial);
                blocks.correct({members, {}}, rows, stage, Part::velocity, trial);
            }
        }
    }
    return blocks.body_of(trial.state, 1);
}

Vec3 momentum_about_centre(const Body& body, const BodyState& state)
{
    return inertia_at(state.q, body.inertia) * state.w;
}

double turn_between(const Quat& a, const Quat& b) { return length(log_quat(a * conjugate(b))); }

} // namespace

TEST_CASE("bodies keep the contract of Dynamics")
{
    const TestPile scene = make_pile();
    RigidBlocks blocks(scene.pile);
    const std::vector<Site> sites = {{.block = {0, 1}}, {.block = {0, 1}}, {.block = {0, 2}}};
    for (const unsigned seed : {1u, 2u, 3u})
        for (const double theta : {1.0 / 240, 0.02})
            test::check_model_contract(
                blocks, blocks.make_state(scene.start), sites,
                {.theta = theta, .impulse = 0.05, .passes = 100, .seed = seed});
}

TEST_CASE("a stage keeps momenta, and turns to second order [notes: rows, eq. 7]")
{
    TestPile scene = make_pile();
    const Body& body = scene.pile.bodies[1];
    const Vec3 before = momentum_about_centre(body, scene.start[1]);
    const BodyState end = flown(scene, 1.0 / 200, 200);
    CHECK(length(momentum_about_centre(body, end) - before) < 1e-11 * length(before));
    CHECK(length(end.v - (scene.start[1].v + scene.pile.gravity)) < 1e-12);

    const Quat exact = flown(scene, 1.0 / 6400, 6400).q;
    const double coarse = turn_between(flown(scene, 1.0 / 200, 200).q, exact);
    const double fine = turn_between(flown(scene, 1.0 / 400, 400).q, exact);
    CHECK(coarse / fine == doctest::Approx(4).epsilon(0.1));
}

TEST_CASE("driven bodies are where their velocities take them")
{
    const TestPile scene = make_pile();
    RigidBlocks blocks(scene.pile);
    const std::vector<char> members(scene.pile.bodies.size(), 0);
    Trial trial;
    trial.state = blocks.make_state(scene.start);
    trial.scratch = blocks.make_scratch();
    blocks.prepare(members, {}, trial);
    blocks.drive(5, 5.1, trial);
    const std::vector<Site> sites = {{.block = {0, 1}}};
    std::vector<SiteMotion> motion(1);
    blocks.locate(trial, 5.1, sites, motion);
    CHECK(length(motion[0].pose.translation - (Vec3{0.3, 1, -0.2} + Vec3{0.04, -0.1, 0.02})) <
          1e-14);
    CHECK(turn_between(motion[0].pose.rotation, kTilted) ==
          doctest::Approx(0.1 * length(Vec3{2, -3, 5})));
}

TEST_CASE("a body that no row touches flies on alone")
{
    const TestPile scene = make_pile();
    RigidBlocks blocks(scene.pile);
    Trial trial;
    trial.state = blocks.make_state(scene.start);
    trial.scratch = blocks.make_scratch();
    const std::vector<Member> members = {{.block = 1}};
    std::vector<BlockReport> reports(1);
    blocks.advance_alone({members, {}}, 0, 0.01, trial, reports);
    const BodyState end = blocks.body_of(trial.state, 1);
    const Vec3 g = scene.pile.gravity;
    CHECK(length(end.x - (scene.start[1].x + scene.start[1].v * 0.01 + g * (0.5e-4))) < 1e-14);
    CHECK(length(momentum_about_centre(scene.pile.bodies[1], end) -
                 momentum_about_centre(scene.pile.bodies[1], scene.start[1])) < 1e-12);
}
