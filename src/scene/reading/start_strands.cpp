// What a scene with strands says before the first frame, though nothing is wrong with it.

#include "base/text.h"
#include "scene/objects/strand_section.h"
#include "scene/objects/strands.h"
#include "scene/validate/problems.h"

#include <algorithm>

namespace sinew {

namespace {

using Kind = StrandPropertyKind;

/// A stiffness said that is cut off: the largest along the curve.
void warn_rigid(const Scene& scene, const StrandSections& sections, std::uint32_t curve,
                Problems& problems)
{
    const std::uint32_t segments = scene.strands[curve].segments;
    double largest = 0;
    for (std::uint32_t k = 0; k < segments; ++k) {
        const StrandSection s = sections.at(scene.settings.start, (k + 0.5) / segments);
        largest = std::max({largest, s.bend_x, s.bend_z, s.twist});
    }
    if (largest < sections.stiffest())
        return;
    Origin origin = scene.strands[curve].origin;
    for (const Kind kind : {Kind::young, Kind::twist_stiffness, Kind::bend_stiffness})
        if (const StrandProperty* said = sections.find(kind))
            origin = said->origin;
    problems.push_back(make_problem(scene, Severity::warning, "strand-as-rigid", origin,
                                    "strands[" + std::to_string(curve) + "]",
                                    "this is stiffer than anything: it counts as " +
                                        number_text(sections.stiffest()) + " N m², rigid",
                                    "for what does not bend use a body or a def without strands"));
}

void warn_windless(const Scene& scene, const Air& air, Problems& problems)
{
    if (air.kind == AirKind::noise || air.kind == AirKind::continuum)
        return;
    const auto is_felt = [&](ObjectId object) {
        return std::any_of(scene.strand_properties.begin(), scene.strand_properties.end(),
                           [&](const StrandProperty& p) {
                               const bool is_tree = p.tree == object;
                               const bool is_curve =
                                   std::any_of(scene.strands.begin(), scene.strands.end(),
                                               [&](const StrandCurve& c) {
                                                   return c.object == object && c.tree == p.tree;
                                               });
                               return p.kind == Kind::air_drag && (is_tree || is_curve);
                           });
    };
    constexpr std::size_t kLooked = 4; // of many alike the first tell
    const std::size_t looked = std::min(kLooked, air.on.size());
    if (std::any_of(air.on.begin(), air.on.begin() + std::ptrdiff_t(looked), is_felt))
        return;
    problems.push_back(make_problem(scene, Severity::warning, "air-not-felt", air.origin, "airs",
                                    "nothing here has air_drag: moving air changes nothing",
                                    "write `air_drag(0.01, 0.1);` into the def of the strands"));
}

} // namespace

void add_strand_warnings(const Scene& scene, Problems& problems)
{
    if (scene.strands.empty())
        return;
    const std::vector<StrandShape> shapes = sample_strands(scene);
    for (std::uint32_t i = 0; i < shapes.size(); ++i)
        warn_rigid(scene, StrandSections(scene, i, shapes[i].length), i, problems);
    for (const Air& air : scene.airs)
        warn_windless(scene, air, problems);
}

} // namespace sinew
