// From a scene to a pile and back.

#include "models/rigid/model.h"

#include "base/contract.h"
#include "geometry/mass_properties.h"
#include "math/functions.h"
#include "math/so3.h"
#include "models/rigid/contacts/patch.h"
#include "scene/objects/bodies.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numbers>
#include <tuple>

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

/// A shape as collision sees it.
CollisionShape make_shape(const Scene& scene, const Shape& shape)
{
    switch (shape.kind) {
    case ShapeKind::sphere: return make_sphere(shape.radius);
    case ShapeKind::box: return make_box(shape.size);
    case ShapeKind::capsule: return make_capsule(shape.radius, shape.length);
    case ShapeKind::cylinder: return make_cylinder(shape.radius, shape.length);
    case ShapeKind::cone: return make_cone(shape.radius, shape.length);
    case ShapeKind::ellipsoid: return make_ellipsoid(shape.size);
    case ShapeKind::plane: return make_plane();
    case ShapeKind::height_field: return make_height_field(scene.meshes[shape.mesh]);
    case ShapeKind::mesh: return make_mesh(scene.meshes[shape.mesh]);
    case ShapeKind::hull: break;
    }
    Result<Hull> hull = make_hull(scene.meshes[shape.mesh].vertices);
    SINEW_EXPECTS(bool(hull)); // validated
    return make_convex(std::move(*hull));
}

/// Where a shape lies in the frame it is written in: only planes are not at its origin.
Pose place_in_frame(const Shape& shape)
{
    if (shape.kind != ShapeKind::plane)
        return {Quat{}, {0, 0, 0}};
    return {turn_from_y(shape.size), shape.size * shape.offset};
}

using SharedShapes = std::vector<std::shared_ptr<const CollisionShape>>;

/// A surface that moves as the convex pieces that fill it; they may stand out of it by a hundredth
/// of its size.
std::vector<CollisionShape> make_pieces(const Scene& scene, const Shape& shape)
{
    constexpr double kTolerance = 0.01;
    const TriangleMesh& mesh = scene.meshes[shape.mesh];
    double size = 0;
    for (const Vec3& vertex : mesh.vertices)
        size = max(size, length(vertex - mesh.vertices.front()));
    Result<std::vector<CollisionShape>> pieces = make_moving_mesh(mesh, kTolerance * size);
    if (pieces && !pieces->empty())
        return std::move(*pieces);
    std::vector<CollisionShape> whole; // better than nothing: its hull
    if (Result<Hull> hull = make_hull(mesh.vertices))
        whole.push_back(make_convex(std::move(*hull)));
    return whole;
}

/// Shapes that are the same are made once.
class ShapeMaker {
public:
    ShapeMaker(const Scene& scene, std::vector<MovingSurface>& surfaces)
        : scene_(scene), surfaces_(surfaces)
    {
    }

    const SharedShapes& operator()(const Shape& shape, bool moves)
    {
        const Key key{shape.kind,   shape.size.x, shape.size.y,       shape.size.z,
                      shape.radius, shape.length, double(shape.mesh), moves};
        SharedShapes& made = made_[key];
        if (!made.empty())
            return made;
        std::vector<CollisionShape> shapes;
        const auto motion = std::ranges::find(scene_.mesh_motions, shape.mesh, &MeshMotion::mesh);
        if (shape.kind == ShapeKind::mesh && !moves && motion != scene_.mesh_motions.end()) {
            surfaces_.emplace_back(scene_.meshes[shape.mesh], *motion);
            made.push_back(surfaces_.back().shape());
            return made;
        }
        if (shape.kind == ShapeKind::mesh && moves)
            shapes = make_pieces(scene_, shape);
        else
            shapes.push_back(make_shape(scene_, shape));
        for (CollisionShape& one : shapes)
            made.push_back(std::make_shared<const CollisionShape>(std::move(one)));
        return made;
    }

private:
    using Key = std::tuple<ShapeKind, double, double, double, double, double, double, bool>;

    const Scene& scene_;
    std::vector<MovingSurface>& surfaces_;
    std::map<Key, SharedShapes> made_;
};

constexpr std::uint32_t kNoBody = 0xffffffff;
constexpr double kPi = std::numbers::pi;

