#include "solve/rows/exposed_rows.h"

#include <Eigen/Dense>
#include <doctest/doctest.h>

#include <limits>
#include <random>

namespace sinew {

namespace {

constexpr double kFree = std::numeric_limits<double>::infinity();

/// One rope, rows of all laws at random places of it: as a matrix with W in it, and as dense rows.
struct Both {
    ExposedMatrix exposed;
    RowProblem dense;
    Eigen::VectorXd off, held;
};

Both make_both(unsigned seed, int points, int groups, bool is_banded)
{
    std::mt19937 dice(seed);
    const auto roll = [&] { return std::uniform_real_distribution<double>(-1, 1)(dice); };
    Both both;
    BlockPattern& pattern = both.exposed.pattern;
    std::vector<double> values;
    const Eigen::Index n = 4 * points;
    Eigen::MatrixXd W = Eigen::MatrixXd::Zero(n, n);
    for (int i = 0; i < points; ++i)
        pattern.add_vertex(4, 0, false);
    for (int i = 0; i < points; ++i)
        for (int k = 0; k < 4 && i + k < points; ++k) {
            pattern.add_block(std::uint32_t(i + k), std::uint32_t(i));
            for (int r = 0; r < 4; ++r)
                for (int c = 0; c < 4; ++c) {
                    const double entry = k > 0 ? 0.3 * roll() : r == c ? 9 : 0;
                    values.push_back(entry);
                    W(4 * (i + k) + r, 4 * i + c) = W(4 * i + c, 4 * (i + k) + r) = entry;
                }
        }
    both.exposed.first_row = std::uint32_t(n);
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(groups, n);
    for (int g = 0; g < groups; ++g) {
        const std::uint32_t row = pattern.add_vertex(1, 1, true);
        pattern.add_block(row, row);
        both.dense.law.push_back(g % 3 == 0 ? Law::equal : g % 3 == 1 ? Law::push : Law::box);
        values.push_back(g % 3 == 2 ? -0.05 : 0.0);
        const int first = int(dice() % unsigned(points - 3));
        for (int k = 0; k < 4; ++k) {
            pattern.add_block(row, std::uint32_t(first + k));
            for (int c = 0; c < 4; ++c)
                values.push_back(J(g, 4 * (first + k) + c) = roll());
        }
    }
    both.exposed.begin(is_banded);
    both.exposed.values = values;
    both.dense.C = J * W.ldlt().solve(Eigen::MatrixXd(J.transpose()));
    both.dense.compliance = both.dense.friction = Eigen::VectorXd::Zero(groups);
    both.dense.lo = Eigen::VectorXd::Constant(groups, -0.3);
    both.dense.hi = Eigen::VectorXd::Constant(groups, 0.2);
    both.held = both.off = Eigen::VectorXd::Zero(groups);
    for (int g = 0; g < groups; ++g) {
        both.dense.compliance[g] = g % 3 == 2 ? 0.05 : 0;
        both.held[g] = g % 2 ? 0 : 0.1 * roll();
        both.off[g] = roll();
        if (g % 5 == 2)
            both.dense.lo[g] = -kFree, both.dense.hi[g] = kFree;
    }
    for (int g = 0; g < groups; ++g)
        if (both.dense.law[std::size_t(g)] == Law::push)
            both.held[g] = std::abs(both.held[g]);
    both.dense.q =
        both.off - both.dense.C * both.held - both.dense.compliance.cwiseProduct(both.held);
    return both;
}

} // namespace

TEST_CASE("exposed rows: the impulses are those of dense rows, by fronts and by the band "
          "[notes: rods, eq. 9]")
{
    for (unsigned seed = 1; seed <= 20; ++seed)
        for (const bool is_banded : {false, true}) {
            CAPTURE(seed);
            Both both = make_both(seed, 12 + int(seed), 4 + int(seed), is_banded);
            Eigen::VectorXd wanted = both.held, found = both.held;
            REQUIRE(solve_rows(both.dense, {}, wanted).converged);
            const auto span = [](Eigen::VectorXd& v) {
                return std::span(v.data(), std::size_t(v.size()));
            };
            const RowSolveReport report =
                both.exposed.solve({both.dense.law, span(both.off), span(both.held),
                                    span(both.dense.lo), span(both.dense.hi), span(found)},
                                   1e-10);
            CHECK(report.converged);
            CHECK((found - wanted).norm() < 1e-8 * (1 + wanted.norm()));
        }
}

TEST_CASE("exposed rows: the plan stays while the pattern does")
{
    Both both = make_both(4, 20, 9, false);
    const int before = both.exposed.plan_count();
    both.exposed.begin(false);
    CHECK(both.exposed.plan_count() == before);
    both.exposed.pattern.add_block(both.exposed.pattern.blocks.back().row, 0);
    both.exposed.begin(false);
    CHECK(both.exposed.plan_count() == before + 1);
}

} // namespace sinew
