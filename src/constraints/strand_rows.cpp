#include "constraints/strand_rows.h"

#include "base/text.h"
#include "math/functions.h"
#include "scene/kinematics.h"
#include "scene/objects/bodies.h"
#include "scene/validate/problems.h"

#include <algorithm>

namespace sinew {

namespace {

using Kind = StrandConstraintKind;

constexpr std::uint64_t kGroups = 2; // of a constraint

AttachmentKey key_of(std::uint32_t constraint)
{
    return {KeySource::strand_constraint, kGroups * std::uint64_t(constraint)};
}

Pose pose_of(const Affine& frame) { return strand::scaled_pose(frame).pose; }

Problem cannot_hold_to(const Scene& scene, const StrandConstraint& constraint)
{
    return make_problem(scene, Severity::error, "held-to-what-moves", constraint.origin,
                        "strand_constraints",
                        "'" + object_names(scene)[constraint.b.index] +
                            "' moves in a way that a strand cannot be held to",
                        "hold it to a mass or label of a linkage, a body, a point of a strand or "
                        "rod, or something that tracks move");
}

Problem no_joint(const Scene& scene, const StrandConstraint& constraint)
{
    return make_problem(scene, Severity::error, "joint-of-root", constraint.origin,
                        "strand_constraints", "the first segment of a strand is held by its base",
                        "name a place further along, or turn what the strand stands on");
}

/// Frames of the segment and of the one before it that are one at rest, x along the axis.
bool put_on_joint(const StrandModel& strands, Axis axis, HeldStrand& held)
{
    const std::uint32_t tree = held.a.site.block.index, segment = held.a.site.element;
    const StrandModel::Joint joint = strands.joint_before(tree, segment);
    if (joint.parent < 0)
        return false;
    constexpr double kQuarter = 1.5707963267948966;
    const Quat to_axis = axis == Axis::x   ? Quat{}
                         : axis == Axis::y ? rotation_about(Vec3{0, 0, 1}, kQuarter)
                                           : rotation_about(Vec3{0, 1, 0}, -kQuarter);
    held.a.frame = {to_axis, {0, 0, 0}};
    held.b.site = {{kStrands, tree}, static_cast<std::uint32_t>(joint.parent), 1};
    held.b.frame = {joint.rest * to_axis, {0, 0, 0}};
    return true;
}

/// What holds how a strand turns holds its tip, which bends against the middle of its last segment.
void put_on_tip(const StrandModel& strands, StrandEnd& end)
{
    if (end.site.block.model != kStrands)
        return;
    const StrandModel::Spot spot =
        strands.turning_with({end.site.block.index, end.site.element, end.site.u});
    end.site.element = spot.segment, end.site.u = spot.fraction;
}

/// The plane of an obstacle, else y = 0: where it is and its normal, in the object's frame.
std::pair<Vec3, Vec3> plane_of(const Scene& scene, ObjectId object)
{
    for (const Shape& shape : scene.shapes)
        if (shape.body == object && shape.kind == ShapeKind::plane)
            if (const auto frame = find_fixed_frame(scene, shape.frame, object))
                return {frame->origin + frame->linear * (shape.size * shape.offset),
                        normalised(frame->linear * shape.size)};
    return {{0, 0, 0}, {0, 1, 0}};
}

} // namespace

Problems make_strand_coupling(const StrandCouplingInput& input, StrandCoupling& coupling)
{
    const Scene& scene = input.scene;
    coupling.targets = std::make_unique<Targets>(scene);
    EndFinder finder({scene, input.linkages, input.rigid, input.strands}, *coupling.targets);
    Problems problems;
    for (std::uint32_t i = 0; i < scene.strand_constraints.size(); ++i) {
        const StrandConstraint& c = scene.strand_constraints[i];
        HeldStrand held{.constraint = i, .a = *finder.on_strand(c.a), .b = {}};
        if (c.kind == Kind::joint) {
            if (!put_on_joint(input.strands, c.axis, held))
                problems.push_back(no_joint(scene, c));
            else
                coupling.held.push_back(held);
            continue;
        }
        if (c.b.is_valid()) {
            const auto end = finder.find(c.b);
            if (!end) {
                problems.push_back(cannot_hold_to(scene, c));
                continue;
            }
            held.b = *end;
        } else if (c.kind == Kind::orientation) {
            held.b.site.block = {kTargets, coupling.targets->add_direction(c.frame, c.x, c.y, c.z)};
        } else {
            held.b.site.block = {kTargets, coupling.targets->add_point(c.path)};
        }
        if (c.kind == Kind::fusion || c.kind == Kind::orientation)
            put_on_tip(input.strands, held.a), put_on_tip(input.strands, held.b);
        if (c.kind == Kind::fusion) { // the turn between them as it is at the start
            const Quat a = pose_of(input.objects[c.a.index]).rotation;
            const Quat b = pose_of(input.objects[c.b.index]).rotation;
            held.b.frame.rotation = held.b.frame.rotation * conjugate(b) * a;
        }
        if (c.kind == Kind::orientation) // x where the strand goes
            held.a.frame.rotation =
                held.a.frame.rotation * rotation_about(Vec3{0, 0, 1}, 1.5707963267948966);
        if (c.kind == Kind::above) {
            const auto [point, normal] = plane_of(scene, c.b);
            held.normal_in_b = normal;
            held.normal = rotate(held.b.frame.rotation, normal);
            held.b.frame.translation += rotate(held.b.frame.rotation, point);
        }
        if (c.kind == Kind::distance && !c.distance)
            held.start_distance =
                length(input.objects[c.a.index].origin - input.objects[c.b.index].origin);
        coupling.held.push_back(held);
    }
    coupling.is_used = !coupling.held.empty();
    return problems;
}

std::vector<StrandRider> find_riders(const StrandCouplingInput& input)
{
    std::vector<StrandRider> riders;
    Targets unused(input.scene);
    EndFinder finder({input.scene, input.linkages, input.rigid, input.strands}, unused);
    for (std::uint32_t i = 0; i < input.strands.tree_count(); ++i) {
        if (!input.strands.can_free_base(i))
            continue;
        const std::optional<StrandEnd> end = finder.find(input.strands.object_of(i));
        if (end && end->site.block.model != kTargets)
            riders.push_back({i, *end});
    }
    return riders;
}

Attachment make_attachment(const StrandRider& rider)
{
    Attachment made;
    made.key = {KeySource::strand_root, rider.tree};
    made.kind = Attachment::Kind::fixed;
    made.a = {{kStrands, rider.tree}, strand::StrandDynamics::kBase, 0};
    made.b = rider.carrier.site;
    made.point_b = rider.carrier.frame.translation;
    made.axes_b = rider.carrier.frame.rotation;
    return made;
}

std::optional<std::uint32_t> constraint_of_key(AttachmentKey key)
{
    if (key.source() != KeySource::strand_constraint)
        return std::nullopt;
    return static_cast<std::uint32_t>(key.index() / kGroups);
}

bool has_only_equal_rows(const Attachment& attachment)
{
    using A = Attachment::Kind;
    return attachment.kind == A::tie || attachment.kind == A::fixed ||
           attachment.kind == A::align || attachment.kind == A::distance ||
           attachment.kind == A::turn;
}

namespace {

/// A distance, or its bounds: one group each.
void add_distance(const Scene& scene, const StrandConstraint& c, Attachment made, double time,
                  double length, std::vector<Attachment>& attachments)
{
    if (!c.low && !c.high) {
        made.kind = Attachment::Kind::distance;
        made.length = abs(length);
        if (c.distance && is_known_in_advance(scene, *c.distance))
            made.speed =
                rates_at(scene, *c.distance, time, 0, Side::before).first * (length < 0 ? -1 : 1);
        attachments.push_back(made);
        return;
    }
    made.kind = Attachment::Kind::limit;
    made.coordinate = Attachment::Coordinate::distance;
    for (const bool is_high : {false, true})
        if (const std::optional<double>& bound = is_high ? c.high : c.low) {
            made.length = *bound;
            made.side = is_high ? -1 : 1;
            made.key = made.key.after(is_high);
            attachments.push_back(made);
        }
}

/// An angle, or its bounds.
void add_joint(const Scene& scene, const StrandConstraint& c, Attachment made,
               const Posture& posture, const std::vector<Affine>& objects,
               std::vector<Attachment>& attachments)
{
    if (c.distance) {
        made.kind = Attachment::Kind::turn;
        made.length = made.last = value_at(scene, *c.distance, posture, objects);
        made.speed = rates_at(scene, *c.distance, posture.time, 0, Side::before).first;
        attachments.push_back(made);
        return;
    }
    made.kind = Attachment::Kind::limit;
    for (const bool is_high : {false, true})
        if (const std::optional<double>& bound = is_high ? c.high : c.low) {
            made.length = made.last = *bound;
            made.side = is_high ? -1 : 1;
            made.key = made.key.after(is_high);
            attachments.push_back(made);
        }
}

} // namespace

bool add_attachments(const Scene& scene, const HeldStrand& held, const Posture& posture,
                     const std::vector<Affine>& objects, std::vector<Attachment>& attachments)
{
    const StrandConstraint& c = scene.strand_constraints[held.constraint];
    const auto number = [&](Value value) { return value_at(scene, value, posture, objects); };
    if (!(number(c.active) > 0.5))
        return false;
    Attachment made;
    made.key = key_of(held.constraint);
    made.holds_strand = true;
    made.a = held.a.site;
    made.b = held.b.site;
    made.point_a = held.a.frame.translation;
    made.point_b = held.b.frame.translation;
    made.axes_a = held.a.frame.rotation;
    made.axes_b = held.b.frame.rotation;
    switch (c.kind) {
    case Kind::position: made.kind = Attachment::Kind::tie; break;
    case Kind::fusion: made.kind = Attachment::Kind::fixed; break;
    case Kind::orientation: made.kind = Attachment::Kind::align; break;
    case Kind::above:
        made.kind = Attachment::Kind::plane;
        made.normal = held.normal;
        break;
    case Kind::spring:
        made.kind = Attachment::Kind::pull;
        made.length = number(*c.distance);
        made.stiffness = number(c.stiffness);
        made.damping = number(c.damping);
        if (!(made.stiffness > 0 || made.damping > 0))
            return false;
        break;
    case Kind::joint: add_joint(scene, c, made, posture, objects, attachments); return true;
    case Kind::distance:
        add_distance(scene, c, made, posture.time,
                     c.distance ? number(*c.distance) : held.start_distance, attachments);
        return true;
    }
    attachments.push_back(made);
    return true;
}

namespace {

/// The frame of b whose axes the rows of a direction or joint turn about.
Quat axes_of_b(const StrandLoadInput& in, const HeldStrand& held)
{
    const StrandConstraint& c = in.scene.strand_constraints[held.constraint];
    const Site& site = held.b.site;
    if (c.kind == Kind::joint)
        return in.strands.turn_of(in.state, site.block.index, site.element) * held.b.frame.rotation;
    if (c.b.is_valid())
        return pose_of(in.objects[c.b.index]).rotation;
    Trial trial;
    trial.scratch = in.targets.make_scratch();
    in.targets.drive(in.time, in.time, trial);
    SiteMotion motion;
    in.targets.locate(trial, in.time, {&site, 1}, {&motion, 1});
    return motion.pose.rotation * held.b.frame.rotation;
}

} // namespace

Wrench load_of(const StrandLoadInput& in, const HeldStrand& held)
{
    const StrandConstraint& c = in.scene.strand_constraints[held.constraint];
    const AttachmentKey key = key_of(held.constraint);
    const auto pushed = [&](std::uint64_t number) -> std::array<double, 6> {
        const HeldForce* found = find_force(in.forces, key.after(number));
        return found ? found->force : std::array<double, 6>{};
    };
    const std::array<double, 6> first = pushed(0);
    const double between = first[0] - (c.high ? pushed(1)[0] : 0); // of two bounds one pushes
    constexpr Vec3 kNone = {0, 0, 0};
    switch (c.kind) {
    case Kind::position:
    case Kind::fusion: return {{first[3], first[4], first[5]}, {first[0], first[1], first[2]}};
    case Kind::orientation: {
        const Quat axes = axes_of_b(in, held);
        return {rotate(axes, Vec3{0, first[0], first[1]}), kNone};
    }
    case Kind::joint: return {rotate(axes_of_b(in, held), Vec3{between, 0, 0}), kNone};
    case Kind::above:
        return {kNone, along_axes(in.objects[c.b.index], held.normal_in_b) * first[0]};
    case Kind::distance:
    case Kind::spring: break;
    }
    const Vec3 way = in.objects[c.a.index].origin - in.objects[c.b.index].origin;
    const double d = length(way);
    return {kNone, d > 0 ? way * (between / d) : kNone};
}

} // namespace sinew
