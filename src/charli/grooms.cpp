// Curves from files for strands. A file is read once, however many instances have its curves.

#include "charli/evaluator.h"
#include "charli/strand_words.h"

#include "base/text.h"
#include "sinew/curves.h"

#include <utility>

namespace sinew::charli {

/// The points of each curve of a groom; none for other words. Faults are told and make the call
/// bad.
std::span<const ValueList> Evaluator::find_curves(Site call, const Word& word, Arguments& arguments)
{
    if (word.kind != WordKind::strand || word.code != kReadsCurves || !arguments.is_good)
        return {};
    const Bound& file = arguments.bound[0];
    const bool has_scale = arguments.bound[2].kind == Bound::Kind::value;
    const double scale = has_scale ? arguments.bound[2].value.number : 1;
    const std::optional<std::string> file_name =
        resolve_file(file.origin, std::string(file.text), name_below_folder(*call.tree));
    arguments.is_good = file_name.has_value();
    if (!file_name)
        return {};
    const auto [known, is_new] = grooms_.try_emplace(number_text(scale) + " " + *file_name);
    if (is_new)
        if (auto lists = read_groom(file, *file_name, scale))
            known->second = std::move(*lists);
    arguments.is_good = !known->second.empty(); // its fault was told
    return known->second;
}

std::optional<std::vector<ValueList>>
Evaluator::read_groom(const Bound& file, const std::string& file_name, double scale)
{
    const auto bytes = read_asset(file, file_name);
    if (!bytes)
        return std::nullopt;
    const Result<CurveSet> curves = read_curves(file_name, *bytes);
    if (!curves) {
        const Problem& first = curves.problems().front();
        const std::string line =
            first.place.line > 0 ? "line " + std::to_string(first.place.line) + ": " : "";
        error(file.origin, "groom-faulty",
              "'" + excerpt(file.text, 100) + "' cannot be read, " + line + first.what, first.hint);
        return std::nullopt;
    }
    std::vector<ValueList> lists;
    std::size_t next = 0;
    for (const std::uint32_t count : curves->counts) {
        lists.push_back({static_cast<std::uint32_t>(scene.values.size()), 3 * count});
        for (std::uint32_t k = 0; k < count; ++k, ++next)
            for (int axis = 0; axis < 3; ++axis)
                scene.values.push_back({curves->points[next][axis] * scale});
    }
    return lists;
}

} // namespace sinew::charli
