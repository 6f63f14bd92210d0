// Formulas of the state with kinks and jumps: min, max, abs and their like in what moves something.
// Where such a formula goes over from one function to another is located as events are; there the
// masses keep their velocities as far as the constraints allow [notes: linkages, eq. 5], as at
// keys.

#include "math/functions.h"
#include "models/linkage/integrator.h"

#include <algorithm>
#include <cmath>

namespace sinew {

/// Which function it is: a sign, or a whole number; at the kink itself the one that it goes on to.
double LinkageIntegrator::branch_of(const PlannedKink& kink) const
{
    const Jet2 a = system_.motion().value(kink.a), b = system_.motion().value(kink.b);
    switch (kink.operation) {
    case Operation::remainder:
    case Operation::round_down:
    case Operation::round_up: {
        const Jet2 x = kink.operation == Operation::remainder ? a / b : a;
        const double whole = floor(x.value);
        if (!std::isfinite(whole)) // in an arm of a choice that is not taken
            return 0;
        return x.value == whole && x.first < 0 ? whole - 1 : whole;
    }
    default: {
        const Jet2 x = kink.operation == Operation::absolute ? a : a - b;
        return x.value < 0 || (x.value == 0 && x.first < 0) ? -1 : 1;
    }
    }
}

/// Of the state that system_ has.
void LinkageIntegrator::note_branches()
{
    branches_.resize(plan_->kinks.size());
    for (std::size_t i = 0; i < branches_.size(); ++i)
        branches_[i] = branch_of(plan_->kinks[i]);
}

bool LinkageIntegrator::is_over_kink() const
{
    for (std::size_t i = 0; i < branches_.size(); ++i)
        if (branch_of(plan_->kinks[i]) != branches_[i])
            return true;
    return false;
}

/// Behind a step over a kink, as short as the time is to be known; y_new_ holds the state before
/// it. Where the masses' velocities would lead back, as at the end of what |q| can reach, the rates
/// stay as they are, and so does the energy.
bool LinkageIntegrator::switch_kinks(double time, BlockReport& report)
{
    constexpr int kMostPassed = 1000;
    if (!is_over_kink())
        return false;
    if (plan_->scene->settings.linkage_method == LinkageMethod::fixed) { // whole steps locate none
        note_branches();
        return false;
    }
    std::vector<std::size_t> passed;
    for (std::size_t i = 0; i < branches_.size(); ++i)
        if (branch_of(plan_->kinks[i]) != branches_[i])
            passed.push_back(i);
    if (++kinks_passed_ > kMostPassed) {
        report.fault = describe_kink(system_, time, plan_->kinks[passed.front()]);
        return true;
    }
    const std::size_t n = plan_->state_size();
    const LinkageState now = state();
    const std::span<const double> before(y_new_);
    const auto look = [&] { return system_.update({time, Side::after, now.x, now.v}, now.memory); };
    bool is_good =
        system_.update({time, Side::before, before.first(n), before.subspan(n)}, now.memory);
    for (std::size_t i = 0; i < plan_->masses.size(); ++i)
        velocities_[i] = first_of(system_.motion().point(plan_->masses[i].point));
    is_good = is_good && look() && system_.decide_rows(now.memory, true);
    if (is_good) {
        note_branches();
        system_.solve_velocities(velocities_);
        for (std::size_t c = 0; c < n; ++c)
            now.v[c] += system_.solution()[c];
        is_good = look();
    }
    if (!is_good) {
        failure_ = Failure::singular;
        set_fault(time, report);
        return true;
    }
    const auto leads_back = [&](std::size_t i) {
        const PlannedKink& kink = plan_->kinks[i];
        const Jet2 a = system_.motion().value(kink.a), b = system_.motion().value(kink.b);
        const double rate = kink.operation == Operation::absolute ? a.first : a.first - b.first;
        return branches_[i] * rate < 0;
    };
    const auto is_sign = [&](std::size_t i) {
        const Operation operation = plan_->kinks[i].operation;
        return operation != Operation::remainder && operation != Operation::round_down &&
               operation != Operation::round_up;
    };
    if (std::ranges::any_of(passed, [&](std::size_t i) { return is_sign(i) && leads_back(i); }))
        std::copy(before.begin() + std::ptrdiff_t(n), before.end(), now.v.begin());
    return true;
}

} // namespace sinew
