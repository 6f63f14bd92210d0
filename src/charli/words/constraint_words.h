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
void add_cut(const Call& call, Scene& scene);
void add_above(const Call& call, Scene& scene);
void add_joint_constraint(const Call& call, Scene& scene);
void add_ball_joint(const Call& call, Scene& scene);
void add_hinge_joint(const Call& call, Scene& scene);
void add_slider_joint(const Call& call, Scene& scene);
void add_fixed_joint(const Call& call, Scene& scene);
void add_dist_joint(const Call& call, Scene& scene);

// --- what all of them take

constexpr Argument kUntil =
    optional_number("until", "s", "lets go at this time; else never", Range::any, 0);
constexpr Argument kBreaks =
    optional_number("breaks", "N", "lets go above this force", Range::positive, 0);
constexpr Argument kBeyond = optional_number(
    "beyond", "m",
    "lets go when what it holds is farther than this from where it began; of what slides: has slid "
    "farther",
    Range::positive, 0);

constexpr Argument kActive = {"active",   ArgumentKind::value,
                              "",         "holds while this is above 0.5; 1 when nothing is said",
                              Range::any, true,
                              1};
constexpr Argument kEase =
    optional_number("ease", "s", "how long it takes to close when it begins to hold; 0.25",
                    Range::not_negative, 0.25);

// --- ends

constexpr Argument kHeldPoint = {"a", ArgumentKind::object, "",
                                 "a place on a rod or strand: `cable at 0.5 along`"};
constexpr Argument kPlacePoint = {"point", ArgumentKind::path, "", "point(...), which may move"};
constexpr Argument kOtherPoint = {"b", ArgumentKind::object, "",
                                  "a place on a rod, a body, a mass, or anything else"};
constexpr Argument kDirectionX = {"x", ArgumentKind::number, "", "of the direction"};
constexpr Argument kDirectionY = {"y", ArgumentKind::number, "", "of the direction"};
constexpr Argument kDirectionZ = {"z", ArgumentKind::number, "", "of the direction"};

// --- distances, paths and springs

constexpr Argument kKeptDistance = {
    "distance", ArgumentKind::value, "m",
    "constant or moving; zero makes the two coincide; negative counts as its size. Of a rod: more "
    "than 0 where it is constant"};
constexpr Argument kBeyondApart =
    optional_number("beyond", "m", "lets go when the two are farther apart", Range::positive, 0);
constexpr Argument kDistConstraint[] = {
    {"a", ArgumentKind::object, "", "a mass, a label or any other instance"},
    {"b", ArgumentKind::object, "", "another"},
    kKeptDistance,
    kUntil,
    kBreaks,
    kBeyondApart,
    kActive,
    kEase};
constexpr Argument kDistToPoint[] = {{"a", ArgumentKind::object, "", "a place on a rod"},
                                     kPlacePoint,
                                     kKeptDistance,
                                     kUntil,
                                     kBreaks,
                                     kBeyondApart,
                                     kActive,
                                     kEase};
constexpr Argument kPathConstraint[] = {{"a", ArgumentKind::object, "", "what slides"},
                                        {"path", ArgumentKind::path, "", "where it stays"},
                                        kUntil,
                                        kBreaks,
                                        kBeyond,
                                        kActive,
                                        kEase};
constexpr Argument kPointSpring[] = {
    {"a", ArgumentKind::object, "", "one end"},
    {"b", ArgumentKind::object, "", "the other end"},
    {"rest_length", ArgumentKind::value, "m", "length without force", Range::not_negative},
    {"stiffness", ArgumentKind::value, "N/m", "force per metre", Range::not_negative},
    {"damping", ArgumentKind::value, "N s/m", "force per speed", Range::not_negative},
    kUntil,
    kBreaks,
    kBeyondApart,
    kActive,
    kEase};
constexpr Argument kCoordinateSpring[] = {
    {"coordinate", ArgumentKind::coordinate, "", "a dynamic variable"},
    {"rest_length", ArgumentKind::value, "m",
     "its value without force; an angle where it drives a rotation"},
    {"stiffness", ArgumentKind::value, "N/m", "or N m per radian", Range::not_negative},
    {"damping", ArgumentKind::value, "N s/m", "or N m s per radian", Range::not_negative}};

