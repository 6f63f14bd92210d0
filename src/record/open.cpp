// How recordings come to be: made beside the old one and put into its place, or opened.

#include "base/draft.h"
#include "record/parts.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace sinew {

using namespace record;

namespace {

/// Why a file must not be replaced: it is no recording, so somebody wants it for something else.
Problems check_replaceable(const std::string& path, const std::string& name)
{
    if (Problems problems = check_kind(path, name); !problems.empty() || !has_content(path))
        return problems;
    const Database old(path, name, Database::Access::read);
    if (old.whole("PRAGMA application_id", -1) == kApplication)
        return {};
    return {make_problem(name, "recording-other-file", "is not a recording, and is not replaced",
                         "name another file with --out, or remove this one")};
}

/// What a run that was killed while it made a recording has left: an SQLite file of ours, or
/// nothing yet.
bool is_left_over(const std::string& path)
{
    constexpr std::size_t kIdentity = 68; // where SQLite keeps the application's number
    std::error_code fault;
    if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(path, fault)))
        return false;
    std::ifstream file(path, std::ios::binary);
    unsigned char head[kIdentity + 4] = {};
    file.read(reinterpret_cast<char*>(head), sizeof head);
    std::int64_t identity = 0;
    for (std::size_t i = kIdentity; i < sizeof head; ++i)
        identity = identity << 8 | head[i];
    return file.gcount() == 0 || identity == kApplication;
}

Problems write_new_file(const std::string& path, const std::string& name, const Scene& scene,
                        const RecordingInfo& info)
{
    const Database database(path, name, Database::Access::create);
    if (!database.is_open())
        return {database.write_problem()};
    // A file beside the old one is thrown away if it is not finished: no journal, and the disk is
    // waited for once, before it gets its name.
    database.run("PRAGMA journal_mode = MEMORY");
    database.run("PRAGMA synchronous = OFF");
    Problems problems = write_schema(database, scene, info);
    if (!problems.empty())
        unlink(path.c_str());
    return problems;
}

} // namespace

Result<Recording> Recording::create(const std::string& path, const Scene& scene,
                                    const RecordingInfo& info)
{
    const std::string full = full_path(path);
    if (!layout_of(scene).is_possible())
        return make_problem(path, "recording-too-large",
                            "the scene has more objects, drawn points and nodes of strands than a "
                            "recording holds",
                            "make it smaller; parts of a shot are exported each for itself");
    if (Problems problems = check_replaceable(full, path); !problems.empty())
        return problems;
    Result<WriterLock> lock = WriterLock::take(full, path);
    if (!lock)
        return lock.problems();
    if (is_left_over(full + ".new"))
        for (const char* ending : {".new", ".new-journal"})
            unlink((full + ending).c_str());
    const std::string beside = make_draft(full, ".new");
    if (beside.empty())
        return make_problem(path, "recording-unwritable",
                            std::string("cannot be written: ") + std::strerror(errno),
                            "name a file in a folder that exists and may be written to");
    if (Problems problems = write_new_file(beside, path, scene, info); !problems.empty())
        return problems;
    if (Problems problems = replace_file(beside, full, path); !problems.empty()) {
        unlink(beside.c_str());
        return problems;
    }
    return Parts::open(full, path, Access::write, std::move(*lock));
}

Result<Recording> Recording::open(const std::string& path, Access access)
{
    const std::string full = full_path(path);
    if (Problems problems = check_kind(full, path); !problems.empty())
        return problems;
    if (!exists(full))
        return make_problem(path, "recording-missing", "there is no such file",
                            "`sinew run SCRIPT` makes a recording");
    if (access == Access::read)
        return Parts::open(full, path, access, {});
    Result<WriterLock> lock = WriterLock::take(full, path);
    if (!lock)
        return lock.problems();
    return Parts::open(full, path, access, std::move(*lock));
}

Result<Recording> Recording::Parts::open(const std::string& full, const std::string& name,
                                         Access access, WriterLock lock)
{
    const auto how = access == Access::write ? Database::Access::write : Database::Access::read;
    auto parts =
        std::make_unique<Parts>(full, name, access, std::move(lock), Database(full, name, how));
    if (Problems problems = check_schema(parts->database, name); !problems.empty())
        return problems;
    if (const std::int64_t version = version_of(parts->database);
        access == Access::write && version < kSchemaVersion)
        return make_problem(name, "recording-version",
                            "is a recording of format " + std::to_string(version) +
                                ": it can be read, but not continued",
                            "remove it and make it again with `sinew run`");
    if (Problems problems = verify_checksum(parts->database, name, Checked::before);
        !problems.empty())
        return problems;
    Recording recording(std::move(parts));
    Parts& p = *recording.parts_;
    if (Problems problems = recording.update_info(); !problems.empty())
        return problems;
    const Result<FrameLayout> layout = read_layout(p.database, name);
    if (!layout)
        return layout.problems();
    p.layout = *layout;
    p.reader = p.writer = FrameCoder(p.layout, make_quanta(p.info.error));
    if (access == Access::read)
        return recording;
    if (Problems problems = p.remember_diagnostics(); !problems.empty())
        return problems;
    p.find_log();
    return recording;
}

bool Recording::is_being_written() const { return WriterLock::is_taken(parts_->path); }

Problems Recording::update_info()
{
    // One look at one instant: a writer may be at work between two questions.
    Parts& p = *parts_;
    const bool is_open = p.database.run("BEGIN");
    Result<RecordingInfo> info =
        is_open ? read_info(p.database, p.name) : Result<RecordingInfo>(p.database.read_problem());
    p.database.roll_back();
    if (info)
        p.info = std::move(*info);
    return info.problems();
}

} // namespace sinew
