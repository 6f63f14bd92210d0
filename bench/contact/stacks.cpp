// Problems of our own, where none are given.

#include "problem.h"

#include <vector>

namespace sinew::bench {

namespace {

constexpr double kHalf = 0.1, kStep = 0.01, kGravity = 9.81; // m, s, m/s²

/// How a contact at an arm from the centre of a box sees its velocities: rows n, t1, t2.
Eigen::Matrix<double, 3, 6> rows_at(const Eigen::Vector3d& arm)
{
    Eigen::Matrix<double, 3, 6> J;
    const Eigen::Vector3d axis[3] = {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}};
    for (int k = 0; k < 3; ++k)
        J.row(k) << axis[k].transpose(), arm.cross(axis[k]).transpose();
    return J;
}

} // namespace

ContactProblem make_stack(int boxes, double ratio)
{
    const Eigen::Index contacts = 4 * boxes;
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(3 * contacts, 6 * boxes);
    Eigen::VectorXd inverse(6 * boxes), v = Eigen::VectorXd::Zero(6 * boxes);
    for (Eigen::Index i = 0; i < boxes; ++i) {
        const double mass = std::pow(ratio, double(i)), turns = mass * kHalf * kHalf * 2 / 3;
        inverse.segment<3>(6 * i).setConstant(1 / mass);
        inverse.segment<3>(6 * i + 3).setConstant(1 / turns);
        v[6 * i + 1] = -kGravity * kStep;
        for (Eigen::Index k = 0; k < 4; ++k) {
            const Eigen::Vector3d corner(k & 1 ? kHalf : -kHalf, -kHalf, k & 2 ? kHalf : -kHalf);
            const Eigen::Index row = 3 * (4 * i + k);
            J.block<3, 6>(row, 6 * i) = rows_at(corner);
            if (i > 0)
                J.block<3, 6>(row, 6 * i - 6) = -rows_at(corner + Eigen::Vector3d(0, 2 * kHalf, 0));
        }
    }
    v[0] = 0.2;
    return {"stack of " + std::to_string(boxes) + ", masses grow by " + std::to_string(ratio),
            J * inverse.asDiagonal() * J.transpose(), J * v,
            Eigen::VectorXd::Constant(contacts, 0.5), 0};
}

} // namespace sinew::bench
