#include "math/finite.h"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

using namespace sinew;

TEST_CASE("one number that is none is found wherever it stands")
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (const std::size_t count : {1, 7, 8, 9, 31, 64}) {
        std::vector<double> numbers(count, -std::numeric_limits<double>::max());
        CHECK(are_finite(numbers));
        for (std::size_t i = 0; i < count; ++i)
            for (const double bad :
                 {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
                const double good = numbers[i];
                numbers[i] = bad;
                CHECK_FALSE(are_finite(numbers));
                numbers[i] = good;
            }
    }
    CHECK(are_finite({}));
}
