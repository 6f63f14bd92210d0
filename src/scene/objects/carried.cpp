#include "scene/objects/carried.h"

#include "math/functions.h"
#include "scene/objects/bodies.h"

#include <algorithm>

namespace sinew {

std::vector<std::uint32_t> find_carriers(const Scene& scene)
{
    const BodyMap map = make_body_map(scene);
    std::vector<bool> carries(scene.objects.size());
    const auto look = [&](ObjectId object) {
        if (map.is_loose_on_moved(object))
            carries[map.around[object.index].index] = true;
    };
    for (const Mass& mass : scene.masses)
        look(mass.object);
    for (const BoxMass& mass : scene.box_masses)
        look(mass.object);
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < scene.bodies.size(); ++i)
        if (carries[scene.bodies[i].object.index])
            found.push_back(i);
    return found;
}

std::array<double, 3> angles_of(const Quat& rotation)
{
    const Mat3 R = rotation_matrix(rotation);
    // R = Rz(C) Ry(B) Rx(A); where B is a right angle, A and C turn about the same axis: A = 0.
    const double sine = std::clamp(-R.x.z, -1.0, 1.0), B = asin(sine);
    constexpr double kUpright = 1 - 1e-12;
    if (abs(sine) > kUpright)
        return {0, B, atan2(-R.y.x, R.y.y)};
    return {atan2(R.y.z, R.z.z), B, atan2(R.x.y, R.x.x)};
}

namespace {

class Carrying {
public:
    Carrying(const Scene& scene, std::span<const Affine> objects)
        : given_(scene), objects_(objects), map_(make_body_map(scene)), made_{scene, {}}
    {
    }

    CarriedScene make()
    {
        const std::vector<std::uint32_t> carriers = find_carriers(given_);
        if (carriers.empty())
            return std::move(made_);
        silence();
        const std::vector<MassProperties> solids = masses_of_bodies(given_);
        for (const std::uint32_t body : carriers)
            carry(body, solids[body]);
        const auto carries = [&](ObjectId object) {
            return std::ranges::count(made_.carriers, object, &CarrierFrame::object) > 0;
        };
        std::erase_if(made_.scene.bodies, [&](const RigidBody& b) { return carries(b.object); });
        std::erase_if(made_.scene.shapes, [&](const Shape& s) { return carries(s.body); });
        return std::move(made_);
    }

private:
    /// What acts on bodies is the bodies' affair.
    void silence()
    {
        constexpr Value kNothing{0};
        for (PointSpring& spring : made_.scene.point_springs)
            if (map_.is_in_moved(spring.a) || map_.is_in_moved(spring.b))
                spring.stiffness = spring.damping = kNothing;
        for (Force& force : made_.scene.forces)
            if (map_.is_in_moved(force.object))
                force.x = force.y = force.z = kNothing;
        for (Drag& drag : made_.scene.drags)
            if (map_.is_in_moved(drag.object))
                drag.coefficient = kNothing;
    }

    void carry(std::uint32_t number, const MassProperties& solid)
    {
        const RigidBody& body = given_.bodies[number];
        CarrierFrame frame{.body = number,
                           .object = body.object,
                           .first_coordinate =
                               static_cast<std::uint32_t>(made_.scene.coordinates.size()),
                           .weight = {}};
        free_frame(body);
        frame.weight = add_weight(body, solid);
        made_.scene.joints.push_back(
            {.kind = JointKind::fixed, .a = body.object, .b = ObjectId{0}, .frame = body.object});
        made_.carriers.push_back(frame);
    }

    Value add_coordinate(const RigidBody& body, double initial, double rate)
    {
        Scene& scene = made_.scene;
        const auto number = static_cast<std::uint32_t>(scene.coordinates.size());
        scene.coordinates.push_back(
            {scene.objects[body.object.index].name, initial, rate, body.origin});
        scene.formulas.push_back({.operation = Operation::coordinate, .index = number});
        return {0, static_cast<std::uint32_t>(scene.formulas.size() - 1)};
    }

