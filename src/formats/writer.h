#pragma once

#include "formats/export_scene.h"
#include "sinew/error.h"
#include "sinew/export.h"

#include <memory>
#include <string>

namespace sinew::formats {

/// What a writer is made from; lives as long as it.
struct Job {
    const Scene& scene;
    const FrameSource& source;
    const ExportScene& exported;
    const std::string& path;
    const ExportOptions& options; ///< with the frames there are
    const Frame& first;           ///< the first of them
};

/// One instant, with its neighbours where there are any, else itself.
struct Window {
    const ExportFrame& before;
    const ExportFrame& now;
    const ExportFrame& after;
    const Frame* frame = nullptr; ///< null for one before the first and behind the last
};

/// Takes frames one after another and leaves files.
class Writer {
public:
    virtual ~Writer() = default;

    /// Why it cannot be written in this format.
    virtual Problems check() const { return {}; }
    /// Whether it wants a frame before the first and one behind the last, for motion blur.
    virtual bool wants_margins() const { return false; }
    /// The first fault ends the export.
    virtual Problems add(const Window& window) = 0;
    /// Notes of files and sizes go into the report.
    virtual Problems finish(ExportReport& report) = 0;
};

std::unique_ptr<Writer> make_glb_writer(const Job& job);
std::unique_ptr<Writer> make_usd_writer(const Job& job, bool is_text);
std::unique_ptr<Writer> make_table_writer(const Job& job);
std::unique_ptr<Writer> make_obj_writer(const Job& job);
std::unique_ptr<Writer> make_pc2_writer(const Job& job);
std::unique_ptr<Writer> make_hair_writer(const Job& job);
std::unique_ptr<Writer> make_bvh_writer(const Job& job);

class OutFile;
/// Puts a file into its place and into the report.
Problems finish_file(OutFile& file, ExportReport& report);

} // namespace sinew::formats
