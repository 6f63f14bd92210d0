#pragma once

// Arguments and effects of the words of bodies; their rows are in words.cpp.

#include "charli/words/words.h"

#include <array>

namespace sinew::charli {

void add_body(const Call& call, Scene& scene);
void add_obstacle(const Call& call, Scene& scene);
void add_material(const Call& call, Scene& scene);
void add_contact_material(const Call& call, Scene& scene);
void add_shape(const Call& call, Scene& scene);
void add_plane(const Call& call, Scene& scene);
void add_touches(const Call& call, Scene& scene);
void add_belt(const Call& call, Scene& scene);
void add_centre_of_mass(const Call& call, Scene& scene);
void add_moments_of_inertia(const Call& call, Scene& scene);
void add_body_torque(const Call& call, Scene& scene);
void set_bodies(const Call& call, Scene& scene);

template <std::size_t n>
constexpr std::array<Signature, 1> only(const Argument (&arguments)[n])
{
    return {Signature(arguments)};
}

/// Number arguments that may be left out.
constexpr Argument optional_number(std::string_view name, std::string_view unit,
                                   std::string_view meaning, Range range, double fallback)
{
    return {name, ArgumentKind::number, unit, meaning, range, true, fallback};
}

constexpr Argument number_above_zero(std::string_view name, std::string_view unit,
                                     std::string_view meaning)
{
    return {name, ArgumentKind::number, unit, meaning, Range::positive};
}

constexpr Argument yes_or_no(std::string_view name, std::string_view meaning)
{
    return {name, ArgumentKind::word, "", meaning, Range::any, true, 0, "yes no"};
}

constexpr Argument whole_number(std::string_view name, std::string_view meaning)
{
    return {name, ArgumentKind::whole, "", meaning, Range::not_negative, true, 0};
}

constexpr Argument kVelocity[] = {{"x", ArgumentKind::number, "m/s", "along x"},
                                  {"y", ArgumentKind::number, "m/s", "along y"},
                                  {"z", ArgumentKind::number, "m/s", "along z"}};
constexpr Argument kSpin[] = {{"x", ArgumentKind::number, "rad/s", "about x"},
                              {"y", ArgumentKind::number, "rad/s", "about y"},
                              {"z", ArgumentKind::number, "rad/s", "about z"}};

constexpr Argument kBody[] = {
    optional_number("density", "kg/m³", "of all its shapes", Range::positive, 0),
    optional_number("mass", "kg", "total mass, distributed evenly over its shapes", Range::positive,
                    0),
    optional_number("gravity", "", "fraction of gravity that acts on it; default 1", Range::any, 1),
    optional_number("damping", "1/s", "decay rate of its velocity; default 0", Range::not_negative,
                    0),
    optional_number("spin_damping", "1/s", "decay rate of its angular velocity; default 0",
                    Range::not_negative, 0),
    yes_or_no("asleep", "whether it starts asleep, until something wakes it; default no")};
constexpr Argument kFriction =
    optional_number("friction", "", "tangential over normal force", Range::not_negative, 0.5);
constexpr Argument kBounce = optional_number(
    "bounce", "", "speed after over speed before an impact, 0 to 1", Range::unit_interval, 0);
constexpr Argument kRolling = optional_number(
    "rolling", "m", "rolling resistance: torque over normal force", Range::not_negative, 0);
constexpr Argument kSlidingFriction = optional_number(
    "sliding", "", "friction while sliding; default as `friction`", Range::not_negative, 0.5);
constexpr Argument kMaterial[] = {kFriction, kBounce, kRolling, kSlidingFriction};
constexpr Argument kPair[] = {
    {"a", ArgumentKind::object, "", "a body, an obstacle, or an instance that contains some"},
    {"b", ArgumentKind::object, "", "another"},
    kFriction,
    kBounce,
    kRolling,
    kSlidingFriction};
constexpr Argument kTouches[] = {
    {"a", ArgumentKind::object, "", "a body, an obstacle, or an instance with some in it"},
    {"b", ArgumentKind::object, "", "another, or the same: all within it"},
    {"contact", ArgumentKind::word, "",
     "yes: they push each other; no: they pass through each other; sense: they pass, and it is "
     "noted",
     Range::any, false, 0, "yes no sense"}};
constexpr Argument kBelt[] = {{"x", ArgumentKind::value, "m/s", "along x; may be a track"},
                              {"y", ArgumentKind::value, "m/s", "along y"},
                              {"z", ArgumentKind::value, "m/s", "along z"}};
constexpr Argument kCentreOfMass[] = {{"x", ArgumentKind::number, "m", "in the frame of the def"},
                                      {"y", ArgumentKind::number, "m", ""},
                                      {"z", ArgumentKind::number, "m", ""}};
constexpr Argument kMoments[] = {number_above_zero("x", "kg m²", "about x"),
                                 number_above_zero("y", "kg m²", "about y"),
                                 number_above_zero("z", "kg m²", "about z")};
constexpr Argument kBodyTorque[] = {
    {"a", ArgumentKind::object, "", "a body, or an object in one"},
    {"x", ArgumentKind::value, "N m", "about x of the def it is written in"},
    {"y", ArgumentKind::value, "N m", "about y"},
    {"z", ArgumentKind::value, "N m", "about z"}};

constexpr Argument kBox[] = {number_above_zero("lx", "m", "side along x"),
                             number_above_zero("ly", "m", "side along y"),
                             number_above_zero("lz", "m", "side along z")};
constexpr Argument kEllipsoid[] = {number_above_zero("rx", "m", "radius along x"),
                                   number_above_zero("ry", "m", "radius along y"),
                                   number_above_zero("rz", "m", "radius along z")};
constexpr Argument kRadius = number_above_zero("radius", "m", "");
constexpr Argument kSphere[] = {kRadius};
constexpr Argument kCapsule[] = {kRadius, number_above_zero("length", "m", "of the straight part")};
constexpr Argument kCapsuleBetween[] = {kRadius,
                                        {"points", ArgumentKind::points, "m",
                                         "the two ends of its middle line", Range::any, false, 0,
                                         "", 2, 2}};
constexpr Argument kCylinder[] = {kRadius, number_above_zero("length", "m", "along y")};
constexpr Argument kCone[] = {number_above_zero("radius", "m", "of the base"),
                              number_above_zero("length", "m", "from base to tip")};
constexpr Argument kScale =
    optional_number("scale", "", "metres per unit of the file", Range::positive, 1);
constexpr Argument kMesh[] = {
    {"file", ArgumentKind::file, "", "OBJ, PLY, STL or glTF (.glb), relative to the script"},
    kScale};
constexpr Argument kMovingMesh[] = {
    {"file", ArgumentKind::file, "", "OBJ, PLY, STL or glTF (.glb), relative to the script"},
    kScale,
    {"begin", ArgumentKind::number, "s", "start time of the animation of a .glb", Range::any, true,
     0},
    {"speed", ArgumentKind::number, "", "speed of the animation", Range::positive, true, 1}};
constexpr Argument kHullPoints[] = {
    {"points", ArgumentKind::points, "m", "x, y, z of each point", Range::any, false, 0, "", 4}};
constexpr Argument kPlane[] = {{"nx", ArgumentKind::number, "", "of the normal"},
                               {"ny", ArgumentKind::number, "", "of the normal"},
                               {"nz", ArgumentKind::number, "", "of the normal"},
                               optional_number("d", "m", "n·x on the plane", Range::any, 0)};
constexpr Argument kSpacing = number_above_zero("spacing", "m", "distance between heights");
constexpr Argument kHeightFile[] = {
    {"file", ArgumentKind::file, "", "rows of heights in metres, one row per line"}, kSpacing};
constexpr Argument kHeights[] = {
    {"columns", ArgumentKind::whole, "", "heights in each row", Range::positive},
    kSpacing,
    {"heights", ArgumentKind::numbers, "m", "row by row, from -z to +z; in a row from -x to +x",
     Range::any, false, 0, "", 4}};

constexpr Argument kBodies[] = {
    {"method", ArgumentKind::word, "",
     "automatic: iterates until the contact laws hold; erleben: the method of the paper, a number "
     "of iterations",
     Range::any, true, 0, "automatic erleben"},
    whole_number("iterations", "iterations of the paper's method; default 10"),
    yes_or_no("shock",
              "whether the paper's method goes through stacks layer by layer; default yes"),
    whole_number("smoothing", "iterations of the paper's method afterwards"),
    whole_number("substeps", "parts of each step; default 1"),
    yes_or_no("sleep", "whether bodies at rest sleep; default yes")};

constexpr auto kVelocityOnly = only(kVelocity);
constexpr auto kSpinOnly = only(kSpin);
constexpr auto kBodyOnly = only(kBody);
constexpr auto kMaterialOnly = only(kMaterial);
constexpr auto kPairOnly = only(kPair);
constexpr auto kTouchesOnly = only(kTouches);
constexpr auto kBeltOnly = only(kBelt);
constexpr auto kCentreOfMassOnly = only(kCentreOfMass);
constexpr auto kMomentsOnly = only(kMoments);
constexpr auto kBoxOnly = only(kBox);
constexpr auto kSphereOnly = only(kSphere);
inline constexpr std::array kCapsules = {Signature(kCapsule), Signature(kCapsuleBetween)};
constexpr auto kCylinderOnly = only(kCylinder);
constexpr auto kConeOnly = only(kCone);
constexpr auto kEllipsoidOnly = only(kEllipsoid);
inline constexpr std::array kHulls = {Signature(kHullPoints), Signature(kMesh)};
constexpr auto kMeshOnly = only(kMovingMesh);
constexpr auto kPlaneOnly = only(kPlane);
constexpr std::array kHeightFields = {Signature(kHeights), Signature(kHeightFile)};
constexpr auto kBodiesOnly = only(kBodies);

} // namespace sinew::charli
