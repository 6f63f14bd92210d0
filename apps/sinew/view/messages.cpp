#include "messages.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace sinew::viewer {

namespace {

using nlohmann::json;

constexpr int kMostNesting = 32;
constexpr std::int64_t kMostFrames = 1'000'000'000;
constexpr double kMostMetres = 1e9;
constexpr std::size_t kMostName = 255; // bytes, of files and parameters
constexpr std::size_t kMostWatched = 64;

/// Whether brackets are nested deeper than anything we send needs; strings are skipped.
bool is_too_deep(std::string_view text)
{
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string)
            if (c == '\\')
                ++i;
            else
                in_string = c != '"';
        else if (c == '"')
            in_string = true;
        else if (c == '[' || c == '{') {
            if (++depth > kMostNesting)
                return true;
        } else if (c == ']' || c == '}')
            --depth;
    }
    return false;
}

/// The fields of one message; the first that is wrong is remembered, and what it stands for is then
/// anything.
class Fields {
public:
    explicit Fields(const json& message) : message_(message) {}

    const std::string& fault() const { return fault_; }

    double number(const char* name, double low, double high)
    {
        const json* field = find(name);
        if (!field || !field->is_number())
            return refuse(name, "must be a number"), low;
        const double value = field->get<double>();
        if (!(value >= low && value <= high))
            return refuse(name, "is out of range"), low;
        return value;
    }

    std::int64_t integer(const char* name, std::int64_t low, std::int64_t high)
    {
        const double value = number(name, double(low), double(high));
        if (value != std::floor(value))
            return refuse(name, "must be a whole number"), low;
        return static_cast<std::int64_t>(value);
    }

    bool boolean(const char* name)
    {
        const json* field = find(name);
        if (!field || !field->is_boolean())
            return refuse(name, "must be true or false"), false;
        return field->get<bool>();
    }

    std::string text(const char* name, std::size_t most)
    {
        const json* field = find(name);
        if (!field || !field->is_string())
            return refuse(name, "must be a string"), "";
        const std::string& value = field->get_ref<const std::string&>();
        if (value.size() > most)
            return refuse(name, "is too long"), "";
        return value;
    }

    std::optional<std::string> optional_text(const char* name, std::size_t most)
    {
        const json* field = find(name);
        if (!field || field->is_null())
            return std::nullopt;
        return text(name, most);
    }

    ObjectId object(const char* name = "object")
    {
        return {static_cast<std::uint32_t>(integer(name, 0, 0xfffffffe))};
    }

    ObjectId optional_object()
    {
        const json* field = find("object");
        return field && field->is_null() ? ObjectId{} : object();
    }

    Vec3 vector(const char* name)
    {
        const json* field = find(name);
        if (!field || !field->is_array() || field->size() != 3)
            return refuse(name, "must be three numbers"), Vec3{};
        Vec3 value;
        for (int i = 0; i < 3; ++i) {
            const json& part = (*field)[std::size_t(i)];
            if (!part.is_number() || !(std::abs(part.get<double>()) <= kMostMetres))
                return refuse(name, "must be three numbers in metres"), Vec3{};
            value[i] = part.get<double>();
        }
        return value;
    }

    std::optional<Vec3> optional_vector(const char* name)
    {
        const json* field = find(name);
        if (!field || field->is_null())
            return std::nullopt;
        return vector(name);
    }

    std::vector<message::Watch::Quantity> quantities(const char* name)
    {
        const json* field = find(name);
        if (!field || !field->is_array() || field->size() > kMostWatched)
            return refuse(name, "must be a short list"), std::vector<message::Watch::Quantity>{};
        std::vector<message::Watch::Quantity> list;
        for (const json& each : *field) {
            if (!each.is_object())
                return refuse(name, "must be a list of quantities"), list;
            Fields inner(each);
            list.push_back(inner.quantity());
            if (!inner.fault_.empty())
                return refuse(name, "has a quantity whose " + inner.fault_), list;
        }
        return list;
    }

private:
    message::Watch::Quantity quantity()
    {
        using Kind = message::Watch::Kind;
        const std::string kind = text("kind", kMostName);
        const auto number = static_cast<std::uint32_t>(integer("number", 0, 0xfffffffe));
        for (const auto& [word, value] :
             {std::pair{"object", Kind::object}, {"probe", Kind::probe}, {"load", Kind::load}})
            if (kind == word)
                return {value, number};
        return refuse("kind", "must be object, probe or load"), message::Watch::Quantity{};
    }

    const json* find(const char* name) const
    {
        const auto found = message_.find(name);
        return found == message_.end() ? nullptr : &*found;
    }

    void refuse(const std::string& name, const std::string& what)
    {
        if (fault_.empty())
            fault_ = "`" + name + "` " + what;
    }

    const json& message_;
    std::string fault_;
};

