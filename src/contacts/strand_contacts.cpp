// Segments of strands against shapes of bodies.
//
//   in:  nodes of strands and how they move, placed shapes and how they move
//   out: points that may touch within the step, by strand, segment, shape
//
// Strands do not know of each other here: the work is proportional to strands times shapes, and
// contacts of different strands with what is driven share no rows.

#include "contacts/strand_contacts.h"

#include "base/parallel.h"
#include "collide/pairs/round.h"
#include "constraints/coupling.h"
#include "constraints/strand_rows.h"
#include "islands/contact_rows.h"
#include "islands/rows/row_geometry.h"
#include "math/functions.h"
#include "models/rigid/contacts/surfaces.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace sinew {

namespace {

constexpr std::uint64_t kOtherEnd = 32; // added to the key of what touches at the other end
constexpr std::size_t kPortion = 16;    // trees that one thread takes at a time
constexpr double kRootPart = 0.05;      // of a root segment: there its base holds it
constexpr double kNodePart = 0.02;      // of a segment: there a node is
constexpr double kRootShare = 0.1;      // of a strand: so far from its root it may stay inside
constexpr double kRootDepths = 2;       // of the root's depth: or so far
constexpr double kDeepOfRadius = 0.5;   // a hair may lie on a head, and stand in it
constexpr double kAlong = 0.9;          // cosine: such a push leads along the strand, not out
constexpr double kSlow = 0.5;           // of a segment in a step
constexpr double kNear = 6;             // of |g| h²: what may close a gap besides speed

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

/// Shapes where they are when the step begins, and how bases move.
struct StrandContacts::Around {
    std::span<const PoseMotion> now, then; ///< by tree
    std::vector<Placed> placed;
    std::vector<double> reaches; ///< how far the shapes come, and what else closes gaps [m]
    std::vector<Box> boxes;      ///< where the shapes may come; of planes everything
    double unit = 0;             ///< |g| h²
    double span = 0;             ///< for which strands go on as they move [s]
    double near = 0;             ///< what may close a gap besides speed [m]

    Around(const StrandContactInput& input, const StrandSearch& search)
        : now(search.now), then(input.known ? search.now : search.then)
    {
        place_shapes(input.pile, input.bodies.bodies, input.threads, placed);
        const double h = input.around.end - input.around.begin;
        unit = max(length(input.pile.gravity), 0.1) * h * h;
        span = input.known ? 0 : h;
        near = input.known ? 0 : kNear * unit;
        for (std::size_t i = 0; i < placed.size(); ++i) {
            const BodyState& body = input.bodies.bodies[input.pile.shapes[i].body];
            const double size = placed[i].shape->bounding_radius;
            const bool is_plane = placed[i].shape->kind == CollisionKind::plane;
            const double far = is_plane ? 0 : size + length(placed[i].x - body.x);
            const double own = placed[i].shape->mesh ? placed[i].shape->mesh->speed : 0;
            reaches.push_back((length(body.v) + length(body.w) * far + own) * span + near);
            const Vec3 half = is_plane ? Vec3{1e30, 1e30, 1e30} : extent_of(placed[i]);
            const Vec3 r{reaches[i], reaches[i], reaches[i]};
            boxes.push_back({placed[i].x - half - r, placed[i].x + half + r});
        }
    }

    /// Whether a ball about a place may meet a shape's. A plane is near everything.
    bool is_near(std::uint32_t shape, const Vec3& place, double radius) const
    {
        const Placed& other = placed[shape];
        const double both = radius + other.shape->bounding_radius + reaches[shape];
        const Vec3 way = place - other.x;
        return other.shape->kind == CollisionKind::plane || dot(way, way) < both * both;
    }

    /// Whether a segment that goes so far may meet a shape: where the gap is known in closed form
    /// nearly everything that is near does not, and a manifold costs ten times as much.
    bool may_reach(std::uint32_t shape, const Vec3& joint, const Vec3& tip, double radius,
                   double way) const
    {
        const std::optional<double> gap = find_gap_of_stick(joint, tip, radius, placed[shape]);
        return !gap || *gap <= reaches[shape] + way;
    }

