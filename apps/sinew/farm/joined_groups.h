#pragma once

// The frames of a joined shot, packed: groups that stand for themselves side by side.

#include "sinew/parts.h"
#include "sinew/record.h"

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace sinew::app {

/// What is joined: a scene that is counted at least, its plan, and a recording of each part in
/// their order.
struct JoinedShot {
    const Scene& scene;
    const PartPlan& plan;
    std::vector<std::string> files;
    std::int64_t frame_count = 0;
    double error = 0; ///< of the recordings
};

/// Groups of frames from key frame to key frame, joined by threads of their own. The groups come
/// out in their order; only a few wait to be taken.
class JoinedGroups {
public:
    struct Group {
        std::vector<PackedFrame> frames = {};
        std::vector<FrameStatistics> statistics = {};
        Problems problems = {}; ///< why it is not whole
    };

    /// The shot must outlive the groups, and a recording must be able to hold its frames.
    JoinedGroups(const JoinedShot& shot, int threads);
    ~JoinedGroups();
    JoinedGroups(const JoinedGroups&) = delete;
    JoinedGroups& operator=(const JoinedGroups&) = delete;

    std::int64_t count() const { return count_; }
    std::int64_t frame_count() const { return shot_.frame_count; }

    /// The next group. Requires that not all were taken.
    Group take();

private:
    void work();
    Group join(const std::vector<Recording>& parts, std::int64_t group) const;

    const JoinedShot& shot_;
    std::vector<std::vector<std::uint32_t>> objects_; ///< of each part
    std::int64_t count_ = 0;
    int threads_each_ = 1;  ///< inside a group
    std::int64_t most_ = 1; ///< groups under way or waiting

    std::mutex mutex_; ///< guards what follows
    std::condition_variable changed_;
    std::map<std::int64_t, Group> ready_;
    std::int64_t next_ = 0;  ///< to be begun
    std::int64_t taken_ = 0; ///< how many
    bool is_ending_ = false;

    std::vector<std::jthread> workers_; ///< joined first
};

} // namespace sinew::app
