#include "constraints/coupling.h"

#include "islands/contact_rows.h"
#include "islands/rows/pair_rows.h"
#include "islands/rows/row_geometry.h"
#include "math/functions.h"
#include "models/rigid/contacts/surfaces.h"
#include "models/rigid/joints/joints.h"
#include "scene/objects/bodies.h"

#include <algorithm>
#include <limits>

namespace sinew {

namespace {

constexpr std::uint64_t kContactPoints = 4; ///< keys of a contact
constexpr std::uint64_t kJointGroups = 4;   ///< what always holds; motor, lower and upper limit

bool is_contact(AttachmentKey key) { return key.source() == KeySource::body_contact; }
bool is_joint(AttachmentKey key) { return key.source() == KeySource::body_joint; }

SpringEnd make_end(const Scene& scene, const BodyMap& map, const LinkageModel& linkages,
                   const RigidModel& rigid, ObjectId object)
{
    SpringEnd end{.object = object};
    const ObjectId around = map.around[object.index];
    if (map.is_in_moved(object)) {
        end.body = rigid.find_body(around);
        end.site = {.block = {kBodies, *end.body}};
        if (const auto frame = find_fixed_frame(scene, object, around))
            end.point = rigid.point_in_body(*end.body, frame->origin);
    } else if (const auto site = linkages.find_site(object, kLinkages)) {
        end.site = *site;
    }
    return end;
}

} // namespace

Coupling make_coupling(const Scene& scene, const LinkageModel& linkages, const RigidModel& rigid)
{
    const Pile& pile = rigid.pile();
    Coupling coupling{.carrier = std::vector<Site>(pile.bodies.size())};
    const BodyMap map = make_body_map(scene);
    for (const JointModel& joint : pile.joints)
        for (const std::uint32_t body : {joint.a, joint.b}) {
            const ObjectId object = rigid.object_of(body);
            if (pile.bodies[body].is_free() ||
                (map.around[object.index].is_valid() && !map.is_loose_on_moved(object)))
                continue;
            if (const auto site = linkages.find_site(object, kLinkages)) {
                coupling.carrier[body] = *site;
                coupling.is_used = true;
            }
        }
    const bool is_charli = scene.settings.linkage_method == LinkageMethod::charli;
    for (std::uint32_t i = 0; i < pile.bodies.size() && !is_charli; ++i) {
        if (pile.bodies[i].is_free() || pile.bodies[i].shape_count == 0 || coupling.is_carried(i))
            continue;
        if (const auto site = linkages.find_site(rigid.object_of(i), kLinkages);
            site && linkages.has_axes(*site)) {
            coupling.carrier[i] = *site;
            coupling.is_used = coupling.has_obstacles = true;
        }
    }
    for (std::uint32_t i = 0; i < scene.point_springs.size(); ++i) {
        const PointSpring& spring = scene.point_springs[i];
        if (!map.is_in_moved(spring.a) && !map.is_in_moved(spring.b))
            continue;
        coupling.springs.push_back({i, make_end(scene, map, linkages, rigid, spring.a),
                                    make_end(scene, map, linkages, rigid, spring.b)});
        coupling.is_used = true;
    }
    return coupling;
}

void hand_to_carrier(const Coupling& coupling, std::uint32_t body, Attachment& contact)
{
    if (body < coupling.carrier.size() && coupling.is_carried(body) &&
        contact.b.block == BlockId{kBodies, body})
        contact.b = coupling.carrier[body];
}

void find_tied(const Coupling& coupling, const Pile& pile, const PileState& state,
               std::span<const char> soft, std::vector<std::uint32_t>& tied)
{
    tied.clear();
    for (std::size_t j = 0; j < pile.joints.size(); ++j) {
        const JointModel& joint = pile.joints[j];
        if (state.joints[j].is_broken || joint.is_off)
            continue;
        if (coupling.is_carried(joint.a))
            tied.push_back(joint.b);
        if (coupling.is_carried(joint.b))
            tied.push_back(joint.a);
    }
    for (std::size_t i = 0; i < coupling.springs.size(); ++i)
        for (const SpringEnd* end : {&coupling.springs[i].a, &coupling.springs[i].b})
            if (end->body && !soft[i])
                tied.push_back(*end->body);
    for (const CarriedFrame& frame : coupling.frames)
        tied.push_back(frame.body);
    for (const ContactState& contact : state.contacts) {
        if (!coupling.has_obstacles)
            break;
        if (contact.manifold.count == 0)
            continue;
        const std::uint32_t a = pile.shapes[contact.shapes.a].body,
                            b = pile.shapes[contact.shapes.b].body;
        if (coupling.is_carried(a) && pile.bodies[b].is_free())
            tied.push_back(b);
        if (coupling.is_carried(b) && pile.bodies[a].is_free())
            tied.push_back(a);
    }
    tied.insert(tied.end(), coupling.on_rods.begin(), coupling.on_rods.end());
}

// ---------------------------------------------------------------- contacts

namespace {

struct TakenContact {
    std::uint32_t a, b; ///< bodies; the normal points from a to b
    double friction, bounce, rolling;
};

TakenContact find_material(const Pile& pile, const ContactState& contact)
{
    const BodyShape &shape_a = pile.shapes[contact.shapes.a],
                    &shape_b = pile.shapes[contact.shapes.b];
    const PairMaterial material = material_of(pile, shape_a, shape_b);
    return {shape_a.body, shape_b.body, material.friction, material.bounce, material.rolling};
}

/// Where a point of a contact is in the world: between the two surfaces.
Vec3 place_of(const Pile& pile, const PileState& state, const ContactState& contact, std::size_t k)
{
    const auto at = [&](std::uint32_t shape, const Vec3& local) {
        const BodyState& body = state.bodies[pile.shapes[shape].body];
        return apply_to_point(Pose{body.q, body.x} * pile.shapes[shape].place, local);
    };
    const ContactPoint& point = contact.manifold.point[k];
    return (at(contact.shapes.a, point.on_a) + at(contact.shapes.b, point.on_b)) * 0.5;
}

/// The same with the two sides exchanged.
void turn_round(Attachment& contact)
{
    std::swap(contact.a, contact.b);
    std::swap(contact.point_a, contact.point_b);
    std::swap(contact.axes_a, contact.axes_b);
    contact.normal = -contact.normal;
}

/// Whether a surface runs on without being pushed back.
bool runs(const Pile& pile, const BodyShape& shape)
{
    return shape.is_moving() || (shape.belt != Vec3{0, 0, 0} && !pile.bodies[shape.body].is_free());
}

/// Where one of the two surfaces moves by itself.
void add_drift(const CouplingInput& input, const PileState& state, const ContactState& contact,
               const TakenContact& pair, const Vec3& place, double gap, Attachment& made)
{
    const bool is_a = runs(input.pile, input.pile.shapes[contact.shapes.a]);
    if (!is_a && !runs(input.pile, input.pile.shapes[contact.shapes.b]))
        return;
    const BodyShape& shape = input.pile.shapes[is_a ? contact.shapes.a : contact.shapes.b];
    const BodyState& body = state.bodies[shape.body];
    const Pose X = Pose{body.q, body.x} * shape.place;
    const Placed placed{shape.shape.get(), X.translation, rotation_matrix(X.rotation)};
    if (!is_a)
        turn_round(made); // the ground is always b
    const Vec3 belt = rotate(body.q, shape.belt);
    const Vec3 velocity = body.v + cross(body.w, place - body.x) + own_velocity(placed, place) +
                          belt - made.normal * dot(made.normal, belt);
    stand_on_surface(velocity, input.time, place, gap, state.bodies[is_a ? pair.b : pair.a].x,
                     made);
}

/// Pushes b away from a: b is the attachment's a.
Attachment make_body_contact(const CouplingInput& input, const PileState& state,
                             const ContactState& contact, const TakenContact& pair, std::size_t k)
{
    const BodyState &a = state.bodies[pair.a], &b = state.bodies[pair.b];
    const Vec3 place = place_of(input.pile, state, contact, k);
    Attachment made = make_contact({}, {site_of(input.coupling, pair.b), b.x, b.q},
                                   {site_of(input.coupling, pair.a), a.x, a.q}, place,
                                   contact.manifold.normal, contact.manifold.point[k].gap);
    made.friction = pair.friction;
    made.rolling = pair.rolling;
    made.restitution = pair.bounce;
    add_drift(input, state, contact, pair, place, contact.manifold.point[k].gap, made);
    return made;
}

/// Where a contact's friction and rolling resistance stand among its rows.
struct ContactRows {
    std::array<Vec3, 2> tangents;
    double side; ///< −1 where the contact is turned round
    bool has_friction, has_rolling;
    std::size_t roll = has_friction ? 3 : 1; ///< first row of rolling resistance

