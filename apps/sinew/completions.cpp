// Completions for shells and the manual page, from the same table as the command line.

#include "completions.h"

#include "command_line.h"

#include "sinew/language.h"

#include <fmt/core.h>

namespace sinew::app {

namespace {

struct OptionText {
    std::string names; ///< "-o --out", separated by blanks
    std::string placeholder, description;
    bool takes_value = false;
};

std::vector<OptionText> options_of(const CLI::App& command)
{
    std::vector<OptionText> list;
    for (const CLI::Option* option : command.get_options()) {
        const bool has_name = !option->get_lnames().empty() || !option->get_snames().empty();
        if (!has_name || option->get_group().empty())
            continue;
        OptionText text{.names = "",
                        .placeholder = option->get_option_text(),
                        .description = option->get_description(),
                        .takes_value = option->get_items_expected_max() > 0};
        for (const std::string& name : option->get_snames())
            text.names += (text.names.empty() ? "-" : " -") + name;
        for (const std::string& name : option->get_lnames())
            text.names += (text.names.empty() ? "--" : " --") + name;
        list.push_back(text);
    }
    return list;
}

std::string all_names(const CLI::App& command)
{
    std::string names;
    for (const OptionText& option : options_of(command))
        names += (names.empty() ? "" : " ") + option.names;
    return names;
}

/// With every occurrence of one text replaced by another.
std::string replaced(std::string text, const std::string& what, const std::string& by)
{
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

void print_bash(const CLI::App& program)
{
    std::string commands;
    for (const CLI::App* command : listed_commands(program))
        commands += (commands.empty() ? "" : " ") + command->get_name();
    fmt::print("# Completions of sinew for bash: source <(sinew completions bash)\n"
               "_sinew() {{\n"
               "    local word=${{COMP_WORDS[COMP_CWORD]}} options=\n"
               "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
               "        mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$word\")\n"
               "        return\n"
               "    fi\n"
               "    case ${{COMP_WORDS[1]}} in\n",
               commands);
    for (const CLI::App* command : listed_commands(program))
        fmt::print("    {}) options='{}' ;;\n", command->get_name(), all_names(*command));
    fmt::print("    esac\n"
               "    if [[ $word == -* ]]; then\n"
               "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
               "    else\n"
               "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
               "    fi\n"
               "}}\n"
               "complete -o filenames -F _sinew sinew\n");
}

void print_zsh(const CLI::App& program)
{
    const auto quoted = [](const std::string& text) {
        return replaced(replaced(replaced(text, "'", "'\\''"), "[", "("), "]", ")");
    };
    fmt::print("#compdef sinew\n"
               "# Completions of sinew for zsh: sinew completions zsh > _sinew, in a folder of "
               "$fpath\n"
               "_sinew() {{\n"
               "    local -a commands=(\n");
    for (const CLI::App* command : listed_commands(program))
        fmt::print("        '{}:{}'\n", command->get_name(), quoted(command->get_description()));
    fmt::print("    )\n"
               "    if (( CURRENT == 2 )); then\n"
               "        _describe command commands\n"
               "        return\n"
               "    fi\n"
               "    case $words[2] in\n");
    for (const CLI::App* command : listed_commands(program)) {
        fmt::print("    {}) _arguments", command->get_name());
        for (const OptionText& option : options_of(*command)) {
            const std::string name = option.names.substr(option.names.rfind(' ') + 1);
            fmt::print(" '{}[{}]{}'", name, replaced(quoted(option.description), ":", ","),
                       option.takes_value ? ":" + option.placeholder + ":_files" : "");
        }
        fmt::print(" '*:file:_files' ;;\n");
    }
    fmt::print("    esac\n"
               "}}\n"
               "compdef _sinew sinew\n");
}

void print_fish(const CLI::App& program)
{
    const auto quoted = [](const std::string& text) { return replaced(text, "'", "\\'"); };
    fmt::print("# Completions of sinew for fish: sinew completions fish > "
               "~/.config/fish/completions/sinew.fish\n");
    for (const CLI::App* command : listed_commands(program)) {
        fmt::print("complete -c sinew -f -n __fish_use_subcommand -a {} -d '{}'\n",
                   command->get_name(), quoted(command->get_description()));
        for (const OptionText& option : options_of(*command)) {
            std::string names;
            for (std::size_t at = 0; at < option.names.size();) {
                const std::size_t end = std::min(option.names.find(' ', at), option.names.size());
                const std::string name = option.names.substr(at, end - at);
                names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
                at = end + 1;
            }
            fmt::print("complete -c sinew -F -n '__fish_seen_subcommand_from {}'{}{} -d '{}'\n",
                       command->get_name(), names, option.takes_value ? " -r" : "",
                       quoted(option.description));
        }
    }
}

/// For roff: a dash is no hyphen, and no line begins with a dot or a quote.
std::string roff(const std::string& text)
{
    std::string out = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
    return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

void print_man(const CLI::App& program)
{
    fmt::print(".TH SINEW 1 \"\" \"sinew {}\" \"User Commands\"\n"
               ".SH NAME\nsinew \\- a dynamics engine for animation\n"
               ".SH SYNOPSIS\n.B sinew\n\\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIFILE\\fR...]\n"
               ".SH DESCRIPTION\nSinew reads short scripts in the CHARLI language and simulates "
               "linkages, rigid bodies, strands and rods into recordings, pictures, films and "
               "files for other programs.\n"
               ".SH COMMANDS\n",
               roff(version()));
    for (const CLI::App* command : listed_commands(program)) {
        fmt::print(".SS sinew {}", roff(command->get_name()));
        for (const CLI::Option* option : command->get_options())
            if (option->get_positional())
                fmt::print(" {}", roff(option->get_name(true)));
        fmt::print("\n{}.\n", roff(command->get_description()));
        for (const OptionText& option : options_of(*command))
            fmt::print(".TP\n\\fB{}\\fR {}\n{}\n", roff(replaced(option.names, " ", ", ")),
                       option.takes_value ? "\\fI" + roff(option.placeholder) + "\\fR" : "",
                       roff(option.description));
    }
    fmt::print(".SH EXIT STATUS\n0: success; 1: the input has problems; 2: the command line is "
               "wrong; 3: the simulation stopped early.\n"
               ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nWhen set, output has no colours.\n");
}

} // namespace

int print_completions(const CLI::App& program, const std::string& shell)
{
    if (shell == "bash")
        print_bash(program);
    else if (shell == "zsh")
        print_zsh(program);
    else if (shell == "fish")
        print_fish(program);
    else
        print_man(program);
    return 0;
}

} // namespace sinew::app
