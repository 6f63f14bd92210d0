// Capsules of physical models against shapes of bodies, against each other, strands and rods.
//
//   in:  capsules and how they move, placed shapes and how they move
//   out: places that may touch within the step, as rows
//
// Capsules of one block do not touch each other: a model that folds keeps itself apart.

#include "contacts/capsule_contacts.h"

#include "collide/broad_phase.h"
#include "contacts/shapes_in_step.h"
#include "islands/contact_rows.h"
#include "math/functions.h"
#include "models/rigid/contacts/surfaces.h"

#include <algorithm>

namespace sinew {

namespace {

constexpr double kEndPart = 0.02; // of a capsule: there it ends
constexpr double kDeep = 0.5;     // of the radius: deeper at the start never touches
constexpr double kTight = 4;      // radii around a tie in which its two sides do not touch

double speed_of(const ContactCapsule& capsule)
{
    return max(length(capsule.velocity_a), length(capsule.velocity_b));
}

Box box_of(const ContactCapsule& capsule, double reach)
{
    const Vec3 &a = capsule.a, &b = capsule.b, r{reach, reach, reach};
    return {Vec3{min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)} - r,
            Vec3{max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)} + r};
}

/// What motions of a step are small: |g| h².
double unit_of(const CapsuleContactInput& input)
{
    constexpr double kLeastGravity = 0.1;
    return max(input.gravity, kLeastGravity) * input.h * input.h;
}

double part_nearest(const ContactCapsule& capsule, const Vec3& x)
{
    const Vec3 way = capsule.b - capsule.a;
    const double square = dot(way, way);
    return square > 0 ? std::clamp(dot(x - capsule.a, way) / square, 0.0, 1.0) : 0;
}

/// True at the end of a capsule that another ends at too, and is the one to touch there.
bool is_told(const ContactCapsule& capsule, double part)
{
    return (capsule.yields[0] && part < kEndPart) || (capsule.yields[1] && part > 1 - kEndPart);
}

ContactSide side_of(const CapsuleContactInput& input, const ContactCapsule& capsule, double part)
{
    const Site site = capsule.site_at(part);
    if (!capsule.is_chord)
        return {site, capsule.at(part), capsule.rotation};
    const Pose pose = input.locate(site);
    return {site, pose.translation, pose.rotation};
}

bool is_near(const ContactCapsule& capsule, const Vec3& place, double reach)
{
    return length(capsule.at(part_nearest(capsule, place)) - place) < reach;
}

/// Whether a tie holds the capsule to a block there.
bool is_tied(const CapsuleContactInput& input, const ContactCapsule& capsule, BlockId other,
             const ContactCapsule* there = nullptr)
{
    const double reach = kTight * (capsule.radius + (there ? there->radius : 0));
    return std::ranges::any_of(input.ties, [&](const CapsuleTie& tie) {
        return tie.own == capsule.site.block && tie.other == other &&
               is_near(capsule, tie.place, reach) && (!there || is_near(*there, tie.place, reach));
    });
}

} // namespace

CapsuleContacts::CapsuleContacts(const CapsuleContactInput& start)
{
    std::vector<AttachmentKey> inside;
    for (const Attachment& made : find(start).rows) {
        const auto radius = [&](const Site& site) {
            const auto same =
                std::ranges::find(start.capsules, site.block,
                                  [](const ContactCapsule& capsule) { return capsule.site.block; });
            return same == start.capsules.end() ? 1e300 : same->radius;
        };
        const double gap = made.length + dot(made.normal, made.point_b - made.point_a);
        if (gap < -kDeep * min(radius(made.a), radius(made.b)))
            inside.push_back(made.key.source() == KeySource::model_contact ? made.key
                                                                           : pair_of(made.key));
    }
    std::ranges::sort(inside);
    is_inside_ = std::move(inside);
}

bool CapsuleContacts::is_inside(AttachmentKey pair) const
{
    return std::ranges::binary_search(is_inside_, pair);
}

CapsuleContactsFound CapsuleContacts::find(const CapsuleContactInput& input) const
{
    CapsuleContactsFound found;
    if (!input.pile.shapes.empty())
        find_on_bodies(input, found);
    find_on_capsules(input, found);
    return found;
}

// ---------------------------------------------------------------- bodies

