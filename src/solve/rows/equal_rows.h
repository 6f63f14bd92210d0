#pragma once

/// Rows that all are equal, dense: the direct case of solve_rows() in memory that stays.

#include "solve/linear/dense/dense_ldl.h"
#include "solve/rows/row_newton.h"

#include <optional>

namespace sinew {

class EqualRows {
public:
    /// As solve_rows(). None where a row has another law, moves nothing or contradicts others.
    /// `keeps_matrix`: C and Σ are those of the last call.
    std::optional<RowSolveReport> solve(const RowProblem& problem, double tolerance,
                                        bool keeps_matrix, Eigen::VectorXd& impulse);

private:
    bool prepare(const RowProblem& problem);
    double factor(const RowProblem& problem, double give);
    void update_error(const RowProblem& problem);
    double wanted_of(const RowProblem& problem, double residual, double tolerance);

    DenseLdl matrix_;
    bool is_prepared_ = false, is_redundant_ = false;
    Eigen::VectorXd scale_, y_, error_; ///< √(C + Σ)ᵢᵢ; scaled impulses; −(A y + b)
};

} // namespace sinew
