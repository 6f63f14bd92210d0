#pragma once

// What breaks a computation off from outside: Ctrl-C, and too little memory.

#include "sinew/stop.h"

#include <csignal>
#include <optional>

namespace sinew::python {

/// Ctrl-C ends what a world computes on the main thread, where Python listens to signals, for as
/// long as this lives. Python's own handler is called too, and decides what then becomes of it.
///
/// Steps pass no exception on. Where memory runs out within one, a reserve is given up and the step
/// is told to end: `raise_if_starved` then throws. Without room for the reserve nothing begins:
/// std::bad_alloc.
class Listening {
public:
    Listening();
    ~Listening();
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;

    /// Throws std::bad_alloc, MemoryError for Python, where memory has run out since.
    static void raise_if_starved();

private:
    static void hear(int signal, siginfo_t* info, void* context);

    bool is_mine_ = false;
    std::optional<StopScope> scope_;
};

} // namespace sinew::python
