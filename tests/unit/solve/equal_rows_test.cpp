// Equal rows by the solver whose memory stays, against the general one and a plain factorisation.

#include "solve/rows/equal_rows.h"

#include <doctest/doctest.h>

#include <Eigen/LU>

#include <random>

namespace sinew {

namespace {

RowProblem make_problem(int rows, int ways, unsigned seed)
{
    std::mt19937 dice(seed);
    std::uniform_real_distribution<double> roll(-1, 1);
    Eigen::MatrixXd J(rows, ways);
    RowProblem problem;
    problem.q.resize(rows);
    for (int i = 0; i < rows; ++i) {
        const double size = std::exp(3 * roll(dice)); // rows of all scales
        for (int j = 0; j < ways; ++j)
            J(i, j) = size * roll(dice);
        problem.q[i] = roll(dice);
    }
    problem.C = J * J.transpose();
    problem.compliance = Eigen::VectorXd::Zero(rows);
    problem.friction = problem.lo = problem.hi = problem.compliance;
    problem.law.assign(std::size_t(rows), Law::equal);
    return problem;
}

} // namespace

TEST_CASE(
    "equal rows: A y = -b as the general solver and as plain elimination [notes: rows, eq. 4]")
{
    EqualRows solver; // the same for all: its memory stays
    for (const int rows : {1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 93}) {
        CAPTURE(rows);
        RowProblem problem = make_problem(rows, 2 * rows + 3, unsigned(rows));
        if (rows % 2 == 0)
            problem.compliance.setConstant(0.3);
        Eigen::VectorXd own = Eigen::VectorXd::Zero(rows), other = own;
        const auto report = solver.solve(problem, 1e-10, false, own);
        REQUIRE(report);
        CHECK(report->converged);
        CHECK(solve_rows(problem, {}, other).converged);
        Eigen::MatrixXd A = problem.C;
        A.diagonal() += problem.compliance;
        const Eigen::VectorXd plain = A.partialPivLu().solve(-problem.q);
        CHECK((own - other).norm() <= 1e-9 * other.norm());
        CHECK((own - plain).norm() <= 1e-9 * plain.norm());
    }
}

TEST_CASE("equal rows: redundant ones share as in the smallest solution")
{
    EqualRows solver;
    for (unsigned seed = 0; seed < 20; ++seed) {
        RowProblem problem = make_problem(12, 9, seed);
        problem.q = problem.C * Eigen::VectorXd::Random(12); // they agree
        Eigen::VectorXd own = Eigen::VectorXd::Zero(12), other = own;
        const auto report = solver.solve(problem, 1e-10, false, own);
        REQUIRE(report);
        CHECK(report->converged);
        solve_rows(problem, {}, other);
        CHECK((own - other).norm() <= 1e-5 * other.norm());
    }
}

TEST_CASE("equal rows: what contradicts others, is idle or unequal is left to the general solver")
{
    EqualRows solver;
    Eigen::VectorXd impulse = Eigen::VectorXd::Zero(6);
    CHECK(!solver.solve(make_problem(6, 4, 3), 1e-10, false, impulse));
    RowProblem idle = make_problem(6, 20, 4);
    idle.C.row(2).setZero();
    idle.C.col(2).setZero();
    CHECK(!solver.solve(idle, 1e-10, false, impulse));
    RowProblem pushing = make_problem(6, 20, 5);
    pushing.law[3] = Law::push;
    CHECK(!solver.solve(pushing, 1e-10, false, impulse));
}

} // namespace sinew
