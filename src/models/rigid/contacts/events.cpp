// Who met whom in a step.

#include "models/rigid/contacts/events.h"

#include "base/parallel.h"

#include <algorithm>

namespace sinew {

namespace {

Pair bodies_of(const Pile& pile, const ContactState& contact)
{
    return {pile.shapes[contact.shapes.a].body, pile.shapes[contact.shapes.b].body};
}

Pair ascending(const Pair& pair) { return {std::min(pair.a, pair.b), std::max(pair.a, pair.b)}; }

double load_of(const ContactState& contact)
{
    double sum = 0;
    for (const double impulse : contact.impulse)
        sum += impulse;
    return sum;
}

Vec3 velocity_at(const BodyState& body, const Vec3& place)
{
    return body.v + cross(body.w, place - body.x);
}

/// The middle of a contact's points.
Vec3 place_of(const Pile& pile, const PileState& state, const ContactState& contact)
{
    const BodyShape& shape = pile.shapes[contact.shapes.b];
    const BodyState& body = state.bodies[shape.body];
    Vec3 sum{0, 0, 0};
    const int count = std::max(contact.manifold.count, 1);
    for (int k = 0; k < contact.manifold.count; ++k)
        sum += contact.manifold.point[std::size_t(k)].on_b;
    return apply_to_point(Pose{body.q, body.x} * shape.place, sum / double(count));
}

/// How two bodies come together at a contact.
PileEvent event_at(const Pile& pile, const PileState& before, const PileState& state,
                   const ContactState& contact, double impulse)
{
    const Pair pair = bodies_of(pile, contact);
    PileEvent event{.a = pair.a,
                    .b = pair.b,
                    .place = place_of(pile, state, contact),
                    .normal = contact.manifold.normal,
                    .impulse = impulse};
    const Vec3 u = velocity_at(before.bodies[pair.b], event.place) -
                   velocity_at(before.bodies[pair.a], event.place);
    event.speed = max(0.0, -dot(u, event.normal));
    event.slip = length(u - event.normal * dot(u, event.normal));
    if (pair.a > pair.b) {
        std::swap(event.a, event.b);
        event.normal = -event.normal;
    }
    return event;
}

/// One event for each pair: that of its hardest contact, with the impulses of all.
void join_events(std::vector<PileEvent>& events)
{
    const auto pair_of = [](const PileEvent& event) { return Pair{event.a, event.b}; };
    std::ranges::stable_sort(events, {}, pair_of);
    std::vector<PileEvent> joined;
    double hardest = 0;
    for (const PileEvent& event : events) {
        if (joined.empty() || pair_of(joined.back()) != pair_of(event)) {
            joined.push_back(event);
            hardest = event.impulse;
            continue;
        }
        const double sum = joined.back().impulse + event.impulse;
        if (event.impulse > hardest) {
            hardest = event.impulse;
            joined.back() = event;
        }
        joined.back().impulse = sum;
    }
    events.swap(joined);
}

} // namespace

void note_loads(const PileState& state, std::vector<double>& loads, int threads)
{
    constexpr std::size_t kPortion = 256;
    loads.resize(state.contacts.size());
    for_each_portion(loads.size(), kPortion, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c)
            loads[c] = load_of(state.contacts[c]);
    });
}

void add_meetings(const Pile& pile, const PileState& before, const PileState& state,
                  const StepLengths& lengths, std::span<const double> loads,
                  std::span<const double> struck, std::vector<PileEvent>& events)
{
    std::vector<PileEvent> met;
    for (std::size_t c = 0; c < loads.size(); ++c) {
        if (loads[c] != 0)
            continue;
        const double load = load_of(state.contacts[c]) + (struck.empty() ? 0 : struck[c]);
        if (load > 0)
            met.push_back(event_at(pile, before, state, state.contacts[c], load));
    }
    std::erase_if(met, [&](const PileEvent& event) { return !(event.speed > lengths.speed); });
    if (met.empty())
        return;
    join_events(met);
    const auto pair_of = [](const PileEvent& event) { return Pair{event.a, event.b}; };
    std::vector<char> touched(met.size(), 0);
    for (std::size_t c = 0; c < loads.size(); ++c) {
        if (loads[c] == 0)
            continue;
        const Pair pair = ascending(bodies_of(pile, state.contacts[c]));
        const auto found = std::ranges::lower_bound(met, pair, {}, pair_of);
        if (found != met.end() && pair_of(*found) == pair)
            touched[std::size_t(found - met.begin())] = 1;
    }
    for (std::size_t i = 0; i < met.size(); ++i)
        if (!touched[i])
            events.push_back(met[i]);
}

namespace {

/// Whether shapes of two bodies overlap; where, into `contact`.
bool do_meet(const Pile& pile, const StepLengths& lengths, ContactWork& work, std::uint32_t a,
             std::uint32_t b, ContactState& contact)
{
    const Body &body_a = pile.bodies[a], &body_b = pile.bodies[b];
    CollideLengths near = make_lengths(lengths.unit);
    near.reach = 0;
    for (std::uint32_t i = 0; i < body_a.shape_count; ++i)
        for (std::uint32_t j = 0; j < body_b.shape_count; ++j) {
            const Pair shapes{body_a.first_shape + i, body_b.first_shape + j};
            const Placed &of_a = work.placed[shapes.a], &of_b = work.placed[shapes.b];
            collide_all(of_a, of_b, near, *work.scratch, work.patches);
            for (const SubManifold& sub : work.patches)
                for (int k = 0; k < sub.manifold.count; ++k)
                    if (sub.manifold.point[std::size_t(k)].gap < 0) {
                        contact.shapes = shapes;
                        contact.manifold = sub.manifold;
                        return true;
                    }
        }
    return false;
}

} // namespace

void sense_pairs(const Pile& pile, const StepLengths& lengths, ContactWork& work, PileState& state,
                 std::vector<PileEvent>& events)
{
    std::vector<Pair> now;
    for (const auto& [pair, meeting] : pile.meetings) {
        if (meeting != Meeting::sense)
            continue;
        ContactState contact;
        if (!do_meet(pile, lengths, work, pair.first, pair.second, contact))
            continue;
        now.push_back({pair.first, pair.second});
        if (std::ranges::binary_search(state.sensed, now.back()))
            continue;
        events.push_back(event_at(pile, state, state, contact, 0));
        events.back().is_sensed = true;
    }
    state.sensed = std::move(now);
}

} // namespace sinew
