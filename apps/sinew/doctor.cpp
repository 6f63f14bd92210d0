// `sinew doctor`: what this machine has of what Sinew can use.

#include "commands.h"

#include "sinew/language.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <sys/utsname.h>
#include <unistd.h>

namespace sinew::app {

namespace {

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
    bool is_for_users;
    const char *name, *command, *needed_for, *package;
};

constexpr Tool kTools[] = {
    {true, "browser",
     "for name in chromium google-chrome firefox; do $name --version && break; done 2>/dev/null",
     "`sinew view` on this machine", "chromium"},
    {true, "ffmpeg", "ffmpeg -version 2>/dev/null", "films of `sinew render`", "ffmpeg"},
    {true, "blender", "blender --version 2>/dev/null", "the Blender add-on", "blender"},
    {true, "python", "python3 --version 2>/dev/null", "the Python package", "python3"},
    {false, "g++", "g++ --version 2>/dev/null", "building", "g++"},
    {false, "cmake", "cmake --version 2>/dev/null", "building", "cmake"},
    {false, "ninja", "ninja --version 2>/dev/null", "building", "ninja-build"},
    {false, "ccache", "ccache --version 2>/dev/null", "fast rebuilds", "ccache"},
    {false, "node", "node --version 2>/dev/null", "the viewer's page, tests", "nodejs npm"},
    {false, "clang", "clang++-16 --version 2>/dev/null", "sanitizers, fuzzing", "clang-16"},
    {false, "clang-format", "clang-format-16 --version 2>/dev/null", "./dev format",
     "clang-format-16"},
    {false, "neovim", "nvim --version 2>/dev/null", "the test of the language server", "neovim"},
};

struct Found {
    const Tool* tool;
    std::optional<std::string> version;
};

std::vector<Found> look()
{
    std::vector<Found> found;
    for (const Tool& tool : kTools)
        found.push_back({&tool, first_line_of(tool.command)});
    return found;
}

const char* compiler()
{
#ifdef __clang__
    return "clang " __VERSION__;
#else
    return "g++ " __VERSION__;
#endif
}

void print_tools(const std::vector<Found>& found, bool is_for_users)
{
    std::string missing;
    for (const Found& one : found) {
        if (one.tool->is_for_users != is_for_users)
            continue;
        fmt::print("  {} {:<13} {:<33} {}\n", one.version ? "✓" : "✗", one.tool->name,
                   one.tool->needed_for, one.version.value_or("missing"));
        if (!one.version)
            missing += std::string(" ") + one.tool->package;
    }
    if (!missing.empty())
        fmt::print("  To install what is missing: apt-get install{}\n", missing);
}

} // namespace

int doctor(bool json)
{
    utsname machine{};
    uname(&machine);
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const std::vector<Found> found = look();
    if (json) {
        nlohmann::json tools = nlohmann::json::object();
        for (const Found& one : found)
            tools[one.tool->name] = one.version ? nlohmann::json(*one.version) : nlohmann::json();
        print_json({{"version", version()},
                    {"compiler", compiler()},
                    {"system", std::string(machine.sysname) + " " + machine.release},
                    {"machine", machine.machine},
                    {"processors", processors},
                    {"tools", tools}});
        return 0;
    }
    fmt::print("sinew {}, built by {}\n", version(), compiler());
    fmt::print("{} {} on {}, {} processors\n\n", machine.sysname, machine.release, machine.machine,
               processors);
    fmt::print("Scripts, recordings, pictures and exports need nothing else. Optional:\n");
    print_tools(found, true);
    fmt::print("\nFor working on Sinew itself (`./dev setup` installs it):\n");
    print_tools(found, false);
    return 0;
}

} // namespace sinew::app
