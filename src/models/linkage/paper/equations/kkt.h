#pragma once

#include "math/eigen.h"
#include "models/linkage/paper/equations/rows.h"
#include "models/linkage/paper/scheme.h"

#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <Eigen/SparseLU>

namespace sinew::charli_method {

/// What became of a solve.
struct Solution {
    bool is_singular = false;            ///< no mass resists `direction`
    std::uint32_t contradiction = kNone; ///< a row that the others do not let hold
    std::vector<double> direction = {};  ///< of the unknowns; empty: not found
};

/// The accelerations and multipliers of the system [HerrWyvill90, fig. 10]:
///
///     [M Jᵀ] [q̈]   [Q]
///     [J 0 ] [λ] = [b]
///
///   symbol | code        | unit     | meaning
///   -------|-------------|----------|----------------------------------------------------------
///   M      | mass        | kg       | diagonal; zero for coordinates without mass of their own
///   J      | gradients   | m or 1   | ∂f/∂q
///   Q      | forces      | N or N m | applied forces
///   b      | right       | m/s²     | what J q̈ is to be
///   D, S   | units, ...  | -        | scales of columns and rows: all entries are about one
///   ρ, ε   | kResist, .. | -        | regularisation of the scaled matrix
///
/// Rows may depend on others: [M + ρ Jᵀ; J −ε] is regular all the same, and refinement against the
/// matrix without ρ and ε gives the accelerations of the dependent set. A direction that moves no
/// mass is never solved by minimum norm: it is found and handed back.
/// Differs from the paper: signs of λ, and the regularisation.
class Kkt {
public:
    /// `values`: the equations at a typical instant, which sets the scales.
    Kkt(const System& system, CharliSolver solver, const RowValues& values);

    /// `noise`: an error of `right`, for a length of one, that is no contradiction.
    Solution solve(const RowValues& values, std::span<const double> forces,
                   std::span<const double> right, double noise, std::span<double> accelerations);

    /// The matrix [M Jᵀ; J 0] itself, unscaled.
    static Eigen::SparseMatrix<double> matrix(const System& system, const RowValues& values);

private:
    void choose_units(const RowValues& values);
    std::vector<double> weigh_unknowns() const;
    void fill(const RowValues& values);
    bool factorise();
    std::vector<double> find_massless();
    Eigen::VectorXd refine(const Eigen::VectorXd& b);
    std::uint32_t find_contradiction(const RowValues& values, const Eigen::VectorXd& b,
                                     const Eigen::VectorXd& x, double noise) const;
    Eigen::VectorXd backsolve(const Eigen::VectorXd& right);
    Eigen::VectorXd residual(const Eigen::VectorXd& right, const Eigen::VectorXd& x) const;

    const System* system_;
    CharliSolver solver_;
    std::vector<double> units_;     ///< D: per unknown
    std::vector<double> scales_;    ///< S: per row
    std::vector<double> gradients_; ///< S J D
    Eigen::VectorXd masses_;        ///< D M D
    Eigen::SparseMatrix<double> matrix_;
    std::vector<Eigen::Index> slots_; ///< of each gradient, in J and in Jᵀ
    std::vector<Eigen::Index> diagonal_;
    Eigen::SparseLU<Eigen::SparseMatrix<double>> sparse_;
    Eigen::PartialPivLU<Eigen::MatrixXd> dense_;
};

} // namespace sinew::charli_method
