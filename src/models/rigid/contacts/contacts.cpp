#include "models/rigid/contacts/contacts.h"

#include "base/parallel.h"
#include "models/rigid/contacts/surfaces.h"
#include "models/rigid/joints/joints.h"

#include <algorithm>
#include <atomic>

namespace sinew {

namespace {

Vec3 velocity_at(const BodyState& body, const Vec3& x)
{
    return body.v + cross(body.w, x - body.x);
}

Box grown(const Placed& placed, double by)
{
    const Vec3 extent = extent_of(placed) + Vec3{by, by, by};
    return {placed.x - extent, placed.x + extent};
}

bool is_within(const Box& inner, const Box& outer)
{
    return inner.low.x >= outer.low.x && inner.low.y >= outer.low.y && inner.low.z >= outer.low.z &&
           inner.high.x <= outer.high.x && inner.high.y <= outer.high.y &&
           inner.high.z <= outer.high.z;
}

/// Leans a box into the motion, for a few steps.
void lean(Box& box, const Vec3& way)
{
    for (int i = 0; i < 3; ++i)
        (way[i] < 0 ? box.low[i] : box.high[i]) += way[i];
}

/// How fast the surface of a shape moves by itself, at most [m/s].
double own_speed(const Placed& placed)
{
    return placed.shape->mesh ? placed.shape->mesh->speed : 0;
}

bool is_moving(const Placed& placed)
{
    return placed.shape->mesh && placed.shape->mesh->is_moving();
}

/// With which ω the surface of a shape turns: balls stay as they are.
Vec3 turning_of(const Placed& placed, const BodyState& body)
{
    return placed.shape->kind == CollisionKind::sphere ? Vec3{0, 0, 0} : body.w;
}

/// How far a shape reaches about its middle; planes reach everywhere, and what turns them is
/// felt where the other is.
double reach_about(const Placed& placed)
{
    return placed.shape->kind == CollisionKind::plane ? 0 : placed.shape->bounding_radius;
}

constexpr double kTurnedWithin = 0.25; // of the margin, for each of both: it covers slow turning

constexpr std::size_t kPortion = 128; // shapes or contacts that one thread takes at once

/// Gives a shape a new box when it left its own. True when it did.
bool update_box(const Pile& pile, const StepLengths& lengths, const Placed& placed,
                const BodyShape& shape, const BodyState& body, Box& box)
{
    constexpr double kStepsAhead = 5;
    const double way = lengths.h * (length(velocity_at(body, placed.x)) + own_speed(placed));
    const double turning = lengths.h * length(turning_of(placed, body)) * reach_about(placed);
    const double needed =
        0.5 * lengths.margin + way + max(0.0, turning - kTurnedWithin * lengths.margin);
    if (is_within(grown(placed, needed), box))
        return false;
    box = grown(placed, needed + lengths.fat);
    if (pile.bodies[shape.body].is_free())
        lean(box, body.v * (kStepsAhead * lengths.h));
    return true;
}

/// Places the shapes and gives new boxes to those that left theirs. True when one did.
bool update_boxes(const Pile& pile, int threads, const StepLengths& lengths, PileState& state,
                  ContactWork& work)
{
    place_shapes(pile, state.bodies, threads, work.placed);
    work.has_left.assign(pile.shapes.size() / kPortion + 1, 0);
    for_each_portion(pile.shapes.size(), kPortion, threads,
                     [&](std::size_t begin, std::size_t end) {
                         for (std::size_t s = begin; s < end; ++s)
                             if (update_box(pile, lengths, work.placed[s], pile.shapes[s],
                                            state.bodies[pile.shapes[s].body], state.boxes[s]))
                                 work.has_left[begin / kPortion] = 1;
                     });
    return std::ranges::find(work.has_left, 1) != work.has_left.end();
}

/// The shapes of a body are searched for as one, unless they are so many that they may lie far and
/// wide.
void group_shapes(const Pile& pile, ContactWork& work)
{
    constexpr std::uint32_t kMost = 64;
    work.groups.clear();
    work.is_fixed.clear();
    for (std::uint32_t s = 0; s < pile.shapes.size(); ++s) {
        const std::uint32_t body = pile.shapes[s].body;
        if (!work.groups.empty() && work.groups.back().body == body &&
            pile.bodies[body].shape_count <= kMost) {
            ++work.groups.back().count;
            continue;
        }
        work.groups.push_back({.body = body, .first = s, .count = 1});
        work.is_fixed.push_back(!pile.bodies[body].is_free());
    }
}

void put_boxes_around(const PileState& state, int threads, ContactWork& work)
{
    work.group_boxes.resize(work.groups.size());
    for_each_portion(
        work.groups.size(), kPortion, threads, [&](std::size_t begin, std::size_t end) {
            for (std::size_t g = begin; g < end; ++g) {
                const ShapeGroup& group = work.groups[g];
                Box around = state.boxes[group.first];
                for (std::uint32_t s = group.first + 1; s < group.first + group.count; ++s)
                    for (int k = 0; k < 3; ++k) {
                        around.low[k] = min(around.low[k], state.boxes[s].low[k]);
                        around.high[k] = max(around.high[k], state.boxes[s].high[k]);
                    }
                work.group_boxes[g] = around;
            }
        });
}

/// Shapes of one body, or of two that nothing moves, never touch, nor do those that a joint holds
/// together, or of which the script says so.
void drop_own_pairs(const Pile& pile, const PileState& state, const ContactWork& work,
                    std::vector<Pair>& pairs)
{
    std::vector<Pair> joined;
    for (std::size_t j = 0; j < pile.joints.size(); ++j)
        if (const JointModel& joint = pile.joints[j]; !state.joints[j].is_broken && !joint.is_off)
            joined.push_back({std::min(joint.a, joint.b), std::max(joint.a, joint.b)});
    std::ranges::sort(joined);
    std::erase_if(pairs, [&](const Pair& pair) {
        const std::uint32_t a = work.groups[pair.a].body, b = work.groups[pair.b].body;
        return a == b || (!pile.bodies[a].is_free() && !pile.bodies[b].is_free()) ||
               (!joined.empty() &&
                std::ranges::binary_search(joined, Pair{std::min(a, b), std::max(a, b)})) ||
               (!pile.meetings.empty() && pile.meetings.contains(std::minmax({a, b})));
    });
}

void add_near_shapes(const PileState& state, const ShapeGroup& a, const ShapeGroup& b,
                     std::vector<Pair>& pairs)
{
    for (std::uint32_t i = a.first; i < a.first + a.count; ++i)
        for (std::uint32_t j = b.first; j < b.first + b.count; ++j)
            if (do_overlap(state.boxes[i], state.boxes[j]))
                pairs.push_back({i, j});
}

/// From pairs of groups to those of their shapes, sorted.
void spread_pairs(const PileState& state, int threads, ContactWork& work)
{
    std::atomic<std::size_t> count = 0;
    work.found.resize((work.group_pairs.size() + kPortion - 1) / kPortion);
    for_each_index(work.found.size(), threads, [&](std::size_t portion) {
        std::vector<Pair>& found = work.found[portion];
        found.clear();
        const std::size_t end = std::min(work.group_pairs.size(), (portion + 1) * kPortion);
        for (std::size_t k = portion * kPortion; k < end && count <= kMostPairs.most; ++k) {
            const Pair& pair = work.group_pairs[k];
            const std::size_t before = found.size();
            add_near_shapes(state, work.groups[pair.a], work.groups[pair.b], found);
            count += found.size() - before;
        }
    });
    work.pairs.clear();
    if (is_too_many(count, kMostPairs))
        return;
    for (const std::vector<Pair>& found : work.found)
        work.pairs.insert(work.pairs.end(), found.begin(), found.end());
    if (!std::ranges::is_sorted(work.pairs))
        std::ranges::sort(work.pairs);
}

void find_pairs(const Pile& pile, const PileState& state, int threads, ContactWork& work)
{
    if (!work.are_pairs_known)
        group_shapes(pile, work);
    put_boxes_around(state, threads, work);
    work.grid.find_pairs(work.group_boxes, work.is_fixed, work.group_pairs, threads);
    drop_own_pairs(pile, state, work, work.group_pairs);
    if (work.groups.size() == pile.shapes.size()) // each its own
        work.pairs.swap(work.group_pairs);
    else
        spread_pairs(state, threads, work);
    work.are_pairs_known = true;
}

constexpr std::uint32_t kNew = 0xffffffff;

/// Which contact goes on as which of the present pairs'. Those of a pair stay side by side. True
/// when nothing changes.
bool find_sources(const std::vector<ContactState>& contacts, ContactWork& work)
{
    work.source.clear();
    bool is_same = true;
    std::uint32_t old = 0;
    for (const Pair& pair : work.pairs) {
        while (old < contacts.size() && contacts[old].shapes < pair)
            ++old;
        const bool is_new = old == contacts.size() || contacts[old].shapes != pair;
        is_same = is_same && !is_new && old == work.source.size();
        if (is_new)
            work.source.push_back({pair, kNew});
        for (; old < contacts.size() && contacts[old].shapes == pair; ++old)
            work.source.push_back({pair, old});
    }
    return is_same && work.source.size() == contacts.size();
}

/// Contacts of the present pairs; those that were there before keep what they know.
void merge_pairs(int threads, std::vector<ContactState>& contacts, ContactWork& work)
{
    if (find_sources(contacts, work))
        return;
    work.next.resize(work.source.size());
    for_each_portion(work.next.size(), kPortion, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c)
            if (const auto& [shapes, old] = work.source[c]; old == kNew)
                work.next[c] = {.shapes = shapes};
            else
                work.next[c] = contacts[old];
    });
    contacts.swap(work.next);
}

