#pragma once

#include "problem.h"

#include <vector>

namespace sinew::bench {

/// The nonsmooth Gauss-Seidel method [JeanMoreau92], Siconos' NSGS: one contact after the other is
/// solved exactly. The rival.
class GaussSeidel {
public:
    explicit GaussSeidel(const ContactProblem& problem);

    void sweep();
    const Eigen::VectorXd& impulses() const { return r_; }

private:
    struct Block {
        Eigen::Index contact = 0;
        Eigen::Matrix3d W;
    };
    Eigen::Vector3d solve_contact(Eigen::Index i, const Eigen::Vector3d& q) const;

    const ContactProblem& problem_;
    std::vector<std::vector<Block>> others_; ///< of each contact: blocks of its row
    std::vector<Eigen::Matrix3d> own_;
    std::vector<double> step_; ///< of each contact: of its own iteration
    Eigen::VectorXd r_;
};

} // namespace sinew::bench
