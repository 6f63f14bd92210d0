#include "models/rigid/islands/energy_limit.h"

#include "models/rigid/motion.h"

#include <algorithm>
#include <limits>

namespace sinew {

namespace {

constexpr double kAnyEnergy = std::numeric_limits<double>::infinity();

/// Whether nothing outside an island can give it energy but the given forces.
bool is_passive(const Pile& pile, const PileState& state, const EnergyParts& parts,
                const BodyIslands::Island& island)
{
    const auto moves = [&](std::uint32_t i) {
        const BodyState& body = state.bodies[i];
        return !pile.bodies[i].is_free() && (body.v != Vec3{0, 0, 0} || body.w != Vec3{0, 0, 0});
    };
    const auto gives = [&](std::uint32_t j) {
        const JointModel& joint = pile.joints[j];
        return joint.has_motor || joint.has_servo || joint.has_spring() || moves(joint.a) ||
               moves(joint.b);
    };
    const auto carries = [&](std::uint32_t c) {
        const Patch& patch = parts.patches[c];
        return patch.has_belt || patch.drift != Vec3{0, 0, 0} || moves(patch.a) || moves(patch.b);
    };
    const auto is_pushed = [&](std::uint32_t i) { return parts.carries[i] != 0; };
    return std::ranges::none_of(parts.islands.joints_of(island), gives) &&
           std::ranges::none_of(parts.islands.bodies_of(island), is_pushed) &&
           std::ranges::none_of(parts.islands.contacts_of(island), carries);
}

double kinetic_of(const Pile& pile, const PileState& state, std::span<const std::uint32_t> members)
{
    double sum = 0;
    for (const std::uint32_t i : members)
        sum += kinetic_energy(pile.bodies[i], state.bodies[i]);
    return sum;
}

double energy_of(const Pile& pile, const PileState& state, std::span<const std::uint32_t> members)
{
    double sum = kinetic_of(pile, state, members);
    for (const std::uint32_t i : members)
        sum -= pile.bodies[i].gravity * pile.bodies[i].mass * dot(pile.gravity, state.bodies[i].x);
    return sum;
}

/// What bodies have gained in height against where they were [J].
double lift_of(const Pile& pile, const PileState& state, std::span<const BodyState> from,
               std::span<const std::uint32_t> members)
{
    double sum = 0;
    for (const std::uint32_t i : members)
        sum -= pile.bodies[i].gravity * pile.bodies[i].mass *
               dot(pile.gravity, state.bodies[i].x - from[i].x);
    return sum;
}

/// Bodies come only a share of their way.
void take_back(std::span<const BodyState> from, double share,
               std::span<const std::uint32_t> members, PileState& state)
{
    for (const std::uint32_t i : members) {
        BodyState& to = state.bodies[i];
        to.x = from[i].x + (to.x - from[i].x) * share;
        to.q = turn_by(from[i].q, log_quat(to.q * conjugate(from[i].q)) * share);
    }
}

} // namespace

void note_energy(const Pile& pile, const PileState& state, const EnergyParts& parts, double h,
                 EnergyLimit& limit)
{
    limit.most.assign(parts.islands.list.size(), kAnyEnergy);
    const auto may_bounce = [&](std::uint32_t c) { return parts.patches[c].bounce > 0; };
    bool counts = false;
    for (std::size_t k = 0; k < limit.most.size(); ++k) {
        const BodyIslands::Island& island = parts.islands.list[k];
        if ((island.joints.count > 0 ||
             std::ranges::any_of(parts.islands.contacts_of(island), may_bounce)) &&
            is_passive(pile, state, parts, island)) {
            limit.most[k] = energy_of(pile, state, parts.islands.bodies_of(island));
            counts = true;
        }
    }
    if (!counts) {
        limit.most.clear();
        return;
    }
    limit.began = state.bodies;
    for (const FreeIsland& free : parts.free) // they keep their momenta instead
        limit.most[free.island] = kAnyEnergy;
    for (const BodyForce& push : parts.forces) {
        const std::uint32_t k = parts.islands.island_of[push.body];
        if (k >= limit.most.size())
            continue;
        const BodyState& now = state.bodies[push.body];
        const Vec3 dv = parts.moving[push.body].v - now.v;
        const double way = length(now.v) + length(dv);
        limit.most[k] += h * (length(push.force) * way + length(push.torque) * length(now.w));
    }
}

void note_motion(const BodyIslands& islands, std::span<const char> is_swung,
                 std::span<const char> is_hit, EnergyLimit& limit)
{
    limit.is_hit.assign(is_hit.begin(), is_hit.end());
    for (std::size_t k = 0; k < limit.most.size(); ++k) {
        const auto members = islands.bodies_of(islands.list[k]);
        const auto was_hit = [&](std::uint32_t i) { return is_hit[i] != 0; };
        if ((!is_swung.empty() && is_swung[members[0]]) ||
            (islands.list[k].joints.count == 0 && std::ranges::none_of(members, was_hit)))
            limit.most[k] = kAnyEnergy;
    }
}

void note_places(const PileState& state, EnergyLimit& limit)
{
    if (!limit.most.empty())
        limit.unpushed = state.bodies;
}

void limit_pushes(const Pile& pile, PileState& state, const BodyIslands& islands,
                  std::span<const char> sleeps, const EnergyLimit& limit)
{
    for (std::size_t k = 0; k < limit.most.size(); ++k) {
        if (sleeps[k] || limit.most[k] == kAnyEnergy || islands.list[k].joints.count == 0)
            continue;
        const auto members = islands.bodies_of(islands.list[k]);
        const double lifted = lift_of(pile, state, limit.unpushed, members);
        const double left = limit.most[k] - energy_of(pile, state, members) +
                            kinetic_of(pile, state, members) + lifted;
        if (!(lifted > max(left, 0.0)))
            continue;
        const double share = max(left, 0.0) / lifted;
        take_back(limit.unpushed, share, members, state);
    }
}

namespace {

/// Less motion for less energy. Returns how much there is of it [J].
template <class Takes>
double slow_down(const Pile& pile, double gain, std::span<const std::uint32_t> members,
                 const Takes& takes, PileState& state)
{
    double kinetic = 0;
    for (const std::uint32_t i : members)
        kinetic += takes(i) ? kinetic_energy(pile.bodies[i], state.bodies[i]) : 0;
    const double share = kinetic > 0 ? sqrt(max(0.0, 1 - gain / kinetic)) : 0;
    for (const std::uint32_t i : members)
        if (takes(i)) {
            state.bodies[i].v *= share;
            state.bodies[i].w *= share;
        }
    return kinetic;
}

} // namespace

void limit_energy(const Pile& pile, PileState& state, const BodyIslands& islands,
                  std::span<const char> sleeps, const EnergyLimit& limit)
{
    for (std::size_t k = 0; k < limit.most.size(); ++k) {
        if (sleeps[k] || limit.most[k] == kAnyEnergy)
            continue;
        const auto members = islands.bodies_of(islands.list[k]);
        const double gain = energy_of(pile, state, members) - limit.most[k];
        if (islands.list[k].joints.count == 0) { // overlap goes without motion
            const double own = gain - lift_of(pile, state, limit.unpushed, members);
            if (own > 0)
                slow_down(
                    pile, own, members, [&](std::uint32_t i) { return limit.is_hit[i]; }, state);
            continue;
        }
        if (!(gain > 0))
            continue;
        const double kinetic = slow_down(
            pile, gain, members, [](std::uint32_t) { return true; }, state);
        const double lifted = lift_of(pile, state, limit.began, members);
        if (const double most = lifted - (gain - kinetic); gain > kinetic && lifted > 0)
            take_back(limit.began, max(most, 0.0) / lifted, members, state);
    }
}

} // namespace sinew
