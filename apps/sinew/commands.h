#pragma once

// The commands of the program. Each returns the exit status: 0 fine, 1 the input has problems, 3
// the simulation stopped early.

#include "printing.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sinew::app {

struct CheckOptions {
    std::string script;
    std::map<std::string, std::string> parameters;
    bool json = false;
    Colour colour = Colour::automatic;
};
int check(const CheckOptions& options);

struct RunOptions {
    std::string script;
    std::map<std::string, std::string> parameters;
    std::map<std::string, std::string> imports; ///< name, library
    std::optional<double> seconds, fps, step;   ///< win over the script's
    int threads = 0;                            ///< 0: as many as there are processors
    std::string out;                            ///< empty: the script's name, in this folder
    std::string table;                          ///< empty: none
    bool resume = false;
    Colour colour = Colour::automatic;
};
int run(const RunOptions& options);

struct InfoOptions {
    std::string recording;
    bool json = false;
    Colour colour = Colour::automatic;
};
int info(const InfoOptions& options);

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
