#pragma once

/// Strands against themselves and each other: segments as capsules that touch in a point, and
/// joints that bend no further than they may.

#include "islands/ensemble.h"
#include "models/strand/model.h"

namespace sinew {

/// A segment that may touch other strands or rods.
struct StrandSegment {
    std::uint32_t tree = 0, number = 0; ///< in its tree
    StrandModel::Touchable shape = {};
};

/// All of them, tree by tree.
std::vector<StrandSegment> find_touching_segments(const StrandModel& strands, double time);

/// A segment where it is, and how its ends move.
struct StrandPiece {
    StrandSegment segment = {};
    Vec3 from = {0, 0, 0}, to = {0, 0, 0}; ///< its joint and its tip
    Vec3 from_velocity = {0, 0, 0}, to_velocity = {0, 0, 0};
    Quat turn = {};
};

/// `objects`: where these are at `time`.
std::vector<StrandPiece> place_segments(const StrandModel& strands,
                                        std::span<const StrandSegment> segments, const Scene& scene,
                                        std::span<const Affine> objects, double time,
                                        const ModelState& state);

/// Two points of segments near each other.
struct StrandPair {
    struct Side {
        std::uint32_t tree = 0, segment = 0;
        std::uint32_t piece = 0; ///< among all segments that may touch
        double part = 0;         ///< 0 at its joint, 1 at its tip
        Vec3 site = {0, 0, 0};   ///< there, on its axis
        Quat turn = {};
    };
    AttachmentKey key = {};
    Side a, b;
    Vec3 place = {0, 0, 0};  ///< between the two surfaces
    Vec3 normal = {0, 0, 0}; ///< unit length, from b to a
    double gap = 0;          ///< [m]; negative: overlap
    double thickness = 0;    ///< of both radii [m]
    double friction = 0, bounce = 0;
};

/// A pair where its segments are now, the points nearest to each other: on the side of each other
/// that they were on.
void meet(std::span<const StrandPiece> now, StrandPair& pair);

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

    /// Where all segments that may touch are at `time`, objects being there.
    std::vector<StrandPiece> place(const StrandModel& strands, const Scene& scene,
                                   std::span<const Affine> objects, double time,
                                   const ModelState& state) const
    {
        return place_segments(strands, segments_, scene, objects, time, state);
    }

private:
    bool may_touch(const StrandSegment& a, const StrandSegment& b) const;

    std::vector<StrandSegment> segments_;
    std::vector<AttachmentKey> is_inside_ = {}; ///< keys of pairs that never touch, ascending
};

Attachment make_attachment(const StrandPair& pair);
Attachment make_attachment(const StrandModel::BentJoint& joint);

} // namespace sinew
