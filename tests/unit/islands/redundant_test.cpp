#include "islands/rows/redundant.h"

#include "sinew/world.h"
#include "support/worlds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>

namespace sinew {

TEST_CASE("redundant rows: those that others add up to, and no others")
{
    const std::vector<SparseRow> rows = {{{3, 1}, {5, 2}},
                                         {{5, 1e-9}, {7, 1}},
                                         {{3, 2}, {5, 4}},
                                         {{3, 1}, {7, 1}},
                                         {{9, 1}},
                                         {{3, 4}, {7, 2}},
                                         {},
                                         {{9, -5}, {3, 0}}};
    CHECK(find_redundant(rows) == std::vector<std::size_t>{2, 5, 6, 7});
}

TEST_CASE("redundant rows: as many stay as random rows have ways")
{
    std::mt19937 dice(3);
    std::uniform_real_distribution<double> roll(-1, 1);
    for (int ways = 1; ways < 20; ++ways) {
        std::vector<SparseRow> rows(40);
        for (SparseRow& row : rows)
            for (int k = 0; k < ways; ++k)
                row.push_back({std::uint32_t(3 * k), roll(dice) * (k % 3 == 0 ? 1e-5 : 1)});
        CHECK(find_redundant(rows).size() == std::size_t(40 - ways));
    }
}

namespace {

/// A rope that hangs from many points, three rows each, after some steps; `is_double`: one is said
/// twice.
Frame hang_rope(int points, bool is_double)
{
    std::string text = "def rope rod(line(0,0,0, 1,0,0), spans = 80, radius = 4 mm, young = 1e7, "
                       "density = 1000, damping = 5 ms); end; r = rope;\n";
    const auto hold = [&](int i) {
        const std::string u = std::to_string(double(i) / (points - 1));
        text += "position_constraint(r at " + u + " along, point(" + u + ", 0, 0));\n";
    };
    for (int i = 0; i < points; ++i)
        hold(i);
    if (is_double)
        hold(7);
    World world = test::make_world(text + "simulate(0 sec, 1 sec, step = 1/240);\n");
    const StepReport report = world.advance(0.05);
    REQUIRE_FALSE(report.fault);
    CHECK(report.converged);
    CHECK(report.warnings.empty());
    return world.frame();
}

} // namespace

TEST_CASE("a constraint said twice fares the same at 93 rows as at 105, where other solvers begin")
{
    for (int points = 30; points <= 34; ++points) {
        CAPTURE(points);
        const Frame once = hang_rope(points, false), twice = hang_rope(points, true);
        REQUIRE(once.nodes.size() == twice.nodes.size());
        double apart = 0, lowest = 0;
        for (std::size_t i = 0; i < once.nodes.size(); ++i) {
            apart = std::max(apart, length(once.nodes[i] - twice.nodes[i]));
            lowest = std::min(lowest, once.nodes[i].y);
        }
        CHECK(lowest < -1e-6); // it does hang
        CHECK(apart < 1e-8);
    }
}

} // namespace sinew
