#include "solve/rows/merged_rows.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <Eigen/QR>

#include <random>

using namespace sinew;

namespace {

/// W of one vertex of three numbers, and rows one by one that touch it and nothing else.
struct Rows {
    Eigen::MatrixXd A;
    Eigen::Vector3d W = {2, 3, 4};
    MergedMatrix matrix;

    explicit Rows(int count) : A(count, 3)
    {
        std::mt19937 random(7);
        std::uniform_real_distribution<double> any(-1, 1);
        for (int i = 0; i < count; ++i)
            for (int j = 0; j < 3; ++j)
                A(i, j) = any(random);
    }

    RowSolveReport solve(const Eigen::VectorXd& off, Eigen::VectorXd& impulse)
    {
        BlockPattern& pattern = matrix.pattern;
        pattern.clear();
        pattern.add_vertex(3, 1, false);
        const std::uint32_t own = pattern.add_block(0, 0);
        matrix.first_row = 3;
        std::vector<std::uint32_t> entry;
        for (int i = 0; i < A.rows(); ++i) {
            const std::uint32_t row = pattern.add_vertex(1, 0xffffffff, true);
            pattern.vertices[row].may_merge = true;
            pattern.add_block(row, row);
        }
        for (int i = 0; i < A.rows(); ++i)
            entry.push_back(pattern.add_block(std::uint32_t(i) + 1, 0));
        matrix.begin(false);
        for (std::uint32_t j = 0; j < 3; ++j)
            matrix.values[own + 4 * j] = W[j];
        for (int i = 0; i < A.rows(); ++i)
            for (std::uint32_t j = 0; j < 3; ++j)
                matrix.values[entry[std::size_t(i)] + j] = A(i, j);
        const std::vector<Law> law(std::size_t(A.rows()), Law::equal);
        const std::vector<double> none(law.size(), 0.0);
        impulse.setZero(A.rows());
        return matrix.solve({law, std::span(off.data(), law.size()), none, none, none,
                             std::span(impulse.data(), law.size())},
                            1e-10);
    }
};

} // namespace

TEST_CASE("rows that say what others say share the force, as the smallest solution does")
{
    for (const int count : {2, 3, 4, 9, 40}) { // merged from four on
        Rows rows(count);
        const Eigen::VectorXd off = rows.A * Eigen::Vector3d{0.3, -0.2, 0.5};
        const Eigen::MatrixXd C = rows.A * rows.W.cwiseInverse().asDiagonal() * rows.A.transpose();
        Eigen::VectorXd impulse;

        const RowSolveReport report = rows.solve(off, impulse);

        CHECK(report.converged);
        CHECK((C * impulse + off).norm() < 1e-10);
        const Eigen::VectorXd smallest =
            Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(C).solve(-off);
        CHECK((impulse - smallest).norm() < 1e-9 * smallest.norm());
    }
}

TEST_CASE("rows that contradict others are kept as well as can be, and reported")
{
    for (const int count : {9, 40}) {
        Rows rows(count);
        Eigen::VectorXd off = rows.A * Eigen::Vector3d{0.3, -0.2, 0.5}, impulse;
        off[4] += 0.1;
        const Eigen::MatrixXd C = rows.A * rows.W.cwiseInverse().asDiagonal() * rows.A.transpose();

        const RowSolveReport report = rows.solve(off, impulse);

        CHECK_FALSE(report.converged);
        const Eigen::VectorXd left = C * impulse + off; // least: no way to move lessens it
        CHECK((rows.A.transpose() * left).norm() < 1e-9);
        CHECK(left.norm() < 0.1);
    }
}
