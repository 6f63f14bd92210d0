// USD: one layer, or for long shots a layer of what stays and clips of so many frames each, whose
// values USD joins again. Clips share the frame where one ends and the next begins, so that values
// between frames are the same as without clips.

#include "formats/usd/usd_prims.h"
#include "sinew/language.h"

#include <algorithm>
#include <filesystem>

namespace sinew::formats {

namespace {

namespace fs = std::filesystem;

class UsdWriter final : public Writer {
public:
    UsdWriter(const Job& job, bool is_text)
        : job_(job), is_text_(is_text), scene_(make_usd_scene(job)), file_(open(job.path))
    {
        fill_head(scene_.layer);
        if (job.options.clip_frames > 0)
            begin_clips();
    }

    /// Clips of an export that came to no end leave nothing.
    ~UsdWriter() override
    {
        std::error_code ignored;
        for (const std::string& path : clips_)
            fs::remove(path, ignored);
    }

    bool wants_margins() const override { return true; }
    Problems add(const Window& window) override;
    Problems finish(ExportReport& report) override;

private:
    std::unique_ptr<UsdFile> open(const std::string& path) const
    {
        return is_text_ ? make_usda(path) : make_usdc(path);
    }
    bool has_clips() const { return job_.options.clip_frames > 0; }
    void fill_head(UsdLayer& layer) const;
    void begin_clips();
    void begin_clip(std::int64_t frame);
    Problems end_clip();
    void sample(UsdFile& file, UsdLayer& layer, const Window& window);
    UsdLayer make_skeleton() const;
    std::string clip_path(std::size_t number) const;
    Problems finish_clips(ExportReport& report);

    const Job& job_;
    bool is_text_;
    UsdScene scene_;
    std::unique_ptr<UsdFile> file_;

    fs::path folder_; ///< of clips
    std::unique_ptr<UsdFile> clip_;
    UsdLayer clip_layer_;
    std::vector<std::string> clips_; ///< in their places; removed unless all comes to its end
    ExportReport clip_report_;
    std::vector<double> active_; ///< pairs: from which frame, which clip
    std::int64_t clip_begin_ = 0;
};

void UsdWriter::fill_head(UsdLayer& layer) const
{
    layer.default_prim = "World";
    layer.up_axis = job_.options.up == UpAxis::z ? "Z" : "Y";
    layer.documentation = "Made by Sinew " + version();
    layer.metres_per_unit = 1 / job_.options.scale;
    layer.frame_rate = job_.scene.settings.frame_rate;
    layer.start = double(job_.options.first);
    layer.end = double(job_.options.last);
}

UsdLayer without_values(UsdLayer layer)
{
    const auto strip = [](auto& self, std::vector<UsdPrim>& prims) -> void {
        for (UsdPrim& prim : prims) {
            prim.specifier = UsdPrim::Specifier::over;
            prim.type.clear();
            prim.label.clear();
            prim.kind.clear();
            prim.api_schemas.clear();
            prim.relationships.clear();
            std::erase_if(prim.attributes, [](const UsdAttribute& a) { return !a.is_animated; });
            self(self, prim.children);
            std::erase_if(prim.children, [](const UsdPrim& child) {
                return child.attributes.empty() && child.children.empty();
            });
        }
    };
    strip(strip, layer.prims);
    return layer;
}

UsdLayer UsdWriter::make_skeleton() const { return without_values(scene_.layer); }

std::string UsdWriter::clip_path(std::size_t number) const
{
    const std::string stem = fs::path(job_.path).stem().string();
    return (folder_ / (stem + "." + std::to_string(number) + (is_text_ ? ".usda" : ".usdc")))
        .string();
}

void UsdWriter::begin_clips()
{
    const fs::path whole(job_.path);
    folder_ = whole.parent_path() / (whole.stem().string() + ".clips");
    std::error_code ignored; // the first file of the folder tells
    fs::create_directories(folder_, ignored);
}

void UsdWriter::begin_clip(std::int64_t frame)
{
    clip_ = open(clip_path(clips_.size()));
    clip_layer_ = make_skeleton();
    clip_begin_ = frame;
    active_.insert(active_.end(), {double(frame), double(clips_.size())});
}

Problems UsdWriter::end_clip()
{
    clip_->write(clip_layer_);
    Problems problems = clip_->problems();
    if (problems.empty())
        problems = finish_file(clip_->file(), clip_report_);
    if (problems.empty())
        clips_.push_back(clip_->file().path());
    clip_.reset();
    return problems;
}

void UsdWriter::sample(UsdFile& file, UsdLayer& layer, const Window& window)
{
    std::size_t i = 0;
    for_each_animated(layer.prims, [&](UsdAttribute& attribute) {
        attribute.samples.emplace_back(double(window.now.index),
                                       file.store(scene_.samplers[i++](window)));
    });
}

Problems UsdWriter::add(const Window& window)
{
    if (!has_clips()) {
        sample(*file_, scene_.layer, window);
        return file_->problems();
    }
    const std::int64_t frame = window.now.index;
    if (!clip_)
        begin_clip(frame);
    sample(*clip_, clip_layer_, window);
    if (frame - clip_begin_ < job_.options.clip_frames || frame >= job_.options.last)
        return clip_->problems();
    if (Problems problems = end_clip(); !problems.empty())
        return problems;
    begin_clip(frame);
    sample(*clip_, clip_layer_, window);
    return clip_->problems();
}

Problems UsdWriter::finish_clips(ExportReport& report)
{
    if (Problems problems = end_clip(); !problems.empty())
        return problems;
    const std::string beside = "./" + folder_.filename().string() + "/";
    const auto local = [&](const std::string& path) {
        return beside + fs::path(path).filename().string();
    };
    std::vector<std::string> assets;
    for (const std::string& path : clips_)
        assets.push_back(local(path));
    const std::string manifest = (folder_ / (fs::path(job_.path).stem().string() + ".manifest" +
                                             (is_text_ ? ".usda" : ".usdc")))
                                     .string();
    const std::unique_ptr<UsdFile> file = open(manifest);
    file->write(make_skeleton());
    if (Problems problems = finish_file(file->file(), clip_report_); !problems.empty())
        return problems;
    report.files = clip_report_.files;
    report.byte_count = clip_report_.byte_count;
    clips_.push_back(manifest);
    const double begin = double(job_.options.first - 1), end = double(job_.options.last + 1);
    const std::array times{begin, begin, end, end};
    scene_.layer.prims[0].clips = {
        {"active", usd_array(UsdType::real2, std::span<const double>(active_), 2)},
        {"assetPaths", usd_texts(UsdType::asset, assets)},
        {"manifestAssetPath", usd_text(UsdType::asset, local(manifest))},
        {"primPath", usd_text(UsdType::string, "/World")},
        {"times", usd_array(UsdType::real2, std::span<const double>(times), 2)}};
    return {};
}

Problems UsdWriter::finish(ExportReport& report)
{
    if (has_clips())
        if (Problems problems = finish_clips(report); !problems.empty())
            return problems;
    file_->write(scene_.layer);
    if (Problems problems = file_->problems(); !problems.empty())
        return problems;
    Problems problems = finish_file(file_->file(), report);
    if (problems.empty())
        clips_.clear();
    return problems;
}

} // namespace

std::unique_ptr<Writer> make_usd_writer(const Job& job, bool is_text)
{
    return std::make_unique<UsdWriter>(job, is_text);
}

} // namespace sinew::formats
