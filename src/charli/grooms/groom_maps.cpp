// Maps of grooms: numbers at the vertices of the surface that hair grows on.

#include "charli/evaluate/evaluator.h"

#include "base/text.h"
#include "geometry/vertex_numbers.h"
#include "scene/objects/strand_section.h"

#include <algorithm>
#include <array>
#include <span>

namespace sinew::charli {

namespace {

using Kind = StrandPropertyKind;
constexpr std::array kStiffnesses = {Kind::young, Kind::bend_stiffness, Kind::twist_stiffness};

} // namespace

/// The numbers of a surface's vertices that a map names; true where none is wanted. Faults are
/// told.
bool Evaluator::read_map(const Bound& file, const std::string& file_name, const Bound* wanted,
                         std::vector<double>& map)
{
    if (!wanted)
        return true;
    const auto bytes = read_asset(file, file_name);
    if (!bytes)
        return false;
    Result<std::vector<double>> read =
        read_vertex_numbers(file_name, *bytes, std::string(wanted->text));
    if (!read) {
        const Problem& first = read.problems().front();
        error(wanted->origin, "groom-without-map",
              "'" + excerpt(file.text, 100) + "' is no such map: " + first.what, first.hint);
        return false;
    }
    map = std::move(*read);
    if (std::ranges::none_of(map, [](double factor) { return factor < 0; }))
        return true;
    error(wanted->origin, "negative-map",
          "'" + excerpt(wanted->text, 100) + "' is below 0 at some vertices",
          "factors are 0 or more");
    return false;
}

/// Strands of a groom with a map are as stiff as their def says, times what the map says at their
/// root.
void Evaluator::scale_stiffness()
{
    if (mapped_grooms_.empty())
        return;
    std::vector<StrandProperty> scaled;
    const std::vector<StrandProperty>& said = scene.strand_properties;
    for (std::uint32_t i = 0; i < scene.strands.size(); ++i) {
        const StrandCurve& strand = scene.strands[i];
        auto groom = mapped_grooms_.upper_bound(strand.path.index);
        if (groom == mapped_grooms_.begin())
            continue;
        --groom;
        const std::uint32_t curve = strand.path.index - groom->first;
        if (curve >= groom->second->stiffness.size())
            continue;
        const double factor = groom->second->stiffness[curve];
        const std::span<const StrandProperty> of_tree(
            std::ranges::equal_range(said, strand.tree, {}, &StrandProperty::tree));
        bool is_said = false;
        for (const Kind kind : kStiffnesses) {
            const auto last = std::ranges::find_if(
                of_tree.rbegin(), of_tree.rend(), [&](const StrandProperty& property) {
                    return property.kind == kind && property.curve == StrandCurve::kNone;
                });
            if (last == of_tree.rend())
                continue;
            is_said = is_said || kind != Kind::twist_stiffness;
            StrandProperty property = *last;
            property.curve = i;
            property.a = apply(Operation::multiply, last->a, {factor}, last->origin);
            property.b = apply(Operation::multiply, last->b, {factor}, last->origin);
            scaled.push_back(property);
        }
        if (!is_said)
            scaled.push_back({.kind = Kind::young,
                              .tree = strand.tree,
                              .curve = i,
                              .a = {StrandDefaults::kYoung * factor},
                              .b = {StrandDefaults::kYoung * factor},
                              .origin = strand.origin});
    }
    scene.strand_properties.insert(scene.strand_properties.end(), scaled.begin(), scaled.end());
    std::ranges::stable_sort(scene.strand_properties, {}, &StrandProperty::tree);
}

} // namespace sinew::charli
