// Scenes that nobody should write: each has a defined answer, none hangs or gives NaN.

#include "physics/motions.h"
#include "support/readings.h"
#include "support/scene_builder.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <limits>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A mass of 1 kg on a rod of 1 m that turns about z.
struct Pendulum : SceneBuilder {
    ObjectId bob = add_object("bob");
    Value theta = add_coordinate("theta");

    Pendulum()
    {
        transform(bob, TransformationKind::translate_x, {1});
        transform(bob, TransformationKind::rotate_z, theta);
        scene.masses.push_back({.object = bob, .mass = 1});
    }
};

bool is_finite(const World& world)
{
    for (double x : world.coordinates())
        if (!std::isfinite(x))
            return false;
    for (double v : world.rates())
        if (!std::isfinite(v))
            return false;
    return true;
}

/// Advances in frames until the end or a fault; the state must stay finite.
std::optional<Problem> run(World& world, double until, double fps = 24)
{
    const double from = world.time();
    for (long i = 1; i <= std::lround((until - from) * fps); ++i) {
        const StepReport report = world.advance(from + double(i) / fps);
        REQUIRE(is_finite(world));
        if (report.fault)
            return report.fault;
    }
    return std::nullopt;
}

std::optional<Problem> run_text(const std::string& text, double until)
{
    Result<World> world = World::create(sound_scene(text));
    REQUIRE_MESSAGE(world, problems_text(world.problems(), false));
    return run(*world, until);
}

bool mentions(const Problem& problem, const std::string& word)
{
    return (problem.what + problem.hint).find(word) != std::string::npos;
}

} // namespace

TEST_CASE("numbers that are none are refused before the first frame")
{
    for (double bad : {kNan, kInfinity, -kInfinity}) {
        Pendulum mass, start, rate, length, gravity, stiffness;
        mass.scene.masses[0].mass = bad;
        start.scene.coordinates[0].initial = bad;
        rate.scene.coordinates[0].initial_rate = bad;
        length.transform(length.bob, TransformationKind::translate_y, {bad});
        gravity.scene.settings.gravity_y = {bad};
        stiffness.scene.coordinate_springs.push_back(
            {.coordinate = CoordinateId{0}, .stiffness = {bad}});
        for (const Pendulum* pendulum : {&mass, &start, &rate, &length, &gravity, &stiffness})
            CHECK_FALSE(World::create(pendulum->finish()));
    }
    for (double bad : {0.0, -1.0}) {
        Pendulum mass;
        mass.scene.masses[0].mass = bad;
        CHECK_FALSE(World::create(mass.finish()));
    }
}

TEST_CASE("a formula that stops being a number stops the run, at a time and with a name")
{
    const auto fault =
        run_text("dynamic x; x = initial(1, 0); gravity(0, 0, 0); def A mass(1); end;"
                 "A translatex(x); force(A, -1 / sqrt(1 - time), 0, 0);",
                 2);

    REQUIRE(fault);
    CHECK(mentions(*fault, "x"));
    CHECK(mentions(*fault, " s"));
    CHECK_FALSE(fault->hint.empty());
}

TEST_CASE("scenes without anything to move are worlds too")
{
    CHECK_FALSE(run_text("", 1));
    CHECK_FALSE(run_text("dynamic nothing;", 1));
    CHECK_FALSE(run_text("def A mass(1); end; A;", 1));

    Motion driven(sound_scene("def A mass(1); end; A translatex(time);"));
    driven.advance(2);
    CHECK(driven.place("A").x == 2);
}

TEST_CASE("a massless joint is refused by its name, with the remedy")
{
    const std::string text = "dynamic theta0, theta1; def m0 label(); end; def m1 mass(2); end;"
                             "def p1 m1 translatex(1) rotatez(theta1); m0; end;"
                             "def p0 p1 translatex(1) rotatez(theta0); end; p0;";
    const ScriptReading reading = read_text(text);
    Problems problems = reading.problems;
    if (reading.is_sound()) {
        Result<World> world = World::create(reading.scene);
        if (!world)
            problems.insert(problems.end(), world.problems().begin(), world.problems().end());
        else if (auto fault = run(*world, 1))
            problems.push_back(*fault);
    }

    bool is_named = false;
    for (const Problem& problem : problems)
        is_named |=
            mentions(problem, "mass") && (mentions(problem, "m0") || mentions(problem, "theta"));
    CHECK(is_named);
}

