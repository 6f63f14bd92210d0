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
/// is known in advance can be cut, and islands of rods that meet nothing which moves freely; all
/// else is in every part.
struct PartPlan {
    int count = 1;
    std::vector<std::uint32_t> part_of = {};     ///< as Scene::strands: 1 to count; 0: every part
    std::vector<std::size_t> segments = {};      ///< of strands that each part has to itself
    std::size_t shared_segments = 0;             ///< of strands in every part
    std::size_t tree_count = 0;                  ///< that can be cut
    std::vector<std::uint32_t> part_of_rod = {}; ///< as Scene::rods, like part_of
    std::vector<std::size_t> spans = {};         ///< of rods that each part has to itself
    std::size_t shared_spans = 0;                ///< of rods in every part
    std::size_t island_count = 0;                ///< of rods, that can be cut

    /// Why something is in every part.
    struct Reason {
        std::string one, many; ///< "tree", "trees": what it is
        std::string why;       ///< "may touch bodies"
        std::string example;   ///< the first of them
        std::size_t count = 0; ///< how many
        std::string hint = {};
    };
    std::vector<Reason> reasons = {};

    bool can_cut() const { return tree_count + island_count > 0; }
};

/// Whether something that every part computes moves: then the energies of parts do not add up.
bool shares_motion(const Scene& scene, const PartPlan& plan);

/// Parts of nearly the same number of segments and spans each. Requires count ≥ 1 and a scene
/// without faults, but for curves of strands that are counted and not made.
PartPlan plan_parts(const Scene& scene, int count);

/// The scene of one part, 1 to plan.count: the same objects, fewer strands and rods.
Scene cut_scene(Scene scene, const PartPlan& plan, int part);

/// One frame of the whole from those of all parts, which must be of the same instant. Requires one
/// for each part, each with as many nodes as its part has.
Frame join_frames(const Scene& scene, const PartPlan& plan, std::span<const Frame> parts);

} // namespace sinew
