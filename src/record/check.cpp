// Whether a recording is whole: checksums of its tables, every frame and every snapshot read.
//
// Frames and snapshots have checksums in their blocks. What is written before the first frame has
// one when it is made, what comes with the frames has one when the run ends.

#include "record/parts.h"

#include "base/hash.h"
#include "sinew/parts.h"

namespace sinew {

using namespace record;

namespace record {

namespace {

constexpr const char* kBefore[] = {
    "SELECT key, value FROM meta WHERE key IN ('script', 'scene_fingerprint', "
    "'frame_rate', 'start', 'step', 'snapshot_interval', 'arithmetic', 'error', 'making_ms', "
    "'part', 'part_count') ORDER "
    "BY key",
    "SELECT * FROM parameters ORDER BY name",
    "SELECT * FROM imports ORDER BY name",
    "SELECT * FROM scripts ORDER BY number",
    "SELECT * FROM objects ORDER BY number",
    "SELECT * FROM drawings ORDER BY number",
    "SELECT * FROM strands ORDER BY number",
    "SELECT * FROM constraints ORDER BY number"};
constexpr const char* kWhileRunning[] = {
    "SELECT key, value FROM meta WHERE key IN ('end', 'status') ORDER BY key",
    "SELECT number, time FROM frames ORDER BY number",
    "SELECT * FROM statistics ORDER BY frame",
    "SELECT * FROM inputs ORDER BY number",
    "SELECT * FROM diagnostics ORDER BY number",
    "SELECT * FROM remarks ORDER BY number"};

bool add_rows(const Database& database, const char* sql, Hash& hash)
{
    Statement statement = database.prepare(sql);
    while (statement.next())
        statement.add_row(hash);
    return statement.is_ok();
}

} // namespace

std::optional<std::string> checksum_of(const Database& database, Checked part)
{
    Hash hash;
    bool is_ok = true;
    for (const char* sql : part == Checked::before ? std::span<const char* const>(kBefore)
                                                   : std::span<const char* const>(kWhileRunning))
        is_ok = is_ok && add_rows(database, sql, hash);
    if (!is_ok)
        return std::nullopt;
    return hash_text(hash.value());
}

bool set_checksum(const Database& database, Checked part)
{
    const std::optional<std::string> checksum = checksum_of(database, part);
    return checksum && set_meta(database, kChecksums[static_cast<int>(part)], *checksum);
}

Problems verify_checksum(const Database& database, const std::string& name, Checked part)
{
    if (version_of(database) < kWithConstraints) // these had none
        return {};
    Statement statement = database.prepare("SELECT value FROM meta WHERE key = ?");
    statement.bind(1, std::string_view(kChecksums[static_cast<int>(part)]));
    if (!statement.next()) // of an older version, or not yet at its end
        return {};
    if (checksum_of(database, part) == statement.text(0))
        return {};
    return {make_problem(name, "recording-damaged",
                         part == Checked::before
                             ? "is damaged: its script or its lists of objects are not as they "
                               "were written"
                             : "is damaged: its statistics, inputs or messages are not as they "
                               "were written",
                         "make it again with `sinew run`")};
}

} // namespace record

Problems Recording::check_scene(const Scene& scene) const
{
    const Parts& p = *parts_;
    FrameLayout wanted = layout_of(scene);
    if (version_of(p.database) < kWithConstraints)
        wanted.load_count = p.layout.load_count;
    if (p.info.part_count > 0)
        return {make_problem(p.name, "recording-part",
                             "is part " + std::to_string(p.info.part) + " of " +
                                 std::to_string(p.info.part_count) + " of a shot",
                             "`sinew join` puts the parts together")};
    if (wanted == p.layout)
        return {};
    return {make_problem(p.name, "recording-other-scene",
                         "its frames do not belong to its script: these have " +
                             describe(p.layout) + ", that makes " + describe(wanted),
                         "make it again with `sinew run`")};
}

Problems Recording::check_part(const Scene& scene, const PartPlan& plan, int part) const
{
    const Parts& p = *parts_;
    if (layout_of(cut_scene(scene, plan, part)) == p.layout)
        return {};
    return {
        make_problem(p.name, "recording-other-scene",
                     "its frames do not belong to part " + std::to_string(part) + " of its script",
                     "make it again with `sinew run --part`")};
}

Problems Recording::check(bool reads_blocks) const
{
    constexpr std::size_t kMost = 20;
    const Parts& p = *parts_;
    Problems problems = verify_checksum(p.database, p.name, Checked::while_running);
    const std::int64_t found = p.database.whole("SELECT count(*) FROM frames", 0);
    if (found < p.info.frame_count) // more: a writer is at work
        problems.push_back(
            make_problem(p.name, "recording-damaged",
                         std::to_string(p.info.frame_count - found) + " of its frames are missing",
                         "`sinew run --resume` makes them again"));
    for (std::int64_t i = 0; reads_blocks && i < p.info.frame_count && problems.size() < kMost; ++i)
        for (const Problems& more : {frame(i).problems(), statistics(i).problems()})
            problems.insert(problems.end(), more.begin(), more.end());
    if (!reads_blocks)
        return problems;
    Statement statement = p.database.prepare("SELECT frame, block FROM snapshots");
    while (problems.size() < kMost && statement.next())
        if (!unpack_bytes(statement.bytes(1)))
            problems.push_back(make_problem(p.name, "recording-damaged",
                                            "the snapshot of frame " +
                                                std::to_string(statement.whole(0)) + " is damaged",
                                            "it can still be resumed, from an earlier one"));
    return problems;
}

std::int64_t Recording::find_damage() const
{
    std::int64_t i = 0;
    while (i < info().frame_count && frame(i) && statistics(i))
        ++i;
    return i;
}

} // namespace sinew
