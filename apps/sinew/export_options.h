#pragma once

#include "commands.h"

#include <CLI/CLI.hpp>

namespace sinew::app {

/// Adds the command `export` with what is written behind it.
CLI::App* add_export(CLI::App& app, ExportCommand& command);

} // namespace sinew::app
