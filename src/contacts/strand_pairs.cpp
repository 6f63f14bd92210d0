// Segments of strands against segments of strands.
//
//   in:  nodes of strands and how they move
//   out: the nearest points of pairs that may touch within the step
//
// Boxes swept over the step are sorted along x and looked through in that order: meant for some
// thousand segments. Crowds of hair are a continuum's matter.

#include "contacts/strand_pairs.h"

#include "base/overload.h"
#include "constraints/strand_rows.h"
#include "islands/contact_rows.h"
#include "math/functions.h"
#include "sinew/stop.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr double kRootPart = 0.05; // of a root segment: there its base holds it
constexpr double kNodePart = 0.02; // of a segment: there a node is
constexpr double kStays = 0.02;    // of a segment: no further does a point slide that stays
constexpr double kNear = 0.25;     // of the thickness: what may close a gap besides speed
constexpr Overload kMostSegmentPairs{"pairs of strands' segments near each other", 500'000};

struct Moving {
    std::uint32_t index = 0;
    const StrandPiece* piece = nullptr;
    Vec3 low, high;
};

struct Nearest {
    double s = 0, t = 0; ///< parts of the two
    Vec3 a, b;
};

/// Of two straight pieces.
Nearest nearest_points(const Vec3& p, const Vec3& p_end, const Vec3& q, const Vec3& q_end)
{
    const Vec3 u = p_end - p, v = q_end - q, w = p - q;
    const double a = dot(u, u), b = dot(u, v), c = dot(v, v), d = dot(u, w), e = dot(v, w);
    const double determinant = a * c - b * b;
    const auto clamped = [](double x) { return min(max(x, 0.0), 1.0); };
    double s = determinant > 1e-12 * a * c ? clamped((b * e - c * d) / determinant) : 0.5;
    double t = clamped(c > 0 ? (b * s + e) / c : 0);
    s = clamped(a > 0 ? (b * t - d) / a : 0);
    t = clamped(c > 0 ? (b * s + e) / c : 0);
    return {s, t, p + u * s, q + v * t};
}

} // namespace

std::vector<StrandSegment> find_touching_segments(const StrandModel& strands, double time)
{
    std::vector<StrandSegment> segments;
    for (std::uint32_t i = 0; i < strands.tree_count(); ++i) {
        std::uint32_t number = 0;
        for (const StrandModel::Touchable& shape : strands.touchables(i, time)) {
            if (shape.touches)
                segments.push_back({i, number, shape});
            ++number;
        }
    }
    return segments;
}

std::vector<StrandPiece> place_segments(const StrandModel& strands,
                                        std::span<const StrandSegment> segments, const Scene& scene,
                                        std::span<const Affine> objects, double time,
                                        const ModelState& state)
{
    std::vector<StrandPiece> pieces;
    if (segments.empty())
        return pieces;
    pieces.reserve(segments.size());
    std::vector<PoseMotion> bases;
    strands.base_motions(scene, state, objects, time, bases);
    StrandModel::Nodes nodes;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const StrandSegment& segment = segments[i];
        if (i == 0 || segments[i - 1].tree != segment.tree)
            strands.place_nodes(scene, time, state, segment.tree, bases[segment.tree], nodes);
        const std::uint32_t k = segment.number;
        const double* q = &state.x[4 * segment.shape.index];
        pieces.push_back({.segment = segment,
                          .from = nodes.joint[k],
                          .to = nodes.tip[k],
                          .from_velocity = nodes.joint_velocity[k],
                          .to_velocity = nodes.tip_velocity[k],
                          .turn = {q[0], q[1], q[2], q[3]}});
    }
    return pieces;
}

void meet(std::span<const StrandPiece> now, StrandPair& pair)
{
    constexpr double kLeast = 1e-6; // of the thickness: nearer axes have no direction between them
    const StrandPiece &m = now[pair.a.piece], &n = now[pair.b.piece];
    const Nearest near = nearest_points(m.from, m.to, n.from, n.to);
    const Vec3 way = near.a - near.b;
    const double apart = length(way);
    const bool has_crossed = dot(way, pair.normal) < 0;
    if (apart > kLeast * pair.thickness)
        pair.normal = way / (has_crossed ? -apart : apart);
    pair.gap = (has_crossed ? -apart : apart) - pair.thickness;
    pair.a.part = near.s, pair.a.site = near.a, pair.a.turn = m.turn;
    pair.b.part = near.t, pair.b.site = near.b, pair.b.turn = n.turn;
}

StrandPairs::StrandPairs(const StrandModel& strands, const StrandSurroundings& around,
                         const ModelState& state)
    : segments_(find_touching_segments(strands, around.begin))
{
    std::vector<AttachmentKey> inside;
    for (const StrandPair& pair : find(strands, around, state))
        if (pair.gap < 0)
            inside.push_back(pair.key);
    std::ranges::sort(inside);
    is_inside_ = std::move(inside);
}

/// Of one tree those alone that are further apart along it than they are thick.
bool StrandPairs::may_touch(const StrandSegment& a, const StrandSegment& b) const
{
    if (a.tree != b.tree)
        return true;
    const double apart = (std::max(a.number, b.number) - std::min(a.number, b.number) - 1.0) *
                         min(a.shape.length, b.shape.length);
    return a.shape.parent != int(b.number) && b.shape.parent != int(a.number) &&
           a.shape.parent != b.shape.parent && apart > 2 * (a.shape.radius + b.shape.radius);
}

