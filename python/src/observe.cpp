// What a world tells at one instant: forces, contacts, bodies, velocities.

#include "observe.h"
#include "sinew/names.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdio>

namespace sinew::python {

namespace {

/// A force, a contact and a body, with names in place of numbers.
struct NamedForce {
    std::string object;
    ActingForce force;
};
struct NamedContact {
    std::string a, b;
    Contact contact;
};
struct NamedBody {
    std::string object;
    BodyMotion motion;
};

const char* kind_name(ActingForce::Kind kind)
{
    switch (kind) {
    case ActingForce::Kind::weight: return "weight";
    case ActingForce::Kind::spring: return "spring";
    case ActingForce::Kind::applied: return "applied";
    case ActingForce::Kind::drag: return "drag";
    case ActingForce::Kind::constraint: return "constraint";
    case ActingForce::Kind::hand: return "hand";
    case ActingForce::Kind::contact: return "contact";
    }
    return "other";
}

std::string text_of(const Vec3& v)
{
    char text[100];
    std::snprintf(text, sizeof text, "(%.4g, %.4g, %.4g)", v.x, v.y, v.z);
    return text;
}

std::string text_of(double number, const char* unit)
{
    char text[60];
    std::snprintf(text, sizeof text, "%.4g %s", number, unit);
    return text;
}

std::vector<NamedForce> forces_of(const WorldHandle& handle)
{
    const auto names = object_paths(*handle.scene().scene);
    std::vector<NamedForce> out;
    for (const ActingForce& force : handle.locked([](const World& w) { return w.forces(); }))
        out.push_back({force.object.is_valid() ? names[force.object.index] : "", force});
    return out;
}

std::vector<NamedContact> contacts_of(const WorldHandle& handle)
{
    const auto names = object_paths(*handle.scene().scene);
    std::vector<NamedContact> out;
    for (const Contact& contact : handle.locked([](const World& w) { return w.contacts(); }))
        out.push_back({names[contact.a.index], names[contact.b.index], contact});
    return out;
}

std::vector<NamedBody> bodies_of(const WorldHandle& handle)
{
    const auto names = object_paths(*handle.scene().scene);
    std::vector<NamedBody> out;
    for (const BodyMotion& motion : handle.locked([](const World& w) { return w.bodies(); }))
        out.push_back({names[motion.object.index], motion});
    return out;
}

Array list_of(std::span<const double> numbers)
{
    return owned({numbers.begin(), numbers.end()}, {numbers.size()});
}

void add_force(nb::module_& module)
{
    nb::class_<NamedForce>(module, "Force", "A force as it acts at one instant.")
        .def_prop_ro(
            "kind", [](const NamedForce& f) { return std::string(kind_name(f.force.kind)); },
            "weight, spring, applied, drag, constraint, hand or contact.")
        .def_ro("object", &NamedForce::object, "The object that it acts on.")
        .def_prop_ro(
            "force", [](const NamedForce& f) { return array_of(f.force.force); }, "[N]")
        .def_prop_ro(
            "place",
            [](const NamedForce& f) {
                return f.force.place ? std::optional(array_of(*f.force.place)) : std::nullopt;
            },
            "Where it acts [m]; None: at the origin of the object.")
        .def_prop_ro(
            "torque", [](const NamedForce& f) { return array_of(f.force.torque); }, "[N m]")
        .def("__repr__", [](const NamedForce& f) {
            return "<Force " + std::string(kind_name(f.force.kind)) + " on " + f.object + ": " +
                   text_of(f.force.force) + " N>";
        });
}

void add_contact(nb::module_& module)
{
    nb::class_<NamedContact>(module, "Contact", "A point where two bodies touch.")
        .def_ro("a", &NamedContact::a)
        .def_ro("b", &NamedContact::b)
        .def_prop_ro(
            "place", [](const NamedContact& c) { return array_of(c.contact.place); },
            "On b, in the world [m].")
        .def_prop_ro(
            "normal", [](const NamedContact& c) { return array_of(c.contact.normal); },
            "Unit vector from a to b.")
        .def_prop_ro(
            "gap", [](const NamedContact& c) { return c.contact.gap; },
            "[m]; negative: penetration.")
        .def_prop_ro(
            "force", [](const NamedContact& c) { return c.contact.force; },
            "Along the normal in the last step [N].")
        .def("__repr__", [](const NamedContact& c) {
            return "<Contact " + c.a + ", " + c.b + ": " + text_of(c.contact.force, "N") +
                   ", gap " + text_of(c.contact.gap, "m") + ">";
        });
}

void add_body(nb::module_& module)
{
    nb::class_<NamedBody>(module, "BodyState", "Where a free body is and how it moves.")
        .def_ro("object", &NamedBody::object)
        .def_prop_ro(
            "position", [](const NamedBody& b) { return array_of(b.motion.pose.translation); },
            "[m]")
        .def_prop_ro(
            "orientation",
            [](const NamedBody& b) {
                const Quat q = b.motion.pose.rotation;
                return owned({q.x, q.y, q.z, q.w}, {4});
            },
            "Unit quaternion x, y, z, w.")
        .def_prop_ro(
            "velocity", [](const NamedBody& b) { return array_of(b.motion.velocity); },
            "Of its origin [m/s].")
        .def_prop_ro(
            "spin", [](const NamedBody& b) { return array_of(b.motion.spin); },
            "Angular velocity [rad/s], world axes.")
        .def("__repr__", [](const NamedBody& b) {
            return "<BodyState " + b.object + " at " + text_of(b.motion.pose.translation) + " m, " +
                   text_of(b.motion.velocity) + " m/s>";
        });
}

} // namespace

void add_observations(nb::module_& module)
{
    add_force(module);
    add_contact(module);
    add_body(module);
}

void add_observations(nb::class_<WorldHandle>& world)
{
    world.def("forces", &forces_of, "Every force that acts now.")
        .def("contacts", &contacts_of, "Where bodies touch, as the last step left it.")
        .def("bodies", &bodies_of, "The free bodies and how they move.")
        .def(
            "layers",
            [](const WorldHandle& w) {
                return w.locked([](const World& x) { return x.layers(); });
            },
            "Stack height of each of `scene.body_names`: contacts between it and what is fixed; "
            "-1: "
            "it touches nothing.")
        .def_prop_ro(
            "velocities",
            [](const WorldHandle& w) {
                return array_of(w.locked([](const World& x) { return x.velocities().objects; }));
            },
            "Of the origins of all objects [m/s], as `poses`.")
        .def_prop_ro(
            "spins",
            [](const WorldHandle& w) {
                return array_of(w.locked([](const World& x) { return x.velocities().spins; }));
            },
            "Angular velocities of all objects [rad/s], world axes, as `poses`.")
        .def_prop_ro(
            "node_velocities",
            [](const WorldHandle& w) {
                return array_of(w.locked([](const World& x) { return x.velocities().nodes; }));
            },
            "Of the nodes of strands, then of rods [m/s], as `nodes`.")
        .def(
            "residuals",
            [](const WorldHandle& w) {
                return list_of(w.locked([](const World& x) { return x.residuals(); }));
            },
            "Errors of distance constraints, then of path constraints [m].")
        .def_prop_ro(
            "coordinates",
            [](const WorldHandle& w) {
                return w.locked([](const World& x) { return list_of(x.coordinates()); });
            },
            "Values of the `dynamic` variables, as `scene.coordinate_names`.")
        .def_prop_ro(
            "rates",
            [](const WorldHandle& w) {
                return w.locked([](const World& x) { return list_of(x.rates()); });
            },
            "Their rates of change.")
        .def_prop_ro(
            "energy",
            [](const WorldHandle& w) {
                const Energy e = w.locked([](const World& x) { return x.energy(); });
                return std::pair(e.kinetic, e.potential);
            },
            "Kinetic and potential energy [J].");
}

} // namespace sinew::python
