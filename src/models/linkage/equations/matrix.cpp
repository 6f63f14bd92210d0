#include "models/linkage/equations/matrix.h"

#include "math/functions.h"

#include <algorithm>

namespace sinew {

namespace {

/// A pivot that cancels to less than this part of its terms is nothing but rounding.
constexpr double kRounding = 1e-14;

} // namespace

template <class S>
LinkageMatrix<S>::LinkageMatrix(const LinkagePlan& plan, const MatrixPlan& matrix_plan)
    : plan_(&plan), matrix_(&matrix_plan),
      ldl_plan_(plan.matrix_size(), matrix_plan.entries, matrix_plan.order), ldl_(ldl_plan_),
      values_(matrix_plan.entries.size()), pivot_kinds_(matrix_plan.pivot_kinds),
      row_weight_(plan.rows.size(), plan.mean_mass), right_side_(plan.matrix_size()),
      residual_(plan.matrix_size())
{
    // Angular rows of relays are radians: their weight is a moment of inertia.
    const double arm = plan.extent / (1.0 + double(plan.relays.size()));
    for (const PlannedRelay& relay : plan.relays)
        for (std::uint32_t i = 3; i < 6; ++i)
            row_weight_[relay.first_row + i] = plan.mean_mass * arm * arm;
    std::size_t most = 0;
    for (const PlannedPoint& point : plan.points)
        most = std::max<std::size_t>(most, point.partials.count);
    relative_.resize(2 * most);
}

template <class S>
void LinkageMatrix<S>::add_masses(const Motion& motion, const S& share)
{
    const std::uint32_t* entry = matrix_->mass_entries.data();
    for (const PlannedMass& mass : plan_->masses) {
        const std::span<const Vec3> P = motion.partials(mass.point);
        for (std::size_t i = 0; i < P.size(); ++i) {
            const Vec3 momentum = P[i] * mass.mass;
            for (std::size_t j = 0; j <= i; ++j)
                values_[*entry++] += share * dot(momentum, P[j]);
        }
    }
    entry = matrix_->turn_entries.data();
    for (const PlannedTurn& turn : plan_->turns)
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = 0; j <= i; ++j)
                values_[*entry++] +=
                    share * (plan_->turn_mass() * motion.instant().state[turn.columns[i]] *
                             motion.instant().state[turn.columns[j]]);
}

/// Springs, dampers and tension along the line between two points, drag, springs of coordinates.
/// Compression is left out: W stays positive, and Newton's residual is exact anyway.
template <class S>
void LinkageMatrix<S>::add_springs(const Motion& motion, const Shares<S>& shares,
                                   std::span<const double> forces)
{
    const std::uint32_t* entry = matrix_->spring_entries.data();
    const auto add_pair = [&](std::uint32_t a, std::uint32_t b, double stiffness, double damping,
                              double tension) {
        const std::span<const Vec3> of_a = motion.partials(a), of_b = motion.partials(b);
        const std::size_t count = of_a.size() + of_b.size();
        for (std::size_t i = 0; i < of_a.size(); ++i)
            relative_[i] = -of_a[i];
        std::copy(of_b.begin(), of_b.end(), relative_.begin() + std::ptrdiff_t(of_a.size()));
        const Vec3 d = value_of(motion.point(b)) - value_of(motion.point(a));
        const double distance = length(d);
        const Vec3 n = distance > 0 ? d / distance : Vec3{0, 0, 0};
        const double lateral = distance > 0 ? max(tension, 0.0) / distance : 0;
        const S along = shares.stiffness * (stiffness - lateral) + shares.damping * damping;
        const S across = shares.stiffness * lateral;
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t j = 0; j <= i; ++j) {
                const double twice =
                    i != j && matrix_->entries[*entry].row == matrix_->entries[*entry].column ? 2
                                                                                              : 1;
                values_[*entry++] +=
                    twice * (along * (dot(n, relative_[i]) * dot(n, relative_[j])) +
                             across * dot(relative_[i], relative_[j]));
            }
    };
    for (const PlannedPointSpring& spring : plan_->point_springs) {
        const double k = motion.number(spring.stiffness);
        const double distance =
            length(value_of(motion.point(spring.b)) - value_of(motion.point(spring.a)));
        add_pair(spring.a, spring.b, k, motion.number(spring.damping),
                 k * (distance - motion.number(spring.rest_length)));
    }
    for (const PlannedTie& tie : plan_->ties)
        if (tie.kind == TieKind::distance)
            add_pair(tie.a, tie.b, 0, 0, forces.empty() ? 0 : forces[tie.first_row]);
    entry = matrix_->drag_entries.data();
    for (const PlannedDrag& drag : plan_->drags) {
        const S c = shares.damping * motion.number(drag.coefficient);
        const std::span<const Vec3> P = motion.partials(drag.point);
        for (std::size_t i = 0; i < P.size(); ++i)
            for (std::size_t j = 0; j <= i; ++j)
                values_[*entry++] += c * dot(P[i], P[j]);
    }
    for (const PlannedCoordinateSpring& spring : plan_->coordinate_springs)
        values_[spring.column] += shares.stiffness * motion.number(spring.stiffness) +
                                  shares.damping * motion.number(spring.damping);
}

