#include "solve/linear/dense/dense_lu.h"

#include "solve/linear/dense/least_squares.h"

#include <doctest/doctest.h>

#include <Eigen/Dense>

#include <random>

using namespace sinew;
using Eigen::MatrixXd, Eigen::VectorXd;

namespace {

MatrixXd make_matrix(int rows, int columns, unsigned seed)
{
    std::mt19937 dice(seed);
    return MatrixXd::NullaryExpr(rows, columns,
                                 [&](auto, auto) { return double(dice()) / 2147483648.0 - 1; });
}

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::vector<double> rows_of(const MatrixXd& A)
{
    const Rows rows = A;
    return {rows.data(), rows.data() + rows.size()};
}

} // namespace

TEST_CASE("dense LU: solves what needs an exchange of rows, of any size")
{
    DenseLu lu;
    for (const int n : {1, 2, 3, 4, 5, 7, 8, 9, 33, 100}) {
        MatrixXd A = make_matrix(n, n, unsigned(n));
        if (n > 1)
            A(0, 0) = 0;
        const VectorXd wanted = make_matrix(n, 1, 7);
        VectorXd x = A * wanted;
        lu.begin(std::size_t(n));
        const std::vector<double> rows = rows_of(A);
        std::copy(rows.begin(), rows.end(), lu.row(0));
        CHECK(lu.factor() > 1e-9);
        lu.solve({x.data(), std::size_t(n)});
        CHECK((x - wanted).norm() < 1e-10 * n);
    }
}

TEST_CASE("dense LU: a singular matrix has no pivot left")
{
    for (const int rank : {0, 1, 4, 9}) {
        const MatrixXd A = make_matrix(10, rank, 3) * make_matrix(rank, 10, 5);
        const std::vector<double> rows = rows_of(A);
        DenseLu lu;
        lu.begin(10);
        std::copy(rows.begin(), rows.end(), lu.row(0));
        CHECK(lu.factor() < 1e-13);
    }
}

TEST_CASE("least squares: the smallest of all best solutions, whatever the rank")
{
    LeastSquares least;
    for (const int n : {1, 2, 5, 12, 40})
        for (const int rank : {0, 1, n / 2, n}) {
            CAPTURE(n);
            CAPTURE(rank);
            const MatrixXd A = make_matrix(n, rank, 3) * make_matrix(rank, n, 5);
            const VectorXd b = make_matrix(n, 1, 11);
            Eigen::CompleteOrthogonalDecomposition<MatrixXd> other;
            other.setThreshold(1e-10);
            const VectorXd wanted = other.compute(A).solve(b);
            VectorXd x = b;
            least.solve(rows_of(A), 1e-10, {x.data(), std::size_t(n)});
            CHECK((x - wanted).norm() <= 1e-8 * (1 + wanted.norm()));
        }
}
