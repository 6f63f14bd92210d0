#pragma once

// Arguments and effects of the words of strands and of the air; their rows are in words.cpp.

#include "charli/words/rod_words.h"

namespace sinew::charli {

void add_strand(const Call& call, Scene& scene);
void add_branch(const Call& call, Scene& scene);
void add_groom(const Call& call, Scene& scene);
void add_strand_property(const Call& call, Scene& scene);
void add_pose(const Call& call, Scene& scene);
void add_time_scale(const Call& call, Scene& scene);
void add_local_dynamics(const Call& call, Scene& scene);
void add_blend(const Call& call, Scene& scene);
void add_freeze(const Call& call, Scene& scene);
void add_surface(const Call& call, Scene& scene);
void add_strand_hinge(const Call& call, Scene& scene);
void add_zero_gravity_rest(const Call& call, Scene& scene);
void add_wind(const Call& call, Scene& scene);
void add_eddies(const Call& call, Scene& scene);
void add_vortex(const Call& call, Scene& scene);
void add_wake(const Call& call, Scene& scene);
void add_continuum(const Call& call, Scene& scene);
void set_strands(const Call& call, Scene& scene);
void set_settle(const Call& call, Scene& scene);

/// A property of strands: a constant, a track, a ramp along the curve, or nested.
constexpr Argument strand_value(std::string_view name, std::string_view unit,
                                std::string_view meaning, Range range, bool is_optional = false)
{
    return {.name = name,
            .kind = ArgumentKind::value,
            .unit = unit,
            .meaning = meaning,
            .range = range,
            .is_optional = is_optional,
            .may_ramp = true};
}

constexpr Argument kCurvePath = {"path", ArgumentKind::path, "",
                                 "its shape at rest, in the frame of the def; constant"};
constexpr Argument kSegments = {"segments",
                                ArgumentKind::whole,
                                "",
                                "rigid pieces of equal length along the path, 1 to 100,000; 20 "
                                "when nothing is said",
                                Range::any,
                                true,
                                20};
constexpr Argument kStrand[] = {kCurvePath, kSegments};
constexpr Argument kBranch[] = {
    {"path", ArgumentKind::path, "", "its shape at rest; moved so that it begins on the other"},
    {"from", ArgumentKind::along, "", "where it leaves: `trunk at 0.6 along`"},
    kSegments};

constexpr Argument kGroom[] = {
    {"file", ArgumentKind::file, "",
     "curves: HAIR, USD as text, OBJ lines or CSV; with `count` a surface to grow on: OBJ, PLY, "
     "STL or glTF; relative to the script"},
    kSegments,
    kScale,
    {"count", ArgumentKind::whole, "", "strands that grow on the surface", Range::positive, true,
     0},
    {"seed", ArgumentKind::whole, "", "another number, another growth; 1 when nothing is said",
     Range::not_negative, true, 1},
    optional_number("length", "m", "of a strand; of its guides when nothing is said",
                    Range::positive, 0),
    optional_number("vary", "", "0 to 1, how much lengths, curls and ways differ; 0",
                    Range::unit_interval, 0),
    optional_number("droop", "", "0 stands along the normal, 1 lies and hangs along -y; 0",
                    Range::unit_interval, 0),
    optional_number("curl", "", "turns of a curl along a strand; 0", Range::any, 0),
    optional_number("curl_radius", "m", "of the curl; 5 mm", Range::not_negative, 5e-3),
    {"clumps", ArgumentKind::whole, "", "so many, about as many of their strands each; 0: none",
     Range::not_negative, true, 0},
    optional_number("clumping", "", "0 to 1, how near tips come to the middle of theirs; 0.8",
                    Range::unit_interval, 0.8),
    {"guides", ArgumentKind::file, "", "curves that strands near them follow, as for `file`",
     Range::any, true},
    optional_number("begin", "s", "when the animation of a .glb begins; 0", Range::any, 0),
    optional_number("speed", "", "of the animation; 1", Range::positive, 1)};

constexpr Argument kStrandRadius[] = {
    strand_value("radius", "m", "of the round section", Range::positive)};
constexpr Argument kMassPerLength[] = {
    strand_value("mass_per_length", "kg/m", "", Range::positive)};
constexpr Argument kDensity[] = {strand_value("density", "kg/m³", "", Range::positive)};
constexpr Argument kYoung[] = {strand_value("modulus", "Pa", "", Range::not_negative)};
constexpr Argument kPoisson[] = {strand_value("ratio", "", "above -1, at most 0.5", Range::any)};
constexpr Argument kBendStiffness[] = {
    strand_value("a", "N m²", "EI about the section's x", Range::not_negative),
    strand_value("b", "N m²", "about its z; as the first when left out", Range::not_negative,
                 true)};
constexpr Argument kTwistStiffness[] = {strand_value("a", "N m²", "GJ", Range::not_negative)};
constexpr Argument kDamping[] = {
    strand_value("a", "s", "relaxation time of bending", Range::not_negative),
    strand_value("b", "s", "of twist; as the first when left out", Range::not_negative, true)};
constexpr Argument kAirDrag[] = {
    strand_value("along", "N s/m²", "force by length and speed along the curve",
                 Range::not_negative),
    strand_value("across", "N s/m²", "across it", Range::not_negative)};
constexpr Argument kSurface[] = {
    {.name = "friction",
     .kind = ArgumentKind::value,
     .unit = "",
     .meaning = "tangential by normal force; with a body the geometric mean of both; 0.5",
     .range = Range::not_negative,
     .is_optional = true,
     .fallback = 0.5,
     .may_ramp = true},
    strand_value("bounce", "", "speed after by speed before an impact, 0 to 1; 0",
                 Range::not_negative, true),
    strand_value("sliding", "", "friction of strands where they slide; as where they stick",
                 Range::not_negative, true)};
constexpr Argument kTimeScale[] = {
    {"factor", ArgumentKind::value, "", "1: as it is; 0: as if the base stood; may be a track"}};
constexpr Argument kLocalDynamics[] = {
    {"share", ArgumentKind::value, "",
     "of the reference's motion that is not felt; may be a track"},
    {"reference", ArgumentKind::object, "", "what moves the base; left out: the base itself",
     Range::any, true}};
constexpr Argument kBlend[] = {
    {"weight", ArgumentKind::value, "",
     "1: the simulation is seen, 0: the pose, or the shape at rest where there is none; may be a "
     "track"}};
constexpr Argument kFreeze[] = {
    {"on", ArgumentKind::value, "", "above 0.5 it is frozen; may be a track"}};
constexpr Argument kStretch[] = {
    strand_value("factor", "", "length by length of the path", Range::positive)};
constexpr Argument kStretchStiffness[] = {strand_value(
    "EA", "N", "force by relative elongation: Young's modulus times area", Range::positive)};
constexpr Argument kLeastRadius[] = {strand_value("radius", "m", "of curvature", Range::positive)};
constexpr Argument kPose[] = {
    {"path", ArgumentKind::path, "",
     "the shape that it is drawn to, in the frame of the def; may move"},
    strand_value("strength", "N/m²", "stiffness of the springs by length, along and in time",
                 Range::not_negative),
    strand_value("damping", "N s/m²", "of the springs by length; 0 when nothing is said",
                 Range::not_negative, true)};
constexpr Argument kContact[] = {
    strand_value("weight", "", "above 0.5: it touches", Range::not_negative)};
constexpr Argument kStrandHinge[] = {{"axis", ArgumentKind::word, "",
                                      "of the section; y is twist alone", Range::any, false, 0,
                                      "x y z"}};

constexpr Argument kWeight =
    strand_value("weight", "", "how much of it is felt, along the curve; 1 when nothing is said",
                 Range::any, true);
constexpr Argument kEddySize =
    optional_number("size", "m", "of its eddies; 1 when nothing is said", Range::positive, 1);
constexpr Argument kEddyPeriod = optional_number(
    "period", "s", "how long they last; 1 when nothing is said", Range::positive, 1);
constexpr Argument kSeed = {"seed",
                            ArgumentKind::whole,
                            "",
                            "another number, another weather; 1 when nothing is said",
                            Range::not_negative,
                            true,
                            1};
constexpr Argument kWind[] = {strand_value("x", "m/s", "of the air along x", Range::any),
                              strand_value("y", "m/s", "along y", Range::any),
                              strand_value("z", "m/s", "along z", Range::any), kWeight};
constexpr Argument kTurbulence[] = {
    strand_value("strength", "m/s", "root mean square of its speed", Range::not_negative),
    kEddySize, kEddyPeriod, kSeed, kWeight};
constexpr Argument kNoise[] = {
    strand_value("strength", "m/s²", "root mean square of the acceleration", Range::not_negative),
    kEddySize, kEddyPeriod, kSeed, kWeight};
constexpr Argument kVortex[] = {
    {"axis", ArgumentKind::path, "", "line(...) to turn about, counter-clockwise seen against it"},
    strand_value("strength", "m/s", "speed at the edge of the core", Range::any),
    optional_number("size", "m", "radius of the core; 1 when nothing is said", Range::positive, 1),
    kWeight};
constexpr Argument kWake[] = {
    {"behind", ArgumentKind::object, "", "what moves and drags the air along"},
    {.name = "strength",
     .kind = ArgumentKind::value,
     .unit = "",
     .meaning = "share of its velocity; 1 when nothing is said",
     .range = Range::any,
     .is_optional = true,
     .fallback = 1,
     .may_ramp = true},
    optional_number("size", "m", "how wide; 1 when nothing is said", Range::positive, 1),
    kWeight};

constexpr Argument kContinuum[] = {
    number_above_zero("size", "m", "how far neighbours feel each other"),
    number_above_zero("density", "kg/m³", "of hair as a whole; above it neighbours push apart"),
    {"pressure", ArgumentKind::value, "Pa", "at twice that density; may be a track",
     Range::not_negative},
    optional_number("viscosity", "1/s",
                    "share of its velocity against its neighbours' that a "
                    "strand loses by time; 0",
                    Range::not_negative, 0)};

constexpr Argument kStrands[] = {
    {"method", ArgumentKind::word, "",
     "automatic: implicit steps of a fixed size, second order; ida: error control, for reference",
     Range::any, true, 0, "automatic ida"},
    {"precision", ArgumentKind::word, "", "of the numbers; double", Range::any, true, 0,
     "double float"},
    {"friction", ArgumentKind::word, "",
     "disc: against the slip, whichever way that is; hadap: along one direction, as in the paper",
     Range::any, true, 0, "disc hadap"},
    {"touch", ArgumentKind::word, "",
     "bodies: what strands touch; each_other: strands too, for some hundred strands at most",
     Range::any, true, 0, "bodies each_other"},
    optional_number("tolerance", "", "relative error of ida; 1e-8", Range::positive, 1e-8),
    {"jacobian", ArgumentKind::word, "",
     "of ida; exact: in linear time, fields held fast; numerical: dense, for steep fields",
     Range::any, true, 0, "exact numerical"}};

constexpr auto kStrandOnly = only(kStrand);
constexpr auto kBranchOnly = only(kBranch);
constexpr auto kGroomOnly = only(kGroom);
constexpr auto kStrandRadiusOnly = only(kStrandRadius);
constexpr auto kMassPerLengthOnly = only(kMassPerLength);
constexpr auto kDensityOnly = only(kDensity);
constexpr auto kYoungOnly = only(kYoung);
constexpr auto kPoissonOnly = only(kPoisson);
constexpr auto kBendStiffnessOnly = only(kBendStiffness);
constexpr auto kTwistStiffnessOnly = only(kTwistStiffness);
constexpr auto kDampingOnly = only(kDamping);
constexpr auto kAirDragOnly = only(kAirDrag);
constexpr auto kSurfaceOnly = only(kSurface);
constexpr auto kTimeScaleOnly = only(kTimeScale);
constexpr auto kLocalDynamicsOnly = only(kLocalDynamics);
constexpr auto kPoseOnly = only(kPose);
constexpr auto kBlendOnly = only(kBlend);
constexpr auto kFreezeOnly = only(kFreeze);
constexpr auto kStretchOnly = only(kStretch);
constexpr auto kStretchStiffnessOnly = only(kStretchStiffness);
constexpr auto kLeastRadiusOnly = only(kLeastRadius);
constexpr auto kContactOnly = only(kContact);
constexpr auto kStrandHingeOnly = only(kStrandHinge);
constexpr auto kWindOnly = only(kWind);
constexpr auto kTurbulenceOnly = only(kTurbulence);
constexpr auto kNoiseOnly = only(kNoise);
constexpr auto kVortexOnly = only(kVortex);
constexpr auto kWakeOnly = only(kWake);
constexpr auto kContinuumOnly = only(kContinuum);
constexpr auto kStrandsOnly = only(kStrands);

/// Code of the words that make a curve, and so may be named.
constexpr std::uint8_t kMakesCurve = 0xff;
/// Code of the word that makes curves from a file.
constexpr std::uint8_t kReadsCurves = 0xfe;

} // namespace sinew::charli
