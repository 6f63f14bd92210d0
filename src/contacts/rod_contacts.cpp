// Pieces of rods against shapes of bodies, segments of strands and each other.
//
//   in:  rods and strands and how they move, placed shapes and how they move
//   out: places that may touch within the step, with their rows
//
// What is found on the chord of a piece is carried over to the curve: the site lies on that, and
// the gap is corrected by how far the curve stands off the chord along the normal.

#include "contacts/rod_contacts.h"

#include "base/parallel.h"
#include "collide/broad_phase.h"
#include "constraints/coupling.h"
#include "contacts/capsules.h"
#include "contacts/shapes_in_step.h"
#include "islands/contact_rows.h"
#include "islands/rows/row_geometry.h"
#include "math/functions.h"
#include "math/spline.h"
#include "models/rigid/contacts/surfaces.h"
#include "scene/kinematics.h"
#include "scene/objects/rods.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr double kNodePart = 0.02; // of a piece: there a node is
constexpr double kDeep = 0.5;      // of the radius: deeper at the start never touches
constexpr double kTight = 4;       // radii along a rod that are too near to touch each other
constexpr double kLeaving =
    0.05; // of a radius: what was held and is deeper is still on its way out
constexpr double kAnyDepth = 1e300;

/// What motions of a step are small: |g| h².
double unit_of(const RodContactInput& input) { return max(input.gravity, 0.1) * input.h * input.h; }

AttachmentKey body_pair(std::uint32_t piece, std::uint32_t shape)
{
    return body_pair_key(KeySource::rod_body_contact, piece, shape);
}

Box box_around(const Vec3& a, const Vec3& b, double reach)
{
    const Vec3 r{reach, reach, reach};
    return {Vec3{min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)} - r,
            Vec3{max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)} + r};
}

bool is_near(double u, double from, double to, double reach)
{
    return u > from - reach && u < to + reach;
}

} // namespace

/// A part of a rod as a straight line, or a segment of a strand, along which u is from 0 to 1.
struct RodContacts::Piece {
    std::uint32_t rod = 0, number = 0;   ///< of the pieces of all rods: keys keep it
    const StrandPiece* strand = nullptr; ///< the segment; null: of a rod
    bool is_first = false;
    double from = 0, to = 0; ///< u
    Vec3 a, b;
    double radius = 0;
    double speed = 0; ///< of its fastest end [m/s]
    double off = 0;   ///< of the curve from the chord [m]
    const Span* feel = nullptr;

    Vec3 at(double part) const { return a + (b - a) * part; }
    double size() const { return length(b - a); }
    Box box(double h) const { return box_around(a, b, radius + off + speed * h); }
};

struct RodContacts::Pieces {
    std::vector<Piece> list;        ///< of the rods, then of the strands
    std::vector<std::size_t> first; ///< by rod, and one
    std::vector<Span> feels;        ///< of the strands
};

/// A part of a rod that does not feel a body.
struct RodContacts::Passage {
    std::uint32_t rod = 0, body = 0;
    double from = 0, to = 0; ///< u
    bool is_left = false; ///< what held it there has let go: only as long as they are in each other
};

/// Where two pieces are nearest, on the curves.
struct RodContacts::Meeting {
    double u_a = 0, u_b = 0;
    bool is_told = false; ///< at the end of a piece that another begins with
    Vec3 way = {0, 0, 0}; ///< from b to a
};

/// What one rod touches, and room to find it.
struct RodContacts::Touching {
    std::vector<RodTouch> found;
    std::vector<SubManifold> manifolds;
    std::shared_ptr<CollideScratch> scratch = make_collide_scratch();
};

struct RodContacts::Room {
    Pieces pieces;
    ShapesInStep around;
    std::vector<Passage> passages;
    std::vector<Touching> by_rod;
    std::vector<RodTouch> all;
    std::vector<Box> boxes; ///< of pieces
    std::vector<char> is_fixed;
    std::vector<Pair> pairs;
    BroadPhase grid;
};

std::shared_ptr<RodContacts::Room> RodContacts::make_room() { return std::make_shared<Room>(); }

// ---------------------------------------------------------------- made

