#pragma once

// What pages said, on its way from the server's thread to the player's.

#include "messages.h"
#include "server.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <variant>

namespace sinew::viewer {

struct Connected {};
struct Disconnected {};
/// A message that makes no sense.
struct Nonsense {
    std::string what;
};

struct Command {
    ClientId client = 0;
    std::variant<Connected, Disconnected, Nonsense, Message> what;
};

/// Of texts, targets, sliders and seeks of one page that follow each other only the last one
/// counts.
class CommandQueue {
public:
    using Clock = std::chrono::steady_clock;

    /// False when there is no room, which coming and going always have.
    bool push(Command command);

    /// All that waits, or nothing at the deadline or after `stop`.
    std::deque<Command> take(Clock::time_point deadline);

    /// Ends waiting, now and ever after.
    void stop();
    bool is_stopped() const;

private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Command> commands_;
    bool is_stopped_ = false;
};

} // namespace sinew::viewer