// --- points of strands and rods

constexpr Argument kPositionAtPoint[] = {kHeldPoint, kPlacePoint, kUntil, kBreaks,
                                         kBeyond,    kActive,     kEase};
constexpr Argument kPositionAtObject[] = {kHeldPoint, kOtherPoint, kUntil, kBreaks,
                                          kBeyond,    kActive,     kEase};
constexpr Argument kOrientation[] = {kHeldPoint,
                                     kDirectionX,
                                     kDirectionY,
                                     kDirectionZ,
                                     {"b", ArgumentKind::object, "",
                                      "what the direction is fixed to; the world when nothing is "
                                      "said",
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
    kHeldPoint, {"axis", ArgumentKind::path, "", "line(...)"}, kUntil, kBreaks, kBeyond, kActive,
    kEase};
constexpr Argument kCircle[] = {
    kHeldPoint,  kPlacePoint, kDirectionX,
    kDirectionY, kDirectionZ, {"radius", ArgumentKind::value, "m", "", Range::positive},
    kUntil,      kBreaks,     kBeyond,
    kActive,     kEase};
constexpr Argument kTangent = {"tangent",
                               ArgumentKind::word,
                               "",
                               "free: they may turn against each other; fixed: as at the start; "
                               "parallel: both in one line",
                               Range::any,
                               true,
                               0,
                               "free fixed parallel"};
constexpr Argument kFusionAngle =
    optional_number("angle", "rad",
                    "of a rod: between the two tangents, above 0 and below 180 deg; any when "
                    "nothing is said",
                    Range::positive, 0);
constexpr Argument kFusion[] = {kHeldPoint, kOtherPoint, kTangent, kFusionAngle, kUntil,
                                kBreaks,    kBeyond,     kActive,  kEase};

constexpr Argument kThreaded = {"rod", ArgumentKind::object, "", "an instance with a rod"};
constexpr Argument kFrom = {"from",
                            ArgumentKind::number,
                            "",
                            "where on the rod at the start, 0 to 1; 0.5 when nothing is said",
                            Range::unit_interval,
                            true,
                            0.5};
constexpr Argument kRub = optional_number(
    "friction", "", "Coulomb's: force along the rod by force across it", Range::not_negative, 0);
constexpr Argument kViscous =
    optional_number("viscous", "N s/m", "force by sliding speed", Range::not_negative, 0);
constexpr Argument kSlide = {"slide",
                             ArgumentKind::value,
                             "m/s",
                             "speed at which the rod is drawn through, towards its last point; "
                             "may be a track",
                             Range::any,
                             true};
constexpr Argument kEnds = {"ends",
                            ArgumentKind::word,
                            "",
                            "stop: at the rod's ends and stops; leave: comes off at an end; "
                            "clamp: stays where it stops, for good",
                            Range::any,
                            true,
                            0,
                            "stop leave clamp"};
constexpr Argument kStopLow =
    optional_number("low", "", "a stop on the rod, 0 to 1; its first point when nothing is said",
                    Range::unit_interval, 0);
constexpr Argument kStopHigh =
    optional_number("high", "", "a stop on the rod, 0 to 1; its last point when nothing is said",
                    Range::unit_interval, 1);
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
constexpr Argument kCut[] = {
    kHeldPoint, optional_number("when", "s", "at what time; from the start on when nothing is said",
                                Range::any, 0)};

constexpr Argument kJointConstraint[] = {
    {"a", ArgumentKind::object, "", "a point of a strand: the joint before its segment"},
    {"axis", ArgumentKind::word, "", "of the section; y is twist", Range::any, false, 0, "x y z"},
    {.name = "angle",
     .kind = ArgumentKind::value,
     .unit = "rad",
     .meaning = "against the shape at rest; may be a track",
     .range = Range::any,
     .is_optional = true},
    optional_number("low", "rad", "instead of an angle: the least", Range::any, 0),
    optional_number("high", "rad", "and the largest", Range::any, 0),
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
                         "another, an obstacle, or anything that is fixed"};
constexpr Argument kPoint = {"point", ArgumentKind::path, "", "point(...) where they meet"};
constexpr Argument kHingeLine = {"axis", ArgumentKind::path, "", "line(...) to turn about"};
constexpr Argument kSliderLine = {"axis", ArgumentKind::path, "", "line(...) to slide along"};
constexpr Argument kLowAngle =
    optional_number("low", "rad", "least angle; the start is 0", Range::any, 0);
constexpr Argument kHighAngle = optional_number("high", "rad", "largest angle", Range::any, 0);
constexpr Argument kLowWay =
    optional_number("low", "m", "shortest way; the start is 0", Range::any, 0);
constexpr Argument kHighWay = optional_number("high", "m", "longest way", Range::any, 0);
constexpr Argument kLowDistance =
    optional_number("low", "m", "shortest distance, instead of one", Range::not_negative, 0);
constexpr Argument kHighDistance = optional_number(
    "high", "m", "longest distance, instead of one: a rope", Range::not_negative, 0);
constexpr Argument kTurning = {"motor",
                               ArgumentKind::value,
                               "rad/s",
                               "speed to keep; may be a "
                               "track",
                               Range::any,
                               true};
constexpr Argument kSliding = {"motor",
                               ArgumentKind::value,
                               "m/s",
                               "speed to keep; may be a "
                               "track",
                               Range::any,
                               true};
constexpr Argument kMotorTorque = optional_number(
    "motor_force", "N m", "the motor's largest torque; else any", Range::positive, 0);
constexpr Argument kMotorForce =
    optional_number("motor_force", "N", "the motor's largest force; else any", Range::positive, 0);

constexpr Argument kBall[] = {kA, kB, kPoint, kBreaks, kUntil, kBeyond, kActive, kEase};
constexpr Argument kBallToWorld[] = {kA, kPoint, kBreaks, kUntil, kBeyond, kActive, kEase};
constexpr Argument kHinge[] = {kA,           kB,      kHingeLine, kLowAngle, kHighAngle, kTurning,
                               kMotorTorque, kBreaks, kUntil,     kBeyond,   kActive,    kEase};
constexpr Argument kHingeToWorld[] = {kA,       kHingeLine,   kLowAngle, kHighAngle,
                                      kTurning, kMotorTorque, kBreaks,   kUntil,
                                      kBeyond,  kActive,      kEase};
constexpr Argument kSlider[] = {kA,          kB,      kSliderLine, kLowWay, kHighWay, kSliding,
                                kMotorForce, kBreaks, kUntil,      kBeyond, kActive,  kEase};
constexpr Argument kSliderToWorld[] = {kA,       kSliderLine, kLowWay, kHighWay,
                                       kSliding, kMotorForce, kBreaks, kUntil,
                                       kBeyond,  kActive,     kEase};
constexpr Argument kFixed[] = {kA, kB, kBreaks, kUntil, kBeyond, kActive, kEase};
constexpr Argument kFixedToWorld[] = {kA, kBreaks, kUntil, kBeyond, kActive, kEase};
constexpr Argument kDistJoint[] = {kA,
                                   kB,
                                   {"distance", ArgumentKind::value, "m",
                                    "constant or moving; left out: as at the start",
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
constexpr std::array kSprings = {Signature(kPointSpring), Signature(kCoordinateSpring)};
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
constexpr auto kCutOnly = only(kCut);
constexpr auto kAboveOnly = only(kAbove);
constexpr auto kJointConstraintOnly = only(kJointConstraint);
constexpr std::array kBallJoints = {Signature(kBall), Signature(kBallToWorld)};
constexpr std::array kHingeJoints = {Signature(kHinge), Signature(kHingeToWorld)};
constexpr std::array kSliderJoints = {Signature(kSlider), Signature(kSliderToWorld)};
constexpr std::array kFixedJoints = {Signature(kFixed), Signature(kFixedToWorld)};
constexpr auto kDistJointOnly = only(kDistJoint);

} // namespace sinew::charli
