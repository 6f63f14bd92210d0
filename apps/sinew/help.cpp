// `sinew help`: the commands, the groups of words, a word, or a search.

#include "command_line.h"
#include "commands.h"

#include "sinew/language.h"

#include <fmt/core.h>

#include <cstdio>

namespace sinew::app {

namespace {

constexpr std::size_t kMostHits = 12; // on a screen

void print_overview(const CLI::App& program)
{
    std::string group;
    for (const CLI::App* command : listed_commands(program)) {
        if (command->get_group() != group)
            fmt::print("{}{}\n", group.empty() ? "" : "\n", command->get_group());
        group = command->get_group();
        fmt::print("  sinew {:<13}{}\n", command->get_name(), command->get_description());
    }
    fmt::print("\n`sinew COMMAND --help` lists the options of a command.\n\n"
               "Groups of words of the language, each with `sinew help GROUP`:\n ");
    std::size_t width = 1;
    for (std::string name : word_groups()) {
        for (char& c : name)
            c = c >= 'A' && c <= 'Z' ? char(c + 32) : c;
        if (width + name.size() + 2 > 78) {
            fmt::print("\n ");
            width = 1;
        }
        fmt::print(" {}{}{}", name.find(' ') == name.npos ? "" : "'", name,
                   name.find(' ') == name.npos ? "" : "'");
        width += name.size() + 3;
    }
    fmt::print("\n\nAny other text is searched for: `sinew help hair`, `sinew help friction`.\n\n"
               "A script in four lines:\n"
               "  dynamic theta; theta = initial(0, 0);\n"
               "  def bob mass(1); end;\n"
               "  bob translatex(1) rotatez(theta);\n"
               "  line(0, 0, 0, bob_x, bob_y, 0);\n");
}

/// The name is the title of the help of a command, too: `sinew help run`.
bool print_command(const CLI::App& program, const std::string& name)
{
    const CLI::App* command = find_command(program, name);
    if (command)
        std::fputs(command->help("sinew").c_str(), stdout);
    return command;
}

int search(const std::string& text)
{
    const std::vector<WordSummary> hits = find_words(text);
    const std::string similar = similar_word(text);
    if (hits.empty()) {
        fmt::print(stderr, "the language has no word '{}'{}\n", printable(text),
                   similar.empty() ? "; `sinew help` lists the groups of words"
                                   : "; did you mean '" + similar + "'?");
        return 1;
    }
    fmt::print("Words for '{}':\n", printable(text));
    for (std::size_t i = 0; i < std::min(hits.size(), kMostHits); ++i)
        fmt::print("  {:<22}{}\n", hits[i].name, hits[i].meaning);
    if (hits.size() > kMostHits)
        fmt::print("  ... and {} more in the reference: `sinew help --reference`\n",
                   hits.size() - kMostHits);
    fmt::print("`sinew help {}` explains the first one.\n", hits[0].name);
    return 0;
}

} // namespace

int help(const CLI::App& program, const HelpOptions& options)
{
    if (options.reference) {
        std::fputs(words_reference().c_str(), stdout);
        return 0;
    }
    if (options.word.empty()) {
        print_overview(program);
        return 0;
    }
    if (const std::string text = word_help(options.word); !text.empty()) {
        std::fputs(text.c_str(), stdout);
        return 0;
    }
    return print_command(program, options.word) ? 0 : search(options.word);
}

} // namespace sinew::app
