#include "models/linkage/integrator.h"

#include "math/functions.h"
#include "scene/validate/problems.h"
#include "sinew/stop.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// More attempts than this in one advance, and for each second of it, are no motion any more.
constexpr double kMostAttempts = 5e4, kMostAttemptsPerSecond = 1e6;

/// Error of an explicit step, in parts of the coordinates' scale, that is accepted.
constexpr double kTolerance = 2e-13;

/// The same for an implicit step. Its estimate is of order 3, the step itself of order 5: measured
/// against the explicit method the error stays well below.
constexpr double kImplicitTolerance = 2e-10;

/// An error that falls more slowly than h² when a step is tried again is rounding (a light mass
/// among heavy ones): then more of it is borne, up to this.
constexpr double kMostRelief = 1e4;

/// Errors below this part of a coordinate cannot be seen.
constexpr double kRounding = 1e-15;

/// A step shorter than this part of the time is none.
constexpr double kShortestStep = 1e-13;

/// After so many explicit steps the implicit method is tried for some steps, and kept while its
/// steps are so much longer; where it does not pay, the next trial waits twice as long. Measuring
/// both is the only test that holds: at this tolerance a stiff spring limits the explicit step long
/// before stability does, by terms (hλ)⁸ in its error.
constexpr double kFirstPatience = 200, kMostPatience = 12800, kTrial = 12, kGain = 3;
constexpr double kMostImplicitSteps = 1000; ///< then the explicit method gets another chance

bool is_all_finite(std::span<const double> values)
{
    return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

} // namespace

LinkageIntegrator::LinkageIntegrator(const LinkagePlan& plan, const LinkageMatrices& matrices,
                                     const std::vector<ImportFunction>& imports)
    : plan_(&plan), system_(plan, matrices.masses, imports, Elimination::recursive_if_possible),
      explicit_(2 * plan.state_size()), implicit_(has_springs(plan) ? 2 * plan.state_size() : 0),
      y_(2 * plan.state_size()), y_new_(y_.size()), stage_(y_.size()), dy_(y_.size()),
      scale_(y_.size()), passage_(plan, system_), given_(y_.size()), passage_y_(y_.size()),
      velocities_(plan.masses.size())
{
    for (std::vector<double>& slope : slopes_)
        slope.resize(y_.size());
    if (has_springs(plan))
        linearisation_ = std::make_unique<LinkageLinearisation>(plan, matrices.masses,
                                                                matrices.with_springs, imports);
}

LinkageState LinkageIntegrator::state()
{
    const std::size_t n = plan_->state_size();
    return {{y_.data(), n}, {y_.data() + n, n}, linkage_memory()};
}

// ---------------------------------------------------------------- what the methods ask for

/// In a delicate posture errors off the constraints grow without bound, so every stage is taken
/// back onto them first.
bool LinkageIntegrator::derivative(double t, std::span<const double> y,
                                   std::span<double> dy) noexcept
{
    constexpr int kMostIterations = 4;
    if (!is_delicate_)
        return evaluate(t, y, dy, false);
    const std::size_t n = plan_->state_size();
    std::copy(y.begin(), y.end(), stage_.begin());
    const LinkageState stage{{stage_.data(), n}, {stage_.data() + n, n}, state().memory};
    const bool is_met = project_positions(system_, t, side_at(t), stage, kMostIterations) &&
                        project_rates(system_, t, side_at(t), stage);
    return evaluate(t, is_met ? stage_ : y, dy, false);
}

void LinkageIntegrator::filter_error(std::span<double> error) noexcept
{
    if (is_delicate_)
        system_.filter_error(error.first(plan_->state_size()), error.subspan(plan_->state_size()));
}

