#pragma once

// What can be opened in the page: the examples that are part of the program, and the scripts and
// recordings of the folder.

#include "sinew/language.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::viewer {

struct ExampleText {
    std::string name;    ///< "hairdo"
    std::string title;   ///< "Hairdo"
    std::string text;    ///< what its first comment says
    std::string picture; ///< address of a small picture; empty: there is none
};

/// Those that run by themselves, by name: not the parts that others include.
std::vector<ExampleText> list_examples();

/// The script of an example, or nothing when there is none of this name.
std::optional<std::string> find_example(const std::string& name);

/// Serves what examples include.
ReadFile example_files();

/// Names of scripts and recordings in a folder, in order; hidden ones are left out.
std::vector<std::string> list_files(const std::filesystem::path& folder);

/// What a new script says.
extern const std::string_view kNewScript;

} // namespace sinew::viewer
