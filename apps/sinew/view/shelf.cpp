#include "shelf.h"

#include "assets.h"

#include <algorithm>

namespace sinew::viewer {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kEnding = ".charli";
constexpr std::string_view kPictures = "/gallery/";
constexpr std::size_t kMostFiles = 2000;

/// The comment at the head of a script, in one line.
std::string first_comment(std::string_view text)
{
    std::string out;
    while (text.starts_with('#')) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(1, end - 1);
        while (line.starts_with(' '))
            line.remove_prefix(1);
        out += (out.empty() ? "" : " ") + std::string(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

/// "card_house" becomes "Card house", "fig03_triple_pendulum" becomes "Triple pendulum".
std::string title_of(std::string_view name)
{
    if (name.starts_with("fig") && name.find('_') != name.npos)
        name.remove_prefix(name.find('_') + 1);
    std::string title(name.substr(name.rfind('/') + 1));
    std::ranges::replace(title, '_', ' ');
    if (!title.empty() && title[0] >= 'a' && title[0] <= 'z')
        title[0] = static_cast<char>(title[0] - 'a' + 'A');
    return title;
}

std::string picture_of(std::string_view name)
{
    for (const Asset& asset : gallery_assets())
        for (const std::string_view ending : {".webp", ".jpg", ".png"})
            if (asset.path == std::string(kPictures) + std::string(name) + std::string(ending))
                return std::string(asset.path);
    return "";
}

const Asset* find_asset(std::string_view path)
{
    for (const Asset& asset : example_assets())
        if (asset.path == path)
            return &asset;
    return nullptr;
}

} // namespace

const std::string_view kNewScript =
    R"(# A pendulum, to begin with. Type: what is sound takes effect at once.
param length = 1 [0.2..3];
dynamic swing;
swing = initial(60 deg, 0);

def bob mass(1); end;
def arm
  line(0, 0, 0, 0, -length, 0);
  bob translatey(-length);
end;
arm rotatez(swing);

simulate(0 sec, 6 sec);
)";

std::vector<ExampleText> list_examples()
{
    std::vector<ExampleText> out;
    for (const Asset& asset : example_assets()) {
        const bool is_script = asset.path.ends_with(kEnding);
        if (!is_script || asset.path.find('/') != asset.path.npos)
            continue;
        const std::string_view name = asset.path.substr(0, asset.path.size() - kEnding.size());
        out.push_back({.name = std::string(name),
                       .title = title_of(name),
                       .text = first_comment(asset.data),
                       .picture = picture_of(name)});
    }
    return out;
}

std::optional<std::string> find_example(const std::string& name)
{
    const Asset* asset = find_asset(name + std::string(kEnding));
    return asset ? std::optional<std::string>(asset->data) : std::nullopt;
}

ReadFile example_files()
{
    return [](const std::string& name) -> FileText {
        const Asset* asset = find_asset(fs::path(name).lexically_normal().generic_string());
        if (!asset)
            return {FileText::Status::missing};
        return {FileText::Status::ok, std::string(asset->data)};
    };
}

std::vector<std::string> list_files(const fs::path& folder)
{
    std::vector<std::string> names;
    std::error_code fault;
    for (fs::directory_iterator it(folder, fault), end; !fault && it != end; it.increment(fault)) {
        const std::string name = it->path().filename().string();
        const bool is_ours = name.ends_with(kEnding) || name.ends_with(".sinew");
        if (is_ours && !name.starts_with('.') && it->is_regular_file(fault))
            names.push_back(name);
        if (names.size() >= kMostFiles)
            break;
    }
    std::ranges::sort(names);
    return names;
}

} // namespace sinew::viewer
