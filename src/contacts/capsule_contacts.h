#pragma once

/// Capsules of physical models against shapes of bodies, and against capsules of anything.

#include "constraints/coupling.h"
#include "contacts/capsules.h"
#include "islands/ensemble.h"
#include "models/rigid/pile.h"

#include <functional>
#include <vector>

namespace sinew {

/// Where a model is tied to something: near there the two pass through each other.
struct CapsuleTie {
    BlockId own = {}, other = {};
    Vec3 place = {0, 0, 0};
};

/// What the search needs to know of a step.
struct CapsuleContactInput {
    /// The models' capsules, then those of strands and rods: the same ones in every step.
    std::span<const ContactCapsule> capsules;
    std::size_t own = 0; ///< how many are the models'
    std::span<const CapsuleTie> ties;
    const Pile& pile;
    const PileState& bodies;
    const Coupling& coupling;
    double time = 0;    ///< at the beginning [s]
    double h = 0;       ///< length of the step [s]
    double gravity = 0; ///< |g| [m/s²]
    /// Where a site of a curved capsule is: one with ContactCapsule::is_chord.
    std::function<Pose(const Site&)> locate = {};
};

/// Contacts of one step as rows, and the free bodies that they touch.
struct CapsuleContactsFound {
    std::vector<Attachment> rows;
    std::vector<std::uint32_t> bodies;
};

class CapsuleContacts {
public:
    CapsuleContacts() = default;

    /// Pairs that overlap by half a radius at the start never touch: what crosses as drawn.
    explicit CapsuleContacts(const CapsuleContactInput& start);

    CapsuleContactsFound find(const CapsuleContactInput& input) const;

private:
    void find_on_bodies(const CapsuleContactInput& input, CapsuleContactsFound& found) const;
    void find_on_capsules(const CapsuleContactInput& input, CapsuleContactsFound& found) const;
    bool is_inside(AttachmentKey pair) const;

    std::vector<AttachmentKey> is_inside_ = {}; ///< pairs that never touch, ascending
};

} // namespace sinew