message::Assist question(Fields& fields, message::Assist::What what)
{
    message::Assist out{.id = fields.integer("id", 0, kMostFrames),
                        .what = what,
                        .text = fields.text("text", SIZE_MAX),
                        .offset = 0};
    out.offset = static_cast<std::size_t>(
        fields.integer("offset", 0, static_cast<std::int64_t>(out.text.size())));
    return out;
}

using Maker = Message (*)(Fields&);

const std::map<std::string_view, Maker>& makers()
{
    namespace m = message;
    static const std::map<std::string_view, Maker> all = {
        {"play", [](Fields&) -> Message { return m::Play{}; }},
        {"pause", [](Fields&) -> Message { return m::Pause{}; }},
        {"step",
         [](Fields& f) -> Message { return m::Step{f.integer("by", -kMostFrames, kMostFrames)}; }},
        {"seek", [](Fields& f) -> Message { return m::Seek{f.integer("frame", 0, kMostFrames)}; }},
        {"speed", [](Fields& f) -> Message { return m::Speed{f.number("value", 0.01, 100)}; }},
        {"loop", [](Fields& f) -> Message { return m::Loop{f.boolean("on")}; }},
        {"restart", [](Fields&) -> Message { return m::Restart{}; }},
        {"grab",
         [](Fields& f) -> Message {
             return m::Grab{f.object(), f.vector("target")};
         }},
        {"drag", [](Fields& f) -> Message { return m::Drag{f.vector("target")}; }},
        {"release", [](Fields&) -> Message { return m::Release{}; }},
        {"move",
         [](Fields& f) -> Message {
             return m::Move{f.object(), f.vector("by")};
         }},
        {"pin",
         [](Fields& f) -> Message {
             return m::Pin{f.object(), f.optional_vector("place")};
         }},
        {"tie",
         [](Fields& f) -> Message {
             return m::Tie{f.object(), f.vector("place"), f.object("other"),
                           f.vector("other_place")};
         }},
        {"thread",
         [](Fields& f) -> Message {
             return m::Thread{f.object("bead"), f.object(), f.vector("place")};
         }},
        {"cut",
         [](Fields& f) -> Message {
             return m::Cut{f.object(), f.vector("place")};
         }},
        {"loosen",
         [](Fields& f) -> Message {
             return m::Loosen{f.object(), f.vector("place")};
         }},
        {"unpin", [](Fields& f) -> Message { return m::Unpin{f.object()}; }},
        {"select", [](Fields& f) -> Message { return m::Select{f.optional_object()}; }},
        {"show",
         [](Fields& f) -> Message {
             return m::Show{f.boolean("forces"), f.boolean("residuals"), f.boolean("contacts"),
                            f.boolean("layers")};
         }},
        {"watch", [](Fields& f) -> Message { return m::Watch{f.quantities("list")}; }},
        {"parameter",
         [](Fields& f) -> Message {
             return m::Parameter{f.text("name", kMostName), f.number("value", -1e300, 1e300)};
         }},
        {"script", [](Fields& f) -> Message { return m::Script{f.text("text", SIZE_MAX)}; }},
        {"save", [](Fields& f) -> Message { return m::Save{f.optional_text("name", kMostName)}; }},
        {"record",
         [](Fields& f) -> Message { return m::Record{f.optional_text("name", kMostName)}; }},
        {"undo", [](Fields&) -> Message { return m::Undo{}; }},
        {"redo", [](Fields&) -> Message { return m::Redo{}; }},
        {"list", [](Fields&) -> Message { return m::List{}; }},
        {"open",
         [](Fields& f) -> Message {
             return m::Open{f.text("name", kMostName), f.boolean("is_example")};
         }},
        {"new", [](Fields&) -> Message { return m::New{}; }},
        {"complete", [](Fields& f) -> Message { return question(f, m::Assist::What::complete); }},
        {"hover", [](Fields& f) -> Message { return question(f, m::Assist::What::hover); }},
        {"call", [](Fields& f) -> Message { return question(f, m::Assist::What::call); }},
        {"definition",
         [](Fields& f) -> Message { return question(f, m::Assist::What::definition); }},
    };
    return all;
}

Problem refusal(const std::string& what)
{
    return {.code = "bad-message",
            .place = {.file = "message"},
            .what = what,
            .hint = "reload the page; viewer/PROTOCOL.md lists what it may say"};
}

} // namespace

Result<Message> parse_message(std::string_view text)
{
    if (is_too_deep(text))
        return refusal("is nested too deeply");
    const json parsed = json::parse(text.begin(), text.end(), nullptr, false);
    if (!parsed.is_object())
        return refusal("is not a JSON object");
    const auto type = parsed.find("type");
    if (type == parsed.end() || !type->is_string())
        return refusal("has no type");
    const std::string& name = type->get_ref<const std::string&>();
    const auto maker = makers().find(name);
    if (maker == makers().end())
        return refusal("has the unknown type '" + name.substr(0, 40) + "'");
    Fields fields(parsed);
    Message message = maker->second(fields);
    if (!fields.fault().empty())
        return refusal(name + ": " + fields.fault());
    return message;
}

} // namespace sinew::viewer
