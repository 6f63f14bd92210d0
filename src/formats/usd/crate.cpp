// The layout is that of OpenUSD's crate files, version 0.8.0: a head, values, six sections, a table
// of contents. Integers of the sections are coded as differences, then wrapped as LZ4 blocks. We
// write blocks of literals alone: the sections are small beside the values, which are not packed.

#include "formats/usd/crate.h"

#include <cstring>
#include <limits>

namespace sinew::formats {

namespace {

constexpr std::uint64_t kArray = std::uint64_t{1} << 63, kInlined = std::uint64_t{1} << 62;
constexpr std::uint32_t kEndOfSet = 0xffffffff;

template <class T>
void append(std::string& out, T value)
{
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append_packed(std::string& out, const std::string& packed)
{
    append(out, std::uint64_t(packed.size()));
    out += packed;
}

template <class T>
bool fits(std::int32_t x)
{
    return x >= std::numeric_limits<T>::min() && x <= std::numeric_limits<T>::max();
}

std::vector<std::int32_t> as_signed(const std::vector<std::uint32_t>& list)
{
    return {list.begin(), list.end()};
}

} // namespace

CrateRep inlined_rep(CrateType type, std::uint32_t value)
{
    return kInlined | std::uint64_t(type) << 48 | value;
}

CrateRep placed_rep(CrateType type, std::uint64_t place, bool is_array)
{
    return (is_array ? kArray : 0) | std::uint64_t(type) << 48 | place;
}

std::string pack_bytes(const std::string& bytes)
{
    std::string out(1, '\0');
    if (bytes.size() < 15) {
        out += char(bytes.size() << 4);
    } else {
        out += char(0xf0);
        std::size_t rest = bytes.size() - 15;
        for (; rest >= 255; rest -= 255)
            out += char(255);
        out += char(rest);
    }
    return out + bytes;
}

/// The most frequent difference needs no bytes: we say it is one, as numbers in a row have it.
std::string pack_integers(const std::vector<std::int32_t>& list)
{
    constexpr std::int32_t kUsual = 1;
    std::string codes((list.size() * 2 + 7) / 8, '\0'), numbers;
    std::uint32_t before = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto difference = std::int32_t(std::uint32_t(list[i]) - before); // may wrap
        before = std::uint32_t(list[i]);
        unsigned code = 0;
        if (difference != kUsual) {
            code = fits<std::int8_t>(difference) ? 1 : fits<std::int16_t>(difference) ? 2 : 3;
            numbers.append(reinterpret_cast<const char*>(&difference), code == 3 ? 4 : code);
        }
        codes[i / 4] = char(static_cast<unsigned char>(codes[i / 4]) | code << (2 * (i % 4)));
    }
    std::string out;
    if (list.empty())
        return pack_bytes(out);
    append(out, kUsual);
    return pack_bytes(out + codes + numbers);
}

CrateTables::CrateTables()
{
    token(""); // number 0: a property's is written with a minus sign
    paths_.push_back({});
    path_numbers_["/"] = 0;
}

std::uint32_t CrateTables::token(const std::string& text)
{
    const auto [found, is_new] = token_numbers_.emplace(text, std::uint32_t(tokens_.size()));
    if (is_new)
        tokens_.push_back(text);
    return found->second;
}

std::uint32_t CrateTables::string(const std::string& text)
{
    const auto [found, is_new] = string_numbers_.emplace(text, std::uint32_t(strings_.size()));
    if (is_new)
        strings_.push_back(token(text));
    return found->second;
}

std::uint32_t CrateTables::path(const std::string& text)
{
    if (const auto found = path_numbers_.find(text); found != path_numbers_.end())
        return found->second;
    const std::size_t slash = text.rfind('/'), dot = text.find('.', slash);
    const bool is_property = dot != std::string::npos;
    const std::size_t cut = is_property ? dot : slash;
    const std::uint32_t parent = path(cut == 0 ? "/" : text.substr(0, cut));
    const auto number = std::uint32_t(paths_.size());
    paths_.push_back({.token = token(text.substr(cut + 1)), .is_property = is_property});
    paths_[parent].children.push_back(number);
    path_numbers_[text] = number;
    return number;
}

void CrateTables::add_spec(const std::string& path_text, CrateSpec kind, const Fields& fields)
{
    std::vector<std::uint32_t> set;
    for (const auto& [name, rep] : fields) {
        const std::pair field{token(name), rep};
        const auto [found, is_new] = field_numbers_.emplace(field, std::uint32_t(fields_.size()));
        if (is_new)
            fields_.push_back(field);
        set.push_back(found->second);
    }
    const auto [found, is_new] = set_numbers_.emplace(set, std::uint32_t(sets_.size()));
    if (is_new) {
        sets_.insert(sets_.end(), set.begin(), set.end());
        sets_.push_back(kEndOfSet);
    }
    specs_.push_back({path(path_text), found->second, std::uint32_t(kind)});
}

std::string CrateTables::tokens_section() const
{
    std::string texts, out;
    for (const std::string& text : tokens_)
        texts.append(text.c_str(), text.size() + 1);
    append(out, std::uint64_t(tokens_.size()));
    append(out, std::uint64_t(texts.size()));
    append_packed(out, pack_bytes(texts));
    return out;
}

std::string CrateTables::strings_section() const
{
    std::string out;
    append(out, std::uint64_t(strings_.size()));
    for (const std::uint32_t token_number : strings_)
        append(out, token_number);
    return out;
}

std::string CrateTables::fields_section() const
{
    std::vector<std::int32_t> names;
    std::string reps, out;
    for (const auto& [name, rep] : fields_) {
        names.push_back(std::int32_t(name));
        append(reps, rep);
    }
    append(out, std::uint64_t(fields_.size()));
    append_packed(out, pack_integers(names));
    append_packed(out, pack_bytes(reps));
    return out;
}

std::string CrateTables::field_sets_section() const
{
    std::string out;
    append(out, std::uint64_t(sets_.size()));
    append_packed(out, pack_integers(as_signed(sets_)));
    return out;
}

/// Depth first. The jump says what follows: −2 nothing, −1 a child, 0 a sibling, else a child, and
/// so far behind it a sibling.
void CrateTables::encode(std::uint32_t node, bool has_sibling, Encoded& out) const
{
    const Node& here = paths_[node];
    const std::size_t at = out.paths.size();
    const auto name = std::int32_t(here.token);
    out.paths.push_back(std::int32_t(node));
    out.tokens.push_back(here.is_property ? -name : name);
    out.jumps.push_back(has_sibling ? 0 : here.children.empty() ? -2 : -1);
    for (std::size_t i = 0; i < here.children.size(); ++i)
        encode(here.children[i], i + 1 < here.children.size(), out);
    if (has_sibling && !here.children.empty())
        out.jumps[at] = std::int32_t(out.paths.size() - at);
}

std::string CrateTables::paths_section() const
{
    Encoded encoded;
    encode(0, false, encoded);
    std::string out;
    append(out, std::uint64_t(paths_.size()));
    append(out, std::uint64_t(encoded.paths.size()));
    append_packed(out, pack_integers(encoded.paths));
    append_packed(out, pack_integers(encoded.tokens));
    append_packed(out, pack_integers(encoded.jumps));
    return out;
}

std::string CrateTables::specs_section() const
{
    std::vector<std::int32_t> columns[3];
    for (const Spec& spec : specs_) {
        columns[0].push_back(std::int32_t(spec.path));
        columns[1].push_back(std::int32_t(spec.fields));
        columns[2].push_back(std::int32_t(spec.kind));
    }
    std::string out;
    append(out, std::uint64_t(specs_.size()));
    for (const std::vector<std::int32_t>& column : columns)
        append_packed(out, pack_integers(column));
    return out;
}

void CrateTables::write(OutFile& file) const
{
    const std::pair<const char*, std::string> sections[] = {
        {"TOKENS", tokens_section()}, {"STRINGS", strings_section()},
        {"FIELDS", fields_section()}, {"FIELDSETS", field_sets_section()},
        {"PATHS", paths_section()},   {"SPECS", specs_section()},
    };
    std::string contents;
    append(contents, std::uint64_t(std::size(sections)));
    for (const auto& [name, bytes] : sections) {
        char title[16] = {};
        std::strncpy(title, name, sizeof title - 1);
        contents.append(title, sizeof title);
        append(contents, file.size());
        append(contents, std::uint64_t(bytes.size()));
        file.write(bytes);
    }
    const std::uint64_t place = file.size();
    file.write(contents);
    file.overwrite(16, &place, sizeof place);
}

void CrateTables::write_head(OutFile& file, std::uint64_t contents)
{
    std::string head = "PXR-USDC";
    for (const int byte : {0, 8, 0, 0, 0, 0, 0, 0})
        head += char(byte);
    append(head, contents);
    head.append(64, '\0');
    file.write(head);
}

} // namespace sinew::formats
