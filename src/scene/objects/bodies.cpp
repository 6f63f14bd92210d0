#include "scene/objects/bodies.h"

#include "scene/formula.h"
#include "scene/kinematics.h"
#include "scene/placement.h"

namespace sinew {

namespace {

constexpr std::size_t kMostSteps = 5000; // as deep as frames may ride on one another

Affine local_frame(const Scene& scene, const Object& object)
{
    Affine local;
    for (std::uint32_t k = 0; k < object.transformation_count; ++k) {
        const Transformation& t = scene.transformations[object.first_transformation + k];
        local = make_transformation(t.kind, t.amount.number) * local;
    }
    return local;
}

bool is_constant(const Scene& scene, const Object& object)
{
    for (std::uint32_t k = 0; k < object.transformation_count; ++k)
        if (!scene.transformations[object.first_transformation + k].amount.is_constant())
            return false;
    return true;
}

/// Whether coordinates move objects within their parents' frames.
class Looseness {
public:
    explicit Looseness(const Scene& scene) : scene_(scene) { compute_traits(scene, traits_); }

    bool operator()(const Object& object) const
    {
        for (std::uint32_t k = 0; k < object.transformation_count; ++k) {
            const Value amount = scene_.transformations[object.first_transformation + k].amount;
            if (!amount.is_constant() && amount.formula < traits_.size() &&
                (traits_[amount.formula].dependence &
                 (Dependence::kCoordinate | Dependence::kPosition)))
                return true;
        }
        return false;
    }

private:
    const Scene& scene_;
    std::vector<FormulaTraits> traits_;
};

} // namespace

BodyMap make_body_map(const Scene& scene)
{
    enum class Mark : std::uint8_t { unseen, open, done };
    const std::size_t count = scene.objects.size();
    BodyMap map{std::vector<ObjectId>(count), std::vector<bool>(count), std::vector<bool>(count)};
    const Looseness is_loose(scene);
    std::vector<Mark> marks(count, Mark::unseen);
    for (const RigidBody& body : scene.bodies) {
        map.around[body.object.index] = body.object;
        map.is_moved[body.object.index] = !body.is_obstacle();
        marks[body.object.index] = Mark::done;
    }
    std::vector<std::uint32_t> way;
    for (std::uint32_t i = 0; i < count; ++i) {
        ObjectId up{i};
        for (; up.is_valid() && marks[up.index] == Mark::unseen;
             up = frame_parent(scene.objects[up.index])) {
            marks[up.index] = Mark::open;
            way.push_back(up.index);
        }
        const bool is_known = up.is_valid() && marks[up.index] == Mark::done;
        const ObjectId found = is_known ? map.around[up.index] : ObjectId{};
        bool loose = is_known && map.is_loose[up.index];
        for (; !way.empty(); way.pop_back()) {
            loose = found.is_valid() && (loose || is_loose(scene.objects[way.back()]));
            map.around[way.back()] = found;
            map.is_loose[way.back()] = loose;
            marks[way.back()] = Mark::done;
        }
    }
    return map;
}

bool is_known_to_linkages(const Scene& scene, Value value)
{
    const BodyMap map = make_body_map(scene);
    std::vector<bool> is_site(scene.objects.size());
    for (const StrandSite& site : scene.strand_sites)
        is_site[site.object.index] = true;
    for (const RodSite& site : scene.rod_sites)
        is_site[site.object.index] = true;
    const auto rides = [&](ObjectId object) {
        std::size_t steps = 0;
        while (object.is_valid() && !is_site[object.index] && ++steps < kMostSteps)
            object = frame_parent(scene.objects[object.index]);
        return object.is_valid() && is_site[object.index];
    };
    bool is_known = true;
    for_each_leaf(scene, value, [&](const Formula& leaf) {
        is_known = is_known && leaf.operation != Operation::contact;
        if (leaf.operation != Operation::position)
            return;
        for (const ObjectId id : {ObjectId{leaf.index}, leaf.frame})
            is_known = is_known && !(id.is_valid() && (map.is_in_moved(id) || rides(id)));
    });
    return is_known;
}

std::optional<Affine> find_fixed_frame(const Scene& scene, ObjectId object, ObjectId inside)
{
    Affine frame;
    std::size_t steps = 0;
    for (ObjectId up = object; up != inside; up = frame_parent(scene.objects[up.index])) {
        if (!up.is_valid() || ++steps > kMostSteps || !is_constant(scene, scene.objects[up.index]))
            return std::nullopt;
        frame = local_frame(scene, scene.objects[up.index]) * frame;
    }
    return frame;
}

MassProperties mass_of_shape(const Scene& scene, const Shape& shape)
{
    switch (shape.kind) {
    case ShapeKind::sphere: return sphere_mass(shape.radius);
    case ShapeKind::box: return box_mass(shape.size);
    case ShapeKind::capsule: return capsule_mass(shape.radius, shape.length);
    case ShapeKind::cylinder: return cylinder_mass(shape.radius, shape.length);
    case ShapeKind::cone: return cone_mass(shape.radius, shape.length);
    case ShapeKind::ellipsoid: return ellipsoid_mass(shape.size);
    case ShapeKind::hull:
    case ShapeKind::mesh: return mesh_mass(scene.meshes[shape.mesh]);
    case ShapeKind::plane:
    case ShapeKind::height_field: return {};
    }
    return {};
}

std::vector<MassProperties> masses_of_bodies(const Scene& scene)
{
    std::vector<std::vector<MassProperties>> parts(scene.bodies.size());
    std::vector<std::uint32_t> number(scene.objects.size());
    for (std::uint32_t i = 0; i < scene.bodies.size(); ++i)
        number[scene.bodies[i].object.index] = i;
    std::vector<std::optional<MassProperties>> of_mesh(scene.meshes.size());
    for (const Shape& shape : scene.shapes) {
        const std::uint32_t body = number[shape.body.index];
        const auto frame = find_fixed_frame(scene, shape.frame, shape.body);
        if (scene.bodies[body].is_obstacle() || !frame)
            continue;
        MassProperties part;
        if (shape.mesh != Shape::kNoMesh) {
            if (!of_mesh[shape.mesh])
                of_mesh[shape.mesh] = mass_of_shape(scene, shape);
            part = *of_mesh[shape.mesh];
        } else {
            part = mass_of_shape(scene, shape);
        }
        parts[body].push_back(moved(part, Pose{rotation_quat(frame->linear), frame->origin}));
    }
    std::vector<MassProperties> result;
    for (const auto& solids : parts)
        result.push_back(solids.empty() ? MassProperties{} : joined(solids));
    return result;
}

std::optional<std::uint32_t> find_carrier(const Scene& scene, ObjectId body, JointKind kind)
{
    std::optional<std::uint32_t> found;
    for (std::uint32_t j = 0; j < scene.joints.size(); ++j) {
        const Joint& joint = scene.joints[j];
        if (joint.kind != kind || (joint.a != body && joint.b != body))
            continue;
        if (found)
            return std::nullopt;
        found = j;
    }
    return found;
}

double mass_of_body(const RigidBody& body, const MassProperties& properties)
{
    return body.mass > 0 ? body.mass : body.density * properties.volume;
}

} // namespace sinew
