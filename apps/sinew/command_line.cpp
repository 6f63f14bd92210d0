// The table of commands. A new command is a row in kCommands and a function that adds its options.

#include "command_line.h"

#include "commands.h"
#include "completions.h"
#include "export_options.h"
#include "farm/sweep.h"
#include "render_options.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>

namespace sinew::app {

namespace {

using Definitions = std::vector<std::string>;

std::map<std::string, std::string> split_definitions(const Definitions& list)
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

std::string check_import(const std::string& text)
{
    const std::size_t sign = text.find('=');
    return sign == std::string::npos || sign == 0 || sign + 1 == text.size()
               ? "write --import name=library, not '" + text + "'"
               : "";
}

std::string check_positive(const std::string& text)
{
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    const bool is_number = !text.empty() && *end == '\0' && std::isfinite(value);
    return is_number && value > 0 ? "" : "'" + text + "' is not a positive number";
}

void add_definitions(CLI::App& command, Definitions& definitions)
{
    command.add_option("-D", definitions, "Set a param of the script: -D name=value")
        ->option_text("NAME=VALUE")
        ->check(check_definition)
        ->allow_extra_args(false);
}

void add_imports(CLI::App& command, Definitions& imports)
{
    command
        .add_option("--import", imports,
                    "Bind an import to a shared library: --import name=library")
        ->option_text("NAME=LIBRARY")
        ->check(check_import)
        ->allow_extra_args(false);
}

void add_colour(CLI::App& command, Colour& colour)
{
    const std::map<std::string, Colour> colours{
        {"auto", Colour::automatic}, {"always", Colour::always}, {"never", Colour::never}};
    command.add_option("--colour,--color", colour, "auto (default), always or never")
        ->option_text("WHEN")
        ->transform(CLI::CheckedTransformer(colours));
}

void add_threads(CLI::App& command, int& threads, const char* words)
{
    command.add_option("--threads", threads, words)->option_text("N")->check(CLI::Range(1, 1024));
}

/// Options that decide a simulation, for the commands that run one.
template <class Options>
void add_settings(CLI::App& command, Options& options)
{
    command
        .add_option("--seconds", options.seconds, "Length of the simulation; overrides the script")
        ->option_text("S")
        ->check(check_positive);
    command.add_option("--fps", options.fps, "Frames per second; overrides the script")
        ->option_text("N")
        ->check(check_positive);
    command
        .add_option("--step", options.step,
                    "Time step of methods with a fixed one [s]; overrides the script")
        ->option_text("S")
        ->check(check_positive);
    add_threads(command, options.threads,
                "Number of threads (default: all processors); the result does not depend on it");
}

/// How accurately frames are recorded.
void add_precision(CLI::App& command, RunOptions& options)
{
    CLI::Option* error = command
                             .add_option("--error", options.error,
                                         "Largest error of a recorded position [m] (default: 2e-6)")
                             ->option_text("M")
                             ->check(check_positive)
                             ->check(CLI::Range(1e-8, 0.5));
    command
        .add_flag_callback(
            "--exact", [&options] { options.error = 0; },
            "Record every number exactly; takes three to five times the space")
        ->excludes(error);
}

/// "K/N" into a part, 1 to N.
std::string read_part(const std::string& text, int& part, int& count)
{
    char rest = 0;
    return std::sscanf(text.c_str(), "%d/%d%c", &part, &count, &rest) == 2 && part >= 1 &&
                   count <= 100000 && part <= count
               ? ""
               : "'" + text + "' is not a part: write K/N with K from 1 to N";
}

void add_part(CLI::App& run, RunOptions& options)
{
    CLI::Option* part =
        run.add_option_function<std::string>(
               "--part",
               [&options](const std::string& text) {
                   read_part(text, options.part, options.part_count);
               },
               "Compute one part of the shot: 3/16; `sinew plan` lists what can be divided")
            ->option_text("K/N")
            ->check([](const std::string& text) {
                int number = 0, count = 0;
                return read_part(text, number, count);
            });
    run.add_flag("--mpi", options.is_mpi,
                 "Started by mpirun or srun: each rank computes its part, rank 0 joins them")
        ->excludes(part);
}

/// Options and lists that live as long as the action that uses them.
template <class Options>
struct Wish {
    Options options = {};
    Definitions definitions = {}, imports = {};

