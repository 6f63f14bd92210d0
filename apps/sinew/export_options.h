#pragma once

#include "commands.h"

#include <CLI/CLI.hpp>

namespace sinew::app {

/// Adds the options of `sinew export`.
void add_export(CLI::App& out, ExportCommand& command);

} // namespace sinew::app
