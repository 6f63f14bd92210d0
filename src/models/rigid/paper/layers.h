#pragma once

#include "models/rigid/pile.h"

#include <vector>

namespace sinew {

/// How many contacts or joints a body is away from what is not free: 0 of fixed and driven bodies,
/// 1 of what they carry; −1 of what flies. Breadth first over contacts with a gap below `near` and
/// joints [Erleben04, §5].
std::vector<int> compute_layers(const Pile& pile, const PileState& state, double near);

} // namespace sinew
