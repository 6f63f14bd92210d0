#pragma once

#include "sinew/language.h"

#include <map>
#include <string>
#include <vector>

namespace sinew::test {

/// The whole of a file of the repository, named from its root. Fails the test when it is not there.
std::string read_repository_file(const std::string& name);

void write_repository_file(const std::string& name, const std::string& text);

/// The files of a folder of the repository with this ending, sorted, named from the root.
std::vector<std::string> list_repository_files(const std::string& folder,
                                               const std::string& ending);

/// Files that exist in memory only.
ReadFile files_in_memory(std::map<std::string, std::string> files);

} // namespace sinew::test
