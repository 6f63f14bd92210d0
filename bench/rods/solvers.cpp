#include "solvers.h"

#include "../timing.h"
#include "nets.h"
#include "solve/linear/sparse/front_ldl.h"

#include <Eigen/SparseCholesky>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

#if defined(SINEW_HAS_OPENBLAS)
extern "C" {
void dgbsv_(const int* n, const int* kl, const int* ku, const int* nrhs, double* ab,
            const int* ldab, int* ipiv, double* b, const int* ldb, int* info);
void openblas_set_num_threads(int count);
}
#endif

namespace sinew::bench {

namespace {

using Matrix = Eigen::SparseMatrix<double>;

struct Result {
    double seconds = 0, residual = 0;
};

Matrix matrix_of(const Net& net)
{
    std::vector<Eigen::Triplet<double>> entries;
    for (const BlockPattern::Block& block : net.pattern.blocks) {
        const std::uint32_t columns = net.pattern.vertices[block.column].size;
        for (std::uint32_t r = 0; r < net.pattern.vertices[block.row].size; ++r)
            for (std::uint32_t c = 0; c < (block.row == block.column ? r + 1 : columns); ++c) {
                const int i = int(net.pattern.start[block.row] + r);
                const int j = int(net.pattern.start[block.column] + c);
                const double entry = net.values[block.first + r * columns + c];
                entries.emplace_back(i, j, entry);
                if (i != j)
                    entries.emplace_back(j, i, entry);
            }
    }
    Matrix A(int(net.pattern.size()), int(net.pattern.size()));
    A.setFromTriplets(entries.begin(), entries.end());
    return A;
}

/// Numbers only, as a step does it while its pattern stays.
Result time_fronts(const Net& net)
{
    const FrontPlan plan(net.pattern);
    FrontLdl ldl(plan);
    std::vector<double> x;
    const double seconds = seconds_per_call([&] {
        ldl.factor(net.values);
        x = net.side;
        ldl.solve(x);
    });
    return {seconds, residual_of(net, x)};
}

Result time_eigen(const Net& net)
{
    const Matrix A = matrix_of(net);
    const Eigen::VectorXd b = Eigen::VectorXd::Map(net.side.data(), Eigen::Index(net.side.size()));
    Eigen::SimplicialLDLT<Matrix> ldlt;
    ldlt.analyzePattern(A);
    Eigen::VectorXd x;
    const double seconds = seconds_per_call([&] {
        ldlt.factorize(A);
        x = ldlt.solve(b);
    });
    return {seconds, residual_of(net, {x.data(), x.data() + x.size()})};
}

/// Reverse Cuthill-McKee: from the far end of the last of three searches, nearest first, backwards.
[[maybe_unused]] std::vector<int> find_band_order(const Matrix& A)
{
    const int n = int(A.rows());
    std::vector<int> order;
    std::vector<char> seen(std::size_t(n), 0);
    const auto degree = [&](int i) { return A.outerIndexPtr()[i + 1] - A.outerIndexPtr()[i]; };
    const auto search = [&](int from, std::vector<int>& found, std::vector<char>& marks) {
        std::size_t next = found.size();
        found.push_back(from);
        marks[std::size_t(from)] = 1;
        while (next < found.size()) {
            const std::size_t begin = found.size();
            for (Matrix::InnerIterator it(A, found[next++]); it; ++it)
                if (!marks[std::size_t(it.row())]) {
                    marks[std::size_t(it.row())] = 1;
                    found.push_back(int(it.row()));
                }
            std::sort(found.begin() + std::ptrdiff_t(begin), found.end(), [&](int a, int b) {
                return std::pair(degree(a), a) < std::pair(degree(b), b);
            });
        }
    };
    for (int i = 0; i < n; ++i) {
        if (seen[std::size_t(i)])
            continue;
        int from = i;
        for (int k = 0; k < 3; ++k) {
            std::vector<int> found;
            std::vector<char> marks = seen;
            search(from, found, marks);
            from = found.back();
        }
        search(from, order, seen);
    }
    std::reverse(order.begin(), order.end());
    return order;
}

#if defined(SINEW_HAS_OPENBLAS)
Result time_lapack(const Net& net)
{
    openblas_set_num_threads(1);
    const Matrix A = matrix_of(net);
    const std::vector<int> order = find_band_order(A);
    const int n = int(A.rows()), one = 1;
    std::vector<int> place(order.size());
    for (int k = 0; k < n; ++k)
        place[std::size_t(order[std::size_t(k)])] = k;
    int width = 0;
    for (int c = 0; c < n; ++c)
        for (Matrix::InnerIterator it(A, c); it; ++it)
            width = std::max(width, std::abs(place[std::size_t(it.row())] - place[std::size_t(c)]));
    const int height = 3 * width + 1;
    std::vector<double> band(std::size_t(height) * order.size(), 0), work, y(order.size()),
        x(order.size());
    for (int c = 0; c < n; ++c)
        for (Matrix::InnerIterator it(A, c); it; ++it) {
            const int i = place[std::size_t(it.row())], j = place[std::size_t(c)];
            band[std::size_t(j) * std::size_t(height) + std::size_t(2 * width + i - j)] =
                it.value();
        }
    std::vector<int> pivots(order.size());
    const double seconds = seconds_per_call([&] {
        work = band;
        for (std::size_t i = 0; i < y.size(); ++i)
            y[std::size_t(place[i])] = net.side[i];
        int info = 0;
        dgbsv_(&n, &width, &width, &one, work.data(), &height, pivots.data(), y.data(), &n, &info);
        for (std::size_t i = 0; i < y.size(); ++i)
            x[i] = y[std::size_t(place[i])];
    });
    return {seconds, residual_of(net, x)};
}
#endif

void print_rivals()
{
    fmt::print("\nsolver, us: numbers only, one thread\n"
               "net                        unknowns     ours  residual    Eigen  residual  ratio");
#if defined(SINEW_HAS_OPENBLAS)
    fmt::print("    dgbsv  ratio");
#endif
    fmt::print("\n");
    for (const NetShape& shape :
         std::vector<NetShape>{{"4 ropes of 30", 4, 30, 26, 24},
                               {"net of 40 ropes of 30", 40, 30, 260, 240},
                               {"4 ropes of 300", 4, 300, 260, 240},
                               {"net of 400 ropes of 30", 400, 30, 2600, 2400},
                               {"4 ropes of 3000", 4, 3000, 2600, 2400}}) {
        const Net net = make_net(shape);
        const Result ours = time_fronts(net), eigen = time_eigen(net);
        fmt::print("{:<26} {:>8} {:>8.0f} {:>9.0e} {:>8.0f} {:>9.0e} {:>6.1f}", shape.name,
                   net.pattern.size(), ours.seconds * 1e6, ours.residual, eigen.seconds * 1e6,
                   eigen.residual, eigen.seconds / ours.seconds);
#if defined(SINEW_HAS_OPENBLAS)
        const Result lapack = time_lapack(net);
        fmt::print(" {:>8.0f} {:>6.1f}", lapack.seconds * 1e6, lapack.seconds / ours.seconds);
#endif
        fmt::print("\n");
    }
#if !defined(SINEW_HAS_OPENBLAS)
    fmt::print("(libopenblas-dev is not installed: no dgbsv)\n");
#endif
}

/// Slope of log time over log unknowns between the first and the last.
void print_growth(const char* what, const std::vector<int>& counts,
                  const std::function<Net(int)>& make)
{
    fmt::print("\n{}\nropes  unknowns        us\n", what);
    double first_time = 0, first_size = 0, exponent = 0;
    for (const int count : counts) {
        const Net net = make(count);
        const double seconds = time_fronts(net).seconds, size = double(net.pattern.size());
        fmt::print("{:>5} {:>9.0f} {:>9.0f}\n", count, size, seconds * 1e6);
        if (first_time == 0) {
            first_time = seconds;
            first_size = size;
        } else {
            exponent = std::log(seconds / first_time) / std::log(size / first_size);
        }
    }
    fmt::print("exponent {:.2f}\n", exponent);
}

} // namespace

void print_solvers()
{
    print_rivals();
    print_growth("nets of ropes with 30 points", {4, 13, 40, 130, 400}, [](int ropes) {
        return make_net({"", ropes, 30, 13 * ropes / 2, 6 * ropes});
    });
    print_growth("square nets", {4, 8, 16, 32, 64}, make_square_net);
}

} // namespace sinew::bench
