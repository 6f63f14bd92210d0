// Frames in their order through a window of three into a writer.

#include "sinew/export.h"

#include "base/contract.h"
#include "formats/out_file.h"
#include "formats/writer.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace sinew {

namespace formats {

namespace {

std::string ending_of(const std::string& path)
{
    const std::size_t dot = path.rfind('.'), slash = path.rfind('/');
    if (dot == std::string::npos || (slash != std::string::npos && dot < slash))
        return "";
    std::string ending = path.substr(dot + 1);
    std::ranges::transform(ending, ending.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    return ending;
}

std::unique_ptr<Writer> make_writer(const Job& job)
{
    const std::string ending = ending_of(job.path);
    if (ending == "glb")
        return make_glb_writer(job);
    if (ending == "usda" || ending == "usdc")
        return make_usd_writer(job, ending == "usda");
    if (ending == "csv")
        return make_table_writer(job);
    if (ending == "obj")
        return make_obj_writer(job);
    if (ending == "pc2")
        return make_pc2_writer(job);
    if (ending == "hair")
        return make_hair_writer(job);
    if (ending == "bvh")
        return make_bvh_writer(job);
    return nullptr;
}

/// glTF fixes axes and units; tables are in the world's own.
ExportOptions fit_options(const ExportOptions& wanted, const std::string& path, std::int64_t count)
{
    ExportOptions options = wanted;
    const std::string ending = ending_of(path);
    if (ending == "glb" || ending == "csv") {
        options.up = UpAxis::y;
        options.scale = 1;
    }
    options.last = std::min(options.last, count - 1);
    return options;
}

bool fits(const Scene& scene, const Frame& frame, const Frame& first)
{
    return frame.objects.size() == scene.objects.size() &&
           frame.points.size() == first.points.size() && frame.nodes.size() == first.nodes.size() &&
           frame.segments.size() == first.segments.size();
}

/// Reads frames in ascending order, each once, and keeps the last three.
class Reader {
public:
    Reader(const Job& job) : job_(job) {}

    /// The frame of a number, which may be one before the first or behind the last of the source.
    /// Requires ascending numbers; those of the two calls before stay.
    Problems go_to(std::int64_t index)
    {
        move_on();
        after_.normals = now_.normals; // the start of the next ones
        return index < 0 ? read_beginning() : index >= job_.source.count ? read_end() : read(index);
    }
    /// Behind the last.
    void move_on()
    {
        std::swap(before_, now_);
        std::swap(now_, after_);
        std::swap(now_frame_, after_frame_);
    }
    const ExportFrame& before() const { return before_; }
    const ExportFrame& now() const { return now_; }
    const ExportFrame& after() const { return after_; }
    const Frame& frame() const { return now_frame_; }

private:
    Problems read(std::int64_t index)
    {
        Result<Frame> frame = job_.source.frame(index);
        if (!frame)
            return frame.problems();
        if (!fits(job_.scene, *frame, job_.first))
            return {{.code = "export-other-scene",
                     .place = {.file = job_.path},
                     .what = "frame " + std::to_string(index) + " is one of another scene",
                     .hint = "export a recording that `sinew run` made"}};
        after_.index = index;
        place_exported(job_.exported, job_.scene, *frame, scratch_, after_);
        after_frame_ = std::move(*frame);
        return {};
    }

    /// Before frame 0 things go on as they came from frame 0 to 1.
    Problems read_beginning()
    {
        if (Problems problems = read(job_.source.count > 1 ? 1 : 0); !problems.empty())
            return problems;
        const ExportFrame far = after_;
        if (Problems problems = read(0); !problems.empty())
            return problems;
        after_ = extrapolate(after_, far);
        after_.index = -1;
        return {};
    }

    Problems read_end()
    {
        const bool has_two = job_.source.count > 1 && before_.index == now_.index - 1;
        after_ = has_two ? extrapolate(now_, before_) : now_;
        after_.index = now_.index + 1;
        return {};
    }

    const Job& job_;
    ExportFrame before_, now_, after_;
    Frame now_frame_, after_frame_;
    DisplayFrame scratch_;
};

Problems write_frames(const Job& job, Writer& writer, const ExportProgress& go_on,
                      bool& is_interrupted)
{
    const std::int64_t margin = writer.wants_margins() ? 1 : 0;
    const std::int64_t begin = job.options.first - margin, end = job.options.last + margin;
    Reader reader(job);
    for (std::int64_t i = begin; i <= end + 1; ++i) {
        if (i <= end)
            if (Problems problems = reader.go_to(i); !problems.empty())
                return problems;
        if (i == end + 1)
            reader.move_on();
        if (i == begin)
            continue;
        const std::int64_t at = i - 1;
        const bool is_real = at >= job.options.first && at <= job.options.last;
        const Window window{.before = at > begin ? reader.before() : reader.now(),
                            .now = reader.now(),
                            .after = at < end ? reader.after() : reader.now(),
                            .frame = is_real ? &reader.frame() : nullptr};
        if (Problems problems = writer.add(window); !problems.empty())
            return problems;
        if (go_on && is_real && !go_on(at)) {
            is_interrupted = true;
            return {};
        }
    }
    return {};
}

} // namespace

Problems finish_file(OutFile& file, ExportReport& report)
{
    Problems problems = file.finish();
    if (problems.empty()) {
        report.files.push_back(file.path());
        report.byte_count += file.size();
    }
    return problems;
}

} // namespace formats

using namespace formats;

std::optional<ExportOptions> export_preset(const std::string& program)
{
    if (program == "blender")
        return ExportOptions{.up = UpAxis::z, .basis = CurveBasis::catmull_rom};
    if (program == "houdini")
        return ExportOptions{.basis = CurveBasis::linear};
    if (program == "maya")
        return ExportOptions{.scale = 100, .basis = CurveBasis::bspline};
    if (program == "unreal")
        return ExportOptions{.up = UpAxis::z, .scale = 100, .basis = CurveBasis::linear};
    return std::nullopt;
}

Result<ExportReport> export_frames(const FrameSource& source, const std::string& path,
                                   const ExportOptions& wanted, const ExportProgress& go_on)
{
    SINEW_EXPECTS(wanted.scale > 0 && wanted.every > 0);
    const ExportOptions options = fit_options(wanted, path, source.count);
    if (options.first < 0 || options.first > options.last)
        return Problem{.code = "no-such-frame",
                       .place = {.file = path},
                       .what = "there is no frame " + std::to_string(options.first),
                       .hint = source.count == 0
                                   ? "the recording has no frames"
                                   : "it has the frames 0 to " + std::to_string(source.count - 1)};
    const Result<Frame> first = source.frame(options.first);
    if (!first)
        return first.problems();
    const std::string ending = ending_of(path);
    const bool has_hairs = ending == "usda" || ending == "usdc" || ending == "hair";
    const ExportScene exported = make_export_scene(source.scene, *first, options, has_hairs);
    const Job job{source.scene, source, exported, path, options, *first};
    const std::unique_ptr<Writer> writer = make_writer(job);
    if (!writer)
        return Problem{.code = "export-unknown-format",
                       .place = {.file = path},
                       .what = "the end of its name says no format that can be written",
                       .hint = "end it in .glb, .usda, .usdc, .csv, .obj, .pc2, .hair or .bvh"};
    if (Problems problems = writer->check(); !problems.empty())
        return problems;
    ExportReport report{.frame_count = options.last - options.first + 1,
                        .point_count = exported.point_count,
                        .body_count = exported.bodies.size()};
    if (Problems problems = write_frames(job, *writer, go_on, report.is_interrupted);
        !problems.empty())
        return problems;
    if (report.is_interrupted)
        return report;
    if (Problems problems = writer->finish(report); !problems.empty())
        return problems;
    return report;
}

} // namespace sinew
