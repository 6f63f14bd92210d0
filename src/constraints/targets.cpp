#include "constraints/targets.h"

#include "models/strand/bases/track_motion.h"
#include "scene/objects/strands.h"

namespace sinew {

namespace {

/// Where the step ends: there tracks are as they come, not as they go on.
struct TargetScratch final : Scratch {
    double end = 0;
};

} // namespace

Target make_point_target(const Scene& scene, PathId path)
{
    const Path& given = scene.paths[path.index];
    const Value* values = &scene.values[given.points.first];
    return {.kind = Target::Kind::point,
            .frame = given.frame,
            .value = {values[0], values[1], values[2]}};
}

std::uint32_t Targets::add(const Target& target)
{
    targets_.push_back(target);
    shapes_.push_back({.driven = true});
    return static_cast<std::uint32_t>(targets_.size() - 1);
}

std::uint32_t Targets::add_object(ObjectId object)
{
    return add({.kind = Target::Kind::object, .frame = object});
}

std::uint32_t Targets::add_point(PathId path) { return add(make_point_target(*scene_, path)); }

std::uint32_t Targets::add_direction(ObjectId frame, Value x, Value y, Value z)
{
    return add({.kind = Target::Kind::direction, .frame = frame, .value = {x, y, z}});
}

std::unique_ptr<Scratch> Targets::make_scratch() const { return std::make_unique<TargetScratch>(); }

void Targets::drive(double, double t1, Trial& trial) const noexcept
{
    static_cast<TargetScratch&>(*trial.scratch).end = t1;
}

void Targets::locate(const Trial& trial, double time, std::span<const Site> sites,
                     std::span<SiteMotion> motions) const noexcept
{
    const bool is_end = time >= static_cast<const TargetScratch&>(*trial.scratch).end;
    for (std::size_t i = 0; i < sites.size(); ++i)
        motions[i] = motion_of(*scene_, targets_[sites[i].block.index], time,
                               is_end ? Side::before : Side::after);
}

SiteMotion motion_of(const Scene& scene, const Target& target, double time, Side side)
{
    const PoseMotion frame = strand::motion_by_tracks(scene, {target.frame, 0}, time, side);
    SiteMotion motion{.pose = frame.pose, .twist = {frame.angular_velocity, frame.velocity}};
    if (target.kind == Target::Kind::object)
        return motion;
    Vec3 local, rate;
    for (int k = 0; k < 3; ++k) {
        const Rates at = rates_at(scene, target.value[std::size_t(k)], time, 0, side);
        local[k] = at.value;
        rate[k] = at.first;
    }
    const Vec3 arm = rotate(frame.pose.rotation, local), way = rotate(frame.pose.rotation, rate);
    if (target.kind == Target::Kind::point) {
        motion.pose.translation += arm;
        motion.twist.linear += cross(frame.angular_velocity, arm) + way;
        return motion;
    }
    const double size = length(arm);
    const Vec3 along = size > 0 ? arm / size : Vec3{1, 0, 0};
    // first_frame has y along the direction; x is wanted there.
    motion.pose.rotation = first_frame(along) * rotation_about(Vec3{0, 0, 1}, 1.5707963267948966);
    if (size > 0)
        motion.twist.angular += cross(along, way / size);
    return motion;
}

} // namespace sinew