bool LinkageIntegrator::evaluate(double t, std::span<const double> y, std::span<double> dy,
                                 bool is_settled)
{
    const std::size_t n = plan_->state_size();
    failure_ = Failure::not_finite;
    if (!is_all_finite(y) ||
        !system_.update({t, side_at(t), y.first(n), y.subspan(n)}, linkage_memory()))
        return false;
    failure_ = Failure::singular;
    if (!(is_settled ? system_.decide_rows(state().memory, false) : system_.factor()))
        return false;
    if (is_settled)
        note_strength();
    std::copy_n(y.begin() + std::ptrdiff_t(n), n, dy.begin());
    system_.solve_accelerations(dy.subspan(n));
    failure_ = is_all_finite(dy) ? Failure::none : Failure::not_finite;
    return failure_ == Failure::none;
}

void LinkageIntegrator::note_strength()
{
    strength_ = system_.weakest();
    is_delicate_ = system_.is_delicate();
    is_singular_ = system_.is_singular();
}

bool LinkageIntegrator::linearise(double t, std::span<const double> y) noexcept
{
    const std::size_t n = plan_->state_size();
    return linearisation_->update({t, side_at(t), y.first(n), y.subspan(n)}, linkage_memory());
}

bool LinkageIntegrator::factor(double real_shift, std::complex<double> complex_shift) noexcept
{
    return linearisation_->factor(real_shift, complex_shift);
}

void LinkageIntegrator::solve_real(std::span<double> rhs) noexcept
{
    linearisation_->solve_real(rhs);
}

void LinkageIntegrator::solve_complex(std::span<std::complex<double>> rhs) noexcept
{
    linearisation_->solve_complex(rhs);
}

// ---------------------------------------------------------------- sizes

void LinkageIntegrator::update_scale()
{
    const std::size_t n = plan_->state_size();
    const double tolerance = relief_ * (is_implicit() ? kImplicitTolerance : kTolerance);
    double speed = 0; // of the whole mechanism, in scales per second
    for (std::size_t i = 0; i < n; ++i)
        speed = std::max(speed, abs(y_[n + i]) / plan_->column_scale[i]);
    for (std::size_t i = 0; i < n; ++i) {
        // A length far from the origin is less exact; an angle of many turns is not.
        const double size = plan_->is_length[i] ? std::max(plan_->column_scale[i], abs(y_[i]))
                                                : plan_->column_scale[i];
        scale_[i] = tolerance * size + kRounding * abs(y_[i]);
        scale_[n + i] = scale_[i] * std::max(speed, 1.0);
    }
}

/// A step over which the motion changes little: refused ones cost more than short ones.
double LinkageIntegrator::first_step_size() const
{
    const std::size_t n = plan_->state_size();
    double speed = 0;
    for (std::size_t i = 0; i < n; ++i) {
        speed = std::max(speed, abs(dy_[i]) / plan_->column_scale[i]);
        speed = std::max(speed, sqrt(abs(dy_[n + i]) / plan_->column_scale[i]));
    }
    constexpr double kLongest = 1e-2, kShare = 2e-2; // [s]; of the scale of what moves
    return speed > 0 ? std::min(kLongest, kShare / speed) : kLongest;
}

// ---------------------------------------------------------------- time

void LinkageIntegrator::advance(double t0, double t1, std::span<double> x, std::span<double> v,
                                std::span<double> memory, BlockReport& report) noexcept
{
    const auto n = static_cast<std::ptrdiff_t>(plan_->state_size());
    memory_ = memory;
    if (!has_springs(*plan_)) // whatever a stranger's snapshot says
        remembered(IntegratorMemory::is_stiff) = 0;
    std::copy(x.begin(), x.end(), y_.begin());
    std::copy(v.begin(), v.end(), y_.begin() + n);
    Clock clock{t0, t0, t1, t1};
    corner_.reset();
    corner_step_ = 0;
    corner_turns_ = kinks_passed_ = 0;
    passage_wait_ = passage_failures_ = 0;
    relief_ = 1;
    refused_step_ = 0;
    const double most_attempts = kMostAttempts + kMostAttemptsPerSecond * (t1 - t0);
    report.reached = t0;
    const auto commit = [&] {
        std::copy_n(y_.begin(), n, x.begin());
        std::copy_n(y_.begin() + n, n, v.begin());
        report.reached = clock.now;
    };
    bool is_good = resume_passage(clock, report);
    if (is_good)
        commit();
    while (is_good && clock.now < t1 && !is_stopping()) {
        is_good = begin_stretch(clock, report);
        if (is_good && plan_->scene->settings.linkage_method == LinkageMethod::fixed)
            is_good = take_fixed_steps(clock, report);
        while (is_good && clock.now < clock.limit) {
            is_good = !is_stopping() && take_step(clock, report);
            if (is_good && report.steps + report.rejected > most_attempts) {
                set_fault(clock.now, report);
                is_good = false;
            }
        }
        if (is_good &&
            std::binary_search(plan_->key_times.begin(), plan_->key_times.end(), clock.now))
            is_good = cross_key(clock.now, report);
        if (is_good)
            commit();
    }
}

