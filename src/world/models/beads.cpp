// Pearls at the start: beads that nothing else holds are put where they begin on their rods, and do
// not hold a rod that is brought to its place.

#include "scene/objects/bodies.h"
#include "world/parts.h"

#include <algorithm>

namespace sinew {

/// By constraint of rods: whether it is a pearl whose bead is free but for it.
std::vector<char> World::Parts::find_loose_beads() const
{
    std::vector<char> is_loose(scene.rod_constraints.size(), 0);
    if (!has_bodies() || !scene.settings.assemble || scene.settings.settle)
        return is_loose;
    std::vector<int> holds(pile().bodies.size(), 0);
    for (const std::uint32_t body : coupling.on_rods) // once for each end that is on it
        ++holds[body];
    for (const JointModel& joint : pile().joints)
        ++holds[joint.a], ++holds[joint.b];
    for (const CarriedFrame& frame : coupling.frames)
        ++holds[frame.body];
    const BodyMap map = make_body_map(scene);
    for (const StrandConstraint& c : scene.strand_constraints)
        if (c.b.is_valid() && map.is_in_moved(c.b))
            if (const auto body = rigid.find_body(map.around[c.b.index]))
                ++holds[*body];
    for (std::size_t i = 0; i < is_loose.size(); ++i) {
        const BlockId bead = rods.links[i].b.site.block;
        is_loose[i] = scene.rod_constraints[i].kind == RodConstraintKind::pearl &&
                      bead.model == kBodies && holds[bead.index] == 1;
    }
    return is_loose;
}

/// Rows of eyes as things stand, those of loose beads among them or not: without them their rope
/// hangs as if they were not there.
void World::Parts::hold_eyes(std::span<const char> is_loose, bool with_beads)
{
    for (std::size_t i = 0; i < is_loose.size(); ++i)
        if (is_loose[i] && rods.links[i].is_eye)
            rods.links[i].is_threaded =
                with_beads && !is_clamped(scene.rod_constraints[i], state.constraints.links[i]);
    std::erase_if(ensemble.attachments, [](const Attachment& made) { return is_eye(made); });
    add_eye_rows(state.time, state.time, ensemble.attachments);
}

/// Moves those beads, as they are turned.
void World::Parts::thread_beads(std::span<const char> is_loose)
{
    for (std::size_t i = 0; i < is_loose.size(); ++i) {
        if (!is_loose[i])
            continue;
        const RodLink& link = rods.links[i];
        BodyState& bead = state.pile.bodies[link.b.site.block.index];
        const Vec3 hole = bead.x + rotate(bead.q, link.b.in_site.translation);
        bead.x += rods.model->place_of(state.models[kRods], link.a.site.block.index,
                                       state.constraints.links[i].u) -
                  hole;
    }
    if (blocks)
        state.models[kBodies] = blocks->make_state(state.pile.bodies);
}

} // namespace sinew
