#pragma once

// A wish to stop, heard by whatever the library computes.

#include "sinew/error.h"

#include <atomic>
#include <optional>

namespace sinew {

/// While it lives, this thread listens to a flag, which any thread or a signal's handler may set:
/// creating and advancing worlds and sessions then end within a moment, with a problem of the code
/// "stopped". A world stands where its last whole step ended, and the same `advance` again ends
/// with the same bits as if nobody had stopped it. Null: listens to none. The flag must outlive the
/// scope, and must not be taken back while it lives.
class StopScope {
public:
    explicit StopScope(const std::atomic<bool>* flag) noexcept;
    ~StopScope();
    StopScope(const StopScope&) = delete;
    StopScope& operator=(const StopScope&) = delete;

private:
    const std::atomic<bool>* before_;
};

/// The flag that this thread listens to, or null.
const std::atomic<bool>* stop_flag() noexcept;

/// Asked in every iteration of every loop that may last, which then gives up as if it had not
/// converged: what it leaves behind is thrown away by whoever began. Loops on several threads
/// listen to the flag of the thread that started them.
bool is_stopping() noexcept;

Problem make_stopped();
bool is_stopped(const std::optional<Problem>& fault) noexcept;

} // namespace sinew
