#pragma once

// Python bindings of the public headers. Names are those of the language and of C++.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "sinew/error.h"
#include "sinew/frame.h"
#include "sinew/scene.h"

#include <cstddef>
#include <memory>
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
void add_world(nb::module_& module);
void add_recording(nb::module_& module);

/// A scene that Python holds; never changed.
struct SceneHandle {
    std::shared_ptr<const Scene> scene;
    std::string name; ///< of the script
    Problems notes;   ///< warnings of reading it
};

/// A picture of a frame, as the bytes of a PNG file.
nb::bytes picture_of(const Scene& scene, const Frame& first, const Frame& frame, int width,
                     int height, int samples);

/// An array that owns its numbers.
inline nb::object owned(std::vector<double> values, std::initializer_list<std::size_t> shape)
{
    auto* kept = new std::vector<double>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, double>(kept->data(), shape, owner),
                    nb::rv_policy::reference);
}

/// The lists of a frame as arrays that cannot be written. They keep the frame alive.
struct FrameViews {
    nb::object poses, points, nodes, segments, loads;
};
FrameViews make_views(const std::shared_ptr<const Frame>& frame);

} // namespace sinew::python
