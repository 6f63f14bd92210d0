// Events that the world notices: those whose conditions look at bodies, strands or rods. They come
// at the ends of steps. What linkages see by themselves they notice to rounding, within their own
// steps.

#include "scene/formula.h"
#include "world/parts.h"

#include <algorithm>

namespace sinew {

namespace {

/// Calls use(leaf) for what a value is measured by, besides places.
template <class Use>
void for_each_measured(const Scene& scene, Value value, Use&& use)
{
    for_each_leaf(scene, value, [&](const Formula& leaf) {
        if (leaf.operation == Operation::contact || is_rate_of_value(leaf))
            use(leaf);
    });
}

bool measures(const Formula& leaf, Measure what)
{
    return leaf.operation == Operation::contact && measure_of(leaf) == what;
}

} // namespace

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

/// Only what the values ask for.
void World::Parts::measure(std::span<const Value> values, Measured& out) const
{
    constexpr double kMoment = 1e-6; // s: rounding and curvature leave errors of the same size
    bool contacts = false, constraints = false, energy = false, moves = false, sections = false;
    for (const Value value : values)
        for_each_measured(scene, value, [&](const Formula& leaf) {
            contacts = contacts || measures(leaf, Measure::contact);
            constraints = constraints || measures(leaf, Measure::constraint);
            energy =
                energy || measures(leaf, Measure::kinetic) || measures(leaf, Measure::potential);
            sections = sections ||
                       (leaf.operation == Operation::contact && is_of_section(measure_of(leaf)));
            moves = moves || is_rate_of_value(leaf);
        });
    if (contacts)
        for (const Contact& contact : contacts_now())
            out.touches.push_back({contact.a, contact.b, contact.force});
    if (constraints) {
        out.held.resize(scene.objects.size(), {0, 0, 0});
        for (const ActingForce& force : forces_now())
            if (force.kind == ActingForce::Kind::constraint && force.object.is_valid())
                out.held[force.object.index] += force.force;
    }
    if (sections)
        out.sections = sections_by_object();
    if (energy) {
        const Energy now = energy_now();
        out.all.kinetic = now.kinetic;
        out.all.potential = now.potential;
    }
    if (moves) {
        out.before = extrapolated(-kMoment);
        out.after = extrapolated(kMoment);
        out.coordinates_before = out.coordinates_after = coordinates;
        for (std::size_t i = 0; i < coordinates.size(); ++i) {
            out.coordinates_before[i] -= kMoment * rates[i];
            out.coordinates_after[i] += kMoment * rates[i];
        }
        out.all.moment = kMoment;
    }
    out.all.touches = out.touches;
    out.all.held = out.held;
    out.all.sections = out.sections;
    out.all.coordinates_before = out.coordinates_before;
    out.all.coordinates_after = out.coordinates_after;
    out.all.before = out.before.objects;
    out.all.after = out.after.objects;
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

/// Conditions that hold now and did not, or the other way round for those that repeat.
bool World::Parts::look_at_events(const Measurements& measured, std::vector<NoticedEvent>& found)
{
    Posture now = update_instant(state.time, at_events);
    now.measured = &measured;
    bool is_any = false;
    for (std::size_t k = 0; k < noticed.size(); ++k) {
        const Event& event = scene.events[noticed[k]];
        const bool holds = value_at(scene, event.condition, now, at_events.objects) > 0.5;
        const bool has_come = state.events[k] < kNever;
        if (has_come ? !event.repeats || holds : !holds)
            continue;
        state.events[k] = has_come ? kNever : state.time;
        found.push_back({noticed[k], state.events[k]});
        is_any = true;
    }
    return is_any;
}

/// Rounds, for an event may be what another waits for.
void World::Parts::notice_events(StepReport& report)
{
    constexpr int kMostRounds = 100;
    if (report.fault || noticed.empty())
        return;
    std::vector<NoticedEvent> found;
    std::vector<Value> conditions;
    for (const std::uint32_t i : noticed)
        conditions.push_back(scene.events[i].condition);
    Measured measured;
    measure(conditions, measured);
    measured.touches = touches_of_step(report);
    measured.all.touches = measured.touches;
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
