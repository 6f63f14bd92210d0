// From a scene to a pile and back.

#include "models/rigid/model.h"

#include "geometry/mass_properties.h"
#include "math/functions.h"
#include "math/so3.h"
#include "models/rigid/patch.h"
#include "scene/problems.h"

#include <algorithm>

namespace sinew {

namespace {

/// The rigid part of a frame; bodies have no scale.
Pose pose_of(const Affine& frame)
{
    const Vec3 x = normalised(frame.linear.x), z = normalised(cross(x, frame.linear.y));
    return {rotation_quat(Mat3{x, cross(z, x), z}), frame.origin};
}

Pose inverse_of(const Pose& X)
{
    const Quat q = conjugate(X.rotation);
    return {q, -rotate(q, X.translation)};
}

Affine affine_of(const Pose& X) { return {rotation_matrix(X.rotation), X.translation}; }

/// The turn that takes y to a direction.
Quat turn_from_y(const Vec3& n)
{
    const Vec3 helper = abs(n.x) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 0, 1};
    const Vec3 x = normalised(cross(n, helper));
    return rotation_quat(Mat3{x, n, cross(x, n)});
}

/// A shape as collision sees it, and where it is in its own frame.
struct MadeShape {
    std::shared_ptr<const CollisionShape> shape;
    Pose place = {Quat{}, {0, 0, 0}};
    MassProperties solid = {};
};

MadeShape make_shape(const Scene& scene, const Shape& shape, Problems& problems)
{
    const auto share = [](CollisionShape&& made) {
        return std::make_shared<const CollisionShape>(std::move(made));
    };
    const Pose here = {Quat{}, {0, 0, 0}};
    switch (shape.kind) {
    case ShapeKind::sphere:
        return {share(make_sphere(shape.radius)), here, sphere_mass(shape.radius)};
    case ShapeKind::box: return {share(make_box(shape.size)), here, box_mass(shape.size)};
    case ShapeKind::capsule:
        return {share(make_capsule(shape.radius, shape.length)), here,
                capsule_mass(shape.radius, shape.length)};
    case ShapeKind::plane:
        return {share(make_plane()), {turn_from_y(shape.size), shape.size * shape.offset}, {}};
    case ShapeKind::hull: {
        Result<Hull> hull = make_hull(scene.meshes[shape.mesh].vertices);
        if (!hull) {
            const Problem& why = hull.problems().front();
            problems.push_back(make_problem(scene, Severity::error, why.code, shape.origin,
                                            "shapes", why.what, why.hint));
            return {};
        }
        const MassProperties solid = mesh_mass(triangles_of(*hull));
        return {share(make_convex(std::move(*hull))), here, solid};
    }
    default:
        problems.push_back(make_problem(scene, Severity::error, "shape-not-known", shape.origin,
                                        "shapes", "bodies of this shape cannot be simulated yet",
                                        "use box, sphere, capsule, hull or plane"));
        return {};
    }
}

constexpr std::uint32_t kNoBody = 0xffffffff;

/// Friction, bounce and rolling of a body.
const Material& material_of(const Scene& scene, ObjectId body)
{
    static const Material kUsual{};
    const auto found = std::ranges::find(scene.materials, body, &Material::object);
    return found == scene.materials.end() ? kUsual : *found;
}

/// True when something of the way down to an object changes with time.
bool is_moved(const Scene& scene, ObjectId id)
{
    for (; id.is_valid() && id.index > 0;) {
        const Object& object = scene.objects[id.index];
        for (std::uint32_t k = 0; k < object.transformation_count; ++k)
            if (!scene.transformations[object.first_transformation + k].amount.is_constant())
                return true;
        id = object.on.is_valid() ? object.on : object.parent;
    }
    return false;
}

struct Solid {
    Body body;
    Pose in_object = {Quat{}, {0, 0, 0}};
};

/// Mass, centre and axes of a body's shapes together.
Solid make_solid(const Scene& scene, const RigidBody& wanted, std::span<const MassProperties> parts,
                 Problems& problems)
{
    Solid solid;
    if (wanted.is_obstacle())
        return solid;
    const MassProperties whole = joined(parts);
    if (!(whole.volume > 0)) {
        problems.push_back(make_problem(scene, Severity::error, "body-no-volume", wanted.origin,
                                        "bodies", "this body has no volume",
                                        "give it a box, a sphere or another solid"));
        return solid;
    }
    const double density = wanted.density > 0 ? wanted.density : wanted.mass / whole.volume;
    const PrincipalAxes axes = principal_axes(whole.inertia);
    solid.body.mass = density * whole.volume;
    solid.body.inertia = axes.moments * density;
    solid.in_object = {axes.rotation, whole.centre};
    return solid;
}

} // namespace

