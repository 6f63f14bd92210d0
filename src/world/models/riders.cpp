// Trees that stand on what moves by itself: their bases become unknowns. Six rows hold each to its
// carrier, which feels all that the tree does [notes: strands, eqs 30, 31]; those on bodies that
// nothing else holds are eliminated into these instead (mounts.cpp).

#include "world/parts.h"

namespace sinew {

/// How a frame moves when the world begins. Rods and strands begin at rest.
PoseMotion World::Parts::carrier_motion(const StrandEnd& carrier, const Pose& frame) const
{
    PoseMotion motion;
    motion.pose = frame;
    Vec3 origin = frame.translation;
    if (carrier.body) {
        const BodyState& body = state.pile.bodies[*carrier.body];
        motion.velocity = body.v;
        motion.angular_velocity = body.w;
        origin = body.x;
    } else if (carrier.site.block.model == kLinkages) {
        SiteMotion at;
        linkages->locate(look, state.time, {&carrier.site, 1}, {&at, 1});
        motion.velocity = at.twist.linear;
        motion.angular_velocity = at.twist.angular;
        origin = at.pose.translation;
    } else if (carrier.site.block.model == kStrands &&
               strands.has_free_base(carrier.site.block.index)) {
        const PoseMotion base = strands.free_base_of(carrier.site.block.index, state.strands);
        motion.velocity = base.velocity;
        motion.angular_velocity = base.angular_velocity;
        origin = base.pose.translation;
    }
    motion.velocity += cross(motion.angular_velocity, frame.translation - origin);
    return motion;
}

void World::Parts::free_bases(std::span<const Affine> objects)
{
    if (!charli && scene.settings.strands.method != StrandMethod::ida)
        strand_coupling.riders = find_riders({scene, linkages.get(), rigid, strands, objects});
    for (const StrandRider& rider : strand_coupling.riders) {
        const Pose frame = strand::scaled_pose(objects[strands.object_of(rider.tree).index]).pose;
        strands.free_base(rider.tree, carrier_motion(rider.carrier, frame), state.strands);
    }
    mount_riders();
}

/// The rows of trees that are not eliminated in this step.
void World::Parts::hold_riders(std::vector<Attachment>& attachments,
                               std::vector<std::uint32_t>& tied)
{
    for (const StrandRider& rider : strand_coupling.riders) {
        if (is_led(rider.tree))
            continue;
        attachments.push_back(make_attachment(rider));
        if (rider.carrier.body)
            tied.push_back(*rider.carrier.body);
    }
}

} // namespace sinew
