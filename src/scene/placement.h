#pragma once

#include "sinew/frame.h"
#include "sinew/scene.h"

#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

/// What is known at one instant.
struct Posture {
    double time = 0;
    std::span<const double> coordinates; ///< as Scene::coordinates
    std::span<const double> imports;     ///< values, as Scene::imports
};

/// What can be seen at an instant. `order`: order_of_frames, which does not change.
Frame make_frame(const Scene& scene, std::span<const ObjectId> order, const Posture& posture);

/// How many points a path is drawn by.
std::size_t path_point_count(const Path& path);

/// True when a frame is all it takes to know the value: no coordinate, no import.
bool is_told_by_frame(const Scene& scene, Value value);

/// Requires is_told_by_frame.
double value_in_frame(const Scene& scene, Value value, const Frame& frame);

/// Appends the points that a path is drawn by, in the world. Requires is_told_by_frame of each of
/// its values.
void add_path_in_frame(const Scene& scene, const Path& path, const Frame& frame,
                       std::vector<Vec3>& out);

/// One transformation with the amount given.
Affine make_transformation(TransformationKind kind, double amount);

} // namespace sinew