RodContacts::RodContacts(const RodContactInput& start, std::uint32_t number) : number_(number)
{
    const Scene& scene = start.scene;
    const RodContact wanted = scene.settings.rods.contact;
    meets_curves_ = wanted == RodContact::all;
    const auto value = [&](Value v, double u) {
        return v.is_constant() ? v.number : rates_at(scene, v, scene.settings.start, u).value;
    };
    bool touches_any = false;
    std::uint32_t pieces = 0;
    for (std::uint32_t i = 0; i < scene.rods.size(); ++i) {
        const rod::Plan& plan = start.rods.plan(i);
        Rod rod{i, pieces, plan.radius, plan.length};
        pieces += 2 * plan.spans;
        for (std::uint32_t k = 0; k <= 2 * plan.spans; ++k)
            rod.nodes.push_back(plan.basis_at(k / (2.0 * plan.spans)));
        for (std::uint32_t k = 0; k < plan.spans; ++k) {
            const sinew::Rod& drawn = scene.rods[i];
            const double u = along_whole(drawn, (k + 0.5) / plan.spans);
            rod.spans.push_back({.friction = value(drawn.friction, u),
                                 .bounce = value(drawn.bounce, u),
                                 .touches = value(drawn.contact, u) > 0.5});
            touches_any |= rod.spans.back().touches;
        }
        rods_.push_back(std::move(rod));
    }
    const bool has_partners = meets_curves_ || !start.pile.bodies.empty();
    if (!touches_any || !has_partners || wanted == RodContact::none) {
        rods_.clear();
        return;
    }
    const std::shared_ptr<Room> room = make_room();
    for (const RodTouch& touch : find(start, *room))
        if (touch.body != RodTouch::kNoBody &&
            touch.gap < -kDeep * rods_[touch.rows.a.block.index].radius)
            is_inside_.push_back(pair_of(touch.rows.key));
    if (meets_curves_)
        add_curves_inside(start, *room);
    std::ranges::sort(is_inside_);
}

/// Every pair of pieces is asked for itself: axes that coincide have no normal, and a place where
/// two pieces meet is told by one of them only, in a later step perhaps by the other. A strand that
/// lies in a rod passes the pieces before and behind it, too: their ends would push it along.
void RodContacts::add_curves_inside(const RodContactInput& start, const Room& room)
{
    std::vector<Pair> inside, beside;
    for (const Pair& pair : room.pairs) {
        const Piece &a = room.pieces.list[pair.a], &b = room.pieces.list[pair.b];
        if (a.strand || are_neighbours(a, b) || find_tie(start, a, b) == Tie::holds)
            continue;
        const double gap = length(find_meeting(start, a, b).way) - a.radius - b.radius;
        (gap < -kDeep * min(a.radius, b.radius) ? inside : beside).push_back(pair);
    }
    const auto is_near_one_inside = [&](const Pair& pair) {
        const Piece &a = room.pieces.list[pair.a], &b = room.pieces.list[pair.b];
        return b.strand && std::ranges::any_of(inside, [&](const Pair& other) {
                   return are_beside(a, room.pieces.list[other.a]) &&
                          are_beside(b, room.pieces.list[other.b]);
               });
    };
    std::ranges::copy_if(beside, std::back_inserter(inside), is_near_one_inside);
    for (const Pair& pair : inside)
        is_inside_.push_back(curve_pair(room.pieces.list[pair.a], room.pieces.list[pair.b]));
}

/// The same piece of a curve, or one that begins where the other ends, or little behind.
bool RodContacts::are_beside(const Piece& a, const Piece& b) const
{
    if (!a.strand)
        return !b.strand && a.rod == b.rod && are_neighbours(a, b);
    const StrandSegment* const segments[] = {&a.strand->segment,
                                             b.strand ? &b.strand->segment : nullptr};
    return segments[1] && segments[0]->tree == segments[1]->tree &&
           segments[0]->number <= segments[1]->number + 1 &&
           segments[1]->number <= segments[0]->number + 1;
}

bool RodContacts::is_inside(AttachmentKey pair) const
{
    return std::ranges::binary_search(is_inside_, pair);
}

// ---------------------------------------------------------------- pieces

