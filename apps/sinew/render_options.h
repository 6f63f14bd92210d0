#pragma once

#include "commands.h"

#include <CLI/CLI.hpp>

namespace sinew::app {

/// FIRST..LAST, either of which may be left out, or one number; nothing when it is none of these.
std::optional<std::pair<std::int64_t, std::int64_t>> read_frames(const std::string& text);
constexpr const char* kFramesHint = ": write FIRST..LAST, ascending; either may be left out";

/// Adds the options of `sinew render`.
void add_render(CLI::App& render, PictureOptions& options);

} // namespace sinew::app