    const Options& read()
    {
        options.parameters = split_definitions(definitions);
        if constexpr (requires { options.imports; })
            options.imports = split_definitions(imports);
        return options;
    }
};

Action add_check(CLI::App& check)
{
    auto wish = std::make_shared<Wish<CheckOptions>>();
    CheckOptions& options = wish->options;
    check.add_option("SCRIPT", options.scripts, "The scripts; - reads standard input")->required();
    add_definitions(check, wish->definitions);
    check.add_flag("--json", options.json, "Report as JSON");
    check
        .add_option_function<std::string>(
            "--errors", [&options](const std::string& form) { options.json = form == "json"; },
            "text or json; the same as --json")
        ->option_text("FORM")
        ->check(CLI::IsMember({"text", "json"}));
    check.add_flag("-q,--quiet", options.is_quiet, "Print problems only");
    add_colour(check, options.colour);
    return [wish] { return app::check(wish->read()); };
}

Action add_run(CLI::App& run)
{
    auto wish = std::make_shared<Wish<RunOptions>>();
    RunOptions& options = wish->options;
    run.add_option("SCRIPT", options.script, "The script; or a recording, to repeat its run")
        ->required();
    add_settings(run, options);
    add_definitions(run, wish->definitions);
    add_imports(run, wish->imports);
    run.add_option("-o,--out", options.out,
                   "The recording (default: the script's name with .sinew, in this folder)")
        ->option_text("FILE");
    run.add_flag("--resume", options.resume, "Continue where the recording ends");
    run.add_option("--table", options.table, "Also write every frame and every named object as CSV")
        ->option_text("FILE");
    add_precision(run, options);
    add_part(run, options);
    run.add_option("--scratch", options.scratch,
                   "Write into this folder and move the recording to its place at the end "
                   "(default: $TMPDIR if that is on a network)")
        ->option_text("FOLDER")
        ->check(CLI::ExistingDirectory);
    run.add_flag("--json", options.json, "Print the summary as JSON");
    run.add_flag("-q,--quiet", options.is_quiet, "Print problems only");
    add_colour(run, options.colour);
    return [wish] { return app::run(wish->read()); };
}

/// Which values the runs of a sweep have.
void add_variation(CLI::App& sweep, SweepOptions& options, Definitions& definitions)
{
    sweep
        .add_option("-D", definitions,
                    "Vary a param: -D name=1..20, 0.5..2:7, 1e4..1e6:log:9, a,b,c or one value")
        ->option_text("NAME=RANGE")
        ->check(check_definition)
        ->allow_extra_args(false);
    sweep
        .add_option("--list", options.variation.list,
                    "A CSV file: params in its first line, a run in each of the others")
        ->option_text("FILE");
    sweep
        .add_option("--random", options.variation.random_count,
                    "Take N random samples of the ranges instead of their grid")
        ->option_text("N")
        ->check(CLI::Range(std::size_t{1}, kMostRuns));
    sweep.add_option("--seed", options.variation.seed, "Of the random samples (default: 1)")
        ->option_text("N");
}

/// Adds the options that choose the machines of a sweep.
void add_places(CLI::App& sweep, SweepOptions& options)
{
    sweep.add_option("--on", options.on, "here (default), slurm, or files: only list the commands")
        ->option_text("WHERE")
        ->check(CLI::IsMember({"here", "slurm", "files"}));
    sweep
        .add_option("--slurm", options.slurm,
                    "An option for sbatch: --slurm=--partition=short; may be repeated")
        ->option_text("OPTION")
        ->allow_extra_args(false);
    sweep.add_flag("--submit", options.submits_only, "Do not wait for the job on Slurm");
    sweep.add_option("--jobs", options.jobs, "Runs at once on this machine (default: processors)")
        ->option_text("N")
        ->check(CLI::Range(1, 1024));
    sweep
        .add_option("--retries", options.retries,
                    "How often to retry runs that were killed or failed (default: 3)")
        ->option_text("N")
        ->check(CLI::Range(0, 1000));
    sweep
        .add_option("--scratch", options.run.scratch,
                    "Write recordings in this folder of the computing machine, then move them")
        ->option_text("FOLDER");
    sweep
        .add_option("--share", options.share,
                    "Only compute the K-th of M shares of a sweep's folder: K/M, K from 0")
        ->option_text("K/M");
    sweep.add_flag("--gather", options.only_gathers, "Only write the table of what there is");
}

/// Adds the options for the tables and pictures of a sweep.
void add_results(CLI::App& sweep, SweepOptions& options)
{
    sweep
        .add_option("-o,--out", options.out, "The folder (default: the script's name with -sweep)")
        ->option_text("FOLDER");
    sweep
        .add_option("--probe", options.probes,
                    "An object whose position at the end is a column: bob, bob.y, bob.y:max")
        ->option_text("NAME")
        ->allow_extra_args(false);
    sweep.add_flag("--parquet", options.wants_parquet, "Write results.parquet too");
    sweep
        .add_option("--sheet", options.sheet,
                    "Draw the runs side by side: a picture (.png) or a film (.mp4, .gif, ...)")
        ->option_text("FILE");
    sweep
        .add_option_function<std::string>(
            "--tile",
            [&options](const std::string& size) {
                const std::size_t cross = size.find('x');
                options.tile_width = std::stoi(size);
                options.tile_height = std::stoi(size.substr(cross + 1));
            },
            "Size of each run in the sheet (default: 320x240)")
        ->option_text("WIDTHxHEIGHT")
        ->check([](const std::string& size) {
            int width = 0, height = 0;
            char rest = 0;
            return std::sscanf(size.c_str(), "%dx%d%c", &width, &height, &rest) == 2 &&
                           width >= 16 && height >= 16 && width <= 2048 && height <= 2048
                       ? std::string()
                       : "'" + size + "' is not a size such as 320x240";
        });
}

Action add_sweep(CLI::App& sweep)
{
    auto options = std::make_shared<SweepOptions>();
    auto definitions = std::make_shared<Definitions>();
    auto imports = std::make_shared<Definitions>();
    sweep
        .add_option("SCRIPT", options->target,
                    "The script; or the folder of a sweep, to continue it")
        ->required()
        ->check(CLI::ExistingPath);
    add_variation(sweep, *options, *definitions);
    add_settings(sweep, options->run);
    add_precision(sweep, options->run);
    add_imports(sweep, *imports);
    add_results(sweep, *options);
    add_places(sweep, *options);
    sweep.add_flag("--json", options->json, "Print the summary as JSON");
    sweep.add_flag("-q,--quiet", options->is_quiet, "Print problems only");
    add_colour(sweep, options->colour);
    return [options, definitions, imports] {
        for (const std::string& definition : *definitions) {
            const std::size_t sign = definition.find('=');
            options->variation.definitions.emplace_back(definition.substr(0, sign),
                                                        definition.substr(sign + 1));
        }
        options->run.imports = split_definitions(*imports);
        return app::sweep(*options);
    };
}

Action add_plan(CLI::App& command)
{
    auto wish = std::make_shared<Wish<PlanOptions>>();
    PlanOptions& options = wish->options;
    command.add_option("SCRIPT", options.script, "The script")->required();
    command.add_option("--parts", options.parts, "Number of parts")
        ->option_text("N")
        ->required()
        ->check(CLI::Range(1, 100000));
    add_definitions(command, wish->definitions);
    command.add_flag("--json", options.json, "Report as JSON");
    add_colour(command, options.colour);
    return [wish] { return app::plan(wish->read()); };
}

Action add_join(CLI::App& command)
{
    auto options = std::make_shared<JoinOptions>();
    command.add_option("PART", options->parts, "The recordings of all parts, in any order")
        ->required();
    command.add_option("-o,--out", options->out, "The recording of the whole shot")
        ->option_text("FILE")
        ->required();
    command.add_flag("--json", options->json, "Print the summary as JSON");
    command.add_flag("-q,--quiet", options->is_quiet, "Print problems only");
    add_colour(command, options->colour);
    return [options] { return app::join(*options); };
}

Action add_view(CLI::App& view)
{
    auto wish = std::make_shared<Wish<ViewOptions>>();
    ViewOptions& options = wish->options;
    view.add_option("FILE", options.file, "A script, or a recording of `sinew run`")->required();
    view.add_option("--port", options.port, "The port (default: any free one)")->option_text("N");
    view.add_option("--listen", options.listen,
                    "Let other machines connect: ADDRESS or ADDRESS:PORT of this machine")
        ->option_text("ADDRESS");
    view.add_flag("--no-open", options.no_open, "Print the address, open no browser");
    view.add_flag("--exit-when-closed", options.exit_when_closed,
                  "Exit a few seconds after the last page is closed");
    add_settings(view, options);
    add_definitions(view, wish->definitions);
    add_imports(view, wish->imports);
    return [wish] { return app::view(wish->read()); };
}

Action add_demo(CLI::App& demo)
{
    auto options = std::make_shared<DemoOptions>();
    demo.add_option("NAME", options->name, "The example; `sinew examples` lists them");
    CLI::Option* list = demo.add_flag("--list", options->is_list, "List the examples only");
    demo.add_flag("--json", options->json, "Print the list as JSON")->needs(list);
    demo.add_option("--folder", options->folder, "Where to write (default: sinew-demo)")
        ->option_text("FOLDER");
    demo.add_flag("--no-view", options->no_view, "Do not start the viewer");
    demo.add_flag("--no-open", options->no_open, "Print the viewer's address, open no browser");
    demo.add_flag("--exit-when-closed", options->exit_when_closed,
                  "Exit a few seconds after the last page is closed");
    demo.add_flag("-q,--quiet", options->is_quiet, "Print problems only");
    add_colour(demo, options->colour);
    return [options] { return app::demo(*options); };
}

Action add_new(CLI::App& command)
{
    auto options = std::make_shared<NewOptions>();
    command.add_option("SCRIPT", options->script, "The new script, `swing.charli`")->required();
    command.add_option("--from", options->from, "Start from this example (default: a pendulum)")
        ->option_text("EXAMPLE");
    return [options] { return app::new_script(*options); };
}

Action add_examples(CLI::App& examples)
{
    auto options = std::make_shared<ExamplesOptions>();
    examples.add_option("TEXT", options->text, "Only those whose name or description has the text");
    examples.add_flag("--json", options->json, "Print the list as JSON");
    add_colour(examples, options->colour);
    return [options] { return app::examples(*options); };
}

Action add_render_command(CLI::App& render)
{
    auto wish = std::make_shared<Wish<PictureOptions>>();
    add_render(render, wish->options);
    add_definitions(render, wish->definitions);
    add_imports(render, wish->imports);
    add_settings(render, wish->options);
    render.add_flag("--json", wish->options.json, "Print the summary as JSON");
    render.add_flag("-q,--quiet", wish->options.is_quiet, "Print problems only");
    add_colour(render, wish->options.colour);
    return [wish] { return app::render(wish->read()); };
}

Action add_export_command(CLI::App& command)
{
    auto options = std::make_shared<ExportCommand>();
    add_export(command, *options);
    command.add_flag("--json", options->json, "Print the summary as JSON");
    command.add_flag("-q,--quiet", options->is_quiet, "Print problems only");
    add_colour(command, options->colour);
    return [options] { return app::export_recording(*options); };
}

Action add_info(CLI::App& info)
{
    auto options = std::make_shared<InfoOptions>();
    info.add_option("FILE", options->recording, "The recording")->required();
    info.add_flag("--json", options->json, "Report as JSON");
    info.add_flag("--contacts", options->contacts,
                  "List which bodies met, when, where and how hard, as CSV or with --json as JSON");
    info.add_flag("--check", options->check,
                  "Read every frame and snapshot, report damage (status 1)");
    add_colour(info, options->colour);
    return [options] { return app::info(*options); };
}

Action add_format(CLI::App& format)
{
    auto options = std::make_shared<FormatOptions>();
    format.add_option("SCRIPT", options->scripts, "The scripts; - reads standard input")
        ->required();
    format.add_flag("-w,--write", options->write, "Change the files instead of printing");
    format.add_flag("--check", options->only_check,
                    "Only list the files that would change (exit status 1)");
    return [options] { return app::format(*options); };
}

Action add_lsp(CLI::App&)
{
    return [] { return language_server(); };
}

Action add_doctor(CLI::App& doctor)
{
    auto json = std::make_shared<bool>(false);
    doctor.add_flag("--json", *json, "Report as JSON");
    return [json] { return app::doctor(*json); };
}

Action add_completions(CLI::App& command)
{
    auto shell = std::make_shared<std::string>();
    command.add_option("SHELL", *shell, "bash, zsh or fish; or man, for the manual page")
        ->required()
        ->option_text("bash|zsh|fish|man")
        ->check(CLI::IsMember({"bash", "zsh", "fish", "man"}));
    const CLI::App* program = command.get_parent();
    return [shell, program] { return print_completions(*program, *shell); };
}

Action add_help(CLI::App& help)
{
    auto options = std::make_shared<HelpOptions>();
    help.add_option("WORD", options->word,
                    "A word, a group of words, or any text: hair, rope, friction, ...");
    help.add_flag("--reference", options->reference, "The whole reference page, as markdown");
    const CLI::App* program = help.get_parent();
    return [options, program] { return app::help(*program, *options); };
}

Action add_tokens(CLI::App& tokens)
{
    auto script = std::make_shared<std::string>();
    tokens.add_option("SCRIPT", *script, "The script")->required();
    return [script] { return app::tokens(*script); };
}

/// Shows an option with its placeholder only, not with the types and ranges of its checks.
class HelpFormatter : public CLI::Formatter {
    std::string make_option_opts(const CLI::Option* option) const override
    {
        if (!option->get_option_text().empty())
            return " " + option->get_option_text();
        return option->get_items_expected_max() > 0 && !option->get_positional() ? " VALUE" : "";
    }
};

struct Command {
    const char *group, *name, *summary;
    Action (*add)(CLI::App&);
};

constexpr Command kCommands[] = {
    {"Start", "demo", "Open an example in the viewer; --no-view: run and draw it", add_demo},
    {"Start", "examples", "List the examples, one line each", add_examples},
    {"Start", "new", "Write a new script to start from", add_new},
    {"Simulate", "check", "List every problem of a script, and summarise its contents", add_check},
    {"Simulate", "run", "Simulate a script and record its frames", add_run},
    {"Simulate", "sweep", "Run a script with many values and gather the results", add_sweep},
    {"Simulate", "plan", "List what of a shot can be computed in parts", add_plan},
    {"Simulate", "join", "Join the parts of a shot into one recording", add_join},
    {"Simulate", "info", "Summarise a recording and its run", add_info},
    {"Show", "view", "Open a script or a recording in the browser", add_view},
    {"Show", "render", "Draw a picture or a film of a recording or a script", add_render_command},
    {"Show", "export", "Convert a recording for other programs", add_export_command},
    {"Tools", "format", "Print a script in its standard layout", add_format},
    {"Tools", "lsp", "The language server for editors, on standard input and output", add_lsp},
    {"Tools", "doctor", "Show what is installed and what is missing", add_doctor},
    {"Tools", "completions", "Print completions for a shell, or the manual page", add_completions},
    {"Tools", "help", "Explain a word of the language, or search for one", add_help},
    {"", "tokens", "Print the tokens of a script, for tests of editors", add_tokens}, // not listed
};

/// Number of edits (insert, delete, replace, exchange of neighbours) between two words.
std::size_t edit_distance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> two(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
    std::iota(above.begin(), above.end(), 0U);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min(
                {above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], two[j - 2] + 1);
        }
        two.swap(above);
        above.swap(row);
    }
    return above.back();
}

