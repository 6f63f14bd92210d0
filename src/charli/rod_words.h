#pragma once

// Arguments and effects of the words of rods; their rows are in words.cpp.

#include "charli/body_words.h"

namespace sinew::charli {

Release release_of(const Call& call);
void add_rod(const Call& call, Scene& scene);
void add_rod_constraint(const Call& call, Scene& scene);
void add_rod_cut(const Call& call, Scene& scene);
void set_rods(const Call& call, Scene& scene);

constexpr Argument kRod[] = {
    {"path", ArgumentKind::path, "", "its shape at the start, in the frame of the def; constant"},
    {"spans", ArgumentKind::whole, "",
     "pieces of the curve, 1 to 100,000; 20 when nothing is said. Its stiffness does not depend "
     "on them",
     Range::any, true, 20},
    optional_number("radius", "m", "of its round section; 5 mm when nothing is said",
                    Range::positive, 0.005),
    optional_number("young", "Pa", "Young's modulus; 1e7 when nothing is said", Range::positive,
                    1e7),
    optional_number("poisson", "", "above -1, at most 0.5; 0.3 when nothing is said", Range::any,
                    0.3),
    optional_number("density", "kg/m³", "1000 when nothing is said", Range::positive, 1000),
    optional_number("damping", "s", "in what time its strains come to rest; 0 when nothing is said",
                    Range::not_negative, 0),
    optional_number("length", "m", "when nothing pulls; as drawn when nothing is said",
                    Range::positive, 0),
    {"rest", ArgumentKind::word, "", "its shape when nothing pulls; as drawn when nothing is said",
     Range::any, true, 0, "drawn straight"},
    {"rest_path", ArgumentKind::path, "", "or another shape when nothing pulls; constant",
     Range::any, true},
    {"model", ArgumentKind::word, "",
     "spline: stretches, bends and twists; chain: points with springs between them", Range::any,
     true, 0, "spline chain"},
    optional_number("drag_along", "N s/m²", "of the air, by length and speed along the rod",
                    Range::not_negative, 0),
    optional_number("drag_across", "N s/m²", "across it", Range::not_negative, 0)};

constexpr Argument kHeldPoint = {"a", ArgumentKind::object, "",
                                 "a place on a rod or strand: `cable at 0.5 along`"};
constexpr Argument kPlacePoint = {"point", ArgumentKind::path, "", "point(...), which may move"};
constexpr Argument kOtherPoint = {"b", ArgumentKind::object, "",
                                  "a place on a rod, a body, a mass, or anything else"};
constexpr Argument kDirectionX = {"x", ArgumentKind::number, "", "of the direction"};
constexpr Argument kDirectionY = {"y", ArgumentKind::number, "", "of the direction"};
constexpr Argument kDirectionZ = {"z", ArgumentKind::number, "", "of the direction"};
constexpr Argument kUntil =
    optional_number("until", "s", "lets go at this time; else never", Range::any, 0);
constexpr Argument kRodBreaks =
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
constexpr Argument kPositionAtPoint[] = {kHeldPoint, kPlacePoint, kUntil, kRodBreaks,
                                         kBeyond,    kActive,     kEase};
constexpr Argument kPositionAtObject[] = {kHeldPoint, kOtherPoint, kUntil, kRodBreaks,
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
                                     kRodBreaks,
                                     kBeyond,
                                     kActive,
                                     kEase};
constexpr Argument kSide = {
    "side",     ArgumentKind::word,
    "",         "both: in the plane; above: on its side along the direction",
    Range::any, true,
    0,          "both above"};
constexpr Argument kPlaneAtPoint[] = {kHeldPoint,  kPlacePoint, kDirectionX, kDirectionY,
                                      kDirectionZ, kSide,       kUntil,      kRodBreaks,
                                      kBeyond,     kActive,     kEase};
constexpr Argument kPlaneAtObject[] = {kHeldPoint,  kOtherPoint, kDirectionX, kDirectionY,
                                       kDirectionZ, kSide,       kUntil,      kRodBreaks,
                                       kBeyond,     kActive,     kEase};
constexpr Argument kAxisConstraint[] = {
    kHeldPoint, {"axis", ArgumentKind::path, "", "line(...)"}, kUntil, kRodBreaks, kBeyond, kActive,
    kEase};
constexpr Argument kCircle[] = {
    kHeldPoint,  kPlacePoint, kDirectionX,
    kDirectionY, kDirectionZ, {"radius", ArgumentKind::value, "m", "", Range::positive},
    kUntil,      kRodBreaks,  kBeyond,
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
                                kRodBreaks, kBeyond,     kActive,  kEase};

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
constexpr Argument kKeyholeAtPoint[] = {kThreaded,  kPlacePoint, kFrom,    kRub,      kViscous,
                                        kSlide,     kEnds,       kStopLow, kStopHigh, kUntil,
                                        kRodBreaks, kBeyond,     kActive,  kEase};
constexpr Argument kKeyholeAtObject[] = {kThreaded,  kOtherPoint, kFrom,    kRub,      kViscous,
                                         kSlide,     kEnds,       kStopLow, kStopHigh, kUntil,
                                         kRodBreaks, kBeyond,     kActive,  kEase};
constexpr Argument kOrientedAtPoint[] = {
    kThreaded, kPlacePoint, kDirectionX, kDirectionY, kDirectionZ, kFrom,
    kRub,      kViscous,    kSlide,      kEnds,       kStopLow,    kStopHigh,
    kUntil,    kRodBreaks,  kBeyond,     kActive,     kEase};
constexpr Argument kOrientedAtObject[] = {
    kThreaded, kOtherPoint, kDirectionX, kDirectionY, kDirectionZ, kFrom,
    kRub,      kViscous,    kSlide,      kEnds,       kStopLow,    kStopHigh,
    kUntil,    kRodBreaks,  kBeyond,     kActive,     kEase};
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
    kRodBreaks,
    kBeyond,
    kActive,
    kEase};
constexpr Argument kCut[] = {
    kHeldPoint, optional_number("when", "s", "at what time; from the start on when nothing is said",
                                Range::any, 0)};
constexpr Argument kRods[] = {
    {"iterations", ArgumentKind::whole, "",
     "of each stage; 1 is the paper's linearised step; 0, until it converges, when nothing is said",
     Range::not_negative, true, 0},
    {"contact", ArgumentKind::word, "",
     "bodies: rods touch bodies and obstacles; all: each other and themselves too; none. bodies "
     "when nothing is said",
     Range::any, true, 0, "bodies all none"},
    {"solver", ArgumentKind::word, "",
     "how forces of constraints are found: fast, the default; banded: as in the paper, in a band",
     Range::any, true, 0, "fast banded"},
    optional_number("tolerance", "m/s", "what velocities may still change by in a stage; 1e-6",
                    Range::positive, 1e-6),
    {"stepping", ArgumentKind::word, "",
     "inertial, the default; quasi_static: without inertia, at rest at the end of every step",
     Range::any, true, 0, "inertial quasi_static"}};

constexpr auto kRodOnly = only(kRod);
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
constexpr auto kRodsOnly = only(kRods);

} // namespace sinew::charli
