#include "imports.h"

#include "sinew/import.h"

#include <dlfcn.h>
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace sinew::app {

namespace {

namespace fs = std::filesystem;
using Wish = std::pair<const std::string, std::string>;

Problem problem_of(const Wish& wish, const char* code, std::string what, std::string hint)
{
    return {.code = code,
            .place = {.file = fmt::format("--import {}={}", wish.first, wish.second)},
            .what = std::move(what),
            .hint = std::move(hint)};
}

std::string line_at(const std::string& text, std::size_t offset)
{
    const std::size_t before = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    return text.substr(begin, text.find('\n', offset) - begin);
}

/// Imports without a library and libraries without an import.
Problems match_names(const Scene& scene, const std::map<std::string, std::string>& wishes)
{
    Problems problems;
    std::string names;
    for (const Import& import : scene.imports) {
        names += (names.empty() ? "" : ", ") + import.name;
        if (wishes.contains(import.name))
            continue;
        Problem problem{.code = "import-unbound",
                        .place = place_of(scene, import.origin),
                        .what = fmt::format("nothing is bound to the import '{}'", import.name),
                        .hint = fmt::format("start the run with --import {}=LIBRARY", import.name)};
        if (import.origin.file < scene.files.size())
            problem.source_line =
                line_at(*scene.files[import.origin.file].text, import.origin.offset);
        problems.push_back(problem);
    }
    for (const Wish& wish : wishes) {
        const bool is_known =
            std::any_of(scene.imports.begin(), scene.imports.end(),
                        [&](const Import& import) { return import.name == wish.first; });
        if (!is_known)
            problems.push_back(problem_of(wish, "import-unknown",
                                          fmt::format("the script has no import '{}'", wish.first),
                                          names.empty() ? "it imports nothing: leave the option out"
                                                        : "its imports are " + names));
    }
    return problems;
}

/// The file's name and a hash (FNV-1a) of what is in it.
std::string identity_of(const fs::path& path)
{
    std::ifstream stream(path, std::ios::binary);
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (std::istreambuf_iterator<char> at(stream), end; at != end; ++at)
        hash = (hash ^ static_cast<unsigned char>(*at)) * 0x100000001b3u;
    return fmt::format("{} ({:016x})", path.filename().string(), hash);
}

/// The function of a wish; its library stays loaded.
Result<SinewImportFunction> load_function(const Wish& wish)
{
    std::error_code fault;
    const auto& [name, library] = wish;
    if (!fs::is_regular_file(library, fault))
        return problem_of(wish, "import-file", "there is no such file",
                          "name the shared library, with its folder");
    // By its full path: a bare name would be looked for among the libraries of the system.
    void* handle = dlopen(fs::absolute(library, fault).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char* reason = dlerror();
        return problem_of(wish, "import-file",
                          fmt::format("cannot be loaded: {}", reason ? reason : "no reason given"),
                          "build it with `cc -shared -fPIC`");
    }
    const auto version = reinterpret_cast<int (*)()>(dlsym(handle, "sinew_import_version"));
    if (!version)
        return problem_of(wish, "import-symbol",
                          "is not a library of imports: it has no symbol 'sinew_import_version'",
                          "write SINEW_IMPORT_LIBRARY in it, from sinew/import.h");
    if (version() != SINEW_IMPORT_VERSION)
        return problem_of(wish, "import-version",
                          fmt::format("was made for version {} of sinew/import.h, this is {}",
                                      version(), SINEW_IMPORT_VERSION),
                          "build it again with the header of this version");
    const std::string symbol = "sinew_import_" + name;
    if (void* found = dlsym(handle, symbol.c_str()))
        return reinterpret_cast<SinewImportFunction>(found);
    return problem_of(wish, "import-symbol", fmt::format("has no symbol '{}'", symbol),
                      fmt::format("define the function with SINEW_IMPORT({})", name));
}

/// The names of the coordinates as C wants them; they must stay where they are.
struct Names {
    std::vector<std::string> texts;
    std::vector<const char*> pointers;
};

std::shared_ptr<const Names> names_of(const Scene& scene)
{
    auto names = std::make_shared<Names>();
    for (const Coordinate& coordinate : scene.coordinates)
        names->texts.push_back(coordinate.name);
    for (const std::string& text : names->texts)
        names->pointers.push_back(text.c_str());
    return names;
}

ImportFunction wrap(SinewImportFunction function, std::shared_ptr<const Names> names)
{
    return [function, names = std::move(names)](const ImportInput& input) -> ImportValue {
        const SinewImportInput plain{
            .time = input.time,
            .coordinate_count =
                std::min({input.coordinates.size(), input.rates.size(), names->pointers.size()}),
            .names = names->pointers.data(),
            .coordinates = input.coordinates.data(),
            .rates = input.rates.data()};
        SinewImportOutput output{};
        if (function(&plain, &output) != 0)
            return {.value = std::numeric_limits<double>::quiet_NaN()};
        ImportValue value{.value = output.value};
        if (output.known_derivatives >= 1)
            value.first = output.first;
        if (output.known_derivatives >= 2)
            value.second = output.second;
        return value;
    };
}

} // namespace

Result<BoundImports> bind_imports(const Scene& scene,
                                  const std::map<std::string, std::string>& wishes)
{
    if (Problems problems = match_names(scene, wishes); !problems.empty())
        return problems;
    BoundImports bound;
    Problems problems;
    const std::shared_ptr<const Names> names = names_of(scene);
    for (const Wish& wish : wishes) {
        const Result<SinewImportFunction> function = load_function(wish);
        if (!function) {
            problems.insert(problems.end(), function.problems().begin(), function.problems().end());
            continue;
        }
        bound.functions[wish.first] = wrap(*function, names);
        bound.libraries[wish.first] = identity_of(wish.second);
    }
    if (!problems.empty())
        return problems;
    return bound;
}

} // namespace sinew::app
