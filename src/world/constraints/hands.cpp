// Hands that hold things, and the forces that people look at.

#include "scene/validate/problems.h"
#include "world/parts.h"

#include <algorithm>

namespace sinew {

namespace {

Attachment make_hand(const Grab& grab, const Site& site, std::size_t number)
{
    Attachment hand;
    hand.key = {KeySource::grab, number};
    hand.kind = Attachment::Kind::spring;
    hand.a = site;
    hand.point_b = grab.target;
    hand.stiffness = grab.stiffness;
    hand.damping = grab.damping;
    return hand;
}

Problem cannot_hold(const Scene& scene, ObjectId object, const char* why, const char* remedy)
{
    const bool is_known = object.is_valid() && object.index < scene.objects.size();
    const std::string name = is_known ? object_names(scene)[object.index] : "that";
    return make_problem(scene, Severity::error, "cannot-hold",
                        is_known ? scene.objects[object.index].origin : Origin{}, "objects",
                        "'" + name + "' cannot be held: " + why, remedy);
}

bool is_sound(const Grab& grab)
{
    return is_finite(grab.target) && grab.stiffness > 0 && grab.damping >= 0 &&
           is_finite(grab.stiffness) && is_finite(grab.damping) && is_finite(grab.along);
}

} // namespace

Problems World::set_grabs(const std::vector<Grab>& grabs)
{
    Parts& p = *parts_;
    std::vector<Site> grips;
    std::vector<Attachment> hands;
    bool holds_strand = false;
    for (const Grab& grab : grabs) {
        const bool is_body = p.rigid.find_body(grab.object).has_value();
        const std::optional<std::uint32_t> rod = p.find_rod(grab.object);
        const std::optional<StrandModel::Spot> spot = p.find_strand_spot(grab);
        const std::optional<Site> site =
            rod    ? Site{.block = {kRods, *rod}, .u = std::clamp(grab.along, 0.0, 1.0)}
            : spot ? Site{{kStrands, spot->tree}, spot->segment, spot->fraction}
                   : p.linkages->find_site(grab.object, 0);
        if (p.charli && !is_body && !rod && !spot)
            return {cannot_hold(p.scene, grab.object, "the method 'charli' knows no hands",
                                "leave `linkages(method = charli)` out")};
        if (!site && !is_body)
            return {cannot_hold(p.scene, grab.object, "it is not a mass or label that moves freely",
                                "take hold of a mass")};
        if (!is_sound(grab))
            return {cannot_hold(p.scene, grab.object,
                                "its target or stiffness is not a finite number",
                                "give finite numbers")};
        if (is_body)
            continue;
        holds_strand = holds_strand || spot;
        grips.push_back(*site);
        hands.push_back(make_hand(grab, *site, hands.size()));
    }
    if (holds_strand)
        p.lend_strand_rows();
    else
        p.take_back_strand_rows();
    p.grabs = grabs;
    p.grips = std::move(grips);
    p.hands = p.ensemble.attachments = std::move(hands);
    return {};
}

void World::Parts::add_hands(std::span<const char> taken)
{
    for (std::size_t i = 0; i < grabs.size(); ++i) {
        const auto body = rigid.find_body(grabs[i].object);
        if (!body || !taken[*body])
            continue;
        Attachment& hand = ensemble.attachments.emplace_back(
            make_hand(grabs[i], Site{.block = {kBodies, *body}}, hands.size() + i));
        hand.point_a = rigid.point_in_body(*body, grabs[i].point);
    }
}

ObjectId World::find_grip(ObjectId object) const
{
    const Parts& p = *parts_;
    const auto can_hold = [&](ObjectId id) {
        return p.rigid.find_body(id) || p.find_rod(id) || p.find_tree(id) ||
               (!p.charli && p.linkages->find_site(id, 0));
    };
    if (!object.is_valid() || object.index >= p.scene.objects.size())
        return {};
    for (ObjectId id = object; id.is_valid() && id.index > 0; id = p.scene.objects[id.index].parent)
        if (can_hold(id))
            return id;
    if (object.index > 0)
        for (std::uint32_t i = object.index + 1; i < p.scene.objects[object.index].end; ++i)
            if (can_hold(ObjectId{i}))
                return ObjectId{i};
    return {};
}

double World::mass_around(ObjectId object) const
{
    if (const auto body = parts_->rigid.find_body(object))
        return parts_->pile().bodies[*body].mass;
    if (const auto rod = parts_->find_rod(object))
        return parts_->rods.model->plan(*rod).total_mass();
    if (const auto tree = parts_->find_tree(object))
        return parts_->strands.mass_of(*tree);
    const std::optional<Site> site = parts_->linkages->find_site(object, 0);
    return site ? parts_->linkages->mass_of(*site) : 0;
}

std::vector<ActingForce> World::forces() const { return parts_->forces_now(); }

/// What hands pull with: on linkages, and on everything else.
World::Parts::HandForces World::Parts::hand_forces(Trial& trial) const
{
    const Parts& p = *this;
    std::vector<SiteMotion> motions(p.grips.size());
    for (std::size_t i = 0; i < p.grips.size(); ++i)
        if (p.has_rods() && p.grips[i].block.model == kRods)
            motions[i] = p.locate_site(p.grips[i]);
        else if (p.grips[i].block.model == kLinkages)
            p.linkages->locate(trial, p.state.time, {&p.grips[i], 1}, {&motions[i], 1});
    std::size_t grip_count = 0;
    HandForces pulls;
    for (const Grab& grab : p.grabs) {
        if (p.rigid.find_body(grab.object)) {
            pulls.on_others.push_back({.kind = ActingForce::Kind::hand,
                                       .object = grab.object,
                                       .force = p.rigid.hand_force(grab, p.state.pile),
                                       .place = p.rigid.grip_of(grab, p.state.pile)});
            continue;
        }
        if (p.find_strand_spot(grab)) {
            pulls.on_others.push_back(p.hand_on_strand(grab, p.hands[grip_count++].key));
            continue;
        }
        const SiteMotion& motion = motions[grip_count];
        const Site& grip = p.grips[grip_count++];
        const Vec3 force = grab.stiffness * (grab.target - motion.pose.translation) -
                           grab.damping * motion.twist.linear;
        if (grip.block.model != kLinkages)
            pulls.on_others.push_back({.kind = ActingForce::Kind::hand,
                                       .object = grab.object,
                                       .force = force,
                                       .place = motion.pose.translation});
        else
            pulls.on_linkages.push_back({grip, force});
    }
    return pulls;
}

/// Hands, and joints of bodies that linkages carry.
std::vector<SiteForce> World::Parts::forces_on_linkages(Trial& trial) const
{
    const Parts& p = *this;
    std::vector<SiteForce> on_linkages = hand_forces(trial).on_linkages;
    for (std::size_t j = 0; j < p.state.pile.joints.size() && p.coupling.is_used; ++j) {
        const JointModel& joint = p.pile().joints[j];
        for (const std::uint32_t body : {joint.a, joint.b})
            if (p.coupling.is_carried(body))
                on_linkages.push_back(
                    {p.coupling.carrier[body],
                     p.state.pile.joints[j].force * (body == joint.a ? -1.0 : 1.0),
                     ActingForce::Kind::constraint});
    }
    return on_linkages;
}

std::vector<ActingForce> World::Parts::forces_now() const
{
    const Parts& p = *this;
    Trial trial = p.linkages_now();
    std::vector<ActingForce> forces =
        p.linkages->forces(trial, p.state.time, forces_on_linkages(trial));
    std::erase_if(forces, [&](const ActingForce& force) { // the bodies' shares of their own weight
        return force.object.is_valid() && force.object.index >= p.scene.objects.size();
    });
    p.rigid.add_forces(p.pile(), p.state.pile, forces);
    p.add_strand_forces(forces);
    p.add_rod_forces(forces);
    const std::vector<ActingForce> on_others = hand_forces(trial).on_others;
    forces.insert(forces.end(), on_others.begin(), on_others.end());
    return forces;
}

std::vector<double> World::residuals() const
{
    const Parts& p = *parts_;
    std::vector<double> residuals(p.scene.distance_constraints.size() +
                                  p.scene.path_constraints.size());
    Trial linkages = p.linkages_now();
    p.linkages->read_residuals(linkages, p.state.time, residuals);
    return residuals;
}

std::vector<Contact> World::Parts::contacts_now() const
{
    std::vector<Contact> list = rigid.contacts(pile(), state.pile);
    for (const StrandTouch& touch : touches_now())
        list.push_back({.a = rigid.object_of(touch.body),
                        .b = strands.object_of(touch.tree),
                        .place = touch.place,
                        .normal = touch.normal,
                        .gap = touch.gap - touch.allowed,
                        .force = find_force(state.held, touch.key)->force[0]});
    for (const RodTouch& touch : rod_touches_now())
        list.push_back({.a = other_of(touch),
                        .b = scene.rods[touch.rows.a.block.index].object,
                        .place = touch.place,
                        .normal = touch.rows.normal,
                        .gap = touch.gap,
                        .force = find_force(state.held, touch.rows.key)->force[0]});
    return list;
}

std::vector<Contact> World::contacts() const { return parts_->contacts_now(); }

std::vector<int> World::layers() const
{
    return RigidModel::layers(parts_->pile(), parts_->state.pile, parts_->scene.bodies.size());
}

} // namespace sinew
