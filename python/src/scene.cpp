#include "bindings.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "sinew/display.h"
#include "sinew/language.h"
#include "sinew/names.h"
#include "sinew/render.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>

namespace sinew::python {

namespace {

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

ReadFile files_in(const std::string& folder)
{
    return folder.empty() ? no_files() : files_below(folder);
}

/// Serves the files that are kept, then others, and keeps these.
ReadFile keeping_files(SceneSource& source, const ReadFile& others)
{
    return [others, &files = source.files](const std::string& name) -> FileText {
        if (const auto kept = files.find(name); kept != files.end())
            return {FileText::Status::ok, kept->second};
        FileText file = others(name);
        if (file.status == FileText::Status::ok)
            files[name] = file.text;
        return file;
    };
}

SceneHandle load(const std::filesystem::path& path, const Parameters& parameters,
                 std::optional<double> frame_rate)
{
    const auto texts = texts_of(parameters);
    const std::string folder = path.parent_path().empty() ? "." : path.parent_path().string();
    FileText file;
    Problems unreadable;
    {
        nb::gil_scoped_release free;
        file = files_below(folder)(path.filename().string());
        if (file.status != FileText::Status::ok)
            unreadable = read_script_file(path.string()).problems;
    }
    if (file.status != FileText::Status::ok)
        raise(unreadable);
    return read_source({.name = path.string(),
                        .text = std::move(file.text),
                        .folder = folder,
                        .parameters = texts,
                        .frame_rate = frame_rate},
                       files_in(folder));
}

SceneHandle parse(const std::string& text, const Parameters& parameters,
                  const std::filesystem::path& folder, std::optional<double> frame_rate)
{
    return read_source({.name = "script",
                        .text = text,
                        .folder = folder.string(),
                        .parameters = texts_of(parameters),
                        .frame_rate = frame_rate},
                       files_in(folder.string()));
}

/// All that `read_again` needs.
nb::tuple reduced(const SceneHandle& handle)
{
    const SceneSource& source = *handle.source;
    nb::dict files;
    for (const auto& [name, text] : source.files)
        files[name.c_str()] = nb::bytes(text.data(), text.size());
    nb::object again = nb::module_::import_("sinew").attr("_read_again"); // bound ones have no name
    return nb::make_tuple(again,
                          nb::make_tuple(source.name, source.text, files, source.folder,
                                         source.parameters, source.frame_rate, source.check_start));
}

SceneHandle read_again(const std::string& name, const std::string& text,
                       const std::map<std::string, nb::bytes>& files, const std::string& folder,
                       const std::map<std::string, std::string>& parameters,
                       std::optional<double> frame_rate, bool check_start)
{
    SceneSource source{.name = name,
                       .text = text,
                       .folder = folder,
                       .parameters = parameters,
                       .frame_rate = frame_rate,
                       .check_start = check_start};
    for (const auto& [file, bytes] : files)
        source.files[file] = {bytes.c_str(), bytes.size()};
    return read_source(std::move(source), files_in(folder));
}

template <class List, class Count>
std::vector<std::size_t> counts_of(const List& curves, Count count)
{
    std::vector<std::size_t> counts;
    for (const auto& curve : curves)
        counts.push_back(curve.*count + 1);
    return counts;
}

std::vector<std::string> body_names(const Scene& scene)
{
    const std::vector<std::string> all = object_paths(scene);
    std::vector<std::string> names;
    for (const RigidBody& body : scene.bodies)
        names.push_back(all[body.object.index]);
    return names;
}

/// "pendulum.charli: 9 objects, 3 coordinates, 0 to 10 s at 24 frames a second".
std::string description_of(const SceneHandle& handle)
{
    const Scene& scene = *handle.scene;
    std::string text = handle.name();
    const auto add = [&](std::size_t count, const char* what) {
        if (count > 0)
            text += (text == handle.name() ? ": " : ", ") + std::to_string(count) + " " + what +
                    (count == 1 ? "" : "s");
    };
    add(scene.objects.size() - 1, "object");
    add(scene.coordinates.size(), "coordinate");
    add(scene.strands.size(), "strand");
    add(scene.rods.size(), "rod");
    return text;
}

std::string table_of(const SceneHandle& handle)
{
    const Scene& scene = *handle.scene;
    const auto joined = [](const std::vector<std::string>& names) {
        constexpr std::size_t kMost = 12;
        std::string text;
        for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i)
            text += (i ? ", " : "") + names[i];
        return names.size() > kMost
                   ? text + ", and " + std::to_string(names.size() - kMost) + " more"
                   : text;
    };
    std::vector<std::string> objects = object_paths(scene), values;
    objects.erase(objects.begin());
    for (const Parameter& p : scene.parameters) {
        char text[40];
        std::snprintf(text, sizeof text, " = %.6g", p.value);
        values.push_back(p.name + text);
    }
    std::vector<std::pair<std::string, std::string>> rows = {
        {"script", handle.name()},
        {"objects", joined(objects)},
        {"coordinates", joined(names_of(scene.coordinates))},
        {"parameters", joined(values)},
        {"imports", joined(names_of(scene.imports))}};
    std::erase_if(rows, [](const auto& row) { return row.second.empty(); });
    return html_table(rows);
}

/// Where the numbers of each `probe` stand among the points of a frame.
std::vector<std::size_t> probe_points(const Scene& scene)
{
    std::vector<std::size_t> points;
    std::size_t first = 0;
    for (const Drawing& drawing : scene.drawings) {
        if (drawing.kind == DrawingKind::probe)
            points.push_back(first);
        first += drawing_point_count(scene, drawing);
    }
    return points;
}

} // namespace

