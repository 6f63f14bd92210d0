#include "models/rigid/islands.h"

#include <algorithm>
#include <numeric>

namespace sinew {

namespace {

constexpr std::uint32_t kNone = 0xffffffff;

std::uint32_t find_root(std::vector<std::uint32_t>& root, std::uint32_t i)
{
    while (root[i] != i)
        i = root[i] = root[root[i]];
    return i;
}

struct BodyPair {
    std::uint32_t a, b;
};

BodyPair bodies_of(const Pile& pile, const ContactState& contact)
{
    return {pile.shapes[contact.shapes.a].body, pile.shapes[contact.shapes.b].body};
}

/// The smaller number becomes the root: the same contacts give the same islands.
void join_bodies(const Pile& pile, const PileState& state, std::vector<std::uint32_t>& root)
{
    root.resize(pile.bodies.size());
    std::iota(root.begin(), root.end(), 0u);
    for (const ContactState& contact : state.contacts) {
        const auto [a, b] = bodies_of(pile, contact);
        if (contact.manifold.count == 0 || !pile.bodies[a].is_free() || !pile.bodies[b].is_free())
            continue;
        const std::uint32_t ra = find_root(root, a), rb = find_root(root, b);
        root[std::max(ra, rb)] = std::min(ra, rb);
    }
}

Mat3 turned(const Quat& q, const Vec3& diagonal)
{
    const Mat3 R = rotation_matrix(q);
    return R * Mat3::diagonal(diagonal) * transpose(R);
}

} // namespace

void find_islands(const Pile& pile, const PileState& state, Islands& islands)
{
    join_bodies(pile, state, islands.root);
    islands.list.clear();
    islands.island_of.assign(pile.bodies.size(), kNone);
    const auto island_at = [&](std::uint32_t body) -> Island& {
        std::uint32_t& index = islands.island_of[find_root(islands.root, body)];
        if (index == kNone) {
            index = static_cast<std::uint32_t>(islands.list.size());
            islands.list.emplace_back();
        }
        return islands.list[index];
    };
    for (std::uint32_t c = 0; c < state.contacts.size(); ++c) {
        if (state.contacts[c].manifold.count == 0)
            continue;
        const auto [a, b] = bodies_of(pile, state.contacts[c]);
        island_at(pile.bodies[a].is_free() ? a : b).contacts.push_back(c);
    }
    for (std::uint32_t i = 0; i < pile.bodies.size(); ++i)
        if (pile.bodies[i].is_free() && islands.island_of[find_root(islands.root, i)] != kNone)
            island_at(i).bodies.push_back(i);
    islands.place.assign(pile.bodies.size(), kNone);
    for (Island& island : islands.list) {
        island.free_count = static_cast<std::uint32_t>(island.bodies.size());
        for (std::uint32_t k = 0; k < island.free_count; ++k)
            islands.place[island.bodies[k]] = k;
        for (const std::uint32_t c : island.contacts) // the fixed ones they touch
            for (const std::uint32_t body :
                 {bodies_of(pile, state.contacts[c]).a, bodies_of(pile, state.contacts[c]).b})
                if (!pile.bodies[body].is_free() &&
                    std::find(island.bodies.begin() + island.free_count, island.bodies.end(),
                              body) == island.bodies.end())
                    island.bodies.push_back(body);
    }
    for (const ContactState& contact : state.contacts) {
        const auto [a, b] = bodies_of(pile, contact);
        if (!pile.bodies[a].is_free() || !pile.bodies[b].is_free())
            continue;
        const std::uint32_t island = islands.island_of[find_root(islands.root, a)];
        if (island != kNone && island == islands.island_of[find_root(islands.root, b)])
            islands.list[island].near.push_back({islands.place[a], islands.place[b]});
    }
}

void set_free_velocities(const Pile& pile, const PileState& state, double h,
                         std::vector<SolverBody>& bodies)
{
    bodies.resize(pile.bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Body& body = pile.bodies[i];
        const BodyState& now = state.bodies[i];
        bodies[i] = {now.v, now.w};
        if (!body.is_free())
            continue;
        bodies[i].v += pile.gravity * h;
        bodies[i].inverse_mass = 1 / body.mass;
        bodies[i].inverse_inertia =
            turned(now.q, {1 / body.inertia.x, 1 / body.inertia.y, 1 / body.inertia.z});
    }
}

void gather_island(const Pile& pile, const PileState& state, const StepLengths& lengths,
                   const std::vector<SolverBody>& bodies, const Island& island,
                   IslandSolver& solver)
{
    solver.bodies.clear();
    solver.mass.clear();
    solver.inertia.clear();
    for (const std::uint32_t i : island.bodies) {
        solver.bodies.push_back(bodies[i]);
        solver.mass.push_back(pile.bodies[i].mass);
        solver.inertia.push_back(turned(state.bodies[i].q, pile.bodies[i].inertia));
    }
    solver.near = island.near;
    solver.patches.resize(island.contacts.size());
    const auto place_of = [&](std::uint32_t body) {
        const auto free_end = island.bodies.begin() + island.free_count;
        const auto found = pile.bodies[body].is_free()
                               ? std::lower_bound(island.bodies.begin(), free_end, body)
                               : std::find(free_end, island.bodies.end(), body);
        return static_cast<std::uint32_t>(found - island.bodies.begin());
    };
    for (std::size_t k = 0; k < island.contacts.size(); ++k) {
        Patch& patch = solver.patches[k];
        const auto [a, b] = bodies_of(pile, state.contacts[island.contacts[k]]);
        patch.a = place_of(a);
        patch.b = place_of(b);
        make_patch(pile, state, island.contacts[k], lengths, bodies[a], bodies[b], patch);
    }
}

void solve_island(const Pile& pile, const PileOptions& options, const StepLengths& lengths,
                  const Island& island, PileState& state, IslandSolver& solver)
{
    constexpr double kUsualSpeed = 0.0981; // |g| h of a step of 10 ms on earth
    IslandSolver::Settings settings;
    settings.tolerance = options.tolerance * lengths.speed / kUsualSpeed;
    settings.speed = lengths.speed;
    settings.gravity_change = pile.gravity * lengths.h;
    settings.sweeps = options.sweeps;
    settings.rounds = options.rounds;
    settings.newton = options.newton;
    settings.penalty = options.penalty;
    solver.sweep_count = solver.factor_count = solver.solve_count = 0;
    solver.solve(settings, state.moods[island.bodies[0]]);
}

void scatter_velocities(const Island& island, const IslandSolver& solver,
                        std::vector<SolverBody>& bodies)
{
    for (std::uint32_t k = 0; k < island.free_count; ++k) {
        bodies[island.bodies[k]].v = solver.bodies[k].v;
        bodies[island.bodies[k]].w = solver.bodies[k].w;
    }
}

void note_island(const IslandSolver& solver, PileReport& report)
{
    ++report.islands;
    report.sweeps += solver.sweep_count;
    report.factors += solver.factor_count;
    report.solves += solver.solve_count;
    report.residual = max(report.residual, solver.residual());
}

void keep_impulses(const IslandSolver& solver, PileState& state, PileReport& report)
{
    for (const Patch& patch : solver.patches) {
        ContactState& contact = state.contacts[patch.contact];
        contact.impulse = patch.lambda;
        contact.friction = patch.t1 * patch.f[0] + patch.t2 * patch.f[1];
        contact.twist = patch.f[2];
        contact.stiffness = patch.stiffness;
        report.contacts += patch.count;
    }
}

} // namespace sinew
