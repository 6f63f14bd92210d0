#include "models/rigid/sleep.h"

#include "base/parallel.h"

#include <algorithm>
#include <utility>

namespace sinew {

namespace {

constexpr std::size_t kIslandPortion = 16, kPortion = 512; // islands, bodies

bool is_still(const BodyState& body) { return body.v == Vec3{0, 0, 0} && body.w == Vec3{0, 0, 0}; }

bool is_disturbed(const Pile& pile, const PileState& state, const BodyIslands& islands,
                  const BodyIslands::Island& island, const std::vector<char>& is_pushed)
{
    const auto wakes = [&](std::uint32_t i) {
        return !is_still(state.bodies[i]) || (pile.bodies[i].is_free() && is_pushed[i]);
    };
    for (const std::uint32_t i : islands.bodies_of(island))
        if (!state.rest[i].is_asleep || wakes(i))
            return true;
    for (const std::uint32_t c : islands.contacts_of(island))
        for (const std::uint32_t shape : {state.contacts[c].shapes.a, state.contacts[c].shapes.b})
            if (wakes(pile.shapes[shape].body) || pile.shapes[shape].is_moving() ||
                pile.shapes[shape].belt != Vec3{0, 0, 0})
                return true;
    for (const std::uint32_t j : islands.joints_of(island))
        if (pile.joints[j].has_motor || pile.joints[j].is_driven || wakes(pile.joints[j].a) ||
            wakes(pile.joints[j].b))
            return true;
    return false;
}

/// Turning counts at the radius of gyration.
bool has_moved(const Body& body_model, const BodyState& body, const RestState& rest, double most)
{
    const Vec3& I = body_model.inertia;
    const double square = max(I.x, max(I.y, I.z)) / body_model.mass;
    const Quat turn = {body.q.x - rest.q.x, body.q.y - rest.q.y, body.q.z - rest.q.z,
                       body.q.w - rest.q.w};
    return squared_length(body.x - rest.x) > most * most ||
           4 * dot(turn, turn) * square > most * most;
}

/// Whether a patch slides, however slowly.
bool is_sliding(const Patch& p, const Load& load, std::span<const SolverBody> bodies,
                double tolerance)
{
    constexpr double kSaturated = 1 - 1e-9, kSlow = 0.05; // of friction's bound; of the tolerance
    const Wrench6 U = relative_twist(p, bodies[p.a], bodies[p.b]);
    const double most = kSaturated * p.mu * load.sum, slow = kSlow * tolerance;
    return p.f[0] * p.f[0] + p.f[1] * p.f[1] >= most * most &&
           U[0] * U[0] + U[1] * U[1] > slow * slow;
}

/// Whether a body of an island slides on everything that loads it: it is on its way.
bool slides_on(const Pile& pile, const Sliding& sliding, const BodyIslands& islands,
               const BodyIslands::Island& island, double tolerance)
{
    std::vector<char>& marks = sliding.marks; // 1: it slides on something, 2: something holds it
    for (const std::uint32_t i : islands.bodies_of(island))
        marks[i] = 0;
    for (const std::uint32_t c : islands.contacts_of(island)) {
        const Patch& patch = sliding.patches[c];
        const Load load = load_of(patch);
        if (!(load.sum > 0))
            continue;
        const char mark = is_sliding(patch, load, sliding.bodies, tolerance) ? 1 : 2;
        for (const std::uint32_t i : {patch.a, patch.b})
            if (pile.bodies[i].is_free())
                marks[i] = std::max(marks[i], mark);
    }
    return std::ranges::any_of(islands.bodies_of(island),
                               [&](std::uint32_t i) { return marks[i] == 1; });
}

} // namespace

void update_sleep(const Pile& pile, const PileOptions& options, std::span<const BodyForce> forces,
                  const BodyIslands& islands, PileState& state, std::vector<char>& is_pushed,
                  std::vector<char>& sleeps)
{
    sleeps.assign(islands.list.size(), 0);
    state.rest.resize(pile.bodies.size());
    is_pushed.assign(pile.bodies.size(), 0);
    for (const BodyForce& push : forces)
        if (push.wakes && (push.force != Vec3{0, 0, 0} || push.torque != Vec3{0, 0, 0}))
            is_pushed[push.body] = 1;
    const bool is_other_world = !options.may_sleep || state.rest_gravity != pile.gravity;
    state.rest_gravity = pile.gravity;
    const auto update_island = [&](std::size_t k) {
        sleeps[k] =
            !is_other_world && !is_disturbed(pile, state, islands, islands.list[k], is_pushed);
        if (!sleeps[k])
            for (const std::uint32_t i : islands.bodies_of(islands.list[k]))
                if (std::exchange(state.rest[i].is_asleep, false))
                    state.rest[i].time = 0;
    };
    const auto update_flying = [&](std::size_t i) {
        const RestState& rest = state.rest[i];
        const bool hangs = rest.is_asleep && rest.time == RestState::kHangs && !is_other_world &&
                           is_still(state.bodies[i]) && !is_pushed[i];
        if (islands.island_of[i] == 0xffffffff && !hangs)
            state.rest[i] = {}; // what flies never sleeps
    };
    for_each_portion(islands.list.size(), kIslandPortion, options.threads,
                     [&](std::size_t begin, std::size_t end) {
                         for (std::size_t k = begin; k < end; ++k)
                             update_island(k);
                     });
    for_each_portion(pile.bodies.size(), kPortion, options.threads,
                     [&](std::size_t begin, std::size_t end) {
                         for (std::size_t i = begin; i < end; ++i)
                             update_flying(i);
                     });
}

void note_rest(const Pile& pile, const StepLengths& lengths, int threads,
               const BodyIslands& islands, const std::vector<double>& residuals,
               const Sliding& sliding, double tolerance, PileState& state)
{
    constexpr double kLongEnough = 0.5, kSmall = 0.05; // s; times ℓ
    const auto note_island = [&](std::size_t k) {
        bool may_sleep = residuals[k] <= tolerance;
        for (const std::uint32_t i : islands.bodies_of(islands.list[k])) {
            RestState& rest = state.rest[i];
            if (has_moved(pile.bodies[i], state.bodies[i], rest, kSmall * lengths.unit))
                rest = {.x = state.bodies[i].x, .q = state.bodies[i].q};
            rest.time += lengths.h;
            may_sleep = may_sleep && rest.time >= kLongEnough;
        }
        may_sleep = may_sleep && !slides_on(pile, sliding, islands, islands.list[k], tolerance);
        for (const std::uint32_t i : islands.bodies_of(islands.list[k]))
            if (may_sleep && !state.rest[i].is_asleep) {
                state.rest[i].is_asleep = true;
                state.bodies[i].v = state.bodies[i].w = {0, 0, 0};
            }
    };
    for_each_portion(islands.list.size(), kIslandPortion, threads,
                     [&](std::size_t begin, std::size_t end) {
                         for (std::size_t k = begin; k < end; ++k)
                             note_island(k);
                     });
}

} // namespace sinew
