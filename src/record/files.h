#pragma once

// The files of a recording: FILE.sinew; while it is written FILE.sinew-wal, -shm and -lock beside
// it.

#include "sinew/error.h"

#include <string>

namespace sinew::record {

/// The one who writes a recording holds this. The kernel lets go of it when a program ends, however
/// it ends.
class WriterLock {
public:
    WriterLock() = default;
    WriterLock(WriterLock&& other) noexcept;
    WriterLock& operator=(WriterLock&& other) noexcept;
    ~WriterLock();

    /// `name` appears in problems.
    static Result<WriterLock> take(const std::string& path, const std::string& name);

    /// Whether somebody holds the lock now.
    static bool is_taken(const std::string& path);

private:
    std::string path_;
    int file_ = -1;
};

/// The path with every link followed and from the root, as SQLite names the files beside it.
std::string full_path(const std::string& path);

/// Why nothing can be read or written at this path; none when it is a plain file, or not there.
Problems check_kind(const std::string& path, const std::string& name);

bool exists(const std::string& path);
bool has_content(const std::string& path); ///< more than no bytes

/// Puts a finished file, once the disk has it, into the place of another, and removes what belonged
/// to that one.
Problems replace_file(const std::string& from, const std::string& to, const std::string& name);

} // namespace sinew::record
