// Joints of bodies: from the objects that a joint names to the bodies they are fixed to. What a
// linkage or tracks move is held itself.

#include "scene/constraints/sorter.h"

namespace sinew {

void ConstraintSorter::sort(const BallLaw& law, const Constraint& c)
{
    add_joint({.kind = JointKind::ball,
               .a = {},
               .b = {},
               .frame = c.frame,
               .point = law.point,
               .axis = law.axis,
               .cone = law.cone,
               .twist = law.twist},
              c);
}

void ConstraintSorter::sort(const HingeLaw& law, const Constraint& c)
{
    add_axis_joint(JointKind::hinge, law.joint, c);
}

void ConstraintSorter::sort(const SliderLaw& law, const Constraint& c)
{
    add_axis_joint(JointKind::slider, law.joint, c);
}

void ConstraintSorter::sort(const FixedLaw&, const Constraint& c)
{
    add_joint({.kind = JointKind::fixed, .a = {}, .b = {}, .frame = c.frame}, c);
}

void ConstraintSorter::sort(const PairJointLaw& law, const Constraint& c)
{
    Joint joint{.kind = law.kind,
                .a = {},
                .b = {},
                .frame = c.frame,
                .point = law.point,
                .other = law.other,
                .axis = law.axis};
    if (law.ratio)
        joint.distance = Value{*law.ratio};
    add_joint(joint, c);
}

void ConstraintSorter::add_axis_joint(JointKind kind, const AxisJoint& law, const Constraint& c)
{
    add_joint({.kind = kind,
               .a = {},
               .b = {},
               .frame = c.frame,
               .point = law.point,
               .axis = law.axis,
               .low = law.low,
               .high = law.high,
               .motor = law.motor,
               .motor_force = law.motor_force,
               .target = law.target,
               .stiffness = law.stiffness,
               .damping = law.damping,
               .friction = law.friction},
              c);
}

void ConstraintSorter::add_joint(Joint joint, const Constraint& c)
{
    for (const bool is_rod : {true, false})
        if (is_rod ? is_on_rod(c.a) || is_on_rod(c.b) : is_on_strand(c.a) || is_on_strand(c.b))
            return refuse(c, is_rod ? "joint-on-rod" : "joint-on-strand",
                          std::string("a joint of bodies cannot hold a point of a ") +
                              (is_rod ? "rod" : "strand"),
                          is_rod ? "write fusion(rope at 1 along, crate)"
                                 : "write fusion(braid at 1 along, crate)",
                          ConstraintFault::Doubt::none);
    if (c.release.beyond)
        refuse(c, "joint-knows-no-beyond", "joints of bodies do not support `beyond`",
               "leave it out, or write `breaks = 100` or `until = 2`");
    joint.a = c.a.object;
    joint.b = c.b.object.is_valid() ? c.b.object : ObjectId{0};
    joint.breaks = c.release.breaks;
    joint.breaks_torque = c.breaks_torque;
    joint.until = c.release.until;
    joint.active = c.release.active;
    joint.origin = c.origin;
    const auto* distance = std::get_if<DistanceLaw>(&c.law);
    (distance && !distance->is_joint ? distance_joints_ : joints_).emplace_back(number_, joint);
}

/// False: the fault is told, or follows from others.
bool ConstraintSorter::hold_bodies(Joint& joint)
{
    const Constraint told{.origin = joint.origin};
    const ObjectId named_a = joint.a;
    if (!find_joint_end(joint, joint.a, joint.point) ||
        !find_joint_end(joint, joint.b, joint.other))
        return false;
    if (joint.a == joint.b && joint.a.index != 0) {
        refuse(told, "same-body", "both ends of this joint are in one body",
               "name two different bodies", ConstraintFault::Doubt::any);
        return false;
    }
    if (!ends_.bodies.is_moved[joint.a.index] && !ends_.bodies.is_moved[joint.b.index]) {
        refuse(told, "joint-holds-nothing",
               "'" + name_of_(named_a) + "' is not a body: this joint holds nothing that moves",
               "name an instance whose def has `body(...)`", ConstraintFault::Doubt::any);
        return false;
    }
    if (joint.a.index == 0) { // the world comes second; seen from there the axis points back
        std::swap(joint.a, joint.b);
        if (joint.kind == JointKind::universal)
            std::swap(joint.axis, joint.other);
        if (joint.kind == JointKind::distance) // others have one point, in the frame of the joint
            std::swap(joint.point, joint.other);
        joint.axis = -joint.axis;
    }
    return true;
}

bool ConstraintSorter::find_joint_end(const Joint& joint, ObjectId& end, Vec3& point)
{
    const ObjectId named = end;
    // What coordinates move against the body that carries it is held itself.
    const ObjectId body =
        ends_.bodies.is_loose_on_moved(named) ? ObjectId{} : ends_.bodies.around[named.index];
    end = body.is_valid() ? body : ObjectId{0};
    const auto frame = find_fixed_frame(scene_, named, end);
    if (frame && joint.kind == JointKind::distance)
        point = frame->origin;
    // Only a distance needs the very place; the others hold the body as a whole.
    if (frame || (body.is_valid() && joint.kind != JointKind::distance))
        return true;
    if (!body.is_valid()) {
        end = named;
        return true;
    }
    refuse({.origin = joint.origin}, "joint-end-moves",
           "'" + name_of_(named) + "' moves within the body '" + name_of_(body) +
               "': a joint cannot hold it there",
           "name the body, or a `label()` that is fixed to it", ConstraintFault::Doubt::any);
    return false;
}

} // namespace sinew
