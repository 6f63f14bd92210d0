// What a scene does to its bodies from outside: tracks, forces, fields, drags.

#include "math/functions.h"
#include "models/rigid/model.h"
#include "scene/objects/bodies.h"

namespace sinew {

namespace {

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
    for (const Joint& joint : scene.joints)
        for (const std::optional<Value>& value : {joint.motor, joint.distance})
            is_pushed_ = is_pushed_ || (value && !value->is_constant());
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
    }
    const Settings& s = scene.settings;
    pile.gravity = {value_at(scene, s.gravity_x, posture, objects),
                    value_at(scene, s.gravity_y, posture, objects),
                    value_at(scene, s.gravity_z, posture, objects)};
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
}

} // namespace sinew
