#include "charli/body_words.h"

#include <cmath>
#include <string>

namespace sinew::charli {

namespace {

Material material_of(const Call& call, std::size_t first)
{
    return {call.object, call.number(first), call.number(first + 1), call.number(first + 2),
            call.origin};
}

std::optional<double> optional_of(const Call& call, std::string_view name)
{
    const Bound* bound = call.find(name);
    return bound ? std::optional(bound->value.number) : std::nullopt;
}

/// Where a joint holds: the point, or the beginning and direction of the line. False: told.
bool read_place(const Call& call, const Path& path, const Scene& scene, Joint& joint)
{
    const bool wants_point = joint.kind == JointKind::ball;
    const std::string quoted = "'" + std::string(call.word.name) + "'";
    if (path.kind != (wants_point ? PathKind::point : PathKind::line)) {
        call.fault(wants_point ? "joint-wants-point" : "joint-wants-line",
                   quoted + (wants_point ? " holds in a point, not along a curve"
                                         : " needs a straight line"),
                   "write `" + std::string(call.word.example) + "`");
        return false;
    }
    double numbers[6] = {};
    for (std::uint32_t k = 0; k < path.points.count && k < 6; ++k) {
        const Value value = scene.values[path.points.first + k];
        if (!value.is_constant()) {
            call.fault("joint-place-moves", "the place of " + quoted + " must not move",
                       "give numbers: where it is at the start; its bodies carry it along");
            return false;
        }
        numbers[k] = value.number;
    }
    joint.frame = path.frame;
    joint.point = {numbers[0], numbers[1], numbers[2]};
    if (wants_point)
        return true;
    const Vec3 along = Vec3{numbers[3], numbers[4], numbers[5]} - joint.point;
    const double size = length(along);
    if (!(size > 0) || !std::isfinite(size)) {
        call.fault("line-without-direction", "the line of " + quoted + " has no direction",
                   "give two different points");
        return false;
    }
    joint.axis = along / size;
    return true;
}

bool says(const Call& call, std::string_view name, std::string_view word)
{
    const Bound* bound = call.find(name);
    return bound && bound->text == word;
}

} // namespace

void add_body(const Call& call, Scene& scene)
{
    const bool has_density = call.find("density"), has_mass = call.find("mass");
    if (has_density == has_mass)
        return call.fault(has_mass ? "density-and-mass" : "body-needs-mass",
                          has_mass ? "a body has a density or a mass, not both"
                                   : "'body' needs its density or its mass",
                          "write `body(density = 400);` or `body(mass = 5);`");
    scene.bodies.push_back({.object = call.object,
                            .density = call.number(0),
                            .mass = call.number(1),
                            .origin = call.origin});
}

void add_obstacle(const Call& call, Scene& scene)
{
    scene.bodies.push_back({.object = call.object, .origin = call.origin});
}

void add_material(const Call& call, Scene& scene)
{
    scene.materials.push_back(material_of(call, 0));
}

void add_contact_material(const Call& call, Scene& scene)
{
    const Material material = material_of(call, 2);
    scene.material_pairs.push_back({call.arguments[0].object, call.arguments[1].object,
                                    material.friction, material.bounce, material.rolling,
                                    call.origin});
}

void add_shape(const Call& call, Scene& scene)
{
    Shape shape{.kind = static_cast<ShapeKind>(call.word.code),
                .frame = call.object,
                .mesh = call.surface.mesh,
                .origin = call.origin};
    switch (shape.kind) {
    case ShapeKind::box: shape.size = {call.number(0), call.number(1), call.number(2)}; break;
    case ShapeKind::sphere: shape.radius = call.number(0); break;
    case ShapeKind::capsule:
    case ShapeKind::cylinder:
    case ShapeKind::cone:
        shape.radius = call.number(0);
        shape.length = call.number(1);
        break;
    case ShapeKind::height_field: {
        const std::size_t corners = scene.meshes[shape.mesh].vertices.size();
        shape.size = {double(call.surface.columns), 0, double(corners / call.surface.columns)};
        shape.length = call.number(1);
        break;
    }
    default: break;
    }
    scene.shapes.push_back(shape);
}

/// n·x = d, with n made of unit length.
void add_plane(const Call& call, Scene& scene)
{
    const Vec3 n{call.number(0), call.number(1), call.number(2)};
    const double size = length(n);
    if (!(size > 0) || !std::isfinite(size))
        return call.fault("plane-without-normal", "the normal of this plane has no direction",
                          "point it to the free side: `plane(0, 1, 0, 0);` is the ground");
    scene.shapes.push_back({.kind = ShapeKind::plane,
                            .frame = call.object,
                            .size = n / size,
                            .offset = call.number(3) / size,
                            .origin = call.origin});
}

void add_joint(const Call& call, Scene& scene)
{
    Joint joint{.kind = static_cast<JointKind>(call.word.code),
                .a = call.arguments[0].object,
                .b = ObjectId{0},
                .frame = call.frame,
                .origin = call.origin};
    if (const Bound* b = call.find("b"))
        joint.b = b->object;
    const Bound* place = call.find(joint.kind == JointKind::ball ? "point" : "axis");
    if (place && !read_place(call, scene.paths[place->path.index], scene, joint))
        return;
    joint.low = optional_of(call, "low");
    joint.high = optional_of(call, "high");
    joint.breaks = optional_of(call, "breaks");
    joint.motor_force = optional_of(call, "motor_force").value_or(0);
    if (const Bound* motor = call.find("motor"))
        joint.motor = motor->value;
    else if (joint.motor_force > 0)
        return call.fault("motor-without-speed", "'motor_force' limits a motor that is not there",
                          "give its speed too: `motor = 2, motor_force = 50`");
    if (const Bound* distance = call.find("distance"))
        joint.distance = distance->value;
    if (joint.distance && (joint.low || joint.high))
        return call.fault("distance-and-limits", "a distance leaves nothing to its limits",
                          "give one distance, or a rope's longest: `high = 2`");
    if (joint.low && joint.high && *joint.low > *joint.high)
        return call.fault("limits-crossed", "the lower limit lies above the upper one",
                          "write low = ..., high = ... with low below high");
    scene.joints.push_back(joint);
}

void set_bodies(const Call& call, Scene& scene)
{
    BodySettings& settings = scene.settings.bodies;
    if (const Bound* method = call.find("method"))
        settings.method = method->text == "erleben" ? BodyMethod::erleben : BodyMethod::automatic;
    if (const Bound* iterations = call.find("iterations"))
        settings.iterations = int(iterations->value.number);
    if (const Bound* smoothing = call.find("smoothing"))
        settings.smoothing = int(smoothing->value.number);
    if (const Bound* substeps = call.find("substeps"))
        settings.substeps = int(substeps->value.number);
    if (call.find("shock"))
        settings.has_shock = says(call, "shock", "yes");
    if (call.find("sleep"))
        settings.may_sleep = says(call, "sleep", "yes");
}

} // namespace sinew::charli
