#include "dense_rival.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace sinew::bench {

double solve_dense(FixedStep& stepper)
{
    const LinkagePlan& plan = stepper.plan();
    const Motion& motion = stepper.system().motion();
    const Constraints& constraints = stepper.system().constraints();
    const auto size = static_cast<Eigen::Index>(plan.matrix_size());
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size, size);
    for (const PlannedMass& mass : plan.masses) {
        const std::span<const Vec3> P = motion.partials(mass.point);
        const std::uint32_t* const columns =
            plan.partial_columns.data() + plan.points[mass.point].partials.first;
        for (std::size_t i = 0; i < P.size(); ++i)
            for (std::size_t j = 0; j < P.size(); ++j)
                A(columns[i], columns[j]) += mass.mass * dot(P[i], P[j]);
    }
    std::vector<double> force(plan.column_count);
    add_forces(motion, force);
    Eigen::VectorXd b(size);
    for (std::size_t c = 0; c < force.size(); ++c)
        b[static_cast<Eigen::Index>(c)] = force[c];
    for (std::size_t r = 0; r < plan.rows.size(); ++r) {
        const auto row = static_cast<Eigen::Index>(plan.column_count + r);
        const Range columns = plan.rows[r].columns;
        for (std::uint32_t k = columns.first; k < columns.end(); ++k) {
            A(row, plan.row_columns[k]) += constraints.jacobian()[k];
            A(plan.row_columns[k], row) += constraints.jacobian()[k];
        }
        b[row] = -constraints.bias()[r];
    }
    const Eigen::VectorXd solution = Eigen::PartialPivLU<Eigen::Ref<Eigen::MatrixXd>>(A).solve(b);
    double largest = 0, difference = 0;
    const std::span<const double> a = stepper.accelerations();
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, std::abs(a[i]));
        difference = std::max(difference, std::abs(a[i] - solution[static_cast<Eigen::Index>(i)]));
    }
    return difference / largest;
}

} // namespace sinew::bench
