#include "bindings.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "sinew/export.h"
#include "sinew/language.h"
#include "sinew/record.h"
#include "sinew/session.h"

#include <filesystem>
#include <mutex>

namespace sinew::python {

namespace {

/// A frame of a recording; its arrays keep it.
struct FrameHandle {
    std::shared_ptr<const Frame> frame;
    FrameViews views;
};

class RecordingHandle {
public:
    explicit RecordingHandle(const std::filesystem::path& path)
        : path_(path.string()), recording_(open(path_))
    {
        const Result<Take> take = take_of(recording_);
        if (!take)
            raise(take.problems());
        const Result<SessionOptions> options = options_of(recording_, {});
        if (!options)
            raise(options.problems());
        scene_ = read_source({.name = take->name,
                              .text = take->script,
                              .parameters = take->parameters,
                              .frame_rate = options->frame_rate,
                              .check_start = false},
                             options->read_file);
    }

    const std::string& path() const { return path_; }
    const SceneHandle& scene() const { return scene_; }
    const RecordingInfo& info() const { return recording_.info(); }
    std::int64_t count() const { return recording_.info().frame_count; }

    FrameHandle frame(std::int64_t index)
    {
        const std::int64_t at = index < 0 ? index + count() : index;
        if (at < 0 || at >= count())
            throw nb::index_error("the recording has no such frame");
        Result<Frame> frame = read(at);
        if (!frame)
            raise(frame.problems());
        auto kept = std::make_shared<const Frame>(std::move(*frame));
        return {kept, make_views(kept)};
    }

    nb::bytes picture(std::int64_t index, int width, int height, int samples)
    {
        const FrameHandle first = frame(0), now = frame(index);
        return picture_of(*scene_.scene, *first.frame, *now.frame, width, height, samples);
    }

    std::vector<std::string> export_to(const std::filesystem::path& path,
                                       const std::string& program,
                                       std::optional<std::int64_t> first,
                                       std::optional<std::int64_t> last, std::uint32_t every,
                                       std::int64_t clip_frames)
    {
        std::optional<ExportOptions> options =
            program.empty() ? ExportOptions{} : export_preset(program);
        if (!options)
            throw nb::value_error("program is blender, houdini, maya or unreal");
        if (every < 1 || clip_frames < 0)
            throw nb::value_error("every is at least 1, clip_frames at least 0");
        options->first = first.value_or(0);
        options->last = last.value_or(INT64_MAX);
        options->every = every;
        options->clip_frames = clip_frames;
        std::optional<Result<ExportReport>> report;
        {
            nb::gil_scoped_release free;
            report.emplace(export_frames({.scene = *scene_.scene,
                                          .count = count(),
                                          .frame = [&](std::int64_t i) { return read(i); }},
                                         path.string(), *options));
        }
        if (!*report)
            raise(report->problems());
        return (*report)->files;
    }

private:
    static Recording open(const std::string& path)
    {
        Result<Recording> recording = Recording::open(path);
        if (!recording)
            raise(recording.problems());
        return std::move(*recording);
    }

    /// One thread at a time: that is what a recording bears.
    Result<Frame> read(std::int64_t index)
    {
        const std::lock_guard lock(mutex_);
        return recording_.frame(index);
    }

    std::string path_;
    Recording recording_;
    SceneHandle scene_;
    std::mutex mutex_;
};

} // namespace

void add_recording(nb::module_& module)
{
    nb::class_<FrameHandle>(module, "Frame", "What can be seen at one instant.")
        .def_prop_ro("time", [](const FrameHandle& f) { return f.frame->time; })
        .def_prop_ro("poses", [](const FrameHandle& f) { return f.views.poses; })
        .def_prop_ro("points", [](const FrameHandle& f) { return f.views.points; })
        .def_prop_ro("nodes", [](const FrameHandle& f) { return f.views.nodes; })
        .def_prop_ro("segments", [](const FrameHandle& f) { return f.views.segments; })
        .def_prop_ro("loads", [](const FrameHandle& f) { return f.views.loads; })
        .def_prop_ro("sections", [](const FrameHandle& f) { return f.views.sections; });
    nb::class_<RecordingHandle>(module, "Recording", "Frames that `sinew run` left on disk.")
        .def(nb::init<const std::filesystem::path&>(), nb::arg("path"))
        .def_prop_ro("path", &RecordingHandle::path)
        .def_prop_ro("scene", &RecordingHandle::scene)
        .def_prop_ro("frame_rate", [](const RecordingHandle& r) { return r.info().frame_rate; })
        .def_prop_ro("is_complete", [](const RecordingHandle& r) { return r.info().is_complete; })
        .def_prop_ro("version", [](const RecordingHandle& r) { return r.info().version; })
        .def("__len__", &RecordingHandle::count)
        .def("_frame", &RecordingHandle::frame, nb::arg("index"))
        .def("picture", &RecordingHandle::picture, nb::arg("index") = 0, nb::arg("width") = 640,
             nb::arg("height") = 360, nb::arg("samples") = 48,
             "A picture of a frame, as the bytes of a PNG file.")
        .def("export", &RecordingHandle::export_to, nb::arg("path"), nb::kw_only(),
             nb::arg("program") = "", nb::arg("first") = nb::none(), nb::arg("last") = nb::none(),
             nb::arg("every") = 1, nb::arg("clip_frames") = 0,
             "Writes glb, usda, usdc, csv, obj, pc2, hair or bvh; the files it wrote.");
}

} // namespace sinew::python
