// Events that the world notices: those whose conditions look at bodies, strands or rods. They come
// at the ends of steps; where linkages are alone, within them. What linkages see by themselves they
// notice to rounding, within their own steps.

#include "math/functions.h"
#include "scene/formula.h"
#include "world/measures.h"
#include "world/parts.h"

#include <algorithm>

namespace sinew {

void World::Parts::make_events()
{
    for (std::uint32_t i = 0; i < scene.events.size(); ++i)
        if (!charli && !linkages->notices(i))
            noticed.push_back(i);
    state.events.assign(noticed.size(), kNever);
    StepReport start;
    notice_events(start);
    begin_state = state;
}

/// Coordinates of events are the times at which they came.
void World::Parts::read_event_times()
{
    for (std::size_t k = 0; k < noticed.size() && k < state.events.size(); ++k)
        coordinates[scene.events[noticed[k]].time.index] = state.events[k];
}

/// How strongly things touched in the step that ends now. What bounced off has left already: its
/// impulse is that of the meeting.
std::vector<TouchForce> World::Parts::touches_of_step(const StepReport& report) const
{
    std::vector<TouchForce> touches;
    bool is_asked = false;
    for (const std::uint32_t i : noticed)
        for_each_measured(scene, scene.events[i].condition, [&](const Formula& leaf) {
            is_asked = is_asked || measures(leaf, Measure::contact);
        });
    if (!is_asked)
        return touches;
    for (const Contact& contact : contacts_now())
        touches.push_back({contact.a, contact.b, contact.force});
    const double h = state.time - begin_state.time;
    const auto is_known = [&](const ContactEvent& met) {
        return std::ranges::any_of(touches, [&](const TouchForce& touch) {
            return touch.a == met.a && touch.b == met.b && touch.force > 0;
        });
    };
    for (const ContactEvent& met : report.events)
        if (met.time > begin_state.time && !met.is_sensed && !is_known(met))
            touches.push_back({met.a, met.b, met.impulse / h});
    return touches;
}

/// Those whose conditions hold now and did not, or the other way round where they repeat.
std::vector<std::size_t> World::Parts::due_events(const Measurements& measured)
{
    Posture now = update_instant(state.time, at_events);
    now.measured = &measured;
    std::vector<std::size_t> due;
    for (std::size_t k = 0; k < noticed.size(); ++k) {
        const Event& event = scene.events[noticed[k]];
        const bool holds = value_at(scene, event.condition, now, at_events.objects) > 0.5;
        const bool has_come = state.events[k] < kNever;
        if (has_come ? event.repeats && !holds : holds)
            due.push_back(k);
    }
    return due;
}

bool World::Parts::look_at_events(const Measurements& measured, std::vector<NoticedEvent>& found)
{
    const std::vector<std::size_t> due = due_events(measured);
    for (const std::size_t k : due) {
        state.events[k] = state.events[k] < kNever ? kNever : state.time;
        found.push_back({noticed[k], state.events[k]});
    }
    return !due.empty();
}

void World::Parts::measure_conditions(const StepReport& report, Measured& measured) const
{
    std::vector<Value> conditions;
    for (const std::uint32_t i : noticed)
        conditions.push_back(scene.events[i].condition);
    measure(conditions, measured);
    measured.touches = touches_of_step(report);
    measured.all.touches = measured.touches;
}

/// Linkages alone take steps of any length, so that the time of an event is found as that of a
/// release is: a step at whose end one is due is tried again with half its length.
void World::Parts::step_linkages(double until, StepReport& report)
{
    constexpr double kWidth = 1e-12; // of the time, or of a second
    constexpr int kMostLocated = 20; // in a step: what an event itself undoes comes without end
    const bool locates =
        !noticed.empty() && !charli && scene.settings.linkage_method == LinkageMethod::automatic;
    double due_at = until;
    bool is_searching = false;
    int located = 0;
    while (!report.fault && state.time < until) {
        const double begin = state.time;
        const bool is_short = due_at - begin <= kWidth * max(1.0, abs(begin));
        const double end = is_searching && !is_short ? begin + 0.5 * (due_at - begin) : due_at;
        copy_state(state, work.threads, begin_state);
        add_report(sinew::step_to(ensemble, state, end, work), report);
        read_coordinates();
        if (report.fault)
            return;
        if (locates && located < kMostLocated && !is_short) {
            Measured measured;
            measure_conditions(report, measured);
            if (!due_events(measured.all).empty()) {
                state = begin_state;
                read_coordinates();
                due_at = end;
                is_searching = true;
                ++report.rejected;
                continue;
            }
        }
        notice_events(report);
        if (end == due_at) {
            located += is_searching;
            due_at = until;
            is_searching = false;
        }
    }
}

/// Rounds, for an event may be what another waits for.
void World::Parts::notice_events(StepReport& report)
{
    constexpr int kMostRounds = 100;
    if (report.fault || noticed.empty())
        return;
    std::vector<NoticedEvent> found;
    Measured measured;
    measure_conditions(report, measured);
    for (int round = 0; round < kMostRounds && look_at_events(measured.all, found); ++round)
        read_event_times();
    if (found.empty())
        return;
    BlockReport block;
    linkages->carry_out(found, state.time, look_at_linkages(), block);
    report.fault = block.fault;
    state.models[kLinkages] = look.state;
    read_coordinates();
}

} // namespace sinew