/// Looks at the state from which steps lead to the next key, or to the end of the advance.
bool LinkageIntegrator::begin_stretch(Clock& clock, BlockReport& report)
{
    const auto key = std::upper_bound(plan_->key_times.begin(), plan_->key_times.end(), clock.now);
    clock.key = key != plan_->key_times.end() ? *key : std::numeric_limits<double>::infinity();
    clock.limit = std::min(clock.key, clock.end);
    step_end_ = clock.limit;
    // What depends on what was decided where the last step ended.
    const bool is_good = evaluate(clock.now, y_, dy_, false);
    if (!is_good) {
        set_fault(clock.now, report);
        return false;
    }
    switch_step_ = 0;
    note_branches();
    if (!carry_out_switches(clock.now, report))
        return false;
    system_.update_weakest();
    note_strength();
    if (!(remembered(IntegratorMemory::step_size) > 0)) {
        if (is_singular_) // no acceleration that means anything
            std::fill(dy_.begin() + std::ptrdiff_t(plan_->state_size()), dy_.end(), 0.0);
        remembered(IntegratorMemory::step_size) = first_step_size();
    }
    double& implicit_step_size = remembered(IntegratorMemory::implicit_step_size);
    if (is_implicit() && !(implicit_step_size > 0)) // in a stranger's snapshot alone
        implicit_step_size = remembered(IntegratorMemory::step_size);
    return true;
}

bool LinkageIntegrator::take_step(Clock& clock, BlockReport& report)
{
    if (const auto interval = find_passage(clock))
        if (pass_singular(clock, *interval, report))
            return !report.fault;
    const bool implicit = is_implicit();
    double step_size =
        remembered(implicit ? IntegratorMemory::implicit_step_size : IntegratorMemory::step_size);
    if (switch_step_ > 0)
        step_size = std::min(step_size, switch_step_);
    const double left = clock.limit - clock.now;
    // Two equal steps rather than a long one and a crumb.
    const bool is_last = corner_step_ > 0 ? corner_step_ >= left : step_size >= left;
    const double h = is_last                ? left
                     : corner_step_ > 0     ? corner_step_
                     : step_size > left / 2 ? left / 2
                                            : step_size;
    step_end_ = is_last ? clock.limit : clock.now + h;
    update_scale();
    const StepOutcome outcome = implicit
                                    ? implicit_.step(*this, clock.now, h, y_, dy_, scale_, y_new_)
                                    : explicit_.step(*this, clock.now, h, y_, dy_, scale_, y_new_);
    if (!outcome.is_evaluable || !(outcome.error <= 1)) {
        corner_step_ = 0;
        return refuse(clock.now, h, outcome, report);
    }
    if (plan_->path_column_count > 0 && is_before_corner(h)) {
        ++report.rejected;
        return true;
    }
    if (plan_->has_switches() && is_before_switch(clock.now, h)) {
        ++report.rejected;
        return true;
    }
    accept(h, outcome, report);
    clock.now = step_end_;
    std::swap(y_, y_new_);
    if (settle(clock.now, report) && (!corner_ || turn_corner(clock.now, report)) &&
        carry_out_switches(clock.now, report))
        return true;
    std::swap(y_, y_new_);
    return false;
}

