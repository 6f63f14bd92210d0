#include "solve/island/condense.h"
#include "solve/island/solver.h"
#include "solve/rows/row_newton.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>

#include <random>

using namespace sinew;
using namespace sinew::island;

namespace {

/// Random numbers of one seed.
struct Dice {
    std::mt19937 random;
    double any(double low, double high)
    {
        return std::uniform_real_distribution<double>(low, high)(random);
    }
    std::uint32_t number(std::uint32_t count) { return std::uint32_t(random() % count); }
};

/// A positive matrix.
Eigen::MatrixXd make_positive(Dice& dice, Eigen::Index size, double heaviness)
{
    Eigen::MatrixXd A(size, size);
    for (Eigen::Index i = 0; i < A.size(); ++i)
        A.data()[i] = dice.any(-1, 1);
    return heaviness * (A * A.transpose() + double(size) * Eigen::MatrixXd::Identity(size, size));
}

/// Bodies, chains and condensed blocks, W of them as a whole matrix too.
void add_blocks(Dice& dice, int count, double spread, System& system, Eigen::MatrixXd& W)
{
    for (int b = 0; b < count; ++b) {
        const std::uint32_t kind = dice.number(3);
        if (kind == 2) {
            system.add_unit_block(1 + dice.number(7));
            continue;
        }
        const std::uint32_t vertices = kind == 0 ? 1 : 5 + dice.number(4);
        system.add_block(vertices, kind == 0 ? 6 : 4, kind == 0 ? 0 : 3);
    }
    const Eigen::Index n = Eigen::Index(system.number_count());
    W.setIdentity(n, n);
    for (const Block& block : system.blocks) {
        if (block.is_unit)
            continue;
        double heaviness = 1;
        for (double k = dice.any(0, spread); k > 1; --k)
            heaviness *= 10;
        Eigen::MatrixXd own = Eigen::MatrixXd::Zero(block.number_count(), block.number_count());
        for (std::uint32_t i = 0; i + block.reach < block.vertices; ++i) {
            const Eigen::Index size = block.size * (block.reach + 1);
            own.block(i * block.size, i * block.size, size, size) +=
                make_positive(dice, size, heaviness);
        }
        double* value = system.W_of(block).data();
        for (std::uint32_t i = 0; i < block.vertices; ++i)
            for (std::uint32_t k = 0; k <= block.reach && i + k < block.vertices; ++k)
                for (std::uint32_t r = 0; r < block.size; ++r)
                    for (std::uint32_t c = 0; c < block.size; ++c)
                        *value++ = own((i + k) * block.size + r, i * block.size + c);
        W.block(block.first_number, block.first_number, own.rows(), own.cols()) = own;
    }
}

using Laws = std::vector<Law>;

/// One group of rows between one or two blocks.
void add_rows(Dice& dice, const Laws& laws, System& system)
{
    RowGroup group{.key = system.groups.size() + 1};
    group.row_count = std::uint8_t(laws.size());
    std::copy(laws.begin(), laws.end(), group.law.begin());
    system.add_group(group, std::uint32_t(system.row_count()));
    std::vector<std::uint32_t> touched;
    for (std::uint32_t side = 0; side < 1 + dice.number(2); ++side) {
        const Block& block = system.blocks[dice.number(std::uint32_t(system.blocks.size()))];
        const std::uint32_t count = std::min(block.vertices, block.reach + 1);
        const std::uint32_t first = dice.number(block.vertices - count + 1);
        for (std::uint32_t k = 0; k < count; ++k)
            touched.push_back(block.first_vertex + first + k);
    }
    for (const std::uint32_t vertex : touched)
        system.add_vertex(vertex);
    system.end_group();
    for (std::uint32_t r = 0; r < group.row_count; ++r)
        for (const std::uint32_t vertex : touched) {
            std::vector<double> numbers(system.vertices[vertex].size);
            for (double& number : numbers)
                number = dice.any(-1, 1);
            system.add_weights(r, vertex, numbers);
        }
    for (const Law law : laws) {
        const bool is_friction = follows_push(law) || law == Law::slide;
        system.velocity.push_back(0);
        system.compliance.push_back(law == Law::box ? dice.any(0, 0.2) : 0);
        system.friction.push_back(is_friction ? dice.any(0, 0.8) : 0);
        system.lo.push_back(law == Law::box ? dice.any(-0.2, 0) : 0);
        system.hi.push_back(law == Law::box ? dice.any(0, 0.2) : 0);
        system.held.push_back(0);
    }
}

/// The same as a dense system of rows.
RowProblem make_dense(const System& system, const Eigen::MatrixXd& W)
{
    const Eigen::Index rows = Eigen::Index(system.row_count());
    Eigen::MatrixXd J(rows, W.rows());
    for (Eigen::Index k = 0; k < W.rows(); ++k) {
        Eigen::VectorXd unit = Eigen::VectorXd::Unit(W.rows(), k), w(rows);
        multiply_rows(system, {unit.data(), std::size_t(W.rows())}, {w.data(), std::size_t(rows)});
        J.col(k) = w;
    }
    const auto vector = [&](const std::vector<double>& numbers) {
        return Eigen::VectorXd(Eigen::VectorXd::Map(numbers.data(), rows));
    };
    RowProblem dense;
    dense.C = J * W.llt().solve(J.transpose());
    dense.q = vector(system.velocity) - dense.C * vector(system.held);
    dense.compliance = vector(system.compliance);
    dense.friction = vector(system.friction);
    dense.lo = vector(system.lo);
    dense.hi = vector(system.hi);
    for (const Group& group : system.groups)
        dense.law.insert(dense.law.end(), group.law.begin(), group.law.begin() + group.row_count);
    return dense;
}

struct Case {
    Solver solver;
    RowProblem dense;
    Eigen::VectorXd impulse;

