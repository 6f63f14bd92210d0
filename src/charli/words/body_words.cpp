#include "charli/words/body_words.h"

#include <cmath>
#include <string>

namespace sinew::charli {

namespace {

std::optional<double> given(const Call& call, std::string_view name)
{
    const Bound* bound = call.find(name);
    return bound ? std::optional(bound->value.number) : std::nullopt;
}

Material material_of(const Call& call, std::size_t first)
{
    return {call.object,
            call.number(first),
            call.number(first + 1),
            call.number(first + 2),
            given(call, "sliding"),
            call.origin};
}

Vec3 vector_of(const Call& call) { return {call.number(0), call.number(1), call.number(2)}; }

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
                            .gravity = given(call, "gravity"),
                            .damping = call.number(3),
                            .spin_damping = call.number(4),
                            .is_asleep = says(call, "asleep", "yes"),
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
                                    material.sliding, call.origin});
}

void add_touches(const Call& call, Scene& scene)
{
    scene.meetings.push_back({call.arguments[0].object, call.arguments[1].object,
                              says(call, "contact", "no")      ? Meeting::pass
                              : says(call, "contact", "sense") ? Meeting::sense
                                                               : Meeting::push,
                              call.origin});
}

void add_belt(const Call& call, Scene& scene)
{
    scene.belts.push_back({call.object, call.value(0), call.value(1), call.value(2), call.origin});
}

void add_centre_of_mass(const Call& call, Scene& scene)
{
    scene.mass_placements.push_back(
        {.object = call.object, .centre = vector_of(call), .origin = call.origin});
}

void add_moments_of_inertia(const Call& call, Scene& scene)
{
    scene.mass_placements.push_back(
        {.object = call.object, .moments = vector_of(call), .origin = call.origin});
}

void add_body_torque(const Call& call, Scene& scene)
{
    scene.body_torques.push_back({call.arguments[0].object, call.frame, call.value(1),
                                  call.value(2), call.value(3), call.origin});
}

void add_shape(const Call& call, Scene& scene)
{
    Shape shape{.kind = static_cast<ShapeKind>(call.word.code),
                .frame = call.object,
                .mesh = call.surface.mesh,
                .origin = call.origin};
    switch (shape.kind) {
    case ShapeKind::ellipsoid:
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