bool is_near(const BodyState& now, const Pose& then, double tolerance, double size)
{
    const Vec3 way = now.x - then.translation;
    const Quat turn = {now.q.x - then.rotation.x, now.q.y - then.rotation.y,
                       now.q.z - then.rotation.z, now.q.w - then.rotation.w};
    return squared_length(way) < tolerance * tolerance &&
           4 * dot(turn, turn) * size * size < tolerance * tolerance;
}

/// Then gaps alone say what has changed.
bool has_hardly_moved(const ContactState& contact, const BodyState& a, const BodyState& b,
                      double unit, double size)
{
    const double tolerance = 0.1 * unit; // of each: the gap changes by twice as much
    return contact.is_found && is_near(a, contact.found_a, tolerance, size) &&
           is_near(b, contact.found_b, tolerance, size);
}

/// The impulse of the old point with the same feature, or of the nearest one.
double take_impulse(const ContactPoint& point, const Manifold& old,
                    const std::array<double, 4>& impulses, double near, std::array<bool, 4>& used)
{
    int best = -1;
    double nearest = near * near;
    for (int i = 0; i < old.count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        if (used[k])
            continue;
        if (old.point[k].feature == point.feature) {
            best = i;
            break;
        }
        if (const double way = squared_length(old.point[k].on_a - point.on_a); way < nearest)
            nearest = way, best = i;
    }
    if (best < 0)
        return 0;
    used[static_cast<std::size_t>(best)] = true;
    return impulses[static_cast<std::size_t>(best)];
}

