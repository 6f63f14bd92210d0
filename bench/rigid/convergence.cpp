// The paper's convergence plot [Erleben04]: θ after each sweep of one step from nothing, for stacks
// that already stand or lie.

#include "convergence.h"

#include "models/rigid/model.h"
#include "sinew/language.h"
#include "sinew/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace sinew::bench {

namespace {

constexpr double kStep = 0.01;
constexpr int kSweeps = 500, kFewSweeps = 10, kStepsWatched = 100;

struct Stack {
    RigidModel model;
    PileState state;
};

/// An example after so many seconds, at rest.
Stack make_stack(const std::string& name, double seconds,
                 const std::map<std::string, std::string>& parameters)
{
    const ScriptReading reading =
        read_script_file("examples/" + name + "_stack.charli", {.parameters = parameters});
    Result<World> world = World::create(reading.scene);
    if (!reading.is_sound() || !world) {
        fmt::print(stderr, "examples/{}_stack.charli cannot be read: run this from the root\n",
                   name);
        std::exit(1);
    }
    world->advance(seconds);
    std::vector<BodyMotion> motions = world->bodies();
    for (BodyMotion& motion : motions)
        motion.velocity = motion.spin = {0, 0, 0};
    const std::vector<Affine> objects = world->frame().objects;
    Stack stack;
    stack.model = *RigidModel::create(reading.scene, objects);
    stack.state = stack.model.initial_state(reading.scene, objects, motions);
    return stack;
}

void print_theta(const std::string& name, const Stack& stack)
{
    const PileOptions options{.method = BodyMethod::erleben,
                              .iterations = kSweeps,
                              .has_shock = false,
                              .records_theta = true};
    PileState state = stack.state;
    const PileReport report =
        step_pile(stack.model.pile(), options, kStep, state, *make_pile_work());
    for (std::size_t i = 0; i < report.theta.size(); ++i)
        fmt::print("theta,{},{},{:.6e}\n", name, i + 1, report.theta[i]);
}

/// How far the highest body sinks in a second, the largest overlap, and θ at the end.
void print_shock(const std::string& name, const Stack& stack, bool has_shock)
{
    const PileOptions options{
        .method = BodyMethod::erleben, .iterations = kFewSweeps, .has_shock = has_shock};
    PileState state = stack.state;
    const auto work = make_pile_work();
    PileReport report;
    double overlap = 0;
    const auto highest =
        std::ranges::max_element(state.bodies, {}, [](const BodyState& body) { return body.x.y; });
    const auto top = std::size_t(highest - state.bodies.begin());
    const double before = highest->x.y;
    for (int i = 0; i < kStepsWatched; ++i) {
        report = step_pile(stack.model.pile(), options, kStep, state, *work);
        overlap = std::max(overlap, report.overlap);
    }
    fmt::print("shock,{},{},{:.6e},{:.6e},{:.6e}\n", name, has_shock ? "with" : "without",
               before - state.bodies[top].x.y, overlap, report.residual);
}

} // namespace

void print_convergence()
{
    struct Kind {
        const char* name;
        double seconds;
        std::map<std::string, std::string> parameters; // all some six bodies high
    };
    const Kind kinds[] = {{"sparse", 0.5, {{"layers", "6"}}},
                          {"random", 5, {}},
                          {"structured", 0.5, {{"side", "6"}}}};
    for (const auto& [name, seconds, parameters] : kinds) {
        const Stack stack = make_stack(name, seconds, parameters);
        print_theta(name, stack);
        for (const bool has_shock : {false, true})
            print_shock(name, stack, has_shock);
        std::fflush(stdout);
    }
}

} // namespace sinew::bench
