#include "constraints/ends.h"

#include "constraints/models.h"
#include "constraints/rod_links.h"
#include "models/strand/bases/bases.h"
#include "scene/kinematics.h"

namespace sinew {

namespace {

Pose pose_of(const Affine& frame) { return strand::scaled_pose(frame).pose; }

} // namespace

EndFinder::EndFinder(const EndInput& input, Targets& targets)
    : in_(input), targets_(targets), map_(make_body_map(input.scene))
{
}

std::optional<StrandEnd> EndFinder::find(ObjectId object)
{
    if (const auto end = on_strand(object))
        return end;
    if (const auto site = find_rod_site(in_.scene, object)) {
        const RodSite& at = in_.scene.rod_sites[site->first];
        return StrandEnd{.site = {.block = {kRods, at.rod}, .u = at.along},
                         .frame = pose_of(site->second)};
    }
    if (map_.is_in_moved(object))
        return on_body(object);
    if (in_.linkages)
        if (const auto site = in_.linkages->find_site(object, kLinkages))
            return StrandEnd{.site = *site};
    if (!strand::is_moved_by_tracks(in_.scene, object))
        return std::nullopt;
    return StrandEnd{.site = {.block = {kTargets, targets_.add_object(object)}}};
}

std::optional<StrandEnd> EndFinder::on_strand(ObjectId object) const
{
    for (ObjectId up = object; up.is_valid(); up = frame_parent(in_.scene.objects[up.index]))
        for (const StrandSite& site : in_.scene.strand_sites) {
            if (site.object != up)
                continue;
            const auto frame = find_fixed_frame(in_.scene, object, up);
            if (!frame)
                return std::nullopt;
            const StrandModel::Spot spot = in_.strands.spot_of(site);
            return StrandEnd{.site = {{kStrands, spot.tree}, spot.segment, spot.fraction},
                             .frame = pose_of(*frame)};
        }
    return std::nullopt;
}

std::optional<StrandEnd> EndFinder::on_body(ObjectId object) const
{
    const ObjectId around = map_.around[object.index];
    const auto body = in_.rigid.find_body(around);
    const auto frame = find_fixed_frame(in_.scene, object, around);
    if (!body || !frame)
        return std::nullopt;
    return StrandEnd{.site = {.block = {kBodies, *body}},
                     .frame = in_.rigid.frame_in_body(*body, pose_of(*frame)),
                     .body = body};
}

} // namespace sinew
