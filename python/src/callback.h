#pragma once

// What reaches a computation from outside: functions that Python gave for imports, and Ctrl-C.

#include "bindings.h"

#include "sinew/stop.h"
#include "sinew/world.h"

#include <atomic>
#include <csignal>
#include <memory>
#include <optional>
#include <string>

namespace sinew::python {

/// A Python function that any thread may call and drop.
class Callback {
public:
    explicit Callback(nb::object function);

    ImportValue operator()(const ImportInput& input) const;

    /// Raises what the function raised.
    void raise_error() const;

    nb::object function() const { return held_->function; }

private:
    struct Held {
        nb::object function;
        std::optional<nb::python_error> error = {};
        std::string complaint = {};
    };

    std::shared_ptr<Held> held_;
};

/// Ctrl-C ends what a world computes on the main thread, where Python listens to signals, for as
/// long as this lives. Python's own handler is called too, and decides what then becomes of it.
class Listening {
public:
    Listening();
    ~Listening();
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;

private:
    static void hear(int signal, siginfo_t* info, void* context);

    bool is_mine_ = false;
    std::optional<StopScope> scope_;
};

} // namespace sinew::python
