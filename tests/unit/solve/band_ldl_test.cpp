#include "solve/linear/band/band_ldl.h"

#include <Eigen/Dense>
#include <cmath>
#include <doctest/doctest.h>

namespace sinew {

TEST_CASE("band LDLᵀ solves what the dense matrix solves")
{
    for (const auto& [n, b] : {std::pair{1, 5}, {3, 5}, {17, 5}, {40, 5}, {40, 15}, {10, 15}}) {
        BandLdl band(std::size_t(n), b);
        Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
        for (int k = 0; k < n; ++k)
            for (int m = 0; m <= b && k + m < n; ++m) {
                const double entry = m == 0 ? 40 + k % 3 : ((7 * k + 3 * m) % 11) / 5.0 - 1;
                band.column(std::size_t(k))[m] = entry;
                A(k + m, k) = A(k, k + m) = entry;
            }
        const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(n, -1, 2);
        Eigen::VectorXd y = A * x;

        CHECK(band.factor());
        band.solve({y.data(), std::size_t(n)});
        CHECK((y - x).norm() < 1e-12);
    }
}

TEST_CASE("band LDLᵀ says when a matrix is not positive, and stays finite")
{
    BandLdl band(3, 1);
    band.column(0)[0] = 1, band.column(0)[1] = 2;
    band.column(1)[0] = 1;
    band.column(2)[0] = 1;

    CHECK_FALSE(band.factor());

    std::vector<double> x = {1, 1, 1};
    band.solve(x);
    for (const double number : x)
        CHECK(std::isfinite(number));
}

} // namespace sinew