void RodContacts::find_pieces(const RodContactInput& input, Pieces& pieces) const
{
    pieces.list.clear();
    pieces.first.clear();
    for (const Rod& rod : rods_) {
        pieces.first.push_back(pieces.list.size());
        const BlockShape& shape = input.rods.blocks()[rod.number];
        const std::span x = std::span(input.state.x).subspan(shape.x_first, shape.x_count);
        const std::span v = std::span(input.state.v).subspan(shape.v_first, shape.v_count);
        const double count = double(rod.nodes.size() - 1);
        const auto add = [&](std::size_t from, std::size_t to, double off) {
            Piece& piece = pieces.list.emplace_back();
            piece.rod = rod.number;
            piece.number = rod.first_piece + std::uint32_t(from);
            piece.is_first = from == 0;
            piece.from = double(from) / count;
            piece.to = double(to) / count;
            piece.a = rod::curve_at(rod.nodes[from], x).point;
            piece.b = rod::curve_at(rod.nodes[to], x).point;
            piece.radius = rod.radius;
            piece.off = off;
            piece.speed = max(length(rod::curve_at(rod.nodes[from], v).point),
                              length(rod::curve_at(rod.nodes[to], v).point));
            piece.feel = &rod.spans[from / 2];
        };
        for (std::size_t k = 0; k + 2 < rod.nodes.size(); k += 2) {
            const Vec3 middle = rod::curve_at(rod.nodes[k + 1], x).point;
            const Vec3 ends =
                rod::curve_at(rod.nodes[k], x).point + rod::curve_at(rod.nodes[k + 2], x).point;
            const double off = length(middle - ends * 0.5);
            if (off <= kDeep * rod.radius) {
                add(k, k + 2, off);
            } else {
                add(k, k + 1, off / 4);
                add(k + 1, k + 2, off / 4);
            }
        }
    }
    pieces.first.push_back(pieces.list.size());
    add_strand_pieces(input.strands, pieces);
}

void RodContacts::add_strand_pieces(std::span<const StrandPiece> strands, Pieces& pieces)
{
    pieces.feels.clear();
    pieces.feels.reserve(strands.size()); // pieces point into it
    for (const StrandPiece& strand : strands) {
        const StrandModel::Touchable& shape = strand.segment.shape;
        pieces.feels.push_back({.friction = shape.friction, .bounce = shape.bounce});
        Piece& piece = pieces.list.emplace_back();
        piece.strand = &strand;
        piece.number = std::uint32_t(shape.index);
        piece.is_first = !shape.follows;
        piece.to = 1;
        piece.a = strand.from;
        piece.b = strand.to;
        piece.radius = shape.radius;
        piece.speed = max(length(strand.from_velocity), length(strand.to_velocity));
        piece.feel = &pieces.feels.back();
    }
}

CurvePoint RodContacts::curve_of(const RodContactInput& input, const Piece& piece, double u)
{
    if (piece.strand)
        return {piece.at(u), piece.b - piece.a, {0, 0, 0}};
    const BlockShape& shape = input.rods.blocks()[piece.rod];
    return rod::curve_at(input.rods.plan(piece.rod).basis_at(u),
                         std::span(input.state.x).subspan(shape.x_first, shape.x_count));
}

Site RodContacts::site_on(const Piece& piece, double u) const
{
    if (!piece.strand)
        return {.block = {number_, piece.rod}, .u = u};
    const StrandSegment& segment = piece.strand->segment;
    return {.block = {kStrands, segment.tree}, .element = segment.number, .u = u};
}

Pose RodContacts::pose_on(const RodContactInput& input, const Piece& piece, double u)
{
    if (piece.strand)
        return {piece.strand->turn, piece.at(u)};
    return input.rods.locate_one(input.state, piece.rod, u).pose;
}

