#pragma once

// All that holds, as it was said: one list, an end is a place, a law one of seventeen. Which model
// it concerns is asked of its ends (sorter.h).

#include "sinew/scene.h"

#include <optional>
#include <variant>

namespace sinew {

/// Where a constraint takes hold: the origin of an object, or a path in its stead. A point of a
/// strand or rod is an object too (StrandSite, RodSite); what slides names the rod itself, and how
/// far along it begins.
struct End {
    ObjectId object = {};
    PathId path = {};                 ///< a point, line or curve, which may move
    std::optional<double> along = {}; ///< fraction of the rest length

    bool is_path() const { return !object.is_valid() && path.is_valid(); }
    bool is_given() const { return object.is_valid() || path.is_valid(); }
};

/// a stays at b.
struct PositionLaw {};

/// a stays at b, and may keep its angles to it.
struct FusionLaw {
    RodTangent tangent = RodTangent::free;
    std::optional<double> angle = {}; ///< between the tangents [rad]
};

/// The y axis of a, the tangent of a curve, stays along a direction.
struct OrientationLaw {
    Vec3 direction = {0, 0, 0}; ///< unit length
};

/// a stays in the plane through b, or on the side that the direction points to.
struct PlaneLaw {
    Vec3 normal = {0, 0, 0}; ///< unit length
    bool is_one_sided = false;
};

/// a does not sink below b: its first plane, else y = 0 of its frame.
struct AboveLaw {};

/// a stays on the path b: a line, or a curve.
struct PathLaw {
    bool is_axis = false; ///< said of a straight line that is endless
};

/// a stays on a circle about b.
struct CircleLaw {
    Vec3 normal = {0, 0, 0}; ///< unit length
    Value radius = {};       ///< [m]
};

/// a and b stay a distance apart, or between two.
struct DistanceLaw {
    std::optional<Value> distance = {};        ///< [m]; none: as at the start
    std::optional<double> low = {}, high = {}; ///< instead of it [m]
    bool is_joint = false;                     ///< said as a joint of bodies
};

/// The rod a passes through b, or b slides along it.
struct SlidingLaw {
    bool is_pearl = false;              ///< b is what slides
    std::optional<Vec3> direction = {}; ///< the tangent stays along it
    double friction = 0, viscous = 0;   ///< Coulomb's μ; [N s/m]
    std::optional<Value> speed = {};    ///< at which the rod is drawn through [m/s]
    RodEnd end = RodEnd::stop;          ///< what happens where the rod ends
    double low = 0, high = 1;           ///< stops on the rod; 0 and 1: its ends
};

/// The rod a runs round a wheel about b, or an end of it is wound on that.
struct WheelLaw {
    Vec3 axis = {0, 0, 1};                  ///< unit length
    double radius = 0;                      ///< to the middle of the rod [m]
    double friction = 0, viscous = 0;       ///< of a pulley: Coulomb's μ; [N s/m]
    std::uint32_t turns = 0;                ///< of a pulley: besides what is drawn
    bool is_winch = false, is_last = false; ///< winds up the rod; its last point
    std::optional<Value> speed = {};        ///< of a winch: pays out [m/s]
    std::optional<Value> torque = {};       ///< or winds up [N m]
    double stored = 0;                      ///< of a winch, at the start [m]
};

/// a and b pull at each other: k (|b − a| − L0) + c d|b − a|/dt.
struct SpringLaw {
    Value rest_length = {}, stiffness = {}, damping = {};
};

/// The joint before a strand's segment keeps an angle about an axis of its section.
struct AngleLaw {
    Axis axis = Axis::x;
    std::optional<Value> angle = {};           ///< against its rest [rad]
    std::optional<double> low = {}, high = {}; ///< instead of it [rad]
};

/// a meets b in a point, or turns about a line, or slides along it, or does not move against it;
/// where that is at the start.
struct BallLaw {
    Vec3 point = {0, 0, 0};
    Vec3 axis = {0, 0, 0};                       ///< of unit length; none: towards the centre of a
    std::optional<double> cone = {}, twist = {}; ///< [rad]
};
struct AxisJoint {
    Vec3 point = {0, 0, 0}, axis = {0, 0, 0};  ///< the axis of unit length
    std::optional<double> low = {}, high = {}; ///< [rad or m]; the start is 0
    std::optional<Value> motor = {};           ///< speed [rad/s or m/s]
    double motor_force = 0;                    ///< at most [N m or N]; 0: any
    std::optional<Value> target = {};          ///< [rad or m]
    double stiffness = 0, damping = 0, friction = 0;
};
struct HingeLaw {
    AxisJoint joint = {};
};
struct SliderLaw {
    AxisJoint joint = {};
};
struct FixedLaw {};

/// A universal joint, locked axes, wheels that roll on each other, a screw: as Joint says.
struct PairJointLaw {
    JointKind kind = JointKind::universal;
    Vec3 point = {0, 0, 0}, axis = {0, 0, 0}, other = {0, 0, 0};
    std::optional<double> ratio = {};
};

using Law = std::variant<PositionLaw, FusionLaw, OrientationLaw, PlaneLaw, AboveLaw, PathLaw,
                         CircleLaw, DistanceLaw, SlidingLaw, WheelLaw, SpringLaw, AngleLaw, BallLaw,
                         HingeLaw, SliderLaw, FixedLaw, PairJointLaw>;

/// Holds a to b.
struct Constraint {
    Law law = {};
    End a = {}, b = {};
    ObjectId frame = {}; ///< of the law's directions and places: fixed to it
    Release release = {};
    std::optional<double> breaks_torque = {}; ///< of joints of bodies [N m]
    Origin origin = {};
};

} // namespace sinew
