// The small commands: format, doctor, help.

#include "commands.h"

#include "sinew/language.h"

#include <fmt/core.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <sys/utsname.h>
#include <unistd.h>

namespace sinew::app {

namespace {

namespace fs = std::filesystem;

std::optional<std::string> read_text(const std::string& path)
{
    std::error_code fault;
    if (path == "-")
        return std::string(std::istreambuf_iterator<char>(std::cin), {});
    if (!fs::is_regular_file(path, fault))
        return std::nullopt;
    std::ifstream stream(path, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(stream), {});
    return stream ? std::optional(std::move(text)) : std::nullopt;
}

/// Writes beside the file and then exchanges the two: a crash leaves the old one whole. A link
/// stays a link.
bool write_text(const std::string& name, const std::string& text)
{
    std::error_code fault;
    const fs::path path = fs::canonical(name, fault);
    if (fault)
        return false;
    std::string beside = path.string() + ".XXXXXX";
    const int file = mkstemp(beside.data());
    if (file < 0)
        return false;
    const bool is_written =
        write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
        fsync(file) == 0;
    fs::permissions(beside, fs::status(path, fault).permissions(), fault);
    if (close(file) == 0 && is_written)
        fs::rename(beside, path, fault);
    else
        fault = std::make_error_code(std::errc::io_error);
    if (fault)
        unlink(beside.c_str());
    return !fault;
}

int format_one(const std::string& script, const FormatOptions& options)
{
    const std::optional<std::string> text = read_text(script);
    if (!text) {
        fmt::print(stderr, "{}: cannot be read\n      hint: is it a file, and may you read it?\n",
                   script);
        return 1;
    }
    const Result<std::string> formatted = format_script(script, *text);
    if (!formatted) {
        std::fputs(problems_text(formatted.problems(), use_colour(Colour::automatic, STDERR_FILENO))
                       .c_str(),
                   stderr);
        return 1;
    }
    if (options.only_check) {
        if (*formatted == *text)
            return 0;
        fmt::print("{}: not in the standard layout\n", script);
        return 1;
    }
    if (!options.write || script == "-") {
        std::fwrite(formatted->data(), 1, formatted->size(), stdout);
        return 0;
    }
    if (*formatted == *text || write_text(script, *formatted))
        return 0;
    fmt::print(stderr, "{}: cannot be written\n      hint: may you write in its folder?\n", script);
    return 1;
}

/// First line that a program prints of its version; none when it is not there.
std::optional<std::string> first_line_of(const char* command)
{
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command, "r"), pclose);
    std::array<char, 200> line{};
    if (!pipe || !std::fgets(line.data(), line.size(), pipe.get()))
        return std::nullopt;
    std::string text(line.data());
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    return text;
}

struct Tool {
    const char *name, *command, *needed_for, *package;
};

constexpr Tool kTools[] = {
    {"g++", "g++ --version 2>/dev/null", "building", "g++"},
    {"cmake", "cmake --version 2>/dev/null", "building", "cmake"},
    {"ninja", "ninja --version 2>/dev/null", "building", "ninja-build"},
    {"ccache", "ccache --version 2>/dev/null", "building again, faster", "ccache"},
    {"clang", "clang++-16 --version 2>/dev/null", "fuzzing", "clang-16"},
    {"clang-format", "clang-format-16 --version 2>/dev/null", "./dev format", "clang-format-16"},
    {"python", "python3 --version 2>/dev/null", "tests", "python3"},
    {"node", "node --version 2>/dev/null", "the tests of the editors' grammar", "nodejs npm"},
    {"neovim", "nvim --version 2>/dev/null", "the test of the language server", "neovim"},
};

} // namespace

int format(const FormatOptions& options)
{
    int status = 0;
    for (const std::string& script : options.scripts)
        status = std::max(status, format_one(script, options));
    return status;
}

int tokens(const std::string& script)
{
    constexpr const char* kNames[] = {"keyword", "unit",       "easing",      "constant", "number",
                                      "string",  "identifier", "punctuation", "unknown"};
    const std::optional<std::string> text = read_text(script);
    if (!text) {
        fmt::print(stderr, "{}: cannot be read\n", script);
        return 1;
    }
    for (const ScriptToken& token : script_tokens(*text))
        fmt::print("{} {} {}\n", token.offset, token.length, kNames[static_cast<int>(token.kind)]);
    return 0;
}

int doctor()
{
    utsname machine{};
    uname(&machine);
    fmt::print("sinew {}, built by {} {}\n", version(),
#ifdef __clang__
               "clang",
#else
               "g++",
#endif
               __VERSION__);
    fmt::print("{} {} on {}, {} processors\n\n", machine.sysname, machine.release, machine.machine,
               sysconf(_SC_NPROCESSORS_ONLN));
    fmt::print("Scripts need nothing else. For working on Sinew itself:\n");
    std::string missing;
    for (const Tool& tool : kTools) {
        const std::optional<std::string> found = first_line_of(tool.command);
        fmt::print("  {} {:<13} {:<36} {}\n", found ? "✓" : "✗", tool.name, tool.needed_for,
                   found.value_or("missing"));
        if (!found)
            missing += std::string(" ") + tool.package;
    }
    if (!missing.empty())
        fmt::print("\n`./dev setup` installs what is missing, or: apt-get install{}\n", missing);
    return 0;
}

int help(const std::string& word, bool reference)
{
    if (reference) {
        std::fputs(words_reference().c_str(), stdout);
        return 0;
    }
    if (word.empty()) {
        fmt::print(
            "sinew check SCRIPT     every problem of a script, and how it is read\n"
            "sinew run SCRIPT       simulate a script and record its frames\n"
            "sinew info RECORDING   what is in a recording, and how the run went\n"
            "sinew format SCRIPT    the script in its standard layout\n"
            "sinew lsp              the language server, for editors\n"
            "sinew doctor           what is installed, what is missing\n"
            "sinew help WORD        what a word of the language means\n"
            "sinew COMMAND --help   the options of a command\n\n"
            "Groups of words, each with `sinew help GROUP`:\n"
            "  transformations primitives drawing paths constraints forces settings functions\n\n"
            "A script in four lines:\n"
            "  dynamic theta; theta = initial(0, 0);\n"
            "  def bob mass(1); end;\n"
            "  bob translatex(1) rotatez(theta);\n"
            "  line(0, 0, 0, bob_x, bob_y, 0);\n");
        return 0;
    }
    const std::string text = word_help(word);
    if (!text.empty()) {
        std::fputs(text.c_str(), stdout);
        return 0;
    }
    const std::string similar = similar_word(word);
    fmt::print(stderr, "the language has no word '{}'{}\n", word,
               similar.empty() ? "; `sinew help` lists the groups of words"
                               : "; did you mean '" + similar + "'?");
    return 1;
}

} // namespace sinew::app
