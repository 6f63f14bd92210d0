#include "models/linkage/equations/system.h"

#include "math/functions.h"
#include "math/rank.h"
#include "sinew/stop.h"

#include <algorithm>
#include <cmath>

namespace sinew {

LinkageSystem::LinkageSystem(const LinkagePlan& plan, const MatrixPlan& matrix_plan,
                             const std::vector<ImportFunction>& imports, Elimination elimination)
    : plan_(&plan), motion_(plan, imports), constraints_(plan), matrix_(plan, matrix_plan),
      solution_(plan.matrix_size()), column_side_(plan.column_count), row_side_(plan.rows.size()),
      grip_(plan.rows.size(), 1.0)
{
    if (elimination == Elimination::recursive_if_possible && LinkageRecursion::applies_to(plan))
        recursion_ = std::make_unique<LinkageRecursion>(plan);
    std::size_t rows = 0; // of the script
    for (const PlannedTie& tie : plan.ties)
        rows += tie.row_count;
    rows = std::min(rows, kMostPostponed);
    postponed_.reserve(rows);
    postponed_scale_.reserve(rows);
    remainder_.reserve(rows * rows);
}

bool LinkageSystem::update(const Instant& instant, std::span<const double> memory)
{
    memory_ = memory;
    if (!motion_.update({instant.time, instant.side, instant.state, instant.rates, memory}))
        return false;
    if (recursion_) // the rows of relays, which are all there are, are not looked at
        return true;
    constraints_.update(motion_, memory);
    for (const double g : constraints_.bias())
        if (!std::isfinite(g))
            return false;
    return true;
}

bool LinkageSystem::check(bool is_factored)
{
    if (!is_factored)
        singular_column_ = recursion_ ? recursion_->singular() : matrix_.singular();
    return is_factored;
}

bool LinkageSystem::factor(double tolerance)
{
    if (recursion_)
        return check(recursion_->factor(motion_));
    return check(matrix_.factor(motion_, constraints_, {}, memory_.subspan(plan_->memory_size), {},
                                tolerance));
}

bool LinkageSystem::factor_freely(double tolerance)
{
    if (recursion_)
        return check(recursion_->factor(motion_));
    return check(matrix_.factor_freely(motion_, constraints_, tolerance));
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
    if (recursion_)
        recursion_->solve(motion_, column_side, solution_);
    else
        matrix_.solve(constraints_, column_side, row_side, solution_);
}

void LinkageSystem::solve_accelerations(std::span<double> accelerations,
                                        std::span<const PointForce> outside,
                                        std::span<const double> on_columns)
{
    std::fill(column_side_.begin(), column_side_.end(), 0.0);
    add_forces(motion_, column_side_);
    add_point_forces(motion_, outside, column_side_);
    for (std::size_t c = 0; c < on_columns.size(); ++c)
        column_side_[c] += on_columns[c];
    for (std::size_t r = 0; r < row_side_.size(); ++r)
        row_side_[r] = -constraints_.bias()[r];
    solve(column_side_, row_side_);
    std::copy_n(solution_.begin(), accelerations.size(), accelerations.begin());
}

Vec3 LinkageSystem::tie_force(const PlannedTie& tie) const
{
    if (is_off(tie, memory_) || tie.kind == TieKind::coordinate)
        return {0, 0, 0};
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
        if (is_stopping() || !system.update({time, side, state.x, state.v}, state.memory))
            return false;
        const double largest = system.constraints().largest_residual();
        const double size = std::max(system.plan().extent, system.constraints().magnitude());
        const double goal = 1e-15 * size;
        enough = 1e-12 * size;
        if (largest <= goal || (i > 0 && largest <= enough && largest > 0.5 * last))
            return true;
        if (i == 0 || largest > 1e-2 * last) // else the factors of the last iterate will do
            if (!(tolerance > 0 ? system.factor_freely(tolerance) : system.factor(kDependent)))
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
        // Dependent rows are left out: they hold by their smoothness.
        if (i == 0 && !system.factor(kDependent))
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
    const Instant before = system.motion().instant(), after{time, Side::after, state.x, state.v};
    bool is_new = false; // a distance that becomes short, or no longer is, has other rows
    for (const PlannedTie& tie : plan.ties)
        is_new = is_new || is_short(tie, before) != is_short(tie, after);
    if (!system.update(after, state.memory) || !system.decide_rows(state.memory, is_new))
        return false;
    system.solve_velocities(velocities);
    for (std::size_t c = 0; c < state.v.size(); ++c)
        state.v[c] += system.solution()[c];
    return project_rates(system, time, Side::after, state);
}

double blow_of(const LinkageSystem& system, std::span<const Vec3> velocities)
{
    double sum = 0;
    for (std::size_t i = 0; i < velocities.size(); ++i) {
        const PlannedMass& mass = system.plan().masses[i];
        sum +=
            mass.mass * squared_length(first_of(system.motion().point(mass.point)) - velocities[i]);
    }
    return sum;
}

std::vector<std::uint32_t> find_reversals(LinkageSystem& system, double time,
                                          const LinkageState& state)
{
    constexpr double kZero = 1e-9; // of the mechanism's size
    const LinkagePlan& plan = system.plan();
    const Instant before{time, Side::before, state.x, state.v};
    const Instant after{time, Side::after, state.x, state.v};
    std::vector<std::uint32_t> found;
    if (plan.memory_size == 0)
        return found;
    std::vector<double> rates(plan.ties.size());
    const bool is_known = system.update(before, state.memory);
    for (std::size_t i = 0; is_known && i < plan.ties.size(); ++i)
        if (plan.ties[i].memory != kNoIndex)
            rates[i] = system.motion().value(plan.ties[i].length).first;
    if (!is_known || !system.update(after, state.memory))
        return found;
    for (std::uint32_t i = 0; i < plan.ties.size(); ++i) {
        const PlannedTie& tie = plan.ties[i];
        if (tie.memory == kNoIndex || !is_short(tie, before) || !is_short(tie, after))
            continue;
        const Jet2 f = system.motion().value(tie.length);
        if (abs(f.value) <= kZero * plan.extent && f.first * rates[i] < 0)
            found.push_back(i);
    }
    return found;
}

void decide_rows_along(LinkageSystem& system, double time, const LinkageState& state)
{
    constexpr double kShare = 1e-2, kLongest = 1e-2; // of the scale; [s]
    constexpr int kMostIterations = 50;
    const LinkagePlan& plan = system.plan();
    double speed = 0;
    for (std::size_t c = 0; c < state.v.size(); ++c)
        speed = max(speed, abs(state.v[c]) / plan.column_scale[c]);
    std::vector<double> x(state.x.begin(), state.x.end()), v(state.v.begin(), state.v.end()),
        memory(state.memory.begin(), state.memory.end());
    const double tau = speed > 0 ? min(kShare / speed, kLongest) : 0;
    if (tau == 0) { // at rest: the way it begins to move
        system.solve_accelerations(v);
        for (std::size_t c = 0; c < v.size(); ++c)
            speed = max(speed, abs(v[c]) / plan.column_scale[c]);
    }
    const double way = tau > 0 ? tau : speed > 0 ? kShare / speed : 0;
    for (std::size_t c = 0; c < v.size(); ++c)
        x[c] += way * v[c];
    const Instant here{time, Side::after, state.x, state.v}, there{time + tau, Side::after, x, v};
    for (const PlannedTie& tie : plan.ties)
        if (is_short(tie, here) != is_short(tie, there))
            return;
    const LinkageState ahead{x, v, memory};
    if (!project_positions(system, there.time, Side::after, ahead, kMostIterations,
                           kNearlyDependent) ||
        !system.update(there, memory) || !system.decide_rows(memory, true))
        return;
    if (system.count_rows(memory) > system.count_rows(state.memory))
        std::copy(memory.begin(), memory.end(), state.memory.begin());
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
