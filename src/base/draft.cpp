#include "base/draft.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace sinew {

std::string make_draft(const std::string& path, const std::string& ending)
{
    constexpr int kMostTries = 100;
    for (int i = 1; i <= kMostTries; ++i) {
        const std::string name = path + ending + (i == 1 ? "" : std::to_string(i));
        const int file =
            open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (file >= 0) {
            close(file);
            return name;
        }
        if (errno != EEXIST)
            return "";
    }
    return "";
}

} // namespace sinew
