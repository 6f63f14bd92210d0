#pragma once

// Which objects the scene of a part has.

#include "sinew/parts.h"

namespace sinew {

/// Numbers in Scene::objects, rising: all but the instances of trees that other parts compute and
/// that nothing else names.
std::vector<std::uint32_t> objects_of_part(const Scene& scene, const PartPlan& plan, int part);

/// As Scene::rod_constraints: the rod that each holds, of those that it holds the first.
std::vector<std::uint32_t> rods_of_constraints(const Scene& scene);

/// As join_frames of sinew/parts.h, for those who join many: with objects_of_part of each part.
Frame join_frames(const Scene& scene, const PartPlan& plan,
                  std::span<const std::vector<std::uint32_t>> objects,
                  std::span<const Frame> parts);

} // namespace sinew
