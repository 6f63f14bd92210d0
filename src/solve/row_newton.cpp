// Semi-smooth Newton on the natural map of row laws, with a proximal fallback.
//
//   in:  C = J W⁻¹ Jᵀ, velocities q without impulses, laws, last step's impulses
//   out: impulses λ that fulfil every law
//
// F is piecewise smooth; Newton takes the slope of the piece it stands on, without the rows that
// have their bound, and goes along the step as far as the merit ½ F² [J] falls. Redundant contacts
// make the slope singular; where that stalls the iteration, proximal steps go on.
//
//   symbol | code         | unit | meaning
//   -------|--------------|------|------------------------------------------
//   ρ      | rho          | -    | weight of the proximal term

#include "solve/row_newton.h"

#include "solve/row_map.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

constexpr double kRank = 1e-12; // pivot, against 1: below, the row says what others said
constexpr double kProximal =
    10; // its problems are solved to the tolerance, their limit to this many

/// The tolerance, or what rounding leaves; but rows that contradict each other and drive impulses
/// without bound are not solved by that.
double attainable(const ScaledProblem& p, const VectorXd& y, double tolerance)
{
    return std::max(tolerance, std::min(rounding_of(p, y), 1e3 * tolerance));
}

/// x of M x = r; of a singular M, the smallest.
VectorXd solve_general(const MatrixXd& M, const VectorXd& r)
{
    const Eigen::PartialPivLU<MatrixXd> lu(M);
    if (lu.rcond() > kRank)
        return lu.solve(r);
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> cod;
    cod.setThreshold(kRank);
    return cod.compute(M).solve(r);
}

/// The Newton step. Bound rows go to their bound; the others solve slope · step = −F.
VectorXd compute_step(const Piece& piece)
{
    std::vector<Index> bound, free;
    for (Index i = 0; i < piece.F.size(); ++i)
        (piece.bound[std::size_t(i)] ? bound : free).push_back(i);
    VectorXd step(piece.F.size());
    step(bound) = -piece.F(bound);
    if (!free.empty())
        step(free) = solve_general(piece.slope(free, free),
                                   -piece.F(free) - piece.slope(free, bound) * step(bound));
    return step;
}

/// Iterates from y until the residual is within tolerance; true when it is. y ends where the merit
/// ½ F² [J] was last lowered.
bool iterate(const ScaledProblem& p, double tolerance, int limit, VectorXd& y, int& iterations)
{
    Piece piece, tried;
    update_piece(p, y, true, piece);
    for (int i = 0; i < limit; ++i) {
        // A start is left alone only when rounding is all that is wrong with it: within a mere
        // tolerance the errors of many warm steps would add up, and things at rest would creep.
        if (residual_of(p, piece) <=
            (i == 0 ? std::min(tolerance, 0.01 * rounding_of(p, y)) : attainable(p, y, tolerance)))
            return true;
        const VectorXd step = compute_step(piece);
        ++iterations;
        const double merit = piece.F.squaredNorm();
        double fraction = 1, best_fraction = 0, best = merit;
        for (; fraction > 1e-4; fraction /= 2) { // line search
            update_piece(p, y + fraction * step, false, tried);
            const double now = tried.F.squaredNorm();
            if (now < best) {
                best = now;
                best_fraction = fraction;
            }
            if (now <= (1 - 1e-4 * fraction) * merit)
                break;
        }
        if (best_fraction == 0)
            break;
        y += best_fraction * step;
        update_piece(p, y, true, piece);
    }
    return residual_of(p, piece) <= attainable(p, y, tolerance);
}

/// Proximal Newton: each problem has ρ on its diagonal and stays near the last good y, so that
/// redundant contacts, whose matrix is singular, have one answer each time.
void iterate_proximal(const ScaledProblem& p, const RowOptions& options, VectorXd& y,
                      int& iterations)
{
    ScaledProblem near = p;
    Piece piece;
    VectorXd best = y, good = y;
    update_piece(p, y, false, piece);
    double least = residual_of(p, piece), rho = 0.1;
    while (iterations < options.iterations) {
        near.A = p.A;
        near.A.diagonal().array() += rho;
        near.b = p.b - rho * good;
        VectorXd next = good;
        const int limit = std::min(options.proximal_iterations, options.iterations - iterations);
        const int before = iterations;
        const bool has_solved = iterate(near, options.tolerance, limit, next, iterations);
        iterations = std::max(iterations, before + 1); // the loop ends
        update_piece(p, next, false, piece);
        if (const double residual = residual_of(p, piece); residual < least) {
            least = residual;
            best = next;
        }
        if (least <= attainable(p, best, kProximal * options.tolerance))
            break;
        if (has_solved)
            good = next;
        rho *= has_solved ? 0.5 : 4;
    }
    y = best;
}

/// All rows equal: A y = −b. Of redundant rows the smallest solution, which is continuous in time
/// while the rank stays.
VectorXd solve_direct(const ScaledProblem& p)
{
    if (p.size() == 0)
        return VectorXd(0);
    const Eigen::LDLT<MatrixXd> ldlt(p.A);
    if (ldlt.vectorD().minCoeff() > kRank) {
        VectorXd y = ldlt.solve(-p.b);
        y += ldlt.solve(-p.b - p.A * y); // refinement
        return y;
    }
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> cod;
    cod.setThreshold(kRank);
    return cod.compute(p.A).solve(-p.b);
}

