#pragma once

// Frame after frame from the world into the recording, from the start or from where it ended. A
// frame is written while the next one is computed.

#include "energy_watch.h"
#include "frame_writer.h"
#include "progress.h"

#include "sinew/record.h"
#include "sinew/stop.h"
#include "sinew/world.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace sinew::app {

/// The times of frames: start + i / frame_rate. The end is a frame only where it falls on one.
struct Schedule {
    double start = 0, frame_rate = 24;
    std::int64_t last = 0;

    double time(std::int64_t frame) const { return start + double(frame) / frame_rate; }
};

/// Nothing when there would be more frames than can be counted.
std::optional<Schedule> make_schedule(const Settings& settings);

/// Ctrl-C and its like end what is computed within a step, for as long as this lives. The second
/// one ends the program: the recording bears it.
class Interruption {
public:
    Interruption();
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    static bool is_wanted();

private:
    StopScope listening_;
};

/// How a run ended. Nothing of all this: complete.
struct Outcome {
    Problems problems = {};            ///< the recording could not take or continue it
    std::optional<Problem> fault = {}; ///< the simulation stopped
    bool is_interrupted = false;
};

class Runner {
public:
    /// `name` of the recording, for messages. World, recording and schedule must outlive the
    /// runner.
    Runner(World& world, Recording& recording, std::string name, const Schedule& schedule);

    /// Takes the world to the last snapshot of the recording. The frames behind it are made again
    /// and compared, so that what follows is what an uninterrupted run would have made.
    Problems rewind();

    Outcome run();

private:
    using Clock = std::chrono::steady_clock;

    Outcome make_frames();
    Problems take(std::int64_t index, FrameStatistics statistics);
    Problems compare(std::int64_t index, const Frame& frame, std::uint64_t state_hash) const;
    bool needs_snapshot(std::int64_t index) const;
    Problems continue_recording();
    Problem differs(std::int64_t index) const;

    World& world_;
    Recording& recording_;
    std::string name_;
    const Schedule& schedule_;
    std::int64_t first_ = 0;    ///< the frame to make next
    std::int64_t recorded_ = 0; ///< how many an earlier run left
    double end_ = 0;
    bool is_continued_ = false;
    Clock::time_point snapshot_time_ = Clock::now();
    int snapshot_interval_; ///< frames
    FrameWriter writer_;
    EnergyWatch watch_;
};

} // namespace sinew::app
