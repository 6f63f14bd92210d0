#pragma once

// The folder of the script: the only place where the viewer writes, and only scripts and recordings
// with plain names. Names come from the page, so nothing about them is believed.

#include "sinew/error.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace sinew::viewer {

enum class FileKind { script, recording };

/// What tells whether a file has changed: nothing when there is none.
struct FileStamp {
    std::int64_t seconds = 0, nanoseconds = 0, size = 0;
    std::uint64_t number = 0; ///< of the file on its disk

    bool operator==(const FileStamp&) const = default;
};
/// None too of a file that was written this very moment: it could be written again unnoticed.
std::optional<FileStamp> stamp_of(const std::filesystem::path& path);

/// The whole of a file, if it can be read and is not huge.
std::optional<std::string> read_text(const std::filesystem::path& path);

bool is_recording(const std::filesystem::path& path);

class Workplace {
public:
    /// The folder of a file, which may be saved whatever its ending.
    explicit Workplace(const std::filesystem::path& file);

    const std::filesystem::path& folder() const { return folder_; }
    const std::string& own_name() const { return own_name_; }

    /// The name with its ending, when a file of the kind may be written under it.
    Result<std::string> check_name(const std::string& wanted, FileKind kind) const;

    /// A name with this stem that no file has yet.
    std::string find_free_name(const std::string& stem, FileKind kind) const;

    /// Replaces the file in one moment, or leaves it as it was. Requires a checked name.
    Problems write_script(const std::string& name, const std::string& text) const;

    /// The same for what `write` makes at the path it is given.
    Problems write_recording(const std::string& name,
                             const std::function<Problems(const std::string& path)>& write) const;

private:
    std::filesystem::path folder_;
    std::string own_name_;
};

} // namespace sinew::viewer
