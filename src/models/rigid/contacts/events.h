#pragma once

#include "models/rigid/contacts/contacts.h"

namespace sinew {

/// What contacts pushed with along their normals in the step before, by number [N s].
void note_loads(const PileState& state, std::vector<double>& loads, int threads);

/// Pairs of bodies that push each other now and did not before, and came together faster than they
/// would fall in a step. `loads`: see above; `struck`: impulses of impacts besides, by contact, or
/// none; `before`: the bodies when the step began.
void add_meetings(const Pile& pile, const PileState& before, const PileState& state,
                  const StepLengths& lengths, std::span<const double> loads,
                  std::span<const double> struck, std::vector<PileEvent>& events);

/// Pairs that the script only senses: those that begin to overlap where they are now.
void sense_pairs(const Pile& pile, const StepLengths& lengths, ContactWork& work, PileState& state,
                 std::vector<PileEvent>& events);

} // namespace sinew
