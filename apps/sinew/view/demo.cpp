// `sinew demo`: an example of the program's own in the viewer, at once; without a viewer, run and
// drawn.

#include "view.h"

#include "commands.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace sinew::app {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".charli";
constexpr std::string_view kFirst = "catapult";
constexpr std::string_view kFolder = "sinew-demo";

/// Those that run by themselves, by name: not the parts that others include.
std::vector<std::string> example_names()
{
    std::vector<std::string> names;
    for (const viewer::Asset& asset : viewer::example_assets())
        if (asset.path.find('/') == asset.path.npos)
            names.emplace_back(asset.path.substr(0, asset.path.size() - kEnding.size()));
    return names;
}

void print_names()
{
    fmt::print("sinew demo NAME runs one of these examples:\n");
    for (const std::string& name : example_names())
        fmt::print("  {}{}\n", name, name == kFirst ? "  (without a NAME)" : "");
}

/// Writes the examples where the person can change them; what is there already stays.
bool unpack(const fs::path& folder)
{
    std::error_code fault;
    for (const viewer::Asset& asset : viewer::example_assets()) {
        const fs::path path = folder / asset.path;
        fs::create_directories(path.parent_path(), fault);
        if (fs::exists(path, fault))
            continue;
        std::ofstream file(path, std::ios::binary);
        file.write(asset.data.data(), std::streamsize(asset.data.size()));
        if (!file.flush())
            return false;
    }
    return true;
}

/// A recording and a picture beside the script.
int run_and_draw(const std::string& script, const DemoOptions& options)
{
    const Colour colour = options.colour;
    RunOptions run_options;
    run_options.is_quiet = options.is_quiet;
    run_options.script = script;
    run_options.out = fs::path(script).replace_extension(".sinew").string();
    run_options.colour = colour;
    if (const int status = run(run_options); status != 0)
        return status;
    PictureOptions picture_options;
    picture_options.file = run_options.out;
    picture_options.out = fs::path(script).replace_extension(".png").string();
    picture_options.width = 960; // a quick look: some seconds
    picture_options.height = 540;
    picture_options.samples = 32;
    picture_options.colour = colour;
    picture_options.is_quiet = options.is_quiet;
    return render(picture_options);
}

} // namespace

int demo(const DemoOptions& options)
{
    const std::string name = options.name.empty() ? std::string(kFirst) : options.name;
    const std::vector<std::string> names = example_names();
    if (options.is_list) {
        if (options.json) {
            ExamplesOptions all;
            all.json = true;
            return examples(all);
        }
        print_names();
        return 0;
    }
    if (std::find(names.begin(), names.end(), name) == names.end()) {
        fmt::print(stderr, "there is no example '{}'; `sinew demo --list` lists them\n",
                   printable(name));
        return 2;
    }
    const fs::path folder = options.folder.empty() ? fs::path(kFolder) : fs::path(options.folder);
    if (!unpack(folder)) {
        fmt::print(stderr, "{}: cannot be written; choose another place with --folder\n",
                   printable(folder.string()));
        return 1;
    }
    const std::string script = (folder / (name + std::string(kEnding))).string();
    if (options.no_view)
        return run_and_draw(script, options);
    if (!options.is_quiet)
        fmt::print("The viewer runs until Ctrl-C; what is saved there changes {}\n", script);
    ViewOptions view_options;
    view_options.file = script;
    view_options.no_open = options.no_open;
    view_options.exit_when_closed = options.exit_when_closed;
    return view(view_options);
}

} // namespace sinew::app
