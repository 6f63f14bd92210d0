#include "models/rigid/islands/free_islands.h"

#include "math/functions.h"

#include <algorithm>

namespace sinew {

namespace {

/// Of some bodies together.
struct Whole {
    double mass = 0;
    Vec3 centre = {0, 0, 0}, velocity = {0, 0, 0};
    Vec3 angular = {0, 0, 0};                 ///< momentum about the centre
    Mat3 inertia = Mat3::diagonal({0, 0, 0}); ///< about the centre
    double kinetic = 0;                       ///< energy, seen from the centre

    Vec3 spin() const { return inverse(inertia) * angular; } ///< as one rigid body
};

/// `moving` gives a body's v and w, `turned` the orientation they are of.
template <class Moving, class Turned>
Whole sum_up(const Pile& pile, const PileState& state, std::span<const std::uint32_t> members,
             const Moving& moving, const Turned& turned)
{
    Whole whole;
    for (const std::uint32_t i : members) {
        whole.mass += pile.bodies[i].mass;
        whole.centre += state.bodies[i].x * pile.bodies[i].mass;
        whole.velocity += moving[i].v * pile.bodies[i].mass;
    }
    whole.centre = whole.centre / whole.mass;
    whole.velocity = whole.velocity / whole.mass;
    for (const std::uint32_t i : members) {
        const Mat3 own = inertia_at(turned(i), pile.bodies[i].inertia);
        const Vec3 arm = state.bodies[i].x - whole.centre;
        const Mat3 cross_arm = cross_matrix(arm);
        const Vec3 v = moving[i].v - whole.velocity, turning = own * moving[i].w;
        whole.angular += cross(arm, v) * pile.bodies[i].mass + turning;
        whole.kinetic +=
            0.5 * (pile.bodies[i].mass * squared_length(v) + dot(moving[i].w, turning));
        whole.inertia = whole.inertia + own - cross_arm * cross_arm * pile.bodies[i].mass;
    }
    return whole;
}

bool touches_nothing_fixed(const Pile& pile, const BodyIslands& islands,
                           const BodyIslands::Island& island)
{
    const auto holds_free = [&](std::uint32_t j) {
        return pile.bodies[pile.joints[j].a].is_free() && pile.bodies[pile.joints[j].b].is_free();
    };
    return std::ranges::all_of(islands.joints_of(island), holds_free) &&
           std::ranges::all_of(islands.contacts_of(island),
                               [&](std::uint32_t c) { return islands.ends[c].are_free; });
}

/// How much of the motion within the island may stay beside another spin of the whole, so that
/// there is no more energy than now: ½ ω·L + s² (T − ½ ω_now·L_now) ≤ T.
double share_kept(const Whole& now, const Vec3& spin, const Vec3& angular)
{
    const double within = now.kinetic - 0.5 * dot(now.spin(), now.angular);
    const double left = now.kinetic - 0.5 * dot(spin, angular);
    if (!(within > 0) || left >= within)
        return 1;
    return sqrt(max(left, 0.0) / within);
}

} // namespace

void find_free_islands(const Pile& pile, const PileState& state, const BodyIslands& islands,
                       std::span<const char> sleeps, std::span<const BodyForce> forces, double h,
                       const FreeVelocities& velocities, std::vector<char>& is_pushed,
                       std::vector<FreeIsland>& free)
{
    is_pushed.assign(islands.list.size(), 0);
    for (const BodyForce& push : forces)
        if (const std::uint32_t k = islands.island_of[push.body]; k < is_pushed.size())
            is_pushed[k] = 1;
    free.clear();
    for (std::uint32_t k = 0; k < islands.list.size(); ++k) {
        if (sleeps[k] || is_pushed[k] || !touches_nothing_fixed(pile, islands, islands.list[k]))
            continue;
        const Whole whole =
            sum_up(pile, state, islands.bodies_of(islands.list[k]), velocities.bodies,
                   [&](std::uint32_t i) -> const Quat& { return velocities.turned[i]; });
        const Vec3 mean = whole.velocity - pile.gravity * (0.5 * h);
        free.push_back({k, whole.centre + mean * h, whole.angular});
    }
}

void keep_free_motion(const Pile& pile, const BodyIslands& islands,
                      std::span<const FreeIsland> free, PileState& state)
{
    for (const FreeIsland& before : free) {
        const auto members = islands.bodies_of(islands.list[before.island]);
        const Whole now = sum_up(pile, state, members, state.bodies,
                                 [&](std::uint32_t i) -> const Quat& { return state.bodies[i].q; });
        const Vec3 way = before.centre - now.centre, spin = now.spin();
        const Vec3 turn = inverse(now.inertia) * (before.angular - now.angular);
        if (!is_finite(turn))
            continue;
        const double less = share_kept(now, spin + turn, before.angular) - 1;
        for (const std::uint32_t i : members) {
            BodyState& body = state.bodies[i];
            const Vec3 arm = body.x - now.centre;
            const Vec3 own = body.v - now.velocity - cross(spin, arm);
            body.v += cross(turn, arm) + own * less;
            body.w += turn + (body.w - spin) * less;
            body.x += way;
        }
    }
}

} // namespace sinew
