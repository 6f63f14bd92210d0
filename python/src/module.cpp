#include "bindings.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "sinew/language.h"

#include <cmath>

namespace sinew::python {

namespace {

nb::object scene_error;

std::string_view severity_name(Severity severity)
{
    return severity == Severity::error     ? "error"
           : severity == Severity::warning ? "warning"
                                           : "note";
}

Severity severity_of(const std::string& name)
{
    for (const Severity severity : {Severity::error, Severity::warning})
        if (severity_name(severity) == name)
            return severity;
    return Severity::note;
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
        .def(
            "__init__",
            [](Problem* self, const std::string& severity, const std::string& code,
               const std::string& file, int line, int column, const std::string& what,
               const std::string& hint) {
                new (self) Problem{.severity = severity_of(severity),
                                   .code = code,
                                   .place = {.file = file, .line = line, .column = column},
                                   .what = what,
                                   .hint = hint};
            },
            nb::arg("severity"), nb::arg("code"), nb::arg("file"), nb::arg("line"),
            nb::arg("column"), nb::arg("what"), nb::arg("hint") = "")
        .def_prop_ro("severity",
                     [](const Problem& p) { return std::string(severity_name(p.severity)); })
        .def_ro("code", &Problem::code)
        .def_prop_ro("file", [](const Problem& p) { return p.place.file; })
        .def_prop_ro("line", [](const Problem& p) { return p.place.line; })
        .def_prop_ro("column", [](const Problem& p) { return p.place.column; })
        .def_ro("what", &Problem::what)
        .def_ro("hint", &Problem::hint)
        .def(
            "__repr__",
            [](const Problem& p) { return "<Problem " + to_string(p.place) + ": " + p.what + ">"; })
        .def("__reduce__", [](nb::handle self) {
            const Problem& p = nb::cast<const Problem&>(self);
            return nb::make_tuple(self.type(),
                                  nb::make_tuple(std::string(severity_name(p.severity)), p.code,
                                                 p.place.file, p.place.line, p.place.column, p.what,
                                                 p.hint));
        });
    nb::object errors = nb::module_::import_("builtins").attr("ValueError");
    scene_error = nb::steal(PyErr_NewExceptionWithDoc(
        "sinew.SceneError", "The script or the scene has problems: all of them are in `problems`.",
        errors.ptr(), nullptr));
    module.attr("SceneError") = scene_error;
}

Vec3 vector_of(nb::handle numbers, const char* what)
{
    std::vector<double> list;
    bool is_good = true;
    try {
        for (nb::handle number : nb::iter(numbers))
            list.push_back(nb::cast<double>(number));
    } catch (const std::exception&) {
        PyErr_Clear();
        is_good = false;
    }
    const Vec3 v = is_good && list.size() == 3 ? Vec3{list[0], list[1], list[2]} : Vec3{NAN, 0, 0};
    if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z))
        throw nb::value_error((std::string(what) + " must be three finite numbers").c_str());
    return v;
}

std::string html_table(const std::vector<std::pair<std::string, std::string>>& rows)
{
    const auto escaped = [](const std::string& text) {
        std::string out;
        for (const char c : text)
            out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
        return out;
    };
    std::string html = "<table>";
    for (const auto& [name, value] : rows)
        html += "<tr><th style=\"text-align:left\">" + escaped(name) + "</th><td>" +
                escaped(value) + "</td></tr>";
    return html + "</table>";
}

FrameViews make_views(const std::shared_ptr<const Frame>& frame)
{
    static_assert(sizeof(Affine) == 12 * sizeof(double) && sizeof(Vec3) == 3 * sizeof(double) &&
                  sizeof(Quat) == 4 * sizeof(double) &&
                  sizeof(ConstraintLoad) == 9 * sizeof(double) &&
                  sizeof(SectionForce) == 3 * sizeof(double));
    using Kept = std::shared_ptr<const Frame>;
    nb::capsule owner(new Kept(frame), [](void* p) noexcept { delete static_cast<Kept*>(p); });
    const auto view = [&](const auto& list, std::initializer_list<std::size_t> shape) -> Array {
        return {nb::cast(nb::ndarray<nb::numpy, const double>(
                             reinterpret_cast<const double*>(list.data()), shape, owner),
                         nb::rv_policy::reference)};
    };
    return {.poses = view(frame->objects, {frame->objects.size(), 4, 3}),
            .points = view(frame->points, {frame->points.size(), 3}),
            .nodes = view(frame->nodes, {frame->nodes.size(), 3}),
            .segments = view(frame->segments, {frame->segments.size(), 4}),
            .loads = view(frame->loads, {frame->loads.size(), 3, 3}),
            .sections = view(frame->sections, {frame->sections.size(), 3})};
}

} // namespace sinew::python

NB_MODULE(_sinew, module)
{
    module.doc() = "Bindings of Sinew; import sinew instead.";
    module.attr("__version__") = sinew::version();
    nanobind::set_leak_warnings(false); // SceneError lives as long as the program
    sinew::python::add_problems(module);
    sinew::python::add_scene(module);
    sinew::python::add_display(module);
    sinew::python::add_world(module);
    sinew::python::add_batch(module);
    sinew::python::add_recording(module);
}
