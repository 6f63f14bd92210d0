// Rods that touch: their rows in a step, what these push with.

#include "math/functions.h"
#include "models/strand/bases.h"
#include "world/parts.h"
#include "world/row_geometry.h"

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

RodContactInput World::Parts::rod_contact_input(double h) const
{
    return {.scene = scene,
            .rods = *rods.model,
            .state = state.models[rods.number],
            .pile = rigid.pile(),
            .bodies = pile,
            .links = rods.links,
            .link_states = rods.state,
            .time = state.time,
            .h = h,
            .gravity = length(strand::Gravity(scene, state.time).value),
            .threads = work.threads};
}

void World::Parts::take_rods(double h, std::vector<Attachment>& attachments,
                             std::vector<std::uint32_t>& tied) const
{
    if (rods.contacts.is_empty())
        return;
    for (const RodTouch& touch : rods.contacts.find(rod_contact_input(h))) {
        if (touch.body != RodTouch::kNoBody && rigid.pile().bodies[touch.body].is_free())
            tied.push_back(touch.body);
        attachments.push_back(touch.rows);
    }
}

namespace {

const HeldForce* find_held(std::span<const HeldForce> held, std::uint64_t key)
{
    const auto found = std::ranges::lower_bound(held, key, {}, &HeldForce::key);
    return found != held.end() && found->key == key ? &*found : nullptr;
}

} // namespace

std::vector<RodTouch> World::Parts::rod_touches_now() const
{
    if (!has_rods() || rods.contacts.is_empty())
        return {};
    std::vector<RodTouch> touches = rods.contacts.find(rod_contact_input(scene.settings.step));
    std::erase_if(touches, [&](const RodTouch& touch) {
        const HeldForce* held = find_held(state.held, touch.rows.key);
        return !held || held->force[0] == 0;
    });
    return touches;
}

void World::Parts::add_rod_forces(std::vector<ActingForce>& forces)
{
    if (has_rods())
        add_link_forces(forces);
    for (const RodTouch& touch : rod_touches_now()) {
        const HeldForce& held = *find_held(state.held, touch.rows.key);
        const std::array<Vec3, 2> tangents = make_tangents(touch.rows.normal);
        const Vec3 force = touch.rows.normal * held.force[0] + tangents[0] * held.force[1] +
                           tangents[1] * held.force[2];
        forces.push_back({.kind = ActingForce::Kind::contact,
                          .object = scene.rods[touch.rows.a.block.index].object,
                          .force = force,
                          .place = touch.place});
    }
}

/// What constraints push and turn with: the multipliers of their rows, as wrenches on both ends.
void World::Parts::add_link_forces(std::vector<ActingForce>& forces)
{
    for (Attachment& made : link_rows_now()) {
        const HeldForce* held = find_held(state.held, made.key);
        if (!held)
            continue;
        if (is_sliding(made))
            made.a.u = held->u;
        const std::array motion = {locate_site(made.a), made.b.block == kGround
                                                            ? made.ground.motion_at(state.time)
                                                            : locate_site(made.b)};
        RowSet rows;
        add_group(made, rows);
        const RowGroup& group = rows.group[0];
        update_geometry(made, group, motion, rows);
        const std::size_t i = *constraint_of(made);
        const RodConstraint& c = scene.rod_constraints[i];
        const bool is_first = made.a.block == rods.links[i].a.site.block;
        for (const int side : {0, 1}) {
            Wrench sum{{0, 0, 0}, {0, 0, 0}};
            for (int r = 0; r < group.row_count; ++r) {
                const Wrench& unit =
                    rows.direction[std::size_t(group.first_direction + side * group.row_count + r)];
                sum.force += unit.force * held->force[std::size_t(r)];
                sum.torque += unit.torque * held->force[std::size_t(r)];
            }
            const ObjectId object = (side == 0) == is_first ? c.a : c.b;
            if (object.is_valid())
                forces.push_back({.kind = c.kind == RodConstraintKind::spring
                                              ? ActingForce::Kind::spring
                                              : ActingForce::Kind::constraint,
                                  .object = object,
                                  .force = sum.force,
                                  .place = motion[std::size_t(side)].pose.translation,
                                  .torque = sum.torque});
        }
    }
}

} // namespace sinew
