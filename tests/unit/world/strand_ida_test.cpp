// Strands in the world with IDA: beside the default method, by threads, after a snapshot, at fault.

#include "sinew/world.h"

#include "support/worlds.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinew;
using sinew::test::make_world;

namespace {

/// Blown at by a turbulence and pulled by a field that changes with place and time, on a root that
/// turns.
std::string blown(const std::string& settings, const std::string& step = "1/96")
{
    return "def tree trunk = strand(line(0,0,0, 0,-1,0), segments = 6);\n"
           "limb = branch(line(0,-0.5,0, 0.5,-0.5,0), from = trunk at 0.5 along, segments = 3);\n"
           "radius(1 cm); density(700); young(1e6); damping(0.01); air_drag(0.1, 1); end;\n"
           "for i in 1..3 t[i] = tree translatex(2 * i) "
           "rotatez({0 at 0 sec slowinout 0.3 at 2 sec}); end;\n"
           "turbulence(strength = 2, size = 1, period = 1) on t[1];\n"
           "field(4 * sin(3 * time), 0, 2 * cos(5 * time)) on t[2];\n" +
           settings + "simulate(0 sec, 2 sec, step = " + step + ");\n";
}

std::vector<Vec3> nodes_at(World world, double time)
{
    REQUIRE(!world.advance(time).fault);
    return world.frame().nodes;
}

double apart(const std::vector<Vec3>& a, const std::vector<Vec3>& b)
{
    REQUIRE(a.size() == b.size());
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        most = std::max(most, length(a[i] - b[i]));
    return most;
}

} // namespace

TEST_CASE("strands with IDA: loads act when and where a segment is")
{
    const std::string ida = "strands(method = ida, tolerance = 1e-9);\n";
    const std::vector<Vec3> truth = nodes_at(make_world(blown(ida, "1/48")), 0.5);
    CHECK(apart(nodes_at(make_world(blown(ida, "1/24")), 0.5), truth) < 1e-6);
    const double coarse = apart(nodes_at(make_world(blown("", "1/96")), 0.5), truth);
    const double fine = apart(nodes_at(make_world(blown("", "1/192")), 0.5), truth);
    INFO(coarse << " m with steps of 1/96 s, " << fine << " m with 1/192 s");
    CHECK(fine < 1e-3);
    CHECK(std::log2(coarse / fine) > 1.8);
    const std::string numerical =
        "strands(method = ida, tolerance = 1e-9, jacobian = numerical);\n";
    CHECK(apart(nodes_at(make_world(blown(numerical, "1/48")), 0.5), truth) < 1e-6);
}

TEST_CASE("strands with IDA: the same bits for any number of threads, and from a snapshot")
{
    const std::string text = blown("strands(method = ida, tolerance = 1e-6);\n");
    World one = make_world(text), three = make_world(text, 3);
    one.advance(0.25);
    three.advance(0.25);
    const std::vector<std::byte> kept = one.snapshot();
    CHECK(three.snapshot() == kept);
    const StepReport report = one.advance(0.375);
    CHECK(report.converged);
    CHECK(report.steps > 12);
    World other = make_world(text);
    REQUIRE(other.restore(kept));
    other.advance(0.375);
    CHECK(other.snapshot() == one.snapshot());
}

TEST_CASE("strands with IDA: a strand that cannot be followed is named")
{
    World world = make_world("def rod strand(line(0,0,0, 1,0,0), segments = 4); end; rod;\n"
                             "gravity(0, -1e200, 0); strands(method = ida);\n");
    const StepReport report = world.advance(0.1);
    REQUIRE(report.fault);
    CHECK(report.fault->code == "strand-not-to-tolerance");
    CHECK(report.fault->what.find("'rod'") != std::string::npos);
}