/// Friction, bounce and rolling of each object; the usual ones where the script says nothing.
std::vector<Material> materials_of(const Scene& scene)
{
    std::vector<Material> materials(scene.objects.size());
    for (auto said = scene.materials.rbegin(); said != scene.materials.rend(); ++said)
        materials[said->object.index] = *said; // the first of several holds
    return materials;
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

/// Mass and principal axes; an obstacle has its object's own frame and no mass. Where the script
/// says where the mass lies, that holds; another centre leaves the moments about it as they are.
Body make_body(const Scene& scene, const RigidBody& wanted, const MassProperties& solid,
               Pose& in_object)
{
    Body body{.gravity = wanted.gravity.value_or(1),
              .damping = wanted.damping,
              .spin_damping = wanted.spin_damping};
    in_object = {Quat{}, {0, 0, 0}};
    if (wanted.is_obstacle())
        return body;
    const PrincipalAxes axes = principal_axes(solid.inertia);
    body.mass = mass_of_body(wanted, solid);
    body.inertia = axes.moments * (body.mass / solid.volume);
    in_object = {axes.rotation, solid.centre};
    for (const MassPlacement& placement : scene.mass_placements) {
        if (placement.object != wanted.object)
            continue;
        in_object.translation = placement.centre.value_or(in_object.translation);
        if (placement.moments) {
            in_object.rotation = Quat{};
            body.inertia = *placement.moments;
        }
    }
    return body;
}

/// Whether something but force takes a joint apart.
bool may_let_go(const Joint& joint)
{
    return joint.until || !joint.active.is_constant() || joint.active.number <= 0.5;
}

double number_at_start(const Scene& scene, const std::optional<Value>& value, double otherwise)
{
    return value ? rates_at(scene, *value, scene.settings.start).value : otherwise;
}

} // namespace

Result<RigidModel> RigidModel::create(const Scene& scene, std::span<const Affine> objects)
{
    RigidModel model;
    const Settings& settings = scene.settings;
    model.pile_.gravity = {settings.gravity_x.number, settings.gravity_y.number,
                           settings.gravity_z.number};
    model.body_of_.assign(scene.objects.size(), kNoBody);
    std::vector<std::vector<const Shape*>> shapes(scene.objects.size()); // by their bodies' objects
    for (const Shape& shape : scene.shapes)
        shapes[shape.body.index].push_back(&shape);
    const std::vector<MassProperties> solids = masses_of_bodies(scene);
    const std::vector<Material> materials = materials_of(scene);
    ShapeMaker make(scene, model.surfaces_);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const RigidBody& wanted = scene.bodies[i];
        const auto body = static_cast<std::uint32_t>(i);
        Pose in_object;
        model.pile_.bodies.push_back(make_body(scene, wanted, solids[i], in_object));
        model.object_.push_back(wanted.object);
        model.in_object_.push_back(in_object);
        model.body_of_[wanted.object.index] = body;
        if (wanted.is_obstacle() && is_moved(scene, wanted.object))
            model.driven_.push_back(body);
        model.pile_.bodies[i].first_shape = static_cast<std::uint32_t>(model.pile_.shapes.size());
        const Material& material = materials[wanted.object.index];
        const bool has_belt =
            std::ranges::find(scene.belts, wanted.object, &Belt::object) != scene.belts.end();
        for (const Shape* shape : shapes[wanted.object.index]) {
            const Pose frame = inverse_of(pose_of(objects[wanted.object.index])) *
                               pose_of(objects[shape->frame.index]);
            for (const auto& made : make(*shape, !wanted.is_obstacle()))
                model.pile_.shapes.push_back(
                    {.shape = made,
                     .place = inverse_of(in_object) * frame * place_in_frame(*shape),
                     .body = body,
                     .friction = material.friction,
                     .bounce = material.bounce,
                     .rolling = material.rolling,
                     .sliding = material.sliding,
                     .has_belt = has_belt});
        }
        model.pile_.bodies[i].shape_count = static_cast<std::uint32_t>(
            model.pile_.shapes.size() - model.pile_.bodies[i].first_shape);
    }
    for (MovingSurface& surface : model.surfaces_)
        surface.move(scene.settings.start, scene.settings.start);
    for (const MaterialPair& pair : scene.material_pairs)
        model.pile_
            .pairs[std::minmax({model.body_of_[pair.a.index], model.body_of_[pair.b.index]})] = {
            pair.friction, pair.bounce, pair.rolling, pair.sliding};
    for (const MeetingPair& pair : scene.meetings)
        model.pile_
            .meetings[std::minmax({model.body_of_[pair.a.index], model.body_of_[pair.b.index]})] =
            pair.meeting;
    std::erase_if(model.pile_.meetings,
                  [](const auto& pair) { return pair.second == Meeting::push; });
    model.add_joints(scene, objects);
    model.find_inputs(scene);
    return model;
}