    ContactRows(const Attachment& made, const ContactState& contact)
        : tangents(make_tangents(made.normal)),
          side(made.normal == contact.manifold.normal ? 1 : -1), has_friction(made.friction > 0),
          has_rolling(made.rolling > 0)
    {
    }
};

/// What point k of a contact pushed with in the step before; its points share the rest evenly.
HeldForce force_of(const Attachment& made, const ContactState& contact, std::size_t k, double h)
{
    const ContactRows rows(made, contact);
    const double share = h * contact.manifold.count;
    const Vec3 friction = contact.friction / share * rows.side;
    const Vec3 roll = contact.roll / share * rows.side;
    HeldForce held{.key = made.key};
    held.force[0] = contact.impulse[k] / h;
    for (std::size_t i = 0; i < 2; ++i) {
        if (rows.has_friction)
            held.force[1 + i] = dot(friction, rows.tangents[i]);
        if (rows.has_rolling)
            held.force[rows.roll + i] = dot(roll, rows.tangents[i]);
    }
    return held;
}

} // namespace

void stand_on_surface(const Vec3& velocity, double time, const Vec3& place, double gap,
                      const Vec3& site_a, Attachment& contact)
{
    contact.b = {};
    contact.point_b = place;
    contact.axes_b = {};
    contact.length = gap - dot(contact.normal, site_a);
    contact.ground = {.place = {.rate = velocity}, .about = place, .at = time};
}

void add_contacts(const CouplingInput& input, const PileState& state,
                  std::vector<Attachment>& attachments, std::vector<HeldForce>& held)
{
    for (std::size_t c = 0; c < state.contacts.size(); ++c) {
        const ContactState& contact = state.contacts[c];
        const TakenContact pair = find_material(input.pile, contact);
        if (!input.taken[pair.a] && !input.taken[pair.b])
            continue;
        for (std::size_t k = 0; k < std::size_t(contact.manifold.count); ++k) {
            Attachment made = make_body_contact(input, state, contact, pair, k);
            made.key = {KeySource::body_contact, kContactPoints * c + k};
            held.push_back(force_of(made, contact, k, input.h));
            attachments.push_back(made);
        }
    }
}

// ---------------------------------------------------------------- joints

namespace {

Attachment::Kind kind_of(JointKind kind)
{
    switch (kind) {
    case JointKind::ball: return Attachment::Kind::tie;
    case JointKind::hinge: return Attachment::Kind::hinge;
    case JointKind::slider: return Attachment::Kind::slider;
    case JointKind::fixed: return Attachment::Kind::fixed;
    case JointKind::distance: return Attachment::Kind::distance;
    case JointKind::universal:
    case JointKind::locks:
    case JointKind::gear:
    case JointKind::rack:
    case JointKind::screw: return Attachment::Kind::pair;
    }
    return Attachment::Kind::tie;
}

Attachment::Coordinate coordinate_of(JointKind kind)
{
    return kind == JointKind::hinge    ? Attachment::Coordinate::turn
           : kind == JointKind::slider ? Attachment::Coordinate::way
                                       : Attachment::Coordinate::distance;
}

bool has_limits(const JointModel& joint)
{
    constexpr double kAny = std::numeric_limits<double>::infinity();
    return joint.low > -kAny || joint.high < kAny;
}

bool has_coordinate(JointKind kind)
{
    return kind == JointKind::hinge || kind == JointKind::slider;
}

/// The rows of one joint: ways are those of its b seen from its a, so b is the attachment's a.
void add_joint(const CouplingInput& input, const PileState& state, std::size_t j,
               std::vector<Attachment>& attachments)
{
    const JointModel& joint = input.pile.joints[j];
    Attachment base;
    base.a = site_of(input.coupling, joint.b);
    base.b = site_of(input.coupling, joint.a);
    base.point_a = joint.in_b.translation;
    base.point_b = joint.in_a.translation;
    base.axes_a = joint.in_b.rotation;
    base.axes_b = joint.in_a.rotation;
    base.coordinate = coordinate_of(joint.kind);
    base.last = state.joints[j].coordinate;
    const auto add = [&](Attachment::Kind kind, std::uint64_t number) -> Attachment& {
        Attachment& made = attachments.emplace_back(base);
        made.kind = kind;
        made.key = {KeySource::body_joint, kJointGroups * j + number};
        return made;
    };
    const bool is_rope = joint.kind == JointKind::distance && has_limits(joint);
    if (!is_rope) {
        Attachment& made = add(kind_of(joint.kind), 0);
        if (made.kind == Attachment::Kind::pair)
            return set_pair(joint.pair, made);
        made.length = joint.length;
        made.speed = joint.kind == JointKind::distance ? joint.speed : 0;
    }
    const bool has_motor = joint.has_motor || joint.has_servo;
    if (has_coordinate(joint.kind) && (has_motor || joint.friction > 0)) {
        Attachment& motor = add(Attachment::Kind::motor, 1);
        const double q = base.last;
        const double wanted = joint.has_servo   ? (joint.target - q) / input.h
                              : joint.has_motor ? joint.speed
                                                : 0;
        motor.speed = std::clamp(wanted, min((joint.low - q) / input.h, 0.0),
                                 max((joint.high - q) / input.h, 0.0));
        motor.most = has_motor ? joint.most_force : joint.friction;
    }
    if (!is_rope && !has_coordinate(joint.kind))
        return;
    for (const double side : {1.0, -1.0}) {
        const double bound = side > 0 ? joint.low : joint.high;
        if (abs(bound) == std::numeric_limits<double>::infinity())
            continue;
        Attachment& limit = add(Attachment::Kind::limit, side > 0 ? 2 : 3);
        limit.length = bound;
        limit.side = side;
    }
}

} // namespace

void add_joints(const CouplingInput& input, const PileState& state,
                std::vector<Attachment>& attachments)
{
    for (std::size_t j = 0; j < input.pile.joints.size(); ++j) {
        const JointModel& joint = input.pile.joints[j];
        if (!state.joints[j].is_broken && !joint.is_off && do_carriers_hold(input.pile, state, j) &&
            (input.taken[joint.a] || input.taken[joint.b]))
            add_joint(input, state, j, attachments);
    }
}

// ---------------------------------------------------------------- frames

void add_frames(const Coupling& coupling, std::vector<Attachment>& attachments)
{
    for (const CarriedFrame& frame : coupling.frames) {
        Attachment made;
        made.key = {KeySource::carried_frame, frame.body};
        made.kind = Attachment::Kind::fixed;
        made.a = {.block = {kBodies, frame.body}};
        made.b = frame.site;
        made.point_b = frame.in_object.translation;
        made.axes_b = frame.in_object.rotation;
        attachments.push_back(made);
    }
}

// ---------------------------------------------------------------- springs

void make_springs(const Coupling& coupling, const Scene& scene, const Posture& posture,
                  const std::vector<Affine>& objects, std::vector<Attachment>& springs)
{
    springs.clear();
    const auto set_end = [&](const SpringEnd& end, Site& site, Vec3& point) {
        site = end.site;
        point = end.site.block == kGround ? objects[end.object.index].origin : end.point;
    };
    for (const BodySpring& spring : coupling.springs) {
        const PointSpring& wanted = scene.point_springs[spring.spring];
        const auto number = [&](Value value) { return value_at(scene, value, posture, objects); };
        Attachment made;
        made.key = {KeySource::body_spring, spring.spring};
        made.kind = Attachment::Kind::pull;
        set_end(spring.a, made.a, made.point_a);
        set_end(spring.b, made.b, made.point_b);
        made.length = number(wanted.rest_length);
        made.stiffness = number(wanted.stiffness);
        made.damping = number(wanted.damping);
        springs.push_back(made);
    }
}

double spring_energy(const Coupling& coupling, const Scene& scene, const Posture& posture,
                     const std::vector<Affine>& objects)
{
    double energy = 0;
    for (const BodySpring& spring : coupling.springs) {
        const PointSpring& s = scene.point_springs[spring.spring];
        const Vec3 from = objects[s.a.index].origin, to = objects[s.b.index].origin;
        const double stretch = length(to - from) - value_at(scene, s.rest_length, posture, objects);
        energy += 0.5 * value_at(scene, s.stiffness, posture, objects) * stretch * stretch;
    }
    return energy;
}

// ---------------------------------------------------------------- back

namespace {

void keep_contact(const CouplingInput& input, const Attachment& made, const HeldForce& held,
                  PileState& state)
{
    const std::uint64_t point = made.key.index() % kContactPoints;
    ContactState& contact = state.contacts[made.key.index() / kContactPoints];
    const ContactRows rows(made, contact);
    const auto across = [&](std::size_t first) { // the sum of two rows, as an impulse
        return (rows.tangents[0] * held.force[first] + rows.tangents[1] * held.force[first + 1]) *
               input.h * rows.side;
    };
    if (point == 0)
        contact.friction = contact.roll = {0, 0, 0};
    contact.twist = 0;
    contact.impulse[point] = held.force[0] * input.h;
    if (rows.has_friction)
        contact.friction += across(1);
    if (rows.has_rolling)
        contact.roll += across(rows.roll);
}

/// Rows of a joint that push, as a force on its b [N].
Vec3 force_of(const Attachment& made, const HeldForce& held, const PileState& state,
              const JointModel& joint)
{
    if (made.kind == Attachment::Kind::tie || made.kind == Attachment::Kind::hinge ||
        made.kind == Attachment::Kind::fixed)
        return {held.force[0], held.force[1], held.force[2]};
    const BodyState &a = state.bodies[joint.a], &b = state.bodies[joint.b];
    if (made.kind == Attachment::Kind::pair) {
        const PairFrames frames = {a.x + rotate(a.q, joint.in_a.translation),
                                   b.x + rotate(b.q, joint.in_b.translation),
                                   a.q * joint.in_a.rotation, b.q * joint.in_b.rotation};
        std::array<PairRow, kMostPairRows> rows;
        Vec3 force = {0, 0, 0};
        for (std::size_t i = 0, n = lay_pair(joint.pair, frames, made.last, rows); i < n; ++i)
            force += rows[i].l * held.force[i];
        return force;
    }
    const auto axis = [&](const Vec3& e) { return rotate(a.q * joint.in_a.rotation, e); };
    if (made.kind == Attachment::Kind::slider)
        return axis({0, 1, 0}) * held.force[0] + axis({0, 0, 1}) * held.force[1];
    if (made.coordinate == Attachment::Coordinate::turn)
        return {0, 0, 0};
    if (made.coordinate == Attachment::Coordinate::way)
        return axis({1, 0, 0}) * (made.side * held.force[0]);
    const Vec3 way =
        b.x + rotate(b.q, joint.in_b.translation) - a.x - rotate(a.q, joint.in_a.translation);
    const double d = length(way);
    return d > 0 ? way * (made.side * held.force[0] / d) : Vec3{0, 0, 0};
}

} // namespace

int keep_forces(const CouplingInput& input, std::span<const Attachment> attachments,
                PileState& state, std::vector<HeldForce>& held)
{
    for (std::size_t j = 0; j < input.pile.joints.size(); ++j)
        if (input.taken[input.pile.joints[j].a] || input.taken[input.pile.joints[j].b]) {
            state.joints[j].force = state.joints[j].torque = {0, 0, 0};
            state.joints[j].drive = 0;
        }
    for (const Attachment& made : attachments) {
        const HeldForce* found = find_force(held, made.key);
        if (!found)
            continue;
        if (is_contact(made.key))
            keep_contact(input, made, *found, state);
        if (!is_joint(made.key))
            continue;
        const std::size_t j = made.key.index() / kJointGroups;
        state.joints[j].force += force_of(made, *found, state, input.pile.joints[j]);
        if (made.kind == Attachment::Kind::motor || made.kind == Attachment::Kind::limit)
            state.joints[j].drive += made.side * found->force[0];
    }
    std::erase_if(held, [](const HeldForce& force) { return is_contact(force.key); });
    int broken = 0;
    for (std::size_t j = 0; j < input.pile.joints.size(); ++j) {
        const JointModel& joint = input.pile.joints[j];
        const bool breaks = (input.taken[joint.a] || input.taken[joint.b]) &&
                            !state.joints[j].is_broken && !joint.is_off &&
                            (length(state.joints[j].force) > joint.breaks ||
                             length(state.joints[j].torque) > joint.breaks_torque);
        if (breaks)
            state.joints[j] = {.is_broken = true};
        broken += breaks;
    }
    return broken;
}

} // namespace sinew
