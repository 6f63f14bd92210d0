#pragma once

// A recording: one SQLite file with the script, the frames and the snapshots of a run. Crash-safe:
// a finished frame survives whatever happens to the program. docs/guide/recording.md has the
// schema.

#include "sinew/error.h"
#include "sinew/frame.h"
#include "sinew/scene.h"
#include "sinew/world.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

/// What a recording says about itself.
struct RecordingInfo {
    std::string script_name;                       ///< as it was given
    std::map<std::string, std::string> parameters; ///< -D name=value
    std::string version;                           ///< of Sinew
    std::uint64_t scene_fingerprint = 0;
    double frame_rate = 24;
    double start = 0, end = 0, step = 0;
    std::int64_t frame_count = 0; ///< finished frames
    bool is_complete = false;     ///< the run reached its end
    std::optional<Problem> fault = {};
};

/// How one frame went.
struct FrameStatistics {
    StepReport report;
    Energy energy;
    double elapsed_ms = 0;
    std::uint64_t state_hash = 0;
};

class Recording {
public:
    /// A new file, replacing an old one only once the new one is ready to take frames.
    static Result<Recording> create(const std::string& path, const Scene& scene,
                                    const RecordingInfo& info);

    /// An existing file, to read; `is_writable`: to go on where it ends.
    static Result<Recording> open(const std::string& path, bool is_writable = false);

    Recording(Recording&&) noexcept;
    Recording& operator=(Recording&&) noexcept;
    ~Recording();

    const RecordingInfo& info() const noexcept;

    /// The scripts as they were: files of the scene, in its order.
    std::vector<SourceFile> scripts() const;

    /// Appends a finished frame, with a snapshot where one is given, in one transaction: afterwards
    /// it is on disk or the problem says why not and the recording is as it was.
    Problems append(const Frame& frame, const FrameStatistics& statistics,
                    const std::optional<std::vector<std::byte>>& snapshot);

    /// Notes the end of the run: complete, or with the fault that stopped it.
    Problems finish(const std::optional<Problem>& fault);

    Result<Frame> frame(std::int64_t index) const;
    Result<FrameStatistics> statistics(std::int64_t index) const;

    /// The last snapshot at or before a frame, and the frame it belongs to.
    struct Snapshot {
        std::int64_t frame = 0;
        std::vector<std::byte> bytes;
    };
    std::optional<Snapshot> find_snapshot(std::int64_t at_or_before) const;

    /// Drops all frames behind `last`, for a run that goes on from there.
    Problems truncate(std::int64_t last);

private:
    struct Parts;
    explicit Recording(std::unique_ptr<Parts> parts) noexcept;
    std::unique_ptr<Parts> parts_;
};

} // namespace sinew
