#pragma once

#include "scene/reading/equations.h"

#include <optional>
#include <span>
#include <vector>

namespace sinew {

/// What is wrong with a start, in words: constraints far from satisfied or impossible to satisfy,
/// rates that contradict tracks, constraints that others imply, directions that no mass resists,
/// lengths that a track brings to zero, rods drawn to the wrong end.
Problems check_start(const Scene& scene, const Kinematics& kinematics,
                     const std::vector<Equation>& equations,
                     const std::vector<std::uint32_t>& redundant);

/// Directions of motion that no mass resists, at the start and in singular postures.
Problems check_masses(const Scene& scene, const Kinematics& kinematics,
                      const std::vector<Equation>& equations);

/// Lines that change their length with a joint, where a line to the joint itself would not.
Problems check_drawn_rods(const Scene& scene);

/// A value or a constraint that is no finite number at the start: nothing else can be said then.
std::optional<Problem> find_not_finite(const Scene& scene, const Kinematics& kinematics,
                                       const std::vector<Equation>& equations);

/// What makes a start impossible, without what else a reading says.
Problems find_start_errors(const Scene& scene);

Problem circular_positions(const Scene& scene, ObjectId object);

} // namespace sinew
