#pragma once

// The commands of the program. Each returns the exit status: 0 fine, 1 the input has problems.

#include <map>
#include <string>
#include <vector>

namespace sinew::app {

enum class Colour { automatic, always, never };

/// Whether to colour what goes to a stream: on a terminal, unless the person says otherwise.
bool use_colour(Colour wish, int file_descriptor);

struct CheckOptions {
    std::string script;
    std::map<std::string, std::string> parameters;
    bool json = false;
    Colour colour = Colour::automatic;
};
int check(const CheckOptions& options);

struct FormatOptions {
    std::vector<std::string> scripts; ///< "-" is standard input
    bool write = false;
    bool only_check = false;
};
int format(const FormatOptions& options);

int doctor();
int help(const std::string& word, bool reference);
int tokens(const std::string& script);
int language_server();

} // namespace sinew::app
