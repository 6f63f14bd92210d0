// Hands on strands. A strand that nothing else holds moves without rows: a hand lends it some, and
// takes them back when it lets go, so that a world is the same as if it had never been held.

#include "world/parts.h"

#include <algorithm>

namespace sinew {

void World::Parts::index_curves()
{
    first_curve.assign(scene.objects.size(), StrandCurve::kNone);
    for (auto i = static_cast<std::uint32_t>(scene.strands.size()); i-- > 0;)
        for (const ObjectId object : {scene.strands[i].object, scene.strands[i].tree})
            first_curve[object.index] = i;
}

std::optional<std::uint32_t> World::Parts::find_curve(const Grab& grab) const
{
    if (!has_strands() || !grab.object.is_valid() || grab.object.index >= first_curve.size())
        return std::nullopt;
    std::uint32_t number = 0; // those of a tree stand together
    for (std::uint32_t i = first_curve[grab.object.index]; i < scene.strands.size(); ++i) {
        const StrandCurve& curve = scene.strands[i];
        if ((curve.object == grab.object || curve.tree == grab.object) && number++ == grab.curve)
            return i;
        if (curve.tree != scene.strands[first_curve[grab.object.index]].tree)
            break;
    }
    return std::nullopt;
}

std::optional<StrandModel::Spot> World::Parts::find_strand_spot(const Grab& grab) const
{
    const auto curve = find_curve(grab);
    if (!curve)
        return std::nullopt;
    return strands.spot_of(
        {.object = grab.object, .curve = *curve, .along = std::clamp(grab.along, 0.0, 1.0)});
}

std::optional<std::uint32_t> World::Parts::find_tree(ObjectId object) const
{
    const auto spot = find_strand_spot({.object = object});
    return spot ? std::optional(spot->tree) : std::nullopt;
}

/// As its rows pulled in the last step; between steps they are nowhere.
ActingForce World::Parts::hand_on_strand(const Grab& grab, AttachmentKey key) const
{
    ActingForce hand{.kind = ActingForce::Kind::hand, .object = grab.object, .force = {0, 0, 0}};
    if (const HeldForce* held = find_force(state.held, key))
        hand.force = {held->force[0], held->force[1], held->force[2]};
    Frame frame;
    frame.time = state.time;
    frame.objects = objects_at(state.time);
    strands.add_to_frame(scene, state.strands, work.threads, frame);
    const std::uint32_t curve = *find_curve(grab);
    const StrandPlace at =
        place_on_strand(scene.strands[curve].segments, std::clamp(grab.along, 0.0, 1.0));
    const std::size_t first = layout_of_strands(scene).first_node[curve] + at.segment;
    hand.place = frame.nodes[first] + (frame.nodes[first + 1] - frame.nodes[first]) * at.fraction;
    return hand;
}

void World::Parts::open_strand_rows()
{
    if (!blocks)
        make_blocks();
    coupling.is_used = true;
    coupling.carrier.resize(pile().bodies.size());
    strand_rows = strands.make_rows();
    ensemble.models[kStrands] = strand_rows->dynamics.get();
    ensemble.models[kTargets] = strand_coupling.targets.get();
    state.models[kStrands] = strands.state_in_rows(state.strands);
}

void World::Parts::lend_strand_rows()
{
    if (strand_rows)
        return;
    lent = {.are_blocks = blocks == nullptr,
            .was_coupled = coupling.is_used,
            .scheme = ensemble.settings.scheme};
    open_strand_rows();
    work = make_workspace(ensemble, work.threads);
}

void World::Parts::take_back_strand_rows()
{
    if (!lent)
        return;
    for (const std::uint32_t model : {kBodies, kStrands, kTargets}) {
        if (is_own(model))
            continue;
        ensemble.models[model] = &no_model();
        ensemble.members[model].clear();
        state.models[model] = {};
    }
    std::erase_if(state.frozen, [&](const BlockId& id) { return !is_own(id.model); });
    strand_rows.reset();
    taken_strands.clear();
    if (lent->are_blocks)
        blocks.reset();
    coupling.is_used = lent->was_coupled;
    ensemble.settings.scheme = lent->scheme;
    work = make_workspace(ensemble, work.threads);
    lent.reset();
}

} // namespace sinew
