// Strands of sizes that nobody means, and that still move in a defined way.

#include "sinew/world.h"

#include "support/readings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace sinew;

namespace {

struct Outcome {
    Frame frame;
    StepReport report;
};

Outcome run(const std::string& text, double until)
{
    Result<World> world = World::create(test::sound_scene(text));
    REQUIRE_MESSAGE(bool(world), problems_text(world.problems(), false));
    const StepReport report = world->advance(until);
    return {world->frame(), report};
}

bool is_finite(const Frame& frame)
{
    return std::ranges::all_of(frame.nodes, [](const Vec3& x) {
        return std::isfinite(x.x) && std::isfinite(x.y) && std::isfinite(x.z);
    });
}

std::string rod(const std::string& properties, int segments = 8, const std::string& settings = "")
{
    return "def rod strand(line(0,0,0, 1,0,0), segments = " + std::to_string(segments) + "); " +
           properties + " end; rod;\n" + settings + "simulate(0 sec, 1 sec, step = 1/100);\n";
}

double stretch_of(const Frame& frame)
{
    double sum = 0;
    for (std::size_t i = 1; i < frame.nodes.size(); ++i)
        sum += length(frame.nodes[i] - frame.nodes[i - 1]);
    return sum;
}

} // namespace

TEST_CASE("a chain of a hundred thousand segments steps; a long one with IDA too")
{
    const auto falls = [](int segments, const std::string& method) {
        const Outcome end = run(rod("radius(1 mm); damping(0.1);", segments, method), 0.01);
        CHECK(!end.report.fault);
        REQUIRE(end.frame.nodes.size() == static_cast<std::size_t>(segments) + 1);
        CHECK(is_finite(end.frame));
        CHECK(end.frame.nodes.back().y < -1e-5);
        CHECK(end.frame.nodes.back().y > -1e-3);
        CHECK(stretch_of(end.frame) == doctest::Approx(1).epsilon(1e-9));
    };
    falls(100000, "");
    falls(20000, "strands(method = ida, tolerance = 1e-2);\n");
}

TEST_CASE("a strand without any stiffness is a chain")
{
    for (const std::string method : {"", "strands(method = ida);\n"}) {
        const Outcome end =
            run(rod("radius(1 mm); bend_stiffness(0); twist_stiffness(0);", 8, method), 0.4);
        CHECK(!end.report.fault);
        CHECK(is_finite(end.frame));
        CHECK(end.frame.nodes.back().y < -0.5);
        CHECK(stretch_of(end.frame) == doctest::Approx(1).epsilon(1e-9));
    }
}

TEST_CASE("a strand stiffer than anything stays straight")
{
    for (const std::string stiffness : {"1e12", "1e30", "1e300"}) {
        const Outcome end = run(rod("radius(1 mm); bend_stiffness(" + stiffness +
                                    "); twist_stiffness(" + stiffness + ");"),
                                0.5);
        INFO("stiffness " << stiffness);
        CHECK(!end.report.fault);
        CHECK(is_finite(end.frame));
        CHECK(length(end.frame.nodes.back() - Vec3{1, 0, 0}) < 1e-6);
    }
}

TEST_CASE("a needle moves as a wire of the same mass does")
{
    const auto falling = [](const std::string& radius) {
        return run(rod("radius(" + radius +
                       "); mass_per_length(0.01); bend_stiffness(1e-4); "
                       "twist_stiffness(1e-4);"),
                   0.3);
    };
    const Outcome thin = falling("1e-6"), needle = falling("1e-9");
    CHECK(!needle.report.fault);
    CHECK(is_finite(needle.frame));
    CHECK(length(needle.frame.nodes.back() - thin.frame.nodes.back()) < 1e-6);
}
