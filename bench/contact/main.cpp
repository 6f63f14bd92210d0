// Error against time for contact problems (W, q, μ): the rows' Newton beside Gauss-Seidel, in one
// run. Files are those that Siconos ships with its sources, or any it has written.

#include "../timing.h"
#include "gauss_seidel.h"
#include "solve/rows/row_newton.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>
#include <vector>

namespace sinew::bench {

namespace {

struct Options {
    std::vector<std::string> files;
    double seconds = 5; ///< of Gauss-Seidel, for each problem
    int most = 1000;    ///< rows; larger problems are left out: W is dense for us
};

RowProblem rows_of(const ContactProblem& problem)
{
    const Eigen::Index n = problem.q.size();
    RowProblem rows{problem.W,
                    problem.q,
                    Eigen::VectorXd::Zero(n),
                    {},
                    Eigen::VectorXd::Zero(n),
                    Eigen::VectorXd::Zero(n),
                    Eigen::VectorXd::Zero(n)};
    for (Eigen::Index i = 0; i < problem.contacts(); ++i) {
        rows.law.insert(rows.law.end(), {Law::push, Law::disc, Law::disc});
        rows.friction.segment<3>(3 * i).setConstant(problem.mu[i]);
    }
    return rows;
}

void print(const char* solver, double seconds, double error, int count, const char* of)
{
    fmt::print("  {:<14} {:>10.3f} ms   error {:.1e}   {} {}\n", solver, 1e3 * seconds, error,
               count, of);
}

void run_newton(const ContactProblem& problem)
{
    constexpr double kExact = 1e-10; // of the largest velocity
    const RowProblem rows = rows_of(problem);
    const RowOptions options{.tolerance = kExact * problem.q.lpNorm<Eigen::Infinity>()};
    RowMemory memory;
    Eigen::VectorXd r;
    RowSolveReport report;
    const double seconds = seconds_per_call([&] {
        r.setZero(problem.q.size());
        report = solve_rows(rows, options, r, memory);
    });
    print(report.converged ? "rows' Newton" : "not to 1e-10", seconds, compute_error(problem, r),
          report.iterations, "systems");
}

/// The error after 1, 10, 100 sweeps and so on; time for looking at it does not count.
void run_gauss_seidel(const ContactProblem& problem, double most_seconds)
{
    constexpr double kExact = 1e-12;
    double seconds = 0, start = seconds_now();
    GaussSeidel solver(problem);
    for (int sweep = 1, told = 1;; ++sweep) {
        solver.sweep();
        const double so_far = seconds + seconds_now() - start;
        if (sweep < told && so_far < most_seconds)
            continue;
        seconds = so_far;
        const double error = compute_error(problem, solver.impulses());
        print("Gauss-Seidel", seconds, error, sweep, "sweeps");
        if (error < kExact || seconds >= most_seconds)
            return;
        told *= 10;
        start = seconds_now();
    }
}

void run(const ContactProblem& problem, const Options& options)
{
    constexpr double kRounding = 1e-12;
    fmt::print("{}: {} {}", problem.name, problem.contacts(),
               problem.contacts() == 1 ? "contact" : "contacts");
    if (problem.skew > kRounding)
        fmt::print(", W made symmetric by {:.0e} of it", problem.skew);
    fmt::print("\n");
    if (problem.q.size() > options.most) {
        fmt::print("  left out: {} rows, more than --most {}\n", problem.q.size(), options.most);
        return;
    }
    run_newton(problem);
    run_gauss_seidel(problem, options.seconds);
}

bool read_options(int count, char** arguments, Options& options)
{
    for (int i = 1; i < count; ++i) {
        const std::string_view word = arguments[i];
        if (!word.starts_with("--")) {
            options.files.emplace_back(word);
            continue;
        }
        if (i + 1 >= count || (word != "--seconds" && word != "--most"))
            return false;
        const double number = std::atof(arguments[++i]);
        if (!(number > 0))
            return false;
        if (word == "--most")
            options.most = int(number);
        else
            options.seconds = number;
    }
    return true;
}

} // namespace

} // namespace sinew::bench

int main(int count, char** arguments)
{
    using namespace sinew::bench;
    Options options;
    if (!read_options(count, arguments, options)) {
        fmt::print(stderr, "bench_contact [FILE.dat ...] [--seconds S] [--most ROWS]\n");
        return 2;
    }
    for (const std::string& file : options.files) {
        std::string why;
        if (const auto problem = read_problem(file, why))
            run(*problem, options);
        else
            fmt::print("{}: {}\n", file, why);
    }
    if (options.files.empty())
        for (const int boxes : {1, 5, 20})
            for (const double ratio : {1.0, 2.0})
                run(make_stack(boxes, ratio), options);
    return 0;
}
