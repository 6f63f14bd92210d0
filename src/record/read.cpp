// Reading a recording: any frame, in any order.

#include "base/arithmetic.h"
#include "record/parts.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <limits>

namespace sinew {

using namespace record;

namespace {

Problem damaged_frame(const std::string& name, std::int64_t index)
{
    return make_problem(name, "recording-damaged", "frame " + std::to_string(index) + " is damaged",
                        "make the recording again with `sinew run`");
}

std::string part_text(const RecordingInfo& info)
{
    return info.part_count == 0
               ? std::string("the whole shot")
               : "part " + std::to_string(info.part) + "/" + std::to_string(info.part_count);
}

constexpr int kMostTries = 10; // of damaged snapshots; behind these the run is made anew

} // namespace

Problem Recording::Parts::missing(std::int64_t index) const
{
    if (index >= 0 && index < info.frame_count)
        return damaged_frame(name, index);
    return make_problem(name, "recording-no-frame", "there is no frame " + std::to_string(index),
                        info.frame_count == 0
                            ? "the recording has no frames yet"
                            : "its frames are 0 to " + std::to_string(info.frame_count - 1));
}

Result<Frame> Recording::Parts::read_frame(std::int64_t index, FrameCoder& with) const
{
    Statement statement = database.prepare("SELECT block FROM frames WHERE number = ?");
    statement.bind(1, index);
    if (statement.next()) {
        std::optional<Frame> frame = with.unpack(index, statement.bytes(0));
        return frame ? Result<Frame>(std::move(*frame)) : damaged_frame(name, index);
    }
    if (!statement.is_ok())
        return database.read_problem();
    return missing(index);
}

Problems Recording::Parts::make_ready(std::int64_t index, FrameCoder& coder) const
{
    for (std::int64_t i = coder.first_needed(index); i < index; ++i)
        if (const Result<Frame> before = read_frame(i, coder); !before)
            return before.problems();
    return {};
}

Result<Frame> Recording::frame(std::int64_t index) const
{
    Parts& p = *parts_;
    if (index < 0)
        return p.missing(index);
    if (!p.make_ready(index, p.reader).empty()) // one that it is predicted from is damaged
        return p.missing(index);
    return p.read_frame(index, p.reader);
}

Frame Recording::as_recorded(const Frame& frame) const { return parts_->writer.round(frame); }

Result<FrameStatistics> Recording::statistics(std::int64_t index) const
{
    const Parts& p = *parts_;
    const std::int64_t format = version_of(p.database);
    const std::string more =
        std::string(format < kWithStrands ? "0, 0, 0" : "stages, solves, worst_solves") +
        (format < kRounded ? ", 0, 0" : ", taking_ms, writing_ms") +
        (format < kWithContacts ? ", 0, NULL, 1" : ", contact_error, theta, theta IS NULL");
    Statement s = p.database.prepare(
        ("SELECT steps, rejected, implicit_steps, rows, iterations, residual, converged, kinetic, "
         "potential, elapsed_ms, state_hash, " +
         more + " FROM statistics WHERE frame = ?")
            .c_str());
    s.bind(1, index);
    if (!s.next())
        return s.is_ok() ? p.missing(index) : p.database.read_problem();
    FrameStatistics statistics{
        .report = {.steps = s.small(0),
                   .rejected = s.small(1),
                   .implicit_steps = s.small(2),
                   .rows = s.small(3),
                   .iterations = s.small(4),
                   .stages = s.small(11),
                   .solves = s.small(12),
                   .worst_solves = s.small(13),
                   .residual = s.number(5),
                   .contact_error = s.number(16),
                   .theta = s.whole(18) != 0 ? std::nullopt : std::optional(s.number(17)),
                   .converged = s.whole(6) != 0},
        .energy = {.kinetic = s.number(7), .potential = s.number(8)},
        .elapsed_ms = s.number(9),
        .taking_ms = s.number(14),
        .writing_ms = s.number(15),
        .state_hash = hash_of(s.text(10))};
    const Result<std::vector<Diagnostic>> warnings = read_diagnostics(p.database, index, index);
    if (!warnings)
        return warnings.problems();
    for (const Diagnostic& warning : *warnings)
        statistics.report.warnings.push_back(warning.problem);
    Result<std::vector<ContactEvent>> events = p.read_events(index, index);
    if (!events)
        return events.problems();
    statistics.report.events = std::move(*events);
    return statistics;
}

Result<std::vector<ContactEvent>> Recording::contact_events() const
{
    return parts_->read_events(0, std::numeric_limits<std::int64_t>::max());
}

Result<std::vector<ContactEvent>> Recording::Parts::read_events(std::int64_t first,
                                                                std::int64_t last) const
{
    std::vector<ContactEvent> events;
    if (version_of(database) < kWithContacts)
        return events;
    Statement s = database.prepare(
        "SELECT time, kind, a, b, x, y, z, normal_x, normal_y, normal_z, speed, impulse, slip "
        "FROM contacts WHERE frame BETWEEN ? AND ? ORDER BY number");
    s.bind(1, first).bind(2, last);
    const auto object = [&](int column) {
        const std::int64_t index = s.whole(column);
        const bool exists = index >= 0 && index < std::int64_t(layout.object_count);
        return ObjectId{exists ? static_cast<std::uint32_t>(index) : 0};
    };
    while (s.next())
        events.push_back({.time = s.number(0),
                          .a = object(2),
                          .b = object(3),
                          .place = {s.number(4), s.number(5), s.number(6)},
                          .normal = {s.number(7), s.number(8), s.number(9)},
                          .speed = s.number(10),
                          .impulse = s.number(11),
                          .slip = s.number(12),
                          .is_sensed = s.text(1) == kEventKinds[1]});
    if (!s.is_ok())
        return database.read_problem();
    return events;
}

Result<std::vector<Diagnostic>> Recording::diagnostics() const
{
    return read_diagnostics(parts_->database, 0, std::numeric_limits<std::int64_t>::max());
}

Result<std::vector<SourceFile>> Recording::scripts() const
{
    std::vector<SourceFile> scripts;
    Statement statement =
        parts_->database.prepare("SELECT name, text FROM scripts ORDER BY number");
    while (statement.next())
        scripts.push_back(
            {statement.text(0), std::make_shared<const std::string>(statement.text(1))});
    if (!statement.is_ok())
        return parts_->database.read_problem();
    return scripts;
}

Result<std::vector<std::string>> Recording::object_names() const
{
    std::vector<std::string> names;
    Statement statement = parts_->database.prepare("SELECT name FROM objects ORDER BY number");
    while (statement.next())
        names.push_back(statement.text(0));
    if (!statement.is_ok())
        return parts_->database.read_problem();
    return names;
}

Result<std::vector<Input>> Recording::inputs() const
{
    std::vector<Input> inputs;
    const bool is_old = version_of(parts_->database) < kWithStrands;
    Statement s = parts_->database.prepare(
        is_old ? "SELECT frame, kind, name, x, y, z, value, 0, 0, 0 FROM inputs ORDER BY number"
               : "SELECT frame, kind, name, x, y, z, value, point_x, point_y, point_z FROM inputs "
                 "ORDER BY number");
    while (s.next()) {
        const auto kind = std::ranges::find(kInputKinds, s.text(1));
        Input input{.frame = s.whole(0),
                    .kind = static_cast<Input::Kind>(kind - std::begin(kInputKinds)),
                    .name = s.text(2),
                    .target = {s.number(3), s.number(4), s.number(5)},
                    .value = s.number(6),
                    .point = {s.number(7), s.number(8), s.number(9)}};
        const std::int64_t earliest = inputs.empty() ? 0 : inputs.back().frame;
        if (kind == std::end(kInputKinds) || input.frame < earliest || !is_finite(input.target) ||
            !is_finite(input.value) || !is_finite(input.point))
            return make_problem(parts_->name, "recording-damaged",
                                "its log of inputs is damaged at entry " +
                                    std::to_string(inputs.size()),
                                "record the session again");
        inputs.push_back(std::move(input));
    }
    if (!s.is_ok())
        return parts_->database.read_problem();
    return inputs;
}

std::optional<Recording::Snapshot> Recording::find_snapshot(std::int64_t at_or_before) const
{
    Statement statement = parts_->database.prepare(
        "SELECT frame, block FROM snapshots WHERE frame BETWEEN 0 AND ? ORDER BY frame DESC");
    statement.bind(1, at_or_before);
    for (int tries = 0; tries < kMostTries && statement.next(); ++tries)
        if (std::optional<Bytes> bytes = unpack_snapshot(statement.bytes(1)))
            return Snapshot{statement.whole(0), std::move(*bytes)};
    return std::nullopt;
}

namespace {

/// Older recordings do not say it.
std::string meta_text(const Database& database, const char* key)
{
    Statement statement = database.prepare("SELECT value FROM meta WHERE key = ?");
    statement.bind(1, std::string_view(key));
    return statement.next() ? statement.text(0) : "";
}

} // namespace

Problems Recording::check_continuation(const RecordingInfo& wanted) const
{
    const RecordingInfo& made = info();
    Problems problems;
    const auto refuse = [&](const std::string& what, const std::string& hint) {
        problems.push_back(make_problem(parts_->name, "recording-other-run", what, hint));
    };
    const auto list = [](const std::map<std::string, std::string>& map, const char* option) {
        std::string text;
        for (const auto& [name, value] : map)
            text += (text.empty() ? "" : " ") + std::string(option) + " " + name + "=" + value;
        return text.empty() ? std::string("no ") + option : text;
    };
    const auto number = [](double value) {
        char text[32];
        std::snprintf(text, sizeof text, "%.15g", value);
        return std::string(text);
    };
    if (parts_->database.whole("SELECT count(*) FROM inputs", 0) > 0)
        refuse("is of a session in the viewer, with what mouse and sliders did",
               "continue with `sinew view`, or start again without --resume");
    if (made.version != wanted.version)
        refuse("was made by Sinew " + made.version + ", this is " + wanted.version,
               "two versions may move differently: start again without --resume");
    const std::string arithmetic = meta_text(parts_->database, "arithmetic");
    if (!arithmetic.empty() && arithmetic != hash_text(arithmetic_hash()))
        refuse("was made on a machine whose arithmetic gives other bits (" +
                   meta_text(parts_->database, "machine") + "), this is " + machine_text(),
               "continue where it was begun, or start again without --resume");
    if (made.parameters != wanted.parameters)
        refuse("was made with " + list(made.parameters, "-D") + ", not with " +
                   list(wanted.parameters, "-D"),
               "give the same parameters, or start again without --resume");
    if (made.imports != wanted.imports)
        refuse("was made with " + list(made.imports, "--import") + ", not with " +
                   list(wanted.imports, "--import"),
               "bind the same libraries, or start again without --resume");
    if (made.frame_rate != wanted.frame_rate)
        refuse("has " + number(made.frame_rate) + " frames a second, not " +
                   number(wanted.frame_rate),
               "give --fps " + number(made.frame_rate) + ", or start again without --resume");
    if (made.step != wanted.step)
        refuse("was made with a step of " + number(made.step) + " s, not " + number(wanted.step),
               "give --step " + number(made.step) + ", or start again without --resume");
    if (made.part != wanted.part || made.part_count != wanted.part_count)
        refuse("is " + part_text(made) + ", not " + part_text(wanted),
               "give the same --part, or start again without --resume");
    if (made.error != wanted.error)
        refuse(made.error == 0
                   ? std::string("has exact frames, not rounded ones")
                   : "has frames rounded to " + number(made.error) + " m, not " +
                         (wanted.error == 0 ? "exact ones" : "to " + number(wanted.error) + " m"),
               made.error == 0
                   ? "give --exact, or start again without --resume"
                   : "give --error " + number(made.error) + ", or start again without --resume");
    if (problems.empty() && made.scene_fingerprint != wanted.scene_fingerprint)
        refuse("was made by another script, or the script has changed since",
               "start again without --resume, or name another file with --out");
    return problems;
}

} // namespace sinew
