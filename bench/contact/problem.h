#pragma once

/// Contact problems as numbers alone, in the form of [Acary18]: find r with
///
///     u = W r + q,   K ∋ r ⊥ u + μ |u_t| n ∈ K*        for each contact, K = {|r_t| ≤ μ r_n}
///
///   symbol | code | unit  | meaning
///   -------|------|-------|----------------------------------------------------------
///   W      | W    | 1/kg  | how velocities answer impulses; per contact n, t1, t2
///   q      | q    | m/s   | velocities without impulses
///   μ      | mu   | 1     | coefficients of friction, one for each contact
///   r, u   | r, u | N s, m/s | impulses, velocities

#include <Eigen/Dense>

#include <optional>
#include <string>

namespace sinew::bench {

struct ContactProblem {
    std::string name;
    Eigen::MatrixXd W;
    Eigen::VectorXd q, mu;
    double skew = 0; ///< what was taken from W to make it symmetric, |W − Wᵀ| / |W|

    Eigen::Index contacts() const { return mu.size(); }
};

/// A file that Siconos wrote with frictionContact_printInFile: dense or in blocks, three
/// dimensions. `why` says what is not so where there is none. W is made symmetric: those of some
/// files are so to three digits only.
std::optional<ContactProblem> read_problem(const std::string& file, std::string& why);

/// Boxes on each other, four contacts between two, each heavier than the one below by `ratio`; the
/// lowest is pushed aside.
ContactProblem make_stack(int boxes, double ratio);

/// The point of a cone nearest to r, n first.
Eigen::Vector3d project_on_cone(const Eigen::Vector3d& r, double mu);

/// |r − P_K(r − (u + μ |u_t| n))| / |q|: what Siconos calls the error of a problem.
double compute_error(const ContactProblem& problem, const Eigen::VectorXd& r);

} // namespace sinew::bench
