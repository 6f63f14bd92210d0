// Pairs of overlapping boxes: against trying all, for sizes over many decades and nonsense.

#include "collide/broad_phase.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace sinew;

namespace {

std::vector<Pair> all_pairs(const std::vector<Box>& boxes, const std::vector<char>& is_fixed)
{
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < boxes.size(); ++i)
        for (std::uint32_t j = i + 1; j < boxes.size(); ++j)
            if (!(is_fixed[i] && is_fixed[j]) && do_overlap(boxes[i], boxes[j]))
                pairs.push_back({i, j});
    return pairs;
}

} // namespace

TEST_CASE("the grid finds what trying all pairs finds")
{
    std::mt19937 dice(1);
    const auto number = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(dice);
    };
    BroadPhase grid;
    std::vector<Pair> pairs;
    std::size_t met = 0;
    for (int round = 0; round < 60; ++round) {
        std::vector<Box> boxes;
        std::vector<char> is_fixed;
        const double spread = std::pow(10, number(-2, 4));
        for (int i = 0; i < 600; ++i) {
            const double size = spread * std::pow(10, number(-4, -0.3));
            const Vec3 x{number(-spread, spread), number(-spread, spread) * 0.1,
                         number(-spread, spread)};
            const Vec3 half{size * number(0, 1), size * number(0, 1), size * number(0, 1)};
            boxes.push_back({x - half, x + half});
            is_fixed.push_back(round % 2 == 0 && i % 3 == 0);
        }
        boxes.push_back({{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, 0, INFINITY}});
        boxes.push_back({{-1e30, -1, -1}, {1e30, 1, 1}});
        boxes.push_back({{1e20, 1e20, 1e20}, {1e20, 1e20, 1e20}});
        boxes.push_back({{0, 0, 0}, {0, 0, 0}});
        is_fixed.insert(is_fixed.end(), {1, 1, 0, 0});
        grid.find_pairs(boxes, is_fixed, pairs);
        const std::vector<Pair> expected = all_pairs(boxes, is_fixed);
        CHECK(pairs == expected);
        for (const int threads : {2, 7}) {
            grid.find_pairs(boxes, is_fixed, pairs, threads);
            CHECK(pairs == expected);
        }
        met += expected.size();
    }
    CHECK(met > 3000);
}

TEST_CASE("boxes side by side on the borders of cells")
{
    std::vector<Box> boxes;
    for (int x = -4; x < 4; ++x)
        for (int y = -4; y < 4; ++y)
            for (int z = -4; z < 4; ++z)
                boxes.push_back({{double(x), double(y), double(z)},
                                 {double(x + 1), double(y + 1), double(z + 1)}});
    const std::vector<char> is_fixed(boxes.size(), 0);
    BroadPhase grid;
    std::vector<Pair> pairs;
    grid.find_pairs(boxes, is_fixed, pairs);
    CHECK(pairs == all_pairs(boxes, is_fixed)); // touching counts
    grid.find_pairs({}, {}, pairs);
    CHECK(pairs.empty());
}
