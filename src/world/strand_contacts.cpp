// Segments of strands against shapes of bodies.
//
//   in:  nodes of strands and how they move, placed shapes and how they move
//   out: points that may touch within the step, by strand, segment, shape
//
// Strands do not know of each other here: the work is proportional to strands times shapes, and
// contacts of different strands with what is driven share no rows.

#include "world/strand_contacts.h"

#include "base/parallel.h"
#include "math/functions.h"
#include "models/rigid/surfaces.h"
#include "world/coupling.h"
#include "world/row_geometry.h"
#include "world/strand_rows.h"

#include <algorithm>
#include <limits>

namespace sinew {

namespace {

constexpr std::uint64_t kFirstTouch = std::uint64_t(6) << 60;
constexpr int kMostPoints = 64;    // of a segment on a shape: numbers of keys
constexpr double kRootPart = 0.05; // of a root segment: there its base holds it
constexpr double kNodePart = 0.02; // of a segment: there a node is
constexpr double kNear = 6;        // of |g| h²: what may close a gap besides speed

std::uint64_t pair_key(std::size_t segment, std::uint32_t shape)
{
    return (std::uint64_t(segment) << 30) | (std::uint64_t(shape) << 6);
}

Box swept(const Vec3& a, const Vec3& b, double reach)
{
    const Vec3 r{reach, reach, reach};
    return {Vec3{min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)} - r,
            Vec3{max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)} + r};
}

void grow(Box& box, const Box& by)
{
    for (int k = 0; k < 3; ++k) {
        box.low[k] = min(box.low[k], by.low[k]);
        box.high[k] = max(box.high[k], by.high[k]);
    }
}

} // namespace

/// Shapes where they are when the step begins.
struct StrandContacts::Around {
    std::vector<Placed> placed;
    std::vector<Box> boxes;     ///< of the shapes; of planes everything
    std::vector<double> speeds; ///< of their fastest points [m/s]
    double unit = 0;            ///< |g| h²

    Around(const StrandContactInput& input, double h)
    {
        place_shapes(input.pile, input.bodies.bodies, placed);
        unit = max(length(input.pile.gravity), 0.1) * h * h;
        for (std::size_t i = 0; i < placed.size(); ++i) {
            const BodyState& body = input.bodies.bodies[input.pile.shapes[i].body];
            const double size = placed[i].shape->bounding_radius;
            const bool is_plane = placed[i].shape->kind == CollisionKind::plane;
            const double far = is_plane ? 0 : size + length(placed[i].x - body.x);
            const double own = placed[i].shape->mesh ? placed[i].shape->mesh->speed : 0;
            speeds.push_back(length(body.v) + length(body.w) * far + own);
            const Vec3 half = is_plane ? Vec3{1e30, 1e30, 1e30} : extent_of(placed[i]);
            boxes.push_back({placed[i].x - half, placed[i].x + half});
        }
    }
};

StrandContacts::StrandContacts(const StrandContactInput& start)
{
    for (std::uint32_t i = 0; i < start.strands.tree_count(); ++i) {
        Tree tree{.number = i, .segments = start.strands.touchables(i, start.around.begin)};
        if (std::ranges::none_of(tree.segments,
                                 [](const StrandModel::Touchable& s) { return s.touches; }))
            continue;
        for (const StrandModel::Touchable& s : tree.segments)
            tree.capsules.push_back(make_capsule(s.radius, s.length));
        trees_.push_back(std::move(tree));
    }
    constexpr double kDeep = 0.5; // of the radius: a hair may lie on a head, and stand in it
    std::vector<std::uint64_t> inside;
    for (const StrandTouch& touch : find(start)) {
        const std::vector<StrandModel::Touchable> segments =
            start.strands.touchables(touch.tree, start.around.begin);
        if (touch.gap < -kDeep * segments[touch.segment].radius)
            inside.push_back(touch.key & ~std::uint64_t(kMostPoints - 1));
    }
    std::ranges::sort(inside);
    is_inside_ = std::move(inside);
}

std::vector<StrandTouch> StrandContacts::find(const StrandContactInput& input) const
{
    const Around around(input, input.around.end - input.around.begin);
    std::vector<std::vector<StrandTouch>> by_tree(trees_.size());
    for_each_index(trees_.size(), input.threads,
                   [&](std::size_t i) { find_of_tree(input, around, trees_[i], by_tree[i]); });
    std::vector<StrandTouch> all;
    for (const std::vector<StrandTouch>& found : by_tree)
        all.insert(all.end(), found.begin(), found.end());
    return all;
}

namespace {

/// Whether a node's contact is told by the segment before it.
bool is_told(const std::vector<StrandTouch>& found, std::uint32_t parent, std::uint32_t shape)
{
    return std::ranges::any_of(found, [&](const StrandTouch& touch) {
        return touch.segment == parent && touch.shape == shape && touch.part > 1 - kNodePart;
    });
}

} // namespace

