// Rods that touch: their rows in a step, what these push with.

#include "islands/rows/row_geometry.h"
#include "math/functions.h"
#include "models/strand/bases/bases.h"
#include "world/parts.h"

#include <algorithm>

namespace sinew {

std::optional<std::uint32_t> World::Parts::find_rod(ObjectId object) const
{
    const auto found = std::ranges::find(scene.rods, object, &Rod::object);
    if (found == scene.rods.end())
        return std::nullopt;
    return static_cast<std::uint32_t>(found - scene.rods.begin());
}

bool World::Parts::may_rods_touch_bodies() const
{
    return !scene.rods.empty() && scene.settings.rods.contact != RodContact::none &&
           std::ranges::any_of(scene.rods, [](const Rod& rod) {
               return !rod.contact.is_constant() || rod.contact.number > 0.5;
           });
}

/// Where the segments are that rods may touch; `objects`: where these are now.
std::vector<StrandPiece> World::Parts::strands_near_rods(std::span<const Affine> objects) const
{
    return place_segments(strands, rod_partners, scene, objects, state.time, state.strands);
}

RodContactInput World::Parts::rod_contact_input(double h, std::span<const StrandPiece> near) const
{
    return {.scene = scene,
            .rods = *rods.model,
            .state = state.models[kRods],
            .pile = pile(),
            .bodies = state.pile,
            .links = rods.links,
            .link_states = state.constraints.links,
            .time = state.time,
            .h = h,
            .gravity = length(strand::Gravity(scene, state.time).value),
            .threads = work.threads,
            .strands = near,
            .strand_ties = strand_coupling.held,
            .strand_riders = strand_coupling.riders};
}

void World::Parts::take_rods(double h, std::span<const Affine> before,
                             std::vector<Attachment>& attachments,
                             std::vector<std::uint32_t>& tied) const
{
    if (rods.contacts.is_empty())
        return;
    const std::vector<StrandPiece> near = strands_near_rods(before);
    for (const RodTouch& touch : rods.contacts.find(rod_contact_input(h, near), *rods.room)) {
        if (touch.body != RodTouch::kNoBody && pile().bodies[touch.body].is_free())
            tied.push_back(touch.body);
        attachments.push_back(touch.rows);
        if (touch.body != RodTouch::kNoBody)
            hand_to_carrier(coupling, touch.body, attachments.back());
    }
}

std::vector<RodTouch> World::Parts::rod_touches_now() const
{
    if (!has_rods() || rods.contacts.is_empty())
        return {};
    const std::shared_ptr<RodContacts::Room> room = RodContacts::make_room();
    const std::vector<StrandPiece> near = rod_partners.empty()
                                              ? std::vector<StrandPiece>{}
                                              : strands_near_rods(objects_at(state.time));
    std::vector<RodTouch> touches;
    for (const RodTouch& touch :
         rods.contacts.find(rod_contact_input(scene.settings.step, near), *room))
        if (const HeldForce* held = find_force(state.held, touch.rows.key);
            held && held->force[0] != 0)
            touches.push_back(touch);
    return touches;
}

ObjectId World::Parts::other_of(const RodTouch& touch) const
{
    const BlockId block = touch.rows.b.block;
    if (touch.body != RodTouch::kNoBody)
        return rigid.object_of(touch.body);
    return block.model == kStrands ? strands.object_of(block.index)
                                   : scene.rods[block.index].object;
}

void World::Parts::add_rod_forces(std::vector<ActingForce>& forces) const
{
    if (has_rods())
        add_link_forces(forces);
    for (const RodTouch& touch : rod_touches_now()) {
        const HeldForce& held = *find_force(state.held, touch.rows.key);
        const std::array<Vec3, 2> tangents = make_tangents(touch.rows.normal);
        const Vec3 force = touch.rows.normal * held.force[0] + tangents[0] * held.force[1] +
                           tangents[1] * held.force[2];
        forces.push_back({.kind = ActingForce::Kind::contact,
                          .object = scene.rods[touch.rows.a.block.index].object,
                          .force = force,
                          .place = touch.place});
    }
}

/// What constraints push and turn with: the multipliers of their rows, on both ends.
void World::Parts::add_link_forces(std::vector<ActingForce>& forces) const
{
    for (const LinkLoad& load : link_loads_now()) {
        const RodConstraint& c = scene.rod_constraints[load.constraint];
        for (const std::size_t end : {0, 1})
            if (const ObjectId object = end == 0 ? c.a : c.b; object.is_valid())
                forces.push_back({.kind = c.kind == RodConstraintKind::spring
                                              ? ActingForce::Kind::spring
                                              : ActingForce::Kind::constraint,
                                  .object = object,
                                  .force = load.on[end].force,
                                  .place = load.on[end].place,
                                  .torque = load.on[end].torque});
    }
}

std::vector<World::Parts::LinkLoad> World::Parts::link_loads_now() const
{
    std::vector<LinkLoad> loads;
    std::vector<RodLink> links = rods.links; // rows point into them
    std::vector<Attachment> rows_now;
    if (add_link_rows_now(links, rows_now))
        return loads;
    for (std::size_t i = 0; i < state.constraints.links.size(); ++i)
        if (const RodLinkState& link = state.constraints.links[i]; link.has_eye_load)
            loads.push_back(
                {.constraint = i,
                 .on = {ConstraintLoad{link.eye_place, -link.eye_force, -link.eye_torque},
                        ConstraintLoad{link.eye_place, link.eye_force, link.eye_torque}}});
    for (const Attachment& made : rows_now) {
        const HeldForce* held = find_force(state.held, made.key);
        if (!held)
            continue;
        const std::array motion = {locate_site(made.a), made.b.block == kGround
                                                            ? made.ground.motion_at(state.time)
                                                            : locate_site(made.b)};
        RowSet rows;
        add_group(made, rows);
        const RowGroup& group = rows.group[0];
        update_geometry(made, group, motion, rows);
        const std::size_t constraint = *constraint_of(made);
        const bool is_turned = made.a.block != rods.links[constraint].a.site.block;
        LinkLoad& load = loads.emplace_back(LinkLoad{.constraint = constraint});
        for (const std::size_t side : {0, 1}) {
            ConstraintLoad& end = load.on[is_turned ? 1 - side : side];
            const Pose& pose = motion[side].pose;
            end.place = apply_to_point(pose, side == 0 ? made.point_a : made.point_b);
            for (std::size_t r = 0; r < group.row_count; ++r) {
                const Wrench& unit =
                    rows.direction[group.first_direction + side * group.row_count + r];
                end.force += unit.force * held->force[r];
                end.torque += unit.torque * held->force[r];
            }
            end.torque -= cross(end.place - pose.translation, end.force);
        }
    }
    return loads;
}

/// A constraint of several groups of rows has the sum of what they do.
void World::Parts::add_rod_loads(std::span<const Affine> objects,
                                 std::span<ConstraintLoad> loads) const
{
    for (std::size_t i = 0; i < loads.size(); ++i) {
        loads[i].place =
            rods.links[i].is_eye && rods.links[i].b.site.block == kGround ? rods.links[i].anchor
            : rods.links[i].is_eye ? place_of(rods.links[i].b)
            : is_sliding(scene.rod_constraints[i])
                ? rods.model->place_of(state.models[kRods], rods.links[i].a.site.block.index,
                                       state.constraints.links[i].u)
                : objects[scene.rod_constraints[i].a.index].origin;
    }
    for (const LinkLoad& load : link_loads_now()) {
        const ConstraintLoad& part = load.on[0];
        ConstraintLoad& sum = loads[load.constraint];
        sum.force += part.force;
        sum.torque += part.torque + cross(part.place - sum.place, part.force);
    }
}

} // namespace sinew
