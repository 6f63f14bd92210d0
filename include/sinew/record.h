#pragma once

// A recording: one SQLite file with the script, the frames and the snapshots of a run.
// docs/guide/recording.md has the schema.
//
// What survives: a frame that `append` took without a problem survives the end of the program, by
// SIGKILL or otherwise. After a power failure the file is whole too; the frames since the last
// snapshot may be missing, and a resumed run makes them anew, bit for bit.

#include "sinew/error.h"
#include "sinew/frame.h"
#include "sinew/scene.h"
#include "sinew/world.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

struct PartPlan;

/// What a recording says about itself.
struct RecordingInfo {
    std::string script_name;                            ///< as it was given
    std::map<std::string, std::string> parameters = {}; ///< -D name=value, as they were given
    std::map<std::string, std::string> imports = {};    ///< name, and what tells its library apart
    std::string version = {};                           ///< of Sinew
    std::uint64_t scene_fingerprint = 0;                ///< of the whole scene, whatever its end
    double frame_rate = 24;
    double start = 0, end = 0, step = 0;
    int snapshot_interval = 24; ///< snapshots are at most so many frames apart
    double error = 0;           ///< of a recorded place, at most [m]; 0: every number is exact
    int part = 0,
        part_count = 0;   ///< of a shot in parts: this is part 1 to part_count; 0: the whole
    double making_ms = 0; ///< what reading the script and making the world took

    std::int64_t frame_count = 0;      ///< finished frames
    bool is_complete = false;          ///< the run reached its end
    std::optional<Problem> fault = {}; ///< why it stopped before
};

/// The info of a run about to start: what the scene and the library decide is filled in.
RecordingInfo make_recording_info(const Scene& scene, const std::string& script_name);

/// The error of `sinew run`, unless the person says another [m]: of places and, at one metre from
/// their origin, of objects; directions of segments are sixteen times coarser.
constexpr double kRecordedError = 0x1p-19;

/// How one frame went.
struct FrameStatistics {
    StepReport report; ///< read back: with the warnings that came first in this frame, no fault
    Energy energy;
    double elapsed_ms = 0; ///< of stepping
    double taking_ms = 0;  ///< of looking at the world: frame, energy, hash, snapshot
    double writing_ms = 0; ///< of packing this frame and writing the one before; `append` sets it
    std::uint64_t state_hash = 0; ///< 0: not known, of a shot that was joined
};

/// What a person did, and the frame on the way to which it first counts.
struct Input {
    enum class Kind : std::uint8_t { grab, release, parameter };

    std::int64_t frame = 0;
    Kind kind = Kind::release;
    std::string name = {};   ///< of the object or the parameter
    Vec3 target = {0, 0, 0}; ///< of a grab
    double value = 0;        ///< of a parameter
    Vec3 point = {0, 0, 0};  ///< of a grab: where it holds a body, in the object's frame

    bool operator==(const Input&) const = default;
};

/// A frame as it lies in a recording.
struct PackedFrame {
    std::int64_t number = 0;
    double time = 0;
    std::vector<std::byte> block = {};
    double packing_ms = 0; ///< what it took
};

/// Packs frames outside a recording, one after the other. Every kGroup-th frame stands for itself,
/// so that groups from such a frame on can be packed side by side, each by a packer of its own.
class FramePacker {
public:
    static constexpr std::int64_t kGroup = 12; ///< what a look at any frame has to unpack

    /// For frames `first`, first + 1, ... of a scene, recorded with this error. Requires a multiple
    /// of kGroup.
    FramePacker(const Scene& scene, double error, std::int64_t first);
    FramePacker(FramePacker&&) noexcept;
    FramePacker& operator=(FramePacker&&) noexcept;
    ~FramePacker();

    /// The next frame. Requires one of the scene.
    PackedFrame pack(const Frame& frame, int threads = 1);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// A problem of the run and the frame in which it first came.
struct Diagnostic {
    std::int64_t frame = 0;
    Problem problem;
};

/// A file of frames. One thread at a time; several Recordings, in several programs, may read one
/// file while one writes it. Whatever is in the file, reading it ends with a value or a problem.
class Recording {
public:
    /// A new file, replacing an old recording only once the new one is ready to take frames. A file
    /// that is no recording is not replaced.
    static Result<Recording> create(const std::string& path, const Scene& scene,
                                    const RecordingInfo& info);