template <class S>
void LinkageMatrix<S>::add_rows(const Constraints& constraints, const S& mass_share)
{
    const std::span<const double> J = constraints.jacobian();
    for (std::size_t k = 0; k < J.size(); ++k)
        values_[matrix_->jacobian_entries[k]] += J[k];
    const std::uint32_t* entry = matrix_->stabiliser_entries.data();
    for (std::size_t r = 0; r < plan_->rows.size(); ++r) {
        if (!matrix_->is_stabilised[r])
            continue;
        const Range columns = plan_->rows[r].columns;
        const double* const j = J.data() + columns.first;
        for (std::uint32_t a = 0; a < columns.count; ++a)
            for (std::uint32_t b = 0; b <= a; ++b)
                values_[*entry++] += mass_share * (row_weight_[r] * j[a] * j[b]);
    }
}

template <class S>
void LinkageMatrix<S>::assemble(const Motion& motion, const Constraints& constraints,
                                const Shares<S>& shares, std::span<const double> forces)
{
    std::fill(values_.begin(), values_.end(), S(0));
    mass_share_ = shares.mass;
    add_masses(motion, shares.mass);
    if (matrix_->has_springs)
        add_springs(motion, shares, forces);
    add_rows(constraints, shares.mass);
}

template <class S>
bool LinkageMatrix<S>::factor(const Motion& motion, const Constraints& constraints,
                              const Shares<S>& shares, std::span<const double> dropped,
                              std::span<const double> forces, double tolerance)
{
    assemble(motion, constraints, shares, forces);
    for (std::size_t r = 0; r < plan_->rows.size(); ++r)
        pivot_kinds_[plan_->column_count + r] =
            dropped[r] >= 1 ? PivotKind::dropped : PivotKind::constraint;
    return ldl_.factor(values_, pivot_kinds_, std::max(tolerance, kRounding));
}

template <class S>
bool LinkageMatrix<S>::factor_freely(const Motion& motion, const Constraints& constraints,
                                     double tolerance)
{
    assemble(motion, constraints, {}, {});
    return ldl_.factor(values_, matrix_->pivot_kinds, tolerance);
}

template <class S>
void LinkageMatrix<S>::multiply(std::span<const S> x, std::span<S> out) const
{
    std::fill(out.begin(), out.end(), S(0));
    for (std::size_t k = 0; k < values_.size(); ++k) {
        const MatrixEntry& entry = matrix_->entries[k];
        out[entry.row] += values_[k] * x[entry.column];
        if (entry.row != entry.column)
            out[entry.column] += values_[k] * x[entry.row];
    }
}

template <class S>
void LinkageMatrix<S>::solve(const Constraints& constraints, std::span<const S> column_side,
                             std::span<const S> row_side, std::span<S> solution)
{
    const std::uint32_t n = plan_->column_count;
    std::copy(column_side.begin(), column_side.end(), right_side_.begin());
    std::copy(row_side.begin(), row_side.end(), right_side_.begin() + n);
    const std::span<const double> J = constraints.jacobian();
    for (std::size_t r = 0; r < plan_->rows.size(); ++r) {
        const Range columns = plan_->rows[r].columns;
        if (matrix_->is_stabilised[r] && row_side[r] != S(0))
            for (std::uint32_t c = columns.first; c < columns.end(); ++c)
                right_side_[plan_->row_columns[c]] +=
                    mass_share_ * row_side[r] * (row_weight_[r] * J[c]);
    }
    std::copy(right_side_.begin(), right_side_.end(), solution.begin());
    ldl_.solve(solution);
    // One refinement: without pivoting some digits are lost.
    multiply(solution, residual_);
    for (std::size_t i = 0; i < residual_.size(); ++i)
        residual_[i] = i >= n && ldl_.is_dropped(i) ? S(0) : right_side_[i] - residual_[i];
    ldl_.solve(residual_);
    for (std::size_t i = 0; i < residual_.size(); ++i)
        solution[i] += residual_[i];
}

template class LinkageMatrix<double>;
template class LinkageMatrix<std::complex<double>>;

} // namespace sinew
