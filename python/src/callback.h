#pragma once

// Functions that Python gave for imports.

#include "bindings.h"

#include "sinew/world.h"

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

} // namespace sinew::python
