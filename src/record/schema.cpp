// The tables, how they are made, and how a stranger's are recognised.

#include "record/schema.h"

#include "base/arithmetic.h"
#include "sinew/frame.h"
#include "sinew/names.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace sinew::record {

namespace {

/// A table as it is in formats `since` to `until`.
struct Table {
    const char *name, *sql;
    std::int64_t since = kFirstFormat, until = kSchemaVersion;

    bool is_in(std::int64_t format) const { return format >= since && format <= until; }
};

// What people ask for stands in columns of its own; what only a program can use is one block.
constexpr Table kTables[] = {
    {"meta", "CREATE TABLE meta (key TEXT PRIMARY KEY, value)"},
    {"parameters", "CREATE TABLE parameters (name TEXT PRIMARY KEY, value TEXT)"},
    {"imports", "CREATE TABLE imports (name TEXT PRIMARY KEY, library TEXT)"},
    {"scripts", "CREATE TABLE scripts (number INTEGER PRIMARY KEY, name TEXT, text TEXT)"},
    {"objects", "CREATE TABLE objects (number INTEGER PRIMARY KEY, name TEXT, parent INTEGER)"},
    {"drawings", "CREATE TABLE drawings (number INTEGER PRIMARY KEY, kind TEXT, object INTEGER, "
                 "first_point INTEGER, point_count INTEGER)"},
    {"strands",
     "CREATE TABLE strands (number INTEGER PRIMARY KEY, name TEXT, object INTEGER, "
     "first_node INTEGER, node_count INTEGER)",
     kWithStrands, kWithSections - 1},
    {"strands",
     "CREATE TABLE strands (number INTEGER PRIMARY KEY, name TEXT, object INTEGER, "
     "first_node INTEGER, node_count INTEGER, is_rod INTEGER)",
     kWithSections},
    {"constraints",
     "CREATE TABLE constraints (number INTEGER PRIMARY KEY, name TEXT, a INTEGER, b INTEGER, "
     "file TEXT, line INTEGER)",
     kWithConstraints},
    {"frames", "CREATE TABLE frames (number INTEGER PRIMARY KEY, time REAL, block BLOB)"},
    {"statistics",
     "CREATE TABLE statistics (frame INTEGER PRIMARY KEY, steps INTEGER, rejected INTEGER, "
     "implicit_steps INTEGER, rows INTEGER, iterations INTEGER, residual REAL, converged INTEGER, "
     "kinetic REAL, potential REAL, elapsed_ms REAL, state_hash TEXT)",
     kFirstFormat, kWithStrands - 1},
    {"statistics",
     "CREATE TABLE statistics (frame INTEGER PRIMARY KEY, steps INTEGER, rejected INTEGER, "
     "implicit_steps INTEGER, rows INTEGER, iterations INTEGER, residual REAL, converged INTEGER, "
     "kinetic REAL, potential REAL, elapsed_ms REAL, state_hash TEXT, stages INTEGER, "
     "solves INTEGER, worst_solves INTEGER)",
     kWithStrands, kRounded - 1},
    {"statistics",
     "CREATE TABLE statistics (frame INTEGER PRIMARY KEY, steps INTEGER, rejected INTEGER, "
     "implicit_steps INTEGER, rows INTEGER, iterations INTEGER, residual REAL, converged INTEGER, "
     "kinetic REAL, potential REAL, elapsed_ms REAL, state_hash TEXT, stages INTEGER, "
     "solves INTEGER, worst_solves INTEGER, taking_ms REAL, writing_ms REAL)",
     kRounded, kWithContacts - 1},
    {"statistics",
     "CREATE TABLE statistics (frame INTEGER PRIMARY KEY, steps INTEGER, rejected INTEGER, "
     "implicit_steps INTEGER, rows INTEGER, iterations INTEGER, residual REAL, converged INTEGER, "
     "kinetic REAL, potential REAL, elapsed_ms REAL, state_hash TEXT, stages INTEGER, "
     "solves INTEGER, worst_solves INTEGER, taking_ms REAL, writing_ms REAL, contact_error REAL, "
     "theta REAL)",
     kWithContacts},
    {"contacts",
     "CREATE TABLE contacts (number INTEGER PRIMARY KEY, frame INTEGER, time REAL, kind TEXT, "
     "a INTEGER, b INTEGER, x REAL, y REAL, z REAL, normal_x REAL, normal_y REAL, normal_z REAL, "
     "speed REAL, impulse REAL, slip REAL)",
     kWithContacts},
    {"snapshots", "CREATE TABLE snapshots (frame INTEGER PRIMARY KEY, block BLOB)"},
    {"inputs",
     "CREATE TABLE inputs (number INTEGER PRIMARY KEY, frame INTEGER, kind TEXT, "
     "name TEXT, x REAL, y REAL, z REAL, value REAL)",
     kFirstFormat, kWithStrands - 1},
    {"inputs",
     "CREATE TABLE inputs (number INTEGER PRIMARY KEY, frame INTEGER, kind TEXT, "
     "name TEXT, x REAL, y REAL, z REAL, value REAL, point_x REAL, point_y REAL, "
     "point_z REAL)",
     kWithStrands},
    {"diagnostics",
     "CREATE TABLE diagnostics (number INTEGER PRIMARY KEY, frame INTEGER, severity TEXT, "
     "code TEXT, file TEXT, line INTEGER, col INTEGER, length INTEGER, what TEXT, hint TEXT, "
     "source_line TEXT)"},
    {"remarks", "CREATE TABLE remarks (number INTEGER PRIMARY KEY, diagnostic INTEGER, file TEXT, "
                "line INTEGER, col INTEGER, length INTEGER, what TEXT)"},
};

const char* kind_name(DrawingKind kind)
{
    constexpr const char* kNames[] = {"line", "polygon", "path", "probe"};
    return kNames[static_cast<int>(kind)];
}

bool write_tables(const Database& database)
{
    bool is_ok = true;
    for (const Table& table : kTables)
        is_ok = is_ok && (!table.is_in(kSchemaVersion) || database.run(table.sql));
    return is_ok;
}

bool write_info(const Database& database, const RecordingInfo& info)
{
    bool is_ok = set_meta(database, "script", info.script_name) &&
                 set_meta(database, "version", info.version) &&
                 set_meta(database, "scene_fingerprint", hash_text(info.scene_fingerprint)) &&
                 set_meta(database, "frame_rate", info.frame_rate) &&
                 set_meta(database, "start", info.start) && set_meta(database, "end", info.end) &&
                 set_meta(database, "step", info.step) &&
                 set_meta(database, "snapshot_interval", info.snapshot_interval) &&
                 set_meta(database, "error", info.error) &&
                 set_meta(database, "making_ms", info.making_ms) &&
                 set_meta(database, "arithmetic", hash_text(arithmetic_hash())) &&
                 set_meta(database, "machine", machine_text()) &&
                 (info.part_count == 0 || (set_meta(database, "part", info.part) &&
                                           set_meta(database, "part_count", info.part_count))) &&
                 set_meta(database, "status", "running");
    for (const auto& [name, value] : info.parameters)
        is_ok = is_ok && database.prepare("INSERT INTO parameters VALUES (?, ?)")
                             .bind(1, name)
                             .bind(2, value)
                             .run();
    for (const auto& [name, library] : info.imports)
        is_ok = is_ok && database.prepare("INSERT INTO imports VALUES (?, ?)")
                             .bind(1, name)
                             .bind(2, library)
                             .run();
    return is_ok;
}

/// Strands, then rods: all that has nodes.
bool write_strands(const Database& database, const Scene& scene)
{
    const std::vector<std::string> names = strand_names(scene);
    bool is_ok = true;
    std::int64_t first = 0;
    Statement insert = database.prepare("INSERT INTO strands VALUES (?, ?, ?, ?, ?, ?)");
    for (std::size_t i = 0; i < scene.strands.size(); ++i) {
        const StrandCurve& curve = scene.strands[i];
        const auto count = std::int64_t(curve.segments) + 1;
        is_ok = is_ok && insert.bind(1, std::int64_t(i))
                             .bind(2, names[i])
                             .bind(3, std::int64_t(curve.tree.index))
                             .bind(4, first)
                             .bind(5, count)
                             .bind(6, std::int64_t(0))
                             .run();
        first += count;
    }
    const std::vector<std::string> rods = rod_names(scene);
    for (std::size_t i = 0; i < scene.rods.size(); ++i) {
        const auto count = std::int64_t(scene.rods[i].spans) + 1;
        is_ok = is_ok && insert.bind(1, std::int64_t(scene.strands.size() + i))
                             .bind(2, rods[i])
                             .bind(3, std::int64_t(scene.rods[i].object.index))
                             .bind(4, first)
                             .bind(5, count)
                             .bind(6, std::int64_t(1))
                             .run();
        first += count;
    }
    return is_ok;
}

/// Those of strands, then those of rods: all that have loads.
bool write_constraints(const Database& database, const Scene& scene)
{
    const std::vector<std::string> names = constraint_names(scene);
    bool is_ok = true;
    std::size_t number = 0;
    const auto write = [&](ObjectId a, ObjectId b, Origin origin) {
        const Place place = place_of(scene, origin);
        Statement statement = database.prepare("INSERT INTO constraints VALUES (?, ?, ?, ?, ?, ?)");
        statement.bind(1, std::int64_t(number))
            .bind(2, names[number])
            .bind(3, std::int64_t(a.index))
            .bind(5, place.file)
            .bind(6, place.line);
        if (b.is_valid())
            statement.bind(4, std::int64_t(b.index));
        is_ok = is_ok && statement.run();
        ++number;
    };
    for (const StrandConstraint& c : scene.strand_constraints)
        write(c.a, c.b, c.origin);
    for (const RodConstraint& c : scene.rod_constraints)
        write(c.a, c.b, c.origin);
    return is_ok;
}

bool write_scene(const Database& database, const Scene& scene)
{
    bool is_ok = true;
    std::int64_t number = 0;
    for (const auto* list : {&scene.files, &scene.assets})
        for (const SourceFile& file : *list)
            is_ok = is_ok && database.prepare("INSERT INTO scripts VALUES (?, ?, ?)")
                                 .bind(1, number++)
                                 .bind(2, file.name)
                                 .bind(3, *file.text)
                                 .run();
    const std::vector<std::string> names = object_paths(scene);
    Statement statement = database.prepare("INSERT INTO objects VALUES (?, ?, ?)");
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        statement.bind(1, std::int64_t(i)).bind(2, names[i]);
        if (scene.objects[i].parent.is_valid())
            statement.bind(3, std::int64_t(scene.objects[i].parent.index));
        is_ok = is_ok && statement.run();
    }
    std::int64_t first = 0;
    Statement insert = database.prepare("INSERT INTO drawings VALUES (?, ?, ?, ?, ?)");
    for (std::size_t i = 0; i < scene.drawings.size(); ++i) {
        const Drawing& drawing = scene.drawings[i];
        const auto count = std::int64_t(drawing_point_count(scene, drawing));
        is_ok = is_ok && insert.bind(1, std::int64_t(i))
                             .bind(2, kind_name(drawing.kind))
                             .bind(3, std::int64_t(drawing.object.index))
                             .bind(4, first)
                             .bind(5, count)
                             .run();
        first += count;
    }
    return is_ok && write_strands(database, scene) && write_constraints(database, scene);
}

} // namespace

