#pragma once

#include "models/rigid/contacts/patch.h"
#include "models/rigid/islands/islands.h"
#include "models/rigid/lengths.h"
#include "models/rigid/pile.h"

namespace sinew {

/// Wakes what something new acts on: a body that moves or is awake, a driven one, a force, another
/// gravity. `sleeps`: which islands sleep on; `is_pushed` is room.
void update_sleep(const Pile& pile, const PileOptions& options, std::span<const BodyForce> forces,
                  const BodyIslands& islands, PileState& state, std::vector<char>& is_pushed,
                  std::vector<char>& sleeps);

/// What tells whether bodies slide: contacts, velocities, and room, by body.
struct Sliding {
    std::span<const Patch> patches;
    std::span<const SolverBody> bodies;
    std::vector<char>& marks;
};

/// Lets islands fall asleep whose bodies all stayed within a small length of one place for half a
/// second: slow motion is motion too, so it is ways that count and not speeds. None while one of
/// its bodies slides on all that loads it.
void note_rest(const Pile& pile, const StepLengths& lengths, int threads,
               const BodyIslands& islands, const std::vector<double>& residuals,
               const Sliding& sliding, double tolerance, PileState& state);

} // namespace sinew
