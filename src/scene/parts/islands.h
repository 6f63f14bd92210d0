#pragma once

// What of a scene moves by itself: frames that are known in advance, and islands of rods.

#include "sinew/parts.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace sinew {

/// Frames that tracks and formulas of time alone move: they are the same in every part.
class DrivenFrames {
public:
    explicit DrivenFrames(const Scene& scene);

    /// Whether a frame and all it rides on are known in advance.
    bool is_driven(ObjectId object) const;

private:
    const Scene& scene_;
    std::set<std::uint32_t> free_; ///< bodies, points of strands and of rods
};

/// Rods that constraints join, directly or through other rods.
struct RodIslands {
    /// Why an island cannot be computed apart from all else.
    struct Obstacle {
        const char* why = "";
        const char* hint = "";
    };

    std::vector<std::uint32_t> first;      ///< as Scene::rods: the first rod of its island
    std::vector<const Obstacle*> obstacle; ///< likewise: of the island; null: none
};
RodIslands find_rod_islands(const Scene& scene);

/// By object: the rod of which it is a point; -1: of none.
std::vector<std::uint32_t> rods_of_sites(const Scene& scene);

/// The constraint of rods that a formula asks for by its name; null: it asks for none.
const RodConstraint* constraint_of_leaf(const Scene& scene, const Formula& formula);

/// Takes the rods of other parts out of a scene, with their points and constraints.
void leave_rods_out(Scene& cut, const PartPlan& plan, int part);

} // namespace sinew
