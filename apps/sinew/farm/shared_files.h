#pragma once

// Files on disks that many machines share: whole or not there, never half.

#include "sinew/error.h"

#include <string>
#include <string_view>

namespace sinew::app {

/// Writes a file beside its place, waits for the disk and renames it.
Problems write_whole(const std::string& path, std::string_view text);

/// Copies a file the same way.
Problems copy_whole(const std::string& from, const std::string& to);

/// The folder for files that are being written: `wish`, or, where that is empty, none unless
/// `target` is on a network file system; then $TMPDIR or /tmp.
std::string scratch_folder(const std::string& wish, const std::string& target);

} // namespace sinew::app