std::vector<std::string> option_names(const CLI::App& command)
{
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
    return names;
}

} // namespace

std::vector<CommandEntry> add_commands(CLI::App& app)
{
    app.formatter(std::make_shared<HelpFormatter>());
    app.get_formatter()->column_width(34);
    std::vector<CommandEntry> entries;
    for (const Command& command : kCommands) {
        CLI::App* added = app.add_subcommand(command.name, command.summary);
        added->group(command.group);
        entries.push_back({added, command.add(*added)});
    }
    return entries;
}

const CLI::App* find_command(const CLI::App& app, const std::string& name)
{
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        if (command->get_name() == name)
            return command;
    return nullptr;
}

std::vector<const CLI::App*> listed_commands(const CLI::App& app)
{
    std::vector<const CLI::App*> listed;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        if (!command->get_group().empty())
            listed.push_back(command);
    return listed;
}

std::string closest(const std::string& word, const std::vector<std::string>& candidates)
{
    std::string best;
    std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
    for (const std::string& candidate : candidates)
        if (const std::size_t edits = edit_distance(word, candidate); edits < least) {
            least = edits;
            best = candidate;
        }
    return best;
}

std::string proposal(const CLI::App& app, int argc, char** argv)
{
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    if (words.empty())
        return "";
    std::vector<std::string> names;
    for (const CLI::App* command : listed_commands(app))
        names.push_back(command->get_name());
    const bool is_command = words[0].rfind('-', 0) != 0;
    const CLI::App* command = is_command ? find_command(app, words[0]) : &app;
    std::string word = words[0], best;
    if (!command) {
        best = closest(word, names);
    } else {
        const std::vector<std::string> known = option_names(*command);
        for (const std::string& given : words) {
            const std::string name = given.substr(0, given.find('='));
            if (name.rfind("--", 0) == 0 && std::ranges::find(known, name) == known.end() &&
                best.empty())
                best = closest(name, known);
        }
    }
    return best.empty() ? "" : "did you mean '" + best + "'?";
}

} // namespace sinew::app