    Case(unsigned seed, int blocks, int groups, double spread, const std::vector<Laws>& kinds)
    {
        Dice dice{std::mt19937(seed)};
        Eigen::MatrixXd W;
        add_blocks(dice, blocks, spread, solver.system, W);
        for (int g = 0; g < groups; ++g)
            add_rows(dice, kinds[dice.number(std::uint32_t(kinds.size()))], solver.system);
        std::vector<double> motion(solver.system.number_count()); // to stand still is an answer
        for (double& number : motion)
            number = dice.any(-1, 1);
        multiply_rows(solver.system, motion, solver.system.velocity);
        dense = make_dense(solver.system, W);
        impulse.setZero(dense.size());
    }

    /// What moves of itself moves a little otherwise: rows do not contradict each other by it.
    void push(unsigned seed, double speed)
    {
        Dice dice{std::mt19937(seed)};
        std::vector<double> motion(solver.system.number_count()), more(solver.system.row_count());
        for (double& number : motion)
            number = dice.any(-speed, speed);
        multiply_rows(solver.system, motion, more);
        for (std::size_t i = 0; i < more.size(); ++i)
            solver.system.velocity[i] += more[i];
    }

    /// To the tolerance, unless contacts are to stay near their start.
    island::Report solve(const Options& options = {.near = 0})
    {
        solver.prepare();
        return solver.solve(options, {impulse.data(), std::size_t(impulse.size())});
    }

    /// The impulses become those that are held.
    void go_on()
    {
        const Eigen::VectorXd w = dense.C * impulse + dense.q;
        std::copy(w.begin(), w.end(), solver.system.velocity.begin());
        std::copy(impulse.begin(), impulse.end(), solver.system.held.begin());
    }
};

const Laws kTie = {Law::equal, Law::equal, Law::equal}, kStop = {Law::push}, kMotor = {Law::box},
           kContact = {Law::push, Law::disc, Law::disc},
           kPatch = {Law::push, Law::disc, Law::disc, Law::disc},
           kRoll = {Law::push, Law::disc, Law::disc, Law::roll, Law::roll},
           kLine = {Law::push, Law::disc}, kKeyhole = {Law::equal, Law::equal, Law::slide},
           kJoint = {Law::equal, Law::equal, Law::push, Law::box};

} // namespace

TEST_CASE("an island's rows are solved as by the dense solver [notes: island, eq. 1]")
{
    for (unsigned seed = 1; seed <= 30; ++seed) {
        CAPTURE(seed);
        Case without(seed, 8, 10, 2, {kStop, kMotor, kJoint});
        const island::Report report = without.solve();
        CHECK(report.converged);
        Eigen::VectorXd expected = Eigen::VectorXd::Zero(without.dense.size());
        REQUIRE(solve_rows(without.dense, {}, expected).converged);
        CHECK((without.dense.C * (without.impulse - expected)).norm() < 1e-6);
    }
}

TEST_CASE("every law of an island holds where its rows are independent")
{
    int general = 0, most = 0;
    for (unsigned seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        Case mixed(seed, 10, 8, 2,
                   {kTie, kStop, kMotor, kContact, kPatch, kRoll, kLine, kKeyhole, kJoint});
        const island::Report report = mixed.solve();
        CHECK(report.converged);
        CHECK(compute_row_residual(mixed.dense, mixed.impulse) < 1e-6);
        general += report.general;
        most = std::max(most, report.factorisations);
    }
    MESSAGE("most factorisations ", most, ", not symmetric ", general);
    CHECK(general > 0);
}

