#pragma once

// Motion for other programs: frames of a scene as glTF, USD, tables, point caches and the like.
// docs/guide/export.md says what each format holds.

#include "sinew/error.h"
#include "sinew/frame.h"
#include "sinew/look.h"
#include "sinew/scene.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

enum class UpAxis : std::uint8_t { y, z };

/// How a file says what lies between the nodes of a curve. Every one passes through the nodes.
enum class CurveBasis : std::uint8_t { linear, catmull_rom, bspline };

struct ExportOptions {
    std::int64_t first = 0, last = INT64_MAX;   ///< frames; `last` beyond the end: the end
    UpAxis up = UpAxis::y;                      ///< glTF is always y up
    double scale = 1;                           ///< units of the file for a metre; glTF: always 1
    CurveBasis basis = CurveBasis::catmull_rom; ///< of USD
    std::uint32_t every = 1;                    ///< only every so many strands
    std::int64_t clip_frames = 0; ///< of USD: frames in a file, joined by value clips; 0: one file
    Children hairs = {};          ///< USD and hair: drawn about strands, instead of them
    bool is_single = false;       ///< OBJ and hair: one file for one frame, not a sequence
};

/// Axes, units and curves as a program expects them: "blender", "houdini", "maya", "unreal".
/// Nothing for other names.
std::optional<ExportOptions> export_preset(const std::string& program);

/// Frames by their number, as a recording or a session gives them.
struct FrameSource {
    const Scene& scene;
    std::int64_t count = 0;
    std::function<Result<Frame>(std::int64_t)> frame;
};

struct ExportReport {
    std::vector<std::string> files = {};
    std::uint64_t byte_count = 0;
    std::int64_t frame_count = 0;
    std::uint64_t point_count = 0; ///< of curves, in each frame
    std::uint64_t body_count = 0;
    bool is_interrupted = false; ///< `go_on` said so; nothing was written
    Problems notes = {};         ///< what the format cannot hold
};

/// Called after each frame with its number; false ends the export.
using ExportProgress = std::function<bool(std::int64_t)>;

/// Writes a file, told by the end of its name: glb, usda, usdc, csv, obj, pc2, hair or bvh.
/// Afterwards the files are whole, or not there and the problems say why. Memory does not grow
/// with the number of frames, but for a few bytes each for every body of USD without clips.
/// Requires a scene that `validate` finds sound, scale > 0 and every > 0.
Result<ExportReport> export_frames(const FrameSource& source, const std::string& path,
                                   const ExportOptions& options, const ExportProgress& go_on = {});

} // namespace sinew
