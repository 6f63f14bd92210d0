// Segments of strands against segments of strands.
//
//   in:  nodes of strands and how they move
//   out: the nearest points of pairs that may touch within the step
//
// Boxes swept over the step are sorted along x and looked through in that order: meant for some
// thousand segments. Crowds of hair are a continuum's matter.

#include "world/contacts/strand_pairs.h"

#include "math/functions.h"
#include "world/constraints/strand_rows.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr double kRootPart = 0.05; // of a root segment: there its base holds it

struct Moving {
    std::uint32_t index = 0;
    Vec3 from, to, low, high;
    Vec3 from_velocity, to_velocity;
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

StrandPairs::StrandPairs(const StrandModel& strands, const StrandSurroundings& around,
                         const ModelState& state)
{
    for (std::uint32_t i = 0; i < strands.tree_count(); ++i) {
        std::uint32_t number = 0;
        for (const StrandModel::Touchable& shape : strands.touchables(i, around.begin)) {
            if (shape.touches)
                segments_.push_back({i, number, shape});
            ++number;
        }
    }
    std::vector<AttachmentKey> inside;
    for (const StrandPair& pair : find(strands, around, state))
        if (pair.gap < 0)
            inside.push_back(pair.key);
    std::ranges::sort(inside);
    is_inside_ = std::move(inside);
}

/// Of one tree those alone that are further apart along it than they are thick.
bool StrandPairs::may_touch(const Segment& a, const Segment& b) const
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
    std::vector<Moving> moving;
    std::vector<PoseMotion> bases;
    strands.base_motions(around.scene, state, around.now, around.begin, bases);
    StrandModel::Nodes nodes;
    for (std::uint32_t i = 0; i < segments_.size(); ++i) {
        const Segment& segment = segments_[i];
        if (i == 0 || segments_[i - 1].tree != segment.tree)
            strands.place_nodes(around.scene, around.begin, state, segment.tree,
                                bases[segment.tree], nodes);
        const std::uint32_t k = segment.number;
        Moving made{i,  nodes.joint[k],          nodes.tip[k],         {},
                    {}, nodes.joint_velocity[k], nodes.tip_velocity[k]};
        const double reach =
            segment.shape.radius + h * max(length(made.from_velocity), length(made.to_velocity));
        for (int axis = 0; axis < 3; ++axis) {
            made.low[axis] = min(made.from[axis], made.to[axis]) - reach;
            made.high[axis] = max(made.from[axis], made.to[axis]) + reach;
        }
        moving.push_back(made);
    }
    std::ranges::sort(moving, {}, [](const Moving& m) { return std::pair(m.low.x, m.index); });
    std::vector<StrandPair> found;
    const auto turn_of = [&](const Segment& segment) {
        const double* q = &state.x[4 * segment.shape.index];
        return Quat{q[0], q[1], q[2], q[3]};
    };
    const auto look = [&](const Moving& one, const Moving& other) {
        const Moving& m = one.index < other.index ? one : other;
        const Moving& n = one.index < other.index ? other : one;
        const Segment &a = segments_[m.index], &b = segments_[n.index];
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
        if (is_root || !(apart > 0) || apart - thick > 2 * h * length(v) + 0.5 * thick ||
            std::ranges::binary_search(is_inside_, key))
            return;
        StrandPair pair{.key = key,
                        .a = {a.tree, a.number, near.s, near.a, turn_of(a)},
                        .b = {b.tree, b.number, near.t, near.b, turn_of(b)},
                        .normal = way / apart,
                        .gap = apart - thick,
                        .friction = sqrt(a.shape.friction * b.shape.friction),
                        .bounce = max(a.shape.bounce, b.shape.bounce)};
        pair.place = near.b + pair.normal * (b.shape.radius + 0.5 * pair.gap);
        found.push_back(pair);
    };
    const auto overlap = [](const Moving& a, const Moving& b, int axis) {
        return a.low[axis] <= b.high[axis] && b.low[axis] <= a.high[axis];
    };
    for (std::size_t i = 0; i < moving.size(); ++i)
        for (std::size_t j = i + 1; j < moving.size() && moving[j].low.x <= moving[i].high.x; ++j)
            if (overlap(moving[i], moving[j], 1) && overlap(moving[i], moving[j], 2))
                look(moving[i], moving[j]);
    std::ranges::sort(found, {}, &StrandPair::key);
    return found;
}

Attachment make_attachment(const StrandPair& pair)
{
    Attachment made;
    made.key = pair.key;
    made.kind = Attachment::Kind::contact;
    made.a = {{kStrands, pair.a.tree}, pair.a.segment, pair.a.part};
    made.b = {{kStrands, pair.b.tree}, pair.b.segment, pair.b.part};
    made.point_a = pair.place - pair.a.site;
    made.point_b = pair.place - pair.b.site;
    made.normal = pair.normal;
    made.axes_a = pair.a.turn;
    made.axes_b = pair.b.turn;
    made.length = pair.gap - dot(pair.normal, pair.a.site - pair.b.site);
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
