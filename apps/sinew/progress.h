#pragma once

#include <chrono>
#include <cstdint>

namespace sinew::app {

/// A bar on the terminal with the remaining time, for work that takes longer than a second; nothing
/// where standard error is no terminal.
class Progress {
public:
    /// Frames `first` to `last` will be made, or other things by another name.
    Progress(std::int64_t first, std::int64_t last, const char* name = "frame");
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// The frame is made.
    void update(std::int64_t frame);
    /// Takes the bar away, before other words appear.
    void clear();

private:
    using Clock = std::chrono::steady_clock;

    std::int64_t first_, last_;
    const char* name_;
    Clock::time_point begin_ = Clock::now(), shown_ = begin_;
    bool is_terminal_, is_visible_ = false;
};

} // namespace sinew::app
