// `sinew examples` and `sinew new`: scripts to start from.

#include "assets.h"
#include "command_line.h"
#include "commands.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace sinew::app {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".charli";

constexpr std::string_view kPendulum =
    R"(# A pendulum: the smallest script that moves. Try: sinew view SCRIPT
param length = 1 [0.1..3] "length of the rod, m";

dynamic theta;                           # physics moves this angle
theta = initial(-60 deg, 0);             # where it starts, how fast

def bob mass(2); end;                    # a point of two kilograms
bob translatex(length) rotatez(theta);   # one length out, then rotated by theta
line(0, 0, 0, bob_x, bob_y, 0);          # the rod, only drawn

simulate(0 sec, 10 sec);
)";

struct Example {
    std::string name, description;
    std::vector<std::string> systems;
    std::string_view text;
};

/// The first sentence of the comment that a script begins with.
std::string description_of(std::string_view text)
{
    std::string words;
    while (text.starts_with('#')) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(1, end - 1);
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        words += (words.empty() ? "" : " ") + std::string(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words.substr(0, words.find(". "));
}

std::vector<std::string> systems_of(std::string_view text)
{
    const auto has = [&](std::string_view word) {
        for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1))
            if (at == 0 || text[at - 1] == ' ' || text[at - 1] == '\n')
                return true;
        return false;
    };
    std::vector<std::string> systems;
    if (has("dynamic "))
        systems.push_back("linkages");
    if (has("body("))
        systems.push_back("bodies");
    if (has("strand(") || has("groom("))
        systems.push_back("strands");
    if (has("rod("))
        systems.push_back("rods");
    return systems;
}

/// Examples that run by themselves, not the parts that others include.
std::vector<Example> all_examples()
{
    std::vector<Example> list;
    for (const viewer::Asset& asset : viewer::example_assets())
        if (asset.path.find('/') == asset.path.npos && asset.path.ends_with(kEnding))
            list.push_back({std::string(asset.path.substr(0, asset.path.size() - kEnding.size())),
                            description_of(asset.data), systems_of(asset.data), asset.data});
    return list;
}

std::string heading_of(const Example& example)
{
    if (example.systems.empty())
        return "others";
    return example.systems.size() == 1 ? example.systems[0] : "several systems together";
}

void print_group(const std::vector<Example>& list, const std::string& heading, const Style& style)
{
    bool is_first = true;
    for (const Example& example : list) {
        if (heading_of(example) != heading)
            continue;
        if (is_first)
            fmt::print("{}{}{}\n", style.title, heading, style.off);
        is_first = false;
        fmt::print("  {}{:<34}{}{}\n", style.name, example.name, style.off, example.description);
    }
    if (!is_first)
        fmt::print("\n");
}

nlohmann::json examples_json(const std::vector<Example>& list)
{
    nlohmann::json out = nlohmann::json::array();
    for (const Example& example : list)
        out.push_back({{"name", example.name},
                       {"description", example.description},
                       {"systems", example.systems}});
    return out;
}

bool contains(const std::string& text, const std::string& part)
{
    const auto same = [](char a, char b) { return std::tolower(a) == std::tolower(b); };
    return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

} // namespace

int examples(const ExamplesOptions& options)
{
    std::vector<Example> list = all_examples();
    std::erase_if(list, [&](const Example& e) {
        return !contains(e.name, options.text) && !contains(e.description, options.text) &&
               !contains(heading_of(e), options.text);
    });
    if (options.json) {
        print_json(examples_json(list));
        return 0;
    }
    if (list.empty()) {
        fmt::print(stderr, "no example has '{}'; `sinew examples` lists them all\n",
                   printable(options.text));
        return 1;
    }
    const Style style = make_style(use_colour(options.colour, STDOUT_FILENO));
    for (const char* heading :
         {"several systems together", "linkages", "bodies", "strands", "rods", "others"})
        print_group(list, heading, style);
    fmt::print("Show one: sinew demo NAME     Start from one: sinew new SCRIPT --from NAME\n");
    return 0;
}

int new_script(const NewOptions& options)
{
    const std::vector<Example> list = all_examples();
    const auto found = std::ranges::find(list, options.from, &Example::name);
    if (!options.from.empty() && found == list.end()) {
        std::vector<std::string> names;
        for (const Example& example : list)
            names.push_back(example.name);
        const std::string meant = closest(options.from, names);
        fmt::print(stderr, "there is no example '{}'; {}\n", printable(options.from),
                   meant.empty() ? "`sinew examples` lists them" : "did you mean '" + meant + "'?");
        return 2;
    }
    const fs::path path =
        fs::path(options.script).has_extension() ? options.script : options.script + ".charli";
    std::error_code fault;
    if (fs::exists(path, fault)) {
        fmt::print(stderr, "{}: is there already; choose another name\n", printable(path.string()));
        return 1;
    }
    std::string text(options.from.empty() ? kPendulum : found->text);
    if (const std::size_t at = text.find("SCRIPT\n"); options.from.empty() && at != text.npos)
        text.replace(at, 6, path.filename().string());
    std::ofstream file(path, std::ios::binary);
    if (!file.write(text.data(), std::streamsize(text.size())).flush()) {
        fmt::print(stderr,
                   "{}: cannot be written\n      hint: does its folder exist, and may you "
                   "write there?\n",
                   printable(path.string()));
        return 1;
    }
    fmt::print("{}: written. Try: sinew view {}\n", path.string(), path.string());
    if (text.find("include \"") != text.npos || text.find("mesh(\"") != text.npos)
        fmt::print("It uses other files; `sinew demo {} --no-view` writes them too.\n",
                   options.from);
    return 0;
}

} // namespace sinew::app
