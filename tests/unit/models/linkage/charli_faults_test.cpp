// What the scheme refuses, and says when time cannot go on.

#include "support/scene_builder.h"
#include "unit/models/linkage/charli_run.h"

using namespace sinew;
using namespace sinew::test;

namespace {

Scene scene_of(const std::string& script) { return sound_scene("def m mass(1); end;" + script); }

std::vector<std::string> refusals(const Scene& scene,
                                  const std::vector<ImportFunction>& imports = {},
                                  const CharliOptions& options = {})
{
    const auto scheme = CharliScheme::create(scene, imports, options);
    return codes_in(scheme.problems());
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a direction that no mass resists is named, with the time [HerrWyvill90, fig. 14]")
{
    std::string script = read_repository_file("tests/physics/reference/fig14_double.charli");
    script.erase(script.rfind("mass(1.0);"), 10);
    CharliRun run(read_text(script).scene);
    const std::vector<double> before = run.state;

    const auto problem = run.try_to(1, 0.01);

    REQUIRE(problem);
    CHECK(problem->code == "no-mass");
    CHECK(problem->what ==
          "'m0' has no mass: at 0 s and theta1 = 0 its acceleration is undetermined");
    CHECK(problem->hint == "give 'm0' a mass");
    CHECK(problem->place.line > 0);
    CHECK(run.state == before);
}

TEST_CASE("an arm that a track shortens to nothing leaves its angle without a law")
{
    CharliRun run(scene_of("gravity(0, 0, 0); dynamic theta; theta = initial(0.3, 0); "
                           "m translatex({1 at 0 sec linear 0 at 1 sec}) rotatez(theta);"));

    const auto problem = run.try_to(1, 0.01);

    REQUIRE(problem);
    CHECK(problem->code == "no-mass");
    CHECK(contains(problem->what, "'theta' moves no mass: at 1 s"));
    CHECK(run.time == doctest::Approx(0.99));
}

TEST_CASE("a massless joint that is torn stops the run by name, not with rubbish")
{
    CharliRun run(
        read_text("dynamic a, b; a = initial(0, 0); b = initial(1, 0); def m mass(2); end; "
                  "def arm m translatex(1) rotatez(b); end; arm translatex(1) rotatez(a);")
            .scene);

    const auto problem = run.try_to(2, 0.01);

    REQUIRE(problem);
    CHECK(problem->code == "constraint-lost");
    for (const double value : run.state)
        CHECK(std::abs(value) < 100);
}

TEST_CASE("constraints that contradict one another are named")
{
    CharliRun run(
        scene_of("assemble; dynamic x, y; x = initial(1, 0); y = initial(0, 0); def o label(); "
                 "end; o; m translatex(x) translatey(y); dist_constraint(o, m, 1);\n"
                 "dist_constraint(o, m, 1.5);"));

    const auto problem = run.try_to(1, 0.01);

    REQUIRE(problem);
    CHECK(problem->code == "constraints-contradict");
    CHECK(problem->place.line > 0);
}

TEST_CASE("two points that coincide have no direction to be apart in")
{
    Scene apart = scene_of("dynamic x, y; x = initial(1, 0); y = initial(0, 0); def o label(); "
                           "end; o; m translatex(x) translatey(y); dist_constraint(o, m, 1);");
    apart.coordinates[0].initial = 0;
    CharliRun run(apart);
    const auto problem = run.try_to(1, 0.01);
    REQUIRE(problem);
    CHECK(problem->code == "no-direction");

    CharliRun later(
        scene_of("dynamic x, y; x = initial(0, 0); y = initial(0, 0); a = m translatex(x); "
                 "b = m translatex(y); dist_constraint(a, b, {0 at 0 sec linear 0 at 1 sec "
                 "linear 1 at 2 sec});"));
    later.run_to(1, 0.01);
    later.pass_key();
    const auto leaving = later.try_to(2, 0.01);
    REQUIRE(leaving);
    CHECK(leaving->code == "no-direction");
    CHECK(later.time < 1.1);
}

TEST_CASE("numbers that are not finite are named where they come from")
{
    CharliRun driven(
        scene_of("dynamic y; y = initial(0, 0); \nm translatey(y) translatex(sqrt(0.5 - time));"));
    const auto problem = driven.try_to(1, 0.01);
    REQUIRE(problem);
    CHECK(problem->code == "not-finite");
    CHECK(problem->place.line == 2);
    CHECK(driven.time == doctest::Approx(0.49));

    CharliRun pushed(scene_of("dynamic y; y = initial(0, 0); m translatey(y); "
                              "force(m, 0, 1 / (time - 0.5), 0);"));
    const auto other = pushed.try_to(1, 0.01);
    REQUIRE(other);
    CHECK(other->code == "not-finite");
}

TEST_CASE("what the scheme cannot do is refused by name")
{
    CHECK(refusals(scene_of("dynamic x; x = initial(0, 0); m translatex(x); "
                            "path_constraint(m, polyline(0,0,0, 1,0,0, 2,1,0));")) ==
          Codes{"corners-on-path"});
    CHECK(refusals(read_text("dynamic x; x = initial(0, 0); def l label(); end; l translatex(x);")
                       .scene) == Codes{"no-mass"});
    CHECK(refusals(scene_of("import f; dynamic x; x = initial(0, 0); m translatex(x); "
                            "force(m, f, 0, 0);")) == Codes{"import-unbound"});
    CHECK(refusals(read_text("def m mass(1); end; a = m translatex(b_x); b = m translatex(a_x);")
                       .scene) == Codes{"place-depends-on-itself"});
    CHECK(refusals(scene_of("dynamic a; a = initial(0, 0); def l1 m translatex(1); end; "
                            "for i in 1..1 k[i] = l1 rotatez(a); end;")) == Codes{});
}

TEST_CASE("a mechanism that would need too many coordinates is refused")
{
    // 300 rods, each on the one before: 3 · 2 · 300² / 2 coordinates.
    SceneBuilder builder;
    const Value angle = builder.add_coordinate("a");
    ObjectId last{0};
    for (int i = 0; i < 300; ++i) {
        last = builder.add_object("rod", last);
        builder.transform(last, TransformationKind::translate_x, {1});
        builder.transform(last, TransformationKind::rotate_z, angle);
        builder.scene.masses.push_back({.object = last, .mass = 1});
    }
    const Scene scene = builder.finish();

    CHECK(refusals(scene) == Codes{"too-large"});
}

TEST_CASE("an import that drives a place must not depend on the state")
{
    const Scene scene = scene_of("import f; dynamic x; x = initial(0, 1); m translatex(x) "
                                 "translatey(f);");
    CharliRun run(scene, {}, {[](const ImportInput& in) {
                      return ImportValue{in.time + 0.1 * in.coordinates[0]};
                  }});

    const auto problem = run.try_to(1, 0.01);

    REQUIRE(problem);
    CHECK(problem->code == "import-of-state");
    CHECK(contains(problem->what, "'f'"));
}

TEST_CASE("coordinates that move nothing keep their rates, and stop nothing")
{
    CharliRun run(scene_of("dynamic x, unused; x = initial(0, 0); unused = initial(2, 0.5); "
                           "m translatex(x);"));

    run.run_to(1, 0.1);

    CHECK(run.coordinates[1] == doctest::Approx(2.5));
    CHECK(run.rates[1] == 0.5);
}
