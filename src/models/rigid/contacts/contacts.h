#pragma once

#include "models/rigid/lengths.h"
#include "models/rigid/pile.h"

namespace sinew {

/// Shapes of one body that the search for pairs takes as one.
struct ShapeGroup {
    std::uint32_t body = 0, first = 0, count = 0;
};

/// What the search for contacts needs besides the state: a function of it.
struct ContactWork {
    BroadPhase grid;
    std::vector<ShapeGroup> groups;       ///< ascending
    std::vector<Box> group_boxes;         ///< around those of their shapes
    std::vector<char> is_fixed;           ///< of the groups
    std::vector<Pair> group_pairs, pairs; ///< that are near, of groups and of shapes
    std::vector<std::vector<Pair>> found; ///< by portions of the pairs of groups
    std::vector<char> has_left;           ///< by portions of the shapes: one left its box
    std::vector<Placed> placed;           ///< of the shapes, now
    std::vector<ContactState> next;
    struct Source {
        Pair shapes;
        std::uint32_t contact = 0; ///< that it was
    };
    std::vector<Source> source; ///< of `next`
    bool are_pairs_known = false;
    std::vector<char> has_patch; ///< of each contact: its patch is that of its manifold
    std::vector<char> next_has_patch;
    std::shared_ptr<CollideScratch> scratch = make_collide_scratch();
    std::vector<SubManifold> patches; ///< of the present pair
};

/// Where a body's shapes are.
void place_shapes(const Pile& pile, const std::vector<BodyState>& bodies, int threads,
                  std::vector<Placed>& placed);

/// Contacts of the present poses, impulses taken over from those of the step before.
void update_contacts(const Pile& pile, int threads, const StepLengths& lengths, PileState& state,
                     ContactWork& work);

/// Gaps of the present poses, points as they are, or carried along by surfaces that moved for a
/// time h.
void refresh_gaps(const Pile& pile, int threads, double h, PileState& state, ContactWork& work);

} // namespace sinew
