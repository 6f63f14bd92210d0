// One frame of a whole shot from those of its parts.

#include "base/contract.h"
#include "sinew/part_objects.h"

#include <algorithm>

namespace sinew {

Frame join_frames(const Scene& scene, const PartPlan& plan, std::span<const Frame> parts)
{
    std::vector<std::vector<std::uint32_t>> objects;
    for (int part = 1; part <= plan.count; ++part)
        objects.push_back(objects_of_part(scene, plan, part));
    return join_frames(scene, plan, objects, parts);
}

namespace {

/// Points of rods, from the parts that have these.
void take_rod_sites(const Scene& scene, const PartPlan& plan,
                    std::span<const std::vector<std::uint32_t>> objects,
                    std::span<const Frame> parts, Frame& whole)
{
    for (const RodSite& site : scene.rod_sites) {
        const std::uint32_t owner = plan.part_of_rod[site.rod];
        if (owner == 0)
            continue;
        const std::vector<std::uint32_t>& kept = objects[owner - 1];
        const auto found = std::ranges::lower_bound(kept, site.object.index);
        if (found != kept.end() && *found == site.object.index)
            whole.objects[site.object.index] =
                parts[owner - 1].objects[std::size_t(found - kept.begin())];
    }
}

/// Loads of constraints of rods, which each part has of its own rods, behind those of strands.
void take_loads(const Scene& scene, const PartPlan& plan, std::span<const Frame> parts,
                Frame& whole)
{
    if (plan.island_count == 0 || scene.rod_constraints.empty())
        return;
    const std::size_t strands = scene.strand_constraints.size();
    if (std::ranges::all_of(parts, [](const Frame& part) { return part.loads.empty(); }))
        return;
    whole.loads.resize(strands);
    std::vector<std::size_t> next(parts.size(), strands); // read so far
    for (const std::uint32_t rod : rods_of_constraints(scene)) {
        const std::uint32_t owner = plan.part_of_rod[rod];
        const std::vector<ConstraintLoad>& from = parts[owner == 0 ? 0 : owner - 1].loads;
        std::size_t& at = next[owner == 0 ? 0 : owner - 1];
        whole.loads.push_back(at < from.size() ? from[at] : ConstraintLoad{});
        ++at;
        for (std::size_t part = 1; owner == 0 && part < parts.size(); ++part)
            ++next[part];
    }
}

/// What rods carry, from the parts that have them.
void take_sections(const Scene& scene, const PartPlan& plan, std::span<const Frame> parts,
                   Frame& whole)
{
    whole.sections.clear();
    if (std::ranges::all_of(parts, [](const Frame& part) { return part.sections.empty(); }))
        return;
    std::vector<std::size_t> next(parts.size(), 0); // read so far
    for (std::size_t i = 0; i < scene.rods.size(); ++i) {
        const std::uint32_t owner = plan.part_of_rod[i];
        const std::size_t count = scene.rods[i].spans + std::size_t{1};
        const std::size_t from = owner == 0 ? 0 : owner - 1;
        SINEW_EXPECTS(next[from] + count <= parts[from].sections.size());
        const auto first = parts[from].sections.begin() + std::ptrdiff_t(next[from]);
        whole.sections.insert(whole.sections.end(), first, first + std::ptrdiff_t(count));
        for (std::size_t part = 0; part < parts.size(); ++part)
            next[part] += owner == 0 || part == from ? count : 0;
    }
}

} // namespace

Frame join_frames(const Scene& scene, const PartPlan& plan,
                  std::span<const std::vector<std::uint32_t>> objects, std::span<const Frame> parts)
{
    SINEW_EXPECTS(parts.size() == std::size_t(plan.count) && objects.size() == parts.size());
    Frame whole = parts[0];
    whole.objects.assign(scene.objects.size(), {});
    // What all parts have is the first one's: parts without strands and rods take other steps.
    for (std::size_t part = parts.size(); part-- > 0;) {
        const std::vector<std::uint32_t>& kept = objects[part];
        SINEW_EXPECTS(kept.size() == parts[part].objects.size());
        for (std::size_t i = 0; i < kept.size(); ++i)
            whole.objects[kept[i]] = parts[part].objects[i];
    }
    take_rod_sites(scene, plan, objects, parts, whole);
    take_loads(scene, plan, parts, whole);
    whole.nodes.clear();
    whole.segments.clear();
    take_sections(scene, plan, parts, whole);
    std::vector<std::size_t> node(parts.size(), 0), segment(parts.size(), 0); // read so far
    const auto take = [&](std::size_t part, std::size_t count, bool is_seen) {
        const Frame& from = parts[part];
        SINEW_EXPECTS(node[part] + count < from.nodes.size() &&
                      segment[part] + count <= from.segments.size());
        if (is_seen) {
            const auto first = from.nodes.begin() + std::ptrdiff_t(node[part]);
            whole.nodes.insert(whole.nodes.end(), first, first + std::ptrdiff_t(count) + 1);
            const auto begin = from.segments.begin() + std::ptrdiff_t(segment[part]);
            whole.segments.insert(whole.segments.end(), begin, begin + std::ptrdiff_t(count));
        }
        node[part] += count + 1;
        segment[part] += count;
    };
    for (std::size_t i = 0; i < scene.strands.size(); ++i) {
        const std::uint32_t owner = plan.part_of[i];
        for (std::size_t part = 0; part < parts.size(); ++part)
            if (owner == 0 || owner == part + 1)
                take(part, scene.strands[i].segments, owner != 0 || part == 0);
    }
    for (std::size_t i = 0; i < scene.rods.size(); ++i) {
        const std::uint32_t owner = plan.part_of_rod[i];
        take(owner == 0 ? 0 : owner - 1, scene.rods[i].spans, true);
        for (std::size_t part = 1; owner == 0 && part < parts.size(); ++part)
            take(part, scene.rods[i].spans, false);
    }
    return whole;
}

} // namespace sinew
