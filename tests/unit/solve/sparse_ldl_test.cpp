// The sparse factorisation against dense elimination of the same matrix. That neither `factor` nor
// `solve` allocates is counted in tests/alloc.

#include "solve/linear/sparse/sparse_ldl.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <Eigen/LU>

#include <algorithm>
#include <complex>
#include <limits>
#include <numeric>
#include <random>
#include <set>

using namespace sinew;
using Complex = std::complex<double>;

namespace {

template <class S>
using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
template <class S>
using Vector = Eigen::Matrix<S, Eigen::Dynamic, 1>;

/// Numbers in [−1, 1], from a seed that RapidCheck chooses.
struct Dice {
    std::mt19937 engine;

    double operator()() { return double(engine()) / 2147483648.0 - 1; }
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(engine() % n); }
};

void set_number(Dice& dice, double& out) { out = dice(); }
void set_number(Dice& dice, Complex& out) { out = {dice(), dice()}; }

/// [W Jᵀ; J 0] with W positive definite (of a complex W: its real part), sparse, its rows behind
/// all of their unknowns in the order of elimination.
template <class S>
struct Problem {
    std::uint32_t unknowns = 0, rows = 0;
    std::vector<MatrixEntry> entries;
    std::vector<S> values;
    std::vector<std::uint32_t> order;
    std::vector<PivotKind> kinds;

    std::uint32_t size() const { return unknowns + rows; }
    void add(std::uint32_t row, std::uint32_t column, S value)
    {
        entries.push_back({row, column});
        values.push_back(value);
    }
    Matrix<S> dense() const
    {
        Matrix<S> A = Matrix<S>::Zero(size(), size());
        for (std::size_t k = 0; k < entries.size(); ++k)
            A(entries[k].row, entries[k].column) = A(entries[k].column, entries[k].row) = values[k];
        return A;
    }
    void add_row(const std::vector<std::pair<std::uint32_t, S>>& terms)
    {
        const std::uint32_t row = unknowns + rows++;
        add(row, row, S(0));
        for (const auto& [column, value] : terms)
            add(row, column, value);
    }
    /// Little fill, then the unknowns of each row in front of it.
    void finish()
    {
        std::vector<bool> is_placed(size());
        const auto place = [&](std::uint32_t i) {
            if (!is_placed[i])
                order.push_back(i);
            is_placed[i] = true;
        };
        order.clear();
        for (const std::uint32_t i : find_elimination_order(size(), entries)) {
            for (const MatrixEntry& entry : entries)
                if (i >= unknowns && entry.row == i && entry.column < unknowns)
                    place(entry.column);
            place(i);
        }
        kinds.assign(unknowns, PivotKind::mass);
        kinds.resize(size(), PivotKind::constraint);
    }
};

template <class S>
Problem<S> make_problem(Dice& dice, std::uint32_t unknowns, std::uint32_t rows)
{
    Problem<S> problem;
    problem.unknowns = unknowns;
    std::set<MatrixEntry> pairs;
    for (std::uint32_t i = 0; i < unknowns; ++i) {
        const auto a = dice.below(unknowns), b = dice.below(unknowns);
        if (a != b)
            pairs.insert({std::max(a, b), std::min(a, b)});
    }
    std::vector<double> weight(unknowns, 0.5); // more than the rest of its row
    for (const MatrixEntry& pair : pairs) {
        S value;
        set_number(dice, value);
        problem.add(pair.row, pair.column, value);
        weight[pair.row] += std::abs(value);
        weight[pair.column] += std::abs(value);
    }
    for (std::uint32_t i = 0; i < unknowns; ++i)
        problem.add(i, i, S(weight[i]));
    for (std::uint32_t r = 0; r < rows; ++r) {
        // One unknown of its own keeps it independent of the others.
        std::vector<std::pair<std::uint32_t, S>> terms{{r, S(2 + dice())}};
        for (std::uint32_t c = rows; c < unknowns; ++c)
            if (dice.below(4) == 0) {
                S value;
                set_number(dice, value);
                terms.emplace_back(c, value);
            }
        problem.add_row(terms);
    }
    problem.finish();
    return problem;
}