/// Impulses from the old points; what finds no new one is shared out, so that a stack stays up when
/// features change.
void match_points(const Manifold& old, double near, ContactState& contact)
{
    const std::array<double, 4> before = contact.impulse;
    std::array<bool, 4> used = {};
    double lost = 0;
    for (int i = 0; i < old.count; ++i)
        lost += before[static_cast<std::size_t>(i)];
    contact.impulse = {};
    for (int i = 0; i < contact.manifold.count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        contact.impulse[k] = take_impulse(contact.manifold.point[k], old, before, near, used);
        lost -= contact.impulse[k];
    }
    for (int i = 0; i < contact.manifold.count && lost > 0; ++i)
        contact.impulse[static_cast<std::size_t>(i)] += lost / contact.manifold.count;
}

/// A shape with the body that moves it.
struct MovingShape {
    const Placed& placed;
    const BodyState& body;
};

/// What two shapes may come nearer by in the step: as their bodies move where the smaller one is,
/// and as both turn about there. The same for either order.
CollideLengths reach_of(const StepLengths& lengths, const MovingShape& a, const MovingShape& b,
                        double own = 0)
{
    const double radius_a = a.placed.shape->bounding_radius;
    const double radius_b = b.placed.shape->bounding_radius, radius = min(radius_a, radius_b);
    const double turning =
        lengths.h * radius *
        (length(turning_of(a.placed, a.body)) + length(turning_of(b.placed, b.body)));
    double moving = 0;
    for (const Placed* shape : {&a.placed, &b.placed})
        if (shape->shape->bounding_radius == radius)
            moving =
                max(moving, length(velocity_at(a.body, shape->x) - velocity_at(b.body, shape->x)));
    CollideLengths near = make_lengths(lengths.unit);
    near.reach = lengths.margin + lengths.h * (moving + own) +
                 max(0.0, turning - 2 * kTurnedWithin * lengths.margin);
    return near;
}

