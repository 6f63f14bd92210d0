#pragma once

/// Impulses of an island whose rods show their W instead of a dense response: the matrix
///
///     [W  Jᵀ        ]  [ δ ]   [  0 ]
///     [J  −(C + Σ)  ]  [−Δλ] = [ −u ]                                        [notes: rods, eq. 9]
///
/// solved as it is, in time linear in its rows for anything like a rope. u is what the laws are off
/// by with the impulses held; δ how the rods' velocities change.

#include "solve/linear/band/band_lu.h"
#include "solve/linear/sparse/front_ldl.h"
#include "solve/rows/row_newton.h"

#include <memory>

namespace sinew {

/// The rows of an island, in the order of the pattern's last vertices.
struct ExposedRows {
    std::span<const Law> law;       ///< equal, push or box
    std::span<const double> off;    ///< u: velocity with bias and compliance, λ being `held` [m/s]
    std::span<const double> held;   ///< [N s]
    std::span<const double> lo, hi; ///< of box rows [N s]
    std::span<double> impulse;      ///< λ, out
};

/// A pattern with its plan and numbers, kept while the pattern stays.
class ExposedMatrix {
public:
    BlockPattern pattern;        ///< to be filled; then begin()
    std::uint32_t first_row = 0; ///< of the rows in vectors
    std::vector<double> values;  ///< to be filled after begin()

    /// Plans where the pattern is not the one before.
    void begin(bool is_banded);
    int plan_count() const { return plan_count_; }

    /// `keeps_matrix`: the values are those of the last call.
    RowSolveReport solve(const ExposedRows& rows, double tolerance, bool keeps_matrix = false);

private:
    void mask(std::span<const char> is_bound);
    void factor(bool is_factored);
    void factor_and_solve(std::span<double> x);
    double guess_bounds(const ExposedRows& rows);
    void set_right_side(const ExposedRows& rows);
    double solve_refined(double wanted);
    bool change_bounds(const ExposedRows& rows, double tolerance);

    BlockPattern planned_;
    FrontPlan plan_;
    std::unique_ptr<FrontLdl> fronts_;
    std::unique_ptr<BandLu> band_;
    std::vector<double> masked_, side_, solution_, left_;
    std::vector<char> is_bound_, factored_bound_;
    int plan_count_ = 0;
};

} // namespace sinew
