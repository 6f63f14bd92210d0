#pragma once

// A folder of a test's own, gone with it.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdlib.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace sinew::test {

class TemporaryFolder {
public:
    TemporaryFolder()
    {
        // In memory where that is possible: tests wait for the disk hundreds of times.
        const bool has_memory = access("/dev/shm", W_OK) == 0;
        std::string name =
            (has_memory ? "/dev/shm" : std::filesystem::temp_directory_path().string()) +
            "/sinew-test-XXXXXX";
        REQUIRE(mkdtemp(name.data()) != nullptr);
        folder = name;
    }
    ~TemporaryFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::filesystem::path operator/(const std::string& name) const { return folder / name; }
    std::string path() const { return folder.string(); }

    /// A file in it, in folders of its own where the name has some.
    void write(const std::string& name, const std::string& text) const
    {
        std::filesystem::create_directories((folder / name).parent_path());
        std::ofstream(folder / name) << text;
    }
    std::vector<std::string> files() const
    {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            names.push_back(entry.path().filename().string());
        std::sort(names.begin(), names.end());
        return names;
    }

    std::filesystem::path folder;
};

} // namespace sinew::test
