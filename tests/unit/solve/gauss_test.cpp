#include "solve/ode/gauss.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

using namespace sinew;

TEST_CASE("Gauss' nodes integrate and interpolate polynomials exactly")
{
    for (int count = 1; count <= GaussNodes::kMost; ++count) {
        const GaussNodes nodes(count);
        std::array<double, GaussNodes::kMost> weights{};
        const std::span<double> own = std::span(weights).first(std::size_t(count));
        const auto sum = [&](int degree) {
            double total = 0;
            for (int i = 0; i < count; ++i)
                total += own[std::size_t(i)] * std::pow(nodes.place(i), degree);
            return total;
        };
        nodes.weigh(1, own);
        for (int degree = 0; degree < 2 * count; ++degree)
            CHECK(sum(degree) == doctest::Approx(1.0 / (degree + 1)).epsilon(1e-14));
        nodes.weigh(0.3, own);
        for (int degree = 0; degree < count; ++degree)
            CHECK(sum(degree) ==
                  doctest::Approx(std::pow(0.3, degree + 1) / (degree + 1)).epsilon(1e-12));
        nodes.interpolate(0.7, own);
        for (int degree = 0; degree < count; ++degree)
            CHECK(sum(degree) == doctest::Approx(std::pow(0.7, degree)).epsilon(1e-12));
        CHECK(nodes.distance_to(nodes.place(0)) == 0);
    }
}
