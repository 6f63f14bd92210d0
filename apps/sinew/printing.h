#pragma once

// How the commands speak: problems, counts, colours.

#include "sinew/error.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>

namespace sinew::app {

enum class Colour { automatic, always, never };

/// Whether to colour what goes to a stream: on a terminal, unless the person says otherwise.
bool use_colour(Colour wish, int file_descriptor);

struct Style {
    const char *title = "", *name = "", *quiet = "", *good = "", *off = "";
};
Style make_style(bool colour);

/// "1 frame", "2 frames".
std::string count_of(std::int64_t count, const char* one, const char* many);

/// "17 bytes", "1.2 MB".
std::string size_text(std::uintmax_t bytes);

/// Without the characters that command a terminal.
std::string printable(std::string text);
/// Likewise: the file it is about may come from anywhere.
Problem printable_problem(Problem problem);

/// Problems on standard error.
void print_problems(const Problems& problems, Colour colour);

/// Problems, then how many errors there are: why nothing was done with the file.
void print_refusal(const std::string& file, const Problems& problems, Colour colour);

nlohmann::json problem_json(const Problem& problem);

/// What is not UTF-8 is replaced: names and texts come from files.
void print_json(const nlohmann::json& value);

} // namespace sinew::app