template <class S>
std::vector<S> random_side(Dice& dice, std::size_t size)
{
    std::vector<S> side(size);
    for (S& value : side)
        set_number(dice, value);
    return side;
}

template <class S>
double difference(const std::vector<S>& x, const Vector<S>& reference)
{
    double largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        largest = std::max(largest, std::abs(x[i] - reference[static_cast<Eigen::Index>(i)]));
    return largest / std::max(1.0, reference.template lpNorm<Eigen::Infinity>());
}

template <class S>
Vector<S> to_dense(const std::vector<S>& x)
{
    return Eigen::Map<const Vector<S>>(x.data(), static_cast<Eigen::Index>(x.size()));
}

constexpr double kDependent = 1e-11;
constexpr double kRounding = 1e-9; // well-conditioned systems of some sixty unknowns

template <class S>
void check_against_dense()
{
    Dice dice{std::mt19937(*rc::gen::arbitrary<std::uint32_t>())};
    const auto unknowns = *rc::gen::inRange<std::uint32_t>(1, 40);
    const auto rows = *rc::gen::inRange<std::uint32_t>(0, unknowns / 2 + 1);
    const Problem<S> problem = make_problem<S>(dice, unknowns, rows);
    const LdlPlan plan(problem.size(), problem.entries, problem.order);
    Ldl<S> ldl(plan);

    RC_ASSERT(ldl.factor(problem.values, problem.kinds, kDependent));
    const std::vector<S> side = random_side<S>(dice, problem.size());
    std::vector<S> x = side;
    ldl.solve(x);

    for (std::uint32_t i = 0; i < problem.size(); ++i)
        RC_ASSERT(!ldl.is_dropped(i));
    const Vector<S> reference = Eigen::FullPivLU<Matrix<S>>(problem.dense()).solve(to_dense(side));
    RC_ASSERT(difference(x, reference) < kRounding);
}

} // namespace

TEST_CASE("sparse factors solve what dense elimination solves")
{
    CHECK(rc::check("real", [] { check_against_dense<double>(); }));
    CHECK(rc::check("complex symmetric", [] { check_against_dense<Complex>(); }));
}

TEST_CASE("a row that depends on others is dropped: its unknown is zero, the others are right")
{
    CHECK(rc::check("a combination of two rows", [] {
        Dice dice{std::mt19937(*rc::gen::arbitrary<std::uint32_t>())};
        const auto unknowns = *rc::gen::inRange<std::uint32_t>(6, 40);
        const auto rows = *rc::gen::inRange<std::uint32_t>(2, unknowns / 2 + 1);
        Problem<double> problem = make_problem<double>(dice, unknowns, rows);
        const Matrix<double> A = problem.dense();
        const double a = 2 + dice(), b = 2 + dice();
        std::vector<std::pair<std::uint32_t, double>> terms;
        for (std::uint32_t c = 0; c < unknowns; ++c)
            if (const double value = a * A(unknowns, c) + b * A(unknowns + 1, c); value != 0)
                terms.emplace_back(c, value);
        problem.add_row(terms);
        problem.finish();
        const LdlPlan plan(problem.size(), problem.entries, problem.order);
        Ldl<double> ldl(plan);

        RC_ASSERT(ldl.factor(problem.values, problem.kinds, kDependent));
        std::vector<double> x = random_side<double>(dice, problem.size());
        x.back() = a * x[unknowns] + b * x[unknowns + 1]; // else the rows contradict each other
        const std::vector<double> side(x.begin(), x.end() - 1);
        ldl.solve(x);

        std::vector<std::uint32_t> dropped;
        for (std::uint32_t i = 0; i < problem.size(); ++i)
            if (ldl.is_dropped(i))
                dropped.push_back(i);
        RC_ASSERT(dropped.size() == 1u);
        RC_ASSERT(dropped[0] == unknowns || dropped[0] == unknowns + 1 ||
                  dropped[0] == unknowns + rows);
        RC_ASSERT(x[dropped[0]] == 0.0);
        // What the unknowns do does not depend on which of the three was dropped.
        const Vector<double> reference = A.fullPivLu().solve(to_dense(side));
        x.resize(unknowns);
        RC_ASSERT(difference(x, Vector<double>(reference.head(unknowns))) < kRounding);
    }));
}

