#include "farm/shared_files.h"

#include "sinew/disks.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

namespace sinew::app {

namespace {

Problem unwritable(const std::string& path, int error)
{
    return {.code = "unwritable-file",
            .place = {.file = path},
            .what = fmt::format("cannot be written: {}", std::strerror(error)),
            .hint = error == ENOSPC || error == EDQUOT ? "make room on the disk, then repeat"
                                                       : "may you write in its folder?"};
}

bool write_all(int file, const char* at, std::size_t size)
{
    while (size > 0) {
        const ssize_t written = ::write(file, at, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        at += written;
        size -= std::size_t(written);
    }
    return true;
}

/// Calls `fill` with a new file beside `path`, then puts that into its place.
template <class Fill>
Problems replace_whole(const std::string& path, Fill fill)
{
    char host[64] = "";
    gethostname(host, sizeof host - 1); // several machines may write the same file at once
    const std::string beside = fmt::format("{}.{}.{}.new", path, host, getpid());
    const int file = open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
        return {unwritable(path, errno)};
    bool is_good = fill(file) && fsync(file) == 0;
    int error = errno;
    is_good = close(file) == 0 && is_good;
    if (is_good && std::rename(beside.c_str(), path.c_str()) == 0)
        return {};
    error = is_good ? errno : error;
    unlink(beside.c_str());
    return {unwritable(path, error)};
}

} // namespace

Problems write_whole(const std::string& path, std::string_view text)
{
    return replace_whole(path, [&](int file) { return write_all(file, text.data(), text.size()); });
}

Problems copy_whole(const std::string& from, const std::string& to)
{
    const int source = open(from.c_str(), O_RDONLY | O_CLOEXEC);
    if (source < 0)
        return {{.code = "unreadable-file",
                 .place = {.file = from},
                 .what = fmt::format("cannot be read: {}", std::strerror(errno)),
                 .hint = ""}};
    Problems problems = replace_whole(to, [&](int file) {
        std::vector<char> bytes(std::size_t{1} << 20);
        ssize_t count = 0;
        while ((count = ::read(source, bytes.data(), bytes.size())) > 0)
            if (!write_all(file, bytes.data(), std::size_t(count)))
                return false;
        return count == 0;
    });
    close(source);
    return problems;
}

std::string scratch_folder(const std::string& wish, const std::string& target)
{
    if (!wish.empty() || !is_on_network(target))
        return wish;
    const char* folder = std::getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

} // namespace sinew::app
