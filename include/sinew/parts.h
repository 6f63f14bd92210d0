#pragma once

// A shot in parts: what nothing else influences is computed apart, on another machine, with exactly
// the bits it has in the whole; the parts' frames are put together again.

#include "sinew/frame.h"
#include "sinew/scene.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sinew {

/// Which part computes what. Trees of strands that touch nothing, hold nothing and stand on what
/// is known in advance can be cut; all else is in every part.
struct PartPlan {
    int count = 1;
    std::vector<std::uint32_t> part_of = {}; ///< as Scene::strands: 1 to count; 0: every part
    std::vector<std::size_t> segments = {};  ///< of strands that each part has to itself
    std::size_t shared_segments = 0;         ///< of strands in every part
    std::size_t tree_count = 0;              ///< that can be cut

    /// Why something is in every part.
    struct Reason {
        std::string why;       ///< "may touch bodies"
        std::string example;   ///< the first of them
        std::size_t count = 0; ///< how many
        std::string hint = {};
    };
    std::vector<Reason> reasons = {};

    bool can_cut() const { return tree_count > 0; }
};

/// Parts of nearly the same number of segments each. Requires count ≥ 1 and a valid scene.
PartPlan plan_parts(const Scene& scene, int count);

/// The scene of one part, 1 to plan.count: the same objects, fewer strands.
Scene cut_scene(const Scene& scene, const PartPlan& plan, int part);

/// One frame of the whole from those of all parts, which must be of the same instant. Requires one
/// for each part, each with as many nodes as its part has.
Frame join_frames(const Scene& scene, const PartPlan& plan, std::span<const Frame> parts);

} // namespace sinew
