// `sinew format`, and `sinew tokens` for tests.

#include "commands.h"

#include "sinew/language.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
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

} // namespace sinew::app