std::span<const RodTouch> RodContacts::find(const RodContactInput& input, Room& room) const
{
    find_pieces(input, room.pieces);
    room.all.clear();
    if (!input.pile.shapes.empty()) {
        room.around.update(input.pile, input.bodies, input.h, unit_of(input), input.threads);
        room.by_rod.resize(rods_.size());
        find_passages(input, room);
        for_each_index(rods_.size(), input.threads,
                       [&](std::size_t i) { find_on_bodies(input, room, i, room.by_rod[i]); });
        for (const Touching& touching : room.by_rod)
            room.all.insert(room.all.end(), touching.found.begin(), touching.found.end());
    }
    if (meets_curves_)
        find_on_curves(input, room);
    return room.all;
}

// ---------------------------------------------------------------- bodies

/// True where the rod's axis goes into a shape of the body. Meshes are surfaces: in none of them.
bool RodContacts::is_in_body(const RodContactInput& input, const Piece& piece,
                             std::uint32_t body_number, const ShapesInStep& around,
                             Touching& touching) const
{
    if (!(piece.size() > 0))
        return true;
    const CapsuleShape capsule(piece.a, piece.b, piece.radius);
    const Body& body = input.pile.bodies[body_number];
    for (std::uint32_t s = body.first_shape; s < body.first_shape + body.shape_count; ++s) {
        if (around.placed[s].shape->mesh || !do_overlap(piece.box(0), around.boxes[s]))
            continue;
        collide_all(capsule.placed, around.placed[s], make_lengths(around.unit), *touching.scratch,
                    touching.manifolds);
        for (const SubManifold& sub : touching.manifolds)
            for (int p = 0; p < sub.manifold.count; ++p)
                if (sub.manifold.point[std::size_t(p)].gap < -piece.radius)
                    return true;
    }
    return false;
}

/// What of a rod passes through a body that it is held to at u: as far from there as it is inside,
/// and a little.
RodContacts::Passage RodContacts::find_passage(const RodContactInput& input, Room& room,
                                               std::uint32_t rod, double u,
                                               std::uint32_t body) const
{
    const Pieces& pieces = room.pieces;
    const auto begin = pieces.list.begin() + std::ptrdiff_t(pieces.first[rod]);
    const auto end = pieces.list.begin() + std::ptrdiff_t(pieces.first[rod + 1]);
    const auto held =
        std::find_if(begin, end - 1, [&](const Piece& piece) { return u < piece.to; });
    const auto is_in = [&](const Piece& piece) {
        return is_in_body(input, piece, body, room.around, room.by_rod[rod]);
    };
    Passage passage{rod, body, u, u};
    for (auto piece = held; is_in(*piece); ++piece) {
        passage.to = piece->to;
        if (piece + 1 == end)
            break;
    }
    for (auto piece = held; is_in(*piece); --piece) {
        passage.from = piece->from;
        if (piece == begin)
            break;
    }
    const double near = kTight * held->radius + held->speed * input.h +
                        length(input.bodies.bodies[body].v) * input.h;
    passage.from -= near / rods_[rod].length;
    passage.to += near / rods_[rod].length;
    return passage;
}

/// Where rods pass through bodies: all along through their pearls, and near a hole or a knot.
void RodContacts::find_passages(const RodContactInput& input, Room& room) const
{
    room.passages.clear();
    for (std::size_t i = 0; i < input.links.size(); ++i) {
        const RodLink& link = input.links[i];
        const RodConstraint& c = input.scene.rod_constraints[i];
        if (c.kind == RodConstraintKind::distance)
            continue;
        const bool is_left = input.link_states[i].is_released;
        for (const auto& [own, other] :
             {std::pair(&link.a, &link.b), std::pair(&link.b, &link.a)}) {
            if (own->site.block.model != number_ || !other->body)
                continue;
            const std::uint32_t rod = own->site.block.index;
            if (c.kind == RodConstraintKind::pearl || is_wheel(c) || is_left)
                room.passages.push_back({rod, *other->body, 0, 1, is_left});
            else
                room.passages.push_back(find_passage(
                    input, room, rod, is_sliding(c) ? input.link_states[i].u : own->site.u,
                    *other->body));
        }
    }
}

