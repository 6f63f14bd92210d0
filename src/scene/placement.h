#pragma once

#include "sinew/frame.h"
#include "sinew/scene.h"

#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

/// An object that forces and contacts have put somewhere.
struct PlacedObject {
    ObjectId object;
    Affine place;
};

/// How strongly two objects touch.
struct TouchForce {
    ObjectId a, b;
    double force = 0; ///< [N]
};

/// What is told of one constraint.
struct ConstraintReading {
    Vec3 force = {0, 0, 0}; ///< on its first end [N]
    double tension = 0;     ///< how strongly it pulls its ends together [N]
    double error = 0;       ///< by how much it is violated [m]
};

/// What probes and conditions may ask for besides places.
struct Measurements {
    std::span<const TouchForce> touches = {}; ///< in the last step
    std::span<const Vec3> held = {};          ///< sums of the constraint forces on each object [N]
    std::span<const SectionForce> sections = {}; ///< what rods carry at each object on them
    double kinetic = 0, potential = 0;           ///< [J]
    /// A moment ahead and one back, everything keeping its velocity: coordinates and objects.
    std::span<const double> coordinates_before = {}, coordinates_after = {};
    std::span<const Affine> before = {}, after = {};
    double moment = 0; ///< [s]; 0: rates of values are not known
    /// Of the lists that are asked for, by ConstraintList.
    std::span<const std::vector<ConstraintReading>> constraints = {};
};

/// What is known at one instant.
struct Posture {
    double time = 0;
    std::span<const double> coordinates; ///< as Scene::coordinates
    std::span<const double> imports;     ///< values, as Scene::imports
    std::span<const PlacedObject> placed =
        {};           ///< bodies, points of strands; their own transformations are of the start
    double along = 0; ///< place on a curve, for ramps
    Vec3 here = {0, 0, 0};                  ///< place in the world, for fields
    std::span<const Vec3> nodes = {};       ///< of strands, as in a Frame; none: they are at rest
    std::span<const Quat> segments = {};    ///< likewise
    std::span<const double> rates = {};     ///< of the coordinates; none: they rest
    const Measurements* measured = nullptr; ///< for probes and conditions
};

/// Where every object is at an instant, as Scene::objects. `order`: order_of_frames.
std::vector<Affine> place_objects(const Scene& scene, std::span<const ObjectId> order,
                                  const Posture& posture);

/// The same into what there is, for those who do it often. `marks` is room.
void place_objects(const Scene& scene, std::span<const ObjectId> order, const Posture& posture,
                   std::vector<std::uint32_t>& marks, std::vector<Affine>& objects);

/// A value at an instant; `objects`: place_objects.
double value_at(const Scene& scene, Value value, const Posture& posture,
                std::span<const Affine> objects);

/// What can be seen at an instant but for strands and rods. `order`: order_of_frames, which does
/// not change.
Frame place_frame(const Scene& scene, std::span<const ObjectId> order, const Posture& posture);

/// The same with strands and rods, as the posture has them or as they are drawn.
Frame make_frame(const Scene& scene, std::span<const ObjectId> order, const Posture& posture);

/// How many points a path is drawn by.
std::size_t path_point_count(const Path& path);

/// True when a frame is all it takes to know the value: no coordinate, no rate, no import.
bool is_told_by_frame(const Scene& scene, Value value);

/// Requires is_told_by_frame.
double value_in_frame(const Scene& scene, Value value, const Frame& frame);

/// Appends the points that a path is drawn by, in the world. Requires is_told_by_frame of each of
/// its values.
void add_path_in_frame(const Scene& scene, const Path& path, const Frame& frame,
                       std::vector<Vec3>& out);

/// A vector from its components along the axes of a frame, whose scale changes none.
Vec3 along_axes(const Affine& frame, const Vec3& components);

/// One transformation with the amount given.
Affine make_transformation(TransformationKind kind, double amount);

} // namespace sinew
