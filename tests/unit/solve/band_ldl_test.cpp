#include "solve/band_ldl.h"

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
        Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(n, -1, 2), y = Eigen::VectorXd::Zero(n);
        band.add_product({x.data(), std::size_t(n)}, {y.data(), std::size_t(n)});
        CHECK((y - A * x).norm() < 1e-12);

        CHECK(band.factor());
        band.solve({y.data(), std::size_t(n)});
        CHECK((y - x).norm() < 1e-12);

        // Half solves: Zᵀ Z = Bᵀ A⁻¹ B.
        const int p = 3;
        Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> Z(n, p);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < p; ++j)
                Z(i, j) = i < j ? 0 : (i * 5 + j * 3) % 7 - 3.0;
        const Eigen::MatrixXd wanted = Z.transpose() * A.ldlt().solve(Eigen::MatrixXd(Z));
        std::vector<std::size_t> active; // right side j begins with row j
        for (int i = 0; i < n; ++i)
            active.push_back(std::size_t(std::min(i + 1, p)));
        band.half_solve({Z.data(), std::size_t(n * p)}, p, active);
        CHECK((Z.transpose() * Z - wanted).norm() < 1e-11 * (1 + wanted.norm()));
        std::vector<double> C(std::size_t(p * p), 0);
        add_squares(Z.data(), std::size_t(n), p, active.data(), C.data());
        for (int i = 0; i < p; ++i)
            for (int j = 0; j <= i; ++j)
                CHECK(C[std::size_t(i * p + j)] ==
                      doctest::Approx(wanted(i, j)).epsilon(1e-11 * (1 + wanted.norm())));
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
