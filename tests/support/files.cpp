#include "support/files.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace sinew::test {

namespace fs = std::filesystem;

namespace {

fs::path path_of(const std::string& name) { return fs::path(SINEW_ROOT) / name; }

} // namespace

std::string read_repository_file(const std::string& name)
{
    std::ifstream stream(path_of(name), std::ios::binary);
    REQUIRE_MESSAGE(stream.good(), "cannot read " << name);
    return {std::istreambuf_iterator<char>(stream), {}};
}

void write_repository_file(const std::string& name, const std::string& text)
{
    std::ofstream(path_of(name), std::ios::binary) << text;
}

std::vector<std::string> list_repository_files(const std::string& folder, const std::string& ending)
{
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(path_of(folder)))
        if (entry.path().filename().string().ends_with(ending))
            names.push_back(folder + "/" + entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

ReadFile files_in_memory(std::map<std::string, std::string> files)
{
    return [files = std::move(files)](const std::string& name) -> FileText {
        const auto found = files.find(name);
        if (found == files.end())
            return {FileText::Status::missing};
        return {FileText::Status::ok, found->second};
    };
}

} // namespace sinew::test
