#pragma once

// Frames into a recording by a thread of their own, while the next ones are computed.

#include "sinew/record.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace sinew::app {

/// Appends frames in their order. From the first `push` until `drain` has returned, the recording
/// belongs to the writer.
class FrameWriter {
public:
    struct Item {
        Frame frame = {};
        FrameStatistics statistics = {};
        std::optional<std::vector<std::byte>> snapshot = {};
    };

    /// The recording must outlive the writer.
    explicit FrameWriter(Recording& recording) : recording_(recording) {}
    ~FrameWriter() { drain(); }
    FrameWriter(const FrameWriter&) = delete;
    FrameWriter& operator=(const FrameWriter&) = delete;

    /// Takes a frame over; waits while too many bytes wait. The problem of an earlier frame where
    /// there is one: then neither this nor a later one is written.
    Problems push(Item item);

    /// Waits until every frame is in the recording, or one could not be written.
    Problems drain();

private:
    void write_all();

    Recording& recording_;
    std::thread thread_;
    std::mutex mutex_; ///< guards what follows
    std::condition_variable changed_;
    std::deque<Item> waiting_;
    std::size_t bytes_ = 0; ///< of what waits and of what is being written
    bool is_ending_ = false;
    Problems problems_;
};

} // namespace sinew::app
