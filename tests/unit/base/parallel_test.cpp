#include "base/parallel.h"

#include <doctest/doctest.h>

#include <atomic>
#include <vector>

using namespace sinew;

TEST_CASE("a parallel loop visits every index once, for any number of threads")
{
    for (const int threads : {-1, 0, 1, 2, 3, 4, 64})
        for (const std::size_t count : {0, 1, 2, 3, 7, 1000}) {
            std::vector<std::atomic<int>> visits(count);

            for_each_index(count, threads, [&](std::size_t i) { ++visits[i]; });

            for (const std::atomic<int>& visit : visits)
                CHECK(visit == 1);
        }
}

TEST_CASE("a parallel loop may stand inside another")
{
    std::vector<int> cells(12 * 34);

    for_each_index(12, 3, [&](std::size_t i) {
        for_each_index(34, 2, [&](std::size_t j) { cells[34 * i + j] = int(34 * i + j); });
    });

    for (std::size_t i = 0; i < cells.size(); ++i)
        CHECK(cells[i] == int(i));
}

TEST_CASE("a parallel loop takes a constant function")
{
    const auto nothing = [](std::size_t) {};

    for_each_index(3, 2, nothing);
}