namespace {

/// The rows of one point of a capsule on a shape.
void add_point(const CapsuleContactInput& input, const ContactCapsule& capsule,
               const Placed& placed, const BodyShape& shape, AttachmentKey key, const Vec3& normal,
               const ContactPoint& point, CapsuleContactsFound& found)
{
    const BodyState& body = input.bodies.bodies[shape.body];
    const double part = part_nearest(capsule, placed.to_world(point.on_b));
    if (is_told(capsule, part))
        return;
    const ContactSide a = side_of(input, capsule, part);
    const double gap = point.gap + dot(normal, a.place - capsule.at(part));
    const Vec3 place = a.place - normal * (capsule.radius + 0.5 * gap);
    Attachment made = make_contact(key, a, {site_of(input.coupling, shape.body), body.x, body.q},
                                   place, normal, gap);
    made.friction = sqrt(capsule.feel.friction * shape.friction);
    made.restitution = max(capsule.feel.bounce, shape.bounce);
    if (const Vec3 drift = own_velocity(placed, place); drift != Vec3{0, 0, 0})
        stand_on_surface(body.v + cross(body.w, place - body.x) + drift, input.time, place, gap,
                         a.place, made);
    if (input.pile.bodies[shape.body].is_free())
        found.bodies.push_back(shape.body);
    found.rows.push_back(made);
}

} // namespace

void CapsuleContacts::find_on_bodies(const CapsuleContactInput& input,
                                     CapsuleContactsFound& found) const
{
    ShapesInStep shapes;
    shapes.update(input.pile, input.bodies, input.h, unit_of(input), 1);
    const std::shared_ptr<CollideScratch> scratch = make_collide_scratch();
    std::vector<SubManifold> manifolds;
    for (std::uint32_t i = 0; i < input.own; ++i) {
        const ContactCapsule& capsule = input.capsules[i];
        if (!capsule.feel.touches)
            continue;
        const double far = speed_of(capsule) * input.h;
        const Box box = box_of(capsule, capsule.radius + far);
        const CapsuleShape shape(capsule.a, capsule.b, capsule.radius);
        for (std::uint32_t s = 0; s < shapes.placed.size(); ++s) {
            const BodyShape& other = input.pile.shapes[s];
            const AttachmentKey pair = body_pair_key(KeySource::model_body_contact, i, s);
            if (!do_overlap(box, shapes.boxes[s]) || is_inside(pair) ||
                is_tied(input, capsule, site_of(input.coupling, other.body).block))
                continue;
            CollideLengths lengths = make_lengths(shapes.unit);
            lengths.reach = shapes.reaches[s] + far;
            collide_all(shape.placed, shapes.placed[s], lengths, *scratch, manifolds);
            std::uint64_t number = 0;
            for (const SubManifold& sub : manifolds)
                for (int p = 0; p < sub.manifold.count && number < kPointsOfPair; ++p, ++number)
                    add_point(input, capsule, shapes.placed[s], other, pair.after(number),
                              -sub.manifold.normal, sub.manifold.point[std::size_t(p)], found);
        }
    }
}

// ---------------------------------------------------------------- capsules

void CapsuleContacts::find_on_capsules(const CapsuleContactInput& input,
                                       CapsuleContactsFound& found) const
{
    std::vector<Box> boxes;
    std::vector<char> is_fixed;
    const double near = 10 * unit_of(input);
    for (const ContactCapsule& capsule : input.capsules) {
        boxes.push_back(box_of(capsule, capsule.radius + speed_of(capsule) * input.h + near));
        is_fixed.push_back(is_fixed.size() >= input.own); // they have finders of their own
    }
    BroadPhase grid;
    std::vector<Pair> pairs;
    grid.find_pairs(boxes, is_fixed, pairs);
    for (const Pair& pair : pairs) {
        const ContactCapsule &a = input.capsules[pair.a], &b = input.capsules[pair.b];
        const AttachmentKey key = capsule_pair_key(pair.a, pair.b);
        if (a.site.block == b.site.block || !a.feel.touches || !b.feel.touches || is_inside(key) ||
            is_tied(input, a, b.site.block, &b) || is_tied(input, b, a.site.block, &a))
            continue;
        const NearestParts at = find_nearest_parts(a.a, a.b, b.a, b.b);
        if (!at.is_parallel && (is_told(a, at.a) || is_told(b, at.b)))
            continue;
        const ContactSide on_a = side_of(input, a, at.a), on_b = side_of(input, b, at.b);
        const Vec3 way = on_a.place - on_b.place;
        const double distance = length(way), gap = distance - a.radius - b.radius;
        if (!(distance > 0) || gap > 2 * near + (speed_of(a) + speed_of(b)) * input.h)
            continue;
        const Vec3 normal = way / distance;
        const Vec3 place = on_b.place + normal * (b.radius + 0.5 * gap);
        Attachment made = make_contact(key, on_a, on_b, place, normal, gap);
        made.friction = sqrt(a.feel.friction * b.feel.friction);
        made.restitution = max(a.feel.bounce, b.feel.bounce);
        found.rows.push_back(made);
    }
}

} // namespace sinew