std::size_t find_named(const std::vector<std::string>& names, const std::string& wanted,
                       const std::string& what)
{
    constexpr std::size_t kMost = 5;
    const std::vector<std::size_t> found = find_names(names, wanted);
    if (found.size() == 1)
        return found.front();
    std::string list;
    for (std::size_t i = 0; i < std::min(found.size(), kMost); ++i)
        list += (i ? ", " : "") + names[found[i]];
    throw nb::key_error((found.empty() ? "there is no " + what + " '" + wanted + "'"
                                       : "'" + wanted + "' may be any of " +
                                             std::to_string(found.size()) + ": " + list)
                            .c_str());
}

SceneHandle read_source(SceneSource source, const ReadFile& others)
{
    ScriptReading reading;
    {
        nb::gil_scoped_release free;
        reading = read_script(source.name, source.text, keeping_files(source, others),
                              {.parameters = source.parameters,
                               .frame_rate = source.frame_rate,
                               .check_start = source.check_start});
    }
    if (!reading.is_sound())
        raise(reading.problems);
    return {std::make_shared<const Scene>(std::move(reading.scene)),
            std::make_shared<const SceneSource>(std::move(source)), std::move(reading.problems)};
}

SceneHandle with_parameters(const SceneHandle& scene, const Parameters& parameters)
{
    SceneSource source = *scene.source;
    for (auto& [name, text] : texts_of(parameters))
        source.parameters[name] = text;
    const ReadFile others = files_in(source.folder);
    return read_source(std::move(source), others);
}

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
        options.studio = scene.studio.value_or(Studio{});
        options.floor =
            options.studio.ground ? options.studio.ground : find_ground(display, placed);
        if (!options.floor && !bounds.is_empty())
            options.floor = bounds.low.y - 0.02 * display.unit;
        if (options.studio.floor == Floor::none)
            options.floor.reset();
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
        .def_prop_ro("name", &SceneHandle::name)
        .def_prop_ro("text", [](const SceneHandle& s) { return s.source->text; })
        .def_prop_ro(
            "names", [](const SceneHandle& s) { return object_paths(*s.scene); },
            "Names of the objects, in the order of `poses`; the world is the first.")
        .def_prop_ro(
            "body_names", [](const SceneHandle& s) { return body_names(*s.scene); },
            "Names of bodies and obstacles.")
        .def_prop_ro("strand_names", [](const SceneHandle& s) { return strand_names(*s.scene); })
        .def_prop_ro(
            "strand_counts",
            [](const SceneHandle& s) {
                return counts_of(s.scene->strands, &StrandCurve::segments);
            },
            "Number of nodes of each strand.")
        .def_prop_ro(
            "probe_names", [](const SceneHandle& s) { return probe_names(*s.scene); },
            "Names of the script's probes.")
        .def_prop_ro("_probe_points", [](const SceneHandle& s) { return probe_points(*s.scene); })
        .def_prop_ro("rod_names", [](const SceneHandle& s) { return rod_names(*s.scene); })
        .def_prop_ro("constraint_names",
                     [](const SceneHandle& s) { return constraint_names(*s.scene); })
        .def_prop_ro(
            "rod_counts",
            [](const SceneHandle& s) { return counts_of(s.scene->rods, &Rod::spans); },
            "Number of nodes of each rod; they follow those of strands.")
        .def_prop_ro("coordinate_names",
                     [](const SceneHandle& s) { return names_of(s.scene->coordinates); })
        .def_prop_ro("parameters",
                     [](const SceneHandle& s) {
                         std::map<std::string, double> values;
                         for (const Parameter& p : s.scene->parameters)
                             values[p.name] = p.value;
                         return values;
                     })
        .def_prop_ro("imports", [](const SceneHandle& s) { return names_of(s.scene->imports); })
        .def_prop_ro("notes", [](const SceneHandle& s) { return s.notes; })
        .def_prop_ro("frame_rate",
                     [](const SceneHandle& s) { return s.scene->settings.frame_rate; })
        .def_prop_ro("start", [](const SceneHandle& s) { return s.scene->settings.start; })
        .def_prop_ro("end", [](const SceneHandle& s) { return s.scene->settings.end; })
        .def_prop_ro("fingerprint", [](const SceneHandle& s) { return fingerprint(*s.scene); })
        .def("with_parameters", &with_parameters, nb::arg("parameters"),
             nb::sig("def with_parameters(self, parameters: collections.abc.Mapping[str, float | "
                     "str]) -> Scene"),
             "The same script with some parameters changed.")
        .def("_repr_html_", &table_of)
        .def("__reduce__", &reduced, "Pickles carry the script and the files that it read.")
        .def("__repr__", [](const SceneHandle& s) { return "<Scene " + description_of(s) + ">"; });
    module.def("load", &load, nb::arg("path"), nb::kw_only(), nb::arg("parameters") = Parameters{},
               nb::arg("frame_rate") = nb::none(),
               nb::sig("def load(path: str | os.PathLike[str], *, parameters: "
                       "collections.abc.Mapping[str, float | str] = {}, frame_rate: float | None "
                       "= None) -> Scene"),
               "Reads a script from disk. Raises SceneError with every problem.");
    module.def("parse", &parse, nb::arg("text"), nb::kw_only(),
               nb::arg("parameters") = Parameters{}, nb::arg("folder") = "",
               nb::arg("frame_rate") = nb::none(),
               nb::sig("def parse(text: str, *, parameters: collections.abc.Mapping[str, float | "
                       "str] = {}, folder: str | os.PathLike[str] = '', frame_rate: float | None "
                       "= None) -> Scene"),
               "Reads a script from a text; what it includes comes from `folder`.");
    module.def("_read_again", &read_again);
    module.def("_find_named", &find_named, nb::arg("names"), nb::arg("wanted"), nb::arg("what"));
}

} // namespace sinew::python
