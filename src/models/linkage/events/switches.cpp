// What happens at times that are found on the way: constraints let go and hold again, events come,
// coordinates meet their stops, friction begins and ceases to hold [notes: linkages, events].
//
// A step at whose end something is due is tried again with half its length, until it is as short
// as the time is to be known. Then everything that is due happens, in rounds, until nothing is.

#include "math/functions.h"
#include "math/rank.h"
#include "models/linkage/integrator.h"
#include "models/linkage/path_places.h"
#include "scene/validate/problems.h"

#include <algorithm>
#include <limits>

namespace sinew {

namespace {

/// To which times are found, in parts of the time or of a second; and where nothing but constraints
/// that let go is looked for [s].
constexpr double kWidth = 1e-12, kReleaseWidth = 1e-10;

/// A coordinate slower than this against a stop or against friction rests [1/s of its scale].
constexpr double kResting = 1e-6;

/// Places within a step at which conditions are looked at besides its end.
constexpr int kPlaces = 8;

} // namespace

/// True when a tie is to let go, by what system_ holds: its last update and its last solution.
bool LinkageIntegrator::is_due(const PlannedTie& tie, double time) const
{
    if (tie.release == kNoIndex || tie.kind == TieKind::coordinate || is_off(tie, linkage_memory()))
        return false;
    const Release& release = release_of(*plan_->scene, tie.statement);
    const Motion& motion = system_.motion();
    if ((release.until && time >= *release.until) || !(motion.number(tie.active) > 0.5))
        return true;
    if (release.beyond && tie.path == kNoIndex &&
        length(value_of(motion.point(tie.b) - motion.point(tie.a))) > *release.beyond)
        return true;
    return release.breaks && length(system_.tie_force(tie)) > *release.breaks;
}

/// True when a tie that does not hold for now is to hold again.
bool LinkageIntegrator::is_to_hold(const PlannedTie& tie) const
{
    return tie.kind != TieKind::coordinate && tie.release != kNoIndex &&
           linkage_memory()[tie.release] == kOffForNow && system_.motion().number(tie.active) > 0.5;
}

bool LinkageIntegrator::is_due(const PlannedEvent& event) const
{
    if (event.condition == kNoIndex)
        return false;
    const bool holds = system_.motion().number(event.condition) > 0.5;
    const bool has_come = linkage_memory()[event.time] < kNever;
    return has_come ? plan_->scene->events[event.event].repeats && !holds : holds;
}

/// A stop that is passed, or one that would have to pull.
bool LinkageIntegrator::is_due(const PlannedLimit& limit) const
{
    const PlannedTie& tie = plan_->ties[limit.tie];
    const double x = system_.motion().instant().state[limit.column];
    const double v = system_.motion().instant().rates[limit.column];
    if (is_off(tie, linkage_memory()))
        return (x <= limit.low && v < 0) || (x >= limit.high && v > 0);
    const double push = system_.coordinate_force(tie);
    return linkage_memory()[tie.place] <= limit.low ? push < 0 : push > 0;
}

/// Friction that slips backwards, or would have to hold with more than it can.
bool LinkageIntegrator::is_due(const PlannedFriction& friction) const
{
    const double sign = linkage_memory()[friction.sign];
    if (sign != 0)
        return sign * system_.motion().instant().rates[friction.column] < 0;
    const PlannedTie& tie = plan_->ties[friction.tie];
    return is_off(tie, linkage_memory()) ||
           abs(system_.coordinate_force(tie)) > system_.motion().number(friction.most);
}

bool LinkageIntegrator::is_anything_due(double time) const
{
    const auto due = [&](const auto& each) { return is_due(each); };
    return std::ranges::any_of(
               plan_->ties,
               [&](const PlannedTie& tie) { return is_due(tie, time) || is_to_hold(tie); }) ||
           std::ranges::any_of(plan_->events, due) || std::ranges::any_of(plan_->limits, due) ||
           std::ranges::any_of(plan_->frictions, due) || is_over_kink();
}

/// True when a condition holds, or a stop is passed, somewhere within the step from y_ to y_new_:
/// on the cubic through places and rates of its ends.
bool LinkageIntegrator::is_due_within(double begin, double h)
{
    if (plan_->events.empty() && plan_->limits.empty() && plan_->kinks.empty())
        return false;
    const std::size_t n = plan_->state_size();
    for (int k = 1; k < kPlaces; ++k) {
        const double s = double(k) / kPlaces, r = 1 - s;
        for (std::size_t i = 0; i < n; ++i) {
            const double x0 = y_[i], x1 = y_new_[i], v0 = y_[n + i], v1 = y_new_[n + i];
            stage_[i] =
                r * r * ((1 + 2 * s) * x0 + s * h * v0) + s * s * ((1 + 2 * r) * x1 - r * h * v1);
            stage_[n + i] = 6 * s * r * (x1 - x0) / h + r * (r - 2 * s) * v0 + s * (s - 2 * r) * v1;
        }
        const std::span<const double> y(stage_);
        if (!system_.update({begin + s * h, Side::after, y.first(n), y.subspan(n)},
                            linkage_memory()))
            return false;
        const auto is_passed = [&](const PlannedLimit& limit) {
            return is_off(plan_->ties[limit.tie], linkage_memory()) && is_due(limit);
        };
        if (std::ranges::any_of(plan_->events, [&](const auto& event) { return is_due(event); }) ||
            std::ranges::any_of(plan_->limits, is_passed) || is_over_kink())
            return true;
    }
    return false;
}

/// True when something is due within the step, which is then tried again with half its length,
/// until it is as short as the time is to be known.
bool LinkageIntegrator::is_before_switch(double begin, double h)
{
    const bool lets_go_only = plan_->events.empty() && plan_->limits.empty() &&
                              plan_->frictions.empty() && plan_->kinks.empty();
    const double width = lets_go_only ? kReleaseWidth : kWidth * max(1.0, abs(begin));
    const bool is_short = h / 2 <= width;
    if (!is_short && is_due_within(begin, h)) {
        switch_step_ = h / 2;
        return true;
    }
    if (!evaluate(step_end_, y_new_, stage_, false))
        return false;
    // Times that are known are keys: steps end there anyway.
    const bool is_passed = is_anything_due(-std::numeric_limits<double>::infinity());
    if (!is_short && (switch_step_ > 0 || is_passed)) {
        switch_step_ = h / 2;
        return is_passed;
    }
    switch_step_ = 0;
    return false;
}

/// All that is due at this time happens.
bool LinkageIntegrator::carry_out_switches(double time, BlockReport& report)
{
    constexpr int kMostRounds = 100;
    if (!plan_->has_switches() || switch_step_ > 0)
        return true;
    for (int round = 0; round < kMostRounds; ++round) {
        bool is_new = switch_kinks(time, report);
        is_new = switch_events(time, report) || is_new;
        is_new = switch_ties(time, report) || is_new;
        is_new = switch_limits(time, report) || is_new;
        is_new = switch_frictions() || is_new;
        if (report.fault)
            return false;
        if (!is_new)
            return true;
        if (!begin_anew(time, report))
            return false;
    }
    report.fault = describe_endless_switches(system_, time);
    return false;
}

/// Chooses the rows again, and looks at the state.
bool LinkageIntegrator::begin_anew(double time, BlockReport& report)
{
    const LinkageState now = state();
    if (system_.update({time, Side::after, now.x, now.v}, now.memory) &&
        system_.decide_rows(now.memory, true))
        return settle(time, report);
    failure_ = Failure::singular;
    set_fault(time, report);
    return false;
}

bool LinkageIntegrator::switch_events(double time, BlockReport&)
{
    bool is_new = false;
    for (const PlannedEvent& event : plan_->events) {
        if (!is_due(event))
            continue;
        happen(event, linkage_memory()[event.time] < kNever ? kNever : time);
        is_new = true;
    }
    return is_new;
}

/// At kNever it is over.
void LinkageIntegrator::happen(const PlannedEvent& event, double time)
{
    linkage_memory()[event.time] = time;
    if (time < kNever)
        for (const PlannedEvent::RateSet& set : event.rates)
            state().v[set.column] = system_.motion().number(set.rate);
}

/// What lets go keeps its velocities; what is to hold again must be in its place.
bool LinkageIntegrator::switch_ties(double time, BlockReport& report)
{
    bool is_new = false;
    const std::span<double> memory = linkage_memory();
    std::vector<const PlannedTie*> caught;
    for (const PlannedTie& tie : plan_->ties) {
        if (is_due(tie, time)) {
            const bool is_for_now = tie.waits && !(system_.motion().number(tie.active) > 0.5);
            memory[tie.release] = is_for_now ? kOffForNow : kOffForGood;
            is_new = true;
        } else if (is_to_hold(tie)) {
            caught.push_back(&tie);
        }
    }
    return hold_again(caught, time, report) || is_new;
}

/// The masses keep their velocities as far as the constraints allow [notes: linkages, eq. 5].
bool LinkageIntegrator::hold_again(const std::vector<const PlannedTie*>& caught, double time,
                                   BlockReport& report)
{
    constexpr double kFarthest = 1e-6; // of the mechanism's size: what may be moved to hold
    if (caught.empty())
        return false;
    const LinkageState now = state();
    for (std::size_t i = 0; i < plan_->masses.size(); ++i)
        velocities_[i] = first_of(system_.motion().point(plan_->masses[i].point));
    for (const PlannedTie* tie : caught) {
        now.memory[tie->release] = kHolds;
        put_on_path(*plan_, *tie, time, now.x);
    }
    const Instant instant{time, Side::after, now.x, now.v};
    std::uint32_t row = 0;
    bool is_good = system_.update(instant, now.memory);
    if (is_good &&
        system_.constraints().largest_residual(&row) > reach_ + kFarthest * plan_->extent) {
        report.fault = describe_missed_hold(system_, time, row);
        return true;
    }
    is_good = is_good && system_.decide_rows(now.memory, true) &&
              project_positions(system_, time, Side::after, now, 8) &&
              system_.update(instant, now.memory) && system_.decide_rows(now.memory, true);
    if (!is_good) {
        failure_ = Failure::singular;
        set_fault(time, report);
        return true;
    }
    system_.solve_velocities(velocities_);
    for (std::size_t c = 0; c < now.v.size(); ++c)
        now.v[c] += system_.solution()[c];
    return true;
}

/// J v⁺ = −e J v⁻ of the coordinate at its stop [notes: linkages, eq. 12]; a slow one stays there.
bool LinkageIntegrator::switch_limits(double time, BlockReport& report)
{
    bool is_new = false;
    const LinkageState now = state();
    for (const PlannedLimit& limit : plan_->limits) {
        const PlannedTie& tie = plan_->ties[limit.tie];
        const std::uint32_t c = limit.column;
        if (!is_off(tie, now.memory)) {
            if (is_due(limit)) {
                now.memory[tie.release] = kOffForNow;
                is_new = true;
            }
            continue;
        }
        const bool is_low = now.x[c] <= limit.low;
        const bool is_met = (is_low && now.v[c] < 0) || (now.x[c] >= limit.high && now.v[c] > 0);
        if (!is_met)
            continue;
        is_new = true;
        now.x[c] = now.memory[tie.place] = is_low ? limit.low : limit.high;
        now.memory[tie.release] = kHolds;
        if (!system_.update({time, Side::after, now.x, now.v}, now.memory) ||
            !system_.decide_rows(now.memory, true)) {
            failure_ = Failure::singular;
            set_fault(time, report);
            return true;
        }
        const double rest = kResting * plan_->column_scale[c];
        const bool leaves = limit.bounce * abs(now.v[c]) > rest;
        std::vector<double> rows(plan_->rows.size());
        rows[tie.first_row] = (1 + (leaves ? limit.bounce : 0)) * now.v[c];
        system_.solve_correction(rows);
        for (std::size_t i = 0; i < now.v.size(); ++i)
            now.v[i] += system_.solution()[i];
        if (leaves)
            now.memory[tie.release] = kOffForNow;
    }
    return is_new;
}

/// Slips, sticks, or slips the other way.
bool LinkageIntegrator::switch_frictions()
{
    bool is_new = false;
    const LinkageState now = state();
    for (const PlannedFriction& friction : plan_->frictions) {
        if (!is_due(friction))
            continue;
        is_new = true;
        const PlannedTie& tie = plan_->ties[friction.tie];
        double& sign = now.memory[friction.sign];
        const double v = now.v[friction.column];
        if (!is_off(tie, now.memory)) { // it slips the way it is pushed
            sign = system_.coordinate_force(tie) < 0 ? 1 : -1;
            now.memory[tie.release] = kOffForNow;
        } else if (abs(v) > kResting * plan_->column_scale[friction.column]) {
            sign = v < 0 ? -1 : 1;
        } else {
            sign = 0;
            now.v[friction.column] = 0;
            now.memory[tie.place] = now.x[friction.column];
            now.memory[tie.release] = kHolds;
        }
    }
    return is_new;
}

} // namespace sinew
