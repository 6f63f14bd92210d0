// Linkages in islands: rows from outside hold them.

#include "islands/step.h"
#include "models/linkage/model.h"
#include "sinew/language.h"
#include "sinew/names.h"
#include "sinew/world.h"
#include "support/model_contract.h"
#include "support/tiny_models.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace sinew;

namespace {

Scene read(const std::string& text)
{
    const ScriptReading reading = read_script("test.charli", text, no_files());
    REQUIRE_MESSAGE(reading.is_sound(), problems_text(reading.problems, false));
    return reading.scene;
}

/// Two masses on rods, by angles; the lower one weighs `mass`.
std::string by_angles(double mass)
{
    return "dynamic a, b; a = initial(-0.4, 0.3); b = initial(0.7, -0.5);\n"
           "def lower mass(" +
           std::to_string(mass) +
           "); end;\n"
           "def upper mass(1); end;\n"
           "def rod lower translatex(0.8) rotatez(b); upper; end;\n"
           "rod translatex(1) rotatez(a);\n";
}

/// The same by coordinates and distances, with a spring, a label and a path besides.
const char* const kMixed =
    "dynamic x0, y0, x1, y1, s;\n"
    "x0 = initial(1, 0); y0 = initial(0, 0.5); x1 = initial(1.6, 0); y1 = initial(-0.8, 0);\n"
    "s = initial(0.5, 0);\n"
    "def root label(); end; root;\n"
    "def m0 mass(1); end; m0 translatex(x0) translatey(y0);\n"
    "def m1 mass(2); end; m1 translatex(x1) translatey(y1);\n"
    "def bead mass(0.5); end; bead translatex(s) translatey(-2);\n"
    "dist_constraint(root, m0, 1); dist_constraint(m0, m1, 1);\n"
    "spring_and_damper(m1, bead, 1, 200, 3);\n"
    "path_constraint(bead, line(0, -2, 0, 3, -2, 0));\n";

ObjectId object(const Scene& scene, const std::string& name)
{
    const std::vector<std::size_t> found = find_names(object_names(scene), name);
    if (found.size() == 1)
        return {static_cast<std::uint32_t>(found.front())};
    return {};
}

/// A linkage with its assembled start.
struct Started {
    Scene scene;
    std::vector<ImportFunction> imports;
    LinkageModel model;
    Trial trial;

    explicit Started(const std::string& text) : scene(read(text)), model(scene, imports)
    {
        trial.state = model.initial_state();
        trial.scratch = model.make_scratch();
        CHECK_FALSE(has_errors(model.assemble(trial)));
    }
    Site site(const std::string& name) const { return *model.find_site(object(scene, name), 0); }
};

/// How far the lower mass is from the truth after half a second, when a particle tied to it has 2
/// of its 5 kilograms.
double split_mass_error(double h, Scheme scheme)
{
    Started split(by_angles(3));
    auto whole = World::create(read(by_angles(5)));
    REQUIRE(whole);
    whole->advance(0.5);
    const ObjectId lower = object(split.scene, "lower");
    const Vec3 truth = whole->frame().objects[object(whole->scene(), "lower").index].origin;

    const Site site = split.site("lower");
    SiteMotion motion;
    split.model.locate(split.trial, 0, {&site, 1}, {&motion, 1});
    const test::Particles particle(
        {{.mass = 2, .position = motion.pose.translation, .velocity = motion.twist.linear}});
    Ensemble ensemble;
    ensemble.models = {&split.model, &particle};
    ensemble.attachments = {{.key = 1, .a = site, .b = {.block = {1, 0}}}};
    ensemble.settings.scheme = scheme;
    EnsembleState state{.models = {split.trial.state, particle.start()}};
    Workspace work = make_workspace(ensemble);
    for (int i = 0; i < int(0.5 / h + 0.5); ++i) {
        const CouplingReport report = step(ensemble, state, h, work);
        CHECK(report.converged);
        CHECK(report.faults.empty());
        CHECK(report.rows == 3);
    }
    CHECK(lower.is_valid());
    return length(test::Particles::position(state.models[1], 0) - truth);
}

} // namespace

TEST_CASE("a linkage by angles keeps the contract of models")
{
    Started linkage(by_angles(2));
    const Site sites[] = {linkage.site("lower"), linkage.site("upper")};
    test::check_model_contract(linkage.model, linkage.trial.state, sites);
}

TEST_CASE("a linkage with constraints, a path and a spring keeps the contract of models")
{
    Started linkage(kMixed);
    const Site sites[] = {linkage.site("m0"), linkage.site("m1"), linkage.site("bead")};
    test::check_model_contract(linkage.model, linkage.trial.state, sites);
}

TEST_CASE("a mass split between a linkage and a particle tied to it moves as one, to second order")
{
    const double coarse = split_mass_error(1.0 / 100, Scheme::sdirk2);
    const double fine = split_mass_error(1.0 / 200, Scheme::sdirk2);

    CHECK(fine < 2e-3);
    CHECK(coarse / fine > 3.3); // halving the step quarters the error
    CHECK(coarse / fine < 4.8);
}

TEST_CASE("the same with the first-order scheme")
{
    const double coarse = split_mass_error(1.0 / 400, Scheme::euler);
    const double fine = split_mass_error(1.0 / 800, Scheme::euler);

    CHECK(coarse / fine > 1.7);
    CHECK(coarse / fine < 2.3);
}

TEST_CASE("a ball tied to a linkage falls on the floor: it never sinks in, and energy never rises")
{
    Started linkage(by_angles(3));
    const Site site = linkage.site("lower");
    SiteMotion motion;
    linkage.model.locate(linkage.trial, 0, {&site, 1}, {&motion, 1});
    const test::Particles ball(
        {{.mass = 2, .position = motion.pose.translation, .velocity = motion.twist.linear}});
    const double floor = -1.2, radius = 0.1, h = 1.0 / 240;
    Ensemble ensemble;
    ensemble.models = {&linkage.model, &ball};
    ensemble.attachments = {{.key = 1, .a = site, .b = {.block = {1, 0}}},
                            {.key = 2,
                             .kind = Attachment::Kind::plane,
                             .a = {.block = {1, 0}},
                             .point_b = {0, floor, 0},
                             .radius = radius,
                             .friction = 0.2}};
    EnsembleState state{.models = {linkage.trial.state, ball.start()}};
    Workspace work = make_workspace(ensemble);
    const auto energy = [&] {
        linkage.trial.state = state.models[0];
        const Energy own = linkage.model.energy(linkage.trial, state.time);
        return own.kinetic + own.potential + ball.energy(state.models[1]);
    };
    double last = energy(), lowest = 0;
    for (int i = 0; i < 480; ++i) {
        const CouplingReport report = step(ensemble, state, h, work);
        REQUIRE(report.faults.empty());
        const double height = test::Particles::position(state.models[1], 0).y;
        CHECK(height > floor + radius - 1e-6);
        CHECK(energy() < last + 1e-3); // of 60 J: the truncation of the first-order scheme
        lowest = std::min(lowest, height);
        last = energy();
    }
    CHECK(lowest < floor + radius + 1e-3); // it did touch
    SiteMotion tied;
    linkage.trial.state = state.models[0];
    linkage.model.locate(linkage.trial, state.time, {&site, 1}, {&tied, 1});
    CHECK(length(tied.pose.translation - test::Particles::position(state.models[1], 0)) < 1e-6);
}
