// What people look at: contacts with their forces, stack heights, what overlaps.

#include "models/rigid/joints/joints.h"
#include "models/rigid/lengths.h"
#include "models/rigid/model.h"
#include "models/rigid/paper/layers.h"
#include "sinew/threads.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sinew {

namespace {

Vec3 place_of_point(const BodyShape& shape, const BodyState& body, const ContactPoint& point)
{
    return apply_to_point(Pose{body.q, body.x} * shape.place, point.on_b);
}

} // namespace

void RigidModel::add_forces(const Pile& pile, const PileState& state,
                            std::vector<ActingForce>& forces) const
{
    for (std::size_t i = 0; i < pile.bodies.size(); ++i)
        if (pile.bodies[i].is_free())
            forces.push_back(
                {.kind = ActingForce::Kind::weight,
                 .object = object_[i],
                 .force = pile.gravity * (pile.bodies[i].gravity * pile.bodies[i].mass),
                 .place = state.bodies[i].x});
    for (std::size_t j = 0; j < pile.joints.size() && state.step > 0; ++j) {
        const JointModel& joint = pile.joints[j];
        const JointState& held = state.joints[j];
        if (held.is_broken || !is_in_force(pile, state, j))
            continue;
        const BodyState& body = state.bodies[joint.b];
        const Vec3 place = body.x + rotate(body.q, joint.in_b.translation);
        if (pile.bodies[joint.b].is_free()) // told of the free body
            forces.push_back({.kind = ActingForce::Kind::constraint,
                              .object = object_[joint.b],
                              .force = held.force,
                              .place = place,
                              .torque = held.torque});
        else
            forces.push_back({.kind = ActingForce::Kind::constraint,
                              .object = object_[joint.a],
                              .force = -held.force,
                              .place = place,
                              .torque = -held.torque});
    }
    for (const ContactState& contact : state.contacts) {
        const Manifold& m = contact.manifold;
        const BodyShape& shape = pile.shapes[contact.shapes.b];
        for (std::size_t k = 0; k < static_cast<std::size_t>(m.count); ++k)
            if (contact.impulse[k] != 0)
                forces.push_back(
                    {.kind = ActingForce::Kind::contact,
                     .object = object_[shape.body],
                     .force = (m.normal * contact.impulse[k] + contact.friction / double(m.count)) /
                              state.step,
                     .place = place_of_point(shape, state.bodies[shape.body], m.point[k])});
    }
}

std::vector<Contact> RigidModel::contacts(const Pile& pile, const PileState& state) const
{
    std::vector<Contact> list;
    const StepLengths lengths(pile, state.step);
    for (const ContactState& contact : state.contacts) {
        const Manifold& m = contact.manifold;
        const BodyShape& a = pile.shapes[contact.shapes.a];
        const BodyShape& b = pile.shapes[contact.shapes.b];
        for (std::size_t k = 0; k < static_cast<std::size_t>(m.count); ++k)
            if (m.point[k].gap < lengths.touch)
                list.push_back({.a = object_[a.body],
                                .b = object_[b.body],
                                .place = place_of_point(b, state.bodies[b.body], m.point[k]),
                                .normal = m.normal,
                                .gap = m.point[k].gap,
                                .force = contact.impulse[k] / state.step});
    }
    return list;
}

std::vector<int> RigidModel::layers(const Pile& pile, const PileState& state, std::size_t count)
{
    std::vector<int> list = compute_layers(pile, state, StepLengths(pile, state.step).touch);
    list.resize(count);
    return list;
}

std::vector<RigidModel::Overlap> RigidModel::overlaps(PileState state, double h) const
{
    constexpr double kPart = 0.01;
    find_contacts(pile_, threads_here(), h, state, *make_pile_work());
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> deepest; // by bodies
    for (const ContactState& contact : state.contacts) {
        const BodyShape &a = pile_.shapes[contact.shapes.a], &b = pile_.shapes[contact.shapes.b];
        const double size = 2 * min(a.shape->bounding_radius, b.shape->bounding_radius);
        for (std::size_t k = 0; k < std::size_t(contact.manifold.count); ++k)
            if (const double depth = -contact.manifold.point[k].gap; depth > kPart * size) {
                double& most = deepest[std::minmax({a.body, b.body})];
                most = max(most, depth);
            }
    }
    std::vector<Overlap> list;
    for (const auto& [pair, depth] : deepest)
        list.push_back({object_[pair.first], object_[pair.second], depth});
    return list;
}

} // namespace sinew