Result<RigidModel> RigidModel::create(const Scene& scene, std::span<const Affine> objects)
{
    RigidModel model;
    Problems problems;
    const auto gravity = [&](const Value& value) { return value.number; };
    model.pile_.gravity = {gravity(scene.settings.gravity_x), gravity(scene.settings.gravity_y),
                           gravity(scene.settings.gravity_z)};
    model.body_of_.assign(scene.objects.size(), kNoBody);
    std::vector<std::vector<const Shape*>> shapes(scene.objects.size()); // by their bodies' objects
    for (const Shape& shape : scene.shapes)
        shapes[shape.body.index].push_back(&shape);
    for (const RigidBody& wanted : scene.bodies) {
        const auto body = static_cast<std::uint32_t>(model.pile_.bodies.size());
        const Pose object = pose_of(objects[wanted.object.index]);
        std::vector<MassProperties> parts;
        const std::size_t first = model.pile_.shapes.size();
        for (const Shape* shape : shapes[wanted.object.index]) {
            const Pose frame =
                inverse_of(object) * pose_of(objects[shape->frame.index]); // in the object
            MadeShape made = make_shape(scene, *shape, problems);
            if (!made.shape)
                continue;
            const Material& material = material_of(scene, wanted.object);
            model.pile_.shapes.push_back({.shape = std::move(made.shape),
                                          .place = frame * made.place,
                                          .body = body,
                                          .friction = material.friction,
                                          .bounce = material.bounce});
            parts.push_back(moved(made.solid, frame));
        }
        Solid solid = make_solid(scene, wanted, parts, problems);
        solid.body.first_shape = static_cast<std::uint32_t>(first);
        solid.body.shape_count = static_cast<std::uint32_t>(model.pile_.shapes.size() - first);
        for (std::size_t s = first; s < model.pile_.shapes.size(); ++s)
            model.pile_.shapes[s].place = inverse_of(solid.in_object) * model.pile_.shapes[s].place;
        model.pile_.bodies.push_back(solid.body);
        model.object_.push_back(wanted.object);
        model.body_of_[wanted.object.index] = body;
        model.in_object_.push_back(solid.in_object);
        if (wanted.is_obstacle() && is_moved(scene, wanted.object))
            model.driven_.push_back(body);
    }
    if (has_errors(problems))
        return problems;
    model.find_inputs(scene);
    return model;
}

PileState RigidModel::initial_state(const Scene& scene, std::span<const Affine> objects,
                                    std::span<const BodyMotion> given) const
{
    std::vector<BodyState> bodies(pile_.bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const RigidBody& wanted = scene.bodies[i];
        const ObjectId parent = scene.objects[wanted.object.index].parent;
        const Quat around = parent.is_valid() ? pose_of(objects[parent.index]).rotation : Quat{};
        BodyMotion motion{.object = wanted.object,
                          .pose = pose_of(objects[wanted.object.index]),
                          .velocity = rotate(around, wanted.velocity),
                          .spin = rotate(around, wanted.spin)};
        const auto found = std::ranges::find(given, wanted.object, &BodyMotion::object);
        if (found != given.end() && pile_.bodies[i].is_free())
            motion = *found;
        const Pose X = motion.pose * in_object_[i];
        bodies[i] = {.x = X.translation,
                     .q = normalised(X.rotation),
                     .v = motion.velocity +
                          cross(motion.spin, X.translation - motion.pose.translation),
                     .w = motion.spin};
    }
    return make_pile_state(pile_, std::move(bodies));
}

void RigidModel::drive(std::span<const Affine> objects_then, double h, PileState& state) const
{
    for (const std::uint32_t i : driven_) {
        BodyState& body = state.bodies[i];
        const Pose then = pose_of(objects_then[object_[i].index]) * in_object_[i];
        body.v = (then.translation - body.x) / h;
        body.w = log_quat(then.rotation * conjugate(body.q)) / h;
    }
}

void RigidModel::set_driven(std::span<const Affine> objects, PileState& state) const
{
    for (const std::uint32_t i : driven_) {
        const Pose now = pose_of(objects[object_[i].index]) * in_object_[i];
        state.bodies[i].x = now.translation;
        state.bodies[i].q = now.rotation;
    }
}

void RigidModel::place(const PileState& state, std::vector<PlacedObject>& placed) const
{
    placed.clear();
    for (const BodyMotion& motion : motions(state))
        placed.push_back({motion.object, affine_of(motion.pose)});
}