    /// The body's object rides on nothing any more and moves by coordinates of its own.
    void free_frame(const RigidBody& body)
    {
        Scene& scene = made_.scene;
        const Affine& start = objects_[body.object.index];
        const Mat3 back = transpose(start.linear);
        const Vec3 turn = back * body.spin;
        std::array<Value, 6> q;
        for (int k = 0; k < 3; ++k)
            q[std::size_t(k)] = add_coordinate(body, start.origin[k], body.velocity[k]);
        for (int k = 0; k < 3; ++k)
            q[std::size_t(k + 3)] = add_coordinate(body, 0, turn[k]);
        const std::array<double, 3> angles = angles_of(rotation_quat(start.linear));
        Object& object = scene.objects[body.object.index];
        object.on = ObjectId{0};
        object.first_transformation = static_cast<std::uint32_t>(scene.transformations.size());
        object.transformation_count = 9;
        using Kind = TransformationKind;
        constexpr Kind kTurns[] = {Kind::rotate_x, Kind::rotate_y, Kind::rotate_z};
        constexpr Kind kMoves[] = {Kind::translate_x, Kind::translate_y, Kind::translate_z};
        for (std::size_t k = 0; k < 3; ++k)
            scene.transformations.push_back({kTurns[k], q[k + 3], body.origin});
        for (std::size_t k = 0; k < 3; ++k)
            scene.transformations.push_back({kTurns[k], {angles[k]}, body.origin});
        for (std::size_t k = 0; k < 3; ++k)
            scene.transformations.push_back({kMoves[k], q[k], body.origin});
    }

    /// A block with a share of the body's mass and of its moments, at its centre and along its
    /// principal axes; fields that act on the body act on it too.
    ObjectId add_weight(const RigidBody& body, const MassProperties& solid)
    {
        Scene& scene = made_.scene;
        const PrincipalAxes axes = principal_axes(solid.inertia);
        const ObjectId id{static_cast<std::uint32_t>(scene.objects.size())};
        Object object{.name = "", .is_anonymous = true, .parent = ObjectId{0}, .on = body.object};
        object.end = id.index + 1;
        object.first_transformation = static_cast<std::uint32_t>(scene.transformations.size());
        object.transformation_count = 6;
        object.origin = body.origin;
        const std::array<double, 3> angles = angles_of(axes.rotation);
        for (int k = 0; k < 3; ++k)
            scene.transformations.push_back(
                {TransformationKind(int(TransformationKind::rotate_x) + k),
                 {angles[std::size_t(k)]},
                 body.origin});
        for (int k = 0; k < 3; ++k)
            scene.transformations.push_back(
                {TransformationKind(int(TransformationKind::translate_x) + k),
                 {solid.centre[k]},
                 body.origin});
        scene.objects.push_back(object);
        scene.objects[0].end = id.index + 1;
        // of a block: I_x = m (b² + c²)/12, so a² = 6 (I_y + I_z − I_x)/m
        const Vec3 I = axes.moments / solid.volume;
        const auto edge = [](double square) { return sqrt(max(6 * square, 0.0)); };
        scene.box_masses.push_back(
            {id,
             kCarriedShare * mass_of_body(body, solid),
             {edge(I.y + I.z - I.x), edge(I.z + I.x - I.y), edge(I.x + I.y - I.z)},
             body.origin});
        for (Field& field : scene.fields)
            if (std::ranges::any_of(field.on, [&](ObjectId on) {
                    return on.index <= body.object.index &&
                           body.object.index < given_.objects[on.index].end;
                }))
                field.on.push_back(id);
        return id;
    }

    const Scene& given_;
    std::span<const Affine> objects_;
    BodyMap map_;
    CarriedScene made_;
};

} // namespace

CarriedScene make_carried_scene(const Scene& scene, std::span<const Affine> objects)
{
    return Carrying(scene, objects).make();
}

} // namespace sinew
