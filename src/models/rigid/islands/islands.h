#pragma once

#include "models/rigid/pile.h"
#include "solve/linear/sparse/block_cholesky.h"

#include <span>
#include <vector>

namespace sinew {

/// Free bodies that contacts and joints join, with those. Lists of all islands one behind the
/// other.
struct BodyIslands {
    struct Range {
        std::uint32_t first = 0, count = 0;
    };
    struct Island {
        Range bodies, contacts, joints, near;
    };
    std::vector<Island> list;              ///< by their first bodies
    std::vector<std::uint32_t> bodies;     ///< free ones, ascending within an island
    std::vector<std::uint32_t> contacts;   ///< with points, ascending within an island
    std::vector<std::uint32_t> joints;     ///< in force, ascending within an island
    std::vector<BlockCholesky::Link> near; ///< free bodies that may come to touch, contacts or not

    std::span<const std::uint32_t> bodies_of(const Island& island) const
    {
        return std::span(bodies).subspan(island.bodies.first, island.bodies.count);
    }
    std::span<const std::uint32_t> contacts_of(const Island& island) const
    {
        return std::span(contacts).subspan(island.contacts.first, island.contacts.count);
    }
    std::span<const std::uint32_t> joints_of(const Island& island) const
    {
        return std::span(joints).subspan(island.joints.first, island.joints.count);
    }
    std::span<const BlockCholesky::Link> near_of(const Island& island) const
    {
        return std::span(near).subspan(island.near.first, island.near.count);
    }

    struct Ends {
        std::uint32_t a = 0, b = 0; ///< bodies
        bool has_points = false, are_free = false, is_a_free = false;
        bool operator==(const Ends&) const = default;
        std::uint32_t free_end() const { return is_a_free ? a : b; }
    };
    std::vector<Ends> ends;               ///< scratch: of the contacts
    std::vector<std::uint32_t> root;      ///< scratch
    std::vector<std::uint32_t> island_of; ///< by body; beyond the list: none
    std::vector<char> in_force;           ///< of the joints
    std::vector<char> has_changed;        ///< scratch: by portions of the contacts
    bool are_known = false;               ///< the islands are those of `ends` and `in_force`
};

void find_islands(const Pile& pile, const PileState& state, int threads, BodyIslands& islands);

/// As find_joined() of a pile.
void find_joined(const Pile& pile, const PileState& state, std::span<const std::uint32_t> seeds,
                 BodyIslands& room, std::vector<char>& is_joined);

} // namespace sinew
