#include "models/linkage/system.h"

#include "math/functions.h"

#include <algorithm>
#include <cmath>

namespace sinew {

LinkageSystem::LinkageSystem(const LinkagePlan& plan, const MatrixPlan& matrix_plan,
                             const std::vector<ImportFunction>& imports)
    : plan_(&plan), motion_(plan, imports), constraints_(plan), matrix_(plan, matrix_plan),
      solution_(plan.matrix_size()), column_side_(plan.column_count), row_side_(plan.rows.size())
{
}

bool LinkageSystem::update(const Instant& instant, std::span<const double> memory)
{
    memory_ = memory;
    if (!motion_.update(instant))
        return false;
    constraints_.update(motion_, memory);
    for (const double g : constraints_.bias())
        if (!std::isfinite(g))
            return false;
    return true;
}

bool LinkageSystem::check(bool is_factored)
{
    if (!is_factored)
        singular_column_ = matrix_.singular();
    return is_factored;
}

bool LinkageSystem::factor(double tolerance)
{
    return check(matrix_.factor(motion_, constraints_, {}, memory_.subspan(plan_->memory_size), {},
                                tolerance));
}

bool LinkageSystem::factor_freely(double tolerance)
{
    return check(matrix_.factor_freely(motion_, constraints_, tolerance));
}

/// How much of what moves the ends of a distance changes it: zero where it says nothing.
double LinkageSystem::grip(const PlannedTie& tie) const
{
    double all = 0, along = 0;
    for (const std::uint32_t point : {tie.a, tie.b})
        for (const Vec3& partial : motion_.partials(point))
            all += squared_length(partial);
    const Range columns = plan_->rows[tie.first_row].columns;
    for (std::uint32_t c = columns.first; c < columns.end(); ++c)
        along += constraints_.jacobian()[c] * constraints_.jacobian()[c];
    return all > 0 ? along / all : 1;
}

void LinkageSystem::update_weakest()
{
    weakest_ = matrix_.weakest();
    for (const PlannedTie& tie : plan_->ties)
        if (tie.kind == TieKind::distance && !is_short(tie, motion_.instant()) &&
            !is_dropped(tie.first_row))
            weakest_ = std::min(weakest_, grip(tie));
}

bool LinkageSystem::decide_rows(std::span<double> memory, bool is_new)
{
    constexpr double kDependent = 1e-11; // on the constraints dependence is exact to rounding
    constexpr double kNoGrip = 1e-6;
    constexpr double kSuspect = 0.5;
    if (!factor_freely(kDependent))
        return false;
    update_weakest();
    bool is_as_found = true;
    const std::span<double> dropped = memory.subspan(plan_->memory_size);
    for (const PlannedTie& tie : plan_->ties) {
        const bool is_row = tie.kind == TieKind::distance && !is_short(tie, motion_.instant());
        const double tie_grip = is_row ? grip(tie) : 1;
        for (std::uint32_t r = tie.first_row; r < tie.first_row + tie.row_count; ++r) {
            if (!is_dropped(r) && tie_grip > kNoGrip)
                dropped[r] = 0;
            else if (is_dropped(r) && (tie_grip > kNoGrip || is_new))
                dropped[r] = is_new || dropped[r] > 0 ? 1 : kSuspect;
            is_as_found = is_as_found && (dropped[r] >= 1) == is_dropped(r);
        }
    }
    return is_as_found || factor();
}

void LinkageSystem::filter_error(std::span<double> positions, std::span<double> rates)
{
    for (const std::span<double> error : {positions, rates}) {
        std::fill(column_side_.begin(), column_side_.end(), 0.0);
        std::copy(error.begin(), error.end(), column_side_.begin());
        extend<double>(*plan_, constraints_.jacobian(), column_side_);
        for (std::size_t r = 0; r < plan_->rows.size(); ++r) {
            const Range columns = plan_->rows[r].columns;
            double sum = 0;
            for (std::uint32_t c = columns.first; c < columns.end(); ++c)
                sum += constraints_.jacobian()[c] * column_side_[plan_->row_columns[c]];
            row_side_[r] = -sum;
        }
        std::fill(column_side_.begin(), column_side_.end(), 0.0);
        solve(column_side_, row_side_);
        for (std::size_t c = 0; c < error.size(); ++c)
            error[c] += solution_[c];
    }
}

void LinkageSystem::solve(std::span<const double> column_side, std::span<const double> row_side)
{
    matrix_.solve(constraints_, column_side, row_side, solution_);
}

void LinkageSystem::solve_accelerations(std::span<double> accelerations,
                                        std::span<const PointForce> outside)
{
    std::fill(column_side_.begin(), column_side_.end(), 0.0);
    add_forces(motion_, column_side_);
    add_point_forces(motion_, outside, column_side_);
    for (std::size_t r = 0; r < row_side_.size(); ++r)
        row_side_[r] = -constraints_.bias()[r];
    solve(column_side_, row_side_);
    std::copy_n(solution_.begin(), accelerations.size(), accelerations.begin());
}

Vec3 LinkageSystem::tie_force(const PlannedTie& tie) const
{
    const double* const lambda = solution_.data() + plan_->column_count + tie.first_row;
    if (tie.row_count == 3 && (tie.kind != TieKind::distance || is_short(tie, motion_.instant())))
        return -Vec3{lambda[0], lambda[1], lambda[2]};
    const Vec3 d = value_of(motion_.point(tie.b) - motion_.point(tie.a));
    const double distance = length(d);
    return distance > 0 ? d * (-lambda[0] / distance) : Vec3{0, 0, 0};
}

void LinkageSystem::solve_correction(std::span<const double> rows)
{
    std::fill(column_side_.begin(), column_side_.end(), 0.0);
    for (std::size_t r = 0; r < row_side_.size(); ++r)
        row_side_[r] = -rows[r];
    solve(column_side_, row_side_);
}

void LinkageSystem::solve_velocities(std::span<const Vec3> velocities)
{
    std::fill(column_side_.begin(), column_side_.end(), 0.0);
    add_momentum_difference(motion_, velocities, column_side_);
    for (std::size_t r = 0; r < row_side_.size(); ++r)
        row_side_[r] = -constraints_.rate()[r];
    solve(column_side_, row_side_);
}

// ---------------------------------------------------------------- projections

namespace {

/// A projection leaves rows out that nearly depend on others: it would divide rounding by almost
/// nothing, and they hold by their smoothness.
constexpr double kTooWeak = 1e-10;

/// Rows that hold and are not implied by others.
double largest_active(const LinkageSystem& system, std::span<const double> values)
{
    double largest = 0;
    for (std::uint32_t r = 0; r < values.size(); ++r)
        if (!system.is_dropped(r) && !(abs(values[r]) <= largest))
            largest = abs(values[r]);
    return largest;
}

} // namespace

bool project_positions(LinkageSystem& system, double time, Side side, const LinkageState& state,
                       int most_iterations, double tolerance)
{
    double last = 0, enough = 0;
    for (int i = 0; i < most_iterations; ++i) {
        if (!system.update({time, side, state.x, state.v}, state.memory))
            return false;
        const double largest = system.constraints().largest_residual();
        const double size = std::max(system.plan().extent, system.constraints().magnitude());
        const double goal = 1e-15 * size;
        enough = 1e-12 * size;
        if (largest <= goal || (i > 0 && largest <= enough && largest > 0.5 * last))
            return true;
        if (i == 0 || largest > 1e-2 * last) // else the factors of the last iterate will do
            if (!(tolerance > 0 ? system.factor_freely(tolerance) : system.factor(kTooWeak)))
                return false;
        last = largest;
        system.solve_correction(system.constraints().residual());
        for (std::size_t c = 0; c < state.x.size(); ++c)
            state.x[c] += system.solution()[c];
    }
    if (!system.update({time, side, state.x, state.v}, state.memory))
        return false;
    return system.constraints().largest_residual() <= enough;
}

bool project_rates(LinkageSystem& system, double time, Side side, const LinkageState& state)
{
    constexpr int kIterations = 3; // one, and two for what rounding left
    for (int i = 0; i < kIterations; ++i) {
        if (!system.update({time, side, state.x, state.v}, state.memory))
            return false;
        if (i == 0 && !system.factor(kTooWeak))
            return false;
        const double largest = largest_active(system, system.constraints().rate());
        if (largest <= 1e-15 * system.plan().extent)
            return true;
        system.solve_correction(system.constraints().rate());
        for (std::size_t c = 0; c < state.v.size(); ++c)
            state.v[c] += system.solution()[c];
    }
    return true;
}

bool pass_key(LinkageSystem& system, double time, const LinkageState& state,
              std::span<Vec3> velocities)
{
    const LinkagePlan& plan = system.plan();
    if (!system.update({time, Side::before, state.x, state.v}, state.memory))
        return false;
    for (std::size_t i = 0; i < plan.masses.size(); ++i)
        velocities[i] = first_of(system.motion().point(plan.masses[i].point));
    if (!system.update({time, Side::after, state.x, state.v}, state.memory) ||
        !system.decide_rows(state.memory, true))
        return false;
    system.solve_velocities(velocities);
    for (std::size_t c = 0; c < state.v.size(); ++c)
        state.v[c] += system.solution()[c];
    return project_rates(system, time, Side::after, state);
}

void note_directions(LinkageSystem& system, double time, const LinkageState& state)
{
    const Instant before{time, Side::before, state.x, state.v};
    const Instant after{time, Side::after, state.x, state.v};
    for (const PlannedTie& tie : system.plan().ties) {
        if (tie.memory == kNoIndex || is_short(tie, before) || !is_short(tie, after))
            continue;
        const Vec3T<Jet2> d = system.motion().point(tie.b) - system.motion().point(tie.a);
        const double f = system.motion().value(tie.length).value;
        const double distance = length(value_of(d));
        if (distance > 0)
            for (int i = 0; i < 3; ++i)
                state.memory[tie.memory + static_cast<std::uint32_t>(i)] =
                    value_of(d)[i] / distance * (f < 0 ? -1 : 1);
    }
}

} // namespace sinew
