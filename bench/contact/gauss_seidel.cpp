#include "gauss_seidel.h"

namespace sinew::bench {

GaussSeidel::GaussSeidel(const ContactProblem& problem)
    : problem_(problem), others_(std::size_t(problem.contacts())),
      r_(Eigen::VectorXd::Zero(problem.q.size()))
{
    for (Eigen::Index i = 0; i < problem.contacts(); ++i) {
        for (Eigen::Index j = 0; j < problem.contacts(); ++j) {
            const Eigen::Matrix3d W = problem.W.block<3, 3>(3 * i, 3 * j);
            if (j != i && !W.isZero(0))
                others_[std::size_t(i)].push_back({j, W});
        }
        own_.push_back(problem.W.block<3, 3>(3 * i, 3 * i));
        step_.push_back(1 / std::max(own_.back().norm(), 1e-300));
    }
}

/// The fixed point of r = P_K(r − ρ (u + μ |u_t| n)).
Eigen::Vector3d GaussSeidel::solve_contact(Eigen::Index i, const Eigen::Vector3d& q) const
{
    constexpr int kMostSteps = 200;
    constexpr double kExact = 1e-14;
    const Eigen::Matrix3d& W = own_[std::size_t(i)];
    const double mu = problem_.mu[i], rho = step_[std::size_t(i)];
    Eigen::Vector3d r = r_.segment<3>(3 * i);
    for (int step = 0; step < kMostSteps; ++step) {
        Eigen::Vector3d u = W * r + q;
        u[0] += mu * std::hypot(u[1], u[2]);
        const Eigen::Vector3d next = project_on_cone(r - rho * u, mu);
        const double change = (next - r).norm();
        r = next;
        if (change <= kExact * r.norm())
            break;
    }
    return r;
}

void GaussSeidel::sweep()
{
    for (Eigen::Index i = 0; i < problem_.contacts(); ++i) {
        Eigen::Vector3d q = problem_.q.segment<3>(3 * i);
        for (const Block& block : others_[std::size_t(i)])
            q += block.W * r_.segment<3>(3 * block.contact);
        r_.segment<3>(3 * i) = solve_contact(i, q);
    }
}

} // namespace sinew::bench
