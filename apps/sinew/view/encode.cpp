#include "encode.h"

#include "sinew/language.h"

#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>
#include <cstring>

namespace sinew::viewer {

namespace {

using nlohmann::json;

constexpr int kProtocol = 2;

/// What is not UTF-8 is replaced: names and texts come from files.
std::string text_of(const json& value)
{
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

const char* word_of(Severity severity)
{
    return severity == Severity::error     ? "error"
           : severity == Severity::warning ? "warning"
                                           : "note";
}

} // namespace

std::string encode(const WelcomeText& welcome)
{
    return text_of({{"type", "welcome"},
                    {"protocol", kProtocol},
                    {"version", version()},
                    {"name", welcome.name},
                    {"is_recording", welcome.is_recording},
                    {"can_simulate", welcome.can_simulate},
                    {"visit", welcome.visit}});
}

std::string encode(const StatusText& status)
{
    return text_of({{"type", "status"},
                    {"frame", status.frame},
                    {"time", status.time},
                    {"is_playing", status.is_playing},
                    {"speed", status.speed},
                    {"loop", status.loop},
                    {"valid", status.valid},
                    {"stale", status.stale},
                    {"frame_count", status.frame_count},
                    {"is_computing", status.is_computing},
                    {"can_undo", status.can_undo},
                    {"can_redo", status.can_redo},
                    {"is_changed", status.is_changed},
                    {"is_waiting", status.is_waiting},
                    {"fault", status.fault.empty() ? json() : json(status.fault)},
                    {"steps_ms", status.steps_ms},
                    {"busy_frame", status.busy_frame},
                    {"busy_seconds", status.busy_seconds},
                    {"is_opening", status.is_opening},
                    {"is_writing", status.is_writing}});
}

std::string encode(const ScriptText& script)
{
    return text_of({{"type", "script"}, {"text", script.text}, {"revision", script.revision}});
}

std::string encode(const Problems& problems)
{
    json list = json::array();
    for (const Problem& problem : problems)
        list.push_back({{"severity", word_of(problem.severity)},
                        {"code", problem.code},
                        {"line", problem.place.line},
                        {"column", problem.place.column},
                        {"length", problem.place.length},
                        {"message", problem.what},
                        {"hint", problem.hint},
                        {"fix", proposed_word(problem.hint)},
                        {"file", problem.place.file}});
    return text_of({{"type", "problems"}, {"list", std::move(list)}});
}

std::string encode(const Inspection& inspection)
{
    return text_of({{"type", "inspect"},
                    {"object", inspection.object.index},
                    {"name", inspection.name},
                    {"rows", inspection.rows}});
}

SeriesRow series_row(double time, const FrameStatistics& statistics)
{
    return {time,
            statistics.energy.kinetic,
            statistics.energy.potential,
            statistics.report.residual,
            double(statistics.report.steps),
            statistics.elapsed_ms};
}

std::string encode_series(std::int64_t first, std::span<const SeriesRow> rows)
{
    json list = json::array();
    for (const SeriesRow& row : rows)
        list.push_back(row);
    return text_of({{"type", "series"},
                    {"first", first},
                    {"columns", {"time", "kinetic", "potential", "residual", "steps", "ms"}},
                    {"rows", std::move(list)}});
}

std::string encode(const Notice& notice)
{
    return text_of(
        {{"type", "notice"}, {"severity", word_of(notice.severity)}, {"text", notice.text}});
}

Notice notice_of(const Problem& problem)
{
    std::string text = problem.place.file.empty() ? "" : to_string(problem.place) + ": ";
    text += problem.what;
    if (!problem.hint.empty())
        text += "; " + problem.hint;
    return {problem.severity, text};
}

std::string encode(const Saved& saved)
{
    return text_of({{"type", "saved"},
                    {"name", saved.name},
                    {"kind", saved.is_recording ? "recording" : "script"}});
}

std::string encode(const WatchText& watch)
{
    using Kind = message::Watch::Kind;
    const Kind kind = watch.what.kind;
    return text_of({{"type", "watch"},
                    {"kind", kind == Kind::object  ? "object"
                             : kind == Kind::probe ? "probe"
                                                   : "load"},
                    {"number", watch.what.number},
                    {"first", watch.first},
                    {"rows", watch.rows}});
}

std::string encode(const FilesText& files)
{
    json examples = json::array();
    for (const ExampleText& example : files.examples)
        examples.push_back({{"name", example.name},
                            {"title", example.title},
                            {"text", example.text},
                            {"picture", example.picture}});
    return text_of({{"type", "files"}, {"files", files.files}, {"examples", std::move(examples)}});
}

namespace {

const char* word_of(Completion::Kind kind)
{
    switch (kind) {
    case Completion::Kind::keyword: return "keyword";
    case Completion::Kind::word: return "function";
    case Completion::Kind::variable: return "variable";
    case Completion::Kind::object: return "constant";
    case Completion::Kind::def: return "class";
    case Completion::Kind::unit: return "enum";
    case Completion::Kind::easing: return "text";
    case Completion::Kind::argument: return "property";
    }
    return "";
}

json call_json(const CallHelp& call)
{
    json forms = json::array();
    for (const CallHelp::Form& form : call.forms)
        forms.push_back(
            {{"text", form.text}, {"arguments", form.arguments}, {"meanings", form.meanings}});
    return {{"forms", std::move(forms)}, {"meaning", call.meaning}, {"argument", call.argument}};
}

} // namespace

std::string encode(const AssistText& answer)
{
    json completions = json::array();
    for (const Completion& completion : answer.completions)
        completions.push_back({{"label", completion.label},
                               {"kind", word_of(completion.kind)},
                               {"detail", completion.detail},
                               {"documentation", completion.documentation}});
    json out{{"type", "assist"}, {"id", answer.id}, {"completions", std::move(completions)}};
    if (answer.hover)
        out["hover"] = {{"offset", answer.hover->span.offset},
                        {"length", answer.hover->span.length},
                        {"text", answer.hover->markdown}};
    if (answer.call)
        out["call"] = call_json(*answer.call);
    if (answer.definition)
        out["definition"] = {{"offset", answer.definition->offset},
                             {"length", answer.definition->length}};
    return text_of(out);
}

// --- frames --------------------------------------------------------------------------------------

namespace {

static_assert(std::endian::native == std::endian::little, "frames go out as they lie in memory");

constexpr std::uint32_t kFrameMark = 0x46574e53;

class Writer {
public:
    explicit Writer(std::size_t bytes) { out_.reserve(bytes); }

