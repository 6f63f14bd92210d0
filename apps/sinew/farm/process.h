#pragma once

// Other programs, started without a shell.

#include <optional>
#include <string>
#include <vector>

namespace sinew::app {

/// Starts a program in a process group of its own; standard output and error go to `log`, or, where
/// that is empty, to ours. Its process, or −1.
int start_process(const std::vector<std::string>& words, const std::string& log);

/// Runs a program to its end: what it printed, or nothing where it failed or could not start; then
/// standard error has its words.
std::optional<std::string> output_of(const std::vector<std::string>& words);

/// A word as a shell reads it, whatever is in it.
std::string shell_word(const std::string& word);

/// Whether there is a program of this name among those that can be called.
bool is_installed(const std::string& name);

/// The file of this program.
std::string own_program();

} // namespace sinew::app
