#pragma once

// What pages said, on its way from one thread to another: from the server to the player, from the
// player to the simulator.

#include "messages.h"
#include "server.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
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
    std::int64_t shown = 0;   ///< the frame that is shown, which edits by hand are about
    std::uint64_t hold = 0;   ///< number of a grab
    std::uint64_t number = 0; ///< counts what the player passes on
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

    /// Whether something waits that a person expects to happen at once; dragging and coming and
    /// going do not count.
    bool has_urgent() const;

    /// Ends the waiting of now.
    void wake();

    /// Ends waiting, now and ever after.
    void stop();
    bool is_stopped() const;

private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Command> commands_;
    bool is_stopped_ = false, is_woken_ = false;
};

} // namespace sinew::viewer
