#pragma once

#include <span>
#include <string_view>

namespace sinew::charli {

/// A script that comes with the program: `include "sinew/wheel.charli";`.
struct LibraryFile {
    std::string_view name; ///< "sinew/wheel.charli"
    std::string_view text;
};

/// The files of library/, made part of the program by cmake/library.cmake.
std::span<const LibraryFile> library_files();

} // namespace sinew::charli
