// Models are constant: worlds share them, and looking at a world from several threads changes
// nothing.

#include "models/rigid/blocks.h"
#include "models/rigid/model.h"
#include "some_ropes.h"
#include "support/worlds.h"

#include "../models/rigid/pile_scene.h"

#include <array>
#include <doctest/doctest.h>
#include <thread>

using namespace sinew;

namespace {

constexpr double kStep = 1.0 / 240;
constexpr int kSteps = 60;

/// A rope that hangs by an end under a weight of its own.
EnsembleState hang(const rod::RodDynamics& model, double gravity)
{
    rod::RodInput input;
    input.loads.assign(model.rod_count(), {.gravity = {0, -gravity, 0}});
    Ensemble ensemble;
    ensemble.models = {&model};
    ensemble.settings.scheme = Scheme::sdirk2;
    ensemble.attachments = {test::hold(1, 0, 0, {0, 0, 0})};
    EnsembleState state;
    state.models = {model.initial_state()};
    Workspace work = make_workspace(ensemble);
    model.prepare(input, work.trials[0]);
    for (int i = 0; i < kSteps; ++i)
        CHECK(step(ensemble, state, kStep, work).faults.empty());
    return state;
}

/// A box on a string that something pushes; the ball beside it takes part or does not.
EnsembleState push(const RigidBlocks& model, const std::vector<BodyState>& start, double force,
                   bool has_ball)
{
    Ensemble ensemble;
    ensemble.models = {&model};
    ensemble.members = {{0, 1, has_ball}};
    ensemble.attachments = {{.key = 1, .a = {.block = {0, 1}}, .point_b = start[1].x}};
    EnsembleState state;
    state.models = {model.make_state(start)};
    Workspace work = make_workspace(ensemble);
    const std::array forces = {BodyForce{1, {force, 0, 0}, {0, force, 0}}};
    model.prepare(ensemble.members[0], forces, work.trials[0]);
    for (int i = 0; i < kSteps; ++i)
        CHECK(step(ensemble, state, kStep, work).faults.empty());
    return state;
}

/// What two threads find at the same time.
template <class Find>
auto both(Find&& find)
{
    std::array<decltype(find(0)), 2> found;
    std::thread other([&] { found[1] = find(1); });
    found[0] = find(0);
    other.join();
    return found;
}

} // namespace

TEST_CASE("two worlds share rods on two threads, each under its own loads")
{
    const rod::RodDynamics model(test::Ropes::make({rod::straight(1, 8, test::rope(0.1, 100))}));
    const std::array gravity = {9.81, 1.62};
    const std::array alone = {hang(model, gravity[0]), hang(model, gravity[1])};
    CHECK(alone[0].models[0].x != alone[1].models[0].x);
    const auto found = both([&](std::size_t i) { return hang(model, gravity[i]); });
    CHECK(found[0] == alone[0]);
    CHECK(found[1] == alone[1]);
}

TEST_CASE("two worlds share bodies on two threads, each with its own forces and members")
{
    pile_tests::TestPile scene;
    scene.add_ground();
    scene.add_box({0.4, 0.2, 0.9}, 3, {.x = {0.3, 1, -0.2}, .w = {2, -3, 5}});
    scene.add_ball(0.2, 0.5, {.x = {2, 1, 0}, .v = {0, 1, 0}});
    const RigidBlocks model(scene.pile);
    const auto find = [&](std::size_t i) {
        return push(model, scene.start, i == 0 ? 2.0 : -5.0, i == 0);
    };
    const std::array alone = {find(0), find(1)};
    CHECK(alone[0].models[0].x != alone[1].models[0].x);
    const auto found = both(find);
    CHECK(found[0] == alone[0]);
    CHECK(found[1] == alone[1]);
}

TEST_CASE("two worlds prepare one pile, each with its own gravity and motors")
{
    const Scene scene = test::sound_scene(
        "gravity(0, {-1 at 0 sec linear -9 at 1 sec}, 0);\n"
        "def crate body(mass = 1); box(0.2, 0.3, 0.4); end; a = crate; b = crate translatex(1);\n"
        "hinge_joint(a, b, line(0.5, 0, 0, 0.5, 1, 0), motor = {1 at 0 sec linear 3 at 1 sec});\n");
    const std::vector<Affine> objects = test::make_world(scene).frame().objects;
    const RigidModel model = *RigidModel::create(scene, objects);
    const Vec3 before = model.pile().gravity;
    const auto inputs = both([&](std::size_t i) {
        PileInput input = model.make_input();
        model.prepare(scene, {double(i), {}, {}}, objects, input);
        return input;
    });
    CHECK(inputs[0].pile.gravity.y == doctest::Approx(-1));
    CHECK(inputs[1].pile.gravity.y == doctest::Approx(-9));
    CHECK(inputs[0].pile.joints[0].speed == doctest::Approx(1));
    CHECK(inputs[1].pile.joints[0].speed == doctest::Approx(3));
    CHECK(model.pile().gravity == before);
}

TEST_CASE("two threads look at one world, and it stays as it is")
{
    World world = test::make_world(
        "dynamic a; a = initial(60 deg, 0);\n"
        "def bob mass(2); end; b = bob translatey(-1) rotatez(a);\n"
        "def floor obstacle(); plane(0, 1, 0, -3); end; floor;\n"
        "def crate body(mass = 1); box(0.2, 0.3, 0.4); end; c = crate translate(1, -2.9, 0);\n"
        "def rope rod(line(0, 0, 0, 1, 0, 0), spans = 8, radius = 5 mm); end; r = rope;\n"
        "position_constraint(r at 0 along, point(0, 0, 0));\n"
        "dist_constraint(r at 1 along, c, 2.9);\n"
        "simulate(0 sec, 1 sec, step = 1/240);\n");
    world.advance(0.2);
    const std::uint64_t hash = world.state_hash();
    const auto look = [&](std::size_t) {
        std::vector<double> numbers;
        for (int i = 0; i < 20; ++i) {
            for (const Affine& object : world.frame().objects)
                numbers.insert(numbers.end(), {object.origin.x, object.origin.y, object.origin.z});
            for (const ConstraintLoad& load : world.frame().loads)
                numbers.insert(numbers.end(), {load.force.x, load.force.y, load.force.z});
            for (const ActingForce& force : world.forces())
                numbers.insert(numbers.end(), {force.force.x, force.force.y, force.force.z});
            for (const Contact& contact : world.contacts())
                numbers.insert(numbers.end(), {contact.gap, contact.force});
            for (const double residual : world.residuals())
                numbers.push_back(residual);
            numbers.push_back(world.energy().kinetic);
        }
        return numbers;
    };
    const std::vector<double> alone = look(0);
    CHECK(alone.size() > 200);
    const auto found = both(look);
    CHECK(found[0] == alone);
    CHECK(found[1] == alone);
    CHECK(world.state_hash() == hash);
}
