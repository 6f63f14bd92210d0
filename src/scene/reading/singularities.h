#pragma once

#include "scene/reading/equations.h"

#include <optional>
#include <span>
#include <vector>

namespace sinew {

/// Directions of motion, one number for each coordinate, that no mass resists in a posture: where
/// M + JᵀJ, scaled to a unit diagonal, resists less than `tolerance`. At most `most` of them.
std::vector<std::vector<double>> find_free_directions(const Scene& scene,
                                                      const Kinematics& kinematics,
                                                      const std::vector<Equation>& equations,
                                                      double tolerance, int most);

/// They move nothing, which is said elsewhere.
std::vector<std::uint32_t> coordinates_in_no_transformation(const Scene& scene,
                                                            const Kinematics& kinematics);

/// The object without mass that a direction (one number for each coordinate) moves most: those that
/// the script mentions come first.
std::optional<ObjectId> find_massless(const Scene& scene, const Kinematics& kinematics,
                                      std::span<const double> direction);

/// What a free direction means: an object without mass, coordinates that move the same thing in
/// every posture, or axes that have come to coincide in this one. `when` begins the sentence.
Problem describe_free_direction(const Scene& scene, const Kinematics& kinematics,
                                std::span<const double> direction, const std::string& when);

/// Postures in which nothing resists some motion, although it does elsewhere: every rotation is
/// looked at where it is 0, 90 and 180 degrees [PHYS: for the double pendulum of HerrWyvill90, fig.
/// 14, det M = L⁴ m₁ (m₀ + m₁ sin²θ₁)]. Warnings, and notes where axes coincide.
Problems find_singular_postures(const Scene& scene);

/// The same near one posture, for a motion that cannot go on there. None: it is something else.
std::optional<Problem> find_singularity_near(const Scene& scene, std::span<const double> posture,
                                             double time);

} // namespace sinew