void RodContacts::find_on_bodies(const RodContactInput& input, const Room& room, std::size_t rod,
                                 Touching& touching) const
{
    const Pieces& pieces = room.pieces;
    const ShapesInStep& around = room.around;
    touching.found.clear();
    for (std::size_t i = pieces.first[rod]; i < pieces.first[rod + 1]; ++i) {
        const Piece& piece = pieces.list[i];
        if (!piece.feel->touches || !(piece.size() > 0))
            continue;
        const Box box = piece.box(input.h);
        const CapsuleShape capsule(piece.a, piece.b, piece.radius);
        for (std::uint32_t s = 0; s < around.placed.size(); ++s) {
            const auto passes = [&](const Passage& passage) {
                return passage.rod == piece.rod && passage.body == input.pile.shapes[s].body &&
                       passage.from < piece.to && passage.to > piece.from;
            };
            const auto is_held = [&](const Passage& passage) {
                return !passage.is_left && passes(passage);
            };
            if (!do_overlap(box, around.boxes[s]) || is_inside(body_pair(piece.number, s)) ||
                std::ranges::any_of(room.passages, is_held))
                continue;
            const bool is_left = std::ranges::any_of(room.passages, passes);
            CollideLengths lengths = make_lengths(around.unit);
            lengths.reach = around.reaches[s] + piece.speed * input.h + piece.off;
            collide_all(capsule.placed, around.placed[s], lengths, *touching.scratch,
                        touching.manifolds);
            add_points(input, piece, s, around.placed[s], touching.manifolds,
                       is_left ? kLeaving * piece.radius : kAnyDepth, touching.found);
        }
    }
}

namespace {

/// Whether the node that a piece begins with is told by the piece before it.
bool is_told(const std::vector<RodTouch>& found, const BlockId& rod, double u, std::uint32_t body,
             double near)
{
    return std::ranges::any_of(found, [&](const RodTouch& touch) {
        return touch.rows.a.block == rod && touch.body == body && abs(touch.rows.a.u - u) < near &&
               touch.rows.a.u <= u;
    });
}

} // namespace

void RodContacts::add_points(const RodContactInput& input, const Piece& piece, std::uint32_t shape,
                             const Placed& placed, std::span<const SubManifold> manifolds,
                             double deepest, std::vector<RodTouch>& found) const
{
    const BodyShape& touched = input.pile.shapes[shape];
    const BodyState& body = input.bodies.bodies[touched.body];
    const BlockId rod{number_, piece.rod};
    const double size = length(piece.b - piece.a), span = piece.to - piece.from;
    int number = 0;
    for (const SubManifold& sub : manifolds)
        for (int p = 0; p < sub.manifold.count && number < int(kPointsOfPair); ++p, ++number) {
            const ContactPoint& point = sub.manifold.point[std::size_t(p)];
            // Where along the piece, only the other shape knows: the piece is straight.
            const Vec3 way = placed.to_world(point.on_b) - piece.a;
            const double part = std::clamp(dot(way, piece.b - piece.a) / (size * size), 0.0, 1.0);
            const double u = piece.from + span * part;
            if (part < kNodePart && !piece.is_first &&
                is_told(found, rod, u, touched.body, 2 * kNodePart * span))
                continue;
            const SiteMotion motion = input.rods.locate_one(input.state, piece.rod, u);
            const Vec3 &x = motion.pose.translation, n = -sub.manifold.normal;
            RodTouch touch{.body = touched.body};
            touch.gap = point.gap + dot(n, x - piece.at(part));
            if (touch.gap < -deepest)
                continue;
            touch.place = x - n * (piece.radius + 0.5 * touch.gap);
            Attachment& made = touch.rows;
            made = make_contact(body_pair(piece.number, shape).after(std::uint64_t(number)),
                                {{.block = rod, .u = u}, x, motion.pose.rotation},
                                {{.block = {kBodies, touched.body}}, body.x, body.q}, touch.place,
                                n, touch.gap);
            made.friction = sqrt(piece.feel->friction * touched.friction);
            made.restitution = max(piece.feel->bounce, touched.bounce);
            if (const Vec3 drift = own_velocity(placed, touch.place); drift != Vec3{0, 0, 0})
                stand_on_surface(body.v + cross(body.w, touch.place - body.x) + drift, input.time,
                                 touch.place, touch.gap, x, made);
            found.push_back(touch);
        }
}

// ---------------------------------------------------------------- rods

