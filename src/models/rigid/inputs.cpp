// What a scene does to its bodies from outside: tracks, forces, fields, drags.

#include "math/functions.h"
#include "models/rigid/contacts/patch.h"
#include "models/rigid/model.h"
#include "scene/objects/bodies.h"

#include <algorithm>

namespace sinew {

namespace {

Pose inverse_of(const Pose& X)
{
    const Quat q = conjugate(X.rotation);
    return {q, -rotate(q, X.translation)};
}

bool is_constant(const Value& x, const Value& y, const Value& z)
{
    return x.is_constant() && y.is_constant() && z.is_constant();
}

} // namespace

void RigidModel::find_inputs(const Scene& scene)
{
    const Settings& s = scene.settings;
    is_pushed_ = !is_constant(s.gravity_x, s.gravity_y, s.gravity_z) || !scene.fields.empty();
    const BodyMap map = make_body_map(scene);
    around_.assign(scene.objects.size(), ObjectId{});
    for (std::uint32_t i = 0; i < around_.size(); ++i)
        if (map.is_in_moved(ObjectId{i}))
            around_[i] = map.around[i];
    for (const Force& force : scene.forces)
        is_pushed_ = is_pushed_ || find_body_around(force.object);
    for (const Drag& drag : scene.drags)
        is_pushed_ = is_pushed_ || find_body_around(drag.object);
    for (const Joint& joint : scene.joints) {
        for (const std::optional<Value>& value : {joint.motor, joint.distance, joint.target})
            is_pushed_ = is_pushed_ || (value && !value->is_constant());
        is_pushed_ =
            is_pushed_ || joint.until || !joint.active.is_constant() || joint.active.number <= 0.5;
    }
    is_pushed_ = is_pushed_ || !scene.belts.empty() || !scene.body_torques.empty() ||
                 std::ranges::any_of(scene.bodies, [](const RigidBody& body) {
                     return body.gravity || body.damping > 0 || body.spin_damping > 0;
                 });
}

PileInput RigidModel::make_input() const
{
    PileInput input{pile_, {}};
    for (const MovingSurface& surface : surfaces_) {
        input.surfaces.push_back(surface.copy());
        for (BodyShape& shape : input.pile.shapes)
            if (shape.shape == surface.shape())
                shape.shape = input.surfaces.back().shape();
    }
    return input;
}

void RigidModel::prepare(const Scene& scene, const Posture& posture,
                         const std::vector<Affine>& objects, PileInput& input) const
{
    Pile& pile = input.pile;
    for (std::size_t i = 0; i < scene.joints.size(); ++i) {
        const Joint& joint = scene.joints[i];
        if (joint.motor)
            pile.joints[i].speed = value_at(scene, *joint.motor, posture, objects);
        if (joint.distance) {
            const Rates length = rates_at(scene, *joint.distance, posture.time, 0, Side::before);
            pile.joints[i].length = length.value;
            pile.joints[i].speed = length.first;
        }
        if (joint.target) {
            const Rates target = rates_at(scene, *joint.target, posture.time, 0, Side::before);
            pile.joints[i].target = target.value;
            pile.joints[i].target_speed = target.first;
        }
        constexpr double kSameTime = 1e-9; // of the clock's own rounding
        const bool is_over = joint.until && posture.time > *joint.until + kSameTime;
        pile.joints[i].is_off = is_over || !(value_at(scene, joint.active, posture, objects) > 0.5);
    }
    for (const Belt& belt : scene.belts) {
        const std::uint32_t body = body_of_[belt.object.index];
        const Vec3 in_object{value_at(scene, belt.x, posture, objects),
                             value_at(scene, belt.y, posture, objects),
                             value_at(scene, belt.z, posture, objects)};
        const Vec3 in_body = rotate(conjugate(in_object_[body].rotation), in_object);
        for (std::uint32_t k = 0; k < pile.bodies[body].shape_count; ++k)
            pile.shapes[pile.bodies[body].first_shape + k].belt = in_body;
    }
    const Settings& s = scene.settings;
    pile.gravity = {value_at(scene, s.gravity_x, posture, objects),
                    value_at(scene, s.gravity_y, posture, objects),
                    value_at(scene, s.gravity_z, posture, objects)};
}

bool RigidModel::switch_joints(PileState& state, PileInput& input) const
{
    bool has_switched = false;
    for (JointSwitch& each : state.switches) {
        JointModel& joint = input.pile.joints[each.joint];
        const JointModel& model = pile_.joints[each.joint];
        if (each.is_off != joint.is_off && !state.joints[each.joint].is_broken) {
            has_switched = true;
            const BodyState &a = state.bodies[joint.a], &b = state.bodies[joint.b];
            if (!joint.is_off && joint.kind != JointKind::distance)
                each.shift = inverse_of(model.in_a) * inverse_of(Pose{a.q, a.x}) * Pose{b.q, b.x} *
                             model.in_b;
            state.joints[each.joint] = {};
            for (const std::uint32_t i : {joint.a, joint.b})
                state.rest[i] = {};
        }
        each.is_off = joint.is_off;
        const bool is_shifted = each.shift != Pose{Quat{}, {0, 0, 0}};
        joint.in_a = is_shifted ? model.in_a * each.shift : model.in_a;
    }
    return has_switched;
}

std::optional<std::uint32_t> RigidModel::find_body_around(ObjectId object) const
{
    const ObjectId body = around_[object.index];
    return body.is_valid() ? find_body(body) : std::nullopt;
}

void RigidModel::find_forces(const Scene& scene, const Posture& posture,
                             const std::vector<Affine>& objects, double h, const PileState& state,
                             std::vector<BodyForce>& forces) const
{
    forces.clear();
    const auto vector_at = [&](const Value& x, const Value& y, const Value& z, ObjectId frame) {
        return along_axes(objects[frame.index], {value_at(scene, x, posture, objects),
                                                 value_at(scene, y, posture, objects),
                                                 value_at(scene, z, posture, objects)});
    };
    const auto arm_of = [&](ObjectId object, std::uint32_t body) {
        return objects[object.index].origin - state.bodies[body].x;
    };
    for (const Force& force : scene.forces)
        if (const auto body = find_body_around(force.object)) {
            const Vec3 push = vector_at(force.x, force.y, force.z, force.frame);
            forces.push_back({*body, push, cross(arm_of(force.object, *body), push)});
        }
    for (const BodyTorque& torque : scene.body_torques)
        if (const auto body = find_body_around(torque.object))
            forces.push_back(
                {*body, {0, 0, 0}, vector_at(torque.x, torque.y, torque.z, torque.frame)});
    for (const Drag& drag : scene.drags)
        if (const auto body = find_body_around(drag.object)) {
            const BodyState& now = state.bodies[*body];
            const double c = value_at(scene, drag.coefficient, posture, objects);
            const Vec3 arm = arm_of(drag.object, *body), v = now.v + cross(now.w, arm);
            // as if implicit: however thick the air, it turns nothing round
            const Vec3 push = v * (-c / (1 + c * h / pile_.bodies[*body].mass));
            forces.push_back({*body, push, cross(arm, push)});
        }
    for (const Field& field : scene.fields) {
        const Vec3 acceleration = vector_at(field.x, field.y, field.z, field.frame);
        for (const ObjectId on : field.on)
            for (std::uint32_t i = on.index; i < scene.objects[on.index].end; ++i)
                if (const auto body = find_body(ObjectId{i}))
                    forces.push_back({*body, acceleration * pile_.bodies[*body].mass, {}});
    }
    const Settings& s = scene.settings;
    add_own_forces(vector_at(s.gravity_x, s.gravity_y, s.gravity_z, ObjectId{0}), h, state, forces);
}

/// Another share of gravity, and what dies down: v⁺ = v e + g (1 − e)/c with e = exp(−c h), as it
/// is of a body that nothing else pushes.                                                   [eq.
/// 12]
void RigidModel::add_own_forces(const Vec3& gravity, double h, const PileState& state,
                                std::vector<BodyForce>& forces) const
{
    for (std::uint32_t i = 0; i < pile_.bodies.size(); ++i) {
        const Body& body = pile_.bodies[i];
        if (!body.is_free() || (body.gravity == 1 && body.damping == 0 && body.spin_damping == 0))
            continue;
        const BodyState& now = state.bodies[i];
        const Vec3 g = gravity * body.gravity;
        BodyForce push{.body = i, .force = (g - gravity) * body.mass, .wakes = false};
        if (body.damping > 0) {
            const double left = exp(-body.damping * h);
            const Vec3 after = now.v * left + g * ((1 - left) / body.damping);
            push.force = ((after - now.v) / h - gravity) * body.mass;
        }
        if (body.spin_damping > 0)
            push.torque =
                inertia_at(now.q, body.inertia) * now.w * (-(1 - exp(-body.spin_damping * h)) / h);
        forces.push_back(push);
    }
}

} // namespace sinew
