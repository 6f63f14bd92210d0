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
    if (!motion_.update(instant))
        return false;
    constraints_.update(motion_, memory);
    for (const double g : constraints_.bias())
        if (!std::isfinite(g))
            return false;
    return true;
}

bool LinkageSystem::factor()
{
    if (matrix_.factor(motion_, constraints_, {}))
        return true;
    singular_column_ = matrix_.singular();
    return false;
}

void LinkageSystem::solve(std::span<const double> column_side, std::span<const double> row_side)
{
    matrix_.solve(constraints_, column_side, row_side, solution_);
}

void LinkageSystem::solve_accelerations(std::span<double> accelerations)
{
    std::fill(column_side_.begin(), column_side_.end(), 0.0);
    add_forces(motion_, column_side_);
    for (std::size_t r = 0; r < row_side_.size(); ++r)
        row_side_[r] = -constraints_.bias()[r];
    solve(column_side_, row_side_);
    std::copy_n(solution_.begin(), accelerations.size(), accelerations.begin());
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
                       int most_iterations)
{
    const double goal = 1e-15 * system.plan().extent;
    const double enough = 1e-12 * system.plan().extent;
    double last = 0;
    for (int i = 0; i < most_iterations; ++i) {
        if (!system.update({time, side, state.x, state.v}, state.memory))
            return false;
        const double largest = system.constraints().largest_residual();
        if (largest <= goal || (i > 0 && largest <= enough && largest > 0.5 * last))
            return true;
        if (i == 0 || largest > 1e-2 * last) // the factors of the last iterate will do
            if (!system.factor())
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
        if (i == 0 && !system.factor())
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
    if (!system.update({time, Side::after, state.x, state.v}, state.memory) || !system.factor())
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