/// `a` is of a rod.
AttachmentKey RodContacts::curve_pair(const Piece& a, const Piece& b)
{
    return b.strand ? rod_strand_key(a.number, b.number) : rod_pair_key(a.number, b.number);
}

/// Too near along one rod: a rope cannot be bent so much.
bool RodContacts::are_neighbours(const Piece& a, const Piece& b) const
{
    const double between = max(a.from, b.from) - min(a.to, b.to);
    return !b.strand && a.rod == b.rod && between * rods_[a.rod].length < kTight * a.radius;
}

/// Near a constraint that holds a rod and a strand together there, or where the strand stands on
/// it.
bool RodContacts::is_tied(const RodContactInput& input, const Piece& rod, const Piece& strand) const
{
    const auto is_on_rod = [&](const Site& site) {
        const double reach = kTight * (rod.radius + strand.radius) / rods_[rod.rod].length;
        return site.block == BlockId{number_, rod.rod} && is_near(site.u, rod.from, rod.to, reach);
    };
    const auto is_on_strand = [&](const Site& site) {
        const StrandSegment& segment = strand.strand->segment;
        return site.block == BlockId{kStrands, segment.tree} &&
               site.element + 1 >= segment.number && segment.number + 1 >= site.element;
    };
    const auto ties = [&](const HeldStrand& held) {
        const Site &a = held.a.site, &b = held.b.site;
        return (is_on_rod(a) && is_on_strand(b)) || (is_on_rod(b) && is_on_strand(a));
    };
    const auto stands = [&](const StrandRider& rider) {
        return is_on_rod(rider.carrier.site) && is_on_strand({{kStrands, rider.tree}});
    };
    return std::ranges::any_of(input.strand_ties, ties) ||
           std::ranges::any_of(input.strand_riders, stands);
}

/// Near a constraint that holds the two together there, or did.
RodContacts::Tie RodContacts::find_tie(const RodContactInput& input, const Piece& a,
                                       const Piece& b) const
{
    if (b.strand)
        return is_tied(input, a, b) ? Tie::holds : Tie::none;
    const auto near = [&](const HeldEnd& end, double u, const Piece& piece) {
        const double reach = kTight * (a.radius + b.radius) / rods_[piece.rod].length;
        return end.site.block == BlockId{number_, piece.rod} &&
               is_near(u, piece.from, piece.to, reach);
    };
    Tie tie = Tie::none;
    for (std::size_t i = 0; i < input.links.size(); ++i) {
        const RodLink& link = input.links[i];
        const RodConstraintKind kind = input.scene.rod_constraints[i].kind;
        if (kind == RodConstraintKind::distance || link.b.site.block.model != number_)
            continue;
        const bool slides = kind == RodConstraintKind::keyhole || kind == RodConstraintKind::pearl;
        const double u_a = slides ? input.link_states[i].u : link.a.site.u, u_b = link.b.site.u;
        if ((near(link.a, u_a, a) && near(link.b, u_b, b)) ||
            (near(link.a, u_a, b) && near(link.b, u_b, a)))
            tie = std::max(tie, input.link_states[i].is_released ? Tie::left : Tie::holds);
    }
    return tie;
}

/// Newton for the nearest places of the two curves, within the pieces.
RodContacts::Meeting RodContacts::find_meeting(const RodContactInput& input, const Piece& a,
                                               const Piece& b) const
{
    constexpr int kPasses = 3;
    const NearestParts parts = find_nearest_parts(a.a, a.b, b.a, b.b);
    Meeting found;
    found.u_a = a.from + (a.to - a.from) * parts.a;
    found.u_b = b.from + (b.to - b.from) * parts.b;
    for (int i = 0;; ++i) {
        const CurvePoint at_a = curve_of(input, a, found.u_a);
        const CurvePoint at_b = curve_of(input, b, found.u_b);
        found.way = at_a.point - at_b.point;
        if (i == kPasses)
            break;
        const Vec3 &p = at_a.first, &q = at_b.first;
        const double pp = dot(p, p), qq = dot(q, q), pq = dot(p, q);
        const double pr = dot(p, found.way), qr = dot(q, found.way);
        const double det = pp * qq - pq * pq;
        const double step_a = parts.is_parallel || !(det > 0) ? 0 : (pq * qr - qq * pr) / det;
        const double u_a = std::clamp(found.u_a + step_a, a.from, a.to),
                     step_b = (qr + (u_a - found.u_a) * pq) / qq,
                     u_b = std::clamp(found.u_b + step_b, b.from, b.to);
        // At the end of the one the other goes on to where it is nearest to that.
        const bool is_at_end = u_b != found.u_b + step_b && !parts.is_parallel;
        const double back = ((u_b - found.u_b) * pq - pr) / pp;
        found.u_a = is_at_end ? std::clamp(found.u_a + back, a.from, a.to) : u_a;
        found.u_b = u_b;
    }
    const auto begins = [](const Piece& piece, double u) {
        return !piece.is_first && u - piece.from < kNodePart * (piece.to - piece.from);
    };
    found.is_told = !parts.is_parallel && (begins(a, found.u_a) || begins(b, found.u_b));
    return found;
}

