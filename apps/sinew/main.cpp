// The program: reads the command line and calls a command. Exit status 2: the command line is
// wrong.

#include "commands.h"

#include "sinew/language.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>

using namespace sinew;

namespace {

std::map<std::string, std::string> split_definitions(const std::vector<std::string>& list)
{
    std::map<std::string, std::string> parameters;
    for (const std::string& definition : list)
        parameters[definition.substr(0, definition.find('='))] =
            definition.substr(definition.find('=') + 1);
    return parameters;
}

std::string check_definition(const std::string& text)
{
    const std::size_t sign = text.find('=');
    return sign == std::string::npos || sign == 0 ? "write -D name=value, not '" + text + "'" : "";
}

} // namespace

int main(int argc, char** argv)
{
    CLI::App app{"Sinew: a dynamics engine for animation. Scripts in, motion out.", "sinew"};
    app.set_version_flag("--version", "sinew " + version());
    app.require_subcommand(1);
    app.footer("`sinew help` lists the words of the language, `sinew help WORD` explains one.");

    app::CheckOptions check_options;
    std::vector<std::string> definitions;
    std::string errors = "text";
    const std::map<std::string, app::Colour> colours{{"auto", app::Colour::automatic},
                                                     {"always", app::Colour::always},
                                                     {"never", app::Colour::never}};
    CLI::App* check =
        app.add_subcommand("check", "List every problem of a script, and how it is read");
    check->add_option("SCRIPT", check_options.script, "The script")->required();
    check->add_option("-D", definitions, "Give a param another value: -D name=value")
        ->check(check_definition)
        ->allow_extra_args(false);
    check->add_option("--errors", errors, "text or json")->check(CLI::IsMember({"text", "json"}));
    check->add_option("--colour,--color", check_options.colour, "auto, always or never")
        ->transform(CLI::CheckedTransformer(colours));

    app::FormatOptions format_options;
    CLI::App* format = app.add_subcommand("format", "Print a script in its standard layout");
    format->add_option("SCRIPT", format_options.scripts, "The scripts; - reads standard input")
        ->required();
    format->add_flag("-w,--write", format_options.write, "Change the files instead of printing");
    format->add_flag("--check", format_options.only_check,
                     "Only say which files would change (exit status 1)");

    CLI::App* lsp = app.add_subcommand(
        "lsp", "The language server, for editors (on standard input and output)");
    CLI::App* doctor =
        app.add_subcommand("doctor", "What is installed, what is missing, which versions");

    std::string word;
    bool reference = false;
    CLI::App* help = app.add_subcommand("help", "Explain a word of the language, or list them all");
    help->add_option("WORD", word, "The word, or a group of words: functions, constraints, ...");
    help->add_flag("--reference", reference, "The whole reference page, as markdown");

    std::string token_script;
    CLI::App* tokens =
        app.add_subcommand("tokens", "The words of a script with their kinds, for editors' tests");
    tokens->add_option("SCRIPT", token_script, "The script")->required();
    tokens->group(""); // not listed

    if (const std::string wanted = argc > 1 ? argv[1] : ""; !wanted.empty() && wanted[0] != '-') {
        const auto all = app.get_subcommands([](const CLI::App*) { return true; });
        const bool is_known = std::any_of(
            all.begin(), all.end(), [&](const CLI::App* a) { return a->get_name() == wanted; });
        if (!is_known) {
            std::fprintf(stderr, "sinew has no command '%s'; `sinew help` lists them\n",
                         wanted.c_str());
            return 2;
        }
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& fault) {
        return app.exit(fault) == 0 ? 0 : 2;
    }
    const auto run_command = [&] {
        check_options.parameters = split_definitions(definitions);
        check_options.json = errors == "json";
        if (*check)
            return app::check(check_options);
        if (*format)
            return app::format(format_options);
        if (*tokens)
            return app::tokens(token_script);
        if (*lsp)
            return app::language_server();
        if (*doctor)
            return app::doctor();
        return *help ? app::help(word, reference) : 2;
    };
    const int status = run_command();
    if (std::fflush(stdout) == 0 && !std::ferror(stdout))
        return status;
    std::fprintf(stderr, "sinew: the output could not be written; is the disk full?\n");
    return 1;
}
