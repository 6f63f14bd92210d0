#pragma once

/// Impulses of the rows of one island: arrays in, arrays out. Knows no bodies and calls no model.

#include "math/eigen.h"
#include "solve/rows/rows.h"

#include <memory>

namespace sinew {

/// Find λ such that, with w = C λ + q, every row's law holds between λ and w + compliance λ.
struct RowProblem {
    Eigen::MatrixXd C;          ///< J W⁻¹ Jᵀ, symmetric positive semi-definite [1/kg]
    Eigen::VectorXd q;          ///< row velocities at λ = 0, bias added [m/s]
    Eigen::VectorXd compliance; ///< ≥ 0 [1/kg]
    std::vector<Law> law;       ///< `disc` rows stand behind their `push` row, a `slide` row
                                ///< behind the two `equal` rows across it
    Eigen::VectorXd friction;   ///< of disc and slide rows, see Law
    Eigen::VectorXd lo, hi;     ///< of box rows [N s]; lo ≤ hi, infinite where unbounded
    std::ptrdiff_t size() const { return q.size(); }
};

struct RowOptions {
    double tolerance = 1e-10;     ///< of the residual [m/s]; ten times this after proximal steps
    int newton_iterations = 15;   ///< plain, then the proximal iteration takes over
    int proximal_iterations = 12; ///< for one proximal problem
    int iterations = 400;         ///< in all
};

struct RowSolveReport {
    int iterations = 0;  ///< linear systems solved
    double residual = 0; ///< largest error of a law [m/s]
    bool converged = false;
    bool proximal = false;     ///< the plain iteration stalled
    bool is_redundant = false; ///< exposed rows: some say what others said
    int idle_rows = 0;         ///< rows that move nothing (C_ii = 0): left without impulse
    double idle_residual = 0;  ///< the largest velocity such a row should have changed [m/s]
};

/// What solve_rows() works in: nothing is allocated while problems do not grow.
class RowMemory {
public:
    RowMemory() noexcept;
    RowMemory(RowMemory&&) noexcept;
    RowMemory& operator=(RowMemory&&) noexcept;
    ~RowMemory();

    struct Room;
    Room& room(); ///< made when first asked for

private:
    std::unique_ptr<Room> room_;
};

/// Solves, starting from `impulse`, and writes the best λ found there. All rows equal: direct, of
/// redundant rows the solution with the smallest impulses. Otherwise semi-smooth Newton on the
/// natural map with line search, then proximal Newton [notes: rows, §3].
/// Requires C, q and the start finite. `memory` may be that of another problem.
RowSolveReport solve_rows(const RowProblem& problem, const RowOptions& options,
                          Eigen::VectorXd& impulse, RowMemory& memory) noexcept;
RowSolveReport solve_rows(const RowProblem& problem, const RowOptions& options,
                          Eigen::VectorXd& impulse) noexcept;

/// Largest error of a law [m/s], of rows that move something: the natural map, in velocities.
double compute_row_residual(const RowProblem& problem, const Eigen::VectorXd& impulse) noexcept;

} // namespace sinew
