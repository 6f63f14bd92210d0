#pragma once

#include <string>

namespace CLI {
class App;
}

namespace sinew::app {

/// Prints completions for `bash`, `zsh` or `fish`, or the manual page for `man`, made from the
/// commands and options of the program itself.
int print_completions(const CLI::App& program, const std::string& shell);

} // namespace sinew::app