/// What a contact with a new manifold keeps of the one before.
void take_over(const StepLengths& lengths, const BodyState& a, const BodyState& b,
               const Manifold& old, ContactState& contact)
{
    contact.found_a = {a.q, a.x};
    contact.found_b = {b.q, b.x};
    contact.is_found = true;
    match_points(old, 32 * lengths.unit, contact);
    if (contact.manifold.count == 0 || old.count == 0) {
        contact.age = 0;
        contact.friction = {0, 0, 0};
        contact.twist = 0;
        contact.roll = {0, 0, 0};
    }
}

/// True when the manifold was found anew.
bool update_contact(const Pile& pile, const StepLengths& lengths, const PileState& state,
                    const std::vector<Placed>& placed, ContactState& contact)
{
    const Placed &a = placed[contact.shapes.a], &b = placed[contact.shapes.b];
    const BodyState& body_a = state.bodies[pile.shapes[contact.shapes.a].body];
    const BodyState& body_b = state.bodies[pile.shapes[contact.shapes.b].body];
    const double size = min(a.shape->bounding_radius, b.shape->bounding_radius);
    ++contact.age;
    if (has_hardly_moved(contact, body_a, body_b, lengths.unit, size)) {
        update_gaps(a, b, contact.manifold);
        return false;
    }
    const Manifold old = contact.manifold;
    collide(a, b, reach_of(lengths, {a, body_a}, {b, body_b}), contact.manifold);
    take_over(lengths, body_a, body_b, old, contact);
    return true;
}

bool has_mesh(const Placed& a, const Placed& b)
{
    return a.shape->kind == CollisionKind::mesh || b.shape->kind == CollisionKind::mesh;
}

/// The old patch that a new one goes on from: that with its key, else the one with most nearly its
/// normal.
ContactState* find_old(std::span<ContactState> old, const SubManifold& sub)
{
    constexpr double kAlike = 0.9; // cosine
    ContactState* best = nullptr;
    double nearest = kAlike;
    for (ContactState& contact : old) {
        if (contact.manifold.count == 0)
            continue;
        const double along =
            contact.key == sub.key ? 2 : dot(contact.manifold.normal, sub.manifold.normal);
        if (along > nearest)
            nearest = along, best = &contact;
    }
    return best;
}

/// The patches of a pair with a mesh, as contacts behind those of the pairs before; one without
/// points where there are none. True when they were found anew.
bool update_mesh_contacts(const Pile& pile, const StepLengths& lengths, const PileState& state,
                          std::span<ContactState> old, ContactWork& work)
{
    const Pair pair = old[0].shapes;
    const Placed &a = work.placed[pair.a], &b = work.placed[pair.b];
    const BodyState& body_a = state.bodies[pile.shapes[pair.a].body];
    const BodyState& body_b = state.bodies[pile.shapes[pair.b].body];
    const double size = min(a.shape->bounding_radius, b.shape->bounding_radius);
    for (ContactState& contact : old)
        ++contact.age;
    if (!is_moving(a) && !is_moving(b) &&
        has_hardly_moved(old[0], body_a, body_b, lengths.unit, size)) {
        for (ContactState& contact : old) {
            update_gaps(a, b, contact.manifold);
            work.next.push_back(contact);
        }
        return false;
    }
    collide_all(a, b, reach_of(lengths, {a, body_a}, {b, body_b}, own_speed(a) + own_speed(b)),
                *work.scratch, work.patches);
    if (work.patches.empty())
        work.patches.emplace_back();
    for (const SubManifold& sub : work.patches) {
        ContactState* before = find_old(old, sub);
        ContactState contact = before ? *before : ContactState{.shapes = pair};
        if (before)
            before->manifold.count = 0; // taken
        const Manifold then = contact.manifold;
        contact.manifold = sub.manifold;
        contact.key = sub.key;
        take_over(lengths, body_a, body_b, then, contact);
        work.next.push_back(contact);
    }
    return true;
}

