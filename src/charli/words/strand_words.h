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
                                 "rest shape, in the frame of the def; constant"};
constexpr Argument kSegments = {
    "segments", ArgumentKind::whole,
    "",         "number of rigid pieces of equal length, 1 to 100,000; default 20",
    Range::any, true,
    20};
constexpr Argument kStrand[] = {kCurvePath, kSegments};
constexpr Argument kBranch[] = {
    {"path", ArgumentKind::path, "", "rest shape; moved so that it begins on the other strand"},
    {"from", ArgumentKind::along, "", "where it branches off: `trunk at 0.6 along`"},
    kSegments};

constexpr Argument groom_map(std::string_view name, std::string_view meaning)
{
    return {name, ArgumentKind::text, "", meaning, Range::any, true};
}

constexpr Argument kGroom[] = {
    {"file", ArgumentKind::file, "",
     "curves: HAIR, USD as text, OBJ lines or CSV; with `count` a surface to grow on: OBJ, PLY, "
     "STL or glTF; relative to the script"},
    kSegments,
    kScale,
    {"count", ArgumentKind::whole, "", "number of strands on the surface", Range::positive, true,
     0},
    {"seed", ArgumentKind::whole, "", "seed of the random numbers; default 1", Range::not_negative,
     true, 1},
    optional_number("length", "m", "length of a strand; default that of its guides",
                    Range::positive, 0),
    optional_number("vary", "",
                    "0 to 1, random variation of lengths, curls and directions; default 0",
                    Range::unit_interval, 0),
    optional_number("droop", "", "0: along the normal, 1: lies down and hangs along -y; default 0",
                    Range::unit_interval, 0),
    optional_number("curl", "", "number of turns of a curl along a strand; default 0", Range::any,
                    0),
    optional_number("curl_radius", "m", "radius of the curl; default 5 mm", Range::not_negative,
                    5e-3),
    {"clumps", ArgumentKind::whole, "",
     "number of clumps; strands are shared out evenly among them; default 0, no clumping",
     Range::not_negative, true, 0},
    optional_number("clumping", "",
                    "0 to 1, how far tips are drawn to the centre of their clump; default 0.8",
                    Range::unit_interval, 0.8),
    {"guides", ArgumentKind::file, "", "file of curves that nearby strands follow, as for `file`",
     Range::any, true},
    optional_number("begin", "s", "start time of the animation of a .glb; default 0", Range::any,
                    0),
    optional_number("speed", "", "speed of the animation; default 1", Range::positive, 1),
    {"skin", ArgumentKind::file, "",
     "for curves of a file, the mesh that they stand on: each root moves and rotates with the "
     "triangle nearest to it; a .glb moves, like `mesh`",
     Range::any, true},
    groom_map("density_map", "factor of how densely strands grow"),
    groom_map("length_map", "factor of their lengths, at least 0.01"),
    groom_map("stiffness_map", "factor of their stiffness in bending and twist"),
    groom_map("curl_map", "factor of `curl_radius`"),
    groom_map("clump_map", "factor of `clumping`")};

constexpr Argument kStrandRadius[] = {
    strand_value("radius", "m", "of the round section", Range::positive)};
constexpr Argument kMassPerLength[] = {
    strand_value("mass_per_length", "kg/m", "", Range::positive)};
constexpr Argument kDensity[] = {strand_value("density", "kg/m³", "", Range::positive)};
constexpr Argument kYoung[] = {strand_value("modulus", "Pa", "", Range::not_negative)};
constexpr Argument kPoisson[] = {strand_value("ratio", "", "above -1, at most 0.5", Range::any)};
constexpr Argument kBendStiffness[] = {
    strand_value("a", "N m²", "EI about the section's x", Range::not_negative),
    strand_value("b", "N m²", "about the section's z; default as the first", Range::not_negative,
                 true)};
constexpr Argument kTwistStiffness[] = {strand_value("a", "N m²", "GJ", Range::not_negative)};
constexpr Argument kDamping[] = {
    strand_value("a", "s", "relaxation time of bending", Range::not_negative),
    strand_value("b", "s", "relaxation time of twist; default as the first", Range::not_negative,
                 true)};
constexpr Argument kAirDrag[] = {
    strand_value("along", "N s/m²", "force per length and speed, along the curve",
                 Range::not_negative),
    strand_value("across", "N s/m²", "across it", Range::not_negative)};
constexpr Argument kSurface[] = {
    {.name = "friction",
     .kind = ArgumentKind::value,
     .unit = "",
     .meaning = "tangential over normal force; with a body the geometric mean of both; default 0.5",
     .range = Range::not_negative,
     .is_optional = true,
     .fallback = 0.5,
     .may_ramp = true},
    strand_value("bounce", "", "speed after over speed before an impact, 0 to 1; default 0",
                 Range::not_negative, true),
    strand_value("sliding", "", "friction of strands that slide; default as `friction`",
                 Range::not_negative, true)};
