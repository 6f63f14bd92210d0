#pragma once

#include "commands.h"

#include <CLI/CLI.hpp>

namespace sinew::app {

/// Adds the command `render` with what is written behind it. `definitions` and `imports` are left
/// as name=value.
CLI::App* add_render(CLI::App& app, PictureOptions& options, std::vector<std::string>& definitions,
                     std::vector<std::string>& imports);

} // namespace sinew::app
