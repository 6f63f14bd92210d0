// Switches of a linkage that others hold or touch: it moves by rows then, not by its own steps.
//
// Stops and friction of coordinates are rows like any other. Events and constraints that let go are
// looked at where the step ends [notes: linkages, events].

#include "models/linkage/model.h"
#include "models/linkage/scratch.h"
#include "scene/validate/problems.h"

#include <algorithm>

namespace sinew {

// ---------------------------------------------------------------- stops and friction as rows

namespace {

Site site_of(const LinkagePlan& plan, BlockId block, std::uint32_t column)
{
    return {block, static_cast<std::uint32_t>(plan.sites.size()) + column};
}

} // namespace

std::vector<CoordinateStop> LinkageModel::stops(std::uint32_t model) const
{
    std::vector<CoordinateStop> stops;
    for (std::uint32_t b = 0; b < plans_.size(); ++b)
        for (const PlannedLimit& limit : plans_[b].limits)
            stops.push_back({site_of(plans_[b], {model, b}, limit.column), limit.low, limit.high,
                             limit.bounce});
    return stops;
}

std::vector<CoordinateGrip> LinkageModel::grips(std::uint32_t model) const
{
    std::vector<CoordinateGrip> grips;
    for (std::uint32_t b = 0; b < plans_.size(); ++b)
        for (const PlannedFriction& friction : plans_[b].frictions)
            grips.push_back({site_of(plans_[b], {model, b}, friction.column), friction.most});
    return grips;
}

double LinkageModel::most_of(const CoordinateGrip& grip, double time, const Trial& trial) const
{
    LinkageStage& stage = stage_of(trial, grip.site.block.index);
    look(stage, time, trial, grip.site.block.index);
    return stage.system.motion().number(grip.value);
}

/// Rows keep the coordinates at their stops and where friction holds them: the ties that do so in
/// the linkage's own steps let go.
void LinkageModel::free_coordinates(LinkageStage& stage, double time, Trial& trial,
                                    std::size_t block) const
{
    const LinkagePlan& plan = plans_[block];
    const LinkageState state = view_of(trial.state, block);
    bool was_held = false;
    const auto let_go = [&](std::uint32_t tie) {
        double& release = state.memory[plan.ties[tie].release];
        was_held = was_held || release == kHolds;
        release = kOffForNow;
    };
    for (const PlannedLimit& limit : plan.limits)
        let_go(limit.tie);
    for (const PlannedFriction& friction : plan.frictions) {
        let_go(friction.tie);
        state.memory[friction.sign] = 0;
    }
    if (was_held && stage.system.update({time, Side::before, state.x, state.v}, state.memory))
        stage.system.decide_rows(state.memory, true);
}

// ---------------------------------------------------------------- the end of a step

/// The impulse of a step is b₁ λ₁ + b₂ λ₂ of its stages.                      [notes: rows, eq. 9]
void LinkageModel::begin_given(const Stage& now, LinkageStage& stage) const
{
    stage.step = now.step;
    if (!stage.system.plan().has_releases)
        return;
    const double share = (now.step - now.theta) / now.theta;
    for (std::size_t c = 0; c < stage.given.size(); ++c)
        stage.given[c] = now.index == 0 ? 0 : stage.given[c] + share * stage.last[c];
    std::fill(stage.last.begin(), stage.last.end(), 0.0);
}

bool LinkageModel::finishes_steps() const noexcept
{
    return std::ranges::any_of(
        plans_, [](const LinkagePlan& plan) { return plan.has_releases || !plan.events.empty(); });
}

namespace {

/// The fastest mass [m/s].
double speed_of(const Motion& motion)
{
    double square = 0;
    for (const PlannedMass& mass : motion.plan().masses) {
        const Vec3 v = first_of(motion.point(mass.point));
        square = std::max(square, dot(v, v));
    }
    return sqrt(square);
}

} // namespace

void LinkageModel::finish_step(const Cohort& cohort, double time, Trial& trial,
                               std::span<BlockReport> reports) const noexcept
{
    for (std::size_t k = 0; k < cohort.members.size(); ++k) {
        const std::uint32_t block = cohort.members[k].block;
        const LinkagePlan& plan = plans_[block];
        if (!plan.has_releases && plan.events.empty())
            continue;
        LinkageStage& stage = stage_of(trial, block);
        for (std::size_t c = 0; c < stage.given.size(); ++c)
            stage.columns[c] = (stage.given[c] + stage.last[c]) / stage.step;
        const BlockShape& shape = shapes_[block];
        const double reach = speed_of(stage.system.motion()) * stage.step;
        static_cast<LinkageScratch&>(*trial.scratch)
            .integrators[block]
            ->switch_beside_others(
                time, reach, stage.columns, {},
                std::span(trial.state.x).subspan(shape.x_first, shape.x_count),
                std::span(trial.state.v).subspan(shape.v_first, shape.v_count),
                std::span(trial.state.memory).subspan(shape.memory_first, shape.memory_count),
                reports[k]);
    }
}

// ---------------------------------------------------------------- events that others notice

bool LinkageModel::notices(std::uint32_t event) const
{
    return std::ranges::any_of(plans_, [&](const LinkagePlan& plan) {
        return std::ranges::any_of(plan.events, [&](const PlannedEvent& planned) {
            return planned.event == event && planned.condition != kNoIndex;
        });
    });
}

void LinkageModel::carry_out(std::span<const NoticedEvent> events, double time, Trial& trial,
                             BlockReport& report) const
{
    for (std::size_t b = 0; b < plans_.size(); ++b) {
        const bool is_concerned = std::ranges::any_of(events, [&](const NoticedEvent& noticed) {
            return std::ranges::any_of(plans_[b].events, [&](const PlannedEvent& planned) {
                return planned.event == noticed.event;
            });
        });
        if (!is_concerned)
            continue;
        const BlockShape& shape = shapes_[b];
        static_cast<LinkageScratch&>(*trial.scratch)
            .integrators[b]
            ->switch_beside_others(
                time, 0, {}, events, std::span(trial.state.x).subspan(shape.x_first, shape.x_count),
                std::span(trial.state.v).subspan(shape.v_first, shape.v_count),
                std::span(trial.state.memory).subspan(shape.memory_first, shape.memory_count),
                report);
    }
}

// ---------------------------------------------------------------- of one linkage

/// Looks at the state, with the forces from outside.
bool LinkageIntegrator::look_beside_others(double time, std::span<const double> outside)
{
    const LinkageState now = state();
    failure_ = Failure::not_finite;
    if (!system_.update({time, Side::after, now.x, now.v}, now.memory))
        return false;
    failure_ = Failure::singular;
    if (!system_.decide_rows(now.memory, false))
        return false;
    system_.solve_accelerations(std::span(dy_).subspan(now.x.size()), {}, outside);
    failure_ = Failure::none;
    return true;
}

void LinkageIntegrator::switch_beside_others(double time, double reach,
                                             std::span<const double> outside,
                                             std::span<const NoticedEvent> noticed,
                                             std::span<double> x, std::span<double> v,
                                             std::span<double> memory, BlockReport& report) noexcept
{
    constexpr int kMostRounds = 100;
    const auto n = static_cast<std::ptrdiff_t>(plan_->state_size());
    memory_ = memory;
    std::ranges::copy(x, y_.begin());
    std::ranges::copy(v, y_.begin() + n);
    step_end_ = time;
    reach_ = reach;
    bool is_good = look_beside_others(time, outside), is_new = false;
    for (const PlannedEvent& planned : plan_->events)
        for (const NoticedEvent& seen : noticed)
            if (is_good && planned.event == seen.event) {
                happen(planned, seen.time);
                is_new = true;
            }
    for (int round = 0; is_good; ++round) {
        if (is_new)
            is_good = begin_anew(time, report) && look_beside_others(time, outside);
        if (!is_good)
            break;
        is_new = switch_events(time, report);
        is_new = switch_ties(time, report) || is_new;
        is_good = !report.fault;
        if (!is_new)
            break;
        if (round == kMostRounds) {
            report.fault = describe_endless_switches(system_, time);
            is_good = false;
        }
    }
    reach_ = 0;
    if (!is_good && !report.fault)
        set_fault(time, report);
    std::copy_n(y_.begin(), n, x.begin());
    std::copy_n(y_.begin() + n, n, v.begin());
}

} // namespace sinew
