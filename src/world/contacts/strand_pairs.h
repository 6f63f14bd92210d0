#pragma once

/// Strands against themselves and each other: segments as capsules that touch in a point, and
/// joints that bend no further than they may.

#include "models/strand/model.h"
#include "world/rows/ensemble.h"

namespace sinew {

/// Two points of segments near each other.
struct StrandPair {
    struct Side {
        std::uint32_t tree = 0, segment = 0;
        double part = 0;       ///< 0 at its joint, 1 at its tip
        Vec3 site = {0, 0, 0}; ///< there, on its axis
        Quat turn = {};
    };
    AttachmentKey key = {};
    Side a, b;
    Vec3 place = {0, 0, 0};  ///< between the two surfaces
    Vec3 normal = {0, 0, 0}; ///< unit length, from b to a
    double gap = 0;          ///< [m]; negative: overlap
    double friction = 0, bounce = 0;
};

class StrandPairs {
public:
    StrandPairs() = default;

    /// Pairs that overlap at the start, as neighbours at a root do, never touch.
    StrandPairs(const StrandModel& strands, const StrandSurroundings& around,
                const ModelState& state);

    bool is_empty() const { return segments_.empty(); }

    /// All that may touch within the step, in the order of their segments.
    std::vector<StrandPair> find(const StrandModel& strands, const StrandSurroundings& around,
                                 const ModelState& state) const;

private:
    struct Segment {
        std::uint32_t tree = 0, number = 0;
        StrandModel::Touchable shape = {};
    };
    bool may_touch(const Segment& a, const Segment& b) const;

    std::vector<Segment> segments_;
    std::vector<AttachmentKey> is_inside_ = {}; ///< keys of pairs that never touch, ascending
};

Attachment make_attachment(const StrandPair& pair);
Attachment make_attachment(const StrandModel::BentJoint& joint);

} // namespace sinew