TEST_CASE("an unknown that nothing resists is named")
{
    Dice dice{std::mt19937(1)};
    Problem<double> problem = make_problem<double>(dice, 12, 4);
    const auto diagonal =
        std::find(problem.entries.begin(), problem.entries.end(), MatrixEntry{7, 7}) -
        problem.entries.begin();
    Problem<double> massless = problem;
    for (std::size_t k = 0; k < problem.entries.size(); ++k)
        if (problem.entries[k].row == 7 || problem.entries[k].column == 7)
            massless.values[k] = 0;
    Problem<double> negative = problem;
    negative.values[static_cast<std::size_t>(diagonal)] = -1;
    Problem<double> unknown = problem;
    unknown.values[static_cast<std::size_t>(diagonal)] = std::numeric_limits<double>::quiet_NaN();
    const LdlPlan plan(problem.size(), problem.entries, problem.order);
    Ldl<double> fresh(plan), used(plan);
    const std::vector<double> side = random_side<double>(dice, problem.size());

    for (const Problem<double>* bad : {&massless, &negative, &unknown}) {
        CHECK(!used.factor(bad->values, bad->kinds, kDependent));
        CHECK(used.singular() == 7);
    }

    // A failure leaves nothing behind.
    CHECK(fresh.factor(problem.values, problem.kinds, kDependent));
    CHECK(used.factor(problem.values, problem.kinds, kDependent));
    std::vector<double> x = side, y = side;
    fresh.solve(x);
    used.solve(y);
    CHECK(x == y);
}

TEST_CASE("the same numbers give the same bits, whatever was factored before")
{
    CHECK(rc::check("twice, with another matrix in between", [] {
        Dice dice{std::mt19937(*rc::gen::arbitrary<std::uint32_t>())};
        const Problem<double> problem = make_problem<double>(dice, 30, 10);
        std::vector<double> others = problem.values;
        for (double& value : others)
            value *= 1 + 0.1 * dice();
        const LdlPlan plan(problem.size(), problem.entries, problem.order);
        Ldl<double> ldl(plan);
        const std::vector<double> side = random_side<double>(dice, problem.size());
        std::vector<double> x = side, y = side, z = side;

        RC_ASSERT(ldl.factor(problem.values, problem.kinds, kDependent));
        ldl.solve(x);
        ldl.factor(others, problem.kinds, kDependent);
        ldl.solve(z);
        RC_ASSERT(ldl.factor(problem.values, problem.kinds, kDependent));
        ldl.solve(y);

        RC_ASSERT(x == y);
    }));
}

TEST_CASE("the order of elimination keeps a chain free of fill")
{
    constexpr std::uint32_t kSize = 1000;
    std::vector<MatrixEntry> entries;
    std::vector<std::uint32_t> shuffled(kSize);
    std::iota(shuffled.begin(), shuffled.end(), 0u);
    std::mt19937 engine(3);
    std::shuffle(shuffled.begin(), shuffled.end(), engine);
    for (std::uint32_t i = 0; i < kSize; ++i) {
        entries.push_back({i, i});
        if (i > 0)
            entries.push_back(
                {std::max(shuffled[i], shuffled[i - 1]), std::min(shuffled[i], shuffled[i - 1])});
    }

    const LdlPlan plan(kSize, entries, find_elimination_order(kSize, entries));

    CHECK(plan.factor_entry_count() == kSize - 1);
    CHECK(plan.factor_cost() == 2 * (kSize - 1));
}
