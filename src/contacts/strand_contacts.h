#pragma once

/// Where strands touch bodies: segments as capsules against all shapes, strand by strand.

#include "contacts/strand_inside.h"
#include "islands/ensemble.h"
#include "models/rigid/contacts/contacts.h"
#include "models/rigid/model.h"
#include "models/strand/model.h"

#include <memory>
#include <optional>

namespace sinew {

/// A point of a segment near a body.
struct StrandTouch {
    AttachmentKey key = {};
    std::uint32_t tree = 0, segment = 0, shape = 0, body = 0;
    double part = 0;               ///< where on the segment: 0 at its joint, 1 at its tip
    Vec3 site = {0, 0, 0};         ///< there, on its axis
    Quat turn = {};                ///< of the segment
    Vec3 place = {0, 0, 0};        ///< between the two surfaces
    Vec3 normal = {0, 0, 0};       ///< unit length, away from the body
    Vec3 slip = {0, 0, 0};         ///< how fast the segment moves there against the body [m/s]
    double surge = 0;              ///< by how much that may change at once, for its base does [m/s]
    Vec3 drift = {0, 0, 0};        ///< of the surface, beyond what its body does [m/s]
    double time = 0;               ///< of all this [s]
    double gap = 0;                ///< [m]; negative: overlap beyond what is allowed
    double allowed = 0;            ///< depth that is allowed, where it eases out [m]
    double radius = 0, length = 0; ///< of the segment [m]
    double friction = 0, bounce = 0;
    bool is_own = false; ///< the body is what the tree stands on: no rows push it

    static constexpr std::uint32_t kNone = 0xffffffff;
    std::uint32_t pair = kNone; ///< of strands that touch each other; none: it touches a body
    bool is_second = false;     ///< the other side of the pair

    bool is_mutual() const { return pair != kNone; }
};

/// A segment in a shape.
struct StrandOverlap {
    AttachmentKey pair = {};
    std::uint32_t tree = 0, segment = 0, shape = 0, body = 0;
    double depth = 0; ///< [m]
};

/// Strands that are in something when a step ends take it again, with the planes that touch there.
struct DeepStrands {
    static constexpr double kDepth = 2e-3; ///< of a segment: deeper, and the step is taken again
    static constexpr int kMostLooks = 4;
};

/// The touch of a pair that a later one takes the place of, in a span ascending by trees; none: it
/// is one more, and has a key of its own then.
StrandTouch* find_same(std::span<StrandTouch> touches, StrandTouch& later);

/// What the search needs to know of a step.
struct StrandContactInput {
    const StrandModel& strands;
    const Pile& pile;
    const PileState& bodies;
    const ModelState& state;
    StrandSurroundings around; ///< at its beginning
    std::span<const InsidePair> inside;
    int threads = 1;
    std::span<const char> left_out = {}; ///< by tree; none: all are looked at

    /// What was found when the step began: of that, what overlaps now, not what may come to, of
    /// trees in which something is deeper than a share `depth` of its segment.
    std::optional<std::span<const StrandTouch>> known = {};
    double depth = 0;
    bool finds_overlaps = false; ///< and nothing else
};

/// Memory kept from search to search, and nothing else.
struct StrandSearch {
    struct Portion {
        StrandModel::Nodes nodes;
        std::vector<double> speed, sudden; ///< of segments [m/s], and by how much it may change
        std::vector<Box> boxes;            ///< that they may be in
        std::shared_ptr<CollideScratch> collide = make_collide_scratch();
        std::vector<SubManifold> manifolds;
        std::vector<StrandTouch> found;
        std::vector<InsidePair> inside;
        std::vector<StrandOverlap> overlaps;
    };
    std::vector<Portion> portions;
    std::vector<PoseMotion> now, then; ///< of the bases
    std::vector<StrandTouch> found;
    std::vector<InsidePair> inside; ///< of those given, what is still inside, as the step ends
};

class StrandContacts {
public:
    StrandContacts() = default;

    /// `can_lead`: by tree, those that pull at the body they stand on without rows; none: no tree.
    StrandContacts(const StrandModel& strands, const RigidModel& rigid,
                   std::span<const char> can_lead, double time);

    bool is_empty() const { return trees_.empty(); }

    /// All that may touch within the step, by trees and their segments: in `search.found`.
    void find(const StrandContactInput& input, StrandSearch& search) const;

    /// A tree that is tied to a body there passes through it at that segment and its neighbours.
    void pass_through(std::uint32_t tree, std::uint32_t segment, std::uint32_t body);

    /// By tree: whether nothing is where it was, is now, or came by on a short way between. A plane
    /// is everywhere.
    std::vector<char> find_clear(const StrandContactInput& input, const ModelState& before) const;

    /// Pairs that overlap by more than half a radius, by trees, shapes and segments: a hair may lie
    /// on a head.
    std::vector<StrandOverlap> find_overlaps(const StrandContactInput& input) const;

    /// What is known of such pairs when the scene begins, ascending. Rooted are those that hang
    /// together from the root on, as far as a tenth of the strand or twice the root's depth.
    std::vector<InsidePair> make_inside(std::span<const StrandOverlap> overlaps) const;

private:
    struct Passage {
        std::uint32_t segment = 0, body = 0;
    };
    struct Tree {
        std::uint32_t number = 0;
        std::vector<StrandModel::Touchable> segments = {};
        std::vector<CollisionShape> capsules = {};
        std::optional<std::uint32_t> carrier = {}; ///< the body that it stands on
        std::vector<Passage> passages = {};

        bool passes(std::uint32_t segment, std::uint32_t body) const;
    };
    struct Around;

    const Tree& tree_of(std::uint32_t number) const;
    void make_inside(std::span<const StrandOverlap> of_shape,
                     std::vector<InsidePair>& inside) const;
    bool is_at_rooted_node(const StrandContactInput& input, const Tree& tree, std::uint32_t segment,
                           std::uint32_t shape) const;

    static Tree as_long_as(const StrandModel::Nodes& nodes, Tree tree);
    void find_of_tree(const StrandContactInput& input, const Around& around, const Tree& tree,
                      StrandSearch::Portion& room) const;
    static bool is_deep(const StrandContactInput& input, const Around& around,
                        const StrandTouch& touch, const StrandModel::Nodes& nodes);
    static bool is_slow(const Tree& tree, const StrandModel::Nodes& nodes, double h);
    void find_known(const StrandContactInput& input, const Around& around, const Tree& tree,
                    StrandSearch::Portion& room) const;
    void find_near(const StrandContactInput& input, const Around& around, const Tree& tree,
                   StrandSearch::Portion& room) const;
    static bool take_inside(const StrandContactInput& input, StrandTouch& touch,
                            StrandSearch::Portion& room);
    void add_points(const StrandContactInput& input, const Around& around, const Tree& tree,
                    StrandTouch touch, StrandSearch::Portion& room) const;
    void find_pair(const StrandContactInput& input, const Around& around, const Tree& tree,
                   std::uint32_t segment, std::uint32_t shape, StrandSearch::Portion& room) const;

    std::vector<Tree> trees_; ///< that may touch something, ascending
};

/// The rows of a touch. With `hadap` friction acts along one direction, that of the slip as it
/// will be under `pull` [m/s].
Attachment make_attachment(const StrandTouch& touch, const PileState& bodies,
                           StrandFriction friction, const Vec3& pull);

} // namespace sinew
