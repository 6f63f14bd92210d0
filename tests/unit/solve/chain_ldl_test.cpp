#include "solve/linear/band/chain_ldl.h"

#include <Eigen/Dense>
#include <cmath>
#include <doctest/doctest.h>

namespace sinew {

namespace {

constexpr Eigen::Index kNumbers = ChainLdl::kNumbers;

double number(int i, int j) { return ((7 * i + 3 * j + i * j) % 11) / 5.0 - 1; }

/// Squares of four neighbours each, in a chain and dense.
struct Both {
    ChainLdl chain;
    Eigen::MatrixXd dense;

    explicit Both(int nodes)
        : chain(std::size_t(nodes)),
          dense(Eigen::MatrixXd::Zero(kNumbers * nodes, kNumbers * nodes))
    {
        for (int first = 0; first == 0 || first + 4 <= nodes; ++first)
            for (int k = 0; k < 6; ++k)
                add(first, std::min(4, nodes), 5 * first + k);
        for (int first = 0; first < nodes; ++first)
            for (int c = 0; c < 4; ++c) {
                chain.group(std::size_t(first), 1).columns[c * int(ChainLdl::kColumn) + c] += 0.5;
                dense(4 * first + c, 4 * first + c) += 0.5;
            }
    }

    void add(int first, int count, int seed)
    {
        const ChainLdl::Group group = chain.group(std::size_t(first), std::size_t(count));
        const auto place = [&](int i) {
            return group.is_turned ? 4 * (count - 1 - i / 4) + i % 4 : i;
        };
        for (int i = 0; i < 4 * count; ++i)
            for (int j = 0; j < 4 * count; ++j) {
                const double product = number(seed, i) * number(seed, j);
                dense(4 * first + i, 4 * first + j) += product;
                if (place(i) / 4 >= place(j) / 4)
                    group
                        .columns[place(j) * int(ChainLdl::kColumn) + place(i) - place(j) / 4 * 4] +=
                        product;
            }
    }
};

} // namespace

TEST_CASE("chain LDLᵀ solves and responds as the dense matrix does")
{
    for (const int nodes : {1, 2, 3, 4, 5, 6, 11, 30}) {
        Both both(nodes);
        const Eigen::Index n = both.dense.rows();
        Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(n, -1, 2), y = Eigen::VectorXd::Zero(n);
        both.chain.add_product({x.data(), std::size_t(n)}, {y.data(), std::size_t(n)});
        CHECK((y - both.dense * x).norm() < 1e-12 * both.dense.norm());

        CHECK(both.chain.factor());
        both.chain.solve({y.data(), std::size_t(n)});
        CHECK((y - x).norm() < 1e-11);

        for (const int p : {1, 3, 9, 20}) {
            std::vector<ChainLdl::Side> sides;
            Eigen::MatrixXd B = Eigen::MatrixXd::Zero(n, p);
            for (int j = 0; j < p; ++j) {
                const int count = std::min(nodes, 1 + j % 4), first = 5 * j % (nodes - count + 1);
                ChainLdl::Side& side = sides.emplace_back();
                side.first = std::uint32_t(first);
                side.count = std::uint32_t(count);
                for (int k = 0; k < 4 * count; ++k)
                    B(4 * first + k, j) = side.numbers[std::size_t(k)] = number(j + 3, k);
            }
            const Eigen::MatrixXd wanted = B.transpose() * both.dense.ldlt().solve(B);
            std::vector<double> C(std::size_t(p * p));
            ChainLdl::Room room;
            both.chain.respond(sides, room, C);
            CHECK((Eigen::MatrixXd::Map(C.data(), p, p) - wanted).norm() <
                  1e-11 * (1 + wanted.norm()));
        }
    }
}

TEST_CASE("chain LDLᵀ says when a matrix is not positive, and stays finite")
{
    Both both(8);
    both.chain.group(1, 1).columns[0] -= 100;

    CHECK_FALSE(both.chain.factor());

    std::vector<double> x(32, 1.0);
    both.chain.solve(x);
    for (const double found : x)
        CHECK(std::isfinite(found));
}

} // namespace sinew
