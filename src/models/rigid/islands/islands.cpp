#include "models/rigid/islands/islands.h"

#include "base/parallel.h"
#include "models/rigid/joints/joints.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sinew {

namespace {

constexpr std::uint32_t kNone = 0xffffffff;

std::uint32_t find_root(std::vector<std::uint32_t>& root, std::uint32_t i)
{
    while (root[i] != i)
        i = root[i] = root[root[i]];
    return i;
}

BodyIslands::Ends ends_of(const Pile& pile, const ContactState& contact)
{
    const std::uint32_t a = pile.shapes[contact.shapes.a].body;
    const std::uint32_t b = pile.shapes[contact.shapes.b].body;
    const bool is_a_free = pile.bodies[a].is_free();
    return {.a = a,
            .b = b,
            .has_points = contact.manifold.count > 0,
            .are_free = is_a_free && pile.bodies[b].is_free(),
            .is_a_free = is_a_free};
}

/// What is asked of the contacts again and again, side by side. True where it is as it was.
bool gather_ends(const Pile& pile, const PileState& state, int threads, BodyIslands& islands)
{
    constexpr std::size_t kPortion = 256;
    const std::size_t count = state.contacts.size();
    const bool is_as_long = islands.ends.size() == count;
    islands.ends.resize(count);
    islands.has_changed.assign(count / kPortion + 1, 0);
    for_each_portion(count, kPortion, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
            const BodyIslands::Ends now = ends_of(pile, state.contacts[c]);
            if (std::exchange(islands.ends[c], now) != now)
                islands.has_changed[begin / kPortion] = 1;
        }
    });
    return is_as_long && std::ranges::find(islands.has_changed, 1) == islands.has_changed.end();
}

/// Which joints hold. True where they did before.
bool gather_joints(const Pile& pile, const PileState& state, std::vector<char>& in_force)
{
    bool is_as_before = in_force.size() == pile.joints.size();
    in_force.resize(pile.joints.size());
    for (std::size_t j = 0; j < in_force.size(); ++j) {
        const char now = is_in_force(pile, state, j);
        is_as_before = std::exchange(in_force[j], now) == now && is_as_before;
    }
    return is_as_before;
}

std::uint32_t free_end(const Pile& pile, const JointModel& joint)
{
    return pile.bodies[joint.a].is_free() ? joint.a : joint.b;
}

/// The smaller number becomes the root: the same contacts give the same islands.
void join_bodies(const Pile& pile, const PileState& state,
                 const std::vector<BodyIslands::Ends>& ends, std::vector<std::uint32_t>& root)
{
    root.resize(pile.bodies.size());
    std::iota(root.begin(), root.end(), 0u);
    const auto join = [&](std::uint32_t a, std::uint32_t b) {
        const std::uint32_t ra = find_root(root, a), rb = find_root(root, b);
        root[std::max(ra, rb)] = std::min(ra, rb);
    };
    for (const BodyIslands::Ends& contact : ends)
        if (contact.has_points && contact.are_free)
            join(contact.a, contact.b);
    for (std::size_t j = 0; j < pile.joints.size(); ++j) {
        const JointModel& joint = pile.joints[j];
        if (is_in_force(pile, state, j) && pile.bodies[joint.a].is_free() &&
            pile.bodies[joint.b].is_free())
            join(joint.a, joint.b);
    }
}

/// Numbers the islands that have contacts or joints, by their first bodies.
void number_islands(const Pile& pile, const PileState& state, BodyIslands& islands)
{
    islands.list.clear();
    islands.island_of.assign(pile.bodies.size(), kNone);
    for (const BodyIslands::Ends& contact : islands.ends)
        if (contact.has_points)
            islands.island_of[find_root(islands.root, contact.free_end())] = 0;
    for (std::size_t j = 0; j < pile.joints.size(); ++j)
        if (is_in_force(pile, state, j))
            islands.island_of[find_root(islands.root, free_end(pile, pile.joints[j]))] = 0;
    for (std::uint32_t i = 0; i < pile.bodies.size(); ++i) {
        const std::uint32_t root = find_root(islands.root, i);
        if (islands.island_of[root] == kNone)
            continue;
        if (root == i) {
            islands.island_of[i] = static_cast<std::uint32_t>(islands.list.size());
            islands.list.emplace_back();
        } else {
            islands.island_of[i] = islands.island_of[root];
        }
    }
}