TEST_CASE("the balloon pendulum stops before its arm has no length, and says why")
{
    Scene scene = repository_scene("tests/physics/reference/fig06_balloon.charli");
    scene.settings.end = 10;
    Result<World> world = World::create(scene);
    REQUIRE_MESSAGE(world, problems_text(world.problems(), false));
    const auto fault = run(*world, 10);

    REQUIRE(fault);
    CHECK(world->time() > 9.85);
    CHECK(world->time() < 10);
    CHECK(mentions(*fault, "theta"));
    CHECK_FALSE(fault->hint.empty());
}

TEST_CASE("constraints that contradict each other are refused, at the start and later")
{
    const std::string head = "dynamic x, y; x = initial(1, 0); def O label(); end; O;"
                             "def P label(); end; P translatex(3);"
                             "def A mass(1); end; A translatex(x) translatey(y);";
    const ScriptReading now =
        read_text(head + "assemble; dist_constraint(O, A, 1); dist_constraint(P, A, 1);");
    CHECK((!now.is_sound() || !World::create(now.scene)));

    const auto later = run_text(head + "dist_constraint(O, A, 1);"
                                       "dist_constraint(P, A, {2 at 0 sec linear 1 at 1 sec});"
                                       "assemble;",
                                1);
    REQUIRE(later);
    CHECK(mentions(*later, " s"));
    CHECK_FALSE(later->hint.empty());
}

TEST_CASE("very many constraints on one mass are as good as one")
{
    const int count = 100;
    Motion motion(sound_scene("dynamic x, y; x = initial(1, 0); def O label(); end; O;"
                              "def A mass(1); end; A translatex(x) translatey(y);"
                              "for i in 1.." +
                              std::to_string(count) + " dist_constraint(O, A, 1); end;"));
    motion.advance(0.25);
    Motion single(sound_scene("dynamic x, y; x = initial(1, 0); def O label(); end; O;"
                              "def A mass(1); end; A translatex(x) translatey(y);"
                              "dist_constraint(O, A, 1);"));
    single.advance(0.25);

    CHECK(std::abs(motion.place("A").y - single.place("A").y) < 1e-10);
}

TEST_CASE("a million constraints on one mass are refused, with the remedy")
{
    Pendulum pendulum;
    const ObjectId centre = pendulum.add_object("centre");
    pendulum.scene.labels.push_back({.object = centre});
    pendulum.scene.distance_constraints.assign(1000000,
                                               {.a = centre, .b = pendulum.bob, .distance = {1}});
    const Result<World> world = World::create(pendulum.finish());

    REQUIRE_FALSE(world);
    REQUIRE_FALSE(world.problems().empty());
    CHECK_FALSE(world.problems()[0].hint.empty());
}

TEST_CASE("what goes too fast ends in a number or in a message, and soon")
{
    constexpr double kOneFrame = 1.0 / 24;
    const auto start = std::chrono::steady_clock::now();
    const std::string bob = "def A mass(1); end; A translatex(1) rotatez(a);";
    run_text("dynamic a; a = initial(0, 1e9);" + bob, kOneFrame);
    run_text("dynamic a; gravity(0, -1e12, 0);" + bob, kOneFrame);
    run_text("dynamic x, y; x = initial(1, 1e9); y = initial(0, 1e9); def O label(); end; O;"
             "def A mass(1); end; A translate(x, y, 0); dist_constraint(O, A, 1);",
             kOneFrame);
    run_text("dynamic x; def A mass(1); end; A translatex(x); spring_and_damper(x, 1, 1e15, 0);",
             kOneFrame);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;

    CHECK(elapsed.count() < 60);
}

TEST_CASE("masses that circle each other ever faster stop with a reason")
{
    const auto fault = run_text("dynamic ax, ay, bx, by; ax = initial(-0.5, 0); gravity(0, 0, 0);"
                                "ay = initial(0, 0.1); bx = initial(0.5, 0); by = initial(0, -0.1);"
                                "def A mass(1); end; def B mass(1); end; A translate(ax, ay, 0);"
                                "B translate(bx, by, 0);"
                                "dist_constraint(A, B, {1 at 0 sec slowinout 0 at 0.2 sec});",
                                1);

    REQUIRE(fault);
    CHECK(mentions(*fault, "distance"));
    CHECK_FALSE(fault->hint.empty());
}
