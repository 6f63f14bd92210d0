#include "draft.h"

#include <cerrno>
#include <cstdio>

namespace sinew::app {

std::string make_draft(const std::string& path, const std::string& ending)
{
    constexpr int kMostTries = 100;
    std::string name = path + ending;
    for (int i = 2; i <= kMostTries; name = path + ending + std::to_string(i++))
        if (std::FILE* file = std::fopen(name.c_str(), "wbx")) { // only where there is none
            std::fclose(file);
            return name;
        } else if (errno != EEXIST) {
            break;
        }
    return "";
}

} // namespace sinew::app
