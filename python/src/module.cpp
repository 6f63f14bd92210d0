#include "bindings.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "sinew/language.h"

namespace sinew::python {

namespace {

nb::object scene_error;

std::string_view severity_name(Severity severity)
{
    return severity == Severity::error     ? "error"
           : severity == Severity::warning ? "warning"
                                           : "note";
}

} // namespace

void raise(const Problems& problems)
{
    nb::object error = scene_error(problems_text(problems, false));
    nb::list list;
    for (const Problem& problem : problems)
        list.append(nb::cast(problem));
    error.attr("problems") = list;
    PyErr_SetObject(scene_error.ptr(), error.ptr());
    throw nb::python_error();
}

void add_problems(nb::module_& module)
{
    nb::class_<Problem>(module, "Problem", "One thing wrong with the input, or worth knowing.")
        .def_prop_ro("severity",
                     [](const Problem& p) { return std::string(severity_name(p.severity)); })
        .def_ro("code", &Problem::code)
        .def_prop_ro("file", [](const Problem& p) { return p.place.file; })
        .def_prop_ro("line", [](const Problem& p) { return p.place.line; })
        .def_prop_ro("column", [](const Problem& p) { return p.place.column; })
        .def_ro("what", &Problem::what)
        .def_ro("hint", &Problem::hint)
        .def("__repr__", [](const Problem& p) {
            return "<Problem " + to_string(p.place) + ": " + p.what + ">";
        });
    nb::object errors = nb::module_::import_("builtins").attr("ValueError");
    scene_error = nb::steal(PyErr_NewExceptionWithDoc(
        "sinew.SceneError", "The script or the scene has problems: all of them are in `problems`.",
        errors.ptr(), nullptr));
    module.attr("SceneError") = scene_error;
}

FrameViews make_views(const std::shared_ptr<const Frame>& frame)
{
    static_assert(sizeof(Affine) == 12 * sizeof(double) && sizeof(Vec3) == 3 * sizeof(double) &&
                  sizeof(Quat) == 4 * sizeof(double) &&
                  sizeof(ConstraintLoad) == 9 * sizeof(double));
    using Kept = std::shared_ptr<const Frame>;
    nb::capsule owner(new Kept(frame), [](void* p) noexcept { delete static_cast<Kept*>(p); });
    const auto view = [&](const auto& list, std::initializer_list<std::size_t> shape) {
        return nb::cast(nb::ndarray<nb::numpy, const double>(
                            reinterpret_cast<const double*>(list.data()), shape, owner),
                        nb::rv_policy::reference);
    };
    return {.poses = view(frame->objects, {frame->objects.size(), 4, 3}),
            .points = view(frame->points, {frame->points.size(), 3}),
            .nodes = view(frame->nodes, {frame->nodes.size(), 3}),
            .segments = view(frame->segments, {frame->segments.size(), 4}),
            .loads = view(frame->loads, {frame->loads.size(), 3, 3})};
}

} // namespace sinew::python

NB_MODULE(_sinew, module)
{
    module.doc() = "Bindings of Sinew; import sinew instead.";
    module.attr("__version__") = sinew::version();
    nanobind::set_leak_warnings(false); // SceneError lives as long as the program
    sinew::python::add_problems(module);
    sinew::python::add_scene(module);
    sinew::python::add_world(module);
    sinew::python::add_recording(module);
}
