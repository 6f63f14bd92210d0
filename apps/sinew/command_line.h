#pragma once

// The command line as a table: every command with its group, its options and what it does.

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace sinew::app {

/// Carries a command out once its options are read; returns the exit status.
using Action = std::function<int()>;

struct CommandEntry {
    CLI::App* app = nullptr;
    Action act;
};

/// Adds every command of the program; `app` must outlive the entries.
std::vector<CommandEntry> add_commands(CLI::App& app);

/// Null when there is no such command.
const CLI::App* find_command(const CLI::App& app, const std::string& name);

/// The commands that `sinew help` lists, in the order of the table.
std::vector<const CLI::App*> listed_commands(const CLI::App& app);

/// The candidate that is written most like the word, or the empty string.
std::string closest(const std::string& word, const std::vector<std::string>& candidates);

/// Proposes a correction of a mistyped command or option, "did you mean '--seconds'?"; or empty.
std::string proposal(const CLI::App& app, int argc, char** argv);

} // namespace sinew::app