/// Rows that move nothing: how many, and how far their law is from what cannot be changed.
void add_idle_rows(const RowProblem& problem, const ScaledProblem& p, RowSolveReport& report)
{
    report.idle_rows = int(problem.size() - p.size());
    std::size_t next = 0;
    for (Index i = 0; i < problem.size(); ++i) {
        if (next < p.row.size() && p.row[next] == i) {
            ++next;
            continue;
        }
        const Law law = problem.law[std::size_t(i)];
        const double error = law == Law::equal  ? std::abs(problem.q[i])
                             : law == Law::push ? std::max(0.0, -problem.q[i])
                                                : 0;
        report.idle_residual = std::max(report.idle_residual, error);
    }
}

} // namespace

double compute_row_residual(const RowProblem& problem, const VectorXd& impulse) noexcept
{
    const ScaledProblem p = make_scaled(problem);
    Piece piece;
    update_piece(p, impulse(p.row).cwiseProduct(p.scale), false, piece);
    return residual_of(p, piece);
}

namespace {

RowSolveReport solve_awake(const RowProblem& problem, const RowOptions& options, VectorXd& impulse)
{
    const ScaledProblem p = make_scaled(problem);
    RowSolveReport report;
    VectorXd y = impulse(p.row).cwiseProduct(p.scale);
    if (std::ranges::all_of(p.law, [](Law law) { return law == Law::equal; })) {
        y = solve_direct(p);
        report.iterations = 1;
    } else if (!iterate(p, options.tolerance, options.newton_iterations, y, report.iterations)) {
        report.proximal = true;
        iterate_proximal(p, options, y, report.iterations);
    }
    Piece piece;
    update_piece(p, y, false, piece);
    report.residual = residual_of(p, piece);
    const double wanted = (report.proximal ? kProximal : 1) * options.tolerance;
    report.converged = report.residual <= attainable(p, y, wanted);
    add_idle_rows(problem, p, report);
    impulse.setZero();
    impulse(p.row) = y.cwiseQuotient(p.scale);
    return report;
}

// ---------------------------------------------------------------- contacts that sleep

constexpr Index kFew = 24;     // rows: fewer are solved at once
constexpr int kMostRounds = 8; // of waking

/// w of the laws at `impulse`.
VectorXd velocities_at(const RowProblem& problem, const VectorXd& impulse)
{
    VectorXd w = problem.q + problem.compliance.cwiseProduct(impulse);
    for (Index k = 0; k < impulse.size(); ++k)
        if (impulse[k] != 0)
            w += problem.C.col(k) * impulse[k];
    return w;
}

/// Wakes contacts that would be violated by more than `allowed`, with their friction. True if any.
bool wake(const RowProblem& problem, const VectorXd& w, double allowed, std::vector<char>& is_awake)
{
    bool has_woken = false, wakes = false;
    for (std::size_t i = 0; i < is_awake.size(); ++i) {
        if (problem.law[i] != Law::disc)
            wakes = problem.law[i] == Law::push && !is_awake[i] && w[Index(i)] < -allowed;
        is_awake[i] |= char(wakes);
        has_woken |= wakes;
    }
    return has_woken;
}

RowProblem select_rows(const RowProblem& problem, const std::vector<Index>& rows)
{
    RowProblem part{.C = problem.C(rows, rows),
                    .q = problem.q(rows),
                    .compliance = problem.compliance(rows),
                    .law = {},
                    .friction = problem.friction(rows),
                    .lo = problem.lo(rows),
                    .hi = problem.hi(rows)};
    for (const Index i : rows)
        part.law.push_back(problem.law[std::size_t(i)]);
    return part;
}

/// Who is awake at first: all but contacts that neither push nor are about to.
std::vector<char> find_awake(const RowProblem& problem, const VectorXd& impulse)
{
    std::vector<char> is_awake(std::size_t(problem.size()));
    bool sleeps = false;
    for (std::size_t i = 0; i < is_awake.size(); ++i) {
        if (problem.law[i] != Law::disc)
            sleeps = problem.law[i] == Law::push && impulse[Index(i)] == 0;
        is_awake[i] = !sleeps;
    }
    wake(problem, velocities_at(problem, impulse), 0, is_awake);
    return is_awake;
}

/// The last round is what counts, and what all took.
void add_round(const RowSolveReport& round, RowSolveReport& report)
{
    const int before = report.iterations;
    const bool was_proximal = report.proximal;
    report = round;
    report.iterations += before;
    report.proximal |= was_proximal;
}

} // namespace

/// Contacts that do not push are left out until they would be violated: what is then solved is the
/// whole problem, for they obey their law without an impulse.
RowSolveReport solve_rows(const RowProblem& problem, const RowOptions& options,
                          VectorXd& impulse) noexcept
{
    if (problem.size() <= kFew)
        return solve_awake(problem, options, impulse);
    std::vector<char> is_awake = find_awake(problem, impulse);
    RowSolveReport report;
    for (int round = 0; round < kMostRounds; ++round) {
        std::vector<Index> rows;
        for (std::size_t i = 0; i < is_awake.size(); ++i)
            if (is_awake[i])
                rows.push_back(Index(i));
        if (rows.size() == is_awake.size())
            break;
        VectorXd part = impulse(rows);
        add_round(solve_awake(select_rows(problem, rows), options, part), report);
        impulse.setZero();
        impulse(rows) = part;
        if (!wake(problem, velocities_at(problem, impulse), options.tolerance, is_awake))
            return report;
    }
    add_round(solve_awake(problem, options, impulse), report);
    return report;
}

} // namespace sinew