void RodContacts::add_meeting(const RodContactInput& input, const Piece& a, const Piece& b,
                              double deepest, std::vector<RodTouch>& found) const
{
    const Meeting met = find_meeting(input, a, b);
    const double distance = length(met.way), unit = unit_of(input);
    RodTouch touch;
    touch.gap = distance - a.radius - b.radius;
    if (met.is_told || !(distance > 0) || touch.gap < -deepest ||
        touch.gap > 20 * unit + (a.speed + b.speed) * input.h)
        return;
    const Pose at_a = pose_on(input, a, met.u_a), at_b = pose_on(input, b, met.u_b);
    const Vec3 normal = met.way / distance;
    touch.place = at_b.translation + normal * (b.radius + 0.5 * touch.gap);
    Attachment& made = touch.rows;
    made = make_contact(curve_pair(a, b), {site_on(a, met.u_a), at_a.translation, at_a.rotation},
                        {site_on(b, met.u_b), at_b.translation, at_b.rotation}, touch.place, normal,
                        touch.gap);
    made.length = touch.gap - distance; // of the curves, not of where the sites are to rounding
    made.friction = sqrt(a.feel->friction * b.feel->friction);
    made.restitution = max(a.feel->bounce, b.feel->bounce);
    found.push_back(touch);
}

void RodContacts::find_on_curves(const RodContactInput& input, Room& room) const
{
    const std::vector<Piece>& pieces = room.pieces.list;
    room.boxes.clear();
    const double near = 10 * max(input.gravity, 0.1) * input.h * input.h;
    for (const Piece& piece : pieces)
        room.boxes.push_back(
            box_around(piece.a, piece.b, piece.radius + piece.off + piece.speed * input.h + near));
    room.is_fixed.assign(room.boxes.size(), 0);
    room.grid.find_pairs(room.boxes, room.is_fixed, room.pairs);
    for (const Pair& pair : room.pairs) {
        const Piece &a = pieces[pair.a],
                    &b = pieces[pair.b]; // strands are last: b alone may be one
        if (a.strand || !a.feel->touches || !b.feel->touches || are_neighbours(a, b) ||
            is_inside(curve_pair(a, b)))
            continue;
        const Tie tie = find_tie(input, a, b);
        if (tie != Tie::holds)
            add_meeting(input, a, b,
                        tie == Tie::left ? kLeaving * min(a.radius, b.radius) : kAnyDepth,
                        room.all);
    }
}

void RodContactSource::add_attachments(std::span<const Trial> trials, double t0, double t1,
                                       std::vector<Attachment>& found) const noexcept
{
    const RodContactInput input{input_.scene,  input_.rods,    trials[number_].state, input_.pile,
                                input_.bodies, input_.links,   input_.link_states,    t0,
                                t1 - t0,       input_.gravity, input_.threads};
    for (const RodTouch& touch : contacts_.find(input, *room_))
        found.push_back(touch.rows);
}

bool is_rod_contact(AttachmentKey key)
{
    return key.source() == KeySource::rod_body_contact ||
           key.source() == KeySource::rod_rod_contact ||
           key.source() == KeySource::rod_strand_contact;
}

} // namespace sinew
