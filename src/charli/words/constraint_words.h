#pragma once

// Arguments and effects of the words that hold things; their rows are in words.cpp. Each adds one
// Constraint: which model it concerns is asked of its ends, in scene/constraints.

#include "charli/words/body_words.h"

namespace sinew::charli {

void add_dist_constraint(const Call& call, Scene& scene);
void add_path_constraint(const Call& call, Scene& scene);
void add_spring_and_damper(const Call& call, Scene& scene);
void add_position(const Call& call, Scene& scene);
void add_orientation(const Call& call, Scene& scene);
void add_plane_constraint(const Call& call, Scene& scene);
void add_axis_constraint(const Call& call, Scene& scene);
void add_circle(const Call& call, Scene& scene);
void add_fusion(const Call& call, Scene& scene);
void add_keyhole(const Call& call, Scene& scene);
void add_pearl(const Call& call, Scene& scene);
void add_pulley(const Call& call, Scene& scene);
void add_winch(const Call& call, Scene& scene);
void add_cut(const Call& call, Scene& scene);
void add_above(const Call& call, Scene& scene);
void add_joint_constraint(const Call& call, Scene& scene);
void add_ball_joint(const Call& call, Scene& scene);
void add_hinge_joint(const Call& call, Scene& scene);
void add_slider_joint(const Call& call, Scene& scene);
void add_fixed_joint(const Call& call, Scene& scene);
void add_universal_joint(const Call& call, Scene& scene);
void add_lock_axes(const Call& call, Scene& scene);
void add_gear_joint(const Call& call, Scene& scene);
void add_rack_joint(const Call& call, Scene& scene);
void add_screw_joint(const Call& call, Scene& scene);
void add_dist_joint(const Call& call, Scene& scene);

// --- what all of them take

constexpr Argument kUntil =
    optional_number("until", "s", "released at this time; default never", Range::any, 0);
constexpr Argument kBreaks =
    optional_number("breaks", "N", "released above this force", Range::positive, 0);
constexpr Argument kBeyond =
    optional_number("beyond", "m",
                    "released when the point is farther than this from where it began; sliding "
                    "constraints: when it has slid farther",
                    Range::positive, 0);

constexpr Argument kActive = {
    "active", ArgumentKind::value, "", "acts while this is above 0.5; default 1", Range::any, true,
    1};
constexpr Argument kEase =
    optional_number("ease", "s", "time in which a gap closes when it becomes active; default 0.25",
                    Range::not_negative, 0.25);

// --- ends

constexpr Argument kHeldPoint = {"a", ArgumentKind::object, "",
                                 "a point of a rod or strand: `cable at 0.5 along`"};
constexpr Argument kHeld = {
    "a", ArgumentKind::object, "",
    "what is held: a point of a rod or strand, a body, a mass, or anything else that moves"};
constexpr Argument kPlacePoint = {"point", ArgumentKind::path, "", "point(...), which may move"};
constexpr Argument kOtherPoint = {"b", ArgumentKind::object, "",
                                  "a point of a rod, a body, a mass, or anything else"};
constexpr Argument kDirectionX = {"x", ArgumentKind::number, "", "of the direction"};
constexpr Argument kDirectionY = {"y", ArgumentKind::number, "", "of the direction"};
constexpr Argument kDirectionZ = {"z", ArgumentKind::number, "", "of the direction"};

// --- distances, paths and springs

constexpr Argument kKeptDistance = {"distance", ArgumentKind::value, "m",
                                    "constant or moving; zero makes the two coincide; the sign is "
                                    "ignored. For rods, a constant must be above 0"};
constexpr Argument kBeyondApart =
    optional_number("beyond", "m", "released when the two are farther apart", Range::positive, 0);
constexpr Argument kDistConstraint[] = {
    {"a", ArgumentKind::object, "", "a mass, a label or any other instance"},
    {"b", ArgumentKind::object, "", "another"},
    kKeptDistance,
    kUntil,
    kBreaks,
    kBeyondApart,
    kActive,
    kEase};
constexpr Argument kDistToPoint[] = {
    {"a", ArgumentKind::object, "", "a mass, a body, a point of a rod or strand"},
    kPlacePoint,
    kKeptDistance,
    kUntil,
    kBreaks,
    kBeyondApart,
    kActive,
    kEase};
constexpr Argument kPathConstraint[] = {{"a", ArgumentKind::object, "", "what slides"},
                                        {"path", ArgumentKind::path, "", "where the object stays"},
                                        kUntil,
                                        kBreaks,
                                        kBeyond,
                                        kActive,
                                        kEase};
constexpr Argument kPointSpring[] = {
    {"a", ArgumentKind::object, "", "one end"},
    {"b", ArgumentKind::object, "", "the other end"},
    {"rest_length", ArgumentKind::value, "m", "rest length", Range::not_negative},
    {"stiffness", ArgumentKind::value, "N/m", "force per metre", Range::not_negative},
    {"damping", ArgumentKind::value, "N s/m", "force per speed", Range::not_negative},
    kUntil,
    kBreaks,
    kBeyondApart,
    kActive,
    kEase};
constexpr Argument kCoordinateSpring[] = {
    {"coordinate", ArgumentKind::coordinate, "", "a dynamic variable"},
    {"rest_length", ArgumentKind::value, "m", "rest value; an angle if it drives a rotation"},
    {"stiffness", ArgumentKind::value, "N/m", "or N m per radian", Range::not_negative},
    {"damping", ArgumentKind::value, "N s/m", "or N m s per radian", Range::not_negative}};

constexpr Argument kTurnSpring[] = {
    {"ball", ArgumentKind::turn, "", "a dynamic ball"},
    {"stiffness", ArgumentKind::value, "N m", "torque per radian of rotation", Range::not_negative},
    {"damping", ArgumentKind::value, "N m s", "torque per angular velocity", Range::not_negative}};

// --- points of strands and rods

constexpr Argument kPositionAtPoint[] = {kHeld,   kPlacePoint, kUntil, kBreaks,
                                         kBeyond, kActive,     kEase};
constexpr Argument kPositionAtObject[] = {kHeld,   kOtherPoint, kUntil, kBreaks,
                                          kBeyond, kActive,     kEase};
constexpr Argument kOrientation[] = {kHeldPoint,
                                     kDirectionX,
                                     kDirectionY,
                                     kDirectionZ,
                                     {"b", ArgumentKind::object, "",
                                      "what the direction is fixed to; default the world",
                                      Range::any, true},
                                     kUntil,
                                     kBreaks,
                                     kBeyond,
                                     kActive,
                                     kEase};
constexpr Argument kSide = {
    "side",     ArgumentKind::word,
    "",         "both: in the plane; above: on its side along the direction",
    Range::any, true,
    0,          "both above"};
constexpr Argument kPlaneAtPoint[] = {kHeldPoint,  kPlacePoint, kDirectionX, kDirectionY,
                                      kDirectionZ, kSide,       kUntil,      kBreaks,
                                      kBeyond,     kActive,     kEase};
constexpr Argument kPlaneAtObject[] = {kHeldPoint,  kOtherPoint, kDirectionX, kDirectionY,
                                       kDirectionZ, kSide,       kUntil,      kBreaks,
                                       kBeyond,     kActive,     kEase};
constexpr Argument kAxisConstraint[] = {
    {"a", ArgumentKind::object, "", "a point of a rod, or a part of a linkage"},
    {"axis", ArgumentKind::path, "", "line(...)"},
    kUntil,
    kBreaks,
    kBeyond,
    kActive,
    kEase};
constexpr Argument kCircle[] = {
    kHeldPoint,  kPlacePoint, kDirectionX,
    kDirectionY, kDirectionZ, {"radius", ArgumentKind::value, "m", "", Range::positive},
    kUntil,      kBreaks,     kBeyond,
    kActive,     kEase};
constexpr Argument kTangent = {
    "tangent",
    ArgumentKind::word,
    "",
    "free: any relative rotation; fixed: as at the start; parallel: tangents in one line",
    Range::any,
    true,
    0,
    "free fixed parallel"};
constexpr Argument kFusionAngle = optional_number(
    "angle", "rad", "rods: angle between the two tangents, above 0 and below 180 deg; default any",
    Range::positive, 0);
constexpr Argument kFusion[] = {kHeld,   kOtherPoint, kTangent, kFusionAngle, kUntil,
                                kBreaks, kBeyond,     kActive,  kEase};

constexpr Argument kThreaded = {"rod", ArgumentKind::object, "", "an instance with a rod"};
constexpr Argument kFrom = {"from",
                            ArgumentKind::number,
                            "",
                            "position on the rod at the start, 0 to 1; default 0.5",
                            Range::unit_interval,
                            true,
                            0.5};
constexpr Argument kRub =
    optional_number("friction", "", "Coulomb friction: force along the rod over force across it",
                    Range::not_negative, 0);
constexpr Argument kViscous =
    optional_number("viscous", "N s/m", "force per sliding speed", Range::not_negative, 0);
constexpr Argument kSlide = {
    "slide",    ArgumentKind::value,
    "m/s",      "speed at which the rod is pulled through, towards its last point; may be a track",
    Range::any, true};
constexpr Argument kEnds = {"ends",
                            ArgumentKind::word,
                            "",
                            "stop: stops at the rod's ends and limits; leave: comes off at an end; "
                            "clamp: stays where it stops, for good",
                            Range::any,
                            true,
                            0,
                            "stop leave clamp"};
constexpr Argument kStopLow = optional_number(
    "low", "", "lower limit on the rod, 0 to 1; default its first point", Range::unit_interval, 0);
constexpr Argument kStopHigh = optional_number(
    "high", "", "upper limit on the rod, 0 to 1; default its last point", Range::unit_interval, 1);
constexpr Argument kKeyholeAtPoint[] = {kThreaded, kPlacePoint, kFrom,    kRub,      kViscous,
                                        kSlide,    kEnds,       kStopLow, kStopHigh, kUntil,
                                        kBreaks,   kBeyond,     kActive,  kEase};
constexpr Argument kKeyholeAtObject[] = {kThreaded, kOtherPoint, kFrom,    kRub,      kViscous,
                                         kSlide,    kEnds,       kStopLow, kStopHigh, kUntil,
                                         kBreaks,   kBeyond,     kActive,  kEase};
constexpr Argument kOrientedAtPoint[] = {
    kThreaded, kPlacePoint, kDirectionX, kDirectionY, kDirectionZ, kFrom,
    kRub,      kViscous,    kSlide,      kEnds,       kStopLow,    kStopHigh,
    kUntil,    kBreaks,     kBeyond,     kActive,     kEase};
constexpr Argument kOrientedAtObject[] = {
    kThreaded, kOtherPoint, kDirectionX, kDirectionY, kDirectionZ, kFrom,
    kRub,      kViscous,    kSlide,      kEnds,       kStopLow,    kStopHigh,
    kUntil,    kBreaks,     kBeyond,     kActive,     kEase};
constexpr Argument kPearl[] = {
    {"bead", ArgumentKind::object, "", "a body, or an object fixed to one"},
    kThreaded,
    kFrom,
    kRub,
    kViscous,
    kEnds,
    kStopLow,
    kStopHigh,
    kUntil,
    kBreaks,
    kBeyond,
    kActive,
    kEase};
constexpr Argument kWheel = {"b", ArgumentKind::object, "",
                             "the wheel: a body, a frame of a linkage, or anything else; its "
                             "centre is the origin of its frame"};
constexpr Argument kWheelPoint = {"point", ArgumentKind::path, "",
                                  "point(...), the centre of a wheel that does not rotate"};
constexpr Argument kWheelRadius = {"radius", ArgumentKind::number, "m",
                                   "from the axis to the middle of the rope", Range::positive};
constexpr Argument kWheelX = optional_number(
    "x", "", "of the axis, in the frame of the wheel; default 0, 0, 1", Range::any, 0);
constexpr Argument kWheelY = optional_number("y", "", "of the axis", Range::any, 0);
constexpr Argument kWheelZ = optional_number("z", "", "of the axis", Range::any, 1);
constexpr Argument kWheelRub = optional_number(
    "friction", "",
    "Coulomb friction of the rope on the wheel: tensions differ by up to exp(friction angle)",
    Range::not_negative, 0);
constexpr Argument kWheelFrom = optional_number(
    "from", "", "position on the rope, 0 to 1; default the point nearest to the wheel",
    Range::unit_interval, 0);
constexpr Argument kWheelTurns = {"turns",
                                  ArgumentKind::whole,
                                  "",
                                  "whole turns around the wheel in addition to what is drawn",
                                  Range::not_negative,
                                  true,
                                  0};
constexpr Argument kPulleyAtObject[] = {kThreaded,  kWheel,      kWheelRadius, kWheelX,
                                        kWheelY,    kWheelZ,     kWheelRub,    kViscous,
                                        kWheelFrom, kWheelTurns, kUntil,       kBreaks};
constexpr Argument kPulleyAtPoint[] = {kThreaded,  kWheelPoint, kWheelRadius, kWheelX,
                                       kWheelY,    kWheelZ,     kWheelRub,    kViscous,
                                       kWheelFrom, kWheelTurns, kUntil,       kBreaks};
constexpr Argument kWinchSpeed = {
    "speed",    ArgumentKind::value,
    "m/s",      "speed at which it pays out, negative winds up; may be a track",
    Range::any, true};
constexpr Argument kWinchTorque = {
    "torque",   ArgumentKind::value,
    "N m",      "instead of a speed: the torque with which it winds up; may be a track",
    Range::any, true};
constexpr Argument kWinchEnd = {"winds",    ArgumentKind::word,
                                "",         "which end of the rope is wound up: first or last",
                                Range::any, true,
                                0,          "first last"};
constexpr Argument kWinchStored = optional_number(
    "stored", "m",
    "length of rope on the drum at the start, in addition to what is drawn; default 0",
    Range::not_negative, 0);
constexpr Argument kWinchAtObject[] = {kThreaded,    kWheel,    kWheelRadius, kWheelX,
                                       kWheelY,      kWheelZ,   kWinchSpeed,  kWinchTorque,
                                       kWinchStored, kWinchEnd, kUntil,       kBreaks};
constexpr Argument kWinchAtPoint[] = {kThreaded,    kWheelPoint, kWheelRadius, kWheelX,
                                      kWheelY,      kWheelZ,     kWinchSpeed,  kWinchTorque,
                                      kWinchStored, kWinchEnd,   kUntil,       kBreaks};
constexpr Argument kCut[] = {
    {"a", ArgumentKind::object, "", "a point of a rod; with `breaks` also a whole rod"},
    optional_number("when", "s", "time of the cut; default the start, with `breaks` never",
                    Range::any, 0),
    optional_number("breaks", "N", "tears here above this tension; a whole rod where it is highest",
                    Range::positive, 0)};

constexpr Argument kJointConstraint[] = {
    {"a", ArgumentKind::object, "", "a point of a strand: the joint before that segment"},
    {"axis", ArgumentKind::word, "", "of the section; y is twist", Range::any, false, 0, "x y z"},
    {.name = "angle",
     .kind = ArgumentKind::value,
     .unit = "rad",
     .meaning = "relative to the rest shape; may be a track",
     .range = Range::any,
     .is_optional = true},
    optional_number("low", "rad", "instead of an angle: lower limit", Range::any, 0),
    optional_number("high", "rad", "upper limit", Range::any, 0),
    kActive,
    kEase,
    kUntil,
    kBreaks,
    kBeyond};
constexpr Argument kAbove[] = {
    {"a", ArgumentKind::object, "", "a point of a strand or rod: `braid at 1 along`"},
    {"b", ArgumentKind::object, "", "above its plane, or above y = 0 of its frame"},
    kActive,
    kEase,
    kUntil,
    kBreaks,
    kBeyond};

// --- joints of bodies

constexpr Argument kA = {"a", ArgumentKind::object, "", "a body, or an object in one"};
constexpr Argument kB = {"b", ArgumentKind::object, "",
                         "another body, an obstacle, or anything that is fixed"};
constexpr Argument kPoint = {"point", ArgumentKind::path, "", "point(...) where they meet"};
constexpr Argument kHingeLine = {"axis", ArgumentKind::path, "", "line(...) to rotate about"};
constexpr Argument kSliderLine = {"axis", ArgumentKind::path, "", "line(...) to slide along"};
constexpr Argument kLowAngle =
    optional_number("low", "rad", "lower limit; the start is 0", Range::any, 0);
constexpr Argument kHighAngle = optional_number("high", "rad", "largest angle", Range::any, 0);
constexpr Argument kLowWay =
    optional_number("low", "m", "lower limit; the start is 0", Range::any, 0);
constexpr Argument kHighWay = optional_number("high", "m", "upper limit", Range::any, 0);
constexpr Argument kLowDistance =
    optional_number("low", "m", "minimum distance, instead of a fixed one", Range::not_negative, 0);
constexpr Argument kHighDistance = optional_number(
    "high", "m", "maximum distance, instead of a fixed one: a rope", Range::not_negative, 0);
constexpr Argument kTurning = {
    "motor", ArgumentKind::value, "rad/s", "target speed; may be a track", Range::any, true};
constexpr Argument kSliding = {
    "motor", ArgumentKind::value, "m/s", "target speed; may be a track", Range::any, true};
constexpr Argument kMotorTorque = optional_number(
    "motor_force", "N m", "largest torque of the motor; default unlimited", Range::positive, 0);
constexpr Argument kMotorForce = optional_number(
    "motor_force", "N", "largest force of the motor; default unlimited", Range::positive, 0);

constexpr Argument kBreaksTorque =
    optional_number("breaks_torque", "N m", "released above this torque", Range::positive, 0);
constexpr Argument kJointActive = {"active",
                                   ArgumentKind::value,
                                   "",
                                   "holds while this is above 0.5; when it becomes active, it "
                                   "holds the bodies as they are then; default 1",
                                   Range::any,
                                   true,
                                   1};
constexpr Argument kTargetAngle = {"target",
                                   ArgumentKind::value,
                                   "rad",
                                   "angle to go to; may be a track. With a stiffness: as a spring; "
                                   "without: by the motor, as hard as motor_force allows",
                                   Range::any,
                                   true};
constexpr Argument kTargetWay = {
    "target",
    ArgumentKind::value,
    "m",
    "displacement to go to; may be a track. With a stiffness: as a spring; "
    "without: by the motor, as hard as motor_force allows",
    Range::any,
    true};
constexpr Argument kTurnStiffness = optional_number(
    "stiffness", "N m/rad", "of a spring towards the target; 0", Range::not_negative, 0);
constexpr Argument kTurnDamping =
    optional_number("damping", "N m s/rad", "torque by speed; 0", Range::not_negative, 0);
constexpr Argument kTurnFriction = optional_number(
    "friction", "N m", "dry: torque that it takes to move it; 0", Range::not_negative, 0);
constexpr Argument kWayStiffness = optional_number(
    "stiffness", "N/m", "of a spring towards the target; 0", Range::not_negative, 0);
constexpr Argument kWayDamping =
    optional_number("damping", "N s/m", "force by speed; 0", Range::not_negative, 0);
constexpr Argument kWayFriction = optional_number(
    "friction", "N", "dry: force that it takes to move it; 0", Range::not_negative, 0);
constexpr Argument kSwing = optional_number(
    "cone", "rad", "how far its axis may swing from the start; any", Range::not_negative, 0);
constexpr Argument kTwist =
    optional_number("twist", "rad", "how far it may rotate about its axis in both directions; any",
                    Range::not_negative, 0);
constexpr Argument kConeX = optional_number(
    "x", "", "of the axis of cone and twist; from the point to the centre of a", Range::any, 0);
constexpr Argument kConeY = optional_number("y", "", "of that axis", Range::any, 0);
constexpr Argument kConeZ = optional_number("z", "", "of that axis", Range::any, 0);

constexpr Argument kBall[] = {kA,    kB,     kPoint, kBreaks, kUntil, kBeyond, kJointActive,
                              kEase, kSwing, kTwist, kConeX,  kConeY, kConeZ,  kBreaksTorque};
constexpr Argument kBallToWorld[] = {kA,     kPoint, kBreaks, kUntil, kBeyond, kJointActive, kEase,
                                     kSwing, kTwist, kConeX,  kConeY, kConeZ,  kBreaksTorque};
constexpr Argument kHinge[] = {kA,           kB,
                               kHingeLine,   kLowAngle,
                               kHighAngle,   kTurning,
                               kMotorTorque, kBreaks,
                               kUntil,       kBeyond,
                               kJointActive, kEase,
                               kTargetAngle, kTurnStiffness,
                               kTurnDamping, kTurnFriction,
                               kBreaksTorque};
constexpr Argument kHingeToWorld[] = {
    kA,           kHingeLine,   kLowAngle,      kHighAngle,   kTurning,
    kMotorTorque, kBreaks,      kUntil,         kBeyond,      kJointActive,
    kEase,        kTargetAngle, kTurnStiffness, kTurnDamping, kTurnFriction,
    kBreaksTorque};
constexpr Argument kSlider[] = {kA,           kB,           kSliderLine, kLowWay,       kHighWay,
                                kSliding,     kMotorForce,  kBreaks,     kUntil,        kBeyond,
                                kJointActive, kEase,        kTargetWay,  kWayStiffness, kWayDamping,
                                kWayFriction, kBreaksTorque};
constexpr Argument kSliderToWorld[] = {
    kA,           kSliderLine,  kLowWay,      kHighWay, kSliding,   kMotorForce,   kBreaks,
    kUntil,       kBeyond,      kJointActive, kEase,    kTargetWay, kWayStiffness, kWayDamping,
    kWayFriction, kBreaksTorque};
constexpr Argument kFixed[] = {kA,      kB,           kBreaks, kUntil,
                               kBeyond, kJointActive, kEase,   kBreaksTorque};
constexpr Argument kFixedToWorld[] = {kA,           kBreaks, kUntil,       kBeyond,
                                      kJointActive, kEase,   kBreaksTorque};
constexpr Argument kFirstLine = {"axis", ArgumentKind::path, "",
                                 "line(...): the arm of the cross that is fixed to b"};
constexpr Argument kSecondLine = {"second", ArgumentKind::path, "",
                                  "line(...): the arm that is fixed to a; it meets the first at a "
                                  "right angle"};
constexpr Argument kUniversal[] = {kA,     kB,      kFirstLine,   kSecondLine, kBreaks,
                                   kUntil, kBeyond, kJointActive, kEase,       kBreaksTorque};
constexpr Argument kUniversalToWorld[] = {kA,      kFirstLine,   kSecondLine, kBreaks,      kUntil,
                                          kBeyond, kJointActive, kEase,       kBreaksTorque};
constexpr Argument kLockAxes[] = {
    {"a", ArgumentKind::object, "", "a body, or an object in one"},
    yes_or_no("x", "no motion of its centre of mass along x of the def this is written in"),
    yes_or_no("y", "along y"),
    yes_or_no("z", "along z"),
    yes_or_no("turn_x", "no rotation about x; where two are free, the body turns about the first "
                        "and carries the second along"),
    yes_or_no("turn_y", "about y"),
    yes_or_no("turn_z", "about z"),
    kUntil,
    kJointActive};
constexpr Argument kGearWheel = {"a", ArgumentKind::object, "", "a body on a hinge_joint"};
constexpr Argument kOtherGear = {"b", ArgumentKind::object, "", "another body on a hinge_joint"};
constexpr Argument kGear[] = {
    kGearWheel,
    kOtherGear,
    {"ratio", ArgumentKind::number, "",
     "turns of a for one turn of b, against it; negative: with it, as by a belt or a ring gear"},
    kBreaks,
    kUntil};
constexpr Argument kRack[] = {
    {"a", ArgumentKind::object, "", "the rack: a body on a slider_joint"},
    {"b", ArgumentKind::object, "", "the pinion: a body on a hinge_joint"},
    number_above_zero("radius", "m", "of the pinion, where it rolls on the rack"),
    kBreaks,
    kUntil};
constexpr Argument kPitch = {"pitch", ArgumentKind::number, "m",
                             "how far a moves along the line in a turn; negative: left-handed"};
constexpr Argument kScrew[] = {
    kA,
    kB,
    {"axis", ArgumentKind::path, "", "line(...) to turn about and move along"},
    kPitch,
    kBreaks,
    kUntil,
    kBeyond,
    kJointActive,
    kEase,
    kBreaksTorque};
constexpr Argument kScrewToWorld[] = {
    kA,           {"axis", ArgumentKind::path, "", "line(...) to turn about and move along"},
    kPitch,       kBreaks,
    kUntil,       kBeyond,
    kJointActive, kEase,
    kBreaksTorque};
constexpr Argument kDistJoint[] = {kA,
                                   kB,
                                   {"distance", ArgumentKind::value, "m",
                                    "constant or moving; default the distance at the start",
                                    Range::not_negative, true},
                                   kBreaks,
                                   kLowDistance,
                                   kHighDistance,
                                   kUntil,
                                   kBeyondApart,
                                   kActive,
                                   kEase};

constexpr std::array kDistConstraints = {Signature(kDistConstraint), Signature(kDistToPoint)};
constexpr auto kPathConstraintOnly = only(kPathConstraint);
inline constexpr std::array kSprings = {Signature(kPointSpring), Signature(kCoordinateSpring),
                                        Signature(kTurnSpring)};
constexpr std::array kPositions = {Signature(kPositionAtObject), Signature(kPositionAtPoint)};
constexpr auto kOrientationOnly = only(kOrientation);
constexpr std::array kPlanes = {Signature(kPlaneAtObject), Signature(kPlaneAtPoint)};
constexpr auto kAxisConstraintOnly = only(kAxisConstraint);
constexpr auto kCircleOnly = only(kCircle);
constexpr auto kFusionOnly = only(kFusion);
constexpr std::array kKeyholes = {Signature(kKeyholeAtObject), Signature(kKeyholeAtPoint)};
constexpr std::array kOrientedKeyholes = {Signature(kOrientedAtObject),
                                          Signature(kOrientedAtPoint)};
constexpr auto kPearlOnly = only(kPearl);
constexpr std::array kPulleys = {Signature(kPulleyAtObject), Signature(kPulleyAtPoint)};
constexpr std::array kWinches = {Signature(kWinchAtObject), Signature(kWinchAtPoint)};
constexpr auto kCutOnly = only(kCut);
constexpr auto kAboveOnly = only(kAbove);
constexpr auto kJointConstraintOnly = only(kJointConstraint);
constexpr std::array kBallJoints = {Signature(kBall), Signature(kBallToWorld)};
constexpr std::array kHingeJoints = {Signature(kHinge), Signature(kHingeToWorld)};
constexpr std::array kSliderJoints = {Signature(kSlider), Signature(kSliderToWorld)};
constexpr std::array kFixedJoints = {Signature(kFixed), Signature(kFixedToWorld)};
constexpr auto kDistJointOnly = only(kDistJoint);
constexpr std::array kUniversals = {Signature(kUniversal), Signature(kUniversalToWorld)};
constexpr auto kLockAxesOnly = only(kLockAxes);
constexpr auto kGearOnly = only(kGear);
constexpr auto kRackOnly = only(kRack);
constexpr std::array kScrews = {Signature(kScrew), Signature(kScrewToWorld)};

} // namespace sinew::charli
