// Physical models in the world: tied when all others are there.

#include "world/parts.h"

namespace sinew {

JoinedModelsInput World::Parts::joined_input(double until, std::span<const Affine> objects,
                                             std::span<const Affine> objects_then) const
{
    return {.scene = scene,
            .ensemble = ensemble,
            .state = state,
            .strands = strands,
            .strand_state = state.strands,
            .rods = rods.model.get(),
            .pile = pile(),
            .bodies = state.pile,
            .coupling = coupling,
            .until = until,
            .objects = objects,
            .objects_then = objects_then};
}

/// Beside given models everything moves by rows that these tie or touch.
Problems World::Parts::tie_joined()
{
    if (joined.is_empty())
        return {};
    if (!blocks)
        make_blocks();
    coupling.is_used = true;
    coupling.carrier.resize(pile().bodies.size());
    const std::vector<Affine> objects = objects_at(state.time);
    const LinkageModel* moved = charli ? nullptr : linkages.get();
    return joined.tie({scene, moved, rigid, strands},
                      joined_input(state.time + scene.settings.step, objects, objects));
}

} // namespace sinew