std::vector<BodyMotion> RigidModel::motions(const PileState& state) const
{
    std::vector<BodyMotion> list;
    for (std::size_t i = 0; i < pile_.bodies.size(); ++i) {
        if (!pile_.bodies[i].is_free())
            continue;
        const BodyState& body = state.bodies[i];
        const Pose X = Pose{body.q, body.x} * inverse_of(in_object_[i]);
        list.push_back({.object = object_[i],
                        .pose = X,
                        .velocity = body.v + cross(body.w, X.translation - body.x),
                        .spin = body.w});
    }
    return list;
}

Energy RigidModel::energy(const PileState& state) const
{
    Energy energy;
    for (std::size_t i = 0; i < pile_.bodies.size(); ++i) {
        const Body& body = pile_.bodies[i];
        if (!body.is_free())
            continue;
        const BodyState& now = state.bodies[i];
        const Vec3 w = rotate(conjugate(now.q), now.w);
        energy.kinetic += 0.5 * (body.mass * squared_length(now.v) + body.inertia.x * w.x * w.x +
                                 body.inertia.y * w.y * w.y + body.inertia.z * w.z * w.z);
        energy.potential -= body.mass * dot(pile_.gravity, now.x);
    }
    return energy;
}

void RigidModel::add_forces(const PileState& state, double h,
                            std::vector<ActingForce>& forces) const
{
    for (std::size_t i = 0; i < pile_.bodies.size(); ++i)
        if (pile_.bodies[i].is_free())
            forces.push_back({.kind = ActingForce::Kind::weight,
                              .object = object_[i],
                              .force = pile_.gravity * pile_.bodies[i].mass,
                              .place = state.bodies[i].x});
    for (const ContactState& contact : state.contacts) {
        const Manifold& m = contact.manifold;
        const BodyShape& shape = pile_.shapes[contact.shapes.b];
        const BodyState& body = state.bodies[shape.body];
        for (std::size_t k = 0; k < static_cast<std::size_t>(m.count); ++k) {
            if (contact.impulse[k] == 0)
                continue;
            const Pose X = Pose{body.q, body.x} * shape.place;
            forces.push_back(
                {.kind = ActingForce::Kind::contact,
                 .object = object_[shape.body],
                 .force = (m.normal * contact.impulse[k] + contact.friction / double(m.count)) / h,
                 .place = apply_to_point(X, m.point[k].on_b)});
        }
    }
}

std::optional<std::uint32_t> RigidModel::find_body(ObjectId object) const
{
    const std::uint32_t body = object.index < body_of_.size() ? body_of_[object.index] : kNoBody;
    if (body == kNoBody || !pile_.bodies[body].is_free())
        return std::nullopt;
    return body;
}

namespace {

/// From the centre of a body to its object's origin.
Vec3 arm_of(const BodyState& body, const Pose& in_object)
{
    return rotate(body.q, inverse_of(in_object).translation);
}

} // namespace

Vec3 RigidModel::hand_force(const Grab& grab, const PileState& state) const
{
    const std::uint32_t i = *find_body(grab.object);
    const BodyState& body = state.bodies[i];
    const Vec3 arm = arm_of(body, in_object_[i]);
    return (grab.target - body.x - arm) * grab.stiffness -
           (body.v + cross(body.w, arm)) * grab.damping;
}

/// λ = −h (k (g + h w⁺) + c w⁺) with w⁺ = w + K λ: one 3 × 3 system.
void RigidModel::pull(const Grab& grab, double h, PileState& state) const
{
    const std::uint32_t i = *find_body(grab.object);
    BodyState& body = state.bodies[i];
    const Vec3 arm = arm_of(body, in_object_[i]);
    SolverBody response{};
    set_response(pile_.bodies[i], body.q, response);
    const Mat3 cross_arm = cross_matrix(arm);
    const double m = response.inverse_mass;
    const Mat3 K = Mat3::diagonal({m, m, m}) - cross_arm * response.inverse_inertia * cross_arm;
    const double share = h * (h * grab.stiffness + grab.damping);
    const Vec3 w = body.v + pile_.gravity * h + cross(body.w, arm);
    const Vec3 gap = body.x + arm - grab.target;
    const Vec3 impulse =
        inverse(Mat3::identity() + K * share) * (gap * (-h * grab.stiffness) - w * share);
    body.v += impulse * m;
    body.w += response.inverse_inertia * cross(arm, impulse);
}

} // namespace sinew
