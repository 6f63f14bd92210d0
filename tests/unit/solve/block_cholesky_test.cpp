// Cholesky by blocks against a dense solve.

#include "solve/linear/sparse/block_cholesky.h"

#include <Eigen/Dense>
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace sinew;

namespace {

struct Problem {
    Eigen::MatrixXd H;
    std::vector<BlockCholesky::Link> links;
};

/// Random links; H = D + Σ EᵀE, positive.
Problem make_problem(std::uint32_t count, int link_count, std::mt19937& dice)
{
    std::uniform_real_distribution<double> number(-1, 1);
    Problem p{Eigen::MatrixXd::Identity(6 * count, 6 * count), {}};
    for (int i = 0; i < link_count && count > 1; ++i) {
        const auto a = std::uint32_t(dice() % count), b = std::uint32_t(dice() % count);
        if (a == b)
            continue;
        p.links.push_back({a, b});
        Eigen::MatrixXd E = Eigen::MatrixXd::Zero(6, 6 * count);
        for (int r = 0; r < 6; ++r)
            for (int c = 0; c < 6; ++c) {
                E(r, 6 * a + c) = number(dice);
                E(r, 6 * b + c) = number(dice);
            }
        p.H += 10 * E.transpose() * E;
    }
    return p;
}

void fill(const Problem& p, std::uint32_t count, BlockCholesky& cholesky)
{
    cholesky.clear();
    double S[6][6];
    const auto block = [&](std::uint32_t a, std::uint32_t b) {
        for (int r = 0; r < 6; ++r)
            for (int c = 0; c < 6; ++c)
                S[r][c] = p.H(6 * a + r, 6 * b + c);
    };
    for (std::uint32_t i = 0; i < count; ++i) {
        block(i, i);
        cholesky.add_diagonal(i, S);
    }
    std::vector<BlockCholesky::Link> done;
    for (const BlockCholesky::Link& link : p.links) {
        const auto same = [&](const BlockCholesky::Link& l) {
            return l == link || l == BlockCholesky::Link{link.b, link.a};
        };
        if (std::ranges::any_of(done, same))
            continue;
        done.push_back(link);
        block(link.a, link.b);
        cholesky.add_link(link.a, link.b, S);
    }
}

} // namespace

TEST_CASE("block Cholesky solves what a dense solver solves")
{
    std::mt19937 dice(4);
    std::uniform_real_distribution<double> number(-1, 1);
    for (int round = 0; round < 30; ++round) {
        const std::uint32_t count = 1 + std::uint32_t(round);
        const Problem p = make_problem(count, 2 * round, dice);
        BlockCholesky cholesky;
        cholesky.plan(count, p.links);
        fill(p, count, cholesky);
        REQUIRE(cholesky.factor());
        Eigen::VectorXd right(6 * count);
        std::vector<Row6> x(count);
        for (std::uint32_t i = 0; i < count; ++i)
            for (int k = 0; k < 6; ++k)
                x[i][k] = right[6 * i + k] = number(dice);
        cholesky.solve(x);
        const Eigen::VectorXd expected = p.H.ldlt().solve(right);
        for (std::uint32_t i = 0; i < count; ++i)
            for (int k = 0; k < 6; ++k)
                CHECK(double(x[i][k]) == doctest::Approx(expected[6 * i + k]).epsilon(1e-9));
    }
}

TEST_CASE("a matrix that is not positive is told")
{
    BlockCholesky cholesky;
    cholesky.plan(2, {});
    cholesky.clear();
    CHECK_FALSE(cholesky.factor());
}

TEST_CASE("a chain costs in proportion to its length")
{
    const auto cost = [](std::uint32_t count) {
        std::vector<BlockCholesky::Link> links;
        for (std::uint32_t i = 1; i < count; ++i)
            links.push_back({i - 1, i});
        BlockCholesky cholesky;
        cholesky.plan(count, links);
        return double(cholesky.cost());
    };
    CHECK(cost(1000) < 11 * cost(100));
}
