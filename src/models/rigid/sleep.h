#pragma once

#include "models/rigid/islands/islands.h"
#include "models/rigid/lengths.h"
#include "models/rigid/pile.h"

namespace sinew {

/// Wakes what something new acts on: a body that moves or is awake, a driven one, a force, another
/// gravity. `sleeps`: which islands sleep on; `is_pushed` is room.
void update_sleep(const Pile& pile, const PileOptions& options, std::span<const BodyForce> forces,
                  const BodyIslands& islands, PileState& state, std::vector<char>& is_pushed,
                  std::vector<char>& sleeps);

/// Lets islands fall asleep whose bodies all stayed within a small length of one place for half a
/// second: slow motion is motion too, so it is ways that count and not speeds.
void note_rest(const Pile& pile, const StepLengths& lengths, int threads,
               const BodyIslands& islands, const std::vector<double>& residuals, double tolerance,
               PileState& state);

} // namespace sinew
