#pragma once

#include "models/rigid/pile.h"

#include <optional>
#include <span>
#include <vector>

namespace sinew {

/// A state as numbers: every field of every thing, so that it goes on bit for bit.
/// On at most `threads` threads: the same numbers for any number.
std::vector<double> pack(const PileState& state, int threads);

/// Nothing when the numbers are no state of the pile.
std::optional<PileState> unpack(const Pile& pile, std::span<const double> numbers);

} // namespace sinew