    enum class Access {
        read,
        write, ///< to go on where it ends; the file changes with the first call that writes
    };
    static Result<Recording> open(const std::string& path, Access access = Access::read);

    Recording(Recording&&) noexcept;
    Recording& operator=(Recording&&) noexcept;
    /// Leaves one file with everything in it, unless another program is reading it.
    ~Recording();

    /// As of opening, or of the last `update_info`; the writer's own is always right.
    const RecordingInfo& info() const noexcept;

    /// Looks again, while another program writes.
    Problems update_info();

    /// Whether a run, here or in another program, is writing it now.
    bool is_being_written() const;

    // --- writing -------------------------------------------------------------------------------

    /// Every reason why a run cannot go on in this recording; none when it can.
    Problems check_continuation(const RecordingInfo& wanted) const;

    /// Drops the frames behind `last` and the note of how the run ended; it goes on to `end`.
    /// Requires -1 ≤ last < info().frame_count.
    Problems continue_after(std::int64_t last, double end);

    /// How many threads pack a frame; the file does not depend on it.
    void set_threads(int threads);

    /// Appends a finished frame, with a snapshot where one is given, in one transaction: afterwards
    /// it is in the file, or the problem says why not and the recording is as it was.
    Problems append(const Frame& frame, const FrameStatistics& statistics,
                    const std::optional<std::vector<std::byte>>& snapshot);

    /// The same of a frame that was packed before. Requires the number of the next frame.
    Problems append(const PackedFrame& frame, const FrameStatistics& statistics,
                    const std::optional<std::vector<std::byte>>& snapshot);

    /// Replaces the log of what a person did.
    Problems set_inputs(const std::vector<Input>& inputs);

    /// Notes the end of the run, complete or with the fault that stopped it, and leaves one file.
    Problems finish(const std::optional<Problem>& fault);

    // --- checking ------------------------------------------------------------------------------

    /// Whether its frames are those of a scene: as many of everything.
    Problems check_scene(const Scene& scene) const;

    /// Whether its frames are those of a part of a scene.
    Problems check_part(const Scene& scene, const PartPlan& plan, int part) const;

    /// What is damaged: tables by their checksums, the numbers of frames; and, where blocks are
    /// read, every frame and snapshot.
    Problems check(bool reads_blocks) const;

    /// The first frame that cannot be read, or whose snapshot cannot; 0 where statistics, inputs or
    /// messages are not as they were written; info().frame_count where all is well.
    std::int64_t find_damage() const;

    // --- reading -------------------------------------------------------------------------------

    /// The scripts as they were, the files of the scene in its order; then its assets.
    Result<std::vector<SourceFile>> scripts() const;

    /// What objects are called, as `object_names` of the scene.
    Result<std::vector<std::string>> object_names() const;

    /// Of a rounded recording, cheap in ascending order; elsewhere up to eleven frames before it
    /// are unpacked too.
    Result<Frame> frame(std::int64_t index) const;

    /// A frame as it would be read back.
    Frame as_recorded(const Frame& frame) const;

    Result<FrameStatistics> statistics(std::int64_t index) const;

    /// Bodies that met, in the order of time; none in recordings before format 6.
    Result<std::vector<ContactEvent>> contact_events() const;

    /// The warnings of the run in their order, each once, and the fault last.
    Result<std::vector<Diagnostic>> diagnostics() const;

    /// What a person did while it ran, ascending frames; empty for most recordings.
    Result<std::vector<Input>> inputs() const;

    /// The last whole snapshot at or before a frame, and the frame it belongs to.
    struct Snapshot {
        std::int64_t frame = 0;
        std::vector<std::byte> bytes;
    };
    std::optional<Snapshot> find_snapshot(std::int64_t at_or_before) const;

private:
    struct Parts;
    explicit Recording(std::unique_ptr<Parts> parts) noexcept;
    std::unique_ptr<Parts> parts_;
};

} // namespace sinew
