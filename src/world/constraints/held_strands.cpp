// Strands that are held: their rows in a step, how these begin to hold, what they push with.

#include "islands/rows/row_geometry.h"
#include "math/functions.h"
#include "scene/objects/bodies.h"
#include "world/parts.h"

#include <algorithm>
#include <optional>

namespace sinew {

namespace {

/// The body that a strand is held to, or the obstacle in which a point of it is held: it passes
/// through that near there, or the surface would keep it from where it is held.
std::optional<std::uint32_t> find_passed(const Scene& scene, const RigidModel& rigid,
                                         const BodyMap& map, const HeldStrand& held)
{
    if (held.b.body)
        return held.b.body;
    const StrandConstraint& c = scene.strand_constraints[held.constraint];
    const bool stays_there =
        c.kind == StrandConstraintKind::position || c.kind == StrandConstraintKind::fusion;
    if (!stays_there || !c.b.is_valid() || held.b.site.block.model != kTargets)
        return std::nullopt;
    const ObjectId around = map.around[c.b.index];
    return around.is_valid() ? rigid.find_body_or_obstacle(around) : std::nullopt;
}

} // namespace

Problems World::Parts::couple_strands()
{
    if (!has_strands())
        return {};
    const std::vector<Affine> objects = objects_at(state.time);
    const LinkageModel* tied = charli ? nullptr : linkages.get();
    Problems problems =
        make_strand_coupling({scene, tied, rigid, strands, objects}, strand_coupling);
    if (!problems.empty())
        return problems;
    free_bases(objects);
    if (has_bodies()) {
        strand_contacts = StrandContacts(strands, rigid, can_lead, state.time);
        const BodyMap map = make_body_map(scene);
        for (const HeldStrand& held : strand_coupling.held)
            if (const auto body = find_passed(scene, rigid, map, held)) {
                const Site& a = held.a.site;
                const bool is_hub = strands.is_hub({a.block.index, a.element, a.u});
                strand_contacts.pass_through(a.block.index, a.element - (is_hub ? 1 : 0), *body);
            }
        if (scene.settings.settle)
            settle_on_obstacles(objects);
        find_strands_inside(objects);
    }
    if (scene.settings.strands.touch_each_other) {
        const Posture now{state.time, coordinates, {}};
        strand_pairs = StrandPairs(
            strands, {scene, objects, objects, now, state.time, state.time + scene.settings.step},
            state.strands);
    }
    bool is_posed = false;
    for (std::uint32_t i = 0; i < strands.tree_count(); ++i)
        is_posed = is_posed || strands.is_posed(i);
    const bool bends_so_far =
        std::ranges::any_of(scene.strand_properties, [](const StrandProperty& p) {
            return p.kind == StrandPropertyKind::least_radius;
        });
    // Rods come behind: beside them no rows can be lent to a hand later.
    if (!strand_coupling.is_used && strand_coupling.riders.empty() && !strands.has_free_bases() &&
        strand_contacts.is_empty() && strand_pairs.is_empty() && !is_posed && !bends_so_far &&
        scene.rods.empty() && joined.is_empty())
        return {};
    open_strand_rows();
    state.constraints.strand_eases.resize(scene.strand_constraints.size());
    eases.resize(scene.strand_constraints.size());
    return {};
}

void World::Parts::take_strands(std::span<const Affine> before, const Posture& then,
                                const std::vector<Affine>& objects,
                                std::vector<Attachment>& attachments,
                                std::vector<std::uint32_t>& tied)
{
    taken_strands.assign(strands.tree_count(), 0);
    for (std::uint32_t i = 0; i < strands.tree_count(); ++i)
        taken_strands[i] =
            strands.is_posed(i) || (strands.has_free_base(i) && (can_lead.empty() || !can_lead[i]));
    for (const StrandRider& rider : strand_coupling.riders)
        if (rider.carrier.site.block.model == kStrands)
            taken_strands[rider.carrier.site.block.index] = 1;
    for (const Attachment& hand : hands)
        if (hand.a.block.model == kStrands)
            taken_strands[hand.a.block.index] = 1;
    for (const std::vector<Attachment>* others : {&body_room.of_rods, &body_room.of_joined})
        for (const Attachment& made : *others)
            if (made.b.block.model == kStrands)
                taken_strands[made.b.block.index] = 1;
    for (const HeldStrand& held : strand_coupling.held) {
        if (!add_attachments(scene, held, then, objects, attachments)) {
            state.constraints.strand_eases[held.constraint].begin = EaseState::kNever;
            continue;
        }
        for (const StrandEnd* end : {&held.a, &held.b}) {
            if (end->site.block.model == kStrands)
                taken_strands[end->site.block.index] = 1;
            if (end->body)
                tied.push_back(*end->body);
        }
    }
    add_touches_of_strands({scene, before, objects, then, state.time, then.time}, attachments);
    if (!strand_contacts.is_empty()) {
        strand_contacts.find({strands,
                              pile(),
                              state.pile,
                              state.strands,
                              {scene, before, objects, then, state.time, then.time},
                              state.inside,
                              work.threads},
                             strand_search);
        state.inside = strand_search.inside;
    } else
        strand_search.found.clear();
    if (!strand_contacts.is_empty() || !strand_pairs.is_empty()) {
        const double h = then.time - state.time;
        split_touches(strand_search.found, h);
        add_touches(strand_search.found, h, attachments, tied);
        row_touches = strand_search.found;
        for (const StrandPair& pair : row_pairs) {
            taken_strands[pair.a.tree] = taken_strands[pair.b.tree] = 1;
            attachments.push_back(make_attachment(pair));
        }
    }
    for (std::uint32_t i = 0; i < strands.tree_count(); ++i)
        if (strands.is_frozen(scene, i, state.time))
            taken_strands[i] = 0;
    hold_riders(attachments, tied);
    if (std::ranges::find(taken_strands, 1) != taken_strands.end())
        prepare_strands(before, then, objects);
    ensemble.members[kStrands] = taken_strands;
}

/// Each other, and joints against their bounds.
void World::Parts::add_touches_of_strands(const StrandSurroundings& around,
                                          std::vector<Attachment>& attachments)
{
    std::vector<StrandModel::BentJoint> bent;
    strands.find_bent(around.begin, around.end - around.begin, state.strands, bent);
    for (const StrandModel::BentJoint& joint : bent) {
        taken_strands[joint.tree] = 1;
        attachments.push_back(make_attachment(joint));
    }
    if (!strand_pairs.is_empty())
        mutual.pairs = strand_pairs.find(strands, around, state.strands);
}

void World::Parts::add_touches(std::span<const StrandTouch> touches, double h,
                               std::vector<Attachment>& attachments,
                               std::vector<std::uint32_t>& tied)
{
    const Vec3 pull = strand::Gravity(scene, state.time).value * h;
    for (const StrandTouch& touch : touches) {
        taken_strands[touch.tree] = 1;
        if (pile().bodies[touch.body].is_free())
            tied.push_back(touch.body);
        attachments.push_back(
            make_attachment(touch, state.pile, scene.settings.strands.friction, pull));
        hand_to_carrier(coupling, touch.body, attachments.back());
    }
}

void World::Parts::prepare_strands(std::span<const Affine> before, const Posture& then,
                                   std::span<const Affine> objects)
{
    strands.prepare_rows({scene, before, objects, then, state.time, then.time}, state.strands,
                         taken_strands, *strand_rows);
    state.models[kStrands] = strands.state_in_rows(state.strands);
}

void World::Parts::return_strands(double until)
{
    strands.take_from_rows(state.models[kStrands], taken_strands, state.strands);
    strands.turn_back(strand_rows->bases, until, taken_strands, true, state.strands);
}

/// Rows that begin to hold in this step find out how far they are open; those that began a short
/// while ago close that.
void World::Parts::ease_in(std::vector<Attachment>& attachments)
{
    for (Attachment& attachment : attachments) {
        const std::optional<std::uint32_t> number = constraint_of_key(attachment.key);
        if (!number || !(has_only_equal_rows(attachment) || is_above(*number)))
            continue;
        EaseState& began = state.constraints.strand_eases[*number];
        if (began.begin == EaseState::kNever) {
            began = measure_ease(attachment, began);
            if (is_above(*number) && began.gap[0] >= 0) // it is
                began.gap[0] = began.rate[0] = 0;
        }
        Ease& ease = eases[*number];
        ease = began.closing_in(scene.strand_constraints[*number].ease);
        if (ease.span > 0 && state.time < ease.begin + ease.span)
            attachment.ease = &ease;
    }
}

bool World::Parts::is_above(std::uint32_t constraint) const
{
    return scene.strand_constraints[constraint].kind == StrandConstraintKind::above;
}

/// How a group of rows begins to hold now. Numbers beyond its rows stay as they were `before`.
EaseState World::Parts::measure_ease(const Attachment& attachment, EaseState before)
{
    std::array<SiteMotion, 2> motion;
    for (std::size_t side = 0; side < 2; ++side) {
        const Site& site = side == 0 ? attachment.a : attachment.b;
        if (site.block == kGround)
            continue;
        Trial& trial = work.trials[site.block.model];
        trial.state = state.models[site.block.model];
        const Dynamics& model = *ensemble.models[site.block.model];
        model.drive(state.time, state.time, trial);
        model.locate(trial, state.time, std::span(&site, 1), std::span(&motion[side], 1));
    }
    before.begin = state.time;
    measure_opening(attachment, motion, before.gap, before.rate);
    return before;
}

/// Touches as things are now, those alone that pushed in the last step.
std::vector<StrandTouch> World::Parts::touches_now() const
{
    if (strand_contacts.is_empty())
        return {};
    const std::vector<Affine> objects = objects_at(state.time);
    const Posture now{state.time, coordinates, {}};
    StrandSearch search;
    strand_contacts.find(
        {strands,
         pile(),
         state.pile,
         state.strands,
         {scene, objects, objects, now, state.time, state.time + scene.settings.step},
         state.inside},
        search);
    std::vector<StrandTouch>& touches = search.found;
    std::erase_if(touches, [&](const StrandTouch& touch) {
        const HeldForce* found = find_force(state.held, touch.key);
        return !found || found->force[0] == 0;
    });
    return std::move(touches);
}

void World::Parts::add_strand_loads(const std::vector<Affine>& objects,
                                    std::span<ConstraintLoad> loads) const
{
    const StrandLoadInput input{scene,      strands, state.strands, *strand_coupling.targets,
                                state.held, objects, state.time};
    for (const HeldStrand& held : strand_coupling.held) {
        const Wrench load = load_of(input, held);
        loads[held.constraint] = {objects[scene.strand_constraints[held.constraint].a.index].origin,
                                  load.force, load.torque};
    }
}

void World::Parts::add_strand_forces(std::vector<ActingForce>& forces) const
{
    if (!strand_rows)
        return;
    std::vector<ConstraintLoad> loads(scene.strand_constraints.size());
    if (!loads.empty())
        add_strand_loads(objects_at(state.time), loads);
    for (std::size_t i = 0; i < loads.size(); ++i) {
        const StrandConstraint& c = scene.strand_constraints[i];
        const auto& [place, force, torque] = loads[i];
        if (force == Vec3{0, 0, 0} && torque == Vec3{0, 0, 0})
            continue;
        const auto kind = c.kind == StrandConstraintKind::spring ? ActingForce::Kind::spring
                                                                 : ActingForce::Kind::constraint;
        forces.push_back({kind, c.a, force, {}, torque});
        if (c.b.is_valid())
            forces.push_back({kind, c.b, -force, place, -torque});
    }
    for (const StrandTouch& touch : touches_now()) {
        const HeldForce& held = *find_force(state.held, touch.key);
        const std::array<Vec3, 2> tangents = make_tangents(touch.normal);
        Vec3 force = touch.normal * held.force[0];
        if (scene.settings.strands.friction == StrandFriction::disc)
            force += tangents[0] * held.force[1] + tangents[1] * held.force[2];
        forces.push_back(
            {ActingForce::Kind::contact, strands.object_of(touch.tree), force, touch.place});
    }
}

} // namespace sinew