/// All contacts where some are with meshes: their number changes.
void update_all_contacts(const Pile& pile, const StepLengths& lengths, PileState& state,
                         ContactWork& work)
{
    work.next.clear();
    work.next_has_patch.clear();
    for (std::size_t c = 0, end = 0; c < state.contacts.size(); c = end) {
        ContactState& first = state.contacts[c];
        for (end = c; end < state.contacts.size() && state.contacts[end].shapes == first.shapes;)
            ++end;
        const std::size_t begin = work.next.size();
        bool is_new = false;
        if (has_mesh(work.placed[first.shapes.a], work.placed[first.shapes.b])) {
            is_new = update_mesh_contacts(pile, lengths, state,
                                          std::span(state.contacts).subspan(c, end - c), work);
        } else {
            is_new = update_contact(pile, lengths, state, work.placed, first);
            work.next.push_back(first);
        }
        for (std::size_t k = begin; k < work.next.size(); ++k) // a patch stays at its number
            work.next_has_patch.push_back(!is_new && begin == c && work.has_patch[k]);
    }
    state.contacts.swap(work.next);
    work.has_patch.swap(work.next_has_patch);
}

/// Few contacts are found sooner by one.
int threads_for(const PileState& state, int threads)
{
    constexpr std::size_t kMany = 256;
    return state.contacts.size() < kMany ? 1 : threads;
}

} // namespace

void place_shapes(const Pile& pile, const std::vector<BodyState>& bodies, int threads,
                  std::vector<Placed>& placed)
{
    placed.resize(pile.shapes.size());
    for_each_portion(placed.size(), kPortion, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t s = begin; s < end; ++s) {
            const BodyShape& shape = pile.shapes[s];
            const BodyState& body = bodies[shape.body];
            placed[s] = {shape.shape.get(), body.x + rotate(body.q, shape.place.translation),
                         rotation_matrix(body.q * shape.place.rotation)};
        }
    });
}

void update_contacts(const Pile& pile, int threads, const StepLengths& lengths, PileState& state,
                     ContactWork& work)
{
    if (update_boxes(pile, threads, lengths, state, work) || !work.are_pairs_known) {
        find_pairs(pile, state, threads, work);
        merge_pairs(threads, state.contacts, work);
        work.has_patch.assign(state.contacts.size(), 0);
    }
    if (std::ranges::any_of(pile.shapes, [](const BodyShape& shape) {
            return shape.shape->kind == CollisionKind::mesh;
        }))
        return update_all_contacts(pile, lengths, state, work);
    for_each_index(state.contacts.size(), threads_for(state, threads), [&](std::size_t c) {
        if (update_contact(pile, lengths, state, work.placed, state.contacts[c]))
            work.has_patch[c] = 0;
    });
}

void refresh_gaps(const Pile& pile, int threads, double h, PileState& state, ContactWork& work)
{
    place_shapes(pile, state.bodies, threads, work.placed);
    const auto carry = [&](std::uint32_t shape, Vec3& local) { // with a surface that moves
        if (is_moving(work.placed[shape]))
            local += velocity_on(*work.placed[shape].shape->mesh, local) * h;
    };
    for_each_index(state.contacts.size(), threads_for(state, threads), [&](std::size_t c) {
        ContactState& contact = state.contacts[c];
        for (std::size_t k = 0; k < std::size_t(contact.manifold.count); ++k) {
            carry(contact.shapes.a, contact.manifold.point[k].on_a);
            carry(contact.shapes.b, contact.manifold.point[k].on_b);
        }
        if (contact.manifold.count > 0)
            update_gaps(work.placed[contact.shapes.a], work.placed[contact.shapes.b],
                        contact.manifold);
    });
}

PileState make_pile_state(const Pile& pile, std::vector<BodyState> bodies)
{
    PileState state;
    state.bodies = std::move(bodies);
    constexpr Box kNowhere = {{1, 1, 1}, {-1, -1, -1}};
    state.boxes.assign(pile.shapes.size(), kNowhere);
    state.moods.resize(pile.bodies.size());
    state.rest.resize(pile.bodies.size());
    for (const JointModel& joint : pile.joints)
        state.joints.push_back({.coordinate = joint_coordinate(joint, state.bodies[joint.a],
                                                               state.bodies[joint.b], 0)});
    return state;
}

} // namespace sinew
