// The program: reads the command line and calls a command. Exit status 2: the command line is
// wrong.

#include "commands.h"
#include "export_options.h"
#include "render_options.h"

#include "sinew/language.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

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

std::string check_positive(const std::string& text)
{
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    const bool is_number = !text.empty() && *end == '\0' && std::isfinite(value);
    return is_number && value > 0 ? "" : "'" + text + "' is not a positive number";
}

void add_definitions(CLI::App& command, std::vector<std::string>& definitions)
{
    command.add_option("-D", definitions, "Give a param another value: -D name=value")
        ->check(check_definition)
        ->allow_extra_args(false);
}

void add_colour(CLI::App& command, app::Colour& colour)
{
    const std::map<std::string, app::Colour> colours{{"auto", app::Colour::automatic},
                                                     {"always", app::Colour::always},
                                                     {"never", app::Colour::never}};
    command.add_option("--colour,--color", colour, "auto, always or never")
        ->transform(CLI::CheckedTransformer(colours));
}

std::string check_import(const std::string& text)
{
    const std::size_t sign = text.find('=');
    return sign == std::string::npos || sign == 0 || sign + 1 == text.size()
               ? "write --import name=library, not '" + text + "'"
               : "";
}

/// What decides a simulation, for the commands that run one.
template <class Options>
void add_settings(CLI::App& command, Options& options, std::vector<std::string>& definitions,
                  std::vector<std::string>& imports)
{
    add_definitions(command, definitions);
    command.add_option("--seconds", options.seconds, "How long to simulate; wins over the script")
        ->check(check_positive);
    command.add_option("--fps", options.fps, "Frames a second; wins over the script")
        ->check(check_positive);
    command
        .add_option("--step", options.step,
                    "The step of methods that have a fixed one [s]; wins over the script")
        ->check(check_positive);
    command
        .add_option("--threads", options.threads,
                    "How many processors to use, else all; the motion does not depend on it")
        ->check(CLI::Range(1, 1024));
    command
        .add_option("--import", imports,
                    "Bind an import to a shared library: --import name=library")
        ->check(check_import)
        ->allow_extra_args(false);
}

CLI::App* add_run(CLI::App& app, app::RunOptions& options, std::vector<std::string>& definitions,
                  std::vector<std::string>& imports)
{
    CLI::App* run = app.add_subcommand("run", "Simulate a script and record its frames");
    run->add_option("SCRIPT", options.script,
                    "The script; or a recording, to do again what was done in it")
        ->required();
    add_settings(*run, options, definitions, imports);
    run->add_option("--out", options.out,
                    "The recording; else the script's name with .sinew, in this folder");
    run->add_flag("--resume", options.resume, "Go on where the recording ends");
    run->add_option("--table", options.table,
                    "Also write every frame and every named thing as CSV");
    add_colour(*run, options.colour);
    return run;
}

CLI::App* add_view(CLI::App& app, app::ViewOptions& options, std::vector<std::string>& definitions,
                   std::vector<std::string>& imports)
{
    CLI::App* view = app.add_subcommand("view", "Look at a script or a recording in the browser");
    view->add_option("FILE", options.file, "A script, or a recording of `sinew run`")->required();
    view->add_option("--port", options.port, "The port, else any that is free");
    view->add_option("--listen", options.listen,
                     "Let others reach it: ADDRESS or ADDRESS:PORT of this machine");
    view->add_flag("--no-open", options.no_open, "Only print the address, open no browser");
    view->add_flag("--exit-when-closed", options.exit_when_closed,
                   "End some seconds after the last page was closed");
    add_settings(*view, options, definitions, imports);
    return view;
}

CLI::App* add_demo(CLI::App& app, app::DemoOptions& options)
{
    CLI::App* demo = app.add_subcommand("demo", "Run an example, draw a picture of it and view it");
    demo->add_option("NAME", options.name, "The example");
    demo->add_flag("--list", options.is_list, "Only list the examples");
    demo->add_option("--folder", options.folder, "Where to write, else sinew-demo");
    demo->add_flag("--no-view", options.no_view, "Without the viewer");
    demo->add_flag("--no-open", options.no_open, "Only print the viewer's address");
    demo->add_flag("--exit-when-closed", options.exit_when_closed,
                   "End some seconds after the last page was closed");
    return demo;
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
    CLI::App* check =
        app.add_subcommand("check", "List every problem of a script, and how it is read");
    check->add_option("SCRIPT", check_options.script, "The script")->required();
    add_definitions(*check, definitions);
    check->add_option("--errors", errors, "text or json")->check(CLI::IsMember({"text", "json"}));
    add_colour(*check, check_options.colour);

    app::RunOptions run_options;
    std::vector<std::string> run_definitions, run_imports;
    CLI::App* run = add_run(app, run_options, run_definitions, run_imports);

    app::ViewOptions view_options;
    std::vector<std::string> view_definitions, view_imports;
    CLI::App* view = add_view(app, view_options, view_definitions, view_imports);

    app::DemoOptions demo_options;
    CLI::App* demo = add_demo(app, demo_options);

    app::PictureOptions picture_options;
    std::vector<std::string> picture_definitions, picture_imports;
    CLI::App* render = app::add_render(app, picture_options, picture_definitions, picture_imports);
    render->get_option("-D")->check(check_definition);
    render->get_option("--import")->check(check_import);
    add_colour(*render, picture_options.colour);

    app::ExportCommand export_command;
    CLI::App* export_app = app::add_export(app, export_command);
    add_colour(*export_app, export_command.colour);

    app::InfoOptions info_options;
    CLI::App* info = app.add_subcommand("info", "What is in a recording, and how the run went");
    info->add_option("FILE", info_options.recording, "The recording")->required();
    info->add_flag("--json", info_options.json, "For programs");
    add_colour(*info, info_options.colour);

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
        run_options.parameters = split_definitions(run_definitions);
        run_options.imports = split_definitions(run_imports);
        view_options.parameters = split_definitions(view_definitions);
        view_options.imports = split_definitions(view_imports);
        if (*check)
            return app::check(check_options);
        if (*run)
            return app::run(run_options);
        if (*view)
            return app::view(view_options);
        if (*demo)
            return app::demo(demo_options);
        picture_options.parameters = split_definitions(picture_definitions);
        picture_options.imports = split_definitions(picture_imports);
        if (*render)
            return app::render(picture_options);
        if (*export_app)
            return app::export_recording(export_command);
        if (*info)
            return app::info(info_options);
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
