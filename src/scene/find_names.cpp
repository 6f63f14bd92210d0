// What a name of a table means: as it stands there, or as a script would write it outside all defs.

#include "sinew/names.h"

#include <algorithm>
#include <set>

namespace sinew {

namespace {

using Parts = std::vector<std::string_view>;

Parts split(std::string_view name)
{
    Parts parts;
    for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.')) {
        parts.push_back(name.substr(0, dot));
        name.remove_prefix(dot + 1);
    }
    parts.push_back(name);
    return parts;
}

/// "crate" of "crate#1", which older versions called the first of several.
std::string_view without_one(std::string_view part)
{
    return part.ends_with("#1") ? part.substr(0, part.size() - 2) : part;
}

/// True when a part of a name may be meant by `wanted`: without an index it means any.
bool is_meant(std::string_view part, std::string_view wanted)
{
    return part == wanted || part == without_one(wanted) ||
           part.substr(0, part.find('[')) == wanted;
}

bool begins_with(const Parts& name, const Parts& head)
{
    return name.size() >= head.size() && std::equal(head.begin(), head.end(), name.begin());
}

/// What `wanted` may mean below `inside`: what is there directly, else what is further down.
std::set<Parts> find_below(const std::vector<Parts>& names, const Parts& inside,
                           std::string_view wanted)
{
    const std::size_t depth = inside.size();
    std::set<Parts> direct, deeper;
    for (const Parts& name : names) {
        if (!begins_with(name, inside))
            continue;
        for (std::size_t i = depth; i < name.size(); ++i)
            if (i == depth && name[i] == without_one(wanted))
                direct.insert(Parts(name.begin(), name.begin() + std::ptrdiff_t(i) + 1));
            else if (is_meant(name[i], wanted))
                deeper.insert(Parts(name.begin(), name.begin() + std::ptrdiff_t(i) + 1));
    }
    return direct.empty() ? deeper : direct;
}

} // namespace

std::vector<std::size_t> find_names(std::span<const std::string> names, std::string_view wanted)
{
    if (const auto same = std::ranges::find(names, wanted); same != names.end())
        return {std::size_t(same - names.begin())};
    std::vector<Parts> known;
    for (const std::string& name : names)
        known.push_back(split(name));
    std::set<Parts> meant = {Parts{}};
    for (const std::string_view part : split(wanted)) {
        std::set<Parts> next;
        for (const Parts& inside : meant)
            next.merge(find_below(known, inside, part));
        meant = std::move(next);
    }
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < known.size(); ++i)
        if (meant.contains(known[i]))
            found.push_back(i);
    return found;
}

} // namespace sinew
