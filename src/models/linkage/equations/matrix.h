#pragma once

#include "models/linkage/equations/constraints.h"
#include "models/linkage/motion.h"
#include "solve/linear/sparse/sparse_ldl.h"

#include <complex>
#include <span>
#include <vector>

namespace sinew {

/// The pattern of [W + Σ ρ JᵀJ, Jᵀ; J, 0] and an order of elimination in which every row follows
/// all of its unknowns. W = M, or M with the springs' D and K.
///
/// Entries are listed in the order in which the numbers are added, so assembling is one pass.
struct MatrixPlan {
    std::vector<MatrixEntry> entries;
    std::vector<std::uint32_t> mass_entries;       ///< pairs of the columns of each mass
    std::vector<std::uint32_t> turn_entries;       ///< pairs of the columns of each turn
    std::vector<std::uint32_t> jacobian_entries;   ///< as LinkagePlan::row_columns
    std::vector<bool> is_stabilised;               ///< of each row: ρ JᵀJ joins the masses
    std::vector<std::uint32_t> stabiliser_entries; ///< pairs of the columns of each of those
    bool has_springs = false;
    std::vector<std::uint32_t> spring_entries; ///< pairs of the terms of each spring and tie
    std::vector<std::uint32_t> drag_entries;   ///< pairs of the columns of each drag
    std::vector<std::uint32_t> order;
    std::vector<PivotKind> pivot_kinds;
};

/// `stabilise_all`: ρ JᵀJ for every row, for masses that are singular without their constraints.
MatrixPlan make_matrix_plan(const LinkagePlan& plan, bool stabilise_all, bool with_springs);

/// Which parts of W are wanted: mass M + damping D + stiffness K.
template <class S>
struct Shares {
    S mass = S(1), damping = S(0), stiffness = S(0);
};

/// The matrix of a linkage, real or complex, with its factors.
template <class S>
class LinkageMatrix {
public:
    LinkageMatrix(const LinkagePlan& plan, const MatrixPlan& matrix_plan);

    /// Numbers and factors at the instant of `motion`. `dropped`: 1 for rows to leave out;
    /// `forces`: multipliers of the rows, whose tension stiffens what hangs on them; may be empty.
    /// Rows are also left out whose pivot cancels to less than `tolerance` of its terms. False when
    /// a direction has no mass.
    bool factor(const Motion& motion, const Constraints& constraints, const Shares<S>& shares,
                std::span<const double> dropped, std::span<const double> forces = {},
                double tolerance = 0);

    /// The same with masses alone, leaving out every row that depends on others: whose pivot
    /// cancels to less than `tolerance` of its terms.
    bool factor_freely(const Motion& motion, const Constraints& constraints, double tolerance);
    std::uint32_t singular() const { return ldl_.singular(); }
    double share(std::uint32_t row) const { return ldl_.share(plan_->column_count + row); }
    double terms(std::uint32_t row) const { return ldl_.terms(plan_->column_count + row); }
    bool is_dropped(std::uint32_t row) const { return ldl_.is_dropped(plan_->column_count + row); }

    /// Solves for the unknowns and the multipliers; right-hand sides for columns and rows.
    void solve(const Constraints& constraints, std::span<const S> column_side,
               std::span<const S> row_side, std::span<S> solution);

private:
    void add_masses(const Motion& motion, const S& share);
    void add_springs(const Motion& motion, const Shares<S>& shares, std::span<const double> forces);
    void add_rows(const Constraints& constraints, const S& mass_share);
    void assemble(const Motion& motion, const Constraints& constraints, const Shares<S>& shares,
                  std::span<const double> forces);
    void multiply(std::span<const S> x, std::span<S> out) const;

    const LinkagePlan* plan_;
    const MatrixPlan* matrix_;
    LdlPlan ldl_plan_;
    Ldl<S> ldl_;
    std::vector<S> values_;
    std::vector<PivotKind> pivot_kinds_;
    std::vector<double> row_weight_; ///< ρ of each row, for masses of share one
    S mass_share_ = S(1);
    std::vector<S> right_side_, residual_;
    std::vector<Vec3> relative_; ///< of one spring
};

extern template class LinkageMatrix<double>;
extern template class LinkageMatrix<std::complex<double>>;

} // namespace sinew
