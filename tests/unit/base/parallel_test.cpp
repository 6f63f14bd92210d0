#include "base/parallel.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <thread>
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

TEST_CASE("portions cover every index once and are the same for any number of threads")
{
    for (const int threads : {1, 2, 7})
        for (const std::size_t count : {0, 1, 9, 10, 11, 1000}) {
            std::vector<std::atomic<int>> visits(count);

            for_each_portion(count, 10, threads, [&](std::size_t begin, std::size_t end) {
                CHECK(begin % 10 == 0);
                CHECK(end == std::min(count, begin + 10));
                for (std::size_t i = begin; i < end; ++i)
                    ++visits[i];
            });

            for (const std::atomic<int>& visit : visits)
                CHECK(visit == 1);
        }
}

TEST_CASE("parallel loops that several threads begin at once are each done when they return")
{
    std::atomic<int> wrong = 0;
    const auto begin_loops = [&] {
        for (int round = 0; round < 500; ++round) {
            std::vector<int> cells(1 + std::size_t(round) % 300);
            for_each_index(cells.size(), 4, [&](std::size_t i) {
                for (int k = 0; k <= round % 50; ++k)
                    cells[i] += k;
            });
            const int sum = (round % 50) * (round % 50 + 1) / 2;
            wrong += !std::ranges::all_of(cells, [&](int cell) { return cell == sum; });
        }
    };

    std::thread other(begin_loops), third(begin_loops);
    begin_loops();
    other.join();
    third.join();

    CHECK(wrong == 0);
}
