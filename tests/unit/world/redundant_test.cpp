#include "world/rows/redundant.h"

#include <doctest/doctest.h>

#include <random>

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

} // namespace sinew
