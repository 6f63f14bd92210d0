#pragma once

/// What holds rods, as rows.

#include "constraints/constraint_state.h"
#include "constraints/targets.h"
#include "models/rod/dynamics.h"
#include "scene/kinematics.h"
#include "scene/placement.h"

#include <memory>
#include <optional>
#include <vector>

namespace sinew {

/// True for wheels that a rod runs round or is wound on.
inline bool is_wheel(const RodConstraint& c)
{
    return c.kind == RodConstraintKind::pulley || c.kind == RodConstraintKind::winch;
}

/// True for what finds its own place along a rod: keyholes, pearls, wheels.
inline bool is_sliding(const RodConstraint& c)
{
    return c.kind == RodConstraintKind::keyhole || c.kind == RodConstraintKind::pearl ||
           is_wheel(c);
}

/// True for what slides and has come to where it stays for good.
inline bool is_clamped(const RodConstraint& c, const RodLinkState& state)
{
    return c.end == RodEnd::clamp && (state.u <= c.low || state.u >= c.high);
}

/// The rod site that an object is or rides on, with its frame there.
std::optional<std::pair<std::uint32_t, Affine>> find_rod_site(const Scene& scene, ObjectId object);

/// Where an end of a constraint is.
struct HeldEnd {
    Site site = {};                         ///< of a rod, a body, a linkage; else the ground
    Pose in_site = {};                      ///< the object's frame in the site's
    ObjectId object = {};                   ///< on the ground: where that is at the moment
    std::optional<std::uint32_t> body = {}; ///< or obstacle that it is on
};

/// A RodConstraint between models.
struct RodLink {
    HeldEnd a, b;
    Quat turn = {};                    ///< of a fusion that is fixed: of a's frame in b's
    bool is_hinge = false;             ///< of such a fusion: of a chain, which bends there freely
    GuideCurve curve = {};             ///< of a trajectory, as it is now
    Vec3 start = {0, 0, 0};            ///< of a, when the world begins
    Vec3 anchor = {0, 0, 0};           ///< where b is when the step ends, if no model moves it
    std::optional<Target> target = {}; ///< that place, where tracks alone move it
    bool is_eye = false;               ///< what slides is an eye: see EyePath
    bool is_threaded = false;          ///< in this step
    GroundMotion ground = {};          ///< of an eye on the ground, in this step
    double feed = 0;  ///< of an eye that the rope is drawn through: its speed; of a winch [m/s]
    double pull = 0;  ///< of a winch with a torque: its tension [N]
    double sense = 1; ///< of a wheel: see EyePass
    Vec3 axis = {0, 0, 1}; ///< of a wheel: in the frame of its site; of the ground, at the end
};

/// Velocities of a place at the two ends of a step, as tracks move it.
struct HeldRates {
    Vec3 now = {0, 0, 0}, then = {0, 0, 0};           ///< [m/s]
    Vec3 now_spin = {0, 0, 0}, then_spin = {0, 0, 0}; ///< [rad/s]
};

/// Where a constraint is held at the two ends of a step.
struct HeldPlace {
    Vec3 now = {0, 0, 0}, then = {0, 0, 0};
    Quat now_turn = {}, then_turn = {};
    std::optional<HeldRates> rates = {}; ///< none: it moves evenly from one to the other
};

/// A scene at one of the two ends of a step.
struct RodInstant {
    const Scene& scene;
    const Posture& posture;
    const std::vector<Affine>& objects;

    double number(Value value) const { return value_at(scene, value, posture, objects); }
    Vec3 point(const Path& path, std::uint32_t i) const
    {
        const auto at = [&](std::uint32_t k) {
            return number(scene.values[path.points.first + 3 * i + k]);
        };
        return apply(objects[path.frame.index], Vec3{at(0), at(1), at(2)});
    }
};

/// What the rows of a constraint are made from.
struct RodLinkInput {
    const RodConstraint& constraint;
    const RodLink& link;
    const RodLinkState& state;
    AttachmentKey key = {};     ///< kRodKeys from it on are its own
    double begin = 0, end = 0;  ///< of the step [s]
    HeldPlace place = {};       ///< of b where that is the ground
    Vec3 direction = {0, 0, 0}; ///< world axes, at the end; of an axis too
    double distance = 0, distance_now = 0, slide = 0, stiffness = 0, damping = 0;
    /// Of a distance that comes to zero: which way a lies from b, world axes; how b's site is
    /// turned.
    std::optional<Vec3> way = {};
    Quat turn_b = {};
    double length_per_u = 1; ///< of the rod that it slides on, there [m]
    bool is_closing = false; ///< what slides is being brought to its rod: held at one place there
};

/// Spans of a rod that run through eyes.
struct EyeSpan {
    std::uint32_t rod = 0, span = 0, count = 1; ///< from the span `span` on
    double span_length = 0;                     ///< at rest, of each [m]
    EyePath path = {};

    /// Where a node is along the path, as a share of it.
    double share_of(std::uint32_t node) const
    {
        return ((node - span) * span_length - path.before) / path.length;
    }
    /// The same the other way round: spans from the first point of the rod.
    double spans_at(double share) const
    {
        return span + (path.before + share * path.length) / span_length;
    }
};

/// Keys of the rows of an eye.
enum EyeKeyPart : std::uint64_t { tension_part, friction_part, viscous_part, feed_part };

/// Velocity of an eye at a point in its frame.
inline Vec3 rate_of(const SiteMotion& motion, const Vec3& point)
{
    return velocity_at(motion.twist, apply_to_point(motion.pose, point) - motion.pose.translation);
}

/// The first three numbers of a node.
inline Vec3 node_of(std::span<const double> numbers, std::size_t node)
{
    return {numbers[4 * node], numbers[4 * node + 1], numbers[4 * node + 2]};
}

constexpr std::uint64_t kRodKeys = 8;
constexpr std::uint64_t kClosingKey = 6; ///< of these: what holds while it is being closed

/// Constraints that do not hold from the start on remember when and how far open they began:
/// ConstraintState::rod_eases, kGroups for each such constraint.
struct RodEases {
    static constexpr std::size_t kGroups = 2; ///< of rows: no constraint has more
    static constexpr std::uint32_t kNone = 0xffffffff;

    std::vector<std::uint32_t> of_link = {}; ///< as Scene::rod_constraints: number of its memory
    std::vector<Ease> now = {};              ///< kGroups each, in this step
};

void add_rod_rows(const RodLinkInput& input, std::vector<Attachment>& attachments);

/// How the place on the ground that a constraint holds to moves in the step.
GroundMotion ground_of(const RodLinkInput& input);

/// How fast a rod is drawn through a hole: it comes to a stop and not beyond. A row that pushes
/// back from there would contradict the one that draws.
double speed_to_stops(const RodLinkInput& input);

bool is_finite_curve(const GuideCurve& guide);

/// What of a constraint is no finite number, in a word; null where all is.
const char* find_not_finite(const RodLinkInput& input, const RodInstant& end);

/// The parameter of the point of a guide that is nearest to x, wherever on the curve.
double find_parameter(const GuideCurve& guide, const Vec3& x);

} // namespace sinew
