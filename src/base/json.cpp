#include "base/json.h"

#include <charconv>
#include <cmath>

namespace sinew {

namespace {

constexpr int kDeepest = 64;

class JsonReader {
public:
    explicit JsonReader(std::string_view text) : text_(text) {}

    std::optional<Json> read()
    {
        Json value;
        if (!read_value(value, 0))
            return std::nullopt;
        skip_blanks();
        return at_ == text_.size() ? std::optional(std::move(value)) : std::nullopt;
    }

private:
    void skip_blanks()
    {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' ||
                                      text_[at_] == '\n' || text_[at_] == '\r'))
            ++at_;
    }
    bool take(char c)
    {
        skip_blanks();
        if (at_ >= text_.size() || text_[at_] != c)
            return false;
        ++at_;
        return true;
    }
    bool take_word(std::string_view word)
    {
        if (!text_.substr(at_).starts_with(word))
            return false;
        at_ += word.size();
        return true;
    }

    bool read_value(Json& out, int depth)
    {
        if (depth > kDeepest)
            return false;
        skip_blanks();
        if (at_ >= text_.size())
            return false;
        switch (text_[at_]) {
        case '{': return read_object(out, depth);
        case '[': return read_list(out, depth);
        case '"': out.kind = Json::Kind::text; return read_text(out.text);
        case 't': out = {.kind = Json::Kind::boolean, .number = 1}; return take_word("true");
        case 'f': out = {.kind = Json::Kind::boolean, .number = 0}; return take_word("false");
        case 'n': return take_word("null");
        default: return read_number(out);
        }
    }

    bool read_number(Json& out)
    {
        out.kind = Json::Kind::number;
        const auto [end, fault] =
            std::from_chars(text_.data() + at_, text_.data() + text_.size(), out.number);
        at_ = static_cast<std::size_t>(end - text_.data());
        return fault == std::errc() && std::isfinite(out.number);
    }

    /// Letters behind \u become '?': names of files and things are not needed exactly.
    bool read_text(std::string& out)
    {
        if (!take('"'))
            return false;
        for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
            if (text_[at_] != '\\') {
                out += text_[at_];
                continue;
            }
            if (++at_ >= text_.size())
                return false;
            const char c = text_[at_];
            out += c == 'u' ? '?' : c == 'n' ? '\n' : c == 't' ? '\t' : c;
            at_ += c == 'u' ? 4 : 0;
        }
        return take('"');
    }

    bool read_list(Json& out, int depth)
    {
        out.kind = Json::Kind::list;
        take('[');
        if (take(']'))
            return true;
        do {
            if (!read_value(out.items.emplace_back(), depth + 1))
                return false;
        } while (take(','));
        return take(']');
    }

    bool read_object(Json& out, int depth)
    {
        out.kind = Json::Kind::object;
        take('{');
        if (take('}'))
            return true;
        do {
            skip_blanks();
            if (!read_text(out.names.emplace_back()) || !take(':') ||
                !read_value(out.items.emplace_back(), depth + 1))
                return false;
        } while (take(','));
        return take('}');
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

} // namespace

std::optional<Json> Json::read(std::string_view text) { return JsonReader(text).read(); }

const Json* Json::find(std::string_view name) const
{
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == name)
            return &items[i];
    return nullptr;
}

const Json* Json::item(std::string_view name, double index) const
{
    const Json* list = find(name);
    const bool is_there = list && list->kind == Kind::list && index >= 0 &&
                          index < double(list->items.size()) && index == std::floor(index);
    return is_there ? &list->items[static_cast<std::size_t>(index)] : nullptr;
}

std::optional<double> Json::number_of(std::string_view name) const
{
    const Json* value = find(name);
    return value && value->kind == Kind::number ? std::optional(value->number) : std::nullopt;
}

std::size_t Json::count_of(std::string_view name) const
{
    const Json* value = find(name);
    return value && value->kind == Kind::list ? value->items.size() : 0;
}

} // namespace sinew
