// What a file says about itself. Every number is a claim, checked before it is used.

#include "record/schema.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::record {

namespace {

constexpr double kMostFrames = 1e12;

constexpr const char* kSeverities[] = {"error", "warning", "note"};

Severity severity_of(const std::string& name)
{
    return name == "warning" ? Severity::warning
           : name == "note"  ? Severity::note
                             : Severity::error;
}

/// A place that can be shown, whatever the four columns from `column` on hold.
Place read_place(const Statement& statement, int column)
{
    Place place{.file = statement.text(column)};
    const int line = statement.small(column + 1);
    if (line > 0) {
        place.line = line;
        place.column = std::max(1, statement.small(column + 2));
        place.length = std::max(1, statement.small(column + 3));
    }
    return place;
}

std::string text_of(const Database& database, const char* key)
{
    Statement statement = database.prepare("SELECT value FROM meta WHERE key = ?");
    statement.bind(1, std::string_view(key));
    return statement.next() ? statement.text(0) : "";
}

double number_of(const Database& database, const char* key)
{
    Statement statement = database.prepare("SELECT value FROM meta WHERE key = ?");
    statement.bind(1, std::string_view(key));
    return statement.next() ? statement.number(0) : std::numeric_limits<double>::quiet_NaN();
}

bool read_map(const Database& database, const char* sql, std::map<std::string, std::string>& map)
{
    Statement statement = database.prepare(sql);
    while (statement.next())
        map[statement.text(0)] = statement.text(1);
    return statement.is_ok();
}

/// The fact when a number cannot be true; empty when all can.
std::string find_nonsense(const RecordingInfo& info)
{
    if (!(std::isfinite(info.frame_rate) && info.frame_rate > 0))
        return "its frame rate is not a positive number";
    if (!(std::isfinite(info.start) && std::isfinite(info.end) && info.end >= info.start))
        return "its start and end are not two times in order";
    if (!(std::isfinite(info.step) && info.step > 0))
        return "its step is not a positive number";
    if (!(info.error >= 0 && info.error < 1))
        return "its error is not a length";
    if (info.frame_count < 0 || double(info.frame_count) > kMostFrames)
        return "its frames are not numbered from 0";
    return "";
}

std::vector<Remark> read_remarks(const Database& database, std::int64_t diagnostic)
{
    std::vector<Remark> remarks;
    Statement statement = database.prepare(
        "SELECT file, line, col, length, what FROM remarks WHERE diagnostic = ? ORDER BY number");
    statement.bind(1, diagnostic);
    while (statement.next())
        remarks.push_back({.place = read_place(statement, 0), .what = statement.text(4)});
    return remarks;
}

} // namespace

Result<RecordingInfo> read_info(const Database& database, const std::string& name)
{
    RecordingInfo info;
    info.script_name = text_of(database, "script");
    info.version = text_of(database, "version");
    info.scene_fingerprint = hash_of(text_of(database, "scene_fingerprint"));
    info.frame_rate = number_of(database, "frame_rate");
    info.start = number_of(database, "start");
    info.end = number_of(database, "end");
    info.step = number_of(database, "step");
    const double interval = number_of(database, "snapshot_interval");
    info.snapshot_interval = interval >= 1 && interval < 1e9 ? static_cast<int>(interval) : 1;
    if (version_of(database) >= kRounded) {
        info.error = number_of(database, "error");
        info.making_ms = number_of(database, "making_ms");
        const double part = number_of(database, "part"), count = number_of(database, "part_count");
        if (part >= 1 && part <= count && count < 1e6) {
            info.part = static_cast<int>(part);
            info.part_count = static_cast<int>(count);
        }
    }
    if (!read_map(database, "SELECT name, value FROM parameters", info.parameters) ||
        !read_map(database, "SELECT name, library FROM imports", info.imports))
        return database.read_problem();

    // Frames and statistics are written together: they end together, or the file is torn.
    info.frame_count = database.whole("SELECT max(number) + 1 FROM frames", -1);
    if (info.frame_count < 0)
        return database.read_problem();
    std::string fact = find_nonsense(info);
    // Some may be missing; a number that stands alone is not believed.
    if (const std::int64_t found = database.whole("SELECT count(*) FROM frames", 0);
        info.frame_count > 2 * found + 1000)
        fact = "its frames are not numbered from 0";
    if (fact.empty() &&
        database.whole("SELECT max(frame) + 1 FROM statistics", -1) != info.frame_count)
        fact = "frames and statistics do not belong together";
    if (!fact.empty())
        return make_problem(name, "recording-damaged", "is damaged: " + fact,
                            "remove it and make it again with `sinew run`");

    const std::string status = text_of(database, "status");
    info.is_complete = status == "complete";
    if (status != "stopped")
        return info;
    const Result<std::vector<Diagnostic>> faults =
        read_diagnostics(database, info.frame_count, std::numeric_limits<std::int64_t>::max());
    if (!faults)
        return faults.problems();
    info.fault = (*faults).empty() ? make_problem(name, "stopped",
                                                  "stopped for a reason that is not recorded", "")
                                   : (*faults).back().problem;
    return info;
}

