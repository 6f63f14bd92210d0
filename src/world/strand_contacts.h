#pragma once

/// Where strands touch bodies: segments as capsules against all shapes, strand by strand.

#include "models/rigid/contacts.h"
#include "models/strand/model.h"
#include "world/ensemble.h"

namespace sinew {

/// A point of a segment near a body.
struct StrandTouch {
    std::uint64_t key = 0;
    std::uint32_t tree = 0, segment = 0, shape = 0, body = 0;
    double part = 0;         ///< where on the segment: 0 at its joint, 1 at its tip
    Vec3 site = {0, 0, 0};   ///< there, on its axis
    Quat turn = {};          ///< of the segment
    Vec3 place = {0, 0, 0};  ///< between the two surfaces
    Vec3 normal = {0, 0, 0}; ///< unit length, away from the body
    Vec3 slip = {0, 0, 0};   ///< how fast the segment moves there against the body [m/s]
    double surge = 0;        ///< by how much that may change at once, for its base does [m/s]
    Vec3 drift = {0, 0, 0};  ///< of the surface, beyond what its body does [m/s]
    double time = 0;         ///< of all this [s]
    double gap = 0;          ///< [m]; negative: overlap
    double friction = 0, bounce = 0;
};

/// What the search needs to know of a step.
struct StrandContactInput {
    const StrandModel& strands;
    const Pile& pile;
    const PileState& bodies;
    const ModelState& state;
    StrandSurroundings around; ///< at its beginning
    int threads = 1;
};

class StrandContacts {
public:
    StrandContacts() = default;

    /// Pairs that overlap by half a radius at the start never touch: roots in a scalp.
    explicit StrandContacts(const StrandContactInput& start);

    bool is_empty() const { return trees_.empty(); }

    /// All that may touch within the step, by trees and their segments.
    std::vector<StrandTouch> find(const StrandContactInput& input) const;

private:
    struct Tree {
        std::uint32_t number = 0;
        std::vector<StrandModel::Touchable> segments = {};
        std::vector<CollisionShape> capsules = {};
    };
    struct Around;

    void find_of_tree(const StrandContactInput& input, const Around& around, const Tree& tree,
                      std::vector<StrandTouch>& found) const;

    std::vector<Tree> trees_;                   ///< that may touch something
    std::vector<std::uint64_t> is_inside_ = {}; ///< pairs that never touch, ascending
};

/// The rows of a touch. With `hadap` friction acts along one direction, that of the slip as it
/// will be under `pull` [m/s].
Attachment make_attachment(const StrandTouch& touch, const PileState& bodies,
                           StrandFriction friction, const Vec3& pull);

/// True for the keys of touches.
bool is_strand_touch(std::uint64_t key);

} // namespace sinew
