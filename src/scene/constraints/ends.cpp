#include "scene/constraints/ends.h"

#include "scene/kinematics.h"

namespace sinew {

namespace {

/// Objects with a mark, and all that ride on them. Riders may come before what carries them.
std::vector<bool> spread(const Scene& scene, const std::vector<bool>& marks)
{
    std::vector<bool> spread = marks;
    for (std::uint32_t i = 0; i < scene.objects.size(); ++i) {
        ObjectId up{i};
        for (std::size_t steps = 0; up.is_valid() && steps < scene.objects.size(); ++steps) {
            if (marks[up.index]) {
                spread[i] = true;
                break;
            }
            up = frame_parent(scene.objects[up.index]);
        }
    }
    return spread;
}

} // namespace

EndMap::EndMap(const Scene& scene)
    : bodies(make_body_map(scene)), scene_(scene), on_strand_(scene.objects.size()),
      is_strand_(scene.objects.size()), is_rod_(scene.objects.size()),
      is_rod_site_(scene.objects.size()), is_root_(scene.objects.size())
{
    for (const StrandCurve& curve : scene.strands)
        for (const ObjectId object : {curve.tree, curve.object})
            is_strand_[object.index] = true;
    for (const Rod& rod : scene.rods)
        for (const ObjectId object : {rod.object, rod.whole})
            if (object.is_valid())
                is_rod_[object.index] = true;
    for (const RodSite& site : scene.rod_sites)
        is_rod_site_[site.object.index] = true;
    for (const StrandSite& site : scene.strand_sites) {
        on_strand_[site.object.index] = true;
        is_root_[site.object.index] =
            site.along == 0 && scene.strands[site.curve].from == StrandCurve::kNone;
    }
    if (!scene.strand_sites.empty())
        on_strand_ = spread(scene, on_strand_);
}

std::optional<Vec3> EndMap::find_arm(ObjectId object) const
{
    const ObjectId site = find_rod_site(object);
    if (!site.is_valid() || site == object)
        return site.is_valid() ? std::optional(Vec3{0, 0, 0}) : std::nullopt;
    const auto frame = find_fixed_frame(scene_, object, site);
    return frame ? std::optional(frame->origin) : std::nullopt;
}

ObjectId EndMap::find_rod_site(ObjectId object) const
{
    ObjectId up = object;
    for (std::size_t i = 0; i < scene_.objects.size() && up.is_valid(); ++i) {
        if (is_rod_site_[up.index])
            return up;
        up = frame_parent(scene_.objects[up.index]);
    }
    return {};
}

} // namespace sinew
