// The scene of one part: without the strands and rods of the others, and what is theirs alone.

#include "base/contract.h"
#include "scene/ids_in.h"
#include "scene/parts/islands.h"
#include "sinew/part_objects.h"

#include <utility>

namespace sinew {

namespace {

/// Air on strands that are not there.
void leave_air_out(Scene& cut, std::vector<char> is_there)
{
    for (const StrandCurve& curve : cut.strands)
        is_there[curve.object.index] = 1;
    for (const RigidBody& body : cut.bodies)
        is_there[body.object.index] = 1;
    for (const Rod& rod : cut.rods)
        for (const ObjectId id : {rod.object, rod.whole})
            if (id.is_valid())
                is_there[id.index] = 1;
    std::erase_if(cut.airs, [&](Air& air) {
        const bool was_on_some = !air.on.empty();
        std::erase_if(air.on, [&](ObjectId object) { return !is_there[object.index]; });
        return was_on_some && air.on.empty();
    });
}

} // namespace

namespace {

/// Leaves those out that strands had which are no longer there, and that nothing else names.
void leave_paths_out(Scene& cut, std::vector<char> is_wanted)
{
    for_each_id<PathId>(cut, [&](PathId& id) {
        if (id.index < is_wanted.size())
            is_wanted[id.index] = 1;
    });
    std::vector<std::uint32_t> number(cut.paths.size());
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < number.size(); ++i) {
        number[i] = count;
        if (is_wanted[i])
            cut.paths[count++] = cut.paths[i];
    }
    cut.paths.resize(count);
    cut.paths.shrink_to_fit();
    for_each_id<PathId>(cut, [&](PathId& id) {
        if (id.index < number.size())
            id.index = number[id.index];
    });
}

/// The same for places on skins, which strands alone have.
void leave_roots_out(Scene& cut)
{
    std::vector<StrandRoot> roots;
    for (StrandCurve& curve : cut.strands)
        if (curve.root != StrandCurve::kNone) {
            roots.push_back(cut.strand_roots[curve.root]);
            curve.root = std::uint32_t(roots.size() - 1);
        }
    cut.strand_roots = std::move(roots);
}

/// Keeps these objects; what is left names no others but for how they look.
void leave_objects_out(Scene& cut, const std::vector<std::uint32_t>& kept)
{
    if (kept.size() == cut.objects.size())
        return;
    constexpr std::uint32_t kGone = ObjectId::kNone;
    std::vector<std::uint32_t> number(cut.objects.size() + 1, kGone), before(number.size(), 0);
    for (std::uint32_t i = 0; i < kept.size(); ++i) {
        number[kept[i]] = i;
        before[kept[i] + 1] = 1;
    }
    for (std::size_t i = 1; i < before.size(); ++i)
        before[i] += before[i - 1];
    std::erase_if(cut.colours, [&](const Colour& c) { return number[c.object.index] == kGone; });
    std::erase_if(cut.looks, [&](const ObjectLook& l) { return number[l.object.index] == kGone; });
    std::erase_if(cut.children,
                  [&](const TreeChildren& c) { return number[c.tree.index] == kGone; });
    std::vector<Object> objects;
    for (const std::uint32_t i : kept) {
        Object& object = objects.emplace_back(std::move(cut.objects[i]));
        object.end = before[object.end];
    }
    cut.objects = std::move(objects);
    for_each_id<ObjectId>(cut, [&](ObjectId& id) {
        if (id.is_valid())
            id.index = number[id.index];
    });
    for (Formula& formula : cut.formulas)
        if (formula.operation == Operation::position || formula.operation == Operation::contact)
            formula.index = number[formula.index];
}

} // namespace

Scene cut_scene(Scene cut, const PartPlan& plan, int part)
{
    SINEW_EXPECTS(part >= 1 && part <= plan.count && plan.part_of.size() == cut.strands.size());
    const std::vector<std::uint32_t> objects = objects_of_part(cut, plan, part);
    const std::vector<StrandCurve> all = std::exchange(cut.strands, {});
    std::vector<std::uint32_t> number(all.size(), StrandCurve::kNone);
    std::vector<char> has_strands(cut.objects.size(), 0), keeps_path(cut.paths.size(), 1);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (plan.part_of[i] != 0 && plan.part_of[i] != std::uint32_t(part)) {
            keeps_path[all[i].path.index] = 0;
            continue;
        }
        number[i] = std::uint32_t(cut.strands.size());
        StrandCurve& curve = cut.strands.emplace_back(all[i]);
        has_strands[curve.tree.index] = 1;
        if (curve.from != StrandCurve::kNone)
            curve.from = number[curve.from];
    }
    std::erase_if(cut.trees, [&](const StrandTree& t) { return !has_strands[t.object.index]; });
    std::erase_if(cut.strand_properties, [&](StrandProperty& p) {
        if (p.curve != StrandCurve::kNone)
            p.curve = number[p.curve];
        else if (has_strands[p.tree.index])
            return false;
        return p.curve == StrandCurve::kNone;
    });
    for (StrandSite& site : cut.strand_sites)
        site.curve = number[site.curve];
    for (StrandPose& pose : cut.strand_poses)
        pose.curve = number[pose.curve];
    leave_rods_out(cut, plan, part);
    leave_air_out(cut, std::move(has_strands));
    leave_roots_out(cut);
    leave_paths_out(cut, std::move(keeps_path));
    leave_objects_out(cut, objects);
    return cut;
}

} // namespace sinew
