// A y = −b with y = s λ, A and b scaled by s = √(C + Σ)ᵢᵢ as in [notes: rows, eq. 4], factored and
// refined. Where rows are redundant A has a little on its diagonal, and refining from y = 0 goes to
// the smallest solution: no step has a part along what A does not see.

#include "solve/rows/equal_rows.h"

#include "base/clones.h"
#include "math/rank.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

constexpr double kIdle = 1e-7;      // scale, against the largest: below, the row moves nothing
constexpr double kRounding = 1e-13; // of velocities
constexpr double kGive = 1e-8;      // on the diagonal, where rows say what others say
constexpr int kRefinements = 6;

} // namespace

/// y += C x, C symmetric and read by columns.
SINEW_CLONES void add_dense_product(const double* C, std::size_t n, const double* x, double* y)
{
    for (std::size_t k = 0; k < n; ++k) {
        const double own = x[k];
        const double* column = C + k * n;
        for (std::size_t i = 0; i < n; ++i)
            y[i] += column[i] * own;
    }
}

/// The lower triangle of a symmetric matrix, its row i and column i divided by scale i.
SINEW_CLONES void scale_columns(const double* C, std::size_t n, const double* inverse, double* A)
{
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = k; i < n; ++i)
            A[k * n + i] = C[k * n + i] * inverse[i] * inverse[k];
}

/// error = −(A y + b), by way of impulses.
void EqualRows::update_error(const RowProblem& problem)
{
    const std::size_t n = std::size_t(problem.size());
    error_ = problem.q;
    add_dense_product(problem.C.data(), n, y_.data(), error_.data());
    error_ = -(error_ + problem.compliance.cwiseProduct(y_)).cwiseQuotient(scale_);
}

/// Factors A + give, and says what its least pivot is.
double EqualRows::factor(const RowProblem& problem, double give)
{
    const std::size_t n = std::size_t(problem.size());
    matrix_.begin(n);
    error_ = scale_.cwiseInverse();
    scale_columns(problem.C.data(), n, error_.data(), matrix_.column(0));
    for (std::size_t i = 0; i < n; ++i) // with Σ
        matrix_.column(i)[i] = 1 + give;
    return matrix_.factor(give > 0 ? 0 : kDependent);
}

/// The tolerance, or what rounding leaves.
double EqualRows::wanted_of(const RowProblem& problem, double residual, double tolerance)
{
    if (residual <= tolerance)
        return tolerance;
    error_ = problem.q.cwiseAbs() + problem.compliance.cwiseProduct(y_.cwiseAbs());
    for (Eigen::Index k = 0; k < problem.size(); ++k)
        error_ += problem.C.col(k).cwiseAbs() * std::abs(y_[k]);
    return std::max(tolerance, std::min(kRounding * error_.maxCoeff(), 1e3 * tolerance));
}

/// Scales and factors; says whether that can be used.
bool EqualRows::prepare(const RowProblem& problem)
{
    scale_ = (problem.C.diagonal() + problem.compliance).cwiseMax(0).cwiseSqrt();
    if (scale_.minCoeff() <= kIdle * scale_.maxCoeff())
        return false;
    is_redundant_ = !(factor(problem, 0) > kDependent);
    return !is_redundant_ || factor(problem, kGive) > 0;
}

std::optional<RowSolveReport> EqualRows::solve(const RowProblem& problem, double tolerance,
                                               bool keeps_matrix, Eigen::VectorXd& impulse)
{
    const std::size_t n = std::size_t(problem.size());
    if (n == 0 || std::ranges::any_of(problem.law, [](Law law) { return law != Law::equal; }))
        return std::nullopt;
    if (!(keeps_matrix && is_prepared_))
        is_prepared_ = prepare(problem);
    if (!is_prepared_)
        return std::nullopt;
    const bool is_redundant = is_redundant_;
    RowSolveReport report{.iterations = 1};
    y_.setZero(Eigen::Index(n));
    error_ = -problem.q.cwiseQuotient(scale_);
    // From nothing, so that redundant rows share: what they could push against each other stays 0.
    for (int k = 0; k < (is_redundant ? kRefinements : 2); ++k) {
        matrix_.solve({error_.data(), n});
        y_ += error_.cwiseQuotient(scale_);
        update_error(problem);
        report.residual = error_.cwiseProduct(scale_).cwiseAbs().maxCoeff();
        if (is_redundant && report.residual <= 0.1 * tolerance)
            break;
    }
    if (is_redundant && !(report.residual <= tolerance)) // they contradict each other
        return std::nullopt;
    impulse = y_;
    report.converged = report.residual <= wanted_of(problem, report.residual, tolerance);
    return report;
}

} // namespace sinew