Problems write_schema(const Database& database, const Scene& scene, const RecordingInfo& info)
{
    const std::string identity = "PRAGMA application_id = " + std::to_string(kApplication);
    const std::string version = "PRAGMA user_version = " + std::to_string(kSchemaVersion);
    if (database.run("BEGIN IMMEDIATE") && database.run(identity.c_str()) &&
        database.run(version.c_str()) && write_tables(database) && write_info(database, info) &&
        write_scene(database, scene) && set_checksum(database, Checked::before) &&
        database.run("COMMIT"))
        return {};
    const Problem problem = database.write_problem();
    database.roll_back();
    return {problem};
}

Problems check_schema(const Database& database, const std::string& name)
{
    if (!database.is_open())
        return {database.read_problem()};
    const std::int64_t application = database.whole("PRAGMA application_id", -1);
    if (application < 0)
        return {database.read_problem()};
    if (application != kApplication)
        return {make_problem(name, "recording-other-file",
                             "is an SQLite file of another program, no recording",
                             "`sinew run SCRIPT` makes one")};
    const std::int64_t version = database.whole("PRAGMA user_version", -1);
    if (version < kFirstFormat || version > kSchemaVersion)
        return {make_problem(
            name, "recording-version",
            "is a recording of format " + std::to_string(version) +
                "; this version of Sinew reads format " + std::to_string(kSchemaVersion),
            version > kSchemaVersion ? "a newer version of Sinew made it: use that"
                                     : "remove it and make it again with `sinew run`")};
    for (const Table& table : kTables) {
        if (!table.is_in(version))
            continue;
        Statement statement = database.prepare(
            "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? AND sql = ?");
        statement.bind(1, table.name).bind(2, table.sql);
        if (statement.next())
            continue;
        if (!statement.is_ok())
            return {database.read_problem()};
        return {make_problem(name, "recording-damaged",
                             std::string("is damaged: its table '") + table.name +
                                 "' is not as it should be",
                             "remove it and make it again with `sinew run`")};
    }
    return {};
}