void StrandContacts::find_of_tree(const StrandContactInput& input, const Around& around,
                                  const Tree& tree, std::vector<StrandTouch>& found) const
{
    const double h = input.around.end - input.around.begin;
    const StrandModel::Nodes nodes = input.strands.nodes_at(input.around, input.state, tree.number);
    const std::size_t count = tree.segments.size();
    const StrandModel::Surge surge = input.strands.surge_of(input.around, tree.number);
    std::vector<double> speed(count), sudden(count);
    std::vector<Box> boxes(count);
    Box all{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
    for (std::size_t k = 0; k < count; ++k) {
        sudden[k] = surge.here + surge.turning * (length(nodes.tip[k] - nodes.joint[0]) +
                                                  tree.segments[k].length);
        speed[k] = max(length(nodes.joint_velocity[k]), length(nodes.tip_velocity[k])) + sudden[k];
        boxes[k] = swept(nodes.joint[k], nodes.tip[k], tree.segments[k].radius + speed[k] * h);
        grow(all, boxes[k]);
    }
    const std::shared_ptr<CollideScratch> scratch = make_collide_scratch();
    std::vector<SubManifold> manifolds;
    for (std::uint32_t s = 0; s < around.placed.size(); ++s) {
        const double reach = around.speeds[s] * h + 20 * around.unit;
        const Vec3 r{reach, reach, reach};
        const Box near{around.boxes[s].low - r, around.boxes[s].high + r};
        if (!do_overlap(all, near))
            continue;
        const BodyShape& shape = input.pile.shapes[s];
        const BodyState& body = input.bodies.bodies[shape.body];
        for (std::uint32_t k = 0; k < count; ++k) {
            const StrandModel::Touchable& segment = tree.segments[k];
            const std::uint64_t pair = kFirstTouch + pair_key(segment.index, s);
            if (!segment.touches || !do_overlap(boxes[k], near) ||
                std::ranges::binary_search(is_inside_, pair))
                continue;
            const double* q = &input.state.x[4 * segment.index];
            const Quat turn{q[0], q[1], q[2], q[3]};
            const Placed capsule{&tree.capsules[k], (nodes.joint[k] + nodes.tip[k]) * 0.5,
                                 rotation_matrix(turn)};
            CollideLengths lengths = make_lengths(around.unit);
            lengths.reach = reach + speed[k] * h;
            collide_all(capsule, around.placed[s], lengths, *scratch, manifolds);
            int number = 0;
            for (const SubManifold& sub : manifolds)
                for (int p = 0; p < sub.manifold.count && number < kMostPoints; ++p) {
                    const ContactPoint& point = sub.manifold.point[std::size_t(p)];
                    const double part = std::clamp(point.on_a.y / segment.length + 0.5, 0.0, 1.0);
                    const bool is_root = segment.parent < 0 && part < kRootPart;
                    if (is_root || (segment.follows && part < kNodePart &&
                                    is_told(found, std::uint32_t(segment.parent), s)))
                        continue;
                    StrandTouch touch;
                    touch.tree = tree.number;
                    touch.segment = k;
                    touch.shape = s;
                    touch.body = shape.body;
                    touch.part = part;
                    touch.site = nodes.joint[k] + (nodes.tip[k] - nodes.joint[k]) * part;
                    touch.turn = turn;
                    touch.normal = -sub.manifold.normal;
                    touch.gap = point.gap;
                    touch.place = touch.site - touch.normal * (segment.radius + 0.5 * point.gap);
                    touch.drift = own_velocity(around.placed[s], touch.place);
                    touch.time = input.around.begin;
                    touch.slip = nodes.joint_velocity[k] +
                                 (nodes.tip_velocity[k] - nodes.joint_velocity[k]) * part - body.v -
                                 cross(body.w, touch.place - body.x) - touch.drift;
                    touch.surge = sudden[k];
                    if (touch.gap > (length(touch.slip) + touch.surge) * h + kNear * around.unit)
                        continue; // not in this step
                    touch.friction = sqrt(segment.friction * shape.friction);
                    touch.bounce = max(segment.bounce, shape.bounce);
                    touch.key = pair + std::uint64_t(number++);
                    found.push_back(touch);
                }
        }
    }
    std::ranges::stable_sort(found, {}, &StrandTouch::segment);
}

Attachment make_attachment(const StrandTouch& touch, const PileState& bodies,
                           StrandFriction friction, const Vec3& pull)
{
    const BodyState& body = bodies.bodies[touch.body];
    Attachment made;
    made.key = touch.key;
    made.kind = Attachment::Kind::contact;
    made.a = {{kStrands, touch.tree}, touch.segment, touch.part};
    made.b = {.block = {kBodies, touch.body}};
    made.point_a = touch.place - touch.site;
    made.point_b = touch.place - body.x;
    made.normal = touch.normal;
    made.axes_a = touch.turn;
    made.axes_b = body.q;
    made.length = touch.gap - dot(touch.normal, touch.site - body.x);
    made.friction = touch.friction;
    made.restitution = touch.bounce;
    if (touch.drift != Vec3{0, 0, 0}) // its surface moves by itself: no body has that velocity
        stand_on_surface(body.v + cross(body.w, touch.place - body.x) + touch.drift, touch.time,
                         touch.place, touch.gap, touch.site, made);
    if (friction == StrandFriction::hadap) { // t = unit(v_t + h a_t)              [Hadap06, eq. 16]
        const Vec3 way = touch.slip + pull;
        const Vec3 across = way - touch.normal * dot(way, touch.normal);
        const double size = length(across);
        made.has_one_tangent = true;
        made.tangent = size > 0 ? across / size : make_tangents(touch.normal)[0];
    }
    return made;
}

bool is_strand_touch(std::uint64_t key)
{
    return key >= kFirstTouch && key < kFirstTouch + (std::uint64_t(1) << 60);
}

} // namespace sinew
