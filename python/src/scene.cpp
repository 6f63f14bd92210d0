#include "bindings.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "sinew/display.h"
#include "sinew/language.h"
#include "sinew/render.h"

#include <charconv>

namespace sinew::python {

namespace {

using Parameters = std::map<std::string, nb::object>;

/// As `-D` has them: numbers, or texts with units.
std::map<std::string, std::string> texts_of(const Parameters& parameters)
{
    std::map<std::string, std::string> texts;
    for (const auto& [name, value] : parameters) {
        double number = 0;
        if (nb::try_cast(value, number)) {
            char text[40]; // not by printf: a host program may have set a locale with commas
            texts[name] = {text, std::to_chars(text, text + sizeof text, number).ptr};
        } else {
            texts[name] = nb::cast<std::string>(nb::str(value));
        }
    }
    return texts;
}

SceneHandle keep(ScriptReading reading, std::string name)
{
    if (!reading.is_sound())
        raise(reading.problems);
    return {std::make_shared<const Scene>(std::move(reading.scene)), std::move(name),
            std::move(reading.problems)};
}

SceneHandle load(const std::string& path, const Parameters& parameters,
                 std::optional<double> frame_rate)
{
    const auto texts = texts_of(parameters);
    ScriptReading reading;
    {
        nb::gil_scoped_release free;
        reading = read_script_file(path, {.parameters = texts, .frame_rate = frame_rate});
    }
    return keep(std::move(reading), path);
}

SceneHandle parse(const std::string& text, const Parameters& parameters, const std::string& folder,
                  std::optional<double> frame_rate)
{
    const auto texts = texts_of(parameters);
    ScriptReading reading;
    {
        nb::gil_scoped_release free;
        reading = read_script("script", text, folder.empty() ? no_files() : files_below(folder),
                              {.parameters = texts, .frame_rate = frame_rate});
    }
    return keep(std::move(reading), "script");
}

} // namespace

nb::bytes picture_of(const Scene& scene, const Frame& first, const Frame& frame, int width,
                     int height, int samples)
{
    if (width < 1 || height < 1 || width > RenderOptions::kLargestSize ||
        height > RenderOptions::kLargestSize || samples < 1 || samples > 65536)
        throw nb::value_error("width and height are 1 to 16384 pixels, samples 1 to 65536");
    std::string bytes;
    Problems problems;
    {
        nb::gil_scoped_release free;
        const Display display = make_display(scene, first);
        DisplayFrame placed;
        place_display(scene, display, frame, placed);
        const Bounds bounds = bounds_of(display, placed);
        RenderOptions options{.width = width, .height = height, .samples = samples};
        options.camera = scene.settings.camera && !scene.settings.camera->frame.is_valid()
                             ? camera_at(*scene.settings.camera, frame.time)
                             : make_camera(bounds, double(width) / height);
        options.floor = find_ground(display, placed);
        if (!options.floor && !bounds.is_empty())
            options.floor = bounds.low.y - 0.02 * display.unit;
        Result<std::string> png = encode_png(render(display, placed, options));
        if (png)
            bytes = std::move(*png);
        else
            problems = png.problems();
    }
    if (!problems.empty())
        raise(problems);
    return nb::bytes(bytes.data(), bytes.size());
}

void add_scene(nb::module_& module)
{
    nb::class_<SceneHandle>(module, "Scene",
                            "What to simulate: a script that was read and checked.")
        .def_ro("name", &SceneHandle::name)
        .def_prop_ro(
            "names", [](const SceneHandle& s) { return object_names(*s.scene); },
            "What objects are called, as poses; the world is the first.")
        .def_prop_ro("strand_names", [](const SceneHandle& s) { return strand_names(*s.scene); })
        .def_prop_ro(
            "strand_counts",
            [](const SceneHandle& s) {
                std::vector<std::size_t> counts;
                for (const StrandCurve& strand : s.scene->strands)
                    counts.push_back(strand.segments + 1);
                return counts;
            },
            "How many nodes each strand has.")
        .def_prop_ro("rod_names", [](const SceneHandle& s) { return rod_names(*s.scene); })
        .def_prop_ro("constraint_names",
                     [](const SceneHandle& s) { return constraint_names(*s.scene); })
        .def_prop_ro(
            "rod_counts",
            [](const SceneHandle& s) {
                std::vector<std::size_t> counts;
                for (const Rod& rod : s.scene->rods)
                    counts.push_back(rod.spans + 1);
                return counts;
            },
            "How many nodes each rod has; they stand behind those of strands.")
        .def_prop_ro("coordinate_names",
                     [](const SceneHandle& s) {
                         std::vector<std::string> names;
                         for (const Coordinate& c : s.scene->coordinates)
                             names.push_back(c.name);
                         return names;
                     })
        .def_prop_ro("parameters",
                     [](const SceneHandle& s) {
                         std::map<std::string, double> values;
                         for (const Parameter& p : s.scene->parameters)
                             values[p.name] = p.value;
                         return values;
                     })
        .def_prop_ro("imports",
                     [](const SceneHandle& s) {
                         std::vector<std::string> names;
                         for (const Import& i : s.scene->imports)
                             names.push_back(i.name);
                         return names;
                     })
        .def_prop_ro("notes", [](const SceneHandle& s) { return s.notes; })
        .def_prop_ro("frame_rate",
                     [](const SceneHandle& s) { return s.scene->settings.frame_rate; })
        .def_prop_ro("start", [](const SceneHandle& s) { return s.scene->settings.start; })
        .def_prop_ro("end", [](const SceneHandle& s) { return s.scene->settings.end; })
        .def_prop_ro("fingerprint", [](const SceneHandle& s) { return fingerprint(*s.scene); });
    module.def("load", &load, nb::arg("path"), nb::kw_only(), nb::arg("parameters") = Parameters{},
               nb::arg("frame_rate") = nb::none(),
               "Reads a script from disk. Raises SceneError with every problem.");
    module.def("parse", &parse, nb::arg("text"), nb::kw_only(),
               nb::arg("parameters") = Parameters{}, nb::arg("folder") = "",
               nb::arg("frame_rate") = nb::none(),
               "Reads a script from a text; what it includes comes from `folder`.");
}

} // namespace sinew::python