std::int64_t version_of(const Database& database)
{
    return database.whole("PRAGMA user_version", -1);
}

FrameLayout layout_of(const Scene& scene)
{
    FrameLayout layout{.object_count = scene.objects.size()};
    for (const Drawing& drawing : scene.drawings)
        layout.point_count += drawing_point_count(scene, drawing);
    for (const StrandCurve& curve : scene.strands) {
        layout.node_count += curve.segments + std::size_t{1};
        layout.segment_count += curve.segments;
    }
    for (const Rod& rod : scene.rods) {
        layout.node_count += rod.spans + std::size_t{1};
        layout.segment_count += rod.spans;
        layout.section_count += rod.spans + std::size_t{1};
    }
    layout.load_count = scene.strand_constraints.size() + scene.rod_constraints.size();
    return layout;
}

std::string describe(const FrameLayout& layout)
{
    return std::to_string(layout.object_count) + " objects, " + std::to_string(layout.point_count) +
           " drawn points, " + std::to_string(layout.node_count) + " nodes and " +
           std::to_string(layout.load_count) + " constraints";
}

std::string hash_text(std::uint64_t hash)
{
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

std::uint64_t hash_of(const std::string& text)
{
    std::uint64_t hash = 0;
    std::from_chars(text.data(), text.data() + text.size(), hash, 16);
    return hash;
}

bool set_meta(const Database& database, std::string_view key, std::string_view value)
{
    return database.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)")
        .bind(1, key)
        .bind(2, value)
        .run();
}

bool set_meta(const Database& database, std::string_view key, double value)
{
    return database.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)")
        .bind(1, key)
        .bind(2, value)
        .run();
}

} // namespace sinew::record
