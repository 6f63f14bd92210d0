#include "models/linkage/equations/linearisation.h"

#include "models/linkage/equations/products.h"

#include <algorithm>

namespace sinew {

namespace {

template <class S>
Vec3T<S> scaled(const Vec3T<S>& v, double factor)
{
    return {v.x * factor, v.y * factor, v.z * factor};
}

/// out += D x
template <class S>
void add_damping(const Motion& motion, std::span<const S> x, std::span<S> out)
{
    const LinkagePlan& plan = motion.plan();
    for (const PlannedPointSpring& spring : plan.point_springs) {
        const Vec3 d = value_of(motion.point(spring.b)) - value_of(motion.point(spring.a));
        const double distance = length(d), c = motion.number(spring.damping);
        if (c == 0 || !(distance > 0))
            continue;
        const Vec3 n = d / distance;
        const Vec3T<S> v = velocity_at(motion, spring.b, x) - velocity_at(motion, spring.a, x);
        const S pull = c * (n.x * v.x + n.y * v.y + n.z * v.z);
        const Vec3T<S> force{n.x * pull, n.y * pull, n.z * pull};
        add_at(motion, spring.b, force, out);
        add_at(motion, spring.a, -force, out);
    }
    for (const PlannedDrag& drag : plan.drags)
        add_at(motion, drag.point,
               scaled(velocity_at(motion, drag.point, x), motion.number(drag.coefficient)), out);
    for (const PlannedCoordinateSpring& spring : plan.coordinate_springs)
        out[spring.column] += motion.number(spring.damping) * x[spring.column];
}

} // namespace

bool has_springs(const LinkagePlan& plan)
{
    return !plan.point_springs.empty() || !plan.coordinate_springs.empty() || !plan.drags.empty();
}

template <class S>
LinkageLinearisation::Shifted<S>::Shifted(const LinkagePlan& plan, const MatrixPlan& with_springs)
    : matrix(plan, with_springs), position(plan.column_count), mixed(plan.column_count),
      column_side(plan.column_count), row_side(plan.rows.size()), solution(plan.matrix_size())
{
}

LinkageLinearisation::LinkageLinearisation(const LinkagePlan& plan, const MatrixPlan& masses,
                                           const MatrixPlan& with_springs,
                                           const std::vector<ImportFunction>& imports)
    : plan_(&plan), system_(plan, masses, imports), accelerations_(plan.state_size()),
      forces_(plan.rows.size()), real_(plan, with_springs), complex_(plan, with_springs)
{
}

bool LinkageLinearisation::update(const Instant& instant, std::span<const double> memory)
{
    dropped_ = memory.subspan(plan_->memory_size);
    if (!system_.update(instant, memory) || !system_.factor())
        return false;
    system_.solve_accelerations(accelerations_);
    // In [M Jᵀ; J 0] a positive multiplier of a distance pulls its ends together.
    std::copy_n(system_.solution().begin() + plan_->column_count, forces_.size(), forces_.begin());
    return true;
}

bool LinkageLinearisation::factor(double real_shift, std::complex<double> complex_shift)
{
    real_.shift = real_shift;
    complex_.shift = complex_shift;
    return real_.matrix.factor(system_.motion(), system_.constraints(),
                               {real_shift * real_shift, real_shift, 1.0}, dropped_, forces_) &&
           complex_.matrix.factor(system_.motion(), system_.constraints(),
                                  {complex_shift * complex_shift, complex_shift, 1.0}, dropped_,
                                  forces_);
}

template <class S>
void LinkageLinearisation::solve(Shifted<S>& shifted, std::span<S> rhs)
{
    const std::size_t n = plan_->state_size();
    const std::span<const double> J = system_.constraints().jacobian();
    const S mu = shifted.shift;
    for (std::size_t i = 0; i < n; ++i) {
        shifted.position[i] = rhs[i];
        shifted.mixed[i] = rhs[n + i] + mu * rhs[i];
    }
    extend<S>(*plan_, J, shifted.position);
    extend<S>(*plan_, J, shifted.mixed);
    std::fill(shifted.column_side.begin(), shifted.column_side.end(), S(0));
    add_mass_product<S>(system_.motion(), shifted.mixed, shifted.column_side);
    add_damping<S>(system_.motion(), shifted.position, shifted.column_side);
    for (std::size_t r = 0; r < plan_->rows.size(); ++r) {
        S sum(0);
        for (std::uint32_t c = plan_->rows[r].columns.first; c < plan_->rows[r].columns.end(); ++c)
            sum += J[c] * shifted.mixed[plan_->row_columns[c]];
        shifted.row_side[r] = sum / (mu * mu);
    }
    shifted.matrix.solve(system_.constraints(), shifted.column_side, shifted.row_side,
                         shifted.solution);
    for (std::size_t i = 0; i < n; ++i) {
        rhs[i] = shifted.solution[i];
        rhs[n + i] = mu * shifted.solution[i] - shifted.position[i];
    }
}

template void LinkageLinearisation::solve(Shifted<double>&, std::span<double>);
template void LinkageLinearisation::solve(Shifted<std::complex<double>>&,
                                          std::span<std::complex<double>>);

} // namespace sinew
