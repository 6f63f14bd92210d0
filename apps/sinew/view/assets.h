#pragma once

// Files that are part of the program: nothing is read from disk by address.

#include <span>
#include <string_view>

namespace sinew::viewer {

struct Asset {
    std::string_view path; ///< "/assets/index.js", or "parts/leg.charli"
    std::string_view data;
};

/// The page, from viewer/dist; its paths begin with a slash.
std::span<const Asset> page_assets();

/// The examples, from examples; their paths are relative.
std::span<const Asset> example_assets();

/// Small pictures of the examples, from docs/gallery; their paths begin with /gallery/.
std::span<const Asset> gallery_assets();

/// What a browser needs to know about a file, by its ending.
std::string_view media_type(std::string_view path);

} // namespace sinew::viewer
