// Whether a recording is whole: checksums of its tables, every frame and every snapshot read.
//
// Frames and snapshots have checksums in their blocks. What is written before the first frame has
// one when it is made, what comes with the frames has one when the run ends.

#include "record/parts.h"

#include "base/hash.h"
#include "sinew/part_objects.h"

#include <algorithm>

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
    if (part == Checked::while_running && version_of(database) >= kWithContacts)
        is_ok = is_ok && add_rows(database, "SELECT * FROM contacts ORDER BY number", hash);
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
    const std::optional<std::string> found = checksum_of(database, part);
    if (!found) // nothing is known of what cannot be read
        return {database.read_problem()};
    if (*found == statement.text(0))
        return {};
    return {make_problem(name, "recording-damaged",
                         part == Checked::before
                             ? "is damaged: its script or its lists of objects are not as they "
                               "were written"
                             : "is damaged: its statistics, inputs or messages are not as they "
                               "were written",
                         part == Checked::before ? "make it again with `sinew run`"
                                                 : "`sinew run --resume` makes it again")};
}

} // namespace record

Problems Recording::check_scene(const Scene& scene) const
{
    const Parts& p = *parts_;
    FrameLayout wanted = layout_of(scene);
    if (version_of(p.database) < kWithConstraints)
        wanted.load_count = p.layout.load_count;
    if (version_of(p.database) < kWithSections)
        wanted.section_count = 0;
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
    FrameLayout wanted = layout_of(scene);
    wanted.object_count = objects_of_part(scene, plan, part).size();
    for (std::size_t i = 0; i < scene.strands.size(); ++i)
        if (plan.part_of[i] != 0 && plan.part_of[i] != std::uint32_t(part)) {
            wanted.node_count -= scene.strands[i].segments + std::size_t{1};
            wanted.segment_count -= scene.strands[i].segments;
        }
    for (std::size_t i = 0; i < scene.rods.size(); ++i)
        if (plan.part_of_rod[i] != 0 && plan.part_of_rod[i] != std::uint32_t(part)) {
            wanted.node_count -= scene.rods[i].spans + std::size_t{1};
            wanted.segment_count -= scene.rods[i].spans;
            wanted.section_count -= scene.rods[i].spans + std::size_t{1};
        }
    for (const std::uint32_t rod : rods_of_constraints(scene))
        if (plan.part_of_rod[rod] != 0 && plan.part_of_rod[rod] != std::uint32_t(part))
            --wanted.load_count;
    if (wanted == p.layout)
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
        if (!unpack_snapshot(statement.bytes(1)))
            problems.push_back(make_problem(p.name, "recording-damaged",
                                            "the snapshot of frame " +
                                                std::to_string(statement.whole(0)) + " is damaged",
                                            "`sinew run --resume` makes it again"));
    return problems;
}

std::int64_t Recording::find_damage() const
{
    const Parts& p = *parts_;
    const std::int64_t count = p.info.frame_count;
    if (!verify_checksum(p.database, p.name, Checked::while_running).empty())
        return 0; // nothing says where
    std::int64_t i = 0;
    while (i < count && frame(i) && statistics(i))
        ++i;
    Statement statement = p.database.prepare("SELECT frame, block FROM snapshots");
    while (statement.next())
        if (!unpack_snapshot(statement.bytes(1)))
            i = std::min(i, std::clamp<std::int64_t>(statement.whole(0), 0,
                                                     std::max<std::int64_t>(count - 1, 0)));
    return i;
}

} // namespace sinew
