#pragma once

// Python bindings of the public headers. Names are those of the language and of C++.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "sinew/error.h"
#include "sinew/frame.h"
#include "sinew/language.h"
#include "sinew/scene.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sinew::python {

namespace nb = nanobind;

/// Raises sinew.SceneError with the whole list.
[[noreturn]] void raise(const Problems& problems);

void add_problems(nb::module_& module);
void add_scene(nb::module_& module);
void add_display(nb::module_& module);
void add_world(nb::module_& module);
void add_batch(nb::module_& module);
void add_recording(nb::module_& module);

/// What a scene was read from: enough to read it again in another process, or with other
/// parameters.
struct SceneSource {
    std::string name, text;
    std::map<std::string, std::string> files = {}; ///< that the script read, by its names for them
    std::string folder = {};                       ///< of other files; empty: there are none
    std::map<std::string, std::string> parameters = {}; ///< as `-D` gives them
    std::optional<double> frame_rate = {};
    bool check_start = true; ///< false for recordings, whose start was checked when they were made
};

/// A scene that Python holds; never changed.
struct SceneHandle {
    std::shared_ptr<const Scene> scene;
    std::shared_ptr<const SceneSource> source;
    Problems notes; ///< warnings of reading it

    const std::string& name() const { return source->name; }
};

/// Names of what has one: coordinates, imports.
template <class List>
std::vector<std::string> names_of(const List& things)
{
    std::vector<std::string> names;
    for (const auto& thing : things)
        names.push_back(thing.name);
    return names;
}

/// The number of what a name means among these (`find_names`); a KeyError where that is not one.
std::size_t find_named(const std::vector<std::string>& names, const std::string& wanted,
                       const std::string& what);

using Parameters = std::map<std::string, nb::object>;

/// Reads a scene, or raises every problem of it. Its source keeps the files that it read; those it
/// does not have yet come from `others`.
SceneHandle read_source(SceneSource source, const ReadFile& others);

/// The same script with some parameters changed.
SceneHandle with_parameters(const SceneHandle& scene, const Parameters& parameters);

/// A picture of a frame, as the bytes of a PNG file.
nb::bytes picture_of(const Scene& scene, const Frame& first, const Frame& frame, int width,
                     int height, int samples);

/// An array of numpy that Python holds too; stubs name its type.
struct Array {
    nb::object value;
};

/// An array that owns its numbers.
inline Array owned(std::vector<double> values, std::initializer_list<std::size_t> shape)
{
    auto* kept = new std::vector<double>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
    return {nb::cast(nb::ndarray<nb::numpy, double>(kept->data(), shape, owner),
                     nb::rv_policy::reference)};
}

/// Vectors as an array (n, 3).
inline Array array_of(std::span<const Vec3> vectors)
{
    std::vector<double> values;
    for (const Vec3& v : vectors)
        values.insert(values.end(), {v.x, v.y, v.z});
    return owned(std::move(values), {vectors.size(), 3});
}

/// One vector as an array (3).
inline Array array_of(const Vec3& v) { return owned({v.x, v.y, v.z}, {3}); }

/// Three finite numbers, or a ValueError that names them.
Vec3 vector_of(nb::handle numbers, const char* what);

/// The lists of a frame as arrays that cannot be written. They keep the frame alive.
struct FrameViews {
    Array poses, points, nodes, segments, loads, sections;
};
FrameViews make_views(const std::shared_ptr<const Frame>& frame);

/// Rows of a table as notebooks show it.
std::string html_table(const std::vector<std::pair<std::string, std::string>>& rows);

} // namespace sinew::python

namespace nanobind::detail {

template <>
struct type_caster<sinew::python::Array> {
    NB_TYPE_CASTER(sinew::python::Array, const_name("numpy.typing.NDArray[numpy.float64]"))

    bool from_python(handle, std::uint8_t, cleanup_list*) noexcept { return false; }
    static handle from_cpp(const sinew::python::Array& array, rv_policy, cleanup_list*) noexcept
    {
        return array.value.inc_ref();
    }
};

} // namespace nanobind::detail