/// The world, and what linkages and tracks move, take part in joints as bodies without shapes that
/// nothing pushes.
std::uint32_t RigidModel::body_for_joint(const Scene& scene, ObjectId object)
{
    std::uint32_t& body = body_of_[object.index];
    if (body == kNoBody) {
        body = static_cast<std::uint32_t>(pile_.bodies.size());
        pile_.bodies.push_back({});
        object_.push_back(object);
        in_object_.push_back({Quat{}, {0, 0, 0}});
        if (is_moved(scene, object))
            driven_.push_back(body);
    }
    return body;
}

namespace {

/// The axis of a joint in the world: as it is said, else from its point to the centre of what it
/// holds.
Vec3 axis_of(const Joint& joint, const Pose& frame, const Vec3& centre)
{
    if (joint.axis != Vec3{0, 0, 0})
        return normalised(rotate(frame.rotation, joint.axis));
    const Vec3 way = centre - apply_to_point(frame, joint.point);
    const bool is_used = joint.cone || joint.twist;
    return is_used && length(way) > 0 ? normalised(way) : Vec3{1, 0, 0};
}

/// Locked axes in a frame of the joint; wheels take theirs from what carries them.
PairLaw pair_of(const Joint& joint)
{
    constexpr double kPi2 = 2 * std::numbers::pi;
    PairLaw law;
    switch (joint.kind) {
    case JointKind::universal:
        law.kind = PairLaw::Kind::axes;
        law.is_locked = {true, true, true, false, false, true};
        break;
    case JointKind::locks:
        law.kind = PairLaw::Kind::axes;
        for (std::size_t i = 0; i < 3; ++i) {
            law.is_locked[i] = joint.other[int(i)] != 0;
            law.is_locked[3 + i] = joint.axis[int(i)] != 0;
        }
        break;
    case JointKind::gear: law.kind = PairLaw::Kind::gear; break;
    case JointKind::rack: law.kind = PairLaw::Kind::rack; break;
    case JointKind::screw: law.kind = PairLaw::Kind::screw; break;
    default: return law;
    }
    law.ratio = joint.distance ? joint.distance->number : 0;
    if (joint.kind == JointKind::screw)
        law.ratio /= kPi2;
    return law;
}

/// Where a joint is at the start, its axis along x.
Pose frame_of(const Joint& joint, const Pose& frame, const Vec3& centre)
{
    if (joint.kind == JointKind::locks)
        return {frame.rotation, centre};
    const Vec3 x = axis_of(joint, frame, centre), at = apply_to_point(frame, joint.point);
    if (joint.kind != JointKind::universal)
        return {turn_from_y(x) * rotation_about(Vec3{0, 0, 1}, 0.5 * kPi), at};
    const Vec3 z = normalised(cross(x, rotate(frame.rotation, joint.other)));
    return {rotation_quat(Mat3{x, cross(z, x), z}), at};
}

} // namespace

