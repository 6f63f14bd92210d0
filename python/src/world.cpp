#include "observe.h"
#include "sinew/names.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

namespace sinew::python {

namespace {

std::string text_of(const StepReport& report)
{
    const std::string steps = std::to_string(report.steps) + " steps";
    return report.fault       ? "stopped: " + report.fault->what
           : report.converged ? steps
                              : steps + ", did not converge";
}

std::string table_of(const StepReport& r)
{
    const auto scientific = [](double number) {
        char text[40];
        std::snprintf(text, sizeof text, "%.3g", number);
        return std::string(text);
    };
    std::vector<std::pair<std::string, std::string>> rows = {
        {"steps", std::to_string(r.steps)},
        {"rows", std::to_string(r.rows)},
        {"iterations", std::to_string(r.iterations)},
        {"residual [m]", scientific(r.residual)},
        {"converged", r.converged ? "yes" : "no"}};
    for (const Problem& warning : r.warnings)
        rows.emplace_back("warning", warning.what);
    if (r.fault)
        rows.emplace_back("stopped", r.fault->what + " (" + r.fault->hint + ")");
    return html_table(rows);
}

void add_report(nb::module_& module)
{
    nb::class_<StepReport>(module, "StepReport", "What an advance did. False where time stopped.")
        .def_ro("steps", &StepReport::steps)
        .def_ro("rejected", &StepReport::rejected)
        .def_ro("iterations", &StepReport::iterations)
        .def_ro("rows", &StepReport::rows)
        .def_ro("residual", &StepReport::residual)
        .def_ro("contact_error", &StepReport::contact_error)
        .def_ro("converged", &StepReport::converged)
        .def_ro("warnings", &StepReport::warnings)
        .def_ro("fault", &StepReport::fault)
        .def("__bool__", [](const StepReport& report) { return !report.fault; })
        .def("__repr__",
             [](const StepReport& report) { return "<StepReport " + text_of(report) + ">"; })
        .def("_repr_html_", &table_of);
}

/// Values by name over what is there.
void put(const std::map<std::string, double>& values, const Scene& scene, const char* what,
         std::vector<double>& numbers)
{
    std::vector<std::string> names;
    for (const Coordinate& coordinate : scene.coordinates)
        names.push_back(coordinate.name);
    for (const auto& [name, value] : values) {
        const std::size_t i = find_named(names, name, "coordinate");
        if (!std::isfinite(value))
            throw nb::value_error((std::string(what) + " of '" + name + "' is not finite").c_str());
        numbers[i] = value;
    }
}

void set_state(WorldHandle& world, const std::map<std::string, double>& coordinates,
               const std::map<std::string, double>& rates)
{
    Beginning next = world.beginning_here();
    put(coordinates, *world.scene().scene, "the value", next.coordinates);
    put(rates, *world.scene().scene, "the rate", next.rates);
    world.continue_from(std::move(next));
}

void set_body(WorldHandle& world, const std::string& name, nb::object position,
              nb::object orientation, nb::object velocity, nb::object spin)
{
    const ObjectId object = world.object(name);
    Beginning next = world.beginning_here();
    const auto body = std::ranges::find(next.bodies, object, &BodyMotion::object);
    if (body == next.bodies.end())
        throw nb::value_error(("'" + name + "' is not a free body").c_str());
    if (!position.is_none())
        body->pose.translation = vector_of(position, "position");
    if (!orientation.is_none()) {
        std::vector<double> q;
        if (!nb::try_cast(orientation, q) || q.size() != 4)
            throw nb::value_error("orientation must be a quaternion x, y, z, w");
        const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        if (!std::isfinite(size) || size <= 0)
            throw nb::value_error("orientation must be a quaternion x, y, z, w");
        body->pose.rotation = {q[0] / size, q[1] / size, q[2] / size, q[3] / size};
    }
    if (!velocity.is_none())
        body->velocity = vector_of(velocity, "velocity");
    if (!spin.is_none())
        body->spin = vector_of(spin, "spin");
    world.continue_from(std::move(next));
}

void grab(WorldHandle& world, const std::string& name, nb::object target, nb::object point,
          double along, std::uint32_t curve, std::optional<double> stiffness,
          std::optional<double> damping)
{
    const auto is_bad = [](double number) { return !std::isfinite(number) || number < 0; };
    if (is_bad(along) || along > 1 || is_bad(stiffness.value_or(1)) || is_bad(damping.value_or(1)))
        throw nb::value_error(
            "along is from 0 to 1; stiffness and damping are finite and not negative");
    world.grab({.object = world.object(name),
                .target = vector_of(target, "target"),
                .stiffness = stiffness.value_or(0),
                .damping = damping.value_or(0),
                .point = vector_of(point, "point"),
                .along = along,
                .curve = curve});
}

std::vector<std::string> hands_of(const WorldHandle& world)
{
    const std::vector<std::string> names = object_paths(*world.scene().scene);
    std::vector<std::string> held;
    for (const Grab& grab : world.grabs())
        held.push_back(names[grab.object.index]);
    return held;
}

void add_frame(nb::class_<WorldHandle>& world)
{
    world
        .def_prop_ro(
            "poses", [](WorldHandle& w) { return w.views().poses; },
            "Objects as (n, 4, 3): axes x, y, z and the origin of each.")
        .def_prop_ro(
            "points", [](WorldHandle& w) { return w.views().points; }, "Points of drawings.")
        .def_prop_ro(
            "nodes", [](WorldHandle& w) { return w.views().nodes; },
            "Nodes of strands, one strand after the other, then of rods.")
        .def_prop_ro(
            "segments", [](WorldHandle& w) { return w.views().segments; },
            "Frames of their segments: x, y, z, w.")
        .def_prop_ro(
            "loads", [](WorldHandle& w) { return w.views().loads; },
            "Of constraints of strands, then of rods, as (n, 3, 3): place [m], force [N] and "
            "torque [N m].")
        .def_prop_ro(
            "sections", [](WorldHandle& w) { return w.views().sections; },
            "At the nodes of rods, one rod after the other, as (n, 3): tension [N], bending and "
            "twist moment [N m].")
        .def(
            "picture",
            [](WorldHandle& w, int width, int height, int samples) {
                const Frame now = w.frame();
                return picture_of(*w.scene().scene, w.first(), now, width, height, samples);
            },
            nb::arg("width") = 640, nb::arg("height") = 360, nb::arg("samples") = 48,
            "A picture, as the bytes of a PNG file.");
}

void add_changes(nb::class_<WorldHandle>& world)
{
    world
        .def("set_parameters", &WorldHandle::set_parameters, nb::arg("parameters"),
             nb::sig("def set_parameters(self, parameters: collections.abc.Mapping[str, float | "
                     "str]) -> None"),
             "Continues from here with other values of `param`. Snapshots from before do not fit "
             "any more.")
        .def("set_state", &set_state, nb::kw_only(),
             nb::arg("coordinates") = std::map<std::string, double>{},
             nb::arg("rates") = std::map<std::string, double>{},
             nb::sig("def set_state(self, *, coordinates: collections.abc.Mapping[str, float] = "
                     "{}, rates: collections.abc.Mapping[str, float] = {}) -> None"),
             "Continues from here with other values of `dynamic` variables, by name.")
        .def("set_body", &set_body, nb::arg("name"), nb::kw_only(),
             nb::arg("position") = nb::none(), nb::arg("orientation") = nb::none(),
             nb::arg("velocity") = nb::none(), nb::arg("spin") = nb::none(),
             nb::sig("def set_body(self, name: str, *, position: numpy.typing.ArrayLike | None = "
                     "None, orientation: numpy.typing.ArrayLike | None = None, velocity: "
                     "numpy.typing.ArrayLike | None = None, spin: numpy.typing.ArrayLike | None = "
                     "None) -> None"),
             "Continues from here with a free body elsewhere, or moving otherwise.")
        .def("grab", &grab, nb::arg("name"), nb::arg("target"), nb::kw_only(),
             nb::arg("point") = nb::make_tuple(0.0, 0.0, 0.0), nb::arg("along") = 0.0,
             nb::arg("curve") = 0, nb::arg("stiffness") = nb::none(),
             nb::arg("damping") = nb::none(),
             nb::sig("def grab(self, name: str, target: numpy.typing.ArrayLike, *, point: "
                     "numpy.typing.ArrayLike = (0.0, 0.0, 0.0), along: float = 0.0, curve: int = "
                     "0, stiffness: float | None = None, damping: float | None = None) -> None"),
             "Pulls an object towards a place by a spring and a damper, until it is released.")
        .def(
            "release",
            [](WorldHandle& w, std::optional<std::string> name) {
                w.release(name ? std::optional(w.object(*name)) : std::nullopt);
            },
            nb::arg("name") = nb::none(), "Releases what was grabbed: one object, or all.")
        .def_prop_ro("hands", &hands_of, "The objects that are grabbed.");
}

} // namespace

void add_world(nb::module_& module)
{
    add_report(module);
    add_observations(module);
    nb::class_<WorldHandle> world(module, "World",
                                  "Everything in a scene, advancing together in time.");
    world
        .def(nb::init<const SceneHandle&, const Imports&, int, bool>(), nb::arg("scene"),
             nb::kw_only(), nb::arg("imports") = Imports{}, nb::arg("threads") = 1,
             nb::arg("settle") = false,
             nb::sig("def __init__(self, scene: Scene, *, imports: collections.abc.Mapping[str, "
                     "collections.abc.Callable[[float, list[float], list[float]], object]] = {}, "
                     "threads: int = 1, settle: bool = False) -> None"))
        .def_prop_ro("scene", &WorldHandle::scene)
        .def_prop_ro("time", &WorldHandle::time)
        .def("step", &WorldHandle::step, nb::arg("dt") = nb::none(),
             "Advances by dt seconds, or by one frame.")
        .def("advance", &WorldHandle::advance, nb::arg("until"))
        .def("settle", &WorldHandle::settle, "Starts again, from the static equilibrium.")
        .def("snapshot", &WorldHandle::snapshot)
        .def("restore", &WorldHandle::restore, nb::arg("snapshot"))
        .def("hash",
             [](const WorldHandle& w) {
                 return w.locked([](const World& x) { return x.state_hash(); });
             })
        .def("_reduced", &WorldHandle::reduced)
        .def("_rebuild", &WorldHandle::rebuild, nb::arg("beginning").none(), nb::arg("snapshot"),
             nb::arg("grabs"))
        .def("__repr__", [](const WorldHandle& w) {
            char time[40];
            std::snprintf(time, sizeof time, " at %.6g s>", w.time());
            return "<World " + w.scene().name() + time;
        });
    add_frame(world);
    add_changes(world);
    add_observations(world);
}

} // namespace sinew::python
