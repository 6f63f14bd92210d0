// What a scene with strands says before the first frame, though nothing is wrong with it.

#include "base/parallel.h"
#include "base/text.h"
#include "scene/objects/strand_section.h"
#include "scene/objects/strands.h"
#include "scene/validate/problems.h"

#include <algorithm>

namespace sinew {

namespace {

using Kind = StrandPropertyKind;

/// Whether a stiffness is cut off: the largest along the curve.
bool is_rigid(const Scene& scene, const StrandSections& sections, std::uint32_t curve)
{
    const std::uint32_t segments = scene.strands[curve].segments;
    double largest = 0;
    for (std::uint32_t k = 0; k < segments; ++k) {
        const StrandSection s = sections.at(scene.settings.start, (k + 0.5) / segments);
        largest = std::max({largest, s.bend_x, s.bend_z, s.twist});
    }
    return !(largest < sections.stiffest());
}

void warn_rigid(const Scene& scene, std::uint32_t curve, double length, Problems& problems)
{
    const StrandSections sections(scene, curve, length);
    Origin origin = scene.strands[curve].origin;
    for (const Kind kind : {Kind::young, Kind::twist_stiffness, Kind::bend_stiffness})
        if (const StrandProperty* said = sections.find(kind))
            origin = said->origin;
    problems.push_back(make_problem(scene, Severity::warning, "strand-as-rigid", origin,
                                    "strands[" + std::to_string(curve) + "]",
                                    "this stiffness is too large: it is limited to " +
                                        number_text(sections.stiffest()) + " N m², rigid",
                                    "for what does not bend use a body or a def without strands"));
}

void warn_windless(const Scene& scene, const Air& air, Problems& problems)
{
    if (air.kind == AirKind::noise || air.kind == AirKind::continuum)
        return;
    const auto is_felt = [&](ObjectId object) {
        const auto is_it = [&](const RigidBody& body) { return body.object == object; };
        if (std::any_of(scene.bodies.begin(), scene.bodies.end(), is_it))
            return true; // air is on bodies with drag only
        const auto rod = std::ranges::find(scene.rods, object, &Rod::object);
        if (rod != scene.rods.end())
            return rod->drag_along > 0 || rod->drag_across > 0;
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
                                    "nothing here has air_drag: moving air has no effect",
                                    "write `air_drag(0.01, 0.1);` into the def of the strands"));
}

} // namespace

std::vector<StrandReading> read_strands(const Scene& scene)
{
    constexpr std::size_t kPortion = 32; // curves that one thread takes at a time
    const std::vector<double> lengths = measure_strands(scene);
    std::vector<StrandReading> readings(lengths.size());
    for_each_index((readings.size() + kPortion - 1) / kPortion, threads_here(),
                   [&](std::size_t portion) {
                       const std::size_t end = std::min(readings.size(), (portion + 1) * kPortion);
                       for (std::size_t i = portion * kPortion; i < end; ++i) {
                           const auto curve = static_cast<std::uint32_t>(i);
                           const StrandSections sections(scene, curve, lengths[i]);
                           readings[i] = {.length = lengths[i],
                                          .mass = sections.mass_at_start(),
                                          .has_hinges = sections.hinge().has_value(),
                                          .is_rigid = is_rigid(scene, sections, curve)};
                       }
                   });
    return readings;
}

void add_strand_warnings(const Scene& scene, const std::vector<StrandReading>& readings,
                         Problems& problems)
{
    if (scene.strands.empty())
        return;
    for (std::uint32_t i = 0; i < readings.size(); ++i)
        if (readings[i].is_rigid)
            warn_rigid(scene, i, readings[i].length, problems);
    for (const Air& air : scene.airs)
        warn_windless(scene, air, problems);
}

} // namespace sinew
