#pragma once

/// A body that turns on one of its corners, as a top does: while the corner sticks the contact is a
/// ball joint, whose step is of second order (swings.h).

#include "models/rigid/joints/joints.h"

namespace sinew {

constexpr std::uint32_t kTipJoint = 0xffffffff; ///< JointRows::joint of what is no joint of a pile

struct Tip {
    JointModel joint;
    std::size_t point = 0; ///< of the patch
    JointRows rows;        ///< with the impulse of the contact
};

/// False where the contact is of another kind: it does not stick, is no corner of a free body on
/// what stands still, or that body hardly turns.
bool make_tip(const Pile& pile, const PileState& state, const ContactState& contact,
              const Patch& patch, const StepLengths& lengths, Tip& tip);

/// Gives the impulse of the joint back to the contact. False, and nothing is changed, where it
/// would have pulled or slipped, or where the body at `end` stands on something else.
bool take_tip(const Pile& pile, const ContactState& contact, const BodyState& end, const Tip& tip,
              Patch& patch);

} // namespace sinew
