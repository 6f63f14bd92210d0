// The program: reads the command line and carries a command out. Exit status 2: the command line
// is wrong.

#include "command_line.h"
#include "commands.h"

#include "sinew/language.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <unistd.h>

using namespace sinew;

namespace {

/// The first word of the command line that its command does not know.
std::string unexpected(const CLI::App& app, const std::string& command)
{
    const std::vector<std::string> rest = app.remaining(true);
    const auto option = std::ranges::find_if(rest, [](const auto& w) { return w[0] == '-'; });
    const std::string word = option != rest.end() ? *option : rest.empty() ? "" : rest.front();
    return (option != rest.end() ? command + " has no option '" : command + " does not expect '") +
           app::printable(word) + "'";
}

/// Prints why the command line is wrong, with what may have been meant.
int refuse(const CLI::App& app, const CLI::ParseError& fault, int argc, char** argv)
{
    if (fault.get_exit_code() == 0)
        return app.exit(fault); // --help, --version
    const CLI::App* known = argc > 1 ? app::find_command(app, argv[1]) : nullptr;
    const std::string command = known ? "sinew " + known->get_name() : "sinew";
    std::string what = fault.what();
    if (dynamic_cast<const CLI::ExtrasError*>(&fault))
        what = unexpected(app, command);
    else if (const std::size_t end = what.find(": 1 required"); end != std::string::npos)
        what = what.substr(0, end) + " needs a value";
    const std::string meant = app::proposal(app, argc, argv);
    std::fprintf(stderr, "%s\n      hint: %s\n", what.c_str(),
                 meant.empty() ? ("`" + command + " --help` lists its options").c_str()
                               : meant.c_str());
    return 2;
}

/// A first word that is no command gets one line, not the usage of the whole program.
bool is_unknown_command(const CLI::App& app, int argc, char** argv)
{
    const std::string wanted = argc > 1 ? argv[1] : "";
    if (wanted.empty() || wanted[0] == '-' || app::find_command(app, wanted))
        return false;
    const std::string meant = app::proposal(app, argc, argv);
    std::fprintf(stderr, "sinew has no command '%s'; %s\n", app::printable(wanted).c_str(),
                 meant.empty() ? "`sinew help` lists them" : meant.c_str());
    return true;
}

/// Not by an exception: steps pass none on. A recording keeps every finished frame.
[[noreturn]] void end_without_memory()
{
    constexpr char kWords[] =
        "sinew: there is not enough memory for this; frames that were recorded are safe\n"
        "      hint: make the scene smaller, or let `ulimit -v` allow more\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, kWords, sizeof kWords - 1);
    std::_Exit(1);
}

} // namespace

int main(int argc, char** argv)
{
    CLI::App app{"Sinew: a dynamics engine for animation. Scripts in, motion out.", "sinew"};
    app.set_version_flag("-V,--version", "sinew " + version());
    app.set_help_flag("-h,--help", "Print this help");
    app.require_subcommand(1);
    app.footer("`sinew help` lists commands and words; `sinew help WORD` explains a word of the "
               "language\nor finds one: sinew help rope");
    const std::vector<app::CommandEntry> commands = app::add_commands(app);
    if (argc == 1) {
        std::fputs(app.help().c_str(), stderr);
        return 2;
    }
    if (is_unknown_command(app, argc, argv))
        return 2;
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& fault) {
        return refuse(app, fault, argc, argv);
    }
    std::set_new_handler(end_without_memory);
    const auto chosen = std::ranges::find_if(
        commands, [](const app::CommandEntry& entry) { return entry.app->parsed(); });
    const int status = chosen == commands.end() ? 2 : chosen->act();
    if (std::fflush(stdout) == 0 && !std::ferror(stdout))
        return status;
    std::fprintf(stderr, "sinew: the output could not be written; is the disk full?\n");
    return 1;
}