    template <class T>
    void put(T value)
    {
        out_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void put(const Vec3& v)
    {
        const float three[] = {float(v.x), float(v.y), float(v.z)};
        out_.append(reinterpret_cast<const char*>(three), sizeof three);
    }
    std::string take() { return std::move(out_); }

private:
    std::string out_;
};

void put_pose(Writer& out, const Affine& pose)
{
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column)
            out.put(float(pose.linear(row, column)));
        out.put(float(pose.origin[row]));
    }
}

Vec3 place_of_object(const Frame& frame, ObjectId object, const Vec3& point = {0, 0, 0})
{
    return object.index < frame.objects.size() ? apply(frame.objects[object.index], point) : Vec3{};
}

} // namespace

std::string encode(const FrameBytes& frame)
{
    const DisplayFrame& display = *frame.display;
    Writer out(56 + 12 * display.points.size() + 48 * display.poses.size() +
               32 * frame.forces.size() + 4 * frame.residuals.size() + 24 * frame.hands.size() +
               32 * frame.contacts.size() + 4 * frame.layers.size());
    out.put(kFrameMark);
    out.put(frame.revision);
    out.put(frame.frame);
    out.put(std::uint32_t(frame.is_stale));
    out.put(display.time);
    for (const std::size_t count :
         {display.points.size(), display.poses.size(), frame.forces.size(), frame.residuals.size(),
          frame.hands.size(), frame.contacts.size(), frame.layers.size(),
          std::size_t(frame.camera ? 1 : 0)})
        out.put(static_cast<std::uint32_t>(count));
    for (const Vec3& point : display.points)
        out.put(point);
    for (const Affine& pose : display.poses)
        put_pose(out, pose);
    for (const ActingForce& force : frame.forces) {
        out.put(force.place.value_or(place_of_object(*frame.places, force.object)));
        out.put(force.force);
        out.put(float(force.kind));
        out.put(float(force.object.index));
    }
    for (const double residual : frame.residuals)
        out.put(float(residual));
    for (const Grab& hand : frame.hands) {
        out.put(place_of_object(*frame.places, hand.object, hand.point));
        out.put(hand.target);
    }
    for (const Contact& contact : frame.contacts) {
        out.put(contact.place);
        out.put(contact.normal);
        out.put(float(contact.gap));
        out.put(float(contact.force));
    }
    for (const int layer : frame.layers)
        out.put(float(layer));
    if (frame.camera) {
        out.put(frame.camera->position);
        out.put(frame.camera->target);
    }
    return out.take();
}

} // namespace sinew::viewer