void RigidModel::add_joints(const Scene& scene, std::span<const Affine> objects)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (const Joint& joint : scene.joints) {
        JointModel made{.kind = joint.kind,
                        .a = body_for_joint(scene, joint.b), // ways are those of a seen from b
                        .b = body_for_joint(scene, joint.a)};
        const auto body_pose = [&](std::uint32_t body) {
            return pose_of(objects[object_[body].index]) * in_object_[body];
        };
        const Pose a = body_pose(made.a), b = body_pose(made.b);
        const Pose frame = pose_of(objects[joint.frame.index]);
        if (joint.kind == JointKind::distance) {
            const Vec3 at_a = apply_to_point(pose_of(objects[joint.b.index]), joint.other);
            const Vec3 at_b = apply_to_point(pose_of(objects[joint.a.index]), joint.point);
            made.in_a = {Quat{}, apply_to_point(inverse_of(a), at_a)};
            made.in_b = {Quat{}, apply_to_point(inverse_of(b), at_b)};
            made.length = number_at_start(scene, joint.distance, length(at_b - at_a));
        } else {
            const Pose X = frame_of(joint, frame, b.translation);
            made.in_a = inverse_of(a) * X;
            made.in_b = inverse_of(b) * X;
        }
        made.low = joint.low.value_or(-kInfinity);
        made.high = joint.high.value_or(kInfinity);
        made.has_motor = joint.motor.has_value();
        made.speed = number_at_start(scene, joint.motor, 0);
        made.most_force = joint.motor_force;
        made.breaks = joint.breaks.value_or(kInfinity);
        made.breaks_torque = joint.breaks_torque.value_or(kInfinity);
        made.cone = joint.cone.value_or(kInfinity);
        made.twist = joint.twist.value_or(kInfinity);
        made.has_servo = joint.target && joint.stiffness == 0;
        made.target = number_at_start(scene, joint.target, 0);
        made.is_driven = joint.target && !joint.target->is_constant();
        const bool has_spring = !made.has_motor && !made.has_servo; // these leave it nothing
        made.stiffness = has_spring ? joint.stiffness : 0;
        made.damping = has_spring ? joint.damping : 0;
        made.friction = joint.friction;
        made.pair = pair_of(joint);
        pile_.joints.push_back(made);
    }
    carry_wheels(scene, objects);
}

/// Wheels and racks that roll on each other: where their axes are say the joints that carry them.
void RigidModel::carry_wheels(const Scene& scene, std::span<const Affine> objects)
{
    for (std::size_t j = 0; j < scene.joints.size(); ++j) {
        const Joint& joint = scene.joints[j];
        if (joint.kind != JointKind::gear && joint.kind != JointKind::rack)
            continue;
        JointModel& made = pile_.joints[j];
        const auto carried = [&](std::uint32_t body, ObjectId object, JointKind kind, int side) {
            const std::uint32_t carrier = *find_carrier(scene, object, kind); // validated
            made.carriers[std::size_t(side)] = carrier;
            const JointModel& bearing = pile_.joints[carrier];
            return bearing.a == body ? bearing.in_a : bearing.in_b;
        };
        const bool is_gear = joint.kind == JointKind::gear;
        made.in_a = carried(made.a, joint.b, JointKind::hinge, 0);
        made.in_b = carried(made.b, joint.a, is_gear ? JointKind::hinge : JointKind::slider, 1);
        const auto place = [&](std::uint32_t body, const Pose& in_body) {
            return pose_of(objects[object_[body].index]) * in_object_[body] * in_body;
        };
        const Pose a = place(made.a, made.in_a), b = place(made.b, made.in_b);
        const PairFrames start =
            set_start({a.translation, b.translation, a.rotation, b.rotation}, made.pair);
        made.in_a.rotation = made.in_a.rotation * (conjugate(a.rotation) * start.q_a);
        made.in_b.rotation = made.in_b.rotation * (conjugate(b.rotation) * start.q_b);
    }
}

PileState RigidModel::initial_state(const Scene& scene, std::span<const Affine> objects,
                                    std::span<const BodyMotion> given) const
{
    std::vector<BodyState> bodies(pile_.bodies.size());
    for (std::size_t i = scene.bodies.size(); i < bodies.size(); ++i) {
        const Pose X = pose_of(objects[object_[i].index]);
        bodies[i] = {.x = X.translation, .q = normalised(X.rotation)};
    }
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const RigidBody& wanted = scene.bodies[i];
        BodyMotion motion{.object = wanted.object,
                          .pose = pose_of(objects[wanted.object.index]),
                          .velocity = wanted.velocity,
                          .spin = wanted.spin};
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
    PileState state = make_pile_state(pile_, std::move(bodies));
    for (std::uint32_t j = 0; j < scene.joints.size(); ++j)
        if (may_let_go(scene.joints[j]))
            state.switches.push_back({.joint = j});
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
        if (scene.bodies[i].is_asleep) {
            state.rest[i] = {.x = state.bodies[i].x,
                             .q = state.bodies[i].q,
                             .time = RestState::kHangs,
                             .is_asleep = true};
            state.rest_gravity = pile_.gravity;
        }
    return state;
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

void RigidModel::place(const PileState& state, std::vector<PlacedObject>& placed) const
{
    placed.clear();
    for (std::uint32_t i = 0; i < pile_.bodies.size(); ++i)
        if (pile_.bodies[i].is_free())
            placed.push_back({object_[i], affine_of(motion_of(i, state).pose)});
}

std::vector<BodyMotion> RigidModel::motions(const PileState& state) const
{
    std::vector<BodyMotion> list;
    for (std::size_t i = 0; i < pile_.bodies.size(); ++i) {
        if (pile_.bodies[i].is_free())
            list.push_back(motion_of(static_cast<std::uint32_t>(i), state));
    }
    return list;
}

BodyMotion RigidModel::motion_of(std::uint32_t number, const PileState& state) const
{
    const BodyState& body = state.bodies[number];
    const Pose X = Pose{body.q, body.x} * inverse_of(in_object_[number]);
    return {.object = object_[number],
            .pose = X,
            .velocity = body.v + cross(body.w, X.translation - body.x),
            .spin = body.w};
}

void RigidModel::scale_mass(std::uint32_t body, double share)
{
    pile_.bodies[body].mass *= share;
    pile_.bodies[body].inertia = pile_.bodies[body].inertia * share;
}

Energy RigidModel::energy(const Pile& pile, const PileState& state) const
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
        energy.potential -= body.gravity * body.mass * dot(pile.gravity, now.x);
    }
    return energy;
}