/// Sorts things into the islands' parts of one list: counted first, then filled in.
template <class Thing, class ForEach>
void sort_in(std::vector<BodyIslands::Island>& islands,
             BodyIslands::Range BodyIslands::Island::*range, std::vector<Thing>& list,
             ForEach&& for_each)
{
    for_each([&](std::uint32_t island, const Thing&) { ++(islands[island].*range).count; });
    std::uint32_t first = 0;
    for (BodyIslands::Island& island : islands) {
        (island.*range).first = first;
        first += std::exchange((island.*range).count, 0);
    }
    list.resize(first);
    for_each([&](std::uint32_t island, const Thing& thing) {
        BodyIslands::Range& place = islands[island].*range;
        list[place.first + place.count++] = thing;
    });
}

} // namespace

void find_islands(const Pile& pile, const PileState& state, int threads, BodyIslands& islands)
{
    const bool are_contacts_known = gather_ends(pile, state, threads, islands);
    const bool are_joints_known = gather_joints(pile, state, islands.in_force);
    if (islands.are_known && are_contacts_known && are_joints_known)
        return;
    islands.are_known = true;
    join_bodies(pile, state, islands.ends, islands.root);
    number_islands(pile, state, islands);
    const auto is_free = [&](std::uint32_t i) { return pile.bodies[i].is_free(); };
    sort_in(islands.list, &BodyIslands::Island::bodies, islands.bodies, [&](auto&& add) {
        for (std::uint32_t i = 0; i < pile.bodies.size(); ++i)
            if (is_free(i) && islands.island_of[i] != kNone)
                add(islands.island_of[i], i);
    });
    sort_in(islands.list, &BodyIslands::Island::contacts, islands.contacts, [&](auto&& add) {
        for (std::uint32_t c = 0; c < islands.ends.size(); ++c)
            if (islands.ends[c].has_points)
                add(islands.island_of[islands.ends[c].free_end()], c);
    });
    sort_in(islands.list, &BodyIslands::Island::joints, islands.joints, [&](auto&& add) {
        for (std::uint32_t j = 0; j < pile.joints.size(); ++j)
            if (is_in_force(pile, state, j))
                add(islands.island_of[free_end(pile, pile.joints[j])], j);
    });
    sort_in(islands.list, &BodyIslands::Island::near, islands.near, [&](auto&& add) {
        for (const auto& [a, b, has_points, are_free, is_a_free] : islands.ends)
            if (are_free && islands.island_of[a] != kNone &&
                islands.island_of[a] == islands.island_of[b])
                add(islands.island_of[a], BlockCholesky::Link{a, b});
        for (std::size_t j = 0; j < pile.joints.size(); ++j) {
            const JointModel& joint = pile.joints[j];
            if (is_in_force(pile, state, j) && is_free(joint.a) && is_free(joint.b))
                add(islands.island_of[joint.a], BlockCholesky::Link{joint.a, joint.b});
        }
    });
}

void find_joined(const Pile& pile, const PileState& state, std::span<const std::uint32_t> seeds,
                 BodyIslands& room, std::vector<char>& is_joined)
{
    is_joined.assign(pile.bodies.size(), 0);
    if (seeds.empty())
        return;
    room.are_known = false;
    gather_ends(pile, state, 1, room);
    join_bodies(pile, state, room.ends, room.root);
    for (const std::uint32_t seed : seeds)
        is_joined[find_root(room.root, seed)] = 1;
    for (std::uint32_t i = std::uint32_t(pile.bodies.size()); i-- > 0;) // no root is behind its own
        is_joined[i] = pile.bodies[i].is_free() && is_joined[find_root(room.root, i)];
}

} // namespace sinew
