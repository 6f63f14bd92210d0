// Strands that touch what moves by itself, in their lanes, against the same by rows.

#include "sinew/world.h"

#include "support/readings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;

namespace {

std::vector<Vec3> nodes_after(const std::string& text, double seconds)
{
    Result<World> world = World::create(test::sound_scene(text));
    REQUIRE_MESSAGE(bool(world), problems_text(world.problems(), false));
    CHECK_FALSE(world->advance(seconds).fault);
    return world->frame().nodes;
}

/// A soft rope that is laid on a ball which turns and rises. Without friction both of its laws are
/// the same; along one direction it takes rows, else lanes.
std::string on_a_ball(double steps, const std::string& friction)
{
    return "def rope strand(line(0,0,0, 0.6,0,0), segments = 12); radius(5 mm); "
           "mass_per_length(0.1); bend_stiffness(5e-3); damping(0.2); air_drag(0.2, 0.5); "
           "surface(friction = 0); end;\n"
           "rope translate(-0.35, 0.22, 0.01);\n"
           "def ball obstacle(); sphere(0.2); end;\n"
           "ball translatey({0 at 0 sec linear 0.1 at 0.5 sec});\n"
           "strands(friction = " +
           friction + ");\nsimulate(0 sec, 0.5 sec, step = 1 / " + std::to_string(steps) + ");\n";
}

double difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b)
{
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        worst = std::max(worst, length(a[i] - b[i]));
    return worst;
}

} // namespace

TEST_CASE("strands: touching in lanes and by rows come together as steps get small [eq. 22]")
{
    const auto apart = [](double steps) {
        return difference(nodes_after(on_a_ball(steps, "disc"), 0.5),
                          nodes_after(on_a_ball(steps, "hadap"), 0.5));
    };
    const double coarse = apart(200), fine = apart(1600);
    CHECK(coarse < 5e-3);
    CHECK(fine < 1e-3);
    CHECK(fine < 0.5 * coarse);
}

TEST_CASE("strands: hair on a head at 3 m/s is never deeper than a tenth of a millimetre in it")
{
    Result<World> world = World::create(test::sound_scene(
        "def lock(turn) strand(spline_through(0,0,0, 0.03,0.01,0, 0.06,-0.05,0, 0.07,-0.3,0), "
        "segments = 20); radius(1 mm); mass_per_length(0.004); bend_stiffness(2e-5); "
        "damping(0.08); air_drag(0.001, 0.004); surface(friction = 0.3); end;\n"
        "def skull obstacle(); sphere(0.1); end;\n"
        "def head skull; for i in 0..11 lock(i) translate(0.06, 0.085, 0) rotatey(30 deg * i); "
        "end; end;\n"
        "head translatex({0 at 0 sec linear 0.9 at 0.3 sec}) "
        "rotatey({0 deg at 0 sec linear 180 deg at 0.3 sec});\n"
        "simulate(0 sec, 0.3 sec, step = 1 / 96);\n"));
    REQUIRE_MESSAGE(bool(world), problems_text(world.problems(), false));
    double deepest = 0;
    std::size_t most = 0;
    for (int i = 1; i <= 29; ++i) {
        const StepReport report = world->advance(i / 96.0);
        REQUIRE_FALSE(report.fault);
        most = std::max(most, world->contacts().size());
        for (const Contact& contact : world->contacts())
            deepest = std::max(deepest, -contact.gap);
    }
    CHECK(most > 8);
    CHECK(deepest < 1e-4);
}

TEST_CASE("strands: hairs that touch have the same bits for any number of threads")
{
    const std::string text =
        "def hair strand(line(0,0,0, 0.3,0,0), segments = 10); radius(1 mm); "
        "mass_per_length(0.004); bend_stiffness(1e-6); damping(0.1); end;\n"
        "for i in 0..39 hair translate(-0.1 + 0.003 * i, 0.12, 0.005 * i - 0.1); end;\n"
        "def ball obstacle(); sphere(0.1); end;\n"
        "ball translatex({0 at 0 sec linear 0.05 at 0.2 sec});\n"
        "simulate(0 sec, 0.2 sec, step = 1 / 96);\n";
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 2, 3}) {
        WorldOptions options;
        options.threads = threads;
        Result<World> world = World::create(test::sound_scene(text), options);
        REQUIRE_MESSAGE(bool(world), problems_text(world.problems(), false));
        REQUIRE_FALSE(world->advance(0.2).fault);
        CHECK(world->contacts().size() > 5);
        hashes.push_back(world->state_hash());
    }
    CHECK(hashes[0] == hashes[1]);
    CHECK(hashes[0] == hashes[2]);
}

/// Branches that are pressed to the ground: pushed along themselves, where the symmetric matrix
/// does not know what that does. With one stiffness for all directions fewer than 5 steps are
/// halved, without relaxation 28 of them; the stiffness of what is pushed along itself, for which
/// bristles stick, costs 60.
TEST_CASE("strands: searches end where branches are pressed to the ground [eq. 28]")
{
    Result<World> world = World::create(test::sound_scene(
        "def tree trunk = strand(line(0,0,0, 0,2,0), segments = 10); radius(4 cm); density(700); "
        "young(1e9); damping(0.05); air_drag(0.1, 1);\n"
        "for i in 0..2\n"
        "  one[i] = branch(spline_through(0,1.8,0, 0.5 * cos(2.1 * i),1.9,0.5 * sin(2.1 * i), "
        "0.8 * cos(2.1 * i),1,0.8 * sin(2.1 * i), 0.9 * cos(2.1 * i),-0.1,0.9 * sin(2.1 * i)), "
        "from = trunk at 0.9 along, segments = 10); radius(5 mm); mass_per_length(0.05); "
        "bend_stiffness(0.02); damping(0.1); air_drag(0.05, 0.2); contact(1);\n"
        "end; end;\n"
        "def ground obstacle(); plane(0, 1, 0, 0); end;\n"
        "def wood for i in 1..4 t[i] = tree translatex(3 * i); end; end;\n"
        "all = wood; ground;\n"
        "turbulence(strength = 3, size = 2, period = 1) on all;\n"
        "simulate(0 sec, 1 sec, step = 1/96);\n"));
    REQUIRE_MESSAGE(bool(world), problems_text(world.problems(), false));
    CHECK_FALSE(world->advance(0.5).fault);

    const StepReport report = world->advance(1);

    CHECK_FALSE(report.fault);
    CHECK(report.rejected < 80);
}
