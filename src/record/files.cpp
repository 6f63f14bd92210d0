#include "record/files.h"

#include "record/database.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sinew::record {

namespace fs = std::filesystem;

namespace {

constexpr int kAttempts = 20;
constexpr unsigned kPause_us = 5000;
constexpr const char* kBeside[] = {"-wal", "-shm", "-journal"};

Problem unwritable(const std::string& name, int error)
{
    return make_problem(name, "recording-unwritable",
                        std::string("cannot be written: ") + std::strerror(error),
                        error == ENOENT   ? "is there a folder of that name?"
                        : error == ENOSPC ? "make room on the disk"
                                          : "may you write in its folder?");
}

/// Whether the name still leads to the file that is open.
bool is_same_file(const std::string& path, int file)
{
    struct stat named {};
    struct stat opened {};
    return stat(path.c_str(), &named) == 0 && fstat(file, &opened) == 0 &&
           named.st_ino == opened.st_ino && named.st_dev == opened.st_dev;
}

/// Waits until the disk has a file; false, with errno, where it could not take it.
bool sync_file(const std::string& path)
{
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const bool is_good = fsync(file) == 0;
    const int error = errno;
    close(file);
    errno = error;
    return is_good;
}

void sync_folder(const std::string& path)
{
    const int folder = open(fs::path(path).parent_path().c_str(), O_RDONLY | O_CLOEXEC);
    if (folder < 0)
        return;
    fsync(folder);
    close(folder);
}

} // namespace

// A file of its own: SQLite's locks on the recording would end when any other handle on it closes.
Result<WriterLock> WriterLock::take(const std::string& path, const std::string& name)
{
    const std::string lock_path = path + "-lock";
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        const int file = open(lock_path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (file < 0)
            return unwritable(name, errno);
        WriterLock lock;
        lock.file_ = file;
        if (struct stat opened; fstat(file, &opened) == 0 && opened.st_size > 0)
            return make_problem(name, "recording-unwritable",
                                "needs the name " + fs::path(lock_path).filename().string() +
                                    " for its lock, and there is a file of another kind there",
                                "move that file, or name another recording with --out");
        if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            usleep(kPause_us); // perhaps somebody only asks whether it is taken
            continue;
        }
        if (is_same_file(lock_path, file)) { // else its owner removed it before we had it
            lock.path_ = lock_path;
            return lock;
        }
    }
    return make_problem(name, "recording-in-use", "another run is writing it",
                        "wait for that run, or name another file with --out");
}

bool WriterLock::is_taken(const std::string& path)
{
    const int file = open((path + "-lock").c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const bool is_taken = flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    close(file);
    return is_taken;
}

WriterLock::WriterLock(WriterLock&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1))
{
    other.path_.clear();
}

WriterLock& WriterLock::operator=(WriterLock&& other) noexcept
{
    std::swap(path_, other.path_);
    std::swap(file_, other.file_);
    return *this;
}

WriterLock::~WriterLock()
{
    if (!path_.empty())
        unlink(path_.c_str());
    if (file_ >= 0)
        close(file_);
}

std::string full_path(const std::string& path)
{
    std::error_code fault;
    const fs::path full = fs::weakly_canonical(fs::absolute(path, fault), fault);
    return fault ? path : full.string();
}

bool exists(const std::string& path)
{
    struct stat status {};
    return stat(path.c_str(), &status) == 0;
}

bool has_content(const std::string& path)
{
    struct stat status {};
    return stat(path.c_str(), &status) == 0 && status.st_size > 0;
}

Problems check_kind(const std::string& path, const std::string& name)
{
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) {
        if (errno == ENOENT)
            return {};
        return {make_problem(name, "recording-unreadable",
                             std::string("cannot be read: ") + std::strerror(errno),
                             "may you read in its folder?")};
    }
    if (S_ISREG(status.st_mode))
        return {};
    return {make_problem(name, "recording-other-file",
                         S_ISDIR(status.st_mode) ? "is a folder, no recording"
                                                 : "is not a plain file, so it is not a recording",
                         "name a file")};
}

Problems replace_file(const std::string& from, const std::string& to, const std::string& name)
{
    if (!sync_file(from))
        return {unwritable(name, errno)};
    // SQLite would take a log left by the old file for one of the new.
    for (const char* ending : kBeside)
        unlink((to + ending).c_str());
    if (std::rename(from.c_str(), to.c_str()) != 0)
        return {unwritable(name, errno)};
    sync_folder(to);
    return {};
}

} // namespace sinew::record
