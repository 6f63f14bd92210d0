// Trees that stand on what moves by itself: their bases become unknowns, and six rows hold each to
// its carrier, which feels all that the tree does.                   [notes: strands, eqs 30, 31]

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
}

} // namespace sinew
