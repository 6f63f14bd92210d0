// Shapes of a scene for views in notebooks: elements that stay, points and poses of each frame.

#include "bindings.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "sinew/display.h"

namespace sinew::python {

namespace {

const char* kind_name(ElementKind kind)
{
    switch (kind) {
    case ElementKind::sphere: return "sphere";
    case ElementKind::curve: return "curve";
    case ElementKind::spring: return "spring";
    case ElementKind::polygon: return "polygon";
    case ElementKind::surface: return "surface";
    case ElementKind::box: return "box";
    case ElementKind::capsule: return "capsule";
    case ElementKind::cylinder: return "cylinder";
    case ElementKind::cone: return "cone";
    case ElementKind::plane: return "plane";
    case ElementKind::mesh: return "mesh";
    }
    return "sphere";
}

/// Arrays of any size may come from Python.
const Frame& checked(const Scene& scene, const Frame& frame)
{
    std::size_t points = 0, nodes = 0, segments = 0;
    for (const Drawing& drawing : scene.drawings)
        points += drawing_point_count(scene, drawing);
    for (const StrandCurve& strand : scene.strands) {
        nodes += strand.segments + 1;
        segments += strand.segments;
    }
    for (const Rod& rod : scene.rods) {
        nodes += rod.spans + 1;
        segments += rod.spans;
    }
    if (frame.objects.size() != scene.objects.size() || frame.points.size() != points ||
        frame.nodes.size() != nodes || frame.segments.size() != segments)
        throw nb::value_error("the frame is of another scene");
    return frame;
}

bool is_shown(const Element& element)
{
    return element.role == ElementRole::thing || element.role == ElementRole::mount;
}

/// A display, made from the first frame that it is shown.
class DisplayHandle {
public:
    DisplayHandle(const SceneHandle& scene, const Frame& first)
        : scene_(scene), display_(make_display(*scene.scene, checked(*scene.scene, first)))
    {
    }

    nb::list elements() const
    {
        nb::list out;
        for (const Element& e : display_.elements) {
            if (!is_shown(e))
                continue;
            nb::dict element;
            element["kind"] = kind_name(e.kind);
            element["colour"] = std::vector<double>{e.colour.x, e.colour.y, e.colour.z};
            element["radius"] = e.radius;
            element["size"] = std::vector<double>{e.size.x, e.size.y, e.size.z};
            element["first"] = e.first;
            element["count"] = e.count;
            element["mesh"] = int(e.mesh);
            element["turns"] = e.turns;
            element["closed"] = e.is_closed;
            out.append(element);
        }
        return out;
    }

    nb::list meshes() const
    {
        nb::list out;
        for (const DisplayMesh& mesh : display_.meshes) {
            std::vector<std::uint32_t> corners;
            for (const auto& triangle : mesh.triangles)
                corners.insert(corners.end(), triangle.begin(), triangle.end());
            nb::dict one;
            one["vertices"] = array_of(mesh.vertices);
            one["triangles"] = corners;
            out.append(one);
        }
        return out;
    }

    /// Points (n, 3) and poses (m, 4, 3).
    nb::tuple place(const Frame& frame)
    {
        place_display(*scene_.scene, display_, checked(*scene_.scene, frame), placed_);
        std::vector<double> poses;
        for (const Affine& pose : placed_.poses) {
            const auto* numbers = reinterpret_cast<const double*>(&pose);
            poses.insert(poses.end(), numbers, numbers + 12);
        }
        return nb::make_tuple(array_of(placed_.points),
                              owned(std::move(poses), {placed_.poses.size(), 4, 3}));
    }

private:
    SceneHandle scene_;
    Display display_;
    DisplayFrame placed_;
};

/// A frame from arrays, as World and Frame have them.
Frame frame_of(double time,
               const nb::ndarray<const double, nb::shape<-1, 4, 3>, nb::c_contig>& poses,
               const nb::ndarray<const double, nb::shape<-1, 3>, nb::c_contig>& points,
               const nb::ndarray<const double, nb::shape<-1, 3>, nb::c_contig>& nodes,
               const nb::ndarray<const double, nb::shape<-1, 4>, nb::c_contig>& segments)
{
    const auto list = [](const auto& array, auto example) {
        using T = decltype(example);
        const auto* first = reinterpret_cast<const T*>(array.data());
        return std::vector<T>(first, first + array.shape(0));
    };
    return {.time = time,
            .objects = list(poses, Affine{}),
            .points = list(points, Vec3{}),
            .nodes = list(nodes, Vec3{}),
            .segments = list(segments, Quat{})};
}

} // namespace

void add_display(nb::module_& module)
{
    nb::class_<Frame>(module, "_FrameData").def(nb::new_(&frame_of));
    nb::class_<DisplayHandle>(module, "_Display")
        .def(nb::init<const SceneHandle&, const Frame&>())
        .def("elements", &DisplayHandle::elements)
        .def("meshes", &DisplayHandle::meshes)
        .def("place", &DisplayHandle::place);
}

} // namespace sinew::python