/// True when the step has passed a corner and is to be tried again with another size, found by
/// Newton's method on u(h) = corner. A step that ends at the corner has it in corner_.
bool LinkageIntegrator::is_before_corner(double h)
{
    constexpr int kMostAttempts = 12;
    const bool is_looking = corner_step_ > 0;
    if (!is_looking) {
        corner_ = find_corner(*plan_, y_, y_new_);
        corner_attempts_ = 0;
    }
    if (!corner_)
        return false;
    const std::size_t c = corner_->column;
    const double gap = corner_->place - y_new_[c];
    const double rate = y_new_[plan_->state_size() + c];
    const bool is_there = abs(gap) <= kAtCorner;
    const bool is_lost = !(rate * corner_->side > 0) || ++corner_attempts_ > kMostAttempts;
    if (is_there || is_lost) {
        corner_step_ = 0;
        if (!is_there)
            corner_.reset(); // it turned back, or grazes: the error control sees to it
        return false;
    }
    const double better = h + gap / rate;
    corner_step_ = better > 0 && better < 2 * h ? better : h / 2;
    return true;
}

/// Goes on behind a corner: the masses' velocities turn as far as the constraints ask.
bool LinkageIntegrator::turn_corner(double time, BlockReport& report)
{
    constexpr int kMostTurns = 200;
    const Corner corner = *corner_;
    corner_.reset();
    if (++corner_turns_ > kMostTurns) {
        report.fault = describe_corner(system_, time, corner.column);
        return false;
    }
    y_[corner.column] = corner.place + corner.side * kBeyondCorner;
    step_end_ = time; // looked at from before: keys are crossed elsewhere
    if (!project_rates(system_, time, Side::before, state())) {
        failure_ = Failure::singular;
        set_fault(time, report);
        return false;
    }
    return settle(time, report);
}

/// Equal steps up to the limit, none longer than the scene's; rounding makes no extra one.
bool LinkageIntegrator::take_fixed_steps(Clock& clock, BlockReport& report)
{
    const double begin = clock.now, left = clock.limit - begin;
    const double count = max(1.0, ceil(left / plan_->scene->settings.step * (1 - 1e-9)));
    for (double i = 0; i < count; ++i) {
        const double t = begin + left * (i / count);
        if (is_stopping())
            return false;
        step_end_ = i + 1 < count ? begin + left * ((i + 1) / count) : clock.limit;
        if (!runge_kutta_step(t, step_end_ - t)) {
            set_fault(t, report);
            return false;
        }
        std::swap(y_, y_new_);
        if (!settle(step_end_, report) || !carry_out_switches(step_end_, report)) {
            std::swap(y_, y_new_);
            return false;
        }
        clock.now = step_end_;
        ++report.steps;
    }
    return true;
}

