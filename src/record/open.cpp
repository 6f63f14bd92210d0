// How recordings come to be: made beside the old one and put into its place, or opened.

#include "record/parts.h"

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
    return {make_problem(name, "recording-other-file", "is no recording, and is not replaced",
                         "name another file with --out, or remove this one")};
}

Problems write_new_file(const std::string& path, const std::string& name, const Scene& scene,
                        const RecordingInfo& info)
{
    for (const char* ending : {"", "-journal"})
        unlink((path + ending).c_str()); // of a run that was killed at this point
    const Database database(path, name, Database::Access::create);
    if (!database.is_open())
        return {database.write_problem()};
    database.run("PRAGMA synchronous = FULL");
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
                            "the scene has more objects and drawn points than a recording holds",
                            "make it smaller");
    if (Problems problems = check_replaceable(full, path); !problems.empty())
        return problems;
    Result<WriterLock> lock = WriterLock::take(full, path);
    if (!lock)
        return lock.problems();
    const std::string beside = full + ".new";
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