Momentum RigidModel::momentum(const PileState& state) const
{
    Momentum sum;
    for (std::size_t i = 0; i < pile_.bodies.size(); ++i) {
        const Body& body = pile_.bodies[i];
        if (!body.is_free())
            continue;
        const BodyState& now = state.bodies[i];
        const Vec3 p = now.v * body.mass, w = rotate(conjugate(now.q), now.w);
        const Vec3 spin{body.inertia.x * w.x, body.inertia.y * w.y, body.inertia.z * w.z};
        sum += {p, cross(now.x, p) + rotate(now.q, spin)};
    }
    return sum;
}

std::optional<std::uint32_t> RigidModel::find_body(ObjectId object) const
{
    const std::optional<std::uint32_t> body = find_body_or_obstacle(object);
    return body && pile_.bodies[*body].is_free() ? body : std::nullopt;
}

std::optional<std::uint32_t> RigidModel::find_body_or_obstacle(ObjectId object) const
{
    const std::uint32_t body = object.index < body_of_.size() ? body_of_[object.index] : kNoBody;
    return body == kNoBody ? std::nullopt : std::optional(body);
}

Vec3 RigidModel::point_in_body(std::uint32_t body, const Vec3& in_object) const
{
    return apply_to_point(inverse_of(in_object_[body]), in_object);
}

Pose RigidModel::frame_in_body(std::uint32_t body, const Pose& in_object) const
{
    return inverse_of(in_object_[body]) * in_object;
}

Vec3 RigidModel::grip_of(const Grab& grab, const PileState& state) const
{
    const std::uint32_t i = *find_body(grab.object);
    return state.bodies[i].x + rotate(state.bodies[i].q, point_in_body(i, grab.point));
}

Vec3 RigidModel::hand_force(const Grab& grab, const PileState& state) const
{
    const std::uint32_t i = *find_body(grab.object);
    const BodyState& body = state.bodies[i];
    const Vec3 arm = rotate(body.q, point_in_body(i, grab.point));
    return (grab.target - body.x - arm) * grab.stiffness -
           (body.v + cross(body.w, arm)) * grab.damping;
}

/// λ = −h (k (g + h w⁺) + c w⁺) with w⁺ = w + K λ: one 3 × 3 system.
BodyForce RigidModel::pull(const Grab& grab, double h, const Pile& pile,
                           const PileState& state) const
{
    const std::uint32_t i = *find_body(grab.object);
    const BodyState& body = state.bodies[i];
    const Vec3 arm = rotate(body.q, point_in_body(i, grab.point));
    SolverBody response{};
    set_response(pile.bodies[i], body.q, response);
    const Mat3 cross_arm = cross_matrix(arm);
    const double m = response.inverse_mass;
    const Mat3 K = Mat3::diagonal({m, m, m}) - cross_arm * response.inverse_inertia * cross_arm;
    const double share = h * (h * grab.stiffness + grab.damping);
    const Vec3 w = body.v + pile.gravity * h + cross(body.w, arm);
    const Vec3 gap = body.x + arm - grab.target;
    const Vec3 impulse =
        inverse(Mat3::identity() + K * share) * (gap * (-h * grab.stiffness) - w * share);
    return {i, impulse / h, cross(arm, impulse) / h};
}

} // namespace sinew