/// The classical method of order 4, from y_ with dy_ to y_new_.
bool LinkageIntegrator::runge_kutta_step(double t, double h)
{
    constexpr double kPlace[] = {0, 0.5, 0.5, 1}, kWeight[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    slopes_[0] = dy_;
    y_new_ = y_;
    for (std::size_t s = 0; s < 4; ++s) {
        if (s > 0) {
            for (std::size_t i = 0; i < y_.size(); ++i)
                stage_[i] = y_[i] + kPlace[s] * h * slopes_[s - 1][i];
            if (!evaluate(s == 3 ? step_end_ : t + kPlace[s] * h, stage_, slopes_[s], false))
                return false;
        }
        for (std::size_t i = 0; i < y_.size(); ++i)
            y_new_[i] += kWeight[s] * h * slopes_[s][i];
    }
    return true;
}

/// Makes the next attempt shorter. False when it would be no step any more.
bool LinkageIntegrator::refuse(double now, double h, const StepOutcome& outcome,
                               BlockReport& report)
{
    ++report.rejected;
    const double share = refused_step_ > 0 ? h / refused_step_ : 0;
    const bool is_rounding = outcome.is_evaluable && outcome.error < 100 && share > 0 &&
                             outcome.error > 0.5 * share * share * refused_error_;
    refused_step_ = h;
    refused_error_ = outcome.error;
    if (is_rounding && !is_implicit() && relief_ < kMostRelief) {
        relief_ *= 4;
        refused_step_ = 0;
        return true;
    }
    double& step_size = remembered(is_implicit() ? IntegratorMemory::implicit_step_size
                                                 : IntegratorMemory::step_size);
    const double factor =
        !outcome.is_evaluable ? 0.25
        : is_implicit() ? next_step_factor(outcome.error, Radau::kErrorOrder, Radau::kErrorAim)
                        : next_step_factor(outcome.error, DormandPrince::kErrorOrder);
    step_size = h * std::min(factor, 0.9);
    if (is_implicit() && outcome.is_evaluable && outcome.error >= Radau::kNoConvergence) {
        step_size = 0.6 * h;
        remembered(IntegratorMemory::longest_implicit) = step_size;
    }
    if (step_size >= kShortestStep * std::max(1.0, abs(now)))
        return true;
    if (is_implicit()) { // the explicit method may still get on
        leave_implicit(false);
        return true;
    }
    set_fault(now, report);
    return false;
}

void LinkageIntegrator::accept(double h, const StepOutcome& outcome, BlockReport& report)
{
    ++report.steps;
    refused_step_ = 0;
    if (outcome.error < 0.1)
        relief_ = std::max(1.0, relief_ / 2);
    report.implicit_steps += is_implicit() ? 1 : 0;
    double& step_size = remembered(is_implicit() ? IntegratorMemory::implicit_step_size
                                                 : IntegratorMemory::step_size);
    const double factor =
        is_implicit() ? next_step_factor(outcome.error, Radau::kErrorOrder, Radau::kErrorAim)
                      : next_step_factor(outcome.error, DormandPrince::kErrorOrder);
    // A step that was cut and could have been much longer says nothing against the longer one.
    const bool was_cut = h < step_size;
    constexpr double kMuch = 5;
    step_size = was_cut && factor > kMuch ? std::max(step_size, h * factor) : h * factor;
    if (double& longest = remembered(IntegratorMemory::longest_implicit);
        is_implicit() && longest > 0) {
        // A stiff spring that turns lets Newton converge up to some step; feel for it gently.
        longest *= 1.03;
        step_size = std::min(step_size, longest);
    }
    if (linearisation_)
        choose_method(was_cut);
}

/// Explicit or implicit from here on: a function of what is remembered, so of the state.
void LinkageIntegrator::choose_method(bool was_cut)
{
    double& steps = remembered(IntegratorMemory::method_steps);
    double& patience = remembered(IntegratorMemory::patience);
    patience = std::max(patience, kFirstPatience);
    steps += was_cut ? 0 : 1; // a step that a frame or a key cut says nothing
    if (!is_implicit()) {
        if (steps < patience)
            return;
        steps = 0;
        remembered(IntegratorMemory::is_stiff) = 1;
        remembered(IntegratorMemory::implicit_step_size) =
            kGain * remembered(IntegratorMemory::step_size);
        return;
    }
    const bool pays = remembered(IntegratorMemory::implicit_step_size) >
                      kGain * remembered(IntegratorMemory::step_size);
    if ((steps >= kTrial && !pays) || steps >= kMostImplicitSteps)
        leave_implicit(pays);
}

void LinkageIntegrator::leave_implicit(bool pays)
{
    double& patience = remembered(IntegratorMemory::patience);
    patience = pays ? kFirstPatience : std::min(2 * patience, kMostPatience);
    remembered(IntegratorMemory::is_stiff) = 0;
    remembered(IntegratorMemory::method_steps) = 0;
}

/// After a step: onto the constraints, and the derivative the next step starts with.
bool LinkageIntegrator::settle(double time, BlockReport& report)
{
    constexpr int kMostIterations = 8;
    normalise_turns();
    if (!plan_->ties.empty() && !ends_singular(time)) {
        if (!project_positions(system_, time, Side::before, state(), kMostIterations)) {
            report.fault = describe_inconsistency(system_, time);
            return false;
        }
        if (!project_rates(system_, time, Side::before, state())) {
            failure_ = Failure::singular;
            set_fault(time, report);
            return false;
        }
    }
    warn_of_path_ends(report);
    if (evaluate(time, y_, dy_, true))
        return true;
    set_fault(time, report);
    return false;
}

/// Turns have unit length, and rates across it [notes: linkages, eq. 9].
void LinkageIntegrator::normalise_turns()
{
    const LinkageState now = state();
    for (const PlannedTurn& turn : plan_->turns) {
        double squares = 0, along = 0;
        for (const std::uint32_t c : turn.columns) {
            squares += now.x[c] * now.x[c];
            along += now.x[c] * now.v[c];
        }
        const double size = sqrt(squares);
        for (const std::uint32_t c : turn.columns) {
            now.v[c] = (now.v[c] - now.x[c] * along / squares) / size;
            now.x[c] /= size;
        }
    }
}

bool LinkageIntegrator::cross_key(double time, BlockReport& report)
{
    note_directions(system_, time, state());
    const std::vector<std::uint32_t> reversals = find_reversals(system_, time, state());
    y_new_ = y_;
    bool is_passed = pass_key(system_, time, state(), velocities_);
    for (const std::uint32_t tie : reversals)
        is_passed = is_passed && choose_way(time, plan_->ties[tie]);
    if (is_passed)
        return true;
    failure_ = Failure::singular;
    set_fault(time, report);
    return false;
}

/// At a key where a distance touches zero, behind pass_key from y_new_: lets the ends pass through
/// each other where that is the smaller blow.
bool LinkageIntegrator::choose_way(double time, const PlannedTie& tie)
{
    constexpr double kSmaller = 1 - 1e-9;
    double* const direction = state().memory.data() + tie.memory;
    const auto look = [&] {
        const LinkageState now = state();
        return system_.update({time, Side::after, now.x, now.v}, now.memory)
                   ? blow_of(system_, velocities_)
                   : std::numeric_limits<double>::infinity();
    };
    const double blow_back = look();
    stage_ = y_;
    std::copy(y_new_.begin(), y_new_.end(), y_.begin());
    for (int i = 0; i < 3; ++i)
        direction[i] = -direction[i];
    if (pass_key(system_, time, state(), velocities_) && look() < kSmaller * blow_back)
        return true;
    for (int i = 0; i < 3; ++i)
        direction[i] = -direction[i];
    y_ = stage_;
    return true;
}

void LinkageIntegrator::set_fault(double time, BlockReport& report)
{
    if (const auto column = find_at_corner(*plan_, y_); column && failure_ == Failure::none) {
        report.fault = describe_corner(system_, time, *column);
        return;
    }
    const std::span<const double> accelerations = std::span(dy_).subspan(plan_->state_size());
    const LinkageState now = state();
    system_.update({time, Side::before, now.x, now.v}, now.memory); // the words look at it
    report.fault =
        failure_ == Failure::singular
            ? describe_singular(system_, time, system_.singular_column())
            : describe_collapse(system_, time, accelerations, failure_ != Failure::not_finite);
}

void LinkageIntegrator::warn_of_path_ends(BlockReport& report)
{
    const Scene& scene = *plan_->scene;
    for (const PlannedTie& tie : plan_->ties) {
        if (tie.path == kNoIndex || plan_->paths[tie.path].column == kNoIndex)
            continue;
        const PathKind kind = plan_->paths[tie.path].kind;
        if (kind == PathKind::line || kind == PathKind::closed_spline) // without ends
            continue;
        const std::uint32_t c = plan_->paths[tie.path].column;
        const auto is_on = [](double u) { return u >= 0 && u <= 1; };
        if (!is_on(y_new_[c]) || is_on(y_[c])) // y_new_ holds the state before the step
            continue;
        const std::size_t i = tie.statement - scene.distance_constraints.size();
        const PathConstraint& constraint = scene.path_constraints[i];
        report.warnings.push_back(make_problem(
            scene, Severity::warning, "beyond-path", constraint.origin, "path_constraints",
            "'" + object_names(scene)[constraint.point.index] +
                "' leaves the end of its path, which continues in a straight line",
            "make the path longer, or stop the run before"));
    }
}

} // namespace sinew
