#include "formats/gltf/json_tree.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace sinew {

namespace {

constexpr std::size_t kDeepest = 64;

/// Builds a tree from what the parser meets; the last of `open_` is being filled. Values nested too
/// deeply end the parsing.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
public:
    Json root;

    bool null() override { return add({}); }
    bool boolean(bool value) override
    {
        return add({.kind = Json::Kind::boolean, .number = value ? 1.0 : 0.0});
    }
    bool number_integer(number_integer_t value) override
    {
        return add_number(static_cast<double>(value));
    }
    bool number_unsigned(number_unsigned_t value) override
    {
        return add_number(static_cast<double>(value));
    }
    bool number_float(number_float_t value, const string_t&) override
    {
        return std::isfinite(value) && add_number(value);
    }
    bool string(string_t& value) override
    {
        return add({.kind = Json::Kind::text, .text = std::move(value)});
    }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(Json::Kind::object); }
    bool key(string_t& name) override
    {
        open_.back()->names.push_back(std::move(name));
        return true;
    }
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return open(Json::Kind::list); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override
    {
        return false;
    }

private:
    Json& place(Json value)
    {
        if (open_.empty())
            return root = std::move(value);
        return open_.back()->items.emplace_back(std::move(value));
    }
    bool add(Json value)
    {
        place(std::move(value));
        return true;
    }
    bool add_number(double value) { return add({.kind = Json::Kind::number, .number = value}); }
    bool open(Json::Kind kind)
    {
        if (open_.size() > kDeepest)
            return false;
        open_.push_back(&place({.kind = kind}));
        return true;
    }
    bool close()
    {
        open_.pop_back();
        return true;
    }

    std::vector<Json*> open_; ///< stays valid: only the last of them grows
};

} // namespace

std::optional<Json> Json::read(std::string_view text)
{
    TreeBuilder builder;
    if (!nlohmann::json::sax_parse(text, &builder))
        return std::nullopt;
    return std::move(builder.root);
}

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
