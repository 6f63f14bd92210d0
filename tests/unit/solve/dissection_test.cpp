#include "solve/linear/sparse/dissection.h"

#include "solve/linear/sparse/front_plan.h"
#include "solve/linear/sparse/separator.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

using namespace sinew;

namespace {

/// Points of a square, each joined to those beside, above and below it.
Graph make_square(std::uint32_t across)
{
    Graph graph(across * across);
    const auto join = [&](std::uint32_t a, std::uint32_t b) {
        graph[a].push_back(b);
        graph[b].push_back(a);
    };
    for (std::uint32_t i = 0; i < across; ++i)
        for (std::uint32_t j = 0; j < across; ++j) {
            if (i + 1 < across)
                join(i * across + j, (i + 1) * across + j);
            if (j + 1 < across)
                join(i * across + j, i * across + j + 1);
        }
    return graph;
}

/// Splines that cross: three points of each between two crossings, which are three rows each.
BlockPattern make_net(std::uint32_t across)
{
    constexpr std::uint32_t kReach = 3;
    BlockPattern net;
    const std::uint32_t points = 3 * across + 3;
    for (std::uint32_t rope = 0; rope < 2 * across; ++rope)
        for (std::uint32_t i = 0; i < points; ++i)
            net.add_vertex(3, rope, false);
    for (std::uint32_t rope = 0; rope < 2 * across; ++rope)
        for (std::uint32_t i = 0; i < points; ++i)
            for (std::uint32_t k = 0; k <= kReach && i + k < points; ++k)
                net.add_block(rope * points + i + k, rope * points + i);
    for (std::uint32_t i = 0; i < across; ++i)
        for (std::uint32_t j = 0; j < across; ++j) {
            const std::uint32_t row = net.add_vertex(3, 2 * across, true);
            net.add_block(row, row);
            for (std::uint32_t k = 0; k <= kReach; ++k) {
                net.add_block(row, i * points + 3 * j + 1 + k);
                net.add_block(row, (across + j) * points + 3 * i + 1 + k);
            }
        }
    return net;
}

} // namespace

TEST_CASE("dissection: every vertex once, pieces that are not joined too")
{
    Graph graph = make_square(30);
    graph.resize(920); // alone
    std::vector<std::uint32_t> order = dissect(graph, 50);
    std::ranges::sort(order);
    std::vector<std::uint32_t> all(graph.size());
    std::iota(all.begin(), all.end(), 0u);
    CHECK(order == all);
}

TEST_CASE("dissection: a separator becomes narrower, and separates")
{
    constexpr std::uint32_t kAcross = 20;
    const Graph graph = make_square(kAcross);
    std::vector<std::uint32_t> piece(graph.size());
    std::iota(piece.begin(), piece.end(), 0u);
    std::vector<CutSide> side(graph.size());
    for (std::uint32_t v = 0; v < side.size(); ++v) { // two columns, where every other row is ahead
        const std::uint32_t column = v % kAcross, cut = 9 + 2 * (v / kAcross % 2);
        side[v] = column < cut       ? CutSide::before
                  : column > cut + 2 ? CutSide::behind
                                     : CutSide::between;
    }

    narrow_separator(graph, piece, side);

    const auto count = [&](CutSide wanted) { return std::ranges::count(side, wanted); };
    CHECK(count(CutSide::between) == kAcross);
    CHECK(std::max(count(CutSide::before), count(CutSide::behind)) <= 0.62 * double(graph.size()));
    for (std::uint32_t v = 0; v < side.size(); ++v)
        for (const std::uint32_t next : graph[v])
            CHECK_FALSE((side[v] == CutSide::before && side[next] == CutSide::behind));
}

TEST_CASE("dissection: a square net is cut along its ropes")
{
    // k³ would be 8; diagonal cuts cost half as much again.
    const double small = FrontPlan(make_net(16)).cost, large = FrontPlan(make_net(32)).cost;
    CHECK(small < 2.2e7);
    CHECK(large < 2.4e8);
}