constexpr Argument kTimeScale[] = {
    {"factor", ArgumentKind::value, "",
     "1: full motion; 0: as if the base stood still; may be a track"}};
constexpr Argument kLocalDynamics[] = {
    {"share", ArgumentKind::value, "",
     "fraction of the reference's motion that is removed; may be a track"},
    {"reference", ArgumentKind::object, "", "the reference; default the base itself", Range::any,
     true}};
constexpr Argument kBlend[] = {
    {"weight", ArgumentKind::value, "",
     "1: the simulation, 0: the pose, or the rest shape if there is none; may be a track"}};
constexpr Argument kFreeze[] = {
    {"on", ArgumentKind::value, "", "frozen above 0.5; may be a track"}};
constexpr Argument kStretch[] = {
    strand_value("factor", "", "length over length of the path", Range::positive)};
constexpr Argument kStretchStiffness[] = {strand_value(
    "EA", "N", "force per relative elongation: Young's modulus times area", Range::positive)};
constexpr Argument kLeastRadius[] = {strand_value("radius", "m", "of curvature", Range::positive)};
constexpr Argument kPose[] = {
    {"path", ArgumentKind::path, "", "target shape, in the frame of the def; may move"},
    strand_value("strength", "N/m²", "stiffness of the springs per length", Range::not_negative),
    strand_value("damping", "N s/m²", "damping of the springs per length; default 0",
                 Range::not_negative, true)};
constexpr Argument kContact[] = {
    strand_value("weight", "", "contact is on above 0.5", Range::not_negative)};
constexpr Argument kStrandHinge[] = {{"axis", ArgumentKind::word, "",
                                      "axis of the section; y is twist", Range::any, false, 0,
                                      "x y z"}};

constexpr Argument kWeight =
    strand_value("weight", "", "factor along the curve; default 1", Range::any, true);
constexpr Argument kEddySize =
    optional_number("size", "m", "size of the eddies; default 1", Range::positive, 1);
constexpr Argument kEddyPeriod =
    optional_number("period", "s", "lifetime of the eddies; default 1", Range::positive, 1);
constexpr Argument kSeed = {"seed",
                            ArgumentKind::whole,
                            "",
                            "seed of the random numbers; default 1",
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
    {"axis", ArgumentKind::path, "",
     "line(...) as the axis; counter-clockwise, looking against its direction"},
    strand_value("strength", "m/s", "speed at the edge of the core", Range::any),
    optional_number("size", "m", "radius of the core; default 1", Range::positive, 1),
    kWeight};
constexpr Argument kWake[] = {
    {"behind", ArgumentKind::object, "", "the object that drags the air along"},
    {.name = "strength",
     .kind = ArgumentKind::value,
     .unit = "",
     .meaning = "fraction of its velocity; default 1",
     .range = Range::any,
     .is_optional = true,
     .fallback = 1,
     .may_ramp = true},
    optional_number("size", "m", "radius of the wake; default 1", Range::positive, 1),
    kWeight};

constexpr Argument kContinuum[] = {
    number_above_zero("size", "m", "distance over which neighbours interact"),
    number_above_zero("density", "kg/m³", "density of hair above which pressure acts"),
    {"pressure", ArgumentKind::value, "Pa", "pressure at twice that density; may be a track",
     Range::not_negative},
    optional_number("viscosity", "1/s",
                    "fraction per second by which velocities approach the average of their "
                    "neighbours; default 0",
                    Range::not_negative, 0)};

constexpr Argument kStrands[] = {
    {"method", ArgumentKind::word, "",
     "automatic: implicit steps of a fixed size, second order; ida: error control, for reference",
     Range::any, true, 0, "automatic ida"},
    {"precision", ArgumentKind::word, "", "precision of the numbers; default double", Range::any,
     true, 0, "double float"},
    {"friction", ArgumentKind::word, "",
     "disc: friction against the slip in any direction; hadap: along one direction, as in the "
     "paper",
     Range::any, true, 0, "disc hadap"},
    {"touch", ArgumentKind::word, "",
     "what strands collide with: bodies; each_other: also strands, for some hundred strands at "
     "most",
     Range::any, true, 0, "bodies each_other"},
    optional_number("tolerance", "", "relative error of ida; default 1e-8", Range::positive, 1e-8),
    {"jacobian", ArgumentKind::word, "",
     "Jacobian of ida; exact: in linear time, fields held constant; numerical: dense, for steep "
     "fields",
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