    /// Where a touch is and how it moves, from its part, normal and gap. False: it is too far away.
    bool locate(const StrandContactInput& input, const StrandModel::Nodes& nodes,
                StrandTouch& touch) const
    {
        const std::size_t k = touch.segment;
        const BodyState& body = input.bodies.bodies[touch.body];
        const auto between = [&](const Vec3& a, const Vec3& b) { return a + (b - a) * touch.part; };
        touch.site = between(nodes.joint[k], nodes.tip[k]);
        touch.place = touch.site - touch.normal * (touch.radius + 0.5 * touch.gap);
        touch.drift = own_velocity(placed[touch.shape], touch.place);
        touch.slip = between(nodes.joint_velocity[k], nodes.tip_velocity[k]) - body.v -
                     cross(body.w, touch.place - body.x) - touch.drift;
        return touch.gap <= (length(touch.slip) + touch.surge) * span + near;
    }
};

StrandContacts::StrandContacts(const StrandModel& strands, const RigidModel& rigid,
                               std::span<const char> can_lead, double time)
{
    for (std::uint32_t i = 0; i < strands.tree_count(); ++i) {
        Tree tree{.number = i, .segments = strands.touchables(i, time)};
        // What rows hold to its carrier pulls by them, and its contacts push.
        if (!strands.has_free_base(i) || (!can_lead.empty() && can_lead[i]))
            tree.carrier = rigid.find_body_around(strands.object_of(i));
        if (std::ranges::none_of(tree.segments,
                                 [](const StrandModel::Touchable& s) { return s.touches; }))
            continue;
        for (const StrandModel::Touchable& s : tree.segments)
            tree.capsules.push_back(make_capsule(s.radius, s.length));
        trees_.push_back(std::move(tree));
    }
}

void StrandContacts::pass_through(std::uint32_t tree, std::uint32_t segment, std::uint32_t body)
{
    const auto found = std::ranges::lower_bound(trees_, tree, {}, &Tree::number);
    if (found != trees_.end() && found->number == tree)
        found->passages.push_back({segment, body});
}

bool StrandContacts::Tree::passes(std::uint32_t segment, std::uint32_t body) const
{
    return std::ranges::any_of(passages, [&](const Passage& passage) {
        return passage.body == body && segment + 1 >= passage.segment &&
               segment <= passage.segment + 1;
    });
}

const StrandContacts::Tree& StrandContacts::tree_of(std::uint32_t number) const
{
    return *std::ranges::lower_bound(trees_, number, {}, &Tree::number);
}

namespace {

/// Whether a pair is tied together: it does not touch even when it has come apart.
bool stays_exempt(const InsidePair& pair) { return pair.speed < 0; }

/// Adds those that a search did not come near to what it found, ascending.
void keep_exempt(std::span<const InsidePair> before, std::vector<InsidePair>& found)
{
    for (const InsidePair& pair : before)
        if (stays_exempt(pair) && !find_inside(found, pair.pair))
            found.insert(std::ranges::lower_bound(found, pair.pair, {}, &InsidePair::pair), pair);
}

} // namespace

void StrandContacts::find(const StrandContactInput& input, StrandSearch& search) const
{
    const StrandSurroundings& step = input.around;
    input.strands.base_motions(step.scene, input.state, step.now, step.begin, search.now);
    if (!input.known)
        input.strands.base_motions(step.scene, input.state, step.then, step.end, search.then);
    const Around around(input, search);
    const std::size_t portions = (trees_.size() + kPortion - 1) / kPortion;
    search.portions.resize(portions);
    for_each_index(portions, input.threads, [&](std::size_t i) {
        StrandSearch::Portion& room = search.portions[i];
        room.found.clear(), room.inside.clear(), room.overlaps.clear();
        const std::size_t end = std::min(trees_.size(), (i + 1) * kPortion);
        for (std::size_t t = i * kPortion; t < end; ++t)
            if (input.left_out.empty() || !input.left_out[trees_[t].number])
                find_of_tree(input, around, trees_[t], room);
    });
    search.found.clear(), search.inside.clear();
    for (const StrandSearch::Portion& room : search.portions) {
        search.found.insert(search.found.end(), room.found.begin(), room.found.end());
        search.inside.insert(search.inside.end(), room.inside.begin(), room.inside.end());
    }
    if (!std::ranges::is_sorted(search.inside, {}, &InsidePair::pair))
        std::ranges::sort(search.inside, {}, &InsidePair::pair);
    keep_exempt(input.inside, search.inside);
}

std::vector<char> StrandContacts::find_clear(const StrandContactInput& input,
                                             const ModelState& before) const
{
    StrandSearch search;
    const StrandSurroundings& at = input.around;
    input.strands.base_motions(at.scene, input.state, at.now, at.begin, search.now);
    search.then = search.now;
    const Around around(input, search);
    std::vector<char> is_clear(input.strands.tree_count(), 1);
    StrandModel::Nodes nodes;
    for (const Tree& tree : trees_) {
        if (input.strands.has_free_base(tree.number)) // it has no place to rest from
            continue;
        Box all{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
        for (const ModelState* state : {&input.state, &before}) {
            input.strands.place_nodes(at.scene, at.begin, *state, tree.number,
                                      search.now[tree.number], nodes);
            for (std::size_t k = 0; k < tree.segments.size(); ++k)
                grow(all, swept(nodes.joint[k], nodes.tip[k], tree.segments[k].radius));
        }
        for (const Box& box : around.boxes)
            is_clear[tree.number] = is_clear[tree.number] && !do_overlap(all, box);
    }
    return is_clear;
}

// ---------------------------------------------------------------- what begins inside

std::vector<StrandOverlap> StrandContacts::find_overlaps(const StrandContactInput& input) const
{
    StrandContactInput start = input;
    start.finds_overlaps = true;
    StrandSearch search;
    find(start, search);
    std::vector<StrandOverlap> overlaps;
    for (const StrandSearch::Portion& room : search.portions)
        overlaps.insert(overlaps.end(), room.overlaps.begin(), room.overlaps.end());
    std::ranges::sort(overlaps, {}, [](const StrandOverlap& o) {
        return std::tuple(o.tree, o.shape, o.segment);
    });
    return overlaps;
}

std::vector<InsidePair> StrandContacts::make_inside(std::span<const StrandOverlap> overlaps) const
{
    std::vector<InsidePair> inside;
    for (std::size_t i = 0, j = 0; i < overlaps.size(); i = j) {
        while (j < overlaps.size() && overlaps[j].tree == overlaps[i].tree &&
               overlaps[j].shape == overlaps[i].shape)
            ++j;
        make_inside(overlaps.subspan(i, j - i), inside);
    }
    std::ranges::sort(inside, {}, &InsidePair::pair);
    return inside;
}

/// Those of one tree and shape.
void StrandContacts::make_inside(std::span<const StrandOverlap> of_shape,
                                 std::vector<InsidePair>& inside) const
{
    const std::vector<StrandModel::Touchable>& segments = tree_of(of_shape.front().tree).segments;
    std::vector<double> along(segments.size(), 0.0); // from the root to each segment's joint [m]
    double whole = 0, root_depth = 0;
    for (std::size_t k = 0; k < segments.size(); ++k) {
        const int p = segments[k].parent;
        along[k] = p < 0 ? 0 : along[std::size_t(p)] + segments[std::size_t(p)].length;
        whole = max(whole, along[k] + segments[k].length);
    }
    for (const StrandOverlap& overlap : of_shape)
        if (segments[overlap.segment].parent < 0)
            root_depth = max(root_depth, overlap.depth);
    const double near = max(kRootShare * whole, kRootDepths * root_depth);
    std::vector<char> is_rooted(segments.size(), 0);
    for (const StrandOverlap& overlap : of_shape) {
        const int p = segments[overlap.segment].parent;
        const bool hangs_on = p < 0 || is_rooted[std::size_t(p)];
        is_rooted[overlap.segment] = hangs_on && along[overlap.segment] <= near;
        InsidePair pair{overlap.pair, InsidePair::kRooted, 0};
        if (!is_rooted[overlap.segment])
            pair.allowed = overlap.depth, pair.speed = overlap.depth / InsidePair::kEaseOut;
        inside.push_back(pair);
    }
}

namespace {

/// Where along a segment a point is. While the axis is outside, the other shape knows best: of a
/// capsule across a cylinder the point on the capsule may be its end.
double part_of(const ContactPoint& point, const StrandModel::Touchable& segment,
               const Placed& other, const Vec3& joint, const Vec3& way)
{
    const bool is_outside = point.gap + segment.radius > 0;
    const double part = is_outside ? dot(other.to_world(point.on_b) - joint, way) / dot(way, way)
                                   : point.on_a.y / segment.length + 0.5;
    return std::clamp(part, 0.0, 1.0);
}

/// From that of sticking to that of sliding, by how fast the point slips when the step begins,
/// along Stribeck's curve.
double friction_at(const StrandTouch& touch, double sticking, double sliding)
{
    constexpr double kCreep = 5e-3; // [m/s]
    if (sticking == sliding)
        return sticking;
    const Vec3 slip = touch.slip - touch.normal * dot(touch.normal, touch.slip);
    return sliding + (sticking - sliding) * exp(-dot(slip, slip) / (kCreep * kCreep));
}

/// Whether a node's contact is told by the segment before it.
bool is_told(std::span<const StrandTouch> found, std::uint32_t tree, std::uint32_t parent,
             std::uint32_t shape)
{
    for (auto touch = found.rbegin(); touch != found.rend() && touch->tree == tree; ++touch)
        if (touch->segment == parent && touch->shape == shape && touch->part > 1 - kNodePart)
            return true;
    return false;
}

} // namespace

/// A tree whose segments are as long as they are now.
StrandContacts::Tree StrandContacts::as_long_as(const StrandModel::Nodes& nodes, Tree tree)
{
    for (std::size_t k = 0; k < tree.segments.size(); ++k) {
        tree.segments[k].length = length(nodes.tip[k] - nodes.joint[k]);
        tree.capsules[k] = make_capsule(tree.segments[k].radius, tree.segments[k].length);
    }
    return tree;
}

void StrandContacts::find_of_tree(const StrandContactInput& input, const Around& around,
                                  const Tree& first_tree, StrandSearch::Portion& room) const
{
    input.strands.place_nodes(input.around.scene, input.around.begin, input.state,
                              first_tree.number, around.now[first_tree.number], room.nodes);
    std::optional<Tree> longer;
    if (input.strands.has_other_lengths(first_tree.number))
        longer = as_long_as(room.nodes, first_tree);
    const Tree& tree = longer ? *longer : first_tree;
    const std::size_t count = tree.segments.size(), first = room.found.size();
    room.speed.assign(count, 0.0), room.sudden.assign(count, 0.0);
    if (input.known && is_slow(tree, room.nodes, input.around.end - input.around.begin))
        find_known(input, around, tree, room);
    else
        find_near(input, around, tree, room);
    const std::span<StrandTouch> found = std::span(room.found).subspan(first);
    if (!std::ranges::is_sorted(found, {}, &StrandTouch::segment)) // sorting takes memory
        std::ranges::stable_sort(found, {}, &StrandTouch::segment);
}

/// Whether no node goes far within h, so that what was not near when the step began is not now. A
/// whip may get faster within a step than its speed before says.
bool StrandContacts::is_slow(const Tree& tree, const StrandModel::Nodes& nodes, double h)
{
    for (std::size_t k = 0; k < tree.segments.size(); ++k)
        if (tree.segments[k].touches &&
            length(nodes.tip_velocity[k]) * h > kSlow * tree.segments[k].length)
            return false;
    return true;
}

/// Of what has no short way to tell it is said that it is.
bool StrandContacts::is_deep(const StrandContactInput& input, const Around& around,
                             const StrandTouch& touch, const StrandModel::Nodes& nodes)
{
    if (touch.is_mutual())
        return false;
    const std::optional<double> gap =
        find_gap_of_stick(nodes.joint[touch.segment], nodes.tip[touch.segment], touch.radius,
                          around.placed[touch.shape]);
    return !gap || *gap + touch.allowed < -input.depth * touch.length;
}

/// Pairs that were near when the step began.
void StrandContacts::find_known(const StrandContactInput& input, const Around& around,
                                const Tree& tree, StrandSearch::Portion& room) const
{
    const auto known = std::ranges::equal_range(*input.known, tree.number, {}, &StrandTouch::tree);
    const StrandTouch* last = nullptr;
    if (std::ranges::none_of(known, [&](const StrandTouch& touch) {
            const bool is_same =
                last && last->segment == touch.segment && last->shape == touch.shape;
            last = &touch;
            return !is_same && is_deep(input, around, touch, room.nodes);
        }))
        return;
    last = nullptr;
    for (const StrandTouch& touch : known) {
        if (touch.is_mutual())
            continue;
        if (!last || last->segment != touch.segment || last->shape != touch.shape)
            find_pair(input, around, tree, touch.segment, touch.shape, room);
        last = &touch;
    }
}

/// All pairs that may meet in the step, by how fast segments may be.
void StrandContacts::find_near(const StrandContactInput& input, const Around& around,
                               const Tree& tree, StrandSearch::Portion& room) const
{
    const PoseMotion &base = around.now[tree.number], &then = around.then[tree.number];
    const double here = length(then.velocity - base.velocity),
                 turning = length(then.angular_velocity - base.angular_velocity);
    const StrandModel::Nodes& nodes = room.nodes;
    const std::uint32_t count = static_cast<std::uint32_t>(tree.segments.size());
    room.boxes.resize(count);
    Box all{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
    for (std::uint32_t k = 0; k < count; ++k) {
        const StrandModel::Touchable& s = tree.segments[k];
        const double away = length(nodes.tip[k] - nodes.joint[0]) + s.length;
        const double speed = max(length(nodes.joint_velocity[k]), length(nodes.tip_velocity[k]));
        room.sudden[k] = here + turning * away;
        room.speed[k] = speed + room.sudden[k];
        room.boxes[k] = swept(nodes.joint[k], nodes.tip[k], s.radius + room.speed[k] * around.span);
        grow(all, room.boxes[k]);
    }
    for (std::uint32_t s = 0; s < around.placed.size(); ++s) {
        if (!do_overlap(all, around.boxes[s]))
            continue;
        for (std::uint32_t k = 0; k < count; ++k) {
            const double radius = tree.segments[k].radius, way = room.speed[k] * around.span;
            if (do_overlap(room.boxes[k], around.boxes[s]) &&
                around.is_near(s, (nodes.joint[k] + nodes.tip[k]) * 0.5,
                               0.5 * tree.segments[k].length + radius + way) &&
                around.may_reach(s, nodes.joint[k], nodes.tip[k], radius, way))
                find_pair(input, around, tree, k, s, room);
        }
    }
}

/// Whether the segment before stays where the strand grows: then so does the node between.
bool StrandContacts::is_at_rooted_node(const StrandContactInput& input, const Tree& tree,
                                       std::uint32_t segment, std::uint32_t shape) const
{
    const int parent = tree.segments[segment].parent;
    if (parent < 0 || input.inside.empty())
        return false;
    const InsidePair* before =
        find_inside(input.inside, body_pair_key(KeySource::strand_body_contact,
                                                tree.segments[std::size_t(parent)].index, shape));
    return before && before->is_rooted();
}

namespace {

double deepest_of(std::span<const SubManifold> manifolds)
{
    double gap = 1e300;
    for (const SubManifold& sub : manifolds)
        for (int p = 0; p < sub.manifold.count; ++p)
            gap = min(gap, sub.manifold.point[std::size_t(p)].gap);
    return -gap;
}

} // namespace

/// Whether a pair that began inside may touch, and how deep it may be when the step ends.
bool StrandContacts::take_inside(const StrandContactInput& input, StrandTouch& touch,
                                 StrandSearch::Portion& room)
{
    const InsidePair* before = find_inside(input.inside, touch.key);
    const double depth = before ? deepest_of(room.manifolds) : 0;
    const bool is_apart = depth <= 0 && !input.known;
    if (!before || (is_apart && !stays_exempt(*before))) // from now on it touches
        return true;
    const double h = input.around.end - input.around.begin;
    const InsidePair now = input.known ? *before : before->after(depth, h);
    if (now.allowed > 0)
        room.inside.push_back(now);
    touch.allowed = now.allowed;
    return !now.is_rooted();
}

void StrandContacts::find_pair(const StrandContactInput& input, const Around& around,
                               const Tree& tree, std::uint32_t k, std::uint32_t s,
                               StrandSearch::Portion& room) const
{
    const StrandModel::Touchable& segment = tree.segments[k];
    if (!segment.touches || tree.passes(k, input.pile.shapes[s].body))
        return;
    const double* q = &input.state.x[4 * segment.index];
    const Quat turn{q[0], q[1], q[2], q[3]};
    const Vec3 joint = room.nodes.joint[k], way = room.nodes.tip[k] - joint;
    const Placed capsule{&tree.capsules[k], joint + way * 0.5, rotation_matrix(turn)};
    CollideLengths lengths = make_lengths(around.unit);
    lengths.reach = around.reaches[s] + room.speed[k] * around.span;
    collide_all(capsule, around.placed[s], lengths, *room.collide, room.manifolds);
    if (room.manifolds.empty())
        return;
    const BodyShape& shape = input.pile.shapes[s];
    StrandTouch touch{.key = body_pair_key(KeySource::strand_body_contact, segment.index, s),
                      .tree = tree.number,
                      .segment = k,
                      .shape = s,
                      .body = shape.body,
                      .turn = turn};
    if (input.finds_overlaps) {
        if (const double depth = deepest_of(room.manifolds); depth > kDeepOfRadius * segment.radius)
            room.overlaps.push_back({touch.key, tree.number, k, s, shape.body, depth});
        return;
    }
    if (!take_inside(input, touch, room))
        return;
    touch.radius = segment.radius, touch.length = segment.length;
    touch.surge = room.sudden[k];
    touch.time = input.around.begin;
    touch.bounce = max(segment.bounce, shape.bounce);
    touch.is_own = tree.carrier == shape.body;
    add_points(input, around, tree, touch, room);
}

/// The points of a pair, of which all but place and motion is known.
void StrandContacts::add_points(const StrandContactInput& input, const Around& around,
                                const Tree& tree, StrandTouch touch,
                                StrandSearch::Portion& room) const
{
    const std::uint32_t k = touch.segment, s = touch.shape;
    const StrandModel::Touchable& segment = tree.segments[k];
    const BodyShape& shape = input.pile.shapes[s];
    const Vec3 joint = room.nodes.joint[k], way = room.nodes.tip[k] - joint;
    const AttachmentKey pair = touch.key;
    const double sticking = sqrt(segment.friction * shape.friction),
                 sliding = sqrt(segment.sliding * shape.friction);
    for (const SubManifold& sub : room.manifolds)
        for (int p = 0; p < sub.manifold.count && pair_of(touch.key) == pair; ++p) {
            const ContactPoint& point = sub.manifold.point[std::size_t(p)];
            touch.part = part_of(point, segment, around.placed[s], joint, way);
            touch.normal = -sub.manifold.normal;
            touch.gap = point.gap;
            const bool is_root = segment.parent < 0 && touch.part < kRootPart;
            const bool is_node = segment.follows && touch.part < kNodePart &&
                                 is_told(room.found, tree.number, std::uint32_t(segment.parent), s);
            const bool is_rooted = touch.part < kNodePart && is_at_rooted_node(input, tree, k, s);
            const bool is_along =
                touch.allowed > 0 && abs(dot(touch.normal, way)) > kAlong * segment.length;
            if (is_root || is_node || is_rooted || is_along ||
                !around.locate(input, room.nodes, touch))
                continue;
            touch.gap += touch.allowed;
            touch.friction = friction_at(touch, sticking, sliding);
            room.found.push_back(touch);
            touch.key = touch.key.after(1);
        }
}

Attachment make_attachment(const StrandTouch& touch, const PileState& bodies,
                           StrandFriction friction, const Vec3& pull)
{
    const BodyState& body = bodies.bodies[touch.body];
    Attachment made = make_contact(
        touch.key, {{{kStrands, touch.tree}, touch.segment, touch.part}, touch.site, touch.turn},
        {{.block = {kBodies, touch.body}}, body.x, body.q}, touch.place, touch.normal, touch.gap);
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

namespace {

/// Across an edge both ends of a segment touch, each its own face: one does not replace the other.
bool is_other_end(const StrandTouch& touch, const StrandTouch& before)
{
    return std::abs(touch.part - before.part) > 0.5 && dot(touch.normal, before.normal) < 0.9;
}

} // namespace

StrandTouch* find_same(std::span<StrandTouch> touches, StrandTouch& later)
{
    const auto same = std::ranges::equal_range(touches, later.tree, {}, &StrandTouch::tree);
    auto before = std::ranges::find(same, later.key, &StrandTouch::key);
    if (before != same.end() && is_other_end(later, *before)) {
        later.key = later.key.after(kOtherEnd);
        before = std::ranges::find(same, later.key, &StrandTouch::key);
    }
    return before == same.end() ? nullptr : &*before;
}

} // namespace sinew
