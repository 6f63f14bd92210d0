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
    optional_number("mass", "kg", "of the whole, spread evenly over its shapes", Range::positive,
                    0)};
constexpr Argument kFriction =
    optional_number("friction", "", "tangential by normal force", Range::not_negative, 0.5);
constexpr Argument kBounce = optional_number(
    "bounce", "", "speed after by speed before an impact, 0 to 1", Range::unit_interval, 0);
constexpr Argument kRolling = optional_number(
    "rolling", "m", "resistance to rolling: torque by normal force", Range::not_negative, 0);
constexpr Argument kMaterial[] = {kFriction, kBounce, kRolling};
constexpr Argument kPair[] = {
    {"a", ArgumentKind::object, "", "a body, an obstacle, or an instance with some in it"},
    {"b", ArgumentKind::object, "", "another"},
    kFriction,
    kBounce,
    kRolling};

constexpr Argument kBox[] = {number_above_zero("lx", "m", "side along x"),
                             number_above_zero("ly", "m", "side along y"),
                             number_above_zero("lz", "m", "side along z")};
constexpr Argument kRadius = number_above_zero("radius", "m", "");
constexpr Argument kSphere[] = {kRadius};
constexpr Argument kCapsule[] = {kRadius, number_above_zero("length", "m", "of the straight part")};
constexpr Argument kCylinder[] = {kRadius, number_above_zero("length", "m", "along y")};
constexpr Argument kCone[] = {number_above_zero("radius", "m", "of the foot"),
                              number_above_zero("length", "m", "from foot to tip")};
constexpr Argument kScale =
    optional_number("scale", "", "metres for one unit of the file", Range::positive, 1);
constexpr Argument kMesh[] = {
    {"file", ArgumentKind::file, "", "OBJ, PLY, STL or glTF (.glb), relative to the script"},
    kScale};
constexpr Argument kMovingMesh[] = {
    {"file", ArgumentKind::file, "", "OBJ, PLY, STL or glTF (.glb), relative to the script"},
    kScale,
    {"begin", ArgumentKind::number, "s", "when the animation of a .glb begins", Range::any, true,
     0},
    {"speed", ArgumentKind::number, "", "of the animation", Range::positive, true, 1}};
constexpr Argument kHullPoints[] = {
    {"points", ArgumentKind::points, "m", "x, y, z of each point", Range::any, false, 0, "", 4}};
constexpr Argument kPlane[] = {{"nx", ArgumentKind::number, "", "of the normal"},
                               {"ny", ArgumentKind::number, "", "of the normal"},
                               {"nz", ArgumentKind::number, "", "of the normal"},
                               optional_number("d", "m", "n·x on the plane", Range::any, 0)};
constexpr Argument kSpacing = number_above_zero("spacing", "m", "from one height to the next");
constexpr Argument kHeightFile[] = {
    {"file", ArgumentKind::file, "", "rows of heights in metres, one a line"}, kSpacing};
constexpr Argument kHeights[] = {
    {"columns", ArgumentKind::whole, "", "heights in each row", Range::positive},
    kSpacing,
    {"heights", ArgumentKind::numbers, "m", "row by row, from -z to +z; in a row from -x to +x",
     Range::any, false, 0, "", 4}};

constexpr Argument kBodies[] = {
    {"method", ArgumentKind::word, "",
     "automatic: until the laws of contact hold; erleben: the paper's, a number of iterations",
     Range::any, true, 0, "automatic erleben"},
    whole_number("iterations", "of the paper's method; left out or 0: as many as it takes"),
    yes_or_no("shock", "whether the paper's method goes through stacks layer by layer; yes"),
    whole_number("smoothing", "iterations of the paper's method afterwards"),
    whole_number("substeps", "parts of each step; 1"),
    yes_or_no("sleep", "whether what lies still is left alone; yes")};

constexpr auto kVelocityOnly = only(kVelocity);
constexpr auto kSpinOnly = only(kSpin);
constexpr auto kBodyOnly = only(kBody);
constexpr auto kMaterialOnly = only(kMaterial);
constexpr auto kPairOnly = only(kPair);
constexpr auto kBoxOnly = only(kBox);
constexpr auto kSphereOnly = only(kSphere);
constexpr auto kCapsuleOnly = only(kCapsule);
constexpr auto kCylinderOnly = only(kCylinder);
constexpr auto kConeOnly = only(kCone);
inline constexpr std::array kHulls = {Signature(kHullPoints), Signature(kMesh)};
constexpr auto kMeshOnly = only(kMovingMesh);
constexpr auto kPlaneOnly = only(kPlane);
constexpr std::array kHeightFields = {Signature(kHeights), Signature(kHeightFile)};
constexpr auto kBodiesOnly = only(kBodies);

} // namespace sinew::charli
