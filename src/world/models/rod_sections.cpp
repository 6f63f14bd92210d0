// What rods carry along them, for frames, probes and conditions.
//
//   in:  rods, and the forces of the rows that eyes had in the last step
//   out: tension, bending and twist moments at nodes, or at the objects that stand on rods

#include "islands/rows/eye_geometry.h"
#include "math/functions.h"
#include "world/parts.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sinew {

namespace {

/// Between two nodes.
SectionForce section_at(std::span<const SectionForce> nodes, double u)
{
    const double place = std::clamp(u, 0.0, 1.0) * double(nodes.size() - 1);
    const auto first = std::min(std::size_t(place), nodes.size() - 2);
    const double share = place - double(first);
    const SectionForce &a = nodes[first], &b = nodes[first + 1];
    return {a.tension + share * (b.tension - a.tension),
            a.bending + share * (b.bending - a.bending), a.twist + share * (b.twist - a.twist)};
}

/// The larger of each; the twist that is larger either way.
SectionForce larger_of(const SectionForce& a, const SectionForce& b)
{
    return {max(a.tension, b.tension), max(a.bending, b.bending),
            abs(b.twist) > abs(a.twist) ? b.twist : a.twist};
}

} // namespace

/// Spans that run through eyes have the tension of the leg that their middle is on.
std::vector<SectionForce> World::Parts::sections_of_rod(std::uint32_t rod) const
{
    rod::SectionForces forces =
        rods.model->section_forces(state.models[kRods], rod, rods.input.loads[rod]);
    for (const EyeSpan& eyes : rods.eyes) {
        if (eyes.rod != rod)
            continue;
        const EyeLegs legs = measure_legs(eyes.path, locate_eyes(eyes, state.time));
        const std::vector<double> tension = leg_tensions(eyes);
        for (std::uint32_t span = eyes.span; span < eyes.span + eyes.count; ++span) {
            const double share = 0.5 * (eyes.share_of(span) + eyes.share_of(span + 1));
            const bool is_stored =
                (share < 0 && eyes.path.drums[0]) || (share > 1 && eyes.path.drums[1]);
            const PathPlace at =
                place_on(eyes.path, legs, std::clamp(share, 0.0, 1.0) * legs.total());
            forces.tension[span] = is_stored ? 0 : tension[std::min(at.leg, tension.size() - 1)];
        }
    }
    return rod::at_nodes(forces);
}

void World::Parts::add_rod_sections(Frame& frame) const
{
    for (std::uint32_t i = 0; has_rods() && i < scene.rods.size(); ++i) {
        const std::vector<SectionForce> nodes = sections_of_rod(i);
        frame.sections.insert(frame.sections.end(), nodes.begin(), nodes.end());
    }
}

/// As Scene::objects: points of rods have what is there, whole rods, with all their pieces, what
/// they carry at most.
std::vector<SectionForce> World::Parts::sections_by_object() const
{
    std::vector<SectionForce> found(scene.objects.size());
    std::vector<char> is_known(scene.objects.size(), 0);
    for (std::uint32_t i = 0; has_rods() && i < scene.rods.size(); ++i) {
        const std::vector<SectionForce> nodes = sections_of_rod(i);
        const Rod& rod = scene.rods[i];
        const SectionForce most =
            std::accumulate(nodes.begin() + 1, nodes.end(), nodes[0], larger_of);
        for (const ObjectId object : {rod.object, rod.whole}) {
            if (!object.is_valid())
                continue;
            SectionForce& own = found[object.index];
            own = std::exchange(is_known[object.index], 1) ? larger_of(own, most) : most;
        }
        for (const RodSite& site : scene.rod_sites)
            if (site.rod == i)
                found[site.object.index] = section_at(nodes, site.along);
    }
    return found;
}

} // namespace sinew