namespace {

bool read_strands(const Database& database, std::int64_t version, FrameLayout& layout)
{
    Statement statement =
        database.prepare(version < kWithSections ? "SELECT node_count, 0 FROM strands"
                                                 : "SELECT node_count, is_rod FROM strands");
    while (layout.is_possible() && statement.next()) {
        const std::int64_t count = statement.whole(0);
        const bool is_good = count >= 2 && count <= std::int64_t(kLargestBlock);
        layout.node_count += is_good ? static_cast<std::size_t>(count) : kLargestBlock;
        layout.segment_count += is_good ? static_cast<std::size_t>(count) - 1 : kLargestBlock;
        if (is_good && statement.whole(1) != 0)
            layout.section_count += static_cast<std::size_t>(count);
    }
    return statement.is_ok();
}

} // namespace

Result<FrameLayout> read_layout(const Database& database, const std::string& name)
{
    const std::int64_t objects = database.whole("SELECT count(*) FROM objects", -1);
    if (objects < 0)
        return database.read_problem();
    FrameLayout layout{.object_count = static_cast<std::size_t>(objects)};
    Statement statement = database.prepare("SELECT point_count FROM drawings");
    while (layout.is_possible() && statement.next()) {
        const std::int64_t count = statement.whole(0);
        layout.point_count += count < 0 || count > std::int64_t(kLargestBlock)
                                  ? kLargestBlock
                                  : static_cast<std::size_t>(count);
    }
    if (!statement.is_ok())
        return database.read_problem();
    const std::int64_t version = version_of(database);
    if (version >= kWithStrands && !read_strands(database, version, layout))
        return database.read_problem();
    const std::int64_t loads =
        version < kWithConstraints ? 0 : database.whole("SELECT count(*) FROM constraints", -1);
    if (loads < 0)
        return database.read_problem();
    layout.load_count = static_cast<std::size_t>(loads);
    if (!layout.is_possible())
        return make_problem(name, "recording-damaged",
                            "is damaged: it says its frames are larger than frames can be",
                            "remove it and make it again with `sinew run`");
    return layout;
}

bool add_diagnostic(const Database& database, std::int64_t frame, const Problem& problem)
{
    const std::int64_t number =
        database.whole("SELECT coalesce(max(number), -1) + 1 FROM diagnostics", -1);
    const Place& place = problem.place;
    bool is_ok =
        number >= 0 &&
        database.prepare("INSERT INTO diagnostics VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
            .bind(1, number)
            .bind(2, frame)
            .bind(3, std::string_view(kSeverities[static_cast<int>(problem.severity)]))
            .bind(4, problem.code)
            .bind(5, place.file)
            .bind(6, place.line)
            .bind(7, place.column)
            .bind(8, place.length)
            .bind(9, problem.what)
            .bind(10, problem.hint)
            .bind(11, problem.source_line)
            .run();
    for (const Remark& remark : problem.remarks)
        is_ok = is_ok && database.prepare("INSERT INTO remarks VALUES (NULL, ?, ?, ?, ?, ?, ?)")
                             .bind(1, number)
                             .bind(2, remark.place.file)
                             .bind(3, remark.place.line)
                             .bind(4, remark.place.column)
                             .bind(5, remark.place.length)
                             .bind(6, remark.what)
                             .run();
    return is_ok;
}

Result<std::vector<Diagnostic>> read_diagnostics(const Database& database, std::int64_t first,
                                                 std::int64_t last)
{
    std::vector<Diagnostic> diagnostics;
    Statement statement = database.prepare(
        "SELECT number, severity, code, file, line, col, length, what, hint, source_line, frame "
        "FROM diagnostics WHERE frame BETWEEN ? AND ? ORDER BY number");
    statement.bind(1, first).bind(2, last);
    while (statement.next())
        diagnostics.push_back({.frame = statement.whole(10),
                               .problem = {.severity = severity_of(statement.text(1)),
                                           .code = statement.text(2),
                                           .place = read_place(statement, 3),
                                           .what = statement.text(7),
                                           .hint = statement.text(8),
                                           .remarks = read_remarks(database, statement.whole(0)),
                                           .source_line = statement.text(9)}});
    if (!statement.is_ok())
        return database.read_problem();
    return diagnostics;
}

} // namespace sinew::record
