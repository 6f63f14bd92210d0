#pragma once

#include "models/rigid/lengths.h"
#include "models/rigid/pile.h"

namespace sinew {

/// What the search for contacts needs besides the state: a function of it.
struct ContactWork {
    BroadPhase grid;
    std::vector<Pair> pairs;
    std::vector<char> is_fixed; ///< of the shapes
    std::vector<Placed> placed; ///< of the shapes, now
    std::vector<ContactState> next;
    bool are_pairs_known = false;
    std::vector<char> has_patch; ///< of each contact: its patch is that of its manifold
    std::vector<char> next_has_patch;
    std::shared_ptr<CollideScratch> scratch = make_collide_scratch();
    std::vector<SubManifold> found; ///< of the present pair
};

/// Where a body's shapes are.
void place_shapes(const Pile& pile, const std::vector<BodyState>& bodies,
                  std::vector<Placed>& placed);

/// Contacts of the present poses, impulses taken over from those of the step before.
void update_contacts(const Pile& pile, int threads, const StepLengths& lengths, PileState& state,
                     ContactWork& work);

/// Gaps of the present poses, points as they are, or carried along by surfaces that moved for a
/// time h.
void refresh_gaps(const Pile& pile, int threads, double h, PileState& state, ContactWork& work);

} // namespace sinew
