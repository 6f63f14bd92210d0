#include "models/linkage/integrator.h"

#include "math/functions.h"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// Error per step, in parts of the coordinates' scale, that is accepted.
constexpr double kTolerance = 2e-12;

/// A step shorter than this part of the time is none.
constexpr double kShortestStep = 1e-13;

} // namespace

LinkageIntegrator::LinkageIntegrator(const LinkagePlan& plan, const MatrixPlan& matrix_plan,
                                     const std::vector<ImportFunction>& imports)
    : plan_(&plan), system_(plan, matrix_plan, imports), explicit_(2 * plan.state_size()),
      y_(2 * plan.state_size()), y_new_(y_.size()), dy_(y_.size()), scale_(y_.size()),
      velocities_(plan.masses.size())
{
}

LinkageState LinkageIntegrator::state()
{
    const std::size_t n = plan_->state_size();
    return {{y_.data(), n}, {y_.data() + n, n}, memory_.subspan(IntegratorMemory::count)};
}

bool LinkageIntegrator::derivative(double t, std::span<const double> y,
                                   std::span<double> dy) noexcept
{
    const std::size_t n = plan_->state_size();
    const Side side = t < step_end_ ? Side::after : Side::before;
    if (!system_.update({t, side, y.first(n), y.subspan(n)},
                        memory_.subspan(IntegratorMemory::count)) ||
        !system_.factor())
        return false;
    std::copy_n(y.begin() + n, n, dy.begin());
    system_.solve_accelerations(dy.subspan(n));
    return std::all_of(dy.begin(), dy.end(), [](double value) { return std::isfinite(value); });
}

void LinkageIntegrator::update_scale()
{
    const std::size_t n = plan_->state_size();
    double speed = 0; // of the whole mechanism, in scales per second
    for (std::size_t i = 0; i < n; ++i)
        speed = std::max(speed, abs(y_[n + i]) / plan_->column_scale[i]);
    for (std::size_t i = 0; i < n; ++i) {
        scale_[i] = kTolerance * plan_->column_scale[i];
        scale_[n + i] = scale_[i] * std::max(speed, 1.0);
    }
}

double LinkageIntegrator::next_limit(double now, double end) const
{
    const auto key = std::upper_bound(plan_->key_times.begin(), plan_->key_times.end(), now);
    return key != plan_->key_times.end() && *key < end ? *key : end;
}

/// A step over which the motion changes little: refused ones cost more than short ones.
double LinkageIntegrator::first_step_size()
{
    const std::size_t n = plan_->state_size();
    double speed = 0;
    for (std::size_t i = 0; i < n; ++i) {
        speed = std::max(speed, abs(dy_[i]) / plan_->column_scale[i]);
        speed = std::max(speed, sqrt(abs(dy_[n + i]) / plan_->column_scale[i]));
    }
    return speed > 0 ? std::min(1e-2, 2e-2 / speed) : 1e-2;
}

void LinkageIntegrator::advance(double t0, double t1, std::span<double> x, std::span<double> v,
                                std::span<double> memory, BlockReport& report) noexcept
{
    const std::size_t n = plan_->state_size();
    memory_ = memory;
    std::copy(x.begin(), x.end(), y_.begin());
    std::copy(v.begin(), v.end(), y_.begin() + static_cast<std::ptrdiff_t>(n));
    Clock clock{t0, t1, t0};
    report.reached = t0;
    bool is_good = true;
    while (is_good && clock.now < t1) {
        clock.limit = next_limit(clock.now, t1);
        step_end_ = clock.limit;
        is_good = derivative(clock.now, y_, dy_);
        if (!is_good) {
            set_fault(clock.now, report);
            break;
        }
        double& step_size = memory[IntegratorMemory::step_size];
        if (!(step_size > 0))
            step_size = first_step_size();
        while (is_good && clock.now < clock.limit)
            is_good = take_step(clock, step_size, report);
        // A key at the very end belongs to the next advance, unless nothing comes after.
        if (is_good &&
            std::binary_search(plan_->key_times.begin(), plan_->key_times.end(), clock.now))
            is_good = cross_key(clock.now, report);
        if (is_good) {
            std::copy_n(y_.begin(), n, x.begin());
            std::copy_n(y_.begin() + static_cast<std::ptrdiff_t>(n), n, v.begin());
            report.reached = clock.now;
        }
    }
}

bool LinkageIntegrator::take_step(Clock& clock, double& step_size, BlockReport& report)
{
    const double left = clock.limit - clock.now;
    // Two equal steps rather than a long one and a crumb.
    const bool is_last = step_size >= left;
    const double h = is_last ? left : step_size > left / 2 ? left / 2 : step_size;
    step_end_ = is_last ? clock.limit : clock.now + h;
    update_scale();
    const StepOutcome outcome = explicit_.step(*this, clock.now, h, y_, dy_, scale_, y_new_);
    if (!outcome.is_evaluable || !(outcome.error <= 1)) {
        ++report.rejected;
        step_size =
            h * (outcome.is_evaluable ? next_step_factor(outcome.error, DormandPrince::kErrorOrder)
                                      : 0.25);
        if (step_size < kShortestStep * std::max(1.0, abs(clock.now))) {
            set_fault(clock.now, report);
            return false;
        }
        return true;
    }
    ++report.steps;
    const double proposed = h * next_step_factor(outcome.error, DormandPrince::kErrorOrder);
    if (h == step_size || proposed < step_size)
        step_size = proposed;
    std::swap(y_, y_new_);
    clock.now = is_last ? clock.limit : clock.now + h;
    if (!settle(clock.now, report)) {
        std::swap(y_, y_new_);
        return false;
    }
    return true;
}

/// After a step: onto the constraints, and the derivative the next step starts with.
bool LinkageIntegrator::settle(double time, BlockReport& report)
{
    constexpr int kMostIterations = 8;
    if (!plan_->rows.empty()) {
        if (!project_positions(system_, time, Side::before, state(), kMostIterations)) {
            report.fault = describe_inconsistency(system_, time);
            return false;
        }
        if (!project_rates(system_, time, Side::before, state())) {
            set_fault(time, report);
            return false;
        }
    }
    check_paths(time, report);
    if (derivative(time, y_, dy_))
        return true;
    set_fault(time, report);
    return false;
}

bool LinkageIntegrator::cross_key(double time, BlockReport& report)
{
    note_directions(system_, time, state());
    if (pass_key(system_, time, state(), velocities_))
        return true;
    set_fault(time, report);
    return false;
}

void LinkageIntegrator::set_fault(double time, BlockReport& report)
{
    report.fault = describe_fault(system_, time, system_.singular_column());
}

void LinkageIntegrator::check_paths(double, BlockReport&) {}

} // namespace sinew
