#pragma once

#include "commands.h"

namespace sinew::app {

/// Whether a file is a recording, by its first bytes.
bool is_recording(const std::string& path);

/// `run` of a recording.
int replay(const RunOptions& options);

} // namespace sinew::app