TEST_CASE("more contacts than an island has numbers are solved all the same")
{
    for (unsigned seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        Case crowded(seed, 4, 40, 1, {kContact, kPatch});
        const island::Report report = crowded.solve();
        CHECK(compute_row_residual(crowded.dense, crowded.impulse) < 1e-6);
        CHECK(report.converged);
    }
}

TEST_CASE("a start that fulfils its laws costs no factorisation, and the same numbers give the "
          "same bits")
{
    Case first(5, 10, 8, 2, {kTie, kContact, kKeyhole}),
        second(5, 10, 8, 2, {kTie, kContact, kKeyhole});
    REQUIRE(first.solve().converged);
    REQUIRE(second.solve().converged);
    CHECK(first.impulse == second.impulse);
    first.go_on();
    const island::Report again = first.solve({.tolerance = 1e-10, .near = 0});
    CHECK(again.converged);
    CHECK(again.factorisations == 0);
    CHECK(first.solver.plan_count() == 1);
}

TEST_CASE("contacts that contradict each other a little are solved near their start, and come to "
          "hold where nothing changes [notes: island, eq. 6]")
{
    int exact = 0, near = 0;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        Case crowded(seed, 4, 40, 1, {kContact, kPatch});
        CHECK(crowded.solve({}).converged);
        const double speed = (crowded.dense.q.cwiseAbs() +
                              crowded.dense.C.diagonal().cwiseProduct(crowded.impulse.cwiseAbs()))
                                 .maxCoeff();
        CHECK(compute_row_residual(crowded.dense, crowded.impulse) < 1e-5 * speed);
        for (int step = 0; step < 12; ++step) {
            crowded.go_on();
            CHECK(crowded.solve({}).converged);
        }
        CHECK(compute_row_residual(crowded.dense, crowded.impulse) < 2e-7 * speed);
        crowded.go_on();
        Dice dice{std::mt19937(seed)};
        for (double& velocity : crowded.solver.system.velocity)
            velocity += dice.any(-1e-7, 1e-7);
        near += crowded.solve({}).factorisations;
        exact += crowded.solve().factorisations;
    }
    MESSAGE("factorisations ", near, ", of exact contacts ", exact);
    CHECK(near < 0.7 * exact);
}

TEST_CASE("what was solved in the pass before is left as it is within the tolerance")
{
    Case mixed(5, 10, 8, 2, {kTie, kContact, kKeyhole});
    REQUIRE(mixed.solve().converged);
    mixed.go_on();
    mixed.solver.system.velocity[0] += 1e-11;
    CHECK(mixed.solve({.near = 0}).factorisations == 1);
    CHECK(mixed.solve({.near = 0, .goes_on = true}).factorisations == 0);
}

TEST_CASE("what goes on from a solved pass and changes little is solved by the factors there are")
{
    int reused = 0;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        Case kept(seed, 10, 8, 2, {kTie, kContact, kKeyhole, kMotor}),
            fresh(seed, 10, 8, 2, {kTie, kContact, kKeyhole, kMotor});
        for (Case* each : {&kept, &fresh}) {
            REQUIRE(each->solve().converged);
            each->go_on();
            each->push(seed, 1e-6);
        }
        const auto numbers = [](Case& of) {
            return std::span(of.impulse.data(), std::size_t(of.impulse.size()));
        };
        const island::Report report =
            kept.solver.solve({.near = 0, .goes_on = true}, numbers(kept));
        CHECK(report.converged);
        CHECK(report.residual < 1e-9);
        reused += report.factorisations == 0;
        CHECK(fresh.solve().converged);
        CHECK((kept.dense.C * (kept.impulse - fresh.impulse)).norm() < 1e-8);
    }
    CHECK(reused >= 8); // the others do not begin on the pieces that were factored last
}

TEST_CASE("work on an island is bounded, whatever its rows ask for")
{
    Case mixed(3, 10, 12, 4, {kTie, kContact, kPatch, kKeyhole});
    const island::Report report = mixed.solve({.near = 0, .iterations = 3});
    CHECK(report.factorisations <= 4);
    CHECK(mixed.impulse.allFinite());
}

TEST_CASE("a block that answers by a matrix is one whose inertia is 1 [notes: island, eq. 2]")
{
    Dice dice{std::mt19937(11)};
    Eigen::MatrixXd J(7, 4);
    for (Eigen::Index i = 0; i < J.size(); ++i)
        J.data()[i] = dice.any(-1, 1);
    const Eigen::MatrixXd C = J * J.transpose();
    std::vector<double> numbers(C.data(), C.data() + C.size()), F;
    update_directions(numbers, 7, 6, F);
    const Eigen::MatrixXd directions =
        Eigen::Map<Eigen::Matrix<double, 7, 6, Eigen::RowMajor>>(F.data());
    CHECK((directions * directions.transpose() - C).norm() < 1e-13);
    CHECK(directions.rightCols(2).norm() < 1e-6);
}
