#include "math/functions.h"
#include "math/jet.h"

#include <doctest/doctest.h>

#include <cmath>

namespace sinew {

/// Inside the project's namespace, as in every room: the plain name finds each number's function.
template <class S>
S polar_length(S angle)
{
    return sqrt(sin(angle) * sin(angle) + cos(angle) * cos(angle));
}

} // namespace sinew

using namespace sinew;

TEST_CASE("one formula serves doubles, floats and jets")
{
    CHECK(polar_length(0.3) == doctest::Approx(1));
    CHECK(polar_length(0.3f) == doctest::Approx(1).epsilon(1e-6));
    CHECK(std::abs(polar_length(Jet2::variable(0.3)).second) < 1e-15);
}

TEST_CASE("functions return the library's numbers")
{
    CHECK(sinew::atan2(1.0, -2.0) == std::atan2(1.0, -2.0));
    CHECK(sinew::pow(2.0, 0.5) == std::pow(2.0, 0.5));
    CHECK(sinew::fmod(-7.0, 3.0) == -1);
    CHECK(sinew::floor(-0.5) == -1);
}

TEST_CASE("the absolute value of minus zero is zero, and min and max return one of their two")
{
    CHECK_FALSE(std::signbit(sinew::abs(-0.0)));
    CHECK(sinew::abs(-2.0) == 2);
    CHECK(sinew::min(1.0, 2.0) == 1);
    CHECK(sinew::max(1.0, 2.0) == 2);
}
