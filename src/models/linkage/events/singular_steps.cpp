// Steps over singular postures: when one is near, how long the step over it is, and what happens
// when an advance ends in the middle of one [notes: linkages, change points].

#include "math/functions.h"
#include "models/linkage/integrator.h"

#include <algorithm>

namespace sinew {

namespace {

/// The weakest row is stronger than this where no step leads into a singular posture.
constexpr double kFarFromSingular = 0.03;

} // namespace

/// The root of the strength a little later, if the motion goes on as it does.
std::optional<double> LinkageIntegrator::strength_ahead(double now, double tau)
{
    const std::size_t n = plan_->state_size();
    for (std::size_t i = 0; i < n; ++i) {
        stage_[i] = y_[i] + tau * (y_[n + i] + 0.5 * tau * dy_[n + i]);
        stage_[n + i] = y_[n + i] + tau * dy_[n + i];
    }
    const LinkageState stage{{stage_.data(), n}, {stage_.data() + n, n}, state().memory};
    if (!system_.update({now + tau, Side::after, stage.x, stage.v}, stage.memory) ||
        !system_.factor())
        return std::nullopt;
    system_.update_weakest();
    return sqrt(system_.weakest());
}

/// When constraints will depend on each other, or did, if the motion goes on as it does: the root
/// of the strength is straight in time near there. Far away when there is no such time.
double LinkageIntegrator::expected_change(double now, double h)
{
    constexpr double kBeyondAll = 1e9, kProbe = 1. / 16, kBend = 0.3;
    const double tau = kProbe * h, root = sqrt(strength_);
    const auto ahead = strength_ahead(now, tau);
    const double slope = ahead ? (*ahead - root) / tau : 0;
    if (slope == 0 || abs(root / slope) > 3 * h)
        return kBeyondAll;
    const auto farther = strength_ahead(now, 2 * tau);
    const bool is_straight = farther && abs((*farther - *ahead) / tau - slope) < kBend * abs(slope);
    const bool is_passed = farther && root - tau * abs(slope) * 2 < 0; // the posture is in between
    return is_straight || is_passed ? now - root / slope : kBeyondAll;
}

/// How many scales of the coordinates the motion passes in a second.
double LinkageIntegrator::fastest_rate() const
{
    const std::size_t n = plan_->state_size();
    double rate = 1e-6; // in what is at rest nothing happens soon
    for (std::size_t i = 0; i < n; ++i) {
        rate = max(rate, abs(y_[n + i]) / plan_->column_scale[i]);
        if (!is_singular_)
            rate = max(rate, sqrt(abs(dy_[n + i]) / plan_->column_scale[i]));
    }
    return rate;
}

/// The interval of a step over a singular posture, if one is near. Frames do not cut it; keys do.
std::optional<PassageInterval> LinkageIntegrator::find_passage(const Clock& clock)
{
    constexpr double kAhead = 1.5, kBehind = 1; // in steps
    constexpr double kStride = 0.15;            // in scales of the motion
    if (strength_ > kFarFromSingular || is_implicit() || corner_step_ > 0)
        return std::nullopt;
    if (passage_wait_ > 0) {
        --passage_wait_;
        return std::nullopt;
    }
    // The explicit step becomes short on the way to such a posture; the motion itself does not.
    const double h = max(remembered(IntegratorMemory::step_size), kStride / fastest_rate()),
                 left = clock.key - clock.now;
    const double change = is_singular_ ? clock.now : expected_change(clock.now, h);
    const double ahead = change - clock.now;
    if (ahead > kAhead * h || ahead < -kBehind * h)
        return std::nullopt;
    double length = ahead > 0 ? max(2 * ahead, h) : 2 * h;
    if (length > 0.7 * left) // no crumb in front of a key
        length = length < left ? left / 2 : left;
    return PassageInterval{clock.now, length < left ? clock.now + length : clock.key, change};
}

/// False when there is no such step here: the ordinary one is tried.
bool LinkageIntegrator::pass_singular(Clock& clock, const PassageInterval& interval,
                                      BlockReport& report)
{
    // Near the posture rounding counts, so that a longer step may be better as well as a shorter.
    constexpr double kLengths[] = {1, 2, 0.5, 0.25};
    constexpr int kMostWait = 64;
    for (const double part : kLengths) {
        PassageInterval attempt = interval;
        attempt.end = min(interval.begin + part * (interval.end - interval.begin), clock.key);
        if (take_passage(attempt)) {
            passage_failures_ = 0;
            return finish_passage(clock, attempt, report);
        }
        ++report.rejected;
    }
    passage_wait_ = std::min(1 << std::min(passage_failures_++, 10), kMostWait);
    return false;
}

/// From y_ to y_new_.
bool LinkageIntegrator::take_passage(const PassageInterval& interval)
{
    relief_ = 1;
    update_scale();
    return passage_.step(interval, y_, state().memory, scale_, y_new_) &&
           (plan_->path_column_count == 0 || !find_corner(*plan_, y_, y_new_));
}

/// Goes on from the end of the step, or reads it where the advance ends. Always true: what may fail
/// is in the report.
bool LinkageIntegrator::finish_passage(Clock& clock, const PassageInterval& interval,
                                       BlockReport& report)
{
    refused_step_ = 0;
    if (interval.end > clock.end) {
        remembered(IntegratorMemory::passage_begin) = interval.begin;
        remembered(IntegratorMemory::passage_end) = interval.end;
        remembered(IntegratorMemory::passage_change) = interval.change;
        std::copy(y_.begin(), y_.end(), passage_start().begin());
        read_passage(clock.end);
        clock.now = clock.end;
        return true;
    }
    remembered(IntegratorMemory::passage_end) = 0;
    ++report.steps;
    clock.now = step_end_ = interval.end;
    std::swap(y_, y_new_);
    if (const auto change = passage_.find_change(); change && !plan_->ties.empty())
        if (remembered(IntegratorMemory::change_points)++ == 0)
            report.warnings.push_back(describe_change_point(system_, *change));
    if (!settle(clock.now, report))
        std::swap(y_, y_new_);
    return true;
}

/// The state at a time within the step last taken into y_.
void LinkageIntegrator::read_passage(double time)
{
    constexpr int kMostIterations = 8;
    passage_.read(time, y_);
    stage_ = y_;
    step_end_ = time;
    if (!ends_singular(time) &&
        !(project_positions(system_, time, Side::before, state(), kMostIterations) &&
          project_rates(system_, time, Side::before, state())))
        y_ = stage_;
}

/// Where the last advance ended within a step, the step is taken again from its begin and gone on
/// with, as long as nobody has changed the state since.
bool LinkageIntegrator::resume_passage(Clock& clock, BlockReport& report)
{
    const PassageInterval interval{remembered(IntegratorMemory::passage_begin),
                                   remembered(IntegratorMemory::passage_end),
                                   remembered(IntegratorMemory::passage_change)};
    if (!plan_->may_become_singular() || !(interval.end > clock.now) ||
        !(interval.begin < clock.now))
        return true;
    given_ = y_;
    std::copy(passage_start().begin(), passage_start().end(), passage_y_.begin());
    y_ = passage_y_;
    strength_ = 0;
    bool is_same = take_passage(interval);
    if (is_same) {
        read_passage(clock.now);
        is_same = y_ == given_;
    }
    if (!is_same) {
        remembered(IntegratorMemory::passage_end) = 0;
        y_ = given_;
        return true;
    }
    y_ = passage_y_;
    finish_passage(clock, interval, report);
    if (!report.fault &&
        std::binary_search(plan_->key_times.begin(), plan_->key_times.end(), clock.now))
        return cross_key(clock.now, report);
    return !report.fault;
}

/// True in a singular posture, where the constraints cannot be projected onto: the step over it has
/// met them already.
bool LinkageIntegrator::ends_singular(double time)
{
    if (strength_ > kFarFromSingular)
        return false;
    if (!system_.update({time, Side::before, state().x, state().v}, state().memory) ||
        !system_.factor())
        return false;
    system_.update_weakest();
    return system_.is_singular();
}

} // namespace sinew
