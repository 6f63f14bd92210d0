#include "solve/linear/sparse/front_ldl.h"

#include "solve/linear/sparse/dissection.h"
#include "solve/linear/sparse/front_lu.h"

#include <Eigen/Dense>
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace sinew {

namespace {

/// Ropes of some points, rows between random places: [W Jᵀ; J 0].
struct Island {
    BlockPattern pattern;
    std::vector<double> values;
};

Island make_island(unsigned seed, std::uint32_t ropes, std::uint32_t points, std::uint32_t groups)
{
    std::mt19937 dice(seed);
    const auto roll = [&] { return std::uniform_real_distribution<double>(-1, 1)(dice); };
    const auto pick = [&](std::uint32_t end) { return std::uint32_t(dice() % end); };
    Island island;
    BlockPattern& pattern = island.pattern;
    for (std::uint32_t r = 0; r < ropes; ++r)
        for (std::uint32_t c = 0; c < points; ++c)
            pattern.add_vertex(4, r, false);
    for (std::uint32_t r = 0; r < ropes; ++r)
        for (std::uint32_t c = 0; c < points; ++c)
            for (std::uint32_t k = 0; k < 4 && c + k < points; ++k) {
                const std::uint32_t a = r * points + c;
                pattern.add_block(k % 2 ? a : a + k, k % 2 ? a + k : a);
                for (int i = 0; i < 16; ++i)
                    island.values.push_back(k == 0 ? (i % 5 == 0 ? 9 : 0) : 0.2 * roll());
            }
    for (std::uint32_t g = 0; g < groups; ++g) {
        const std::uint32_t count = 1 + pick(3);
        std::vector<std::uint32_t> nodes;
        for (std::uint32_t rope : {g % ropes, (g + 1) % ropes}) {
            const std::uint32_t first = pick(points - 3);
            for (std::uint32_t k = 0; k < 4; ++k)
                nodes.push_back(rope * points + first + k);
            if (ropes == 1)
                break;
        }
        const std::uint32_t row = pattern.add_vertex(count, ropes, true);
        pattern.add_block(row, row);
        island.values.resize(island.values.size() + count * count, 0.0);
        for (const std::uint32_t node : nodes) {
            pattern.add_block(row, node);
            for (std::uint32_t i = 0; i < 4 * count; ++i)
                island.values.push_back(roll());
        }
    }
    return island;
}

Eigen::MatrixXd dense_of(const Island& island)
{
    const auto n = Eigen::Index(island.pattern.size());
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
    for (Eigen::Index c = 0; c < n; ++c) {
        std::vector<double> x(std::size_t(n), 0.0), y(std::size_t(n), 0.0);
        x[std::size_t(c)] = 1;
        add_product(island.pattern, island.values, x, y);
        A.col(c) = Eigen::VectorXd::Map(y.data(), n);
    }
    return A;
}

} // namespace

TEST_CASE("fronts solve what the dense matrix solves")
{
    for (unsigned seed = 1; seed <= 12; ++seed) {
        const Island island = make_island(seed, 1 + seed % 4, 5 + 5 * seed, 3 + seed);
        const Eigen::MatrixXd A = dense_of(island);
        CHECK((A - A.transpose()).norm() == 0);
        const FrontPlan plan(island.pattern);
        FrontLdl ldl(plan);
        Eigen::VectorXd wanted = Eigen::VectorXd::Random(A.rows()), x = A * wanted;

        CHECK(ldl.factor(island.values));
        CHECK(ldl.dependent_rows() == 0);
        ldl.solve({x.data(), std::size_t(x.size())});

        CHECK((x - wanted).norm() < 1e-9 * wanted.norm());
    }
}

TEST_CASE("fronts: values that are not symmetric are solved as by the dense matrix")
{
    std::mt19937 dice(5);
    for (unsigned seed = 1; seed <= 12; ++seed) {
        const Island island = make_island(seed, 1 + seed % 4, 5 + 5 * seed, 3 + seed);
        std::vector<double> upper = island.values;
        for (double& number : upper)
            number += 0.1 * std::uniform_real_distribution<double>(-1, 1)(dice);
        Eigen::MatrixXd A = dense_of(island);
        const BlockPattern& pattern = island.pattern;
        for (const BlockPattern::Block& block : pattern.blocks) {
            const std::uint32_t rows = pattern.vertices[block.row].size,
                                columns = pattern.vertices[block.column].size;
            for (std::uint32_t r = 0; block.row != block.column && r < rows; ++r)
                for (std::uint32_t c = 0; c < columns; ++c)
                    A(pattern.start[block.column] + c, pattern.start[block.row] + r) =
                        upper[block.first + r * columns + c];
        }
        const FrontPlan plan(pattern);
        FrontLu lu(plan);
        const Eigen::VectorXd side = Eigen::VectorXd::Random(A.rows());
        const Eigen::VectorXd wanted = A.partialPivLu().solve(side);
        for (int again = 0; again < 2; ++again) { // what was there before does not matter
            CHECK(lu.factor(island.values, upper));
            Eigen::VectorXd x = side;
            lu.solve({x.data(), std::size_t(x.size())});
            CHECK((x - wanted).norm() < 1e-9 * wanted.norm());
        }
    }
}

TEST_CASE("fronts: a row said twice is told, and shared")
{
    Island island = make_island(3, 1, 12, 2);
    BlockPattern& pattern = island.pattern;
    const std::uint32_t copied = std::uint32_t(pattern.vertices.size()) - 1;
    const std::uint32_t count = pattern.vertices[copied].size;
    const std::vector<BlockPattern::Block> blocks = pattern.blocks;
    const std::uint32_t row = pattern.add_vertex(count, 1, true);
    for (const BlockPattern::Block& block : blocks)
        if (block.row == copied) {
            pattern.add_block(row, block.column == copied ? row : block.column);
            const std::uint32_t size = count * pattern.vertices[block.column].size;
            for (std::uint32_t i = 0; i < size; ++i)
                island.values.push_back(island.values[block.first + i]);
        }
    const FrontPlan plan(pattern);
    FrontLdl ldl(plan);
    std::vector<double> side(pattern.size(), 0.0), left(pattern.size(), 0.0);
    for (std::uint32_t i = 0; i < count; ++i)
        side[pattern.start[copied] + i] = side[pattern.start[row] + i] = 1;

    CHECK(ldl.factor(island.values));
    CHECK(ldl.dependent_rows() == int(count));
    std::vector<double> x = side;
    ldl.solve(x);

    add_product(pattern, island.values, x, left);
    for (std::size_t i = 0; i < side.size(); ++i)
        CHECK(left[i] == doctest::Approx(side[i]).epsilon(1e-6));
}

TEST_CASE("orders of elimination name every vertex once")
{
    const Island island = make_island(7, 5, 60, 40);
    for (std::vector<std::uint32_t> order : {find_block_order(island.pattern)}) {
        std::ranges::sort(order);
        std::vector<std::uint32_t> all(island.pattern.vertices.size());
        std::iota(all.begin(), all.end(), 0u);
        CHECK(order == all);
    }
}

TEST_CASE("reverse Cuthill-McKee finds a narrow band in a shuffled one")
{
    constexpr std::uint32_t kCount = 101;
    Graph graph(kCount);
    const auto name = [](std::uint32_t i) { return i * 37 % kCount; };
    for (std::uint32_t i = 0; i < kCount; ++i)
        for (std::uint32_t k = 1; k <= 3 && i + k < kCount; ++k) {
            graph[name(i)].push_back(name(i + k));
            graph[name(i + k)].push_back(name(i));
        }
    const std::vector<std::uint32_t> order = find_band_order(graph);
    std::vector<std::int64_t> place(kCount);
    for (std::uint32_t k = 0; k < kCount; ++k)
        place[order[k]] = k;
    std::int64_t width = 0;
    for (std::uint32_t v = 0; v < kCount; ++v)
        for (const std::uint32_t other : graph[v])
            width = std::max(width, std::abs(place[v] - place[other]));
    CHECK(width <= 5);
}

} // namespace sinew