std::vector<StrandPair> StrandPairs::find(const StrandModel& strands,
                                          const StrandSurroundings& around,
                                          const ModelState& state) const
{
    const double h = around.end - around.begin;
    const std::vector<StrandPiece> pieces =
        place_segments(strands, segments_, around.scene, around.now, around.begin, state);
    const double sudden = 0.5 * length(strand::Gravity(around.scene, around.begin).value) * h * h;
    std::vector<Moving> moving;
    for (std::uint32_t i = 0; i < pieces.size(); ++i) {
        const StrandPiece& piece = pieces[i];
        Moving made{.index = i, .piece = &piece, .low = {}, .high = {}};
        const double radius = piece.segment.shape.radius;
        const double reach = radius + max(0.5 * sudden, kNear * radius) +
                             h * max(length(piece.from_velocity), length(piece.to_velocity));
        for (int axis = 0; axis < 3; ++axis) {
            made.low[axis] = min(piece.from[axis], piece.to[axis]) - reach;
            made.high[axis] = max(piece.from[axis], piece.to[axis]) + reach;
        }
        moving.push_back(made);
    }
    std::ranges::sort(moving, {}, [](const Moving& m) { return std::pair(m.low.x, m.index); });
    std::vector<StrandPair> found;
    // A node is nearest to what the segment before it is as near to.
    const auto is_told = [&](const Moving& m, double part) {
        const StrandSegment& segment = m.piece->segment;
        return part < kNodePart && segment.shape.follows && m.index > 0 &&
               segments_[m.index - 1].tree == segment.tree &&
               int(segments_[m.index - 1].number) == segment.shape.parent;
    };
    const auto look = [&](const Moving& one, const Moving& other) {
        const Moving& first = one.index < other.index ? one : other;
        const Moving& second = one.index < other.index ? other : one;
        const StrandPiece &m = *first.piece, &n = *second.piece;
        const StrandSegment &a = m.segment, &b = n.segment;
        if (!may_touch(a, b))
            return;
        const Nearest near = nearest_points(m.from, m.to, n.from, n.to);
        const bool is_root = (a.shape.parent < 0 && near.s < kRootPart) ||
                             (b.shape.parent < 0 && near.t < kRootPart);
        const Vec3 way = near.a - near.b;
        const double apart = length(way), thick = a.shape.radius + b.shape.radius;
        const Vec3 v = m.from_velocity + (m.to_velocity - m.from_velocity) * near.s -
                       n.from_velocity - (n.to_velocity - n.from_velocity) * near.t;
        const AttachmentKey key = strand_pair_key(a.shape.index, b.shape.index);
        const bool stays = h * length(v) < kStays * min(a.shape.length, b.shape.length);
        if (stays && (is_told(first, near.s) || is_told(second, near.t)))
            return;
        if (is_root || !(apart > 0) || apart - thick > h * length(v) + max(sudden, kNear * thick) ||
            std::ranges::binary_search(is_inside_, key))
            return;
        StrandPair pair{.key = key,
                        .a = {a.tree, a.number, first.index, near.s, near.a, m.turn},
                        .b = {b.tree, b.number, second.index, near.t, near.b, n.turn},
                        .normal = way / apart,
                        .gap = apart - thick,
                        .thickness = thick,
                        .friction = sqrt(a.shape.friction * b.shape.friction),
                        .bounce = max(a.shape.bounce, b.shape.bounce)};
        pair.place = near.b + pair.normal * (b.shape.radius + 0.5 * pair.gap);
        found.push_back(pair);
    };
    const auto overlap = [](const Moving& a, const Moving& b, int axis) {
        return a.low[axis] <= b.high[axis] && b.low[axis] <= a.high[axis];
    };
    for (std::size_t i = 0; i < moving.size() && !is_stopping(); ++i) {
        for (std::size_t j = i + 1; j < moving.size() && moving[j].low.x <= moving[i].high.x; ++j)
            if (overlap(moving[i], moving[j], 1) && overlap(moving[i], moving[j], 2))
                look(moving[i], moving[j]);
        if (is_too_many(found.size(), kMostSegmentPairs))
            return {};
    }
    std::ranges::sort(found, {}, &StrandPair::key);
    return found;
}

Attachment make_attachment(const StrandPair& pair)
{
    const auto side_of = [](const StrandPair::Side& side) {
        return ContactSide{{{kStrands, side.tree}, side.segment, side.part}, side.site, side.turn};
    };
    Attachment made =
        make_contact(pair.key, side_of(pair.a), side_of(pair.b), pair.place, pair.normal, pair.gap);
    made.friction = pair.friction;
    made.restitution = pair.bounce;
    return made;
}

Attachment make_attachment(const StrandModel::BentJoint& joint)
{
    const Vec3 y = rotate(joint.parent_turn, Vec3{0, 1, 0});
    const Quat before = rotation_quat(Mat3{joint.axis, y, cross(joint.axis, y)});
    Attachment made;
    made.key = strand_joint_key(joint.tree, joint.segment);
    made.kind = Attachment::Kind::limit;
    made.a = {{kStrands, joint.tree}, joint.segment, 0};
    made.b = {{kStrands, joint.tree}, joint.parent, 1};
    made.axes_b = conjugate(joint.parent_turn) * before;
    made.axes_a = conjugate(joint.turn) * (rotation_about(joint.axis, joint.angle) * before);
    made.length = joint.most;
    made.last = joint.angle;
    made.side = -1;
    return made;
}

} // namespace sinew
